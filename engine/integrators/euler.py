"""First-order steps: symplectic (default) and forward Euler."""

from ..coordinates import displaced
from ..energy import accumulate_work
from ..forces import commit
from ..jit import spliced


@spliced
def symplectic_euler(k, s, w, x, t, h):
    """Speeds first, then positions with the new speeds; damping, limits and obstacle contact linearly implicit.

    The work of each force is taken with the mean of old and new speeds, for which the kinetic energy balance of the
    step is exact: (u1' M u1 - u0' M u0) / 2 = (u1 - u0)' M (u0 + u1) / 2.
    """
    accumulate_work(k, s, w, h, 0.5 * h)
    commit(k, s, w, t, h)
    for i in range(len(s.u)):
        s.u[i] += h * w.u_dot[i]
        x.delta[i] = h * s.u[i]
    displaced(k.tree, s.q, x.delta, s.q)


@spliced
def forward_euler(k, s, w, x, t, h):
    """Positions with the old speeds; every force explicit. For comparison: it gains energy."""
    accumulate_work(k, s, w, h, 0.5 * h)
    commit(k, s, w, t, h)
    for i in range(len(s.u)):
        x.delta[i] = h * s.u[i]
        s.u[i] += h * w.u_dot[i]
    displaced(k.tree, s.q, x.delta, s.q)
