"""Moment arms of muscles by the generalized-force method: about a joint axis, or about joints that move together.

After Sherman, Seth and Delp 2013 (docs/derivations.md, Moment arms). A unit tension *pulling* along the path
has the generalized forces f. The motion that is asked about has the speeds C per unit of its own rate: 1 for the
joint's own coordinate, the ratio for every joint coupled to it (a column of the coupling matrix). The moment arm is
r = f' C.

Sign: r = -dl/dtheta. A positive r turns the joint the positive way when the muscle pulls.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.figure import Figure

from ...engine.maths.rotations import matrix_from_zyx
from ...engine.runs.muscle_paths import MuscleGeometry
from ...engine.spec import Model
from ...engine.spec.values import Vector
from ...io_json.csv_cells import text_cell
from ..colors import COMPONENTS
from ..plots.figures import STYLES, new_figure, styled

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
DIFFERENCE = 1e-6
"""rad: of the central difference that stands beside the moment arm."""
DEFAULT_RANGE = (-45.0, 45.0)
"""Degrees, for a joint without limits."""


@dataclass(frozen=True)
class Turn:
    """A joint's part in a motion: it turns by `ratio` times the motion's angle plus `offset` degrees, about an axis."""

    joint: str
    axis: Vector = (0.0, 1.0, 0.0)
    """Unit vector in the parent joint frame (T1); a joint with an axis has its own."""
    ratio: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class MomentArmCurve:
    """A muscle over a range of motion."""

    muscle: str
    motion: tuple[Turn, ...]
    angle: np.ndarray
    """(n,) degrees"""
    length: np.ndarray
    """(n,) m"""
    moment_arm: np.ndarray
    """(n,) m, from the generalized force"""
    difference: np.ndarray
    """(n,) m, -dl/dtheta by central differences: the same, found in another way"""

    HEADER = ("angle_deg", "length_m", "moment_arm_m", "minus_dl_dtheta_m")

    def rows(self) -> list[tuple[float, ...]]:
        """Lines of the table."""
        columns = (self.angle, self.length, self.moment_arm, self.difference)
        return [tuple(float(v) for v in row) for row in zip(*columns, strict=True)]


def joint_motion(model: Model, joint: str, axis: str = "y") -> tuple[Turn, ...]:
    """The motion of a joint about x, y or z of its frame, with all joints that the model couples to it."""
    turns = [Turn(joint, AXES[axis])]
    for turn in turns:
        for coupler in model.couplers:
            if coupler.leader == turn.joint and coupler.axis == axis:
                turns.append(Turn(coupler.follower, AXES[axis], coupler.ratio * turn.ratio,
                                  coupler.ratio * turn.offset + coupler.offset))  # fmt: skip
    return tuple(turns)


def joint_range(model: Model, joint: str, axis: str = "y") -> tuple[float, float]:
    """Degrees: the joint's limits about an axis, or a usual range where it has none."""
    found = next((j for j in model.joints if j.name == joint), None)
    if found is None or found.limits is None:
        return DEFAULT_RANGE
    place = 0 if found.kind.has_axis else ("xyz" if found.kind.by_functions else "zyx").index(axis)
    return float(found.limits.lower[place]), float(found.limits.upper[place])


@dataclass
class MomentArms:
    """Moment arms of the muscles of a model; other joints stay in `posture` (joint to Z, Y, X degrees)."""

    model: Model
    posture: Mapping[str, Vector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.geometry = MuscleGeometry(self.model)
        self._kinds = {joint.name: joint.kind for joint in self.model.joints}

    def place(self, motion: Iterable[Turn], angle: float) -> None:
        """Put the model where the motion has come to an angle (degrees)."""
        rotations: dict = dict(self.posture)
        for turn in motion:
            about = turn.ratio * angle + turn.offset
            kind = self._kinds.get(turn.joint)
            if kind is not None and kind.has_axis:
                rotations[turn.joint] = (about, 0.0, 0.0)
            elif kind is not None and kind.by_functions:
                base = np.array(self.posture.get(turn.joint, (0.0, 0.0, 0.0)))
                rotations[turn.joint] = tuple(np.where(turn.axis, about, base))
            else:
                base = matrix_from_zyx(self.posture.get(turn.joint, (0.0, 0.0, 0.0)))
                rotations[turn.joint] = rotation_about(turn.axis, np.radians(about)) @ base
        self.geometry.place(rotations)

    def coupling(self, motion: Iterable[Turn]) -> np.ndarray:
        """(nu,) C: all speeds per unit of the motion's rate, in the present posture."""
        return sum(
            turn.ratio * self.geometry.joint_speeds(turn.joint, np.array(turn.axis)) for turn in motion
        )

    def moment_arm(self, muscle: str, motion: Sequence[Turn]) -> float:
        """m, in the present posture: generalized force of a unit pull, times the coupling."""
        generalized_force = -self.geometry.jacobian(self.geometry.index(muscle))
        return float(generalized_force @ self.coupling(motion))

    def curve(self, muscle: str, motion: Sequence[Turn], angles: Iterable[float]) -> MomentArmCurve:
        """Lengths and moment arms over angles in degrees. KeyError for a name that is not there."""
        index, angles = self.geometry.index(muscle), np.array(list(angles), dtype=float)
        lengths, arms, differences = [], [], []
        step = np.degrees(DIFFERENCE)
        for angle in angles:
            around = []
            for side in (-1.0, 1.0):
                self.place(motion, angle + side * step)
                around.append(self.geometry.length(index))
            differences.append(-(around[1] - around[0]) / (2.0 * DIFFERENCE))
            self.place(motion, angle)
            lengths.append(self.geometry.length(index))
            arms.append(self.moment_arm(muscle, motion))
        return MomentArmCurve(
            muscle, tuple(motion), angles, np.array(lengths), np.array(arms), np.array(differences)
        )


def rotation_about(axis: Vector, angle: float) -> np.ndarray:
    """(3, 3) rotation by an angle (rad) about a unit vector (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def csv_text(curves: Sequence[MomentArmCurve]) -> str:
    """All curves as one table, the muscle in the first column."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("muscle", *MomentArmCurve.HEADER))
    for curve in curves:
        writer.writerows((text_cell(curve.muscle), *row) for row in curve.rows())
    return buffer.getvalue()


@styled
def plot_moment_arms(curves: Sequence[MomentArmCurve]) -> Figure:
    """Moment arm and length of muscles over one range of motion."""
    figure, axes = new_figure(2)
    for i, curve in enumerate(curves):
        look = {
            "color": COMPONENTS[i % len(COMPONENTS)],
            "linestyle": STYLES[i % len(STYLES)],
            "label": curve.muscle,
        }
        axes[0].plot(curve.angle, 1000.0 * curve.moment_arm, **look)
        axes[1].plot(curve.angle, 1000.0 * curve.length, **look)
    turns = ", ".join(f"{t.joint}" + (f" x {t.ratio:g}" if t.ratio != 1.0 else "") for t in curves[0].motion)
    axes[0].set_title(f"Moment arm about {turns} (r = -dl/dθ)")
    axes[0].set_ylabel("moment arm (mm)")
    axes[1].set_ylabel("path length (mm)")
    axes[1].set_xlabel("angle (degrees)")
    axes[0].legend()
    return figure
