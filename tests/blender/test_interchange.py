"""Other programs' files in Blender: imported, simulated as they stand, exported, reported."""

from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent.parent / "interchange"
EVERYTHING, ARM = HERE / "everything.hfd", HERE / "arm.osim"


def poses(actor) -> dict[str, np.ndarray]:
    """World matrix of every bone as it stands."""
    return {bone.name: np.array(actor.matrix_world @ bone.matrix) for bone in actor.pose.bones}


@pytest.mark.parametrize(("name", "path"), [("import_hyfydy", EVERYTHING), ("import_opensim", ARM)])
def test_import_as_model(blender, name: str, path: Path) -> None:
    from mannequin.interchange import read_model as read_file
    from mannequin.scene.model.read import read_model

    assert getattr(blender.ops.mannequin, name)(filepath=str(path)) == {"FINISHED"}
    expected, findings = read_file(path)
    model = read_model(blender.context.object)
    assert [body.name for body in model.bodies] == [body.name for body in expected.bodies]
    assert sum(body.mass for body in model.bodies) == pytest.approx(
        sum(body.mass for body in expected.bodies)
    )
    assert [joint.type for joint in model.joints] == [joint.type for joint in expected.joints]
    assert [muscle.name for muscle in model.muscles] == [muscle.name for muscle in expected.muscles]
    assert len(model.notes) >= len(findings) > 0


def test_import_as_scenario(blender) -> None:
    """Start, surroundings and gravity are those of the file."""
    from mannequin.interchange import read_scenario as read_file
    from mannequin.scene.scenario.scenario import read_scenario

    blender.ops.mannequin.import_opensim(filepath=str(ARM), whole_scenario=True)
    expected, _ = read_file(ARM)
    scenario = read_scenario(blender.context.scene)
    assert [obstacle.name for obstacle in scenario.obstacles] == ["floor"]
    assert scenario.settings.gravity == pytest.approx(expected.settings.gravity)
    (actor,) = scenario.actors
    assert actor.position == pytest.approx(expected.actors[0].position, abs=1e-6)
    assert actor.joint_angles["elbow"][0] == pytest.approx(
        expected.actors[0].joint_angles["elbow"][0], abs=1e-3
    )


@pytest.mark.parametrize(("name", "ending"), [("export_hyfydy", ".hfd"), ("export_mujoco", ".xml")])
def test_export(blender, tmp_path: Path, name: str, ending: str) -> None:
    blender.ops.mannequin.add_actor(model="ambrosio")
    path = tmp_path / f"man{ending}"
    assert getattr(blender.ops.mannequin, name)(filepath=str(path)) == {"FINISHED"}
    assert path.stat().st_size > 1000


def test_export_with_hinges_for_ball_joints(blender, tmp_path: Path) -> None:
    blender.ops.mannequin.add_actor(model="male")
    counts = []
    for hinges in (False, True):
        path = tmp_path / "man.xml"
        assert blender.ops.mannequin.export_mujoco(filepath=str(path), ball_hinges=hinges) == {"FINISHED"}
        counts.append(path.read_text().count('type="ball"'))
    assert counts[1] < counts[0]


def test_hyfydy_out_and_in_again_is_the_same_man(blender, tmp_path: Path) -> None:
    """Centres of mass stand where they stood, though body frames may have moved."""
    from mannequin.engine.bodies.posture import actor_poses
    from mannequin.scene.scenario.scenario import read_scenario

    blender.ops.mannequin.add_actor(model="male")
    blender.ops.mannequin.export_hyfydy(filepath=str(tmp_path / "man.hfd"))
    before = centres(read_scenario(blender.context.scene).actors[0], actor_poses)
    blender.ops.mannequin.import_hyfydy(filepath=str(tmp_path / "man.hfd"), whole_scenario=True)
    (actor,) = read_scenario(blender.context.scene).actors
    after = centres(actor, actor_poses)
    root = next(iter(before))
    shift = after[root] - before[root]  # where the actor was placed is not part of its model
    for body, centre in before.items():
        np.testing.assert_allclose(after[body] - shift, centre, atol=1e-5)


def centres(actor, poses_of) -> dict[str, np.ndarray]:
    poses = poses_of(actor)
    return {
        body.name: poses[body.name][:3, :3] @ np.array(body.center_of_mass) + poses[body.name][:3, 3]
        for body in actor.model.bodies
    }


def test_a_bad_file_is_reported_and_nothing_is_added(blender, tmp_path: Path) -> None:
    (tmp_path / "bad.hfd").write_text("model {")
    before = len(blender.data.objects)
    with pytest.raises(RuntimeError, match="line 1, column 8"):
        blender.ops.mannequin.import_hyfydy(filepath=str(tmp_path / "bad.hfd"))
    assert len(blender.data.objects) == before


class Drawn:
    """Stands for a menu: notes which operators a function draws into it."""

    def __init__(self) -> None:
        self.layout, self.operators = self, []

    def operator(self, name: str, **_: str) -> None:
        self.operators.append(name)


def test_menus_have_the_entries(blender) -> None:
    for menu, wanted in (
        (
            blender.types.TOPBAR_MT_file_import,
            {"mannequin.import_hyfydy", "mannequin.import_opensim", "mannequin.import_mujoco"},
        ),
        (blender.types.TOPBAR_MT_file_export, {"mannequin.export_hyfydy", "mannequin.export_mujoco"}),
    ):
        drawn = Drawn()
        for function in menu._dyn_ui_initialize():
            if function.__module__.startswith("mannequin."):
                function(drawn, blender.context)
        assert wanted <= set(drawn.operators)
