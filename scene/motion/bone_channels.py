"""Motion of bodies as keyframed properties of bones.

Turning bone b from rest by q_b, with D_b the turn of body b from its place at rest and B_b the bone's axes at rest (all
in the actor frame), is q_b = B_b* D_parent* D_b B_b; a free root moves by B_b' (p_b - p_rest), and a bone whose joint
slides by that slide. All of it is computed in
double precision from the recording and rounded once, to the 32 bits of a keyframe.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np

from ...analysis.resample import Motion, conjugate, continuous, quaternion_product
from ...engine.maths.rotations import matrix_from_quaternion, quaternion_from_matrix
from ..base.units import Units
from ..rig import pose
from ..store.actors import body_bones, bone_axes, joint_kind, parent_body, rest_frame


@dataclass(frozen=True)
class Channel:
    """One keyframed property of a bone, or of an object where there is no bone."""

    bone: str
    path: str
    index: int
    values: np.ndarray
    """(K,)"""

    @property
    def data_path(self) -> str:
        """Where Blender finds the property from the object on."""
        if not self.bone:
            return self.path
        return f'pose.bones["{bpy.utils.escape_identifier(self.bone)}"].{self.path}'


def actor_channels(
    actor: bpy.types.Object, motion: Motion, bodies: dict[str, int], units: Units
) -> Iterator[Channel]:
    """Keyframed properties of an actor's bones; a bone that only moves with its parent has none."""
    world = units.frame_to_si(actor.matrix_world)
    bones = [bone for bone in body_bones(actor.data) if bone.name in bodies]
    turns = bone_turns(bones, motion, bodies, world)
    for number, bone in enumerate(bones):
        if pose.is_placed_by_root(bone):
            values = root_shift(bone, motion, bodies[bone.name], world) / units.metres
            yield from (Channel(bone.name, "location", k, values[:, k]) for k in range(3))
        elif not joint_kind(bone).moves:
            continue
        elif joint_kind(bone).slides or joint_kind(bone).by_functions:
            values = joint_shift(bone, motion, bodies, world) / units.metres
            yield from (Channel(bone.name, "location", k, values[:, k]) for k in range(3))
        yield from rotation_channels(actor.pose.bones[bone.name], turns[:, number])


def bone_turns(
    bones: list[bpy.types.Bone], motion: Motion, bodies: dict[str, int], world: np.ndarray
) -> np.ndarray:
    """(K, bones, 4) turn of each bone from rest in its own axes, without sign flips.

    With q a body, r its rest, B the bone's axes at rest and p the parent, q_b = B* D_p* D B and D = W* q r*, so that
    q_b = (B* r_p) (q_p* q) (r* B). What carries a root is the actor's frame W itself.
    """
    q = np.ascontiguousarray(motion.quaternion.transpose(2, 1, 0))
    own = q[:, [bodies[bone.name] for bone in bones]]
    carrier = np.empty_like(own)
    left, right = np.empty((4, len(bones), 1)), np.empty((4, len(bones), 1))
    for number, bone in enumerate(bones):
        parent, axes = parent_body(bone), axes_at_rest(bone)
        if parent is None:
            carrier[:, number] = quaternion_from_matrix(world[:3, :3])[:, None]
            left[:, number, 0] = conjugate(axes)
        else:
            carrier[:, number] = q[:, bodies[parent.name]]
            left[:, number, 0] = quaternion_product(conjugate(axes), turn_at_rest(parent))
        right[:, number, 0] = quaternion_product(conjugate(turn_at_rest(bone)), axes)
    carrier[1:] *= -1.0
    relative = quaternion_product(carrier, own, axis=0)
    turns = quaternion_product(quaternion_product(left, relative, axis=0), right, axis=0)
    return continuous(turns.transpose(2, 1, 0))


def turn_at_rest(bone: bpy.types.Bone) -> np.ndarray:
    """(4,) orientation of a body in the actor frame at rest."""
    return quaternion_from_matrix(rest_frame(bone)[:3, :3])


def axes_at_rest(bone: bpy.types.Bone) -> np.ndarray:
    """(4,) orientation of a bone in the actor frame at rest."""
    return quaternion_from_matrix(pose.joint_frame_at_rest(bone)[:3, :3] @ bone_axes(bone))


def root_shift(bone: bpy.types.Bone, motion: Motion, body: int, world: np.ndarray) -> np.ndarray:
    """(K, 3) displacement of a root's joint centre from rest, m, in the bone's axes at rest."""
    in_actor = (motion.origin[:, body] - world[:3, 3]) @ world[:3, :3]
    rest, centre = rest_frame(bone), pose.joint_frame_at_rest(bone)[:3, 3]
    turn = world[:3, :3].T @ matrix_from_quaternion(motion.quaternion[:, body]) @ rest[:3, :3].T
    shift = in_actor + turn @ (centre - rest[:3, 3]) - centre
    return shift @ matrix_from_quaternion(axes_at_rest(bone))


def joint_shift(
    bone: bpy.types.Bone, motion: Motion, bodies: dict[str, int], world: np.ndarray
) -> np.ndarray:
    """(K, 3) how far a joint has slid, m, in the bone's axes: B' R_p' (centre on the child - centre on the parent)."""
    parent, body = parent_body(bone), bodies[bone.name]
    frame = pose.joint_frame_at_rest(bone)
    on_child = np.linalg.inv(rest_frame(bone)) @ frame
    centre = motion.origin[:, body] + matrix_from_quaternion(motion.quaternion[:, body]) @ on_child[:3, 3]
    if parent is None:
        frame = world @ frame
        return (centre - frame[:3, 3]) @ frame[:3, :3] @ bone_axes(bone)
    carrier = bodies[parent.name]
    on_parent = np.linalg.inv(rest_frame(parent)) @ frame
    turn = matrix_from_quaternion(motion.quaternion[:, carrier])
    start = motion.origin[:, carrier] + turn @ on_parent[:3, 3]
    return np.einsum("kji,kj->ki", turn @ on_parent[:3, :3], centre - start) @ bone_axes(bone)


def rotation_channels(bone: bpy.types.PoseBone, local: np.ndarray) -> Iterator[Channel]:
    """Rotation of a bone as keyframed: the angle about x of a joint with an axis, else a quaternion."""
    if bone.rotation_mode == "XYZ":
        angle = np.unwrap(2.0 * np.arctan2(local[:, 1], local[:, 0]))
        start = bone.rotation_euler.x
        yield Channel(
            bone.name, "rotation_euler", 0, angle + 2.0 * np.pi * np.round((start - angle[0]) / (2.0 * np.pi))
        )
        return
    yield from (Channel(bone.name, "rotation_quaternion", k, local[:, k]) for k in range(4))
