"""What a controller sees of a run and what it may command, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import radians

import numpy as np

from ..bodies.workspace import Workspace
from ..build.system import System
from ..contact.arrays import COUNT, EFFECTIVE, ELLIPSOID_A, ELLIPSOID_B, OWNER_BODY
from ..errors import EngineError
from ..joints.commands import FORCES, TORQUES
from ..joints.commands import Commands as CommandArrays
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec.joint_types import AXIS
from ..step.arrays import State

PERIOD = 0.005
"""s between two calls of a controller, where none is given."""


class Names:
    """Places of joints, bodies and muscles in the arrays of a system, by "actor/name", or by the name alone where only
    one actor has it."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.motors = system.arrays.joints.motors.row

    def body(self, name: str) -> int:
        """Row of an authored body in arrays over bodies."""
        system = self._system
        return self._one("body", name, enumerate(zip(system.body_actor, system.body_names, strict=True)))

    def joint(self, name: str) -> int:
        """Moving body of a joint's last motion."""
        system = self._system
        moving = system.authored.moving_joint
        rows = zip(system.body_actor, system.joint_names, strict=True)
        return self._one(
            "moving joint", name, ((int(moving[b]), row) for b, row in enumerate(rows) if moving[b] >= 0)
        )

    def motor(self, name: str) -> int:
        """Row of the motors."""
        row = int(self.motors[self.joint(name)])
        if row < 0:
            raise EngineError(
                f"joint '{name}' has no motor to command. Give the actor one (without gains), or command a torque"
            )
        return row

    def muscle(self, name: str) -> int:
        """Row of a muscle, over the muscles of all actors."""
        system = self._system
        return self._one(
            "muscle", name, enumerate(zip(system.muscle_actor, system.muscle_names, strict=True))
        )

    def _one(self, what: str, name: str, rows) -> int:
        """Number of the only row with this name."""
        actors = self._system.actor_names
        found = [place for place, (a, own) in rows if name in (own, f"{actors[a]}/{own}")]
        if len(found) == 1:
            return found[0]
        problem = "there is none" if not found else f"{len(found)} actors have one: write actor/name"
        raise EngineError(f"no {what} '{name}' can be commanded or seen: {problem}")


class Commands:
    """What a controller sets. It acts from the next step on and holds until it is set again."""

    def __init__(self, system: System, state: State) -> None:
        self._names = Names(system)
        self._tree = system.tree
        self.arrays: CommandArrays = state.commands
        """The same as plain arrays, for those who know their rows."""

    def motor(
        self,
        joint: str,
        *,
        target: Sequence[float] | None = None,
        quaternion: Sequence[float] | None = None,
        stiffness: float | None = None,
        damping: float | None = None,
        max_torque: float | None = None,
        velocity: Sequence[float] | None = None,
        base_torque: Sequence[float] | None = None,
    ) -> None:
        """Drive a joint that has a motor; what is not given stays.

        target: angles about Z, Y, X in degrees; a joint with an axis uses the first, a prismatic one in metres.
        quaternion: the same as an orientation (w, x, y, z). Gains in N m and rad, velocity in rad/s and base torque in
        N m along the child joint axes (x, y, z). From the first call on the motor's tables do not count any more.
        """
        row, arrays = self._names.motor(joint), self.arrays
        arrays.held[row] = 1
        if target is not None:
            arrays.target[row] = self._target(self._names.joint(joint), target)
        if quaternion is not None:
            arrays.target[row] = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
        for column, value in enumerate((stiffness, damping, max_torque)):
            if value is not None:
                arrays.gains[row, column] = value
        if velocity is not None:
            arrays.velocity[row] = velocity
        if base_torque is not None:
            arrays.base[row] = base_torque

    def _target(self, moving: int, target: Sequence[float]) -> Sequence[float]:
        """Row of `Commands.target`."""
        if self._tree.group[moving] < AXIS:
            return quaternion_from_matrix(matrix_from_zyx(target))
        turns = self._tree.turn[moving] != 0.0
        return (radians(target[0]) if turns else float(target[0]), 0.0, 0.0, 0.0)

    def torque(self, joint: str, torque: Sequence[float]) -> None:
        """Torque (N m) in a joint along its child axes (x, y, z), beside what else acts; with an axis: the first."""
        self.arrays.torque[self._names.joint(joint)] = torque
        self.arrays.used[TORQUES] = 1

    def excite(self, muscle: str, excitation: float | None) -> None:
        """Excitation of a muscle, 0 to 1, in place of its tone or curve; None gives it back its own."""
        self.arrays.excitation[self._names.muscle(muscle)] = np.nan if excitation is None else excitation

    def push(
        self, body: str, force: Sequence[float] = (0.0, 0.0, 0.0), moment: Sequence[float] = (0.0, 0.0, 0.0)
    ) -> None:
        """Force (N) at the centre of mass of a body and moment (N m), along world axes."""
        b = self._names.body(body)
        self.arrays.force[b], self.arrays.moment[b] = force, moment
        self.arrays.used[FORCES] = 1

    def copy_from(self, other: Commands) -> None:
        """Take over all commands of another run of the same system."""
        for own, given in zip(self.arrays, other.arrays, strict=True):
            own[...] = given


