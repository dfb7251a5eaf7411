"""From a marker trial to an actor: its motion by inverse kinematics, a model of the right size, and a start.

Each frame is a least-squares problem: the pose whose marker points are nearest to those that were seen, by damped
Gauss-Newton steps (Levenberg 1944, Marquardt 1963) along the joints that turn, each frame beginning at the one before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..engine.bodies.coordinates import displaced
from ..engine.build.system import System, compile_system
from ..engine.jit.decorators import interpreted
from ..engine.maths.rotations import inverse_transform, matrix_from_quaternion, zyx_from_matrix
from ..engine.runs.mechanics import Mechanics
from ..engine.spec import Actor, Joint, Model, Scenario, Settings
from ..engine.spec.joint_types import AXIS, BALL, CURVE, FREE, Motion
from ..interchange.motions.trial import Trial
from ..io_json.errors import FileError
from ..models.editing.scaling import scale_model

MOST_STEPS = 60
"""Of Gauss-Newton for one frame."""
SETTLED = 1e-7
"""rad or m: a step below it ends the search."""
HOLD = 1e-5
"""Weight (m2) of the way from the frame before, per rad2: what no marker sees stays where it was."""
JOINT_STARTS = ("joint_angles", "joint_velocities", "joint_slides", "joint_slide_velocities")
"""Fields of an actor by joint; the last two are for joints that turn and slide."""
GOLDEN = 0.5 * (5.0**0.5 - 1.0)
SIZES = (0.75, 1.3)
"""Range of the factor on a model's height that is searched."""


@dataclass(frozen=True)
class Marker:
    """A point of a body that a marker of a trial shows."""

    name: str
    body: str
    point: tuple[float, float, float]
    """In the body's frame, m"""


