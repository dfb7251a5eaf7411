"""Postures: joint angles that bring a hand or foot to a point, and the muscle tone that holds a posture."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...engine.spec import Model, Motor
from ..parts.placement import Posture, body_transforms
from .neck import MIDSIZE, size_factors

# N m/rad and N m per joint: stiffness that holds a posture against small loads, and the largest torque. Assumed; of the
# order of voluntary strength, so that a fall is slowed and not stopped.
TONE = {
    "hip": (200.0, 120.0),
    "knee": (200.0, 120.0),
    "ankle": (150.0, 80.0),
    "lowerback": (300.0, 150.0),
    "upperback": (300.0, 150.0),
    "shoulder": (30.0, 30.0),
    "elbow": (20.0, 20.0),
    "wrist": (4.0, 5.0),
}


NECK_TONE = {"neckJnt": (150.0, 40.0), "headJnt": (150.0, 30.0)}
"""N m/rad and N m of a mid-size man who holds his head up. Caps: largest voluntary moments of 30 +- 6 N m in flexion
and 51 +- 11 N m in extension (men; doi 10.1007/s10439-014-1046-0, read as abstract), the mean of both at C7 and the
flexion's at the condyles: a motor has one cap for all directions. Stiffness assumed: the cap is reached at 11 to 15
degrees."""
CONSCIOUS, UNCONSCIOUS = 1.0, 0.05
"""Share of the neck's strength with which a person holds the head: all of it while conscious, the default; a twentieth
while unconscious (assumed). A cadaver or dummy has no motors at all."""
NECK_SOURCE = "Neck strength doi 10.1007/s10439-014-1046-0 (men), x {:.3f} for the size; stiffness assumed"


CLOSE = 1e-9
"""m from a target at which `reach` is there: far below what its rounded angles move."""


def _stem(joint: str) -> str:
    stem = joint.removesuffix("Jnt")
    return stem if stem in TONE else stem[:-1]


def neck_motors(model: Model, posture: Posture, strength: float = CONSCIOUS) -> dict[str, Motor]:
    """Motors for `Actor.motors` with which a living person holds the head as in `posture`, capped by the strength of
    the neck (`NECK_TONE`), which goes with the size as its tissue's moments do. Damping is a tenth of a second of
    stiffness."""
    factor, _ = size_factors(model.sex, MIDSIZE if model.height is None else model.height)
    motors = {}
    for joint in model.joints:
        if joint.name in NECK_TONE:
            stiffness, torque = (strength * factor * value for value in NECK_TONE[joint.name])
            motors[joint.name] = Motor(
                stiffness=round(stiffness, 3),
                damping=round(0.1 * stiffness, 4),
                target=posture.get(joint.name, (0.0, 0.0, 0.0)),
                max_torque=round(torque, 3),
                source=NECK_SOURCE.format(strength * factor),
            )
    return motors


def tone_motors(
    model: Model, posture: Posture, strength: float = 1.0, neck: float = CONSCIOUS
) -> dict[str, Motor]:
    """Motors for `Actor.motors` that hold `posture` with `strength` times the assumed tone, and the head with `neck`
    times the neck's strength. Damping is a tenth of a second of stiffness, which settles a limb without swinging."""
    motors = neck_motors(model, posture, neck)
    for joint in model.joints:
        if not joint.kind.is_ball or _stem(joint.name) not in TONE:
            continue
        stiffness, torque = TONE[_stem(joint.name)]
        motors[joint.name] = Motor(
            stiffness=strength * stiffness,
            damping=round(0.1 * strength * stiffness, 6),
            target=posture.get(joint.name, (0.0, 0.0, 0.0)),
            max_torque=strength * torque,
            source=f"Muscle tone x {strength:g}, assumed",
        )
    return motors


def flexed(**degrees: float) -> Posture:
    """Joints that are turned about y alone: `kneel=42.0` is the left knee, bent by 42 degrees."""
    return {f"{name}Jnt": (0.0, angle, 0.0) for name, angle in degrees.items()}


def both(angles: dict[str, tuple[float, float, float]]) -> Posture:
    """The same angles on both sides: "hip" becomes hiplJnt and hiprJnt; names with Jnt stay."""
    posture: Posture = {}
    for name, turn in angles.items():
        if name.endswith("Jnt"):
            posture[name] = turn
        else:
            posture[f"{name}lJnt"] = posture[f"{name}rJnt"] = turn
    return posture


def reach(
    model: Model,
    posture: Posture,
    free: Sequence[tuple[str, int]],
    body: str,
    point: Sequence[float],
    target: Sequence[float],
    position: Sequence[float] = (0.0, 0.0, 0.0),
    orientation: Sequence[float] = (0.0, 0.0, 0.0),
    ranges: Mapping[tuple[str, int], tuple[float, float]] | None = None,
) -> Posture:
    """A posture that brings `point` of `body` to `target` (world) by changing the angles named in `free`.

    `free` lists (joint, index of the angle in (Z, Y, X)). Damped least squares from the given posture, 60 rounds;
    angles are rounded to a tenth of a degree. The actor stands at `position` with `orientation`. ranges: of
    angles of `free`, degrees, which they do not leave: knees and elbows do not bend backward.
    """
    angles = {name: list(turn) for name, turn in posture.items()}
    for joint, _ in free:
        angles.setdefault(joint, [0.0, 0.0, 0.0])

    def place(current: dict[str, list[float]]) -> np.ndarray:
        transforms = body_transforms(model, current, position, orientation)
        return (transforms[body] @ np.array([*point, 1.0]))[:3]

    damping = 1e-6 if ranges else 1e-8  # m2 per degree2; less lets a limb that is nearly straight leap
    for _ in range(60):
        here = place(angles)
        miss = np.asarray(target, float) - here
        if np.linalg.norm(miss) < CLOSE:
            break
        columns = []
        for joint, index in free:
            moved = {name: list(turn) for name, turn in angles.items()}
            moved[joint][index] += 0.01
            columns.append((place(moved) - here) / 0.01)
        jacobian = np.column_stack(columns)
        step = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping * np.eye(3), miss)
        if ranges:  # in the direction of the step, so that no angle runs into its end alone
            step *= min(1.0, 10.0 / np.abs(step).max())
        for (joint, index), change in zip(free, np.clip(step, -10.0, 10.0), strict=True):
            low, high = (ranges or {}).get((joint, index), (-np.inf, np.inf))
            angles[joint][index] = float(np.clip(angles[joint][index] + change, low, high))
    return {name: tuple(round(a, 1) + 0.0 for a in turn) for name, turn in angles.items()}
