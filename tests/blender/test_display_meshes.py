"""Display meshes: loaded from OBJ, STL and PLY, riding on bones, kept where their files are absent."""

import dataclasses
import math

import numpy as np
import pytest
from authoring import full_model, random_rotation, typed

from mannequin.engine import spec

CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
TURNED = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def write_obj(path):
    """Two named objects in one file, as exporters write them."""
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS]
    lines += ["o first", *("f " + " ".join(str(i + 1) for i in face) for face in FACES[:2])]
    lines += ["o second", *("f " + " ".join(str(i + 1) for i in face) for face in FACES[2:])]
    path.write_text("\n".join(lines) + "\n")


def write_stl(path):
    lines = ["solid x"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {' '.join(map(str, CORNERS[i]))}" for i in face]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid x", ""]))


def write_ply(path):
    head = ["ply", "format ascii 1.0", f"element vertex {len(CORNERS)}"]
    head += [f"property float {axis}" for axis in "xyz"]
    head += [f"element face {len(FACES)}", "property list uchar int vertex_indices", "end_header"]
    body = [" ".join(map(str, corner)) for corner in CORNERS]
    body += [f"3 {' '.join(map(str, face))}" for face in FACES]
    path.write_text("\n".join([*head, *body, ""]))


WRITERS = {"part.obj": write_obj, "part.stl": write_stl, "part.ply": write_ply}


def write_model_file(folder, model):
    from mannequin.io_json.model_json import write_model

    path = folder / "thing.json"
    write_model(model, path)
    return path


def read_file(path):
    from mannequin.io_json.model_json import read_model

    return read_model(path)


def with_meshes(*meshes):
    model = full_model()
    for body in model.bodies:
        body.meshes = []
    next(body for body in model.bodies if body.name == "thigh").meshes = list(meshes)
    return model


def meshes_of(blender):
    return [obj for obj in blender.data.objects if obj.mannequin.kind == "MESH"]


def world_points(obj):
    return np.array(sorted(tuple(obj.matrix_world @ vertex.co) for vertex in obj.data.vertices))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_loaded_where_the_model_says(blender, tmp_path, name, scale):
    """Corners of the file, times the scale, turned and moved into the body, against the layout of the bodies."""
    from mannequin.models.editing.rest_layout import lay_out
    from mannequin.scene.model.read import read_model

    blender.context.scene.unit_settings.scale_length = scale
    (tmp_path / "meshes").mkdir()
    WRITERS[name](tmp_path / "meshes" / name)
    mesh = spec.Mesh(f"meshes/{name}", (0.1, 0.2, -0.3), TURNED, 0.25)
    model = with_meshes(mesh)
    path = write_model_file(tmp_path, model)
    blender.ops.mannequin.import_model(filepath=str(path))
    actor = blender.context.object
    assert actor.mannequin.kind == "ACTOR" and list(blender.context.selected_objects) == [actor]
    (part,) = meshes_of(blender)
    assert part.parent == actor and part.parent_bone == "thigh"
    assert part.users_collection[0].name.endswith("Meshes")
    blender.context.view_layer.update()
    frame = lay_out(model)["thigh"].frame
    local = 0.25 * np.array(CORNERS) @ np.array(TURNED).T + mesh.position
    expected = np.array(sorted(map(tuple, (local @ frame[:3, :3].T + frame[:3, 3]) / scale)))
    assert world_points(part) == pytest.approx(expected, abs=2e-6 / scale)
    assert typed(read_model(actor)) == typed(read_file(path))
    out = tmp_path / "out.json"
    blender.ops.mannequin.export_model(filepath=str(out))
    assert out.read_bytes() == path.read_bytes()


def test_rides_on_its_bone_and_is_edited_by_moving_it(blender, tmp_path):
    from mannequin.scene.model.read import read_model

    write_obj(tmp_path / "part.obj")
    path = write_model_file(tmp_path, with_meshes(spec.Mesh("part.obj")))
    blender.ops.mannequin.import_model(filepath=str(path))
    actor = blender.context.object
    (part,) = meshes_of(blender)
    (ellipsoid,) = [o for o in actor.children if o.name == "thigh_part_0"]
    blender.context.view_layer.update()
    between = ellipsoid.matrix_world.inverted() @ part.matrix_world
    actor.pose.bones["thigh"].rotation_quaternion = (0.8, 0.6, 0, 0)
    blender.context.view_layer.update()
    after = ellipsoid.matrix_world.inverted() @ part.matrix_world
    assert np.array(after) == pytest.approx(np.array(between), abs=1e-4)
    part.scale = (2, 2, 2)
    found = next(b for b in read_model(actor).bodies if b.name == "thigh").meshes[0]
    assert found.scale == 2 and found.position == (0, 0, 0) and found.orientation == spec.IDENTITY3
    part.scale.x = 3
    from mannequin.scene.base.errors import SceneError

    with pytest.raises(SceneError, match="scaled unevenly"):
        read_model(actor)


