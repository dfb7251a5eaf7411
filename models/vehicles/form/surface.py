"""The surface of a vehicle as one function f(x, y, z) in the actor frame, negative inside, in metres.

A side view, a plan and a section, each a curve of one coordinate, bound a lower body and a greenhouse; fillets join
them.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....engine.errors import EngineError
from ....engine.spec import Vehicle
from .curves import Blurred, cot, smooth_max, smooth_min
from .styles import style_of

EDGE_LEAN = math.radians(50.0)
"""The straight edge of the regulation leans back from the vertical by this."""
EDGE_LENGTH, EDGE_FOOT = 1.0, 0.6
"""m: its length, and its lower end above the ground."""
WRAP_OF_FLAT = 1.0
"""m: wrap-around distance that takes the place of the leading edge on a flat front."""
EDGE_TOLERANCE = 0.001
"""m: the front is lofted again until its leading edge lies this near the height asked for."""
MOST_FITS = 12
BLOCK = 100
"""Places along a vehicle that are looked at together, from the front backwards."""
NOSE = 0.11
"""m from the foremost point to the leading edge, about."""
LEAST_ROOF, LEAST_GLASS = 0.25, 0.2
"""m: shortest roof between windscreen and rear window, and least height of the glass above bonnet or boot; assumed."""


@dataclass(frozen=True)
class LeadingEdge:
    """Bonnet leading edge at one lateral position: (x, z) in m, and whether the straight edge touched with its upper
    end, so that the wrap-around distance decided."""

    x: float
    z: float
    is_flat: bool


class Form:
    """The surface of a vehicle, with the lines that its panels are laid out on. `nose_height` is what the loft uses
    for the height of the nose, so that the measured leading edge has the height asked for."""

    def __init__(self, vehicle: Vehicle, nose_height: float) -> None:
        self.vehicle, self.style = vehicle, style_of(vehicle)
        v, s = self.vehicle, self.style
        self.half = v.width / 2.0
        self.front, self.rear = v.front, v.rear
        self.cowl_x = v.front - NOSE - v.bonnet_length
        self.cowl_z = v.edge_height + v.bonnet_length * math.tan(math.radians(v.bonnet_angle))
        self.belt = self.cowl_z - s.belt_drop
        self.rear_belt = self.belt + s.belt_rise
        self.back_x0 = v.rear + s.deck_length
        self.back_z0 = self.belt + s.deck_rise
        self.arch = v.wheel_radius * 1.115 + 0.012
        self.cab_end = v.axles[0] - s.cab if s.cab else None
        self.roof_x = self.cowl_x - (v.height - self.cowl_z) * cot(v.screen_angle)
        self.roof_back = self.back_x0 + (v.height - self.back_z0) * cot(s.back_angle)
        self._check_roof()
        self._check_wheels()
        self._check_glass()
        self._make_lines(nose_height)

    def _check_wheels(self) -> None:
        """The wheels must lie between the foremost and the rearmost point."""
        v = self.vehicle
        for end, overhang in (("front", v.front_overhang), ("rear", v.axles[1] - v.rear)):
            if overhang < v.wheel_radius:
                raise EngineError(
                    f"the {end} wheels of the {v.kind} stick out of it: from their axle to its {end} end it is "
                    f"{overhang:.3g} m, their radius is {v.wheel_radius:g} m; correct the length, the wheelbase, the "
                    "front overhang or the wheel radius"
                )

    def _check_glass(self) -> None:
        """Windscreen and rear window must have a height between their feet and the roof."""
        v = self.vehicle
        for part, foot in (("bonnet", self.cowl_z), ("boot", self.back_z0)):
            if v.height - foot < LEAST_GLASS:
                raise EngineError(
                    f"the {part} of the {v.kind} rises to {foot:.3g} m, which leaves no glass below its roof at "
                    f"{v.height:g} m; make the vehicle higher, or its bonnet shorter, lower or flatter"
                )

    def _check_roof(self) -> None:
        """A roof must be left between the windscreen and the rear window."""
        if self.roof_x - self.roof_back < LEAST_ROOF:
            raise EngineError(
                f"the {self.vehicle.kind} has no roof left between windscreen and rear window; make it longer, its "
                "bonnet shorter or its windscreen steeper"
            )

    def _make_lines(self, nose_height: float) -> None:
        v, s = self.vehicle, self.style
        self.deck = Blurred(self._deck_knots(nose_height), 0.07)
        self.plan = Blurred(self._plan_knots(), 0.15)
        self.section = Blurred(self._section_knots(), 0.022)
        self.nose = Blurred(self._nose_knots(nose_height), 0.03)
        self.tail = Blurred(self._tail_knots(), 0.03)
        self.crease = Blurred(
            [
                (self.rear, self.rear_belt - 0.10),
                (v.axles[1] + 0.4, self.belt - 0.115 + 0.7 * s.belt_rise),
                (v.axles[0] - 0.35, self.belt - 0.145),
                (self.front, v.edge_height - 0.03),
            ],
            0.3,
        )
        middle = 0.5 * (self.roof_x + self.roof_back) - 0.1
        self.top = Blurred(
            [
                (self.cowl_x, v.height - 0.10),
                (self.roof_x, v.height - 0.035),
                (max(self.roof_x - 0.45, middle + 0.05), v.height),
                (middle, v.height - 0.004),
                (self.roof_back, v.height - s.roof_tail),
            ],
            0.22,
        )
        inner = self.half - s.side_tuck
        self.glass_plan = Blurred(
            [
                (self.cowl_x + 0.2, inner - (0.085 if not s.is_box else 0.06)),
                (self.cowl_x - 0.5, inner - 0.03),
                (min(-0.2, self.cowl_x - 0.7), inner - 0.022),
                (min(self.roof_back - 0.3, self.cowl_x - 0.9), inner - (0.025 if s.is_upright else 0.06)),
                (min(self.rear, self.cowl_x - 1.1), inner - (0.05 if s.is_upright else 0.17)),
            ],
            0.25,
        )

    def _deck_knots(self, nose: float) -> list[tuple[float, float]]:
        """Top of the lower body over x: bonnet, below the glass, boot."""
        v, s, front = self.vehicle, self.style, self.front
        middle = front - NOSE - 0.5 * v.bonnet_length
        cowl = self.cowl_z
        knots = [
            (front, nose + 0.005),
            (front - 0.10, nose + 0.045),
            (middle, 0.5 * (nose + cowl) + 0.048),
            (self.cowl_x, cowl + 0.012),
            (self.cowl_x - 0.35, self.belt + 0.055),
            (self.cowl_x - 0.8, self.belt + 0.06),
        ]
        if v.kind == "bus":
            knots = [(front, self.belt + 0.06), (front - 1.0, self.belt + 0.06)]
        back = self.rear_belt + 0.055
        if v.kind == "saloon":
            top = self.back_z0
            knots += [(self.back_x0 + 0.5, back), (self.back_x0, top + 0.008)]
            return knots + [(self.rear + 0.10, top - 0.012), (self.rear, top - 0.045)]
        if s.cab:
            return knots + [(self.cab_end - 0.1, back), (self.rear, back)]
        return knots + [(self.rear + 0.6, back), (self.rear, self.back_z0)]

    def _plan_knots(self) -> list[tuple[float, float]]:
        """Half width over x."""
        v, s, half = self.vehicle, self.style, self.half
        return [
            (self.front, half - (0.10 if not s.is_upright else 0.075)),
            (self.front - 0.45, half - 0.035),
            (v.axles[0] - 0.25, half - 0.006),
            (0.0, half),
            (v.axles[1] + 0.2, half - 0.004),
            (self.rear + 0.55, half - 0.03),
            (self.rear, half - (0.05 if s.is_upright else 0.11)),
        ]

    def _section_knots(self) -> list[tuple[float, float]]:
        """Departure of the side from the plan over z: sill, door, shoulder."""
        low, tall, tuck = self.vehicle.clearance, self.belt - self.vehicle.clearance, self.style.side_tuck
        return [
            (low - 0.05, -0.085),
            (low + 0.05, -0.050),
            (low + 0.10, -0.032),
            (low + 0.17, -0.034),
            (low + 0.25, -0.014),
            (low + 0.62 * tall, 0.0),
            (low + 0.80 * tall, -0.006),
            (low + 0.90 * tall, -0.016),
            (self.belt, -max(tuck, 0.02)),
            (self.belt + 0.12, -tuck - 0.05),
        ]

    def _nose_knots(self, nose: float) -> list[tuple[float, float]]:
        """Departure of the front from the foremost point over z."""
        v = self.vehicle
        back = 0.045 if self.style.is_upright and not self.style.is_box else 0.065
        knots = [
            (0.0, -0.16),
            (v.clearance, -0.075),
            (v.bumper_height - 0.10, -0.008),
            (v.bumper_height, 0.0),
            (v.bumper_height + 0.09, -0.012),
        ]
        if v.kind == "bus":  # a flat front whose lean decides how high the wrap-around line lies
            lean = max(0.0, 0.03 + 4.0 * (1.0 - nose))
            return knots + [(0.95, -lean), (v.height, -lean - (v.height - 0.95) * cot(v.screen_angle))]
        return knots + [
            (nose - 0.05, -back),
            (nose + 0.05, -0.10),
            (self.cowl_z + 0.05, -0.24),
            (v.height + 0.1, -0.6),
        ]

    def _tail_knots(self) -> list[tuple[float, float]]:
        """Departure of the rear from the rearmost point over z."""
        v, low = self.vehicle, self.vehicle.clearance
        if self.style.is_box or self.style.cab:
            return [
                (0.0, 0.15),
                (low, 0.06),
                (0.45, 0.005),
                (0.6, 0.0),
                (0.72, 0.03),
                (1.2, 0.04),
                (v.height, 0.10),
            ]
        belt_in = 0.065 if v.kind == "saloon" else 0.085
        return [
            (0.0, 0.20),
            (low, 0.10),
            (0.40, 0.015),
            (0.55, 0.0),
            (0.64, 0.010),
            (0.72, 0.045),
            (self.rear_belt, belt_in),
            (v.height, 0.13),
        ]

    def side_y(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Half width of the greenhouse."""
        up = z - self.belt
        lean = math.tan(math.radians(self.style.tumblehome))
        bend = 1.0 if self.style.is_box else 0.75 + 0.35 * np.clip(up, 0.0, 1.0) / 0.45
        return self.glass_plan(x) - up * lean * bend

    def body_y(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Half width of the lower body, with flared arches and a shoulder line that catches the light."""
        wide = self.plan(x) + self.section(z)
        for axle in self.vehicle.axles:
            off = np.hypot(x - axle, z - self.vehicle.wheel_radius) - self.arch
            wide = wide + 0.020 * np.exp(-((off / 0.085) ** 2))
        below = z - self.crease(x)
        return wide + 0.008 * np.tanh(below / 0.013) * np.exp(-((below / 0.11) ** 2))

    def screen_x(self, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Place of the windscreen."""
        v = self.vehicle
        if v.kind == "bus":
            return self.front + self.nose(z) - self._sweep(y)
        up = z - self.cowl_z
        bulge = 0.10 * up * (v.height - z)
        return self.cowl_x - up * cot(v.screen_angle) - 0.16 * y * y - 0.05 * np.abs(y) ** 3 + bulge

    def back_x(self, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Place of the rear window."""
        up = z - self.back_z0
        bulge = 0.16 * up * (self.vehicle.height - z)
        return self.back_x0 + up * cot(self.style.back_angle) + 0.14 * y * y - bulge

    def _sweep(self, y: np.ndarray) -> np.ndarray:
        return self.style.nose_sweep * np.clip(np.abs(y) / self.half, 0.0, 1.1) ** (
            3.5 if self.style.is_box else 2.2
        )

    def lower(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The lower body: bonnet, sides, nose, tail, floor."""
        v, s = self.vehicle, self.style
        q = np.clip(y / self.half, 0.0, 1.1)
        top = z - self.deck(x) + s.deck_crown * q**2.4
        on_bonnet = np.clip((x - self.cowl_x) / 0.2, 0.0, 1.0)
        top = top - 0.005 * (1.0 - np.tanh((y - 0.50 - 0.10 * (self.front - x)) / 0.02)) * on_bonnet
        side = y - self.body_y(x, z)
        front = (x - self.front - self.nose(z) + self._sweep(y)) * 0.97
        rear = self.rear + self.tail(z) + (0.03 if s.is_upright else 0.10) * q**2.4 - x
        body = smooth_max(top, side, 0.14)
        body = smooth_max(smooth_max(body, front, 0.17), rear, 0.13)
        return smooth_max(body, v.clearance - z, 0.10)

    def greenhouse(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Glass and roof above the belt line."""
        v, s = self.vehicle, self.style
        q = np.clip(y / self.half, 0.0, 1.1)
        roof = z - self.top(x) + 0.055 * q**2 * (1.2 if s.is_upright else 1.6)
        screen = (x - self.screen_x(y, z)) * math.sin(math.radians(v.screen_angle))
        back = (self.back_x(y, z) - x) * math.sin(math.radians(s.back_angle))
        side = (y - self.side_y(x, z)) * math.cos(math.radians(s.tumblehome))
        glass = smooth_max(smooth_max(screen, back, 0.05), side, 0.16 if not s.is_upright else 0.13)
        glass = smooth_max(glass, roof, 0.22 if s.is_box else 0.20 if not s.is_upright else 0.17)
        return smooth_max(glass, self.belt - 0.18 - z, 0.05)

    def filled(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The body with whatever load space it has filled: what can be touched from outside, but for a box body."""
        y = np.abs(y)
        join = 0.07 if self.vehicle.kind != "bus" else 0.02
        return smooth_min(self.lower(x, y, z), self.greenhouse(x, y, z), join)

    def __call__(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The sheet metal that is drawn: with an open bed, and without what is behind the cab of a truck."""
        body = self.filled(x, y, z)
        if self.vehicle.kind == "pickup":
            y = np.abs(y)
            bed = np.maximum(x - (self.cab_end - 0.10), self.rear + 0.11 - x)
            bed = np.maximum(bed, np.maximum(y - self.half + 0.15, 0.74 - z))
            body = smooth_max(body, -bed, 0.03)
        if self.vehicle.kind == "truck":
            body = smooth_max(body, self.cab_end - x, 0.06)
        return body

    def box_body(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Middle and half size (m) of the box behind the cab of a truck."""
        if self.vehicle.kind != "truck":
            return None
        low, high = self.vehicle.wheel_radius * 2 + 0.22, self.vehicle.height + 0.64
        front = self.cab_end - 0.10
        half = np.array([(front - self.rear) / 2.0, self.half + 0.04, (high - low) / 2.0])
        return np.array([(front + self.rear) / 2.0, 0.0, (low + high) / 2.0]), half

    def touched(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The solid that is touched from outside: load space filled, with the box body and the chassis of a truck."""
        body = self.filled(x, y, z)
        if self.vehicle.kind != "truck":
            return body
        centre, half = self.box_body()
        off = [np.abs(p - c) - h for p, c, h in zip((x, y, z), centre, half, strict=True)]
        box = smooth_max(smooth_max(off[0], off[1], 0.12), off[2], 0.12)
        chassis = np.maximum(np.abs(y) - 0.8, np.maximum(0.40 - z, z - centre[2]))
        chassis = np.maximum(chassis, np.maximum(self.rear + 0.05 - x, x - self.cab_end - 0.4))
        cab = smooth_max(body, self.cab_end - x, 0.10)
        return np.minimum(np.minimum(cab, box), chassis)

    def front_profile(self, y: float, heights: np.ndarray) -> np.ndarray:
        """x of the foremost point of the surface at heights z, at one lateral position; NaN above the surface."""
        x = np.linspace(self.front + 0.05, min(self.roof_x, self.front - 1.6), 900)
        place = np.full(len(heights), np.nan)
        left = np.arange(len(heights))  # heights at which nothing was met yet; most meet the front soon
        for start in range(0, len(x), BLOCK):
            at = x[max(start - 1, 0) : start + BLOCK]
            value = self.filled(at[None, :], np.array([[y]]), heights[left, None])
            inside = value < 0.0
            rows = np.flatnonzero(inside.any(axis=1))
            k = np.maximum(inside[rows].argmax(axis=1), 1)
            before, after = value[rows, k - 1], value[rows, k]
            share = np.clip(before / np.where(before == after, 1.0, before - after), 0.0, 1.0)
            place[left[rows]] = at[k - 1] + share * (at[k] - at[k - 1])
            left = np.delete(left, rows)
            if len(left) == 0:
                break
        return place

    def leading_edge(self, y: float = 0.0) -> LeadingEdge:
        """Bonnet leading edge at a lateral position, by the rule of UN Regulation 127 (see `engine.spec.Vehicle`)."""
        top = EDGE_FOOT + EDGE_LENGTH * math.cos(EDGE_LEAN)
        heights = np.linspace(EDGE_FOOT, top, 646)
        place = self.front_profile(y, heights)
        ahead = np.where(np.isnan(place), -np.inf, place + (heights - EDGE_FOOT) * math.tan(EDGE_LEAN))
        k = int(np.argmax(ahead))
        if k < len(heights) - 1:
            return LeadingEdge(float(place[k]), float(heights[k]), False)
        return LeadingEdge(*self.wrap_around(y, WRAP_OF_FLAT), True)

    def wrap_around(self, y: float, distance: float) -> tuple[float, float]:
        """(x, z) where a tape from the ground below the foremost point, kept taut over the front, is `distance` long.

        The tape lies on the upper convex hull of the side view at this lateral position.
        """
        path = self.tape(y)
        step = np.hypot(*np.diff(path, axis=0).T)
        at = np.concatenate([[0.0], np.cumsum(step)])
        return float(np.interp(distance, at, path[:, 0])), float(np.interp(distance, at, path[:, 1]))

    def tape(self, y: float) -> np.ndarray:
        """(n, 2) x, z of the tape: from the ground up to the foremost point and on over the convex hull."""
        heights = np.linspace(0.05, self.vehicle.height, 400)
        place = self.front_profile(y, heights)
        points = np.stack([place, heights], axis=1)[~np.isnan(place)]
        points = points[np.argmax(points[:, 0]) :]
        hull: list[np.ndarray] = []
        for p in points:
            while len(hull) > 1 and cross2(hull[-1] - hull[-2], p - hull[-1]) < 0.0:
                hull.pop()
            hull.append(p)
        return np.array([[hull[0][0], 0.0], *hull])


def cross2(a: np.ndarray, b: np.ndarray) -> float:
    """Area spanned by two vectors of the plane; positive when the second turns left."""
    return float(a[0] * b[1] - a[1] * b[0])


@lru_cache(maxsize=16)
def make_form(vehicle: Vehicle) -> Form:
    """The surface of a vehicle, its nose raised until the measured leading edge has the height asked for; kept, as
    contact, drawing and zones ask for the same one."""
    nose = vehicle.edge_height
    best: tuple[float, Form] | None = None
    for _ in range(MOST_FITS):
        form = Form(vehicle, nose)
        miss = vehicle.edge_height - form.leading_edge().z
        if best is None or abs(miss) < abs(best[0]):
            best = (miss, form)
        if abs(miss) < EDGE_TOLERANCE:
            break
        nose += miss
    return best[1]
