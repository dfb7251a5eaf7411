"""Bicycles as they are drawn: city, racing and child's."""

import math

import numpy as np

from ....engine.spec import LightVehicle
from .layout import Layout
from .sections import sections
from .tubes import Sketch, arc, chain_loop, flat_ring, loft, smooth
from .wheels import wire_wheel

Parts = dict[str, tuple[Sketch, np.ndarray | None]]


def two_wheeler(p: Layout, frame: Sketch, fork: Sketch, front: Sketch, rear: Sketch) -> Parts:
    """Body to what is drawn of it, wheels about their axles."""
    return {
        "frame": (frame, None),
        "fork": (fork, None),
        "front_wheel": (front, p.front),
        "rear_wheel": (rear, p.rear),
    }


def draw_bicycle(vehicle: LightVehicle, p: Layout) -> Parts:
    """Frame, fork and wheels of a bicycle."""
    is_race = vehicle.kind == "race_bicycle"
    frame, fork = Sketch(), Sketch()
    add_frame(frame, vehicle, p)
    add_saddle(frame, p, is_race)
    add_drive(frame, p, is_race)
    add_fork(fork, vehicle, p)
    (add_drop_bar if is_race else add_bar)(fork, vehicle, p)
    if is_race:
        add_bottle(frame, p)
    else:
        add_guards(frame, fork, vehicle, p)
        add_lamps(frame, fork, vehicle, p)
    if vehicle.kind == "city_bicycle":
        add_rack(frame, p)
    rims = "dark" if is_race else "metal"
    spokes = 24 if is_race or vehicle.kind == "child_bicycle" else 36
    front = wire_wheel(vehicle.front_radius, vehicle.front_tyre, spokes, 0.045, rims)
    rear = wire_wheel(vehicle.rear_radius, vehicle.rear_tyre, spokes, 0.058, rims)
    return two_wheeler(p, frame, fork, front, rear)


