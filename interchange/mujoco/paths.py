"""Springs, belts and muscles as spatial tendons over sites."""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from ...engine import spec
from ...engine.spec.muscles import Muscle, PathWrap, WrapSurface
from ..common.axes import transform
from ..common.findings import Findings
from ..common.hinges import note_moving_points
from .elements import add, numbers, pose
from .joints import State

OWN_CURVES = "its force follows MuJoCo's own curves, with a rigid tendon"
RANGE = (0.5, 1.5)
"""Fibre lengths, in optimal ones, for which MuJoCo gets the length of the unit."""


@dataclass
class Places:
    """Bodies as elements and where they stand at the start, by (actor, body) names; (None, None) is the world."""

    elements: dict[tuple[str | None, str | None], Element] = field(default_factory=dict)
    poses: dict[tuple[str | None, str | None], np.ndarray] = field(default_factory=dict)

    def site(self, actor: str | None, body: str | None, position: spec.Vector, name: str) -> None:
        """A site on a body."""
        key = (actor, body) if body is not None else (None, None)
        add(self.elements[key], "site", name=name, pos=position, size="0.002", group="4")

    def world(self, actor: str | None, body: str | None, position: spec.Vector) -> np.ndarray:
        """(3,) world place of a point at the start."""
        frame = self.poses[(actor, body) if body is not None else (None, None)]
        return frame[:3, :3] @ np.array(position, dtype=float) + frame[:3, 3]


