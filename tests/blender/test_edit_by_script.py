"""For each shipped model and OpenMBD's: import, edit what a user would edit, export, import again, compare.

Every edit is made twice: in Blender, on objects, bones and properties as a user does, and by hand on the spec that was
read from the file. What is exported must be the second, everything not edited with all its digits.
"""

import dataclasses
import math
from pathlib import Path

import numpy as np
import openmbd_files
import pytest
from authoring import typed

SHIPPED = sorted((Path(__file__).resolve().parents[2] / "models").glob("*.json"))
FILES = [*SHIPPED, *openmbd_files.FILES]
SHIFT = np.array([0.03, -0.02, 0.05])
NEAR = 3e-6
"""Metres (and matrix elements): what 32-bit places are good for."""


def read_file(path):
    from mannequin.io_json.model_json import read_model

    return read_model(path)


def written(model):
    """A model as a file holds it."""
    from mannequin.io_json.model_json import dumps, loads

    return loads(dumps(model))


class Edit:
    """An actor of a file, the spec it should become, and the places of its bodies at rest."""

    def __init__(self, blender, path):
        from mannequin.models.editing.rest_layout import lay_out

        self.blender, self.ops = blender, blender.ops.mannequin
        self.ops.import_model(filepath=str(path))
        self.actor = blender.context.object
        self.model = read_file(path)
        self.places = lay_out(self.model)
        self.body = next(b for b in reversed(self.model.bodies) if b.ellipsoids)
        self.joint = next(j for j in reversed(self.model.joints) if j.parent is not None)

    def activate(self, body):
        self.blender.context.view_layer.objects.active = self.actor
        self.actor.data.bones.active = self.actor.data.bones[body]

    def ellipsoid(self, body, index):
        parts = [c for c in self.actor.children if c.parent_bone == body.name]
        parts = [c for c in parts if c.mannequin.kind == "ELLIPSOID"]
        return next(c for c in parts if c.mannequin.ellipsoid.order == index)

    def joint_of_child(self, name):
        parts = [c for c in self.actor.children if c.parent_bone == name]
        return next(c for c in parts if c.mannequin.kind == "JOINT")

    def in_body(self, body, vector):
        """A direction of the actor frame in a body's axes."""
        return self.places[body.name].frame[:3, :3].T @ vector


def masses(edit):
    group = edit.actor.data.bones[edit.body.name].mannequin
    group.mass, group.center_of_mass = 3.25, (0.01, -0.02, 0.03)
    group.inertia[3] = 0.00125
    edit.body.mass, edit.body.center_of_mass = 3.25, (0.01, -0.02, 0.03)
    edit.body.inertia = (*edit.body.inertia[:3], 0.00125, *edit.body.inertia[4:])


def size_of_an_ellipsoid(edit):
    edit.ellipsoid(edit.body, 0).scale.z = 0.375
    first = edit.body.ellipsoids[0]
    first.semi_axes = (*first.semi_axes[:2], 0.375)


def place_of_an_ellipsoid(edit):
    edit.ellipsoid(edit.body, 0).location += edit.blender.context.object.location.__class__(SHIFT)
    first = edit.body.ellipsoids[0]
    first.position = tuple(np.array(first.position, dtype=float) + edit.in_body(edit.body, SHIFT))


def turn_of_an_ellipsoid(edit):
    """A quarter turn about the actor's z, given in the ellipsoid's own channels."""
    from mathutils import Quaternion

    obj, first = edit.ellipsoid(edit.body, 0), edit.body.ellipsoids[0]
    obj.rotation_quaternion = Quaternion((0, 0, 1), math.pi / 2) @ obj.rotation_quaternion
    frame = edit.places[edit.body.name].frame[:3, :3]
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    first.orientation = frame.T @ quarter @ frame @ np.array(first.orientation, dtype=float)


