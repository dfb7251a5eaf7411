"""Hyfydy files as people have them: macros, colours, state files, starts in the ground, and the commands."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.__main__ import main
from mannequin.engine import run, validate
from mannequin.engine.errors import EngineError
from mannequin.engine.spec.muscles import PointShift
from mannequin.interchange import read_scenario
from mannequin.interchange.common.axes import matrix_from_xyz, y_up
from mannequin.interchange.common.findings import Findings
from mannequin.interchange.hyfydy.components import Mesh, read_component, write_component
from mannequin.interchange.hyfydy.configuration import configuration_blocks
from mannequin.interchange.hyfydy.document import read_text
from mannequin.interchange.hyfydy.read import loads
from mannequin.interchange.hyfydy.state import rate_matrix, state_of, state_text
from mannequin.interchange.hyfydy.text import Group, format_group, parse
from mannequin.interchange.hyfydy.write import dumps
from mannequin.interchange.mujoco.write import write_mjcf
from mannequin.io_json.errors import FileError

LEG = """model {
    name = leg
    $light { stiffness = 20000 damping = 0.5 }
    $side = r
    material { name = skin stiffness = 20000 }
    body { name = ground mass = 0 inertia = [ 0 0 0 ] }
    body { name = thigh mass = 9 inertia = [ 0.13 0.03 0.14 ] pos = [ 0 0.9 0 ] }
    body { name = shank mass = 4 inertia = [ 0.05 0.005 0.05 ]
        joint { name = knee parent = thigh pos_in_parent = [ 0 -0.2 0 ] pos_in_child = [ 0 0.2 0 ] } }
    geometry { name = floor type = plane body = ground }
    geometry { name = "heel_${side}" type = sphere radius = 0.03 body = shank pos = [ 0 -0.25 0 ] }
    point_path_muscle { name = vas max_isometric_force = 900 optimal_fiber_length = 0.1 tendon_slack_length = 0.2
        path [ { body = thigh pos = [ 0.03 0 0 ] } { body = shank pos = [ 0.03 0.1 0 ] } ] }
    dof { name = lean source = -thigh_rz }
    dof { name = tx source = thigh_tx }
    dof { name = ty source = thigh_ty }
    dof { name = tz source = thigh_tz }
    dof { name = list source = thigh_rx }
    dof { name = turn source = thigh_ry }
    dof { name = knee_x source = knee_rx }
    dof { name = knee_y source = knee_ry }
    dof { name = knee_z source = knee_rz }
}"""
STATE = """// a start
values { lean = 0.1 list = 0.2 turn = -0.3 tx = 0.05 ty = 0.95 knee_x = 0.1 knee_y = 0.2 knee_z = -0.9 }
velocities { lean = -1 list = 0.4 turn = 0.2 tx = 1.5 tz = 0.2 knee_x = 0.3 knee_y = -0.6 knee_z = 2 }
activations { vas = 0.35 }
"""


# ---------------------------------------------------------------- macros and colours


def test_macros():
    tree = parse("""$a = 3  $g { x = 1 y = $a }  $v = [ 1 $a ]
        one = $a  two = $g  three = [ $a $v ]  four = "m_${a}_b"  five = m_${a}
        inner { $a = 4  one = $a }  after = $a""")
    plain = parse("""one = 3 two { x = 1 y = 3 } three = [ 3 [ 1 3 ] ] four = m_3_b five = m_3
        inner { one = 4 } after = 3""")
    assert format_group(tree) == format_group(plain)
    assert loads(LEG).actor.model.bodies[1].ellipsoids[0].name == "heel_r"


@pytest.mark.parametrize("text", ["a = $b", "a = [ $b ]", "g { $b = 1 } a = $b", "a = x_${b}"])
def test_a_macro_that_is_not_defined_is_named(text):
    with pytest.raises(FileError, match=r"\$b' is not defined here"):
        parse(text)


@pytest.mark.long
def test_macros_cannot_grow_without_end():
    text = "$a0 = [ 1 1 1 1 1 1 1 1 ]" + "".join(
        f"$a{k + 1} = [ {' '.join(8 * [f'$a{k}'])} ]" for k in range(9)
    )
    with pytest.raises(FileError, match="macros make more than"):
        parse(text)


@pytest.mark.parametrize("name", ["$x", "//x", "a//b", "${x}", "a$b"])
def test_names_that_look_like_macros_or_comments_come_back(name):
    (again,) = parse(format_group(parse(f'name = "{name}"'))).entries
    assert again.value.text == name


@pytest.mark.parametrize(
    "words", ["{ h = 0.5 s = 1 v = 0.25 }", "{ r = 1 g = 0 b = 0 a = 0.5 }", "= [ 1 0 0 ]"]
)
def test_colours(words):
    mesh = read_component(Mesh, parse(f"file = a.obj color {words}"), "mesh", Findings())
    again = read_component(Mesh, write_component(mesh), "mesh", Findings())
    assert (again.color, type(again.color)) == (mesh.color, type(mesh.color))
    assert format_group(write_component(mesh)) == format_group(write_component(again))


# ---------------------------------------------------------------- states


def test_rates_of_angles_are_the_turn_rate():
    """By a finite difference of R = Rx Ry Rz."""
    angles, rates, h = np.array([0.3, -0.5, 0.8]), np.array([1.0, 2.0, -0.7]), 1e-6
    before, after = (matrix_from_xyz(angles + s * h * rates) for s in (-1, 1))
    skew = matrix_from_xyz(angles).T @ (after - before) / (2 * h)
    expected = [skew[2, 1], skew[0, 2], skew[1, 0]]
    np.testing.assert_allclose(rate_matrix(angles) @ rates, expected, atol=1e-9)


def test_a_state_is_the_start():
    """Place, turns and speeds of the first sample, in the file's axes."""
    scenario, _ = loads(LEG, state=state_of(STATE)).as_scenario()
    scenario.settings.duration = 1e-3
    recording = run(scenario)
    thigh, shank = (recording.quaternion[0, i] for i in (0, 1))
    c = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # ours to theirs

    def theirs(q):
        return c @ Rotation.from_quat(q[[1, 2, 3, 0]]).as_matrix() @ c.T

    expected = matrix_from_xyz([0.2, -0.3, -0.1])
    np.testing.assert_allclose(theirs(thigh), expected, atol=1e-12)
    np.testing.assert_allclose(theirs(shank), expected @ matrix_from_xyz([0.1, 0.2, -0.9]), atol=1e-12)
    np.testing.assert_allclose(y_up(recording.position[0, 0]), [0.05, 0.95, 0], atol=1e-12)
    np.testing.assert_allclose(y_up(recording.velocity[0, 0]), [1.5, 0, 0.2], atol=1e-12)
    own = rate_matrix([0.2, -0.3, -0.1]) @ [0.4, 0.2, 1.0]
    np.testing.assert_allclose(c @ recording.angular_velocity[0, 0], expected @ own, atol=1e-12)
    assert recording.muscle_channel("activation")[0, 0] == pytest.approx(0.35)


