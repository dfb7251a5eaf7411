"""From the mesh's own pose to the standing pose of the models: where each body turns and stands.

In the mesh the arms are held out and the legs stand apart. The models stand with straight limbs that hang or stand
plumb, palms to the thighs, toes to the front, along the world axes. Each body is turned as one rigid piece about its
joint, so joints of mesh and model coincide.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .cutting import Skin, trunk_levels, unit
from .figure import Origins

DOWN = np.array([0.0, 0.0, -1.0])
RIGHT = np.array([0.0, -1.0, 0.0])
FORWARD = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class BodyFrame:
    """How one body gets from the mesh to the standing pose: x_standing = turn (x_mesh - joint) + origin."""

    turn: np.ndarray
    """(3, 3)"""
    joint: np.ndarray
    """(3,) the body's joint in the mesh, m"""
    origin: np.ndarray
    """(3,) the same in the standing pose, m"""

    def place(self, points: np.ndarray) -> np.ndarray:
        """(..., 3) points of the mesh to the standing pose."""
        return (points - self.joint) @ self.turn.T + self.origin


def aligned(from_a: np.ndarray, from_b: np.ndarray, to_a: np.ndarray, to_b: np.ndarray) -> np.ndarray:
    """(3, 3) rotation that takes direction a exactly and b as nearly as it can."""

    def basis(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        first = unit(a)
        third = unit(np.cross(first, b))
        return np.stack([first, np.cross(third, first), third], axis=1)

    return basis(to_a, to_b) @ basis(from_a, from_b).T


def spine_point(joints: Mapping[str, np.ndarray], z: float) -> np.ndarray:
    """Point of the spine at a height, on the line through the data's spine joints."""
    points = sorted(
        (joints[name] for name in ("spine-1", "spine-2", "spine-3", "spine-4")), key=lambda p: p[2]
    )
    heights, depths = [p[2] for p in points], [p[0] for p in points]
    return np.array([np.interp(z, heights, depths), 0.0, z])


def _left_turns(joints: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Turns of the left limbs. The elbow bends about the normal of upper arm and forearm, which points to the right
    when the arm hangs; the palm looks to the right, to the thigh; legs keep their front to the front."""
    shoulder, elbow, wrist = joints["l-shoulder"], joints["l-elbow"], joints["l-hand"]
    bend = np.cross(elbow - shoulder, wrist - elbow)
    finger, first, last = (joints[f"l-finger-{k}-{n}"] for k, n in ((3, 2), (2, 1), (5, 1)))
    palm = np.cross(finger - wrist, first - last)
    hip, knee, ankle, ball = (joints[name] for name in ("l-upper-leg", "l-knee", "l-ankle", "l-foot-1"))
    toes = (ball - ankle) * np.array([1.0, 1.0, 0.0])
    return {
        "UpperArm": aligned(elbow - shoulder, bend, DOWN, RIGHT),
        "Forearm": aligned(wrist - elbow, bend, DOWN, RIGHT),
        "Hand": aligned(finger - wrist, palm, DOWN, RIGHT),
        "Thigh": aligned(knee - hip, FORWARD, DOWN, FORWARD),
        "Shank": aligned(ankle - knee, FORWARD, DOWN, FORWARD),
        "Foot": aligned(toes, DOWN, FORWARD, DOWN),
    }


def frames(skin: Skin) -> dict[str, BodyFrame]:
    """Frames of the bodies of the middle and of the left side (without their letter), soles on z = 0, the middle of
    the hips over x = 0."""
    joints = skin.joints
    omphalion, xiphion = (spine_point(joints, z) for z in trunk_levels(skin))
    hips = joints["l-upper-leg"] * np.array([1.0, 0.0, 1.0])
    shoulder = joints["l-shoulder"]
    at = {
        "pelvis": hips,
        "LowerBack": omphalion,
        "Abdomen": omphalion,
        "UpperBack": xiphion,
        "Chest": xiphion,
        "Neck": joints["neck"],
        "head": joints["head"],
        "Clavicle": shoulder,
        "UpperArm": shoulder,
        "Forearm": joints["l-elbow"],
        "Hand": joints["l-hand"],
        "Thigh": joints["l-upper-leg"],
        "Shank": joints["l-knee"],
        "Foot": joints["l-ankle"],
    }
    legs = [np.linalg.norm(at[b] - at[a]) for a, b in (("Thigh", "Shank"), ("Shank", "Foot"))]
    lift = sum(legs) - (at["Thigh"][2] - at["Foot"][2]) - skin.vertices[:, 2].min()
    shift = np.array([-hips[0], 0.0, lift])
    turns = _left_turns(joints)
    place = {body: point + shift for body, point in at.items()}
    for body, parent in (("Forearm", "UpperArm"), ("Hand", "Forearm"), ("Shank", "Thigh"), ("Foot", "Shank")):
        place[body] = place[parent] + turns[parent] @ (at[body] - at[parent])
    return {body: BodyFrame(turns.get(body, np.eye(3)), at[body], place[body]) for body in at}


def origins(found: Mapping[str, BodyFrame]) -> Origins:
    """The joint centres in the standing pose, as the builder of joints takes them."""
    place = {body: frame.origin for body, frame in found.items()}
    return Origins(
        pelvis=place["pelvis"],
        lower_back=place["LowerBack"],
        upper_back=place["UpperBack"],
        neck=place["Neck"],
        head=place["head"],
        shoulder=place["UpperArm"],
        elbow=place["Forearm"],
        wrist=place["Hand"],
        hip=place["Thigh"],
        knee=place["Shank"],
        ankle=place["Foot"],
    )
