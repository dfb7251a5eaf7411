"""Ellipsoid against a box: faces, edges and vertices, apart or overlapping."""

from ...jit.decorators import compiled
from .rounded_box import ellipsoid_rounded_box


@compiled
def ellipsoid_box(c, A, half_size, previous, exit_gap):
    """Gap (m), unit normal from the box into the ellipsoid, ellipsoid support point, status.

    Centre c and matrix A = R diag(a^2) R^T in the frame of the box, whose faces are at plus and minus `half_size` (m).
    `previous` (last normal in the box frame or zeros), `exit_gap` and the status are as in `ellipsoid_pair`.
    """
    return ellipsoid_rounded_box(c, A, half_size, 0.0, previous, exit_gap)
