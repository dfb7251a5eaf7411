"""Joint frames of a figure: what a positive joint angle means.

In the standing pose all body frames stand along the world: x forward, y to the left, z up. A joint frame is the same
rotation of the parent (T1) and of the child (T2), so every joint is at zero when standing. The frames are chosen so
that **the same number means the same movement on both sides**, and a positive turn about Y is flexion at every joint:

    joint                X +                     Y +                    Z +
    hip, shoulder        abduction               flexion (forward)      internal rotation
    elbow                valgus                  flexion                pronation
    wrist                radial deviation        flexion (to the palm)  pronation
    knee                 valgus                  flexion (backward)     external rotation
    ankle                eversion                dorsiflexion           toes inward
    back, neck, head     lean to the right       flexion (forward)      turn to the left

Arms hang with the palms towards the thighs.
"""

from collections.abc import Sequence

Rotation = tuple[tuple[float, float, float], ...]

# Columns are the joint's X, Y, Z in the body frame of the *left* side.
CENTRAL: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LEFT_KNEE: Rotation = CENTRAL
LEFT_LIMB: Rotation = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
LEFT_WRIST: Rotation = ((0.0, -1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0))


def mirrored(rotation: Rotation) -> Rotation:
    """The right side's frame: axes of turning mirrored in the plane y = 0 (an axis of rotation (x, y, z) becomes (-x,
    y, -z))."""
    signs = (-1.0, 1.0, -1.0)
    return tuple(tuple(signs[i] * value + 0.0 for value in row) for i, row in enumerate(rotation))


def transform(rotation: Rotation, position: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """4x4 nested tuples of a rotation and a position."""
    rows = [(*row, float(p)) for row, p in zip(rotation, position, strict=True)]
    return (*rows, (0.0, 0.0, 0.0, 1.0))
