"""Joint angles in anatomical terms: flexion, abduction, rotation, by side.

The anatomical axes are those of a person standing at rest in the actor frame: x to the front, y to the left, z up. The
joint frames of a model decide which joint angle turns about which of them, and with which sign; names only show which
joint it is. Where the name does not show it or the joint's axes are oblique, there are no terms and the bare angles
remain.
"""

import re

import bpy
import numpy as np

from ...models.editing.mirror import is_on_side
from ..rig.pose import joint_frame_at_rest, shown_angles
from ..store.actors import joint_kind

Words = tuple[str, str]
"""Movement by a positive turn, and by a negative one."""

LIMB = (("Abduction", "Adduction"), ("Extension", "Flexion"), ("External Rotation", "Internal Rotation"))
MOVEMENTS: dict[str, tuple[Words, Words, Words]] = {
    "hip": LIMB,
    "shoulder": LIMB,
    "elbow": (("Valgus", "Varus"), ("Extension", "Flexion"), ("Supination", "Pronation")),
    "wrist": (("Extension", "Flexion"), ("Ulnar Deviation", "Radial Deviation"), ("Supination", "Pronation")),
    "knee": (("Valgus", "Varus"), ("Flexion", "Extension"), ("External Rotation", "Internal Rotation")),
    "ankle": (("Eversion", "Inversion"), ("Plantarflexion", "Dorsiflexion"), ("Toes Outward", "Toes Inward")),
    "trunk": (("Lean Right", "Lean Left"), ("Flexion", "Extension"), ("Turn Left", "Turn Right")),
}
"""What turns about front, left and up are on the left side; arms hang with the palms towards the thighs. On the right
side turns about front and up are the opposite ones (their axes are mirrored), those about left the same."""

JOINT_PATTERNS = {
    "hip": "hip", "knee": "knee", "ankle": "ankle", "shoulder": "shoulder", "elbow": "elbow", "wrist": "wrist",
    "back": "trunk", "neck": "trunk", "head": "trunk", "lumbar": "trunk", "spine": "trunk",
}  # fmt: skip
"""Pattern in the name of a joint to the region it shows."""
BODY_PATTERNS = {
    r"thigh|femur|upper_?leg": "hip", r"shank|shin|tibia|lower_?leg": "knee", r"foot|talus": "ankle",
    r"upper_?arm|humerus": "shoulder", r"fore_?arm|ulna": "elbow", r"hand(?!le)": "wrist", r"torso|thorax": "trunk",
}  # fmt: skip
"""Pattern in the name of the body it carries, where its own name shows no region."""
ASKEW = np.cos(np.radians(20.0))
"""An axis further than this from the person's is none of them."""


def region_of(joint: str, body: str) -> str:
    """Which joint of a person a joint is, by its name or that of the body it carries; "" where neither shows it."""
    for words, name in ((JOINT_PATTERNS, joint), (BODY_PATTERNS, body)):
        for word, region in words.items():
            if re.search(word, name, re.IGNORECASE):
                return region
    return ""


def anatomical_angles(actor: bpy.types.Object, body: str) -> list[tuple[str, float]]:
    """Movements of a body's joint in the pose, each with its size in degrees, flexion first; empty where there are no
    words for them."""
    bone = actor.data.bones[body]
    joint = bone.mannequin.joint
    region = region_of(joint.name, body) if joint.exists and joint_kind(bone).turns else ""
    if not region:
        return []
    axes = person_axes(bone)
    if axes is None:
        return []
    angles = shown_angles(actor, body)
    found = []
    for angle, (which, sign) in zip(angles, axes, strict=False):
        turn = sign * angle
        mirrored = which != 1 and region != "trunk" and is_on_side(body, "right")
        positive, negative = MOVEMENTS[region][which]
        found.append((which, positive if (turn >= 0.0) != mirrored else negative, abs(turn)))
    return [(word, size) for which, word, size in sorted(found, key=lambda item: (1, 0, 2)[item[0]])]


def person_axes(bone: bpy.types.Bone) -> list[tuple[int, float]] | None:
    """For each joint angle the person's axis (0 front, 1 left, 2 up) it turns about, and its sign; None if oblique."""
    frame, joint = joint_frame_at_rest(bone)[:3, :3], bone.mannequin.joint
    turned_about = [frame @ np.array(joint.axis)] if joint_kind(bone).has_axis else list(frame.T[::-1])
    found = []
    for axis in turned_about:
        which = int(np.argmax(np.abs(axis)))
        if abs(axis[which]) < ASKEW * np.linalg.norm(axis):
            return None
        found.append((which, float(np.sign(axis[which]))))
    return found if len({which for which, _ in found}) == len(found) else None