class View:
    """A run at the time at which a controller is called. Arrays are over authored bodies, in world axes."""

    def __init__(self, system: System, state: State, workspace: Workspace, time: float) -> None:
        self.system, self._state, self._w = system, state, workspace
        self.time = time
        """s"""
        self._names = Names(system)

    def body(self, name: str) -> int:
        """Row of a body."""
        return self._names.body(name)

    @cached_property
    def rotation(self) -> np.ndarray:
        """(B, 3, 3) body frame to world."""
        authored = self.system.authored
        host = self._w.rotation[authored.host].reshape(-1, 3, 3)
        return host @ authored.rotation.reshape(-1, 3, 3)

    @cached_property
    def _arm(self) -> np.ndarray:
        authored = self.system.authored
        host = self._w.rotation[authored.host].reshape(-1, 3, 3)
        return np.einsum("bij,bj->bi", host, authored.com)

    @cached_property
    def position(self) -> np.ndarray:
        """(B, 3) centres of mass, m."""
        return self._w.position[self.system.authored.host] + self._arm

    @cached_property
    def velocity(self) -> np.ndarray:
        """(B, 3) of the centres of mass, m/s."""
        return self._w.velocity[self.system.authored.host] + np.cross(self.angular_velocity, self._arm)

    @cached_property
    def angular_velocity(self) -> np.ndarray:
        """(B, 3) rad/s"""
        return self._w.omega[self.system.authored.host].copy()

    @cached_property
    def contact_force(self) -> np.ndarray:
        """(B, 3) sum over the contacts of each body, N."""
        contact, owner = self._state.contact, self.system.arrays.surfaces.owner
        total = np.zeros_like(self.position)
        for j in range(int(contact.counter[COUNT])):
            who, force = contact.who[j], contact.contact[j, EFFECTIVE : EFFECTIVE + 3]
            total[owner[who[ELLIPSOID_A], OWNER_BODY]] += force
            if who[ELLIPSOID_B] >= 0:
                total[owner[who[ELLIPSOID_B], OWNER_BODY]] -= force
        return total

    @property
    def coordinates(self) -> np.ndarray:
        """(nq,) as `Tree` lays them out."""
        return self._state.q.copy()

    @property
    def speeds(self) -> np.ndarray:
        """(nu,) as `Tree` lays them out."""
        return self._state.u.copy()

    @property
    def released(self) -> bool:
        """Whether a prescribed motion has let go."""
        return bool(self._state.released.any())


Controller = Callable[[View, Commands], None]
"""Called every period with what is and what may be commanded."""
