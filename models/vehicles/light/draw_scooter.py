"""A motor scooter as it is drawn: apron, floor board, rear body, swing engine."""

import numpy as np

from ....engine.spec import LightVehicle
from .draw_bicycle import Parts, two_wheeler
from .draw_motor_parts import add_grips, add_headlamp, add_indicators, add_mirrors, add_plate
from .layout import Layout
from .sections import sections
from .tubes import Sketch, loft, smooth
from .wheels import cast_wheel


def draw_scooter(vehicle: LightVehicle, p: Layout) -> Parts:
    """Frame, fork and wheels of a scooter."""
    frame, fork = Sketch(), Sketch()
    add_apron(frame, vehicle, p)
    add_rear_body(frame, vehicle, p)
    add_engine(frame, vehicle, p)
    add_fork(fork, vehicle, p)
    add_bar(fork, vehicle, p)
    front = cast_wheel(vehicle.front_radius, vehicle.front_tyre, 5, 0.10, "metal")
    rear = cast_wheel(vehicle.rear_radius, vehicle.rear_tyre, 5, 0.085, "metal")
    return two_wheeler(p, frame, fork, front, rear)


def add_apron(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Front apron with its leg shield, and the floor board."""
    low, high = p.foot[2] - 0.02, vehicle.bar_height - 0.09
    heights = np.linspace(low, high, 6)
    wide = (0.165, 0.200, 0.225, 0.225, 0.180, 0.085)
    deep = (0.030, 0.050, 0.072, 0.075, 0.060, 0.040)
    shield = [(p.on_axis(z) + (0.01, 0.0, 0.0), w, d) for z, w, d in zip(heights, wide, deep, strict=True)]
    shield[0] = (np.array([p.foot[0] + 0.27, 0.0, low]), wide[0], deep[0])
    out.loft("paint", shield, 2.7, 36, 6)
    inside = [(c + (-0.045, 0.0, 0.0), 0.90 * w, 0.75 * d) for c, w, d in shield]
    out.loft("plastic", inside, 3.2, 32, 6)
    box_at = p.on_axis(0.72) + np.array([-0.09, 0.0, 0.0])
    out.pebble("plastic", box_at, (0.045, 0.14, 0.075), 4.0, 16)
    x, z = p.foot[0], p.foot[2]
    floor = [
        ((x + 0.30, 0.0, z - 0.030), 0.150, 0.022),
        ((x + 0.18, 0.0, z - 0.030), 0.185, 0.030),
        ((x - 0.10, 0.0, z - 0.030), 0.190, 0.030),
        ((x - 0.28, 0.0, z - 0.030), 0.17, 0.030),
    ]
    out.loft("plastic", floor, 4.0, 32)
    under = [(np.asarray(c) - (0.0, 0.0, 0.035), 0.92 * w, 0.05) for c, w, _ in floor]
    out.loft("paint", under, 3.0, 28)
    for y in (0.04, 0.08, 0.12):
        out.tube("rubber", [(x + 0.18, y, z + 0.001), (x - 0.16, y, z + 0.001)], 0.005, 6, mirror=True)
    crest = p.on_axis(0.80) + np.array([0.076, 0.0, 0.0])
    out.pebble("chrome", crest, (0.010, 0.030, 0.040), 2.2, 12)
    horn = p.on_axis(0.58) + np.array([0.082, 0.0, 0.0])
    for k in range(5):
        out.pebble("dark", horn + (0.0, 0.0, 0.018 * k), (0.006, 0.075 - 0.004 * k, 0.004), 3.0, 10)
    add_indicators(out, p.on_axis(0.70) + np.array([0.03, 0.21, 0.0]))


def add_rear_body(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Body under the seat, seat, tail, rack and plate."""
    s = p.seat
    end = p.rear[0] - 0.30
    body = [
        ((p.foot[0] - 0.22, 0.0, s[2] - 0.34), 0.130, 0.120),
        ((s[0] + 0.14, 0.0, s[2] - 0.255), 0.165, 0.170),
        ((s[0] - 0.08, 0.0, s[2] - 0.215), 0.205, 0.150),
        ((s[0] - 0.30, 0.0, s[2] - 0.175), 0.195, 0.110),
        ((end + 0.10, 0.0, s[2] - 0.135), 0.140, 0.075),
        ((end, 0.0, s[2] - 0.110), 0.075, 0.040),
    ]
    out.loft("paint", body, 2.7, 40, 6)
    trim = [(np.asarray(c) + (0.0, 0.0, -0.10), 0.90 * w, 0.5 * h) for c, w, h in body[1:4]]
    out.loft("plastic", trim, 2.8, 28, 4)
    out.loft("cabin", sections("scooter seat", s), 3.0, 32, 5)
    rail = smooth(
        [
            (end + 0.24, 0.13, s[2] - 0.075),
            (end + 0.08, 0.12, s[2] - 0.03),
            (end - 0.06, 0.06, s[2] - 0.03),
            (end - 0.075, 0.0, s[2] - 0.03),
        ]
    )
    out.tube("chrome", rail, 0.010, 10, mirror=True)
    out.pebble("tail lamp", (end - 0.005, 0.0, s[2] - 0.125), (0.028, 0.085, 0.034), 2.8, 14)
    carrier = [(end + 0.02, 0.0, s[2] - 0.17), (end - 0.05, 0.0, s[2] - 0.26), (end - 0.08, 0.0, s[2] - 0.36)]
    out.tube("plastic", smooth(carrier), 0.020, 10)
    add_plate(out, np.array([end - 0.095, 0.0, s[2] - 0.33]), vehicle.plate)
    add_indicators(out, np.array([end + 0.03, 0.17, s[2] - 0.16]))
    out.guard("plastic", p.rear, vehicle.rear_radius + 0.025, vehicle.rear_tyre + 0.02, 60.0, 190.0, 0.4)


def add_engine(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Swing unit on the left, silencer on the right, shock and stand."""
    r = p.rear
    points, faces = loft(sections("scooter case", r), 3.0, 28, 5)
    out.add(points + (0.0, 0.125, 0.0), faces, "metal")
    for x, size in ((0.26, 0.055), (0.0, 0.062)):
        out.revolve("steel", [(0.0, 0.020), (0.8 * size, 0.018), (size, 0.0)], 28, r + (x, 0.168, 0.0))
    out.pebble("metal", r + (0.38, 0.0, 0.0), (0.10, 0.10, 0.09), 3.2, 16)
    pipe = smooth([r + (0.40, -0.05, -0.06), r + (0.30, -0.12, -0.08), r + (0.16, -0.155, -0.03)])
    out.tube("steel", pipe, 0.016, 10)
    a, b = r + (0.18, -0.16, -0.04), r + (-0.26, -0.18, 0.07)
    silencer = np.array([a + f * (b - a) for f in (0.0, 0.08, 0.16, 0.88, 0.96, 1.0)])
    out.tube("dark", silencer, [0.018, 0.045, 0.060, 0.060, 0.052, 0.025], 24)
    shield = np.array([a + f * (b - a) + (0.0, -0.03, 0.015) for f in (0.2, 0.3, 0.7, 0.82)])
    out.tube("chrome", shield, [0.030, 0.045, 0.045, 0.030], 20)
    low, high = r + (-0.05, 0.115, 0.04), np.array([r[0] - 0.01, 0.125, p.seat[2] - 0.22])
    coil = np.linspace(0.0, 16.0 * np.pi, 110)
    spiral = [
        low + (high - low) * (t / coil[-1]) + 0.026 * np.array([np.cos(t), np.sin(t), 0.0]) for t in coil
    ]
    out.tube("chrome", spiral, 0.0055, 6)
    out.tube("dark", [low, high], 0.014, 12)
    stand = smooth([r + (0.30, 0.07, -0.10), r + (0.22, 0.12, -0.15), r + (0.06, 0.13, -0.15)])
    out.tube("dark", stand, 0.011, 8, mirror=True)
    out.tube("steel", [r + (0.0, 0.16, 0.0), r - (0.0, 0.12, 0.0)], 0.012, 12)


def add_fork(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Short fork and the mudguard over it."""
    axis = p.axis
    offset = p.front - p.on_axis(p.front[2])
    offset = offset - axis * float(offset @ axis)
    top = p.on_axis(2.0 * vehicle.front_radius + 0.12) + offset
    middle = p.front + 0.55 * (top - p.front)
    for a, b, radius, finish in ((p.front, middle, 0.026, "dark"), (middle, top, 0.018, "chrome")):
        out.tube(finish, [a + (0.0, 0.085, 0.0), b + (0.0, 0.085, 0.0)], radius, 16, mirror=True)
    out.tube("steel", [top, p.on_axis(vehicle.bar_height - 0.08)], 0.024, 16)
    out.pebble("dark", top, (0.035, 0.11, 0.018), 3.0, 12)
    out.tube("steel", [p.front + (0.0, 0.11, 0.0), p.front - (0.0, 0.11, 0.0)], 0.010, 12)
    out.guard("paint", p.front, vehicle.front_radius + 0.028, vehicle.front_tyre + 0.070, 20.0, 172.0, 0.65)
    out.pebble("dark", p.front + (-0.085, 0.07, 0.05), (0.035, 0.022, 0.040), 3.0, 10, mirror=True)


def add_bar(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Cowled bar with lamp, instruments, screen and mirrors."""
    middle = p.on_axis(vehicle.bar_height - 0.02)
    out.loft("paint", sections("scooter cowl", middle), 2.5, 32, 5)
    add_headlamp(out, middle + np.array([0.112, 0.0, -0.010]), 0.085, 0.052)
    out.pebble("trim", middle + (-0.055, 0.0, 0.048), (0.042, 0.070, 0.010), 2.6, 12)
    half = [middle, middle + (-0.01, 0.14, 0.01), p.grip + (0.012, -0.08, 0.0), p.grip]
    out.tube("dark", smooth(half, 8), 0.014, 14, mirror=True)
    add_grips(out, p.grip, 0.030)
    out.loft("glass", sections("scooter screen", middle), 2.4, 28, 5)
    add_mirrors(out, p.grip + np.array([0.03, -0.11, 0.01]), p.grip + np.array([0.05, -0.03, 0.21]))
