"""A motorcycle as it is drawn: tank, seat, small fairing, engine, cast wheels."""

import numpy as np

from ....engine.spec import LightVehicle
from ..form.assembly import revolve
from .draw_bicycle import Parts, two_wheeler
from .draw_motor_parts import add_grips, add_headlamp, add_indicators, add_mirrors, add_plate
from .layout import Layout
from .sections import sections
from .tubes import Sketch, chain_loop, flat_ring, smooth
from .wheels import cast_wheel


def draw_motorcycle(vehicle: LightVehicle, p: Layout) -> Parts:
    """Frame, fork and wheels of a motorcycle."""
    frame, fork = Sketch(), Sketch()
    add_body(frame, vehicle, p)
    add_engine(frame, vehicle, p)
    add_chassis(frame, vehicle, p)
    add_rear(frame, vehicle, p)
    add_fork(fork, vehicle, p)
    add_front(fork, vehicle, p)
    front = cast_wheel(vehicle.front_radius, vehicle.front_tyre, 5, 0.155)
    rear = cast_wheel(vehicle.rear_radius, vehicle.rear_tyre, 5, 0.115)
    return two_wheeler(p, frame, fork, front, rear)


def add_body(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Tank, seats, tail and side covers."""
    s, head = p.seat, p.on_axis(p.pivot[2] + 0.04)
    tank = [
        (s + (0.13, 0.0, 0.000), 0.085, 0.030),
        (s + (0.17, 0.0, 0.030), 0.120, 0.075),
        (s + (0.26, 0.0, 0.080), 0.165, 0.120),
        (0.5 * (s + head) + (0.09, 0.0, 0.085), 0.180, 0.130),
        (head + (-0.10, 0.0, 0.055), 0.150, 0.105),
        (head + (-0.035, 0.0, 0.030), 0.085, 0.060),
    ]
    out.loft("paint", tank, 2.7, 36, 6)
    cap = 0.5 * (s + head) + np.array([0.07, 0.0, 0.213])
    out.pebble("chrome", cap, (0.038, 0.038, 0.010), 2.6, 12)
    out.loft("cabin", sections("motorcycle seat", s), 3.0, 32, 5)
    out.loft("paint", sections("motorcycle tail", s), 2.8, 32, 5)
    out.pebble("tail lamp", s + (-0.60, 0.0, 0.062), (0.022, 0.052, 0.020), 3.0, 12)
    out.pebble("paint", (s[0] + 0.05, 0.125, s[2] - 0.15), (0.14, 0.022, 0.075), 2.6, 14, mirror=True)


def add_engine(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Crankcase, cylinders, radiator, exhaust."""
    c = p.crank
    out.pebble("metal", c + (-0.03, 0.0, -0.07), (0.235, 0.150, 0.120), 3.6, 20)
    for side in (1.0, -1.0):
        for x, size in ((0.10, 0.075), (-0.11, 0.095)):
            cover = revolve([(0.0, 0.030), (0.7 * size, 0.028), (size, 0.012), (size, -0.02)], 32)
            points = cover[0] * (1.0, side, 1.0) + c + (x, 0.150 * side, -0.07)
            out.add(points, cover[1] if side > 0.0 else cover[1][:, ::-1], "steel")
    lean = np.array([0.32, 0.0, 0.95])
    for k in range(9):
        at = c + (0.075, 0.0, 0.05) + 0.022 * k * lean
        out.pebble("dark", at, (0.105, 0.165, 0.006), 4.0, 10)
    out.pebble("dark", c + (0.105, 0.0, 0.13), (0.085, 0.145, 0.105), 3.4, 16)
    out.pebble("metal", c + (0.155, 0.0, 0.265), (0.090, 0.160, 0.036), 3.4, 14)
    radiator = p.on_axis(0.62) + np.array([-0.10, 0.0, 0.0])
    out.box("dark", radiator, (0.016, 0.165, 0.105), flat=True)
    for z in np.linspace(-0.09, 0.09, 13):
        out.box("steel", radiator + (0.018, 0.0, z), (0.002, 0.155, 0.0022), flat=True)
    for y in (0.105, 0.035, -0.035, -0.105):
        header = [
            c + (0.18, y, 0.17),
            c + (0.27, y, 0.08),
            c + (0.26, y, -0.10),
            c + (0.10, 0.4 * y, -0.20),
            c + (-0.12, 0.2 * y - 0.03, -0.205),
        ]
        out.tube("steel", smooth(header, 8), 0.019, 12)
    pipe = [c + (-0.10, -0.03, -0.205), c + (-0.28, -0.10, -0.19), c + (-0.40, -0.155, -0.12)]
    out.tube("steel", smooth(pipe, 8), 0.024, 14)
    a, b = c + (-0.38, -0.16, -0.13), p.rear + (-0.10, -0.185, 0.16)
    silencer = np.array([a + f * (b - a) for f in (0.0, 0.06, 0.12, 0.9, 0.97, 1.0)])
    out.tube("metal", silencer, [0.026, 0.045, 0.055, 0.055, 0.048, 0.030], 24)
    out.tube("dark", [b, b + 0.03 * (b - a)], 0.022, 16)
    out.loft("paint", sections("motorcycle belly", c), 3.0, 24)


def add_chassis(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Beams of the frame, foot pegs, stand, swing arm, shock, chain."""
    c, head = p.crank, p.on_axis(p.pivot[2])
    beam = smooth(
        [
            head + (-0.02, 0.045, 0.0),
            0.5 * (head + c) + (0.0, 0.150, 0.10),
            c + (-0.24, 0.140, 0.04),
            c + (-0.27, 0.12, -0.08),
        ],
        8,
    )
    out.tube("dark", beam, np.linspace(0.030, 0.026, len(beam)), 14, mirror=True)
    out.tube("dark", [p.on_axis(p.pivot[2] + 0.10), p.on_axis(p.pivot[2] - 0.10)], 0.036, 20)
    rail = smooth([c + (-0.20, 0.11, 0.10), p.seat + (-0.20, 0.10, -0.10), p.seat + (-0.48, 0.055, 0.02)])
    out.tube("dark", rail, 0.013, 10, mirror=True)
    pivot = c + np.array([-0.25, 0.0, -0.06])
    arm = smooth(
        [pivot + (0.0, 0.13, 0.0), 0.5 * (pivot + p.rear) + (0.0, 0.14, 0.02), p.rear + (0.0, 0.125, 0.0)]
    )
    out.tube("metal", arm, np.linspace(0.034, 0.022, len(arm)), 14, mirror=True)
    out.tube("steel", [p.rear + (0.0, 0.15, 0.0), p.rear - (0.0, 0.15, 0.0)], 0.012, 14)
    out.pebble("dark", p.rear + (0.0, 0.145, 0.0), (0.030, 0.012, 0.026), 3.0, 10, mirror=True)
    coil = np.linspace(0.0, 14.0 * np.pi, 100)
    low, high = pivot + (-0.06, 0.0, 0.02), p.seat + (0.02, 0.0, -0.16)
    way = high - low
    spiral = [low + way * (t / coil[-1]) + 0.032 * np.array([np.cos(t), np.sin(t), 0.0]) for t in coil]
    out.tube("paint", spiral, 0.0065, 6)
    out.tube("steel", [low - 0.1 * way, high], 0.018, 12)
    for y, side in ((p.foot[1], 1.0), (-p.foot[1], -1.0)):
        at = np.array([p.foot[0], y, p.foot[2] - 0.018])
        out.tube(
            "rubber",
            [
                at + (0.0, -0.11 * side, 0.02),
                at + (0.0, -0.03 * side, 0.0),
                at + (0.0, 0.045 * side, 0.0),
            ],
            [0.013, 0.014, 0.014],
            12,
        )
        out.pebble("metal", at + (-0.01, -0.105 * side, 0.05), (0.045, 0.010, 0.075), 2.6, 10)
        out.tube("steel", [at + (0.03, -0.06 * side, 0.0), at + (0.17, -0.02 * side, -0.015)], 0.007, 8)
    out.tube(
        "dark",
        smooth([c + (-0.10, 0.13, -0.20), c + (-0.22, 0.20, -0.25), c + (-0.40, 0.22, -0.20)]),
        0.011,
        8,
    )
    loop = chain_loop(c + (-0.14, 0.125, -0.06), p.rear * (1.0, 0.0, 1.0) + (0.0, 0.125, 0.0), 0.038, 0.095)
    out.tube("dark", loop, 0.008, 6)
    out.revolve("steel", flat_ring(0.095, 0.05, 0.003), 40, p.rear * (1.0, 0.0, 1.0) + (0.0, 0.125, 0.0))


def add_rear(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Hugger, plate carrier and indicators."""
    out.guard("dark", p.rear, vehicle.rear_radius + 0.022, vehicle.rear_tyre + 0.02, 60.0, 125.0, 0.5)
    end = p.seat + np.array([-0.60, 0.0, 0.02])
    low = np.array([min(end[0] - 0.10, p.rear[0] - 0.16), 0.0, end[2] - 0.24])
    out.tube("dark", smooth([end, end + (-0.06, 0.0, -0.06), low + (0.0, 0.0, 0.06)]), 0.016, 8)
    add_plate(out, low, vehicle.plate)
    add_indicators(out, end + np.array([-0.04, 0.115, -0.05]))


def add_fork(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Upside-down fork, clamps, calipers, mudguard."""
    apart, axis = 0.105, p.axis
    offset = p.front - p.on_axis(p.front[2])
    offset = offset - axis * float(offset @ axis)
    top = p.on_axis(p.pivot[2] + 0.14) + offset
    middle = p.front + axis * (vehicle.front_radius + 0.08)
    for a, b, radius, finish in ((p.front, middle, 0.024, "chrome"), (middle, top, 0.031, "metal")):
        out.tube(finish, [a + (0.0, apart, 0.0), b + (0.0, apart, 0.0)], radius, 18, mirror=True)
    foot = [p.front + (0.0, apart, 0.0) - 0.03 * axis, p.front + (0.0, apart, 0.0) + 0.07 * axis]
    out.tube("dark", foot, 0.030, 16, mirror=True)
    for height in (0.115, -0.115):
        at = p.on_axis(p.pivot[2] + height) + 0.55 * offset
        out.pebble("dark", at, (0.055, 0.145, 0.018), 3.2, 14)
    out.tube("steel", [p.front + (0.0, 0.13, 0.0), p.front - (0.0, 0.13, 0.0)], 0.011, 12)
    out.pebble("dark", p.front + (-0.115, 0.072, 0.085), (0.045, 0.026, 0.050), 3.0, 12, mirror=True)
    out.guard("paint", p.front, vehicle.front_radius + 0.020, vehicle.front_tyre + 0.030, 25.0, 150.0, 0.55)
    hold = p.front + np.array([0.0, 0.072, vehicle.front_radius * 0.80])
    out.pebble("paint", hold, (0.055, 0.010, 0.075), 2.6, 10, mirror=True)


def add_front(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Bar, lamp with its small fairing and screen, instruments, mirrors."""
    clamp = p.on_axis(vehicle.bar_height - 0.03)
    half = [
        clamp,
        clamp + (0.02, 0.10, 0.012),
        clamp + (0.015, 0.20, 0.035),
        p.grip + (0.02, -0.09, 0.004),
        p.grip,
    ]
    out.tube("dark", smooth(half, 8), 0.0135, 14, mirror=True)
    add_grips(out, p.grip, 0.035)
    nose = p.on_axis(vehicle.bar_height - 0.17) + np.array([0.16, 0.0, 0.0])
    out.loft("paint", sections("motorcycle shell", nose), 2.6, 32, 5)
    add_headlamp(out, nose + np.array([0.058, 0.0, -0.012]), 0.085, 0.062)
    out.loft("glass", sections("motorcycle screen", nose), 2.4, 28, 5)
    out.pebble("trim", clamp + (0.085, 0.0, 0.035), (0.020, 0.075, 0.045), 3.0, 12)
    add_indicators(out, nose + np.array([-0.06, 0.215, -0.02]))
    add_mirrors(out, p.grip + np.array([0.03, -0.12, 0.01]), p.grip + np.array([0.06, -0.02, 0.20]))
    for side in (1.0, -1.0):
        hose = smooth(
            [
                p.grip * (1.0, side, 1.0) + (0.06, -0.10 * side, 0.0),
                nose + (-0.04, 0.13 * side, 0.05),
                nose + (-0.10, 0.11 * side, -0.25),
                p.front + (-0.09, 0.09 * side, 0.12),
            ],
            8,
        )
        out.tube("dark", hose, 0.0045, 6)
