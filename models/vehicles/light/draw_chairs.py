"""A wheelchair and a pram as they are drawn."""

import math

import numpy as np

from ....engine.spec import LightVehicle
from .draw_bicycle import Parts
from .layout import FLIP, Layout
from .sections import sections
from .tubes import Sketch, smooth
from .wheels import moulded_wheel, wire_wheel


def sheet(out: Sketch, corners: list, sag: float, finish: str, thick: float = 0.006) -> None:
    """A cloth between four corners (left front, left back, right back, right front), which sags by a depth (m)."""
    a, b, c, d = (np.asarray(corner, float) for corner in corners)
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 13), np.linspace(0.0, 1.0, 9), indexing="ij")
    u, v = u[..., None], v[..., None]
    flat = (1 - u) * ((1 - v) * a + v * b) + u * ((1 - v) * d + v * c)
    normal = np.cross(b - a, d - a)
    normal = normal / np.linalg.norm(normal)
    bent = flat - normal * sag * 4.0 * (u * (1.0 - u))
    for lift in (0.0, -thick):
        points = (bent + lift * normal).reshape(-1, 3)
        i, j = np.meshgrid(np.arange(12), np.arange(8), indexing="ij")
        faces = np.stack([i * 9 + j, i * 9 + j + 1, (i + 1) * 9 + j + 1, (i + 1) * 9 + j], axis=-1).reshape(
            -1, 4
        )
        out.add(points, faces if lift == 0.0 else faces[:, ::-1], finish)


def castors(vehicle: LightVehicle, p: Layout) -> Parts:
    """Forks and wheels of both castors."""
    parts: Parts = {}
    for side, flip in (("_l", np.ones(3)), ("_r", FLIP)):
        out = Sketch()
        pivot, axle = p.pivot * flip, p.front * flip
        top = pivot + np.array([0.0, 0.0, -0.02])
        out.tube("steel", [pivot + (0.0, 0.0, 0.03), top], 0.010, 12)
        out.pebble("dark", top, (0.022, vehicle.front_tyre / 2.0 + 0.012, 0.010), 2.8, 10)
        for y in (1.0, -1.0):
            beside = np.array([0.0, y * (vehicle.front_tyre / 2.0 + 0.010), 0.0])
            out.tube(
                "dark",
                smooth([top + beside, 0.5 * (top + axle) + beside + (0.008, 0.0, 0.0), axle + beside]),
                0.007,
                10,
            )
        out.tube("chrome", [axle + (0.0, 0.03, 0.0), axle - (0.0, 0.03, 0.0)], 0.005, 8)
        parts[f"castor{side}"] = (out, None)
        parts[f"front_wheel{side}"] = (moulded_wheel(vehicle.front_radius, vehicle.front_tyre, 5), axle)
    return parts


def draw_wheelchair(vehicle: LightVehicle, p: Layout) -> Parts:
    """Frame, castors and large wheels of a wheelchair."""
    out = Sketch()
    half = vehicle.track / 2.0 - 0.065
    s = p.seat
    add_chair_frame(out, vehicle, p, half)
    front, back = s[0] + 0.22, s[0] - 0.20
    sheet(
        out,
        [(front, half, s[2]), (back, half, s[2] - 0.02), (back, -half, s[2] - 0.02), (front, -half, s[2])],
        0.018,
        "cabin",
    )
    top = p.grip[2] - 0.02
    sheet(
        out,
        [
            (back - 0.02, half, s[2] + 0.05),
            (p.grip[0] + 0.09, half, top),
            (p.grip[0] + 0.09, -half, top),
            (back - 0.02, -half, s[2] + 0.05),
        ],
        0.022,
        "cabin",
    )
    cushion = [
        ((front - 0.01, 0.0, s[2] + 0.012), 0.9 * half, 0.018),
        ((s[0], 0.0, s[2] + 0.006), 0.93 * half, 0.026),
        ((back + 0.03, 0.0, s[2]), 0.9 * half, 0.020),
    ]
    out.loft("dark", cushion, 4.0, 32)
    parts: Parts = {"frame": (out, None), **castors(vehicle, p)}
    for side, flip in (("_l", np.ones(3)), ("_r", FLIP)):
        beside = 0.030 if side == "_l" else -0.030
        parts[f"rear_wheel{side}"] = (
            wire_wheel(vehicle.rear_radius, vehicle.rear_tyre, 28, 0.030, "dark", beside),
            p.rear * flip,
        )
    return parts


