"""People who walk or run: pose and rates of the whole body at any moment of a stride, and motors that go on.

Angles over a stride are those of a free walk (`TABLE`, where arms swing as `SHOULDER` and `ELBOW` say) or of a measured
run (`RUN_TABLE`). The time of a stride follows from the speed and from how far the foot that bears goes back under the
pelvis. Who runs flies from the push of one foot to the strike of the other. The root is carried until something touches
the person, and motors follow the table until a response takes the joints over.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from ...engine.bodies.posture import ellipsoid_bottoms
from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Actor, Gait, Model, Motor, PrescribedMotion
from ...engine.spec.values import STANDARD_GRAVITY
from ..parts.placement import Posture, body_transforms, lowest_point
from ..parts.tables import read_table
from .following import following_motors


@dataclass(frozen=True)
class Course:
    """An angle over a stride."""

    manner: str
    """walk or run"""
    angle: str
    degrees: tuple[float, ...]
    """At 0, 10 .. 90 % of the stride, from the strike of the right heel"""


COURSES = read_table(Path(__file__).with_suffix(".csv"), Course)


def _angles(manner: str) -> dict[str, tuple[float, ...]]:
    return {course.angle: course.degrees for course in COURSES if course.manner == manner}


SOURCE = "Free walk: normal.mot of OpenSim's Gait2392 tutorial, every tenth of a stride"
LEGS = _angles("walk")
"""Flexion, adduction and inner rotation of
the right hip, flexion of the knee, dorsiflexion of the ankle; of the pelvis the drop of the right side, the turn of it
forward, the lean back. Rows at 0 and 100 % of the file are averaged. The left leg is half a stride later."""
SHOULDER, ELBOW = (-8.0, 16.0), (32.5, 12.5)
"""Degrees of flexion, middle and swing: 24 back at the strike of the same side's heel to 8 forward at the other's, and
20 to 45 (Perry, general knowledge)."""


def _beat(middle: float, swing: float) -> tuple[float, ...]:
    """Ten values of a column that swings once in a stride, least at the strike."""
    return tuple(float(middle - swing * np.cos(0.2 * np.pi * k)) for k in range(10))


TABLE = LEGS | {
    "shoulder": _beat(*SHOULDER),
    "raise": (0.0,) * 10,
    "inward": (0.0,) * 10,
    "elbow": _beat(*ELBOW),
    "bend": tuple(-v for v in LEGS["list"]),
    "twist": tuple(-v for v in LEGS["turn"]),
    "extension": tuple(-v for v in LEGS["tilt"]),
}
"""The same with the right arm (flexion, abduction and inner rotation of the shoulder, flexion of the elbow) and the
lower back against the pelvis (right side down, right side forward, lean back): the trunk of who walks stays upright."""
FREE_SPEED, LENGTHENING = 1.34, 0.42
"""m/s of the table's walk (assumed: a comfortable speed), and the power of the speed with which steps get longer, the
rest being cadence (Grieve and Gear 1966, general knowledge). Swings of hips, knees and arms go with it."""
SINGLE = (0.10, 0.35)
"""Shares of the stride between which the right foot alone bears and stays where it is."""
RUN_SOURCE = (
    "Run: subject02_running_ik.mot of OpenSim's Hamner pipeline (one man at 3.96 m/s; Hamner, Seth and Delp, J Biomech "
    "43 (2010) 2709-2716), the stride from 0.0700 to 0.7545 s, both sides"
)
RUN_TABLE = _angles("run")
"""The same of a run at `RUN_SPEED`: for each column the ten values whose curve (`over_stride`) is nearest, by least
squares, to the 41 rows of the stride of the right side and of the left, mirrored, each from its own strike (vertical
force above 50 N in the file of ground forces). The sides differ from it by 1 to 6 degrees (root mean square). The arm's
angles were turned from the file's order of axes into the joint's, as they are large; those of hips and back, as in the
walk, are taken as they are. What toes, wrists and forearms turn is left out."""
RUN_SPEED = 3.96
"""m/s of the table's run; the heel on the belt goes at 3.97 in the file of markers."""


