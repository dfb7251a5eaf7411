"""Changes of bodies, ellipsoids and joints of an actor, as the operators ask for them."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...engine.spec import JOINT_TYPES, Ellipsoid, Model
from ...models.editing import edit as edit_model
from ...models.editing import mass_properties
from ...models.editing.names import unique_name
from ...models.parts.materials import body_materials
from ..base.errors import SceneError
from ..base.labels import label_of, set_label
from ..base.units import units_of
from ..rig.objects import evaluated_geometry, unit_sphere
from ..store.actors import actor_of, body_bones, bone_axes, joint_kind, parts_of, rest_frame
from ..store.fields import shortest, write_collection
from .edit_actor import edit_model_of

JOINT_ITEMS = [kind.item for kind in JOINT_TYPES.values()]
LIMB_ITEMS = [kind.item for kind in JOINT_TYPES.values() if not kind.is_free]
"""Menu entries: every joint type, and those that join a body to another."""


def cursor_in_actor(actor: bpy.types.Object, scene: bpy.types.Scene) -> tuple[float, ...]:
    """3D cursor in the frame of the armature, metres."""
    units = units_of(scene)
    local = actor.matrix_world.inverted() @ scene.cursor.location
    return tuple(round(float(x), 7) + 0.0 for x in units.point_to_si(local))


def add_body(
    actor: bpy.types.Object,
    scene: bpy.types.Scene,
    name: str,
    parent: str | None,
    joint_type: str,
    point: Sequence[float],
) -> str:
    """New body joined to a parent at a point of the actor at rest (metres); returns its name."""
    position = tuple(shortest(x) for x in point)
    return edit_model_of(
        actor, scene, lambda model: edit_model.add_body(model, name, parent, position, joint_type).name
    )


def usable_density(density: float) -> float:
    """A density (kg/m³) in its shortest decimal form; one that gives no mass is refused."""
    if not 0.0 < density < float("inf"):
        raise SceneError(f"a density of {density:g} kg/m³ gives no mass: flesh and water have about 1000")
    return shortest(density)


def compute_from_ellipsoids(
    actor: bpy.types.Object, scene: bpy.types.Scene, name: str, density: float
) -> float:
    """Mass properties of a body from its ellipsoids; returns the mass."""
    density = usable_density(density)

    def change(model: Model) -> float:
        body = edit_model.find_body(model, name)
        mass_properties.set_mass_properties(body, mass_properties.ellipsoids_piece(body, density))
        return body.mass

    return edit_model_of(actor, scene, change)


def compute_from_mesh(
    actor: bpy.types.Object, scene: bpy.types.Scene, name: str, density: float, obj: bpy.types.Object
) -> float:
    """Mass properties of a body from a closed mesh where it is seen; returns the mass."""
    units, density = units_of(scene), usable_density(density)
    vertices, triangles, frame = evaluated_geometry(obj, units)
    world = vertices @ frame[:3, :3].T + frame[:3, 3]
    body_world = body_frame_in_world(actor, scene, name)
    local = (world - body_world[:3, 3]) @ body_world[:3, :3]
    piece = mass_properties.mesh_piece(local, triangles, density, obj.name)

    def change(model: Model) -> float:
        body = edit_model.find_body(model, name)
        mass_properties.set_mass_properties(body, piece)
        return body.mass

    return edit_model_of(actor, scene, change)


def body_frame_in_world(actor: bpy.types.Object, scene: bpy.types.Scene, name: str) -> np.ndarray:
    """(4, 4) body frame in the world as posed, metres."""
    units = units_of(scene)
    bpy.context.view_layer.update()
    moved = (
        actor.matrix_world @ actor.pose.bones[name].matrix @ actor.data.bones[name].matrix_local.inverted()
    )
    return units.frame_to_si(moved) @ rest_frame(actor.data.bones[name])


def duplicate_ellipsoid(obj: bpy.types.Object) -> bpy.types.Object:
    """Copy of an ellipsoid on the same body."""
    actor = actor_of(obj)
    siblings = parts_of(actor, "ELLIPSOID")[obj.parent_bone]
    copy = obj.copy()
    for collection in obj.users_collection:
        collection.objects.link(copy)
    group = copy.mannequin.ellipsoid
    taken = {label_of(other, other.mannequin.ellipsoid) for other in siblings}
    set_label(copy, group, unique_name(label_of(obj, obj.mannequin.ellipsoid), taken))
    group.order = max(other.mannequin.ellipsoid.order for other in siblings) + 1
    return copy


def rename_part(obj: bpy.types.Object, name: str) -> None:
    """Rename an ellipsoid or a joint by its object."""
    if obj.mannequin.kind == "JOINT":
        rename_joint(actor_of(obj), obj.parent_bone, name)
        return
    if not name.strip():
        raise SceneError(f"ellipsoid '{obj.name}' needs a name")
    for other in parts_of(actor_of(obj), "ELLIPSOID")[obj.parent_bone]:
        if other != obj and label_of(other, other.mannequin.ellipsoid) == name:
            raise SceneError(
                f"body '{obj.parent_bone}' has an ellipsoid '{name}' already: choose another name"
            )
    set_label(obj, obj.mannequin.ellipsoid, name)


def rename_joint(actor: bpy.types.Object, body: str, name: str) -> None:
    """Rename the joint of a body."""
    group = actor.data.bones[body].mannequin.joint
    if not name.strip():
        raise SceneError(f"joint '{group.name}' needs a name")
    for bone in body_bones(actor.data):
        if bone.name != body and bone.mannequin.joint.name == name:
            raise SceneError(f"'{actor.name}' has a joint '{name}' already: choose another name")
    handles = parts_of(actor, "JOINT").get(body)
    if handles:
        set_label(handles[0], group, name)
    else:
        group.name = name


def reset_ellipsoid_mesh(obj: bpy.types.Object) -> None:
    """Give an ellipsoid the shared unit sphere again, keeping the size of its bounds."""
    size = [float(d) / 2.0 for d in obj.dimensions]
    if min(size) <= 0.0:
        size = [1.0, 1.0, 1.0]
    obj.data = unit_sphere()
    obj.scale = size


def curve_presets() -> list[str]:
    """Names of the force curves by body region."""
    return [material.name for material in body_materials()]


def apply_curve_preset(obj: bpy.types.Object, name: str) -> None:
    """Give an ellipsoid the force curve of a body region, with its source."""
    material = next((m for m in body_materials() if m.name == name), None)
    if material is None:
        raise SceneError(f"there is no curve preset '{name}': choose one of {', '.join(curve_presets())}")
    group = obj.mannequin.ellipsoid
    write_collection(group.force_curve, material.loading)
    retained = tuple((x, y * material.energy_retention) for x, y in material.loading)
    write_collection(group.unload_curve, material.unloading or retained)
    group.use_unload_curve = True
    group.source = material.source
    group.material = ""


def toggle_limit_constraints(actor: bpy.types.Object) -> int:
    """Add LIMIT_ROTATION constraints for the joints' axis limits, or take them away; returns how many there are now."""
    name = "Mannequin Limits"
    found = [(b, c) for b in actor.pose.bones for c in b.constraints if c.name.startswith(name)]
    if found:
        for bone, constraint in found:
            bone.constraints.remove(constraint)
        return 0
    count = 0
    for bone in body_bones(actor.data):
        joint = bone.mannequin.joint
        if not joint.exists or not joint.use_limits or not joint_kind(bone).turns:
            continue
        constraint = actor.pose.bones[bone.name].constraints.new("LIMIT_ROTATION")
        constraint.name, constraint.owner_space = name, "LOCAL"
        constraint.use_transform_limit = True
        set_limits(constraint, limits_in_bone_axes(bone))
        count += 1
    return count