def head_ends(p: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Top and bottom of the steering head."""
    return p.on_axis(p.pivot[2] + 0.085), p.on_axis(p.pivot[2] - 0.085)


def add_frame(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Tubes of the frame with their joints."""
    top, low = head_ends(p)
    is_race = vehicle.kind == "race_bicycle"
    thick = 0.0165 if is_race else 0.0185
    cluster = p.crank + (0.86 if is_race else 0.72) * (p.seat - p.crank)
    out.tube("paint", [top + 0.01 * p.axis, low - 0.01 * p.axis], 0.0205, 20)
    for end, way in ((top, 1.0), (low, -1.0)):
        out.tube("chrome", [end, end + way * 0.016 * p.axis], 0.0235, 20)
    into = 0.03 * p.axis
    if is_race:
        out.tube("paint", [cluster, top - into], thick, 16)
    else:
        middle = 0.5 * (cluster + low) + np.array([0.0, 0.0, -0.10])
        out.tube("paint", smooth([cluster - 0.25 * (cluster - p.crank), middle, low + into], 10), thick, 16)
    out.tube("paint", [p.crank, low + into], thick + 0.003, 16)
    out.tube("paint", [p.crank, cluster + 0.03 * (p.seat - p.crank)], thick, 16)
    out.revolve("paint", [(0.0, 0.036), (0.024, 0.036), (0.024, -0.036), (0.0, -0.036)], 24, p.crank)
    dropout = p.rear + np.array([0.0, 0.066, 0.0])
    stay = [p.crank + (-0.02, 0.028, 0.0), 0.6 * p.crank + 0.4 * dropout + (0.0, 0.016, 0.0), dropout]
    out.tube("paint", smooth(stay), np.linspace(0.011, 0.008, 13), 12, mirror=True)
    upper = [cluster + (0.0, 0.022, -0.01), 0.5 * (cluster + dropout) + (0.0, 0.012, 0.0), dropout]
    out.tube("paint", smooth(upper), 0.0075, 12, mirror=True)
    out.pebble("paint", dropout, (0.024, 0.004, 0.022), 3.0, 8, mirror=True)
    out.tube("steel", [p.rear + (0.0, 0.080, 0.0), p.rear - (0.0, 0.080, 0.0)], 0.005, 10)
    out.pebble("chrome", p.rear + (0.0, 0.078, 0.0), (0.011, 0.006, 0.011), 2.5, 8, mirror=True)
    out.tube("chrome", [cluster, p.seat - (0.0, 0.0, 0.05)], 0.0135, 14)
    out.tube("dark", [cluster + 0.02 * (p.seat - p.crank), cluster + 0.045 * (p.seat - p.crank)], 0.022, 14)


def add_saddle(out: Sketch, p: Layout, is_race: bool) -> None:
    """Saddle on its rails."""
    wide, long = (0.066, 0.27) if is_race else (0.095, 0.25)
    s = p.seat
    nose, tail = s + (long * 0.60, 0.0, -0.022), s + (-long * 0.44, 0.0, -0.010)
    saddle = [
        (tail + (-0.012, 0.0, -0.012), 0.5 * wide, 0.010),
        (tail, 0.92 * wide, 0.020),
        (s + (-0.05, 0.0, -0.022), wide, 0.024),
        (s + (0.03, 0.0, -0.024), 0.62 * wide, 0.023),
        (s + (0.10, 0.0, -0.024), 0.026, 0.020),
        (nose, 0.020, 0.015),
        (nose + (0.012, 0.0, -0.004), 0.008, 0.007),
    ]
    out.loft("dark" if is_race else "cabin", saddle, 2.4, 28)
    rail = smooth(
        [
            nose + (-0.03, 0.012, -0.012),
            s + (0.05, 0.02, -0.06),
            s + (-0.03, 0.022, -0.06),
            tail + (0.03, 0.03, -0.025),
        ]
    )
    out.tube("steel", rail, 0.0035, 8, mirror=True)
    out.pebble("dark", s + (0.0, 0.0, -0.06), (0.022, 0.028, 0.014), 3.0, 8)
    if not is_race:
        for y in (0.045, -0.045):
            coil = [
                (s[0] - 0.075 + 0.010 * math.cos(a), y + 0.010 * math.sin(a), s[2] - 0.066 + 0.0019 * a)
                for a in np.linspace(0.0, 8.0 * math.pi, 60)
            ]
            out.tube("chrome", coil, 0.0022, 6)


def add_drive(out: Sketch, p: Layout, is_race: bool) -> None:
    """Chain ring, cranks, pedals, chain and sprocket, on the right."""
    y = -0.050
    large, small = (0.094, 0.034) if is_race else (0.082, 0.038)
    ring = p.crank * (1.0, 0.0, 1.0) + (0.0, y, 0.0)
    sprocket = p.rear * (1.0, 0.0, 1.0) + (0.0, y, 0.0)
    out.revolve("steel", flat_ring(large, 0.80 * large, 0.002), 48, ring)
    for k in range(5):
        a = 2.0 * math.pi * k / 5.0
        at = np.array([math.cos(a), 0.0, math.sin(a)])
        out.tube("metal", [ring, ring + 0.84 * large * at], [0.012, 0.007], 8)
    for k in range(44):
        a = 2.0 * math.pi * k / 44.0
        tooth = ring + (large + 0.001) * np.array([math.cos(a), 0.0, math.sin(a)])
        out.pebble("steel", tooth, (0.003, 0.0015, 0.003), 2.0, 4)
    cogs = range(9) if is_race else range(1)
    for k in cogs:
        size, at = small + (0.0023 * k), sprocket + (0.0, 0.004 * k, 0.0)
        out.revolve("steel", flat_ring(size, 0.012, 0.001, is_closed=False), 32, at)
    loop = chain_loop(ring, sprocket, large + 0.003, small + 0.003)
    inner = _links(loop)
    for a, b in zip(inner, inner[1:], strict=False):
        out.tube("dark", [a, b], 0.0036, 6)
    for foot, side in ((p.foot, 1.0), (p.other_foot, -1.0)):
        pin = foot * (1.0, 0.0, 1.0) + (0.0, 0.078 * side, -0.012)
        start = p.crank + (0.0, 0.062 * side, 0.0)
        out.tube(
            "metal",
            smooth([start, 0.5 * (start + pin) + (0.0, 0.004 * side, 0.0), pin]),
            np.linspace(0.013, 0.009, 13),
            12,
        )
        out.pebble("metal", start, (0.019, 0.011, 0.019), 2.5, 8)
        add_pedal(out, foot - (0.0, 0.0, 0.012), side, is_race)
    if not is_race:
        add_chain_case(out, ring, sprocket, large + 0.022, small + 0.02)
    else:
        add_derailleur(out, sprocket, small)


def _links(loop: np.ndarray) -> np.ndarray:
    """Points of a chain's way at equal distances of 25.4 mm."""
    step = np.linalg.norm(np.diff(loop, axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(step)])
    at = np.linspace(0.0, way[-1], max(3, round(way[-1] / 0.0254)) + 1)
    return np.stack([np.interp(at, way, loop[:, k]) for k in range(3)], axis=1)


def add_chain_case(out: Sketch, ring: np.ndarray, sprocket: np.ndarray, large: float, small: float) -> None:
    """Guard above the chain."""
    y = ring[1] - 0.016
    rise = np.array([0.0, 0.0, 1.0])
    front = arc(ring, large, -10.0, 95.0, 14)
    back = sprocket + small * rise
    path = np.concatenate([front, [back + (0.06, 0.0, 0.0)], [back + (-0.01, 0.0, -0.004)]])
    path[:, 1] = y
    out.strip("dark", path, (0.0, 0.018, 0.0), (0.0, 0.0, 0.0012))
    low = path.copy()
    low[:, 2] -= np.linspace(0.052, 0.040, len(path))
    low[:14] = arc(ring, 0.45 * large, -10.0, 95.0, 14)
    low[:, 1] = y - 0.018
    path = path.copy()
    path[:, 1] = y - 0.018
    n = len(path)
    points = np.concatenate([path, low, path + (0.0, 0.002, 0.0), low + (0.0, 0.002, 0.0)])
    i = np.arange(n - 1)
    face = np.stack([i, i + n, i + n + 1, i + 1], axis=1)
    other = np.stack([i + 2 * n, i + 2 * n + 1, i + 3 * n + 1, i + 3 * n], axis=1)
    out.add(points, np.concatenate([face, other]), "dark", flat=True)


def add_derailleur(out: Sketch, sprocket: np.ndarray, small: float) -> None:
    """Two jockey wheels in their cage below the sprockets."""
    upper, lower = sprocket + (0.012, 0.0, -0.07), sprocket + (0.028, 0.0, -0.13)
    for at in (upper, lower):
        out.revolve("dark", flat_ring(0.02, 0.004, 0.003, is_closed=False), 20, at)
    out.tube("metal", [upper - (0.0, 0.008, 0.0), lower - (0.0, 0.008, 0.0)], 0.006, 8)
    out.tube("metal", [sprocket - (0.0, 0.02, 0.0), upper - (0.0, 0.014, 0.0)], 0.010, 8)


def add_pedal(out: Sketch, at: np.ndarray, side: float, is_race: bool) -> None:
    """A pedal on its axle, with reflectors."""
    out.tube("steel", [at - (0.0, 0.06 * side, 0.0), at + (0.0, 0.045 * side, 0.0)], 0.006, 8)
    if is_race:
        out.pebble("dark", at, (0.042, 0.032, 0.011), 3.0, 10)
        return
    for x in (0.042, -0.042):
        out.box("dark", at + (x, 0.0, 0.0), (0.007, 0.046, 0.011), flat=True)
        out.box("indicator", at + (1.18 * x, 0.0, 0.0), (0.001, 0.022, 0.007), flat=True)
    for y in (0.040, -0.040):
        out.box("dark", at + (0.0, y, 0.0), (0.042, 0.006, 0.010), flat=True)
    out.pebble("dark", at, (0.016, 0.04, 0.013), 2.5, 8)


def add_fork(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Fork blades, crown, stem and the brake at the crown."""
    _, low = head_ends(p)
    crown = p.on_axis(vehicle.front_radius * 2.0 + 0.03)
    tip = p.front + np.array([0.0, 0.052, 0.0])
    along = (tip - crown) / np.linalg.norm(tip - crown)
    knee = crown + 0.62 * (vehicle.front_radius + 0.03) * np.array([-p.axis[0], 0.0, -p.axis[2]])
    path = smooth([crown + (0.0, 0.046, 0.0), knee + (0.0, 0.050, 0.0), tip - 0.04 * along, tip], 8)
    out.tube("paint", path, np.linspace(0.0135, 0.0075, len(path)), 14, mirror=True)
    out.pebble("paint", crown + (0.0, 0.0, 0.004), (0.024, 0.062, 0.020), 2.8, 12)
    out.tube("paint", [crown, low], 0.0165, 14)
    out.tube("steel", [p.front + (0.0, 0.072, 0.0), p.front - (0.0, 0.072, 0.0)], 0.005, 10)
    out.pebble("chrome", p.front + (0.0, 0.066, 0.0), (0.011, 0.006, 0.011), 2.5, 8, mirror=True)
    add_caliper(out, crown, vehicle.front_radius, p.front)


def add_caliper(out: Sketch, crown: np.ndarray, radius: float, axle: np.ndarray) -> None:
    """Side-pull brake over the tyre."""
    at = crown + np.array([0.028, 0.0, -0.006])
    arm = smooth([at, at + (0.006, 0.030, -0.012), at + (0.004, 0.034, -0.040), at + (0.0, 0.022, -0.056)])
    out.tube("metal", arm, 0.0055, 8, mirror=True)
    out.pebble("dark", at + (0.0, 0.019, -0.058), (0.022, 0.006, 0.006), 3.0, 8, mirror=True)


def add_bar(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Upright bar with grips, levers, bell and cables."""
    top, _ = head_ends(p)
    clamp = p.on_axis(vehicle.bar_height - 0.02) + np.array([0.035, 0.0, 0.0])
    out.tube("chrome", smooth([top, p.on_axis(vehicle.bar_height - 0.05), clamp]), 0.0125, 14)
    out.pebble("chrome", clamp, (0.020, 0.026, 0.020), 2.6, 10)
    end = p.grip + np.array([-0.055, 0.055, -0.006])
    start = p.grip + np.array([0.055, -0.045, 0.004])
    half = [
        clamp,
        clamp + (0.012, 0.35 * p.grip[1], 0.012),
        0.35 * clamp + 0.65 * start + (0.02, 0.02, 0.01),
        start,
        end,
    ]
    half[2][1] = 0.72 * p.grip[1]
    out.tube("chrome", smooth(half, 8), 0.011, 14, mirror=True)
    along = (end - start) / np.linalg.norm(end - start)
    grip = np.array([start + f * (end - start) for f in (0.0, 0.05, 0.5, 0.95, 1.0)])
    out.tube("rubber", grip, [0.0165, 0.0155, 0.0165, 0.0155, 0.018], 16, mirror=True)
    lever = smooth(
        [start - 0.03 * along, start + (0.035, -0.004, -0.012), end + (0.04, -0.01, -0.016) - 0.02 * along]
    )
    out.tube("metal", lever, np.linspace(0.007, 0.005, len(lever)), 8, mirror=True)
    out.pebble(
        "dark", start - 0.025 * along + (0.008, 0.0, -0.008), (0.020, 0.014, 0.013), 2.6, 8, mirror=True
    )
    bell = np.array([start[0] + 0.05, -0.62 * p.grip[1], start[2] + 0.024])
    out.pebble("chrome", bell, (0.026, 0.026, 0.018), 2.2, 10)
    crown = p.on_axis(vehicle.front_radius * 2.0 + 0.05) + np.array([0.03, 0.0, 0.0])
    for side in (1.0, -1.0):
        from_lever = (start - 0.03 * along) * np.array([1.0, side, 1.0])
        cable = smooth(
            [from_lever, clamp + (0.12, 0.10 * side, 0.03), clamp + (0.10, 0.03 * side, -0.12), crown], 10
        )
        out.tube("dark", cable, 0.0026, 6)


def add_drop_bar(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Dropped bar with hoods and taped ends."""
    top, _ = head_ends(p)
    base = p.on_axis(vehicle.bar_height - 0.035)
    clamp = np.array([p.grip[0] - 0.085, 0.0, vehicle.bar_height - 0.012])
    out.tube("dark", [top, base], 0.0155, 14)
    out.tube("dark", [base, clamp], [0.019, 0.017], 14)
    out.pebble("dark", base, (0.022, 0.022, 0.026), 2.6, 10)
    half = vehicle.bar_width / 2.0
    bend = [clamp, clamp + (0.0, 0.72 * half, 0.0), clamp + (0.022, half, 0.0), clamp + (0.085, half, -0.012)]
    bend += [
        clamp + (0.118, half + 0.004, -0.05),
        clamp + (0.098, half + 0.008, -0.105),
        clamp + (0.03, half + 0.010, -0.130),
    ]
    bend += [clamp + (-0.035, half + 0.012, -0.132)]
    path = smooth(bend, 8)
    out.tube("metal", path[:9], 0.0125, 14, mirror=True)
    out.tube("dark", path[8:], 0.0150, 14, mirror=True)
    hood = clamp + np.array([0.105, half + 0.002, -0.004])
    points, faces = loft(sections("bicycle hood", hood * (1.0, 0.0, 1.0)), 2.4, 18)
    out.add(points + (0.0, hood[1], 0.0), faces, "rubber", mirror=True)
    lever = smooth([hood + (0.052, 0.0, 0.010), hood + (0.060, 0.004, -0.06), hood + (0.030, 0.008, -0.115)])
    out.tube("metal", lever, np.linspace(0.008, 0.005, len(lever)), 8, mirror=True)
    out.pebble("dark", path[-1], (0.006, 0.016, 0.016), 2.5, 8, mirror=True)
    crown = p.on_axis(vehicle.front_radius * 2.0 + 0.05) + np.array([0.03, 0.0, 0.0])
    cable = smooth(
        [hood + (0.0, -0.02, 0.0), clamp + (0.10, 0.06, -0.02), clamp + (0.02, 0.0, -0.10), crown], 10
    )
    out.tube("dark", cable, 0.0026, 6)


def add_bottle(out: Sketch, p: Layout) -> None:
    """Bottle on the down tube."""
    _, low = head_ends(p)
    along = (low - p.crank) / np.linalg.norm(low - p.crank)
    up = np.array([-along[2], 0.0, along[0]])
    at = p.crank + 0.20 * along + 0.060 * up
    path = np.array([at + f * along for f in (0.0, 0.004, 0.115, 0.128, 0.140, 0.160, 0.176, 0.180)])
    out.tube("box", path, [0.030, 0.036, 0.036, 0.030, 0.034, 0.030, 0.012, 0.008], 20)
    for f in (0.02, 0.09):
        out.tube("dark", [at + f * along, at + (f + 0.006) * along], 0.0385, 20)
    out.tube("dark", [at - 0.04 * up, at + 0.12 * along - 0.04 * up], 0.005, 8)


def add_guards(frame: Sketch, fork: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Mudguards with their stays."""
    gap, wide = 0.018, 0.030
    finish = "paint" if vehicle.kind == "child_bicycle" else "dark"
    fork.guard(finish, p.front, vehicle.front_radius + gap, vehicle.front_tyre + wide, 45.0, 205.0)
    frame.guard(finish, p.rear, vehicle.rear_radius + gap, vehicle.rear_tyre + wide, 15.0, 200.0)
    for out, axle, radius, width in (
        (fork, p.front, vehicle.front_radius, vehicle.front_tyre),
        (frame, p.rear, vehicle.rear_radius, vehicle.rear_tyre),
    ):
        for angle in (150.0, 192.0):
            foot = arc(axle, radius + gap - 0.006, angle, angle, 1)[0] + (0.0, (width + wide) / 2.0, 0.0)
            out.tube("steel", [axle + (0.0, 0.060, 0.0), foot], 0.0022, 6, mirror=True)


def add_lamps(frame: Sketch, fork: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Headlamp at the crown, rear lamp on the guard."""
    at = p.on_axis(vehicle.front_radius * 2.0 + 0.10) + np.array([0.085, 0.0, 0.0])
    fork.tube("steel", [at - (0.06, 0.0, 0.02), at - (0.02, 0.0, 0.0)], 0.006, 8)
    bowl = np.array([at + (x, 0.0, 0.0) for x in (-0.03, -0.024, -0.006, 0.018, 0.024)])
    fork.tube("chrome", bowl, [0.008, 0.018, 0.026, 0.029, 0.029], 24)
    fork.pebble("lens", at + (0.026, 0.0, 0.0), (0.006, 0.027, 0.027), 2.2, 12)
    back = arc(p.rear, vehicle.rear_radius + 0.035, 168.0, 168.0, 1)[0]
    frame.pebble("tail lamp", back + (-0.006, 0.0, 0.006), (0.012, 0.026, 0.022), 3.0, 10)


def add_rack(out: Sketch, p: Layout) -> None:
    """Luggage rack over the rear wheel, and the stand."""
    z = p.rear[2] * 2.0 + 0.075
    front, back = p.rear[0] + 0.13, p.rear[0] - 0.24
    rail = smooth(
        [(front, 0.055, z), (0.5 * (front + back), 0.062, z), (back, 0.05, z), (back - 0.015, 0.0, z)]
    )
    out.tube("steel", rail, 0.0050, 8, mirror=True)
    for x in np.linspace(front, back, 5):
        out.tube("steel", [(x, -0.055, z), (x, 0.055, z)], 0.0036, 6)
    for x in (front - 0.02, back + 0.06):
        out.tube("steel", [(x, 0.058, z), (p.rear[0], 0.070, p.rear[2] + 0.01)], 0.0045, 8, mirror=True)
    out.tube("steel", [(front, 0.03, z), (front + 0.10, 0.015, z + 0.01)], 0.0045, 8, mirror=True)
    foot = p.crank + np.array([-0.18, 0.10, -p.crank[2] + 0.10])
    out.tube(
        "steel",
        smooth([p.crank + (-0.06, 0.05, -0.015), foot + (0.0, -0.02, 0.06), foot + (-0.16, 0.0, 0.06)]),
        0.007,
        8,
    )