@dataclass(frozen=True)
class Manner:
    """How a person goes: angles over a stride at one speed, and which foot bears when."""

    table: dict[str, tuple[float, ...]]
    speed: float
    """m/s of the table"""
    bears: tuple[float, float]
    """Shares of the stride between which the right foot alone bears and stays where it is"""
    leaves: float
    """Share of the stride at which the right foot leaves the ground, where nothing bears until the left one strikes;
    0.5 where a foot always does"""
    ball: float
    """Share of the foot's length, from the ankle to the toes, of the point that stays; 0 is the ankle itself"""
    lengthening: float
    """Power of the speed with which steps get longer"""
    source: str


MANNERS = {
    "walk": Manner(TABLE, FREE_SPEED, SINGLE, 0.5, 0.0, LENGTHENING, SOURCE),
    "run": Manner(RUN_TABLE, RUN_SPEED, (0.08, 0.36), 0.37, 0.6, 0.7, RUN_SOURCE),
}
"""Measured of the run: the foot leaves at 36 and 38 % of the stride. Assumed: the power 0.7 (who runs faster takes
longer steps rather than more of them), and that the ball of the foot stays from 8 to 36 %."""
ROWS = 40
"""Of the tables, per stride."""
LASTS = 2.0
"""s for which the walk goes on where nothing stops it."""
STEP = 1e-4
"""s to either side, of the differences that rates are taken of."""
CLEARANCE, RAISED = 0.015, 0.15
"""m by which somebody who is carried along is raised, and s in which: a foot that is a degree off would else be pushed
into the ground with the force that carries the root."""


def over_stride(name: str, phase: np.ndarray | float, manner: str = "walk") -> np.ndarray:
    """Degrees of a column of a table at shares of the stride: the periodic function through its ten values with the
    least frequencies."""
    even, odd = _harmonics(name, manner)
    angle = 2.0 * np.pi * np.multiply.outer(np.asarray(phase, float), np.arange(6))
    return (np.cos(angle) * even - np.sin(angle) * odd).sum(-1)


@cache
def _harmonics(name: str, manner: str) -> tuple[np.ndarray, np.ndarray]:
    """(6,) factors of the cosines, and of the sines, of 0 to 5 turns in a stride."""
    values = np.fft.rfft(MANNERS[manner].table[name]) / 10.0
    weights = np.array([1.0, 2.0, 2.0, 2.0, 2.0, 1.0])
    return weights * values.real, weights * values.imag


def _swung(name: str, phase: float, swing: float, manner: str) -> float:
    """A column with its swings about the mean made larger or smaller."""
    mean = float(np.mean(MANNERS[manner].table[name]))
    return mean + swing * (float(over_stride(name, phase, manner)) - mean)


def walking_posture(phase: float, speed: float = FREE_SPEED, manner: str = "walk") -> Posture:
    """Angles of legs, arms and lower back at a share of the stride."""
    style = MANNERS[manner]
    swing = (speed / style.speed) ** style.lengthening
    posture: Posture = {}
    for side, shift in (("r", 0.0), ("l", 0.5)):
        at = (phase + shift) % 1.0
        hip = (
            float(over_stride("rotation", at, manner)),
            _swung("hip", at, swing, manner),
            -float(over_stride("adduction", at, manner)),
        )
        posture[f"hip{side}Jnt"] = hip
        posture[f"knee{side}Jnt"] = (0.0, max(_swung("knee", at, swing, manner), 0.0), 0.0)
        posture[f"ankle{side}Jnt"] = (0.0, float(over_stride("ankle", at, manner)), 0.0)
        posture[f"shoulder{side}Jnt"] = (
            float(over_stride("inward", at, manner)),
            _swung("shoulder", at, swing, manner),
            float(over_stride("raise", at, manner)),
        )
        posture[f"elbow{side}Jnt"] = (0.0, _swung("elbow", at, swing, manner), 0.0)
    posture["lowerbackJnt"] = tuple(
        float(over_stride(name, phase, manner)) * sign
        for name, sign in (("twist", 1.0), ("extension", -1.0), ("bend", 1.0))
    )
    return posture


def pelvis_turn(phase: float, manner: str = "walk") -> tuple[float, float, float]:
    """Turn of the pelvis against its heading, degrees about Z, Y, X: right side forward, forward, right side down."""
    return tuple(
        float(over_stride(name, phase, manner)) * sign
        for name, sign in (("turn", 1.0), ("tilt", -1.0), ("list", 1.0))
    )


