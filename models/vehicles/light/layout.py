"""Points of a two-wheeler, wheelchair or pram that its model, its picture and its rider go by."""

import math
from dataclasses import dataclass

import numpy as np

from ....engine.spec import LightVehicle

FLIP = np.array([1.0, -1.0, 1.0])
"""To the mirror image on the right."""


@dataclass(frozen=True)
class Layout:
    """Points (3,) in the actor frame, m; those of a pair are the left ones."""

    front: np.ndarray
    """Front axle; of castors the left one's."""
    rear: np.ndarray
    axis: np.ndarray
    """Unit vector of the steering axis, upward."""
    pivot: np.ndarray
    """Middle of the steering head on that axis."""
    seat: np.ndarray
    """Middle of the top of the seat, where the sit bones are."""
    grip: np.ndarray
    """Middle of the grip."""
    foot: np.ndarray
    """Where the sole stands: pedal down, peg or floor."""
    other_foot: np.ndarray
    """The same on the right, y negative: a pedal that is up, or the mirror image."""
    crank: np.ndarray
    """Crank axle; of what has none, the engine's middle or the seat's underside."""

    def on_axis(self, height: float) -> np.ndarray:
        """Point of the steering axis at a height (m)."""
        return self.pivot + (height - self.pivot[2]) / self.axis[2] * self.axis


PROPORTIONS = {
    "city_bicycle": (0.46, 0.285, 69.0, 0.165),
    "race_bicycle": (0.405, 0.270, 73.5, 0.170),
    "child_bicycle": (0.36, 0.250, 70.0, 0.125),
}
"""Bicycle to: rear axle to crank axle (m), its height (m), angle of the seat tube (degrees), length of a crank (m)."""


def layout(vehicle: LightVehicle) -> Layout:
    """Points of a vehicle."""
    angle = math.radians(vehicle.head_angle)
    axis = np.array([-math.cos(angle), 0.0, math.sin(angle)])
    x_front, x_rear = vehicle.axles
    half = vehicle.track / 2.0
    ground = np.array([x_front + vehicle.trail, 0.0, 0.0])
    front = np.array([x_front, 0.0, vehicle.front_radius])
    rear = np.array([x_rear, half, vehicle.rear_radius])
    make = {"motorcycle": _motorcycle, "scooter": _scooter, "wheelchair": _chair, "pram": _pram}
    points = make.get(vehicle.kind, _bicycle)(vehicle, ground, axis)
    if half:
        front[1] = half - CASTOR_INSET
    return Layout(front=front, rear=rear, axis=axis, **points)


CASTOR_INSET = 0.06
"""m by which castors stand nearer to the middle than the rear wheels."""


def _at(ground: np.ndarray, axis: np.ndarray, height: float) -> np.ndarray:
    """Point of the steering axis at a height."""
    return ground + height / axis[2] * axis


def _bicycle(vehicle: LightVehicle, ground: np.ndarray, axis: np.ndarray) -> dict[str, np.ndarray]:
    stay, height, angle, arm = PROPORTIONS.get(vehicle.kind, PROPORTIONS["city_bicycle"])
    crank = np.array(
        [vehicle.axles[1] + math.sqrt(stay**2 - (height - vehicle.rear_radius) ** 2), 0.0, height]
    )
    back = (vehicle.seat_height - height) / math.tan(math.radians(angle))
    seat = np.array([crank[0] - back, 0.0, vehicle.seat_height])
    head = _at(ground, axis, vehicle.bar_height - 0.06)
    reach = {"race_bicycle": 0.165, "child_bicycle": -0.03}.get(vehicle.kind, -0.10)
    inset = 0.0 if vehicle.kind == "race_bicycle" else 0.055
    grip = np.array([head[0] + reach, vehicle.bar_width / 2.0 - inset, vehicle.bar_height])
    foot = crank + np.array([0.0, 0.135, -arm + 0.012])
    other = crank + np.array([0.0, -0.135, arm + 0.012])
    return {
        "pivot": _at(ground, axis, vehicle.bar_height - 0.22), "seat": seat, "grip": grip, "foot": foot,
        "other_foot": other, "crank": crank,
    }  # fmt: skip


def _motorcycle(vehicle: LightVehicle, ground: np.ndarray, axis: np.ndarray) -> dict[str, np.ndarray]:
    head = _at(ground, axis, vehicle.bar_height)
    seat = np.array([-0.13 * vehicle.wheelbase, 0.0, vehicle.seat_height])
    grip = np.array([head[0] - 0.06, vehicle.bar_width / 2.0 - 0.065, vehicle.bar_height])
    foot = np.array([-0.125 * vehicle.wheelbase, 0.255, 0.36])
    return {
        "pivot": _at(ground, axis, vehicle.bar_height - 0.20), "seat": seat, "grip": grip, "foot": foot,
        "other_foot": foot * FLIP, "crank": np.array([0.04 * vehicle.wheelbase, 0.0, 0.46]),
    }  # fmt: skip


def _scooter(vehicle: LightVehicle, ground: np.ndarray, axis: np.ndarray) -> dict[str, np.ndarray]:
    head = _at(ground, axis, vehicle.bar_height)
    seat = np.array([-0.24 * vehicle.wheelbase, 0.0, vehicle.seat_height])
    grip = np.array([head[0] - 0.03, vehicle.bar_width / 2.0 - 0.065, vehicle.bar_height])
    foot = np.array([0.10 * vehicle.wheelbase, 0.11, 0.275])
    return {
        "pivot": _at(ground, axis, vehicle.bar_height - 0.28), "seat": seat, "grip": grip, "foot": foot,
        "other_foot": foot * FLIP, "crank": np.array([vehicle.axles[1] + 0.13, 0.0, vehicle.rear_radius + 0.03]),
    }  # fmt: skip


def _chair(vehicle: LightVehicle, ground: np.ndarray, axis: np.ndarray) -> dict[str, np.ndarray]:
    seat = np.array([vehicle.axles[1] + 0.17, 0.0, vehicle.seat_height])
    grip = np.array([vehicle.axles[1] - 0.10, vehicle.bar_width / 2.0, vehicle.bar_height])
    foot = np.array([vehicle.axles[0] + 0.22, 0.10, 0.13])
    return {
        "pivot": ground + np.array([0.0, vehicle.track / 2.0 - CASTOR_INSET, 2.0 * vehicle.front_radius + 0.05]),
        "seat": seat, "grip": grip, "foot": foot, "other_foot": foot * FLIP, "crank": seat - (0.0, 0.0, 0.05),
    }  # fmt: skip


def _pram(vehicle: LightVehicle, ground: np.ndarray, axis: np.ndarray) -> dict[str, np.ndarray]:
    seat = np.array([0.03, 0.0, vehicle.seat_height])
    grip = np.array([vehicle.axles[1] - 0.30, vehicle.bar_width / 4.0, vehicle.bar_height])
    return {
        "pivot": ground + np.array([0.0, vehicle.track / 2.0 - CASTOR_INSET, 2.0 * vehicle.front_radius + 0.04]),
        "seat": seat, "grip": grip, "foot": seat, "other_foot": seat, "crank": seat - (0.0, 0.0, 0.05),
    }  # fmt: skip