def count_cones(actor: bpy.types.Object) -> int:
    """Joints limited by a cone, which no constraint of Blender is."""
    bones = [bone for bone in body_bones(actor.data) if bone.mannequin.joint.exists]
    return sum(bone.mannequin.joint.use_cone and joint_kind(bone).is_ball for bone in bones)


def limits_in_bone_axes(bone: bpy.types.Bone) -> list[tuple[float, float]]:
    """Lowest and highest angle (rad) about bone x, y, z. Bone axes are joint axes relabelled; a flipped one exchanges
    the ends. A joint with an axis turns about bone x alone."""
    limits = bone.mannequin.joint.limits
    if joint_kind(bone).has_axis:
        return [(limits.lower[0], limits.upper[0]), (0.0, 0.0), (0.0, 0.0)]
    joint_axes = [(limits.lower[2 - k], limits.upper[2 - k]) for k in range(3)]  # stored Z, Y, X
    axes = bone_axes(bone)
    ranges = []
    for column in range(3):
        row = int(np.argmax(np.abs(axes[:, column])))
        low, high = joint_axes[row]
        ranges.append((low, high) if axes[row, column] > 0.0 else (-high, -low))
    return ranges


def set_limits(constraint: bpy.types.LimitRotationConstraint, ranges: list[tuple[float, float]]) -> None:
    """Fill a Limit Rotation constraint."""
    for axis, (low, high) in zip("xyz", ranges, strict=True):
        setattr(constraint, f"use_limit_{axis}", True)
        setattr(constraint, f"min_{axis}", low)
        setattr(constraint, f"max_{axis}", high)


def add_ellipsoid(
    actor: bpy.types.Object, scene: bpy.types.Scene, body: str, name: str, at_cursor: bool
) -> str:
    """New ellipsoid on a body, at its centre of mass or at the 3D cursor; returns the object's name."""
    position = None
    if at_cursor:
        frame = body_frame_in_world(actor, scene, body)
        world = units_of(scene).point_to_si(scene.cursor.location)
        position = np.round((world - frame[:3, 3]) @ frame[:3, :3], 7)

    def change(model: Model) -> Ellipsoid:
        return edit_model.add_ellipsoid(model, body, name, position)

    made = edit_model_of(actor, scene, change)
    parts = parts_of(actor, "ELLIPSOID")[body]
    return next(obj.name for obj in parts if obj.mannequin.ellipsoid.name == made.name)