@dataclass(frozen=True)
class Walk:
    """A gait of a model: where everything is over time."""

    model: Model
    gait: Gait

    @property
    def manner(self) -> Manner:
        """How the person goes."""
        return MANNERS[self.gait.manner]

    @cached_property
    def stride_time(self) -> float:
        """s: what the foot that bears goes back under the pelvis is what the body goes forward."""
        begin, end = self.manner.bears
        return (self._foot(begin) - self._foot(end)) / ((end - begin) * self.gait.speed)

    @property
    def rows(self) -> int:
        """Of a table that lasts `LASTS` s, after its first."""
        return int(np.ceil(LASTS / self.stride_time * ROWS))

    def _foot(self, phase: float) -> float:
        """m ahead of the pelvis of the point of the right foot that stays."""
        poses = self._poses(phase, 0.0)
        foot = next(body for body in self.model.bodies if body.name == "FootR")
        toes = max(e.position[0] + e.half_extent(0) for e in foot.ellipsoids)
        point = poses["FootR"] @ [self.manner.ball * toes, 0.0, 0.0, 1.0]
        return float(point[0] - poses["pelvis"][0, 3])

    def _poses(self, phase: float, heading: float) -> dict[str, np.ndarray]:
        """Bodies with the pelvis's origin over the world's, at whatever height."""
        z, y, x = pelvis_turn(phase, self.gait.manner)
        turn = (heading + z, y, x)
        poses = body_transforms(self.model, self.posture(phase), orientation=turn)
        shift = np.eye(4)
        shift[:2, 3] = -poses["pelvis"][:2, 3]
        return {name: shift @ pose for name, pose in poses.items()}

    def posture(self, phase: float) -> Posture:
        """Joint angles at a share of the stride."""
        return walking_posture(phase, self.gait.speed, self.gait.manner)

    def phase_at(self, time: float) -> float:
        """Share of the stride at a time (s)."""
        return (self.gait.phase + time / self.stride_time) % 1.0

    def orientation(self, time: float) -> tuple[float, float, float]:
        """Of the actor, degrees Z, Y, X."""
        z, y, x = pelvis_turn(self.phase_at(time), self.gait.manner)
        return (self.gait.heading + z, y, x)

    def pelvis(self, time: float) -> np.ndarray:
        """(3,) m of the pelvis's origin against where the centre of mass would be at the start: so high that the lowest
        point of the feet is on the floor (later `CLEARANCE` above it) or as high as the flight has it, and moving so
        that the centre of mass goes straight on at the speed."""
        phase = self.phase_at(time)
        poses = self._poses(phase, self.gait.heading)
        ahead = np.radians(self.gait.heading)
        gone = self.gait.speed * time * np.array([np.cos(ahead), np.sin(ahead)])
        share = min(max(time / RAISED, 0.0), 1.0)
        raised = CLEARANCE * share * share * (3.0 - 2.0 * share)
        height = poses["pelvis"][2, 3] + self.lift(phase, poses) + self.gait.floor + raised
        return np.array([*(gone - self._centre(poses)[:2]), height])

    def lift(self, phase: float, poses: dict[str, np.ndarray]) -> float:
        """m by which `_poses` are raised for a floor at 0: by their lowest point, or as high as the flight of the
        centre of mass between two steps has it."""
        grounded = -min(ellipsoid_bottoms(self.model, poses))
        leaves, step = self.manner.leaves, phase % 0.5
        if step <= leaves:
            return grounded
        seconds, share = (0.5 - leaves) * self.stride_time, (step - leaves) / (0.5 - leaves)
        begin, end = self._flight
        free = 0.5 * STANDARD_GRAVITY * seconds**2 * share * (1.0 - share)
        flown = (1.0 - share) * begin + share * end + free
        return max(flown - float(self._centre(poses)[2]), grounded)

    @cached_property
    def _flight(self) -> tuple[float, float]:
        """m of the centre of mass above the floor when a foot leaves it, and when the other strikes."""
        at = [self._poses(phase, 0.0) for phase in (self.manner.leaves, 0.5)]
        return tuple(float(self._centre(p)[2]) - min(ellipsoid_bottoms(self.model, p)) for p in at)

    def start_height(self) -> float:
        """m of the actor's origin over the floor at the start."""
        phase = self.gait.phase
        poses = self._poses(phase, self.gait.heading)
        origin = body_transforms(self.model, self.posture(phase), orientation=self.orientation(0.0))
        return self.lift(phase, poses) + float(poses["pelvis"][2, 3] - origin["pelvis"][2, 3])

    def _centre(self, poses: dict[str, np.ndarray]) -> np.ndarray:
        """(3,) centre of mass."""
        total = sum(body.mass for body in self.model.bodies)
        return (
            sum(
                body.mass * (poses[body.name] @ [*body.center_of_mass, 1.0])[:3] for body in self.model.bodies
            )
            / total
        )

    def root_rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """(velocity of the pelvis's origin, m/s; its turn rate in the world, rad/s), by central differences."""
        before, after = time - STEP, time + STEP
        velocity = (self.pelvis(after) - self.pelvis(before)) / (2.0 * STEP)
        turns = [matrix_from_zyx(self.orientation(at)) for at in (before, after)]
        return velocity, _turn_vector(turns[1] @ turns[0].T) / (2.0 * STEP)

    def joint_rates(self, time: float) -> dict[str, np.ndarray]:
        """Turn rate of each joint in child axes, rad/s, by central differences."""
        before, after = (self.posture(self.phase_at(at)) for at in (time - STEP, time + STEP))
        return {
            name: _turn_vector(matrix_from_zyx(angles).T @ matrix_from_zyx(after[name])) / (2.0 * STEP)
            for name, angles in before.items()
        }