def test_absent_file_is_reported_kept_and_found_later(blender, tmp_path, capfd):
    from mannequin.scene.model.read import read_model

    model = with_meshes(spec.Mesh("part.obj"), spec.Mesh("gone.stl"))
    path = write_model_file(tmp_path, model)
    model = read_file(path)
    blender.ops.mannequin.import_model(filepath=str(path))
    actor = blender.context.object
    reported = capfd.readouterr()
    assert (
        "'part.obj' is not there" in reported.out + reported.err
        and "body 'thigh'" in reported.out + reported.err
    )
    assert typed(read_model(actor)) == typed(model)
    blender.ops.mannequin.validate()
    found = [i for i in blender.context.scene.mannequin.issues if "display mesh" in i.message]
    assert len(found) == 2 and found[0].bone == "thigh" and found[0].severity == "warning"
    (tmp_path / "elsewhere").mkdir()
    write_obj(tmp_path / "elsewhere" / "part.obj")
    write_stl(tmp_path / "elsewhere" / "gone.stl")
    blender.ops.mannequin.load_meshes(directory=str(tmp_path / "elsewhere"))
    assert [len(part.data.vertices) for part in meshes_of(blender)] == [4, 4]
    assert typed(read_model(actor)) == typed(model)
    blender.ops.mannequin.validate()
    assert not any("display mesh" in i.message for i in blender.context.scene.mannequin.issues)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("part.vtp", "<VTKFile/>", "Save it as .obj, .stl or .ply"),
        ("part.stl", "solid x\n", "Blender cannot import it"),
        ("part.obj", "# nothing\n", "holds no mesh"),
        ("../part.obj", "v 0 0 0\n", "leads out of the folder"),
    ],
)
def test_files_that_cannot_be_shown(blender, tmp_path, name, content, message):
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.model.display_meshes import load_display_meshes
    from mannequin.scene.model.read import read_model

    folder = tmp_path / "model"
    folder.mkdir()
    (folder / name).write_text(content)
    model = with_meshes(spec.Mesh(name))
    actor = build_actor(model, blender.context.scene)
    objects = set(blender.data.objects)
    (reported,) = load_display_meshes(actor, folder)
    assert message in reported and "thigh" in reported
    assert typed(read_model(actor)) == typed(model)
    assert set(blender.data.objects) == objects


def test_duplicated_deleted_and_scaled_with_the_actor(blender, tmp_path):
    from mannequin.scene.model.read import read_model

    write_obj(tmp_path / "part.obj")
    path = write_model_file(tmp_path, with_meshes(spec.Mesh("part.obj", (0.1, 0, 0))))
    blender.ops.mannequin.import_model(filepath=str(path))
    actor = blender.context.object
    blender.ops.mannequin.duplicate_actor()
    copy = blender.context.object
    assert typed(read_model(copy)) == typed(read_model(actor))
    assert len(meshes_of(blender)) == 2
    copy.data.mannequin.height = 1.2
    blender.ops.mannequin.scale_actor(height=2.4, mass=30)
    scaled = next(b for b in read_model(copy).bodies if b.name == "thigh").meshes[0]
    assert scaled.scale == pytest.approx(2) and scaled.position == pytest.approx((0.2, 0, 0), abs=1e-6)
    blender.ops.mannequin.delete_actor()
    assert len(meshes_of(blender)) == 1
    blender.context.view_layer.objects.active = actor
    actor.data.bones.active = actor.data.bones["thigh"]
    blender.ops.mannequin.duplicate_body()
    shown = [o for o in meshes_of(blender) if o.parent_bone == "thigh.001"]
    assert len(shown) == 1 and len(shown[0].data.vertices) == 4
    blender.ops.mannequin.delete_actor()
    assert not meshes_of(blender) and not blender.data.armatures
    assert all(mesh.name.startswith("Mannequin Unit") for mesh in blender.data.meshes)


def test_mesh_of_an_older_file_is_kept(blender):
    """Layouts before display meshes were objects kept them in the text of the body."""
    from mannequin.io_json import exact_copy
    from mannequin.scene.model.build import build_actor, update_actor
    from mannequin.scene.model.read import read_model

    model = with_meshes(spec.Mesh("part.obj", (0.1, 0, 0), TURNED, 0.5))
    actor = build_actor(model, blender.context.scene)
    blender.data.objects.remove(meshes_of(blender)[0])
    group = actor.data.bones["thigh"].mannequin
    body = next(b for b in model.bodies if b.name == "thigh")
    group.original = exact_copy.dump(
        dataclasses.replace(body, ellipsoids=[]), leave_out=("name", "ellipsoids")
    )
    assert typed(read_model(actor)) == typed(model)
    update_actor(actor, read_model(actor), blender.context.scene)
    assert len(meshes_of(blender)) == 1
    assert typed(read_model(actor)) == typed(model)


def test_scenario_looks_beside_the_model_it_names(blender, tmp_path):
    from mannequin.io_json.scenario_json import write_scenario

    folder = tmp_path / "people"
    folder.mkdir()
    write_obj(folder / "part.obj")
    model = with_meshes(spec.Mesh("part.obj"))
    write_model_file(folder, model)
    actor = spec.Actor("man", model, "people/thing.json")
    scenario = spec.Scenario("s", [actor], [])
    write_scenario(scenario, tmp_path / "s.json")
    assert "people/thing.json" in (tmp_path / "s.json").read_text()
    blender.ops.mannequin.import_scenario(filepath=str(tmp_path / "s.json"))
    assert [len(part.data.vertices) for part in meshes_of(blender)] == [4]


def test_random_orientations_come_back(blender):
    import random

    from mannequin.scene.model.build import build_actor
    from mannequin.scene.model.read import read_model

    rng = random.Random(3)
    meshes = [
        spec.Mesh(
            "part.obj",
            tuple(rng.uniform(-1, 1) for _ in range(3)),
            tuple(tuple(float(x) for x in row) for row in random_rotation(rng)),
            math.exp(rng.uniform(-6, 3)),
        )
        for _ in range(5)
    ]
    model = with_meshes(*meshes)
    assert typed(read_model(build_actor(model, blender.context.scene))) == typed(model)
