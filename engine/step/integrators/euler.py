"""First-order updates: symplectic (default) and forward Euler."""

from ...bodies.coordinates import displaced
from ...jit.decorators import compiled


@compiled
def symplectic_euler(tree, q, u, u_dot, delta, h, drift):
    """Speeds first, by h seconds, then positions with the new speeds, by `drift`: the same but where steps change their
    size. delta (nu,) is scratch.

    Damping, limits and obstacle contact are linearly implicit in `u_dot`. The work of each force is taken with the mean
    of old and new speeds, for which the kinetic energy balance of the step is exact:
    (u1' M u1 - u0' M u0) / 2 = (u1 - u0)' M (u0 + u1) / 2.
    """
    for i in range(len(u)):
        u[i] += h * u_dot[i]
        delta[i] = drift * u[i]
    displaced(tree, q, delta, q)


@compiled
def forward_euler(tree, q, u, u_dot, delta, h):
    """Positions with the old speeds; every force explicit. For comparison: it gains energy."""
    for i in range(len(u)):
        delta[i] = h * u[i]
        u[i] += h * u_dot[i]
    displaced(tree, q, delta, q)