def add_chair_frame(out: Sketch, vehicle: LightVehicle, p: Layout, half: float) -> None:
    """Tubes, cross brace, arm rests, guards, foot rests and handles."""
    s, foot = p.seat, p.foot
    front, back = s[0] + 0.22, s[0] - 0.20
    side = [
        (back - 0.005, half, s[2] - 0.02),
        (front - 0.02, half, s[2] - 0.005),
        (front + 0.04, half, s[2] - 0.05),
        (foot[0] - 0.05, half - 0.06, foot[2] + 0.10),
        (foot[0] - 0.02, half - 0.07, foot[2]),
    ]
    out.tube("paint", smooth(side, 8), 0.0125, 14, mirror=True)
    low = [(p.pivot[0], half, p.pivot[2] + 0.03), (s[0], half, 0.24), (back + 0.01, half, p.rear[2] + 0.0)]
    out.tube("paint", smooth(low, 8), 0.0115, 12, mirror=True)
    out.tube(
        "paint",
        [(p.pivot[0], p.pivot[1], p.pivot[2] - 0.03), (p.pivot[0], p.pivot[1], p.pivot[2] + 0.055)],
        0.017,
        14,
        mirror=True,
    )
    out.tube(
        "paint",
        [(p.pivot[0], half, p.pivot[2] + 0.03), (front + 0.0, half, s[2] - 0.02)],
        0.011,
        12,
        mirror=True,
    )
    post = [
        (back + 0.005, half, 0.25),
        (back - 0.01, half, s[2] + 0.12),
        (p.grip[0] + 0.10, half, p.grip[2] - 0.03),
        (p.grip[0] + 0.08, half, p.grip[2]),
        (p.grip[0] - 0.04, half, p.grip[2]),
    ]
    out.tube("paint", smooth(post, 8), 0.0120, 14, mirror=True)
    out.tube(
        "rubber",
        [(p.grip[0] + 0.05, half, p.grip[2]), (p.grip[0] - 0.06, half, p.grip[2])],
        0.0175,
        14,
        mirror=True,
    )
    brace = [(s[0] + 0.10, half, 0.24), (s[0] + 0.10, -half, s[2] - 0.035)]
    out.tube("paint", brace, 0.010, 12, mirror=True)
    arm_z = s[2] + 0.20
    out.pebble("dark", (s[0] + 0.02, half + 0.01, arm_z), (0.15, 0.024, 0.014), 3.0, 12, mirror=True)
    for x in (0.10, -0.12):
        out.tube(
            "paint",
            [(s[0] + x, half, s[2] - 0.01), (s[0] + x, half + 0.008, arm_z - 0.012)],
            0.009,
            10,
            mirror=True,
        )
    out.box(
        "plastic", (s[0] - 0.01, half + 0.004, s[2] + 0.085), (0.105, 0.0015, 0.07), flat=True, mirror=True
    )
    out.pebble(
        "plastic", (foot[0] + 0.01, 0.095, foot[2] - 0.010), (0.075, 0.080, 0.008), 4.0, 12, mirror=True
    )
    out.tube("metal", [p.rear - (0.0, 0.02, 0.0), p.rear * FLIP + (0.0, 0.02, 0.0)], 0.012, 12)
    lever = [(front - 0.06, half + 0.02, s[2] - 0.01), (front - 0.02, half + 0.045, s[2] + 0.10)]
    out.tube("steel", lever, 0.007, 8, mirror=True)
    out.pebble("dark", lever[1], (0.012, 0.012, 0.03), 2.5, 8, mirror=True)


def draw_pram(vehicle: LightVehicle, p: Layout) -> Parts:
    """Carrycot, hood, chassis, castors and wheels of a pram."""
    out = Sketch()
    add_cot(out, vehicle, p)
    add_pram_chassis(out, vehicle, p)
    parts: Parts = {"frame": (out, None), **castors(vehicle, p)}
    for side, flip in (("_l", np.ones(3)), ("_r", FLIP)):
        parts[f"rear_wheel{side}"] = (moulded_wheel(vehicle.rear_radius, vehicle.rear_tyre, 7), p.rear * flip)
    return parts


