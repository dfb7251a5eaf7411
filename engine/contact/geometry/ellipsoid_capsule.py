"""Ellipsoid against a capsule: a cylinder along z with half-spheres at its ends."""

from ...jit.decorators import compiled
from .rounded_box import ellipsoid_rounded_box


@compiled
def ellipsoid_capsule(c, A, radius, half_length, previous, exit_gap):
    """Gap (m), unit normal from the capsule into the ellipsoid, ellipsoid support point, status.

    Centre c and matrix A = R diag(a^2) R^T in the frame of the capsule, whose axis runs from -half_length to
    +half_length along z (m). `previous` (last normal in that frame or zeros), `exit_gap` and the status are as in
    `ellipsoid_pair`.
    """
    return ellipsoid_rounded_box(c, A, (0.0, 0.0, half_length), radius, previous, exit_gap)