@dataclass(frozen=True, repr=False)
class Tracked:
    """The motion of an actor that fits a trial."""

    system: System
    """Of the actor alone, in free space"""
    markers: tuple[Marker, ...]
    times: np.ndarray
    """(F,) s"""
    q: np.ndarray
    """(F, nq) coordinates"""
    residuals: np.ndarray
    """(F, M) m between each marker and its point of the model; NaN where it was not seen"""

    def __repr__(self) -> str:
        root_mean_square = float(np.sqrt(np.nanmean(self.residuals**2)))
        return (
            f"<Tracked {self.system.actor_names[0]}: {len(self.markers)} markers, {len(self.times)} frames, "
            f"residual {1000 * root_mean_square:.2f} mm>"
        )

    def poses(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """World origins (B, 3), m, and rotations (B, 3, 3) of all bodies at a frame."""
        return Mechanics(self.system).poses(self.q[frame])


class _Fitter:
    """Poses of one actor that fit points."""

    def __init__(self, system: System, markers: Sequence[Marker]) -> None:
        self.system, self.mechanics = system, Mechanics(system)
        names = list(system.body_names)
        unknown = [marker for marker in markers if marker.body not in names]
        if unknown:
            remedy = f"There are: {', '.join(names)}"
            raise FileError(f"marker '{unknown[0].name}' is on '{unknown[0].body}', no body", remedy=remedy)
        self._bodies = [names.index(marker.body) for marker in markers]
        self._points = np.array([marker.point for marker in markers], dtype=float).reshape(-1, 3)
        self._turns = _turning_speeds(system)
        self._displace = interpreted(displaced)

    def seen(self, q: np.ndarray) -> np.ndarray:
        """(M, 3) world points of the markers in a pose."""
        origins, rotations = self.mechanics.poses(q)
        return origins[self._bodies] + (rotations[self._bodies] @ self._points[:, :, None])[:, :, 0]

    def fit(self, q: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The pose near q whose points are nearest to `wanted` (M, 3), NaN where a marker was not seen."""
        is_seen = ~np.isnan(wanted).any(1)
        damping, misfit = 1e-3, self._misfit(q, wanted, is_seen)
        for _ in range(MOST_STEPS):
            J, r = self._linear(q, wanted, is_seen)
            normal, gradient = J.T @ J, J.T @ r
            while True:
                step = np.linalg.solve(normal + (damping + HOLD) * np.eye(len(normal)), gradient)
                moved = self._moved(q, step)
                new = self._misfit(moved, wanted, is_seen)
                if new <= misfit or damping > 1e6:
                    break
                damping *= 10.0
            if new > misfit:
                return q
            q, misfit, damping = moved, new, max(damping / 10.0, 1e-9)
            if np.max(np.abs(step)) < SETTLED:
                return q
        return q

    def speeds(self, q: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """(nu,) speeds that move the markers nearest to these velocities (M, 3), m/s; NaN where unknown."""
        is_seen = ~np.isnan(velocities).any(1)
        J = self._jacobian(q, is_seen)
        normal = J.T @ J + HOLD * np.eye(J.shape[1])
        u = np.zeros(len(self.system.u_start))
        u[self._turns] = np.linalg.solve(normal, J.T @ velocities[is_seen].ravel())
        return u

    def _moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        delta = np.zeros(len(self.system.u_start))
        delta[self._turns] = step
        out = q.copy()
        self._displace(self.system.tree, q, delta, out)
        return out

    def _misfit(self, q: np.ndarray, wanted: np.ndarray, is_seen: np.ndarray) -> float:
        return float(((wanted - self.seen(q))[is_seen] ** 2).sum())

    def _linear(
        self, q: np.ndarray, wanted: np.ndarray, is_seen: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return self._jacobian(q, is_seen), (wanted - self.seen(q))[is_seen].ravel()

    def _jacobian(self, q: np.ndarray, is_seen: np.ndarray) -> np.ndarray:
        rows = [
            self.mechanics.jacobian(self._bodies[m], self._points[m], q)[:3, self._turns]
            for m in np.flatnonzero(is_seen)
        ]
        return np.vstack(rows) if rows else np.zeros((0, len(self._turns)))


def _turning_speeds(system: System) -> np.ndarray:
    """Places of the speeds that a pose is searched by: those of free roots, of joints that turn, and of all coordinates
    of custom joints."""
    tree, places = system.tree, []
    for i, group in enumerate(tree.group):
        count = {FREE: 6, BALL: 3, CURVE: 1, AXIS: 1 if tree.slide[i] == 0.0 else 0}[int(group)]
        places += range(int(tree.u_address[i]), int(tree.u_address[i]) + count)
    return np.array(places, dtype=np.int64)


def _alone(actor: Actor) -> System:
    """The actor in free space."""
    plain = replace(
        actor, motors={}, prescribed=[], torque_pulses=[], force_pulses=[], response=None, gait=None
    )
    return compile_system(Scenario(actor.name, [plain], settings=Settings(ground=False, gravity=(0, 0, 0))))


def _matched(trial: Trial, markers: Sequence[Marker]) -> tuple[tuple[Marker, ...], np.ndarray]:
    """The markers that the trial has, and their positions (F, M, 3). Raises FileError."""
    places = {name: k for k, name in enumerate(trial.markers)}
    found = tuple(marker for marker in markers if marker.name in places)
    if len(found) < 3:
        remedy = f"The trial has: {', '.join(trial.markers)}"
        raise FileError(
            f"the trial has {len(found)} of the {len(markers)} markers; 3 are needed", remedy=remedy
        )
    return found, trial.positions[:, [places[marker.name] for marker in found]]


def track(
    actor: Actor,
    trial: Trial,
    markers: Sequence[Marker],
    progress: Callable[[int, int], None] | None = None,
) -> Tracked:
    """Inverse kinematics: the motion of an actor whose marker points are nearest to those of the trial.

    The search begins at the actor's start, put where the markers are. Joints that slide stay at rest. progress: called
    with the number of frames done and of all. Raises FileError.
    """
    found, wanted = _matched(trial, markers)
    fitter = _Fitter(_alone(actor), found)
    q = _put_near(fitter, wanted[0])
    poses, residuals = [], []
    for frame, points in enumerate(wanted):
        q = fitter.fit(q, points)
        poses.append(q)
        residuals.append(np.linalg.norm(points - fitter.seen(q), axis=1))
        if progress is not None:
            progress(frame + 1, len(wanted))
    return Tracked(fitter.system, found, trial.times, np.array(poses), np.array(residuals))


def _put_near(fitter: _Fitter, points: np.ndarray) -> np.ndarray:
    """The start, its free root moved so that the middles of model's and trial's markers meet, in the best of eight
    directions about the vertical."""
    system = fitter.system
    if system.tree.group[0] != FREE:
        return system.q_start.copy()
    is_seen = ~np.isnan(points).any(1)
    best, least = system.q_start.copy(), np.inf
    for turn in np.arange(8) * np.pi / 4.0:
        q = system.q_start.copy()
        half = np.array([np.cos(0.5 * turn), np.sin(0.5 * turn)])
        w, x, y, z = q[3:7]
        q[3:7] = (half[0] * w - half[1] * z, half[0] * x - half[1] * y, half[0] * y + half[1] * x,
                  half[0] * z + half[1] * w)  # fmt: skip
        q[:3] += (points - fitter.seen(q))[is_seen].mean(0)
        misfit = float(((points - fitter.seen(q))[is_seen] ** 2).sum())
        if misfit < least:
            best, least = q, misfit
    return best


def start_from(actor: Actor, tracked: Tracked, time: float) -> Actor:
    """The actor with the pose and the speeds of a tracked motion at the frame that is nearest to a time (s).

    Speeds are those that fit the velocities of the markers, by central differences. Raises FileError where the motion
    has fewer than three frames.
    """
    if len(tracked.times) < 3:
        raise FileError("the motion has fewer than three frames", remedy="Track more frames")
    frame = int(np.clip(np.argmin(np.abs(tracked.times - time)), 1, len(tracked.times) - 2))
    fitter = _Fitter(tracked.system, tracked.markers)
    before, after = (fitter.seen(tracked.q[k]) for k in (frame - 1, frame + 1))
    velocities = (after - before) / (tracked.times[frame + 1] - tracked.times[frame - 1])
    q = tracked.q[frame]
    return _started(actor, tracked.system, q, fitter.speeds(q, velocities))


def _started(actor: Actor, system: System, q: np.ndarray, u: np.ndarray) -> Actor:
    """The actor with its start at coordinates q and speeds u of its system."""
    joints = {joint.child: joint for joint in actor.model.joints}
    start: dict[str, dict] = {name: dict(getattr(actor, name)) for name in JOINT_STARTS}
    place: dict[str, tuple] = {}
    for b, name in enumerate(system.body_names):
        joint, motions = joints[name], int(system.authored.motions[b])
        first = int(system.authored.moving_joint[b]) - motions + 1
        if not joint.kind.moves:
            continue
        if joint.kind.is_free:
            qa, ua = int(system.tree.q_address[first]), int(system.tree.u_address[first])
            place = _root_start(joint, q[qa : qa + 7], u[ua : ua + 6])
            for values in start.values():
                values.pop(joint.name, None)
            continue
        named = JOINT_STARTS if joint.kind.has_both else JOINT_STARTS[:2]
        numbers = {name: [0.0, 0.0, 0.0] for name in named}
        for k, motion in enumerate(joint.kind.motions):
            qa, ua = int(system.tree.q_address[first + k]), int(system.tree.u_address[first + k])
            _enter(numbers, joint, motion, q[qa:], u[ua:])
        for name, values in numbers.items():
            start[name][joint.name] = _numbers(values)
    return replace(actor, **start, **place)


def _enter(
    numbers: dict[str, list[float]], joint: Joint, motion: Motion, q: np.ndarray, u: np.ndarray
) -> None:
    """Enter one motion of a joint, whose coordinates and speeds begin q and u, into the numbers of its start."""
    if motion.group == BALL:
        numbers["joint_angles"] = list(zyx_from_matrix(matrix_from_quaternion(q[:4])))
        numbers["joint_velocities"] = list(u[:3])
    elif motion.slides and joint.kind.has_both:
        numbers["joint_slides"][motion.place] = q[0]
        numbers["joint_slide_velocities"][motion.place] = u[0]
    else:
        numbers["joint_angles"][motion.angle_place] = np.degrees(q[0]) if motion.turns else q[0]
        numbers["joint_velocities"][motion.place] = u[0]


def _root_start(joint: Joint, q: np.ndarray, u: np.ndarray) -> dict[str, tuple[float, float, float]]:
    """Place and velocity of an actor whose free root has these coordinates (7,) and speeds (6,)."""
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = matrix_from_quaternion(q[3:7]), q[:3]
    placed = frame @ inverse_transform(np.array(joint.T1, dtype=float))
    body = frame @ inverse_transform(np.array(joint.T2, dtype=float))
    omega = frame[:3, :3] @ u[3:6]
    return {
        "position": _numbers(placed[:3, 3]),
        "orientation": _numbers(zyx_from_matrix(placed[:3, :3])),
        "velocity": _numbers(u[:3] - np.cross(omega, frame[:3, 3] - body[:3, 3])),
        "angular_velocity": _numbers(omega),
    }


def _numbers(values: Sequence[float]) -> tuple[float, float, float]:
    return tuple(float(value) for value in values)


def scaled_to(
    model: Model, trial: Trial, markers: Sequence[Marker], mass: float, frame: int = 0
) -> tuple[Model, list[Marker]]:
    """The model with the height at which its markers fit a frame of the trial best, and the mass given (kg); and the
    markers on it. Raises FileError.

    One factor for the whole body, by golden section: for a person of other proportions give what a tape measured.
    """
    if model.height is None:
        raise FileError(f"'{model.name}' states no height", remedy="Set the model's height")
    found, wanted = _matched(trial, markers)
    own_mass = sum(body.mass for body in model.bodies)

    def misfit(size: float) -> float:
        scaled = scale_model(model, model.height * size, own_mass * size**3)
        fitter = _Fitter(_alone(Actor(model.name, scaled)), _sized(found, size))
        q = fitter.fit(_put_near(fitter, wanted[frame]), wanted[frame])
        is_seen = ~np.isnan(wanted[frame]).any(1)
        return float(((wanted[frame] - fitter.seen(q))[is_seen] ** 2).sum())

    size = _least(misfit, *SIZES)
    return scale_model(model, model.height * size, mass), _sized(markers, size)


def _sized(markers: Sequence[Marker], size: float) -> list[Marker]:
    return [replace(marker, point=_numbers(size * np.array(marker.point))) for marker in markers]


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of one valley is least, to 0.2 %, by golden section."""
    inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    values = [function(inner[0]), function(inner[1])]
    while high - low > 0.002:
        if values[0] < values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - GOLDEN * (high - low)
            values[0] = function(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + GOLDEN * (high - low)
            values[1] = function(inner[1])
    return 0.5 * (low + high)
