"""One motion of a joint, and what a person has authored for it: the one place that knows which field counts.

A joint that turns and slides by different motions has what acts on its sliding in `Joint.slide`; every other motion has
it in the joint's own fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .joint_types import Motion
from .model import AxisLimits, Joint, JointBreak, JointFriction, JointSpring, Motor, SlideLimits


@dataclass(frozen=True)
class JointPart:
    """One motion of a joint."""

    joint: Joint
    motion: Motion

    @property
    def is_slide(self) -> bool:
        """Whether what acts is in `Joint.slide`."""
        return self.motion.slides and self.joint.kind.has_both

    def coordinate(self, typed: Sequence[float]) -> float:
        """rad or m: its own of the three numbers that a person gives (angles Z, Y, X; ways x, y, z)."""
        return self.motion.coordinate(self.joint.kind.typed(self.motion, typed, typed))

    def damping(self, default: float) -> float:
        """N m s/rad, or N s/m where it slides. default: N m s/rad of a joint that gives none."""
        if self.is_slide:
            return float(self.joint.slide.damping) if self.joint.slide else 0.0
        if self.joint.damping is None:
            return float(default) if self.motion.turns else 0.0
        return float(self.joint.damping)

    @property
    def limits(self) -> AxisLimits | SlideLimits | None:
        """Range of its coordinate, as authored; None where it has none."""
        if self.is_slide:
            return self.joint.slide.limits if self.joint.slide else None
        return self.joint.limits

    @property
    def friction(self) -> JointFriction | None:
        """Its friction; N where it slides."""
        if not self.is_slide:
            return self.joint.friction
        slide = self.joint.slide
        return JointFriction(slide.friction) if slide and slide.friction > 0.0 else None

    def motor(self, own: Motor | None) -> Motor | None:
        """Its motor. own: an actor's in place of the joint's."""
        if self.is_slide:
            return self.joint.slide.motor if self.joint.slide else None
        return own or self.joint.motor

    def has_axis(self, axis: str) -> bool:
        """Whether an axis of the joint, by name, is one of this motion."""
        found = self.joint.kind.motion_of(axis)
        return found is not None and self.joint.kind.motions[found] == self.motion

    @property
    def springs(self) -> list[JointSpring]:
        """Those in its axes."""
        return [spring for spring in self.joint.springs if self.has_axis(spring.axis)]

    @property
    def breaks(self) -> list[JointBreak]:
        """Where it gives way by itself; of the last motion also where all by which the joint turns do together."""
        is_last = self.motion == self.joint.kind.motions[-1]
        return [b for b in self.joint.breaks if (is_last if b.axis is None else self.has_axis(b.axis))]