@dataclass
class PathWriter:
    """Writes tendons, and the actuators of muscles."""

    tendons: Element
    actuators: Element
    places: Places
    state: State
    findings: Findings

    def spring(self, spring: spec.SpringDamper, actor: str | None, name: str) -> None:
        """A spring-damper is a tendon with stiffness; one that only pulls has slack from zero to its length."""
        self.findings.leave_out("spring", spring, "curve", "break_force")
        ends = [(point.actor or actor, point.body, point.position) for point in (spring.start, spring.end)]
        length = self._length(ends) if spring.rest_length is None else float(spring.rest_length)
        rest = (0.0, length) if spring.tension_only else length
        tendon = self._tendon(name, spring.stiffness, spring.damping, rest)
        self._sites(tendon, name, ends)

    def belt(self, belt: spec.Belt, actor: str | None, name: str) -> None:
        """Each run of a belt between clamped points is a tendon that only pulls."""
        points = [(point.actor or actor, point.body, point.position) for point in belt.points]
        clamps = [k for k, slips in enumerate(belt.slip) if not slips or k in (0, len(points) - 1)]
        runs = list(zip(clamps, clamps[1:], strict=False))
        if belt.break_force is not None:
            self.findings.add("belt", belt.name, "left out its break force")
        total = self._length(points)
        for k, (first, last) in enumerate(runs):
            run = points[first : last + 1]
            length = self._length(run) * (1.0 + belt.slack / total if total else 1.0)
            if not length > 0.0:
                continue
            label = name if len(runs) == 1 else f"{name}/{k}"
            tendon = self._tendon(label, belt.stiffness / length, belt.damping / length, (0.0, length))
            self._sites(tendon, label, run)

    def _tendon(self, name: str, stiffness: float, damping: float, rest: object) -> Element:
        values = {"stiffness": float(stiffness), "damping": float(damping), "springlength": rest}
        return add(self.tendons, "spatial", name=name, width="0.003", **values)

    def _sites(self, tendon: Element, name: str, points: list) -> None:
        for k, (actor, body, position) in enumerate(points):
            self.places.site(actor, body, position, f"{name}/{k}")
            add(tendon, "site", site=f"{name}/{k}")

    def _length(self, points: list) -> float:
        places = [self.places.world(*point) for point in points]
        return float(sum(np.linalg.norm(b - a) for a, b in zip(places, places[1:], strict=False)))

    # ------------------------------------------------ muscles

    def surface(self, surface: WrapSurface, model: spec.Model, actor: str, name: str) -> bool:
        """A wrap surface as a geom that nothing touches; False when MuJoCo does not wrap over its shape."""
        if surface.ellipsoid or surface.shape == "ellipsoid":
            self.findings.add(
                "wrap surface", surface.name, "left out: MuJoCo wraps over spheres and cylinders only"
            )
            return False
        frame = transform(surface.orientation, surface.position)
        size = [surface.radius]
        if surface.shape == "cylinder":
            size.append((surface.length or 2.0) / 2.0)
            if surface.length is not None:
                self.findings.add("wrap surface", surface.name, "MuJoCo wraps over a cylinder without ends")
        element = self.places.elements[(actor, surface.body)]
        nothing = {"contype": "0", "conaffinity": "0", "group": "4", "mass": "0"}
        add(element, "geom", name=name, type=surface.shape, size=size, **pose(frame), **nothing)
        return True

    def muscle(self, muscle: Muscle, actor: spec.Actor, name: str, surfaces: dict[str, WrapSurface]) -> None:
        """A muscle as a tendon through its points and over its surfaces, and MuJoCo's muscle on it."""
        note_moving_points(muscle, self.findings)
        tendon = add(self.tendons, "spatial", name=name, width="0.004", rgba="0.7 0.1 0.1 1")
        over = self._placed_wraps(muscle, actor.name, surfaces)
        for k, point in enumerate(muscle.path):
            self.places.site(actor.name, point.body, point.position, f"{name}/{k}")
            add(tendon, "site", site=f"{name}/{k}")
            if k in over:
                wrap = over[k]
                side = self._side_site(wrap, surfaces[wrap.surface], actor.name, f"{name}/{k}/side")
                add(tendon, "geom", geom=f"{actor.name}/{wrap.surface}", sidesite=side)
        self._actuator(muscle, name)

    def _placed_wraps(
        self, muscle: Muscle, actor: str, surfaces: dict[str, WrapSurface]
    ) -> dict[int, PathWrap]:
        """Stretch of the path to the one surface that MuJoCo can have there."""
        placed: dict[int, PathWrap] = {}
        for wrap in muscle.wraps:
            surface = surfaces.get(wrap.surface)
            if surface is None:
                self.findings.add("muscle", muscle.name, "it does not wrap over what is left out")
                continue
            stretch = wrap.segment if wrap.segment is not None else self._nearest(muscle, actor, surface)
            if wrap.segment is None and len(muscle.path) > 2:
                self.findings.add(
                    "muscle", muscle.name, "it wraps where its path passes nearest to the surface only"
                )
            if stretch in placed:
                self.findings.add(
                    "muscle", muscle.name, "MuJoCo wraps a stretch over one surface only: the first"
                )
                continue
            placed[stretch] = wrap
        return placed

    def _nearest(self, muscle: Muscle, actor: str, surface: WrapSurface) -> int:
        """The stretch of a path whose line passes nearest to a surface's centre at the start."""
        centre = self.places.world(actor, surface.body, surface.position)
        points = [self.places.world(actor, p.body, p.position) for p in muscle.path]
        distances = []
        for a, b in zip(points, points[1:], strict=False):
            along = b - a
            share = float(np.clip((centre - a) @ along / max(float(along @ along), 1e-30), 0.0, 1.0))
            distances.append(float(np.linalg.norm(a + share * along - centre)))
        return int(np.argmin(distances))

    def _side_site(self, wrap: PathWrap, surface: WrapSurface, actor: str, name: str) -> str | None:
        """A site outside the surface on the side where the path must pass."""
        if wrap.side is None:
            return None
        out = np.array(wrap.side, dtype=float) / np.linalg.norm(wrap.side) * 1.5 * surface.radius
        place = np.array(surface.orientation, dtype=float) @ out + np.array(surface.position, dtype=float)
        self.places.site(actor, surface.body, tuple(place), name)
        return name

    def _actuator(self, muscle: Muscle, name: str) -> None:
        """MuJoCo's muscle; optimal length and slack length are given through the range of lengths. An actuator of ours
        is a motor on the tendon, which pulls where its gear is negative."""
        if muscle.form == "actuator":
            force = -muscle.max_isometric_force
            limits = {"ctrllimited": "true", "ctrlrange": "0 1"}
            add(self.actuators, "motor", name=name, tendon=name, gear=numbers([force]), **limits)
            self.state.ctrl.append(_tone(muscle))
            return
        self.findings.add("muscle", muscle.name, OWN_CURVES)
        if muscle.excitation.curve is not None or muscle.excitation.reflex is not None:
            self.findings.add("muscle", muscle.name, "its excitation is a constant")
        optimal = muscle.optimal_fibre_length * float(np.cos(np.radians(muscle.pennation)))
        lengths = [muscle.tendon_slack_length + share * optimal for share in RANGE]
        activation = muscle.activation
        add(
            self.actuators,
            "muscle",
            name=name,
            tendon=name,
            force=muscle.max_isometric_force,
            lengthrange=lengths,
            range=numbers(RANGE),
            vmax=muscle.max_contraction_velocity,
            timeconst=(activation.rise_time, activation.fall_time),
        )
        tone = _tone(muscle)
        self.state.ctrl.append(tone)
        self.state.act.append(tone if activation.start is None else float(activation.start))


def _tone(muscle: Muscle) -> float:
    """Excitation at the start."""
    excitation = muscle.excitation
    return float(excitation.tone if excitation.curve is None else excitation.curve[0][1])