def force_curve(edit):
    group = edit.ellipsoid(edit.body, 0).mannequin.ellipsoid
    edit.blender.context.view_layer.objects.active = edit.ellipsoid(edit.body, 0)
    edit.ops.apply_curve_preset(preset="head")
    group.force_curve[1].y = 1234.5
    from mannequin.models.parts.materials import body_materials

    head = next(m for m in body_materials() if m.name == "head")
    first = edit.body.ellipsoids[0]
    curve = [tuple(point) for point in head.loading]
    curve[1] = (curve[1][0], 1234.5)
    retained = tuple((x, y * head.energy_retention) for x, y in head.loading)
    first.force_curve, first.unload_curve = tuple(curve), head.unloading or retained
    first.source, first.material = head.source, ""


def limits_and_damping(edit):
    from mannequin.engine.spec import AxisLimits

    joint = edit.actor.data.bones[edit.joint.child].mannequin.joint
    joint.use_limits, joint.use_damping, joint.damping = True, True, 0.75
    joint.limits.lower = [math.radians(a) for a in (-10, -20, -30)]
    joint.limits.upper = [math.radians(a) for a in (15, 25, 35)]
    joint.limits.stiffness = 432.5
    was = edit.joint.limits or AxisLimits((0, 0, 0), (0, 0, 0))
    edit.joint.limits = dataclasses.replace(
        was, lower=(-10.0, -20.0, -30.0), upper=(15.0, 25.0, 35.0), stiffness=432.5
    )
    edit.joint.damping = 0.75


def dragged_joint(edit):
    """T1 and T2 move by the shift, in their own bodies' axes; bodies stay."""
    obj = edit.joint_of_child(edit.joint.child)
    obj.location += obj.location.__class__(SHIFT)
    for name, body in (("T1", edit.joint.parent), ("T2", edit.joint.child)):
        matrix = np.array(getattr(edit.joint, name), dtype=float)
        matrix[:3, 3] += edit.places[body].frame[:3, :3].T @ SHIFT
        setattr(edit.joint, name, matrix)


def names(edit):
    old = edit.body.name
    edit.activate(old)
    edit.ops.rename_body(name="renamed body")
    edit.joint_of_child("renamed body").name = "renamed joint"
    edit.ellipsoid(dataclasses.replace(edit.body, name="renamed body"), 0).name = "renamed part"
    edit.body.name, edit.body.ellipsoids[0].name = "renamed body", "renamed part"
    for joint in edit.model.joints:
        if joint.child == old:
            joint.child, joint.name = "renamed body", "renamed joint"
        joint.parent = "renamed body" if joint.parent == old else joint.parent
    for pairs in (edit.model.contact_exclude, edit.model.contact_include):
        pairs[:] = [tuple("renamed body" if n == old else n for n in pair) for pair in pairs]
    edit.model.muscles = [
        dataclasses.replace(muscle, path=tuple(on_renamed_body(point, old) for point in muscle.path))
        for muscle in edit.model.muscles
    ]
    edit.model.wrap_surfaces = [on_renamed_body(surface, old) for surface in edit.model.wrap_surfaces]


def on_renamed_body(thing, old):
    """A path point or a wrap surface, on the body's new name."""
    return dataclasses.replace(thing, body="renamed body") if thing.body == old else thing


def new_parent(edit):
    """The body hangs on the root, where it stands."""
    root = next(j.child for j in edit.model.joints if j.parent is None)
    if edit.joint.parent == root:
        pytest.skip("every body hangs on the root")
    edit.activate(edit.joint.child)
    edit.ops.change_parent(parent=root)
    moved = np.linalg.inv(edit.places[root].frame) @ edit.places[edit.joint.child].joint_frame
    edit.joint.parent, edit.joint.T1 = root, moved


def new_ellipsoid(edit):
    from mannequin.engine.spec import Ellipsoid

    edit.activate(edit.body.name)
    edit.ops.add_ellipsoid(name="bump")
    obj = edit.blender.context.object
    obj.scale = (0.05, 0.06, 0.07)
    obj.mannequin.ellipsoid.force_curve.clear()
    for _ in range(2):
        edit.ops.edit_list(list="force_curve", action="ADD")
    obj.mannequin.ellipsoid.force_curve[1].x, obj.mannequin.ellipsoid.force_curve[1].y = 0.02, 5000
    curve = ((0.0, 0.0), (0.02, 5000.0))
    centre = tuple(float(x) for x in edit.body.center_of_mass)
    edit.body.ellipsoids.append(Ellipsoid("bump", (0.05, 0.06, 0.07), centre, force_curve=curve))