FLAT = """values { lean = 0.1 tx = 0.05 ty = 0.95 knee_z = -0.9 }
velocities { lean = -1 tx = 1.5 ty = 0.1 knee_z = 2 } activations { vas = 0.35 }"""


@pytest.mark.parametrize(
    ("config", "given"), [("", STATE), ("planar_joint_force_pnld {} muscle_force_m2012fast {}", FLAT)]
)
def test_a_state_is_written_as_it_was_read(config, given):
    blocks = configuration_blocks(config) if config else ()
    text, findings = state_text(loads(LEG, blocks=blocks, state=state_of(given)).actor)
    assert findings == []
    read, wanted = state_of(text), state_of(given)
    for group in ("values", "velocities", "activations"):
        for name, value in getattr(wanted, group).items():
            assert getattr(read, group)[name] == pytest.approx(value, abs=1e-12), (group, name)


def test_names_that_a_state_has_and_the_model_has_not_are_told():
    imported = loads(LEG, state=state_of("values { hip_flexion = 1 }"))
    assert "its start is left out: 'hip_flexion' is not known" in str(imported.findings.list()[-1])


@pytest.mark.parametrize(
    "text", ["", "states { a = 1 }", "values = 3", "values { a = b }", "activations { m = 2 }"]
)
def test_bad_states_are_refused(text):
    with pytest.raises(FileError):
        state_of(text)


# ---------------------------------------------------------------- starts in the ground


def start(height: float, extra: str = "") -> str:
    return LEG.replace("pos = [ 0 0.9 0 ]", f"pos = [ 0 {height} 0 ]").replace(
        "dof { name = lean", f"{extra} dof {{ name = lean"
    )


def test_a_start_that_the_ground_carries_is_kept():
    """The heel reaches 0.68 m below the thigh: 4 mm in a floor of the same material push with (k d / 2)^1.5 = 253 N,
    twice the weight of 13 kg."""
    imported = loads(start(0.676))
    assert any("starts pressed 4.0 mm into 'floor'" in f.message for f in imported.findings.list())
    assert imported.actor.position[2] == 0.676
    assert [i for i in validate(imported.as_scenario()[0]) if i.severity == "error"] == []


@pytest.mark.parametrize("extra", ["", "body { name = ball mass = 1 inertia = [ 1 1 1 ] pos = [ 9 2 0 ] }"])
def test_a_start_that_it_cannot_carry_is_lifted(extra):
    imported = loads(start(0.5, extra))
    lifted = [f.message for f in imported.findings.list() if "lifted by" in f.message]
    assert lifted and "0.1800 m" in lifted[0]
    scenario, _ = imported.as_scenario()
    assert [i for i in validate(scenario) if i.severity == "error"] == []
    scenario.settings.duration = 2e-3
    assert np.abs(run(scenario).velocity).max() < 0.1


