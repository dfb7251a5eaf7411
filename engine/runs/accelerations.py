"""Accelerations of a system in any state, without running it: for studies, for tests, and to look inside a run."""

import numpy as np

from ..build.state import new_state
from ..build.system import System
from ..contact.state import enter_offsets
from ..errors import EngineError
from ..spec import INTEGRATORS
from ..step.probe import evaluated


def accelerations(
    system: System, q: np.ndarray | None = None, u: np.ndarray | None = None, t: float = 0.0
) -> np.ndarray:
    """(nu,) time derivative of the speeds u at coordinates q and time t (s), all forces of the scenario acting.

    q (nq,), u (nu,): laid out as `Tree` says; absent, those of the start. Instantaneous: nothing is treated implicitly.
    What a run remembers (hysteresis, friction, broken welds) is as at the start. A free root's first three numbers are
    the world acceleration of its joint centre, m/s2; the other speeds are turn rates in the moving frame, rad/s2.
    """
    q = system.q_start if q is None else _checked("q", q, system.q_start)
    u = system.u_start if u is None else _checked("u", u, system.u_start)
    params = system.arrays.params._replace(integrator=INTEGRATORS.index("forward_euler"))
    arrays = system.arrays._replace(params=params)
    state = new_state(arrays, q, u, system.longest_step, len(system.actor_names))
    state.elapsed[0] = t
    enter_offsets(state.contact, system.start_offsets)
    return evaluated(arrays, state)[1].u_dot


def _checked(name: str, given: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The numbers given, as an array of the right shape."""
    array = np.array(given, dtype=float)
    if array.shape != like.shape:
        raise EngineError(f"{name} has shape {array.shape}; this system needs {like.shape}")
    return array