def _turn_vector(small: np.ndarray) -> np.ndarray:
    """Rotation vector (rad) of a small rotation."""
    return 0.5 * np.array([small[2, 1] - small[1, 2], small[0, 2] - small[2, 0], small[1, 0] - small[0, 1]])


def follow_motors(walk: Walk) -> dict[str, Motor]:
    """Motors that walk on, with the rate of the table."""
    times = [round(k * walk.stride_time / ROWS, 5) for k in range(walk.rows + 1)]
    postures = [walk.posture(walk.phase_at(t)) for t in times]
    angles = {name: [_rounded(posture[name]) for posture in postures] for name in postures[0]}
    return following_motors(
        walk.model, times, angles, "Follows the gait table at 8 Hz; strength as of the response"
    )


def _rounded(values, digits: int = 3) -> tuple[float, ...]:
    return tuple(round(float(value), digits) + 0.0 for value in values)


def carried_root(walk: Walk) -> PrescribedMotion:
    """The root along the walk, until something touches the person."""
    rows = []
    for k in range(walk.rows + 1):
        time = k * walk.stride_time / ROWS
        velocity, omega = walk.root_rates(time)
        rows.append((round(time, 5), *_rounded(velocity, 5), *_rounded(omega, 5)))
    return PrescribedMotion(
        None,
        tuple(rows),
        release_at_contact=True,
        source=f"Carried along a {walk.gait.manner}. {walk.manner.source}",
    )


def walking(actor: Actor) -> Actor:
    """The actor as its gait has it at the start, at the place where it is; without a gait as it is."""
    if actor.gait is None:
        return actor
    walk = Walk(actor.model, actor.gait)
    posture = {name: _rounded(turn) for name, turn in walk.posture(actor.gait.phase).items()}
    turn = _rounded(walk.orientation(0.0))
    velocity, omega = walk.root_rates(0.0)
    low = lowest_point(actor.model, joint_angles=posture, orientation=turn)  # of the rounded angles
    height = np.ceil((actor.gait.floor + max(walk.start_height(), -low)) * 1e5) / 1e5
    own = {name: motor for name, motor in actor.motors.items() if name not in posture}
    return replace(
        actor,
        position=(actor.position[0], actor.position[1], float(height)),
        orientation=turn,
        velocity=_rounded(velocity, 5),
        angular_velocity=_rounded(omega, 5),
        joint_angles={name: turn for name, turn in actor.joint_angles.items() if name not in posture}
        | posture,
        joint_velocities={name: _rounded(rate, 5) for name, rate in walk.joint_rates(0.0).items()},
        motors=own | follow_motors(walk),
        prescribed=[carried_root(walk)],
    )
