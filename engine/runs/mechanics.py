"""A compiled scenario asked for its mechanics in any state, many times: poses, Jacobians, mass matrix, inverse
dynamics, accelerations. Everything is allocated once; a call takes some ten microseconds."""

import threading
from collections.abc import Sequence

import numpy as np

from ..bodies.generalized import (
    composite_mass_matrix,
    new_asked,
    point_jacobian,
    pose,
    required_forces,
)
from ..bodies.workspace import new_workspace
from ..build.state import new_state
from ..build.system import System
from ..contact.arrays import ALLOWED, LOOKED, TRAVELLED
from ..contact.state import enter_offsets
from ..errors import EngineError
from ..jit.decorators import bundled
from ..spec import INTEGRATORS
from ..step.probe import Probe


class Mechanics:
    """The mechanics of a system. q (nq,) and u (nu,) are laid out as `Tree` says; absent, they are those of the start.

    Not for several threads at once: each makes its own. Arrays that are returned are new, the caller's own.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._w = new_workspace(system.tree, len(system.arrays.pulses.body))
        self._asked = new_asked(system.tree, system.arrays.params.gravity)
        self._bundles = (bundled(system.tree), bundled(self._w), bundled(self._asked))
        self._probe: Probe | None = None
        arrays = system.arrays
        self._remembers = bool(
            len(arrays.connections.point_body)
            or len(arrays.muscles.kind)
            or arrays.joints.friction[:, 0].any()
        )
        """Whether what a run remembers at its start depends on the pose: then each state has its own."""
        self._set(None, None)

    def poses(
        self, q: Sequence[float] | None = None, u: Sequence[float] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """World positions (B, 3) of the origins of all authored bodies, m, and rotations (B, 3, 3) body to world."""
        self._set(q, u)
        authored, w = self.system.authored, self._w
        host = w.rotation.reshape(-1, 3, 3)[authored.host]
        rotation = host @ authored.rotation.reshape(-1, 3, 3)
        centre = w.position[authored.host] + (host @ authored.com[:, :, None])[:, :, 0]
        return centre - (rotation @ authored.com_local[:, :, None])[:, :, 0], rotation

    def jacobian(
        self, body: int, point: Sequence[float] = (0.0, 0.0, 0.0), q: Sequence[float] | None = None
    ) -> np.ndarray:
        """(6, nu): velocity of a point of a body (rows 0 to 2, m/s) and its angular velocity (rad/s) per unit of speed.

        body: index into `System.body_names`. point (3,): in the body's frame, m.
        """
        self._set(q, None)
        authored, asked, w = self.system.authored, self._asked, self._w
        host = int(authored.host[body])
        inside = authored.rotation[body].reshape(3, 3) @ (np.asarray(point) - authored.com_local[body])
        asked.body[0] = host
        asked.point[:] = w.position[host] + w.rotation[host].reshape(3, 3) @ (authored.com[body] + inside)
        point_jacobian(*self._bundles)
        return asked.jacobian.copy()

    def mass_matrix(self, q: Sequence[float] | None = None) -> np.ndarray:
        """(nu, nu) generalized mass matrix."""
        self._set(q, None)
        composite_mass_matrix(*self._bundles)
        return self._asked.mass.copy()

    def inverse_dynamics(
        self,
        u_dot: Sequence[float],
        q: Sequence[float] | None = None,
        u: Sequence[float] | None = None,
    ) -> np.ndarray:
        """(nu,) generalized forces that the rates u_dot of the speeds need; gravity is a force of the environment."""
        self._set(q, u)
        self._asked.u_dot[:] = _checked("u_dot", u_dot, self.system.u_start)
        required_forces(*self._bundles)
        return self._asked.force.copy()

    def accelerations(
        self, q: Sequence[float] | None = None, u: Sequence[float] | None = None, t: float = 0.0
    ) -> np.ndarray:
        """(nu,) time derivative of the speeds at time t (s), all forces of the scenario acting.

        Instantaneous: nothing is treated implicitly. What a run remembers (hysteresis, friction, broken welds) is as at
        the start. A free root's first three numbers are the world acceleration of its joint centre, m/s2; other speeds
        are turn rates in the moving frame, rad/s2.
        """
        q, u = self._given(q, u)
        if self._probe is None or self._remembers:
            self._probe = self._new_probe(q, u)
        state = self._probe.state
        state.q[:], state.u[:], state.elapsed[0] = q, u, t
        reserve = state.contact.reserve
        reserve[LOOKED], reserve[TRAVELLED] = t, reserve[ALLOWED] + 1.0  # look for near surfaces again
        return self._probe.evaluate().u_dot.copy()

    def _new_probe(self, q: np.ndarray, u: np.ndarray) -> Probe:
        system = self.system
        params = system.arrays.params._replace(integrator=INTEGRATORS.index("forward_euler"))
        arrays = system.arrays._replace(params=params)
        state = new_state(arrays, q, u, system.longest_step, len(system.actor_names))
        enter_offsets(state.contact, system.start_offsets)
        return Probe(arrays, state)

    def _given(self, q: Sequence[float] | None, u: Sequence[float] | None) -> tuple[np.ndarray, np.ndarray]:
        system = self.system
        return (
            system.q_start if q is None else _checked("q", q, system.q_start),
            system.u_start if u is None else _checked("u", u, system.u_start),
        )

    def _set(self, q: Sequence[float] | None, u: Sequence[float] | None) -> None:
        """Bring the workspace to a state."""
        self._asked.q[:], self._asked.u[:] = self._given(q, u)
        pose(*self._bundles)


def _checked(name: str, given: Sequence[float], like: np.ndarray) -> np.ndarray:
    """The numbers given, as an array of the right shape."""
    array = np.asarray(given, dtype=float)
    if array.shape != like.shape:
        raise EngineError(f"{name} has shape {array.shape}; this system needs {like.shape}")
    return array


_LAST = threading.local()


def accelerations(
    system: System, q: np.ndarray | None = None, u: np.ndarray | None = None, t: float = 0.0
) -> np.ndarray:
    """`Mechanics.accelerations` of a system. The last system asked about is kept, so that asking again is quick."""
    kept = getattr(_LAST, "mechanics", None)
    if kept is None or kept.system is not system:
        kept = _LAST.mechanics = Mechanics(system)
    return kept.accelerations(q, u, t)