def test_an_overlap_that_stays_is_refused_in_the_same_words_by_validate_and_run():
    """In a wall: lifting does not lead out of it."""
    wall = "geometry { name = wall type = plane normal = [ 1 0 0 ] body = ground pos = [ 0.5 0 0 ] }"
    scenario, _ = loads(start(0.9, wall)).as_scenario()
    (issue,) = [i for i in validate(scenario) if i.severity == "error"]
    assert "overlaps wall by 530.0 mm at the start" in issue.message
    with pytest.raises(EngineError) as caught:
        run(scenario)
    assert issue.message in str(caught.value)


# ---------------------------------------------------------------- commands


@pytest.fixture
def files(tmp_path):
    (tmp_path / "leg.hfd").write_text(LEG)
    (tmp_path / "start.zml").write_text(STATE)
    (tmp_path / "forces.zml").write_text(
        "composite_force { joint_force_pnld {} simple_collision_detection {} contact_force_pd { viscosity = 50 } "
        "muscle_force_gh2010 {} } forward_euler_integrator { activation_rate = 80 }"
    )
    return tmp_path


def beside(files) -> list[str]:
    return ["--config", str(files / "forces.zml"), "--state", str(files / "start.zml")]


def test_convert_with_configuration_and_state(files, capsys):
    target = files / "out.json"
    assert main(["convert", "--scenario", str(files / "leg.hfd"), str(target), *beside(files)]) == 0
    written = json.loads(target.read_text())
    assert written["settings"]["integrator"] == "forward_euler"
    assert "left out" not in capsys.readouterr().out
    assert main(["convert", str(target), str(files / "again.zml")]) == 0
    again = state_of((files / "again.zml").read_text())
    assert again.values["knee_z"] == pytest.approx(-0.9) and again.velocities["tx"] == pytest.approx(1.5)
    scenario, _ = read_scenario(files / "leg.hfd", files / "forces.zml", files / "again.zml")
    assert scenario.actors[0].model.muscles[0].form == "geyer_herr"


def test_validate_and_run_with_configuration_and_state(files, capsys):
    assert main(["validate", str(files / "leg.hfd"), *beside(files)]) == 0
    assert "can be used" in capsys.readouterr().out
    short = ["--set", "duration=0.002", "--out", str(files / "runs")]
    assert main(["run", str(files / "leg.hfd"), *beside(files), *short]) == 0
    assert list((files / "runs").glob("*"))


def test_other_files_take_neither(files, capsys):
    assert main(["convert", str(files / "leg.hfd"), str(files / "leg.json")]) == 0
    assert main(["validate", str(files / "leg.json"), *beside(files)]) != 0
    assert "takes no configuration" in capsys.readouterr().err


def test_a_configuration_without_blocks_is_refused(files, capsys):
    assert (
        main(["convert", str(files / "leg.hfd"), str(files / "a.json"), "--config", str(files / "start.zml")])
        != 0
    )
    assert "no block of forces" in capsys.readouterr().err


# ---------------------------------------------------------------- writing


def test_blocks_and_perturbations_come_back():
    blocks = "composite_force { joint_force_pd {} muscle_force_tj2003 {} } symplectic_euler_integrator {}"
    push = "perturbation { name = shove body = thigh force = [ 1 2 3 ] duration = 0.5 }"
    text = start(0.9, f"{blocks} {push}")
    again = read_text(dumps(loads(text).actor.model)[0], Findings())
    wanted = read_text(text, Findings())
    assert again.perturbations == wanted.perturbations
    assert [format_group(Group([e])) for e in again.blocks] == [
        format_group(Group([e])) for e in wanted.blocks
    ]


def test_writers_themselves_report_points_that_move(tmp_path):
    model = loads(
        LEG.replace("pos_in_child = [ 0 0.2 0 ]", "pos_in_child = [ 0 0.2 0 ] limits { z = -90..0 }")
    ).actor.model
    shift = PointShift((1.0, 0.0, 0.0), "knee", terms=((1.0, 0.01),))
    muscle = model.muscles[0]
    points = (muscle.path[0], replace(muscle.path[1], shifts=(shift,)))
    model.muscles = [replace(muscle, path=points)]
    for findings in (dumps(model)[1], write_mjcf(model, tmp_path / "leg.xml")):
        assert any("that move with a joint stay there" in finding.message for finding in findings)


def test_muscles_on_the_ground_are_written_there():
    text = LEG.replace("{ body = thigh pos = [ 0.03 0 0 ] }", "{ body = ground pos = [ 0.3 1.5 0.1 ] }")
    text = text.replace("name = ground mass = 0", "name = ground pos = [ 0.1 0 0 ] ori = [ 0 90 0 ] mass = 0")
    again = read_text(dumps(loads(text).actor.model)[0], Findings())
    point = again.muscles[0].path[0]
    assert point.body == "ground"
    np.testing.assert_allclose(point.pos, (0.3, 1.5, 0.1), atol=1e-12)
    assert [body.name for body in again.bodies] == ["ground", "thigh", "shank"]
