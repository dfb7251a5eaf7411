"""Joint friction that just holds what a joint carries at one g, as the joints of dummies are set before a test.

49 CFR Part 572 has limb joints set at 1 g, so that they barely restrain the weight of the limb when it is extended
horizontally. The moment that asks for is weight times the distance of the common centre of mass of all that the joint
carries, in the model's rest pose (a stretched limb), from the joint centre, or from the axis of a joint that turns
about one only (docs/derivations.md, Joint friction).
"""

from fnmatch import fnmatchcase

import numpy as np

from ...engine.bodies.posture import body_poses
from ...engine.spec import Joint, JointFriction, Model
from .errors import EditError

ONE_G = 9.81
"""m/s2"""
BARELY = 1.05
"""Times the weight that joints hold where nothing else is asked for; assumed: "barely" needs some margin."""


def carried_bodies(model: Model, joint: Joint) -> set[str]:
    """Names of all bodies that a joint carries."""
    found = {joint.child}
    grown = True
    while grown:
        more = {other.child for other in model.joints if other.parent in found} - found
        found |= more
        grown = bool(more)
    return found


def holding_load(model: Model, joint: Joint) -> float:
    """N m (N of a joint that only slides): what a joint must hold when all it carries reaches out horizontally."""
    poses, names = body_poses(model), carried_bodies(model, joint)
    carried = [body for body in model.bodies if body.name in names]
    mass = sum(body.mass for body in carried)
    if not joint.kind.turns:
        return ONE_G * mass
    places = [poses[b.name] @ np.array([*b.center_of_mass, 1.0], dtype=float) for b in carried]
    centre = sum(b.mass * place[:3] for b, place in zip(carried, places, strict=True)) / mass
    frame = poses[joint.child] @ np.array(joint.T2, dtype=float)
    reach = frame[:3, :3].T @ (centre - frame[:3, 3])
    turning = [motion for motion in joint.kind.motions if motion.turns]
    if len(turning) == 1 and not joint.kind.is_ball:
        axis = np.identity(3)[turning[0].place] if turning[0].letter else np.array(joint.axis, dtype=float)
        reach = reach - (reach @ axis) * axis
    return float(ONE_G * mass * np.linalg.norm(reach))


def set_to_hold(model: Model, share: float = BARELY, joints: str = "*") -> dict[str, float]:
    """Give joints the friction that holds `share` times what they carry at one g; returns the torque by joint.

    joints: a pattern of names. Joints to the ground and those that do not move are left as they are.
    """
    if not 0.0 < share <= 100.0:
        raise EditError(f"a share of {share:g} cannot be held: choose more than 0, such as 1")
    chosen = [
        j for j in model.joints if j.parent is not None and j.kind.moves and fnmatchcase(j.name, joints)
    ]
    if not chosen:
        raise EditError(f"no joint that carries a part is called '{joints}'")
    found = {}
    for joint in chosen:
        torque = share * holding_load(model, joint)
        joint.friction = JointFriction(
            torque, source=f"Set to hold {share:g} times what it carries at 1 g (49 CFR Part 572)"
        )
        found[joint.name] = torque
    return found