def material(edit):
    group = edit.actor.data.mannequin
    if not edit.model.materials:
        return
    group.materials[0].energy_retention, group.materials[0].source = 0.125, "measured"
    edit.model.materials[0] = dataclasses.replace(
        edit.model.materials[0], energy_retention=0.125, source="measured"
    )


EDITS = {
    "numbers": ((masses, size_of_an_ellipsoid, limits_and_damping, material, names), ("path",)),
    "curve": ((force_curve,), ("force_curve", "unload_curve")),
    "ellipsoids": ((place_of_an_ellipsoid, turn_of_an_ellipsoid, new_ellipsoid), ("position", "orientation")),
    "joint": ((dragged_joint,), ("T1", "T2")),
    "parent": ((new_parent,), ("T1",)),
}
"""Edits made one after the other, and the fields that pass through 32 bits by them; all other numbers are exact."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("kind", EDITS)
def test_edited_model_comes_back_as_edited(blender, path, kind, tmp_path):
    from mannequin.scene.model.read import read_model

    edit = Edit(blender, path)
    changes, moved = EDITS[kind]
    for change in changes:
        change(edit)
    out = tmp_path / "out.json"
    blender.context.view_layer.objects.active = edit.actor
    edit.ops.export_model(filepath=str(out))
    expected, found = plain_matrices(edit.model), read_file(out)
    differences = list(compare(typed(expected), typed(found), moved))
    assert not differences, differences[:5]
    edit.ops.import_model(filepath=str(out))
    assert typed(read_model(blender.context.object)) == typed(found)


def plain_matrices(model):
    """The model with arrays as nested tuples, as a file would give it back."""
    for body in model.bodies:
        for part in body.ellipsoids:
            part.position = (
                tuple(float(x) for x in part.position) if any_array(part.position) else part.position
            )
            part.orientation = as_rows(part.orientation)
    for joint in model.joints:
        joint.T1, joint.T2 = as_rows(joint.T1), as_rows(joint.T2)
    return written(model)


def any_array(values):
    return any(isinstance(x, np.floating) for x in values)


def as_rows(matrix):
    return tuple(tuple(float(x) for x in row) for row in matrix) if isinstance(matrix, np.ndarray) else matrix


def compare(first, second, moved, place="", is_near=False):
    """Places at which two typed structures differ: numbers under a `moved` field by more than 32 bits hold, all else at
    all."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in first.keys() | second.keys():
            near = is_near or key in moved
            yield from compare(first.get(key), second.get(key), moved, f"{place}/{key}", near)
    elif is_sequence(first) and is_sequence(second) and len(first[1]) == len(second[1]):
        for k, pair in enumerate(zip(first[1], second[1], strict=True)):
            yield from compare(*pair, moved, f"{place}/{k}", is_near)
    elif first != second:
        if not (is_near and is_number(first) and is_number(second) and abs(first[1] - second[1]) <= NEAR):
            yield place, first, second


def is_sequence(value):
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list)


def is_number(value):
    return isinstance(value, tuple) and len(value) == 2 and type(value[1]) in (int, float)


@pytest.mark.long
def test_untouched_models_write_the_same_bytes(blender, tmp_path):
    """Import, export: exactly the file, or for files of others exactly what the reader would write."""
    from mannequin.io_json.model_json import dumps

    for path in FILES:
        out = tmp_path / "out.json"
        blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        blender.ops.mannequin.import_model(filepath=str(path))
        blender.ops.mannequin.export_model(filepath=str(out))
        assert out.read_text() == dumps(read_file(path)), path.name
        if path in SHIPPED:
            assert out.read_bytes() == path.read_bytes(), path.name