def add_cot(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Basket with its cover and a ribbed hood."""
    s = p.seat
    out.loft("paint", sections("pram cot", s), 3.2, 40, 6)
    rim = np.array(
        [
            (s[0] + 0.425 * math.cos(a), 0.205 * math.sin(a), s[2] + 0.140)
            for a in np.linspace(0.0, 2.0 * math.pi, 49)
        ]
    )
    out.tube("dark", rim, 0.012, 10)
    out.loft("cabin", sections("pram cover", s), 3.0, 32, 5)
    hinge = s + np.array([0.12, 0.0, 0.145])
    u = np.linspace(0.0, math.pi, 25)
    rows = []
    ribs = np.radians(np.linspace(98.0, -16.0, 13))
    for k, lean in enumerate(ribs):
        swell = 1.0 if k % 3 == 0 else 0.965
        reach = np.array([math.cos(lean), 0.0, math.sin(lean)])
        rows.append(
            [hinge + (0.0, 0.205 * math.cos(a), 0.0) + 0.30 * swell * math.sin(a) ** 0.72 * reach for a in u]
        )
    rows = np.array(rows)
    i, j = np.meshgrid(np.arange(12), np.arange(24), indexing="ij")
    for inset, turn in ((0.0, 1), (0.004, -1)):
        points = hinge + (rows - hinge) * (1.0 - inset / 0.3)
        faces = np.stack(
            [i * 25 + j, (i + 1) * 25 + j, (i + 1) * 25 + j + 1, i * 25 + j + 1], axis=-1
        ).reshape(-1, 4)
        out.add(points.reshape(-1, 3), faces[:, ::turn], "paint" if turn == 1 else "cabin")
    out.tube("dark", rows[0], 0.007, 8)


def add_pram_chassis(out: Sketch, vehicle: LightVehicle, p: Layout) -> None:
    """Legs, push bar and the basket below."""
    half = vehicle.track / 2.0 - 0.05
    s = p.seat
    hinge = np.array([s[0] - 0.06, half, s[2] - 0.06])
    out.tube(
        "metal",
        smooth(
            [
                hinge + (0.0, 0.0, 0.06),
                0.5 * (hinge + p.rear) + (0.0, 0.01, 0.0),
                p.rear - (0.0, 0.035, 0.0),
            ]
        ),
        0.0135,
        14,
        mirror=True,
    )
    out.tube(
        "metal",
        smooth([hinge, (0.5 * (hinge[0] + p.pivot[0]), half, 0.40), p.pivot + (0.0, 0.0, 0.035)]),
        0.0135,
        14,
        mirror=True,
    )
    out.tube("dark", [p.pivot - (0.0, 0.0, 0.03), p.pivot + (0.0, 0.0, 0.06)], 0.019, 14, mirror=True)
    bar = [
        (hinge[0] + 0.05, half, hinge[2] - 0.04),
        (0.5 * (hinge[0] + p.grip[0]), vehicle.bar_width / 2.0, 0.5 * (hinge[2] + p.grip[2]) + 0.02),
        (p.grip[0] + 0.05, vehicle.bar_width / 2.0, p.grip[2] - 0.02),
        (p.grip[0], vehicle.bar_width / 2.0 - 0.05, p.grip[2]),
    ]
    out.tube("metal", smooth(bar, 8), 0.0135, 14, mirror=True)
    wide = vehicle.bar_width / 2.0 - 0.05
    out.tube("rubber", [(p.grip[0], wide, p.grip[2]), (p.grip[0], -wide, p.grip[2])], 0.0175, 14)
    out.pebble("dark", hinge, (0.045, 0.022, 0.045), 2.6, 12, mirror=True)
    out.tube("steel", [p.rear - (0.0, 0.0, 0.0), p.rear * FLIP], 0.010, 12)
    out.tube(
        "metal",
        [(p.pivot[0], p.pivot[1], p.pivot[2] + 0.045), (p.pivot[0], -p.pivot[1], p.pivot[2] + 0.045)],
        0.011,
        12,
    )
    basket = [
        ((0.24, 0.0, 0.265), 0.17, 0.045),
        ((0.10, 0.0, 0.235), 0.195, 0.070),
        ((-0.12, 0.0, 0.230), 0.195, 0.075),
        ((-0.27, 0.0, 0.250), 0.17, 0.055),
    ]
    out.loft("cabin", basket, 3.4, 32)
    for y in (0.19, -0.19):
        out.tube(
            "metal", smooth([(0.27, 0.85 * y, 0.30), (0.0, y, 0.305), (-0.29, 0.85 * y, 0.30)]), 0.007, 8
        )
    for x in (0.20, -0.20):
        out.tube("dark", [(x, 0.19, 0.305), (0.6 * x - 0.05, half, 0.42)], 0.004, 6, mirror=True)
