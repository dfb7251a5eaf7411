"""Where the sheet metal of a vehicle is cut: glass, doors, bonnet, tailgate, bumpers, grille, lamps, trim, arches.

Each panel is an outline in a projection (side view, plan, front view, or a view on a corner of the nose or tail). Only
the left half is cut; it is mirrored afterwards.
"""

import math

import numpy as np

from .curves import Outline, rounded
from .meshing import Cut, Near, Skin
from .surface import Form

SIDE, FRONT, PLAN = [0, 2], [1, 2], [0, 1]
"""Coordinates of the three views."""
CORNER = math.radians(40.0)
"""A corner of the nose or tail is seen from this direction."""
DOOR_GAP_TO_ARCH = 0.05
"""m between the arch and the edge of a door."""


def cut_panels(skin: Skin, form: Form) -> None:
    """Cut all panels of a vehicle into its skin; what was cut later lies on top."""
    add_loops(skin, form)
    if form.vehicle.kind == "bus":
        cut_bus(skin, form)
    else:
        glass = side_glass(form)
        cut_doors(skin, form, glass)
        cut_bonnet(skin, form)
        cut_screens(skin, form)
        cut_side_glass(skin, form, glass)
        cut_tailgate(skin, form)
        cut_bumpers(skin, form)
        cut_front(skin, form)
        cut_rear(skin, form)
    cut_trim(skin, form)


def cut_glass(skin: Skin, form: Form) -> None:
    """Cut nothing but the glass."""
    if form.vehicle.kind == "bus":
        cut_bus_glass(skin, form)
    else:
        cut_screens(skin, form)
        cut_side_glass(skin, form, side_glass(form))


def seen(polygon: np.ndarray, axes: list[int]) -> Cut:
    """Field of an outline in a view along an axis."""
    outline = Outline(polygon)
    return lambda p: outline(p[:, axes])


def corner_view(form: Form, polygon: np.ndarray, is_rear: bool = False) -> Cut:
    """Field of an outline seen obliquely on a corner: outward and back, and up."""
    outline = Outline(polygon)
    c, s = math.cos(CORNER), math.sin(CORNER)

    def field(p: np.ndarray) -> np.ndarray:
        back = p[:, 0] - form.rear if is_rear else form.front - p[:, 0]
        return outline(np.stack([p[:, 1] * c + back * s, p[:, 2]], axis=1))

    return field


def on_nose(form: Form) -> Near:
    """Triangles of the nose that a view on its corner shows."""
    start = form.vehicle.axles[0] + 0.1
    c, s = math.cos(CORNER), math.sin(CORNER)
    return lambda p, n: (p[:, 0] > start) & (n[:, 0] * c + n[:, 1] * s > 0.05)


def on_tail(form: Form) -> Near:
    """Triangles of the tail that a view on its corner shows."""
    end = form.vehicle.axles[1] - 0.1
    c, s = math.cos(CORNER), math.sin(CORNER)
    return lambda p, n: (p[:, 0] < end) & (n[:, 1] * s - n[:, 0] * c > 0.05)


def on_side(p: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Triangles that face the side."""
    return (n[:, 1] > 0.25) & (p[:, 1] > 0.45)


def arch_distance(form: Form, p: np.ndarray) -> np.ndarray:
    """(n,) distance from the edges of the wheel arches in side view; negative inside."""
    v = form.vehicle
    off = [np.hypot(p[:, 0] - axle, p[:, 2] - v.wheel_radius) for axle in v.axles]
    return np.min(off, axis=0) - form.arch


def add_loops(skin: Skin, form: Form) -> None:
    """Rows of faces along the shoulder line and the lines of the bonnet, which a coarse mesh would blur."""

    def on_shoulder(p, n):
        return (n[:, 1] > 0.5) & (p[:, 1] > 0.45) & (np.abs(p[:, 2] - form.crease(p[:, 0])) < 0.06)

    def on_line(p, n):
        off = np.abs(p[:, 1] - 0.50 - 0.10 * (form.front - p[:, 0]))
        return (n[:, 2] > 0.5) & (p[:, 0] > form.cowl_x - 0.1) & (off < 0.06)

    for d in (-0.016, 0.0, 0.016):
        skin.cut(lambda p, d=d: p[:, 2] - form.crease(p[:, 0]) + d, skin.pick(on_shoulder))
        skin.cut(lambda p, d=d: p[:, 1] - 0.50 - 0.10 * (form.front - p[:, 0]) + d, skin.pick(on_line))


def door_lines(form: Form) -> tuple[float, float, float]:
    """x of the front, middle and rear shut line at the belt (m)."""
    v = form.vehicle
    first = v.axles[0] - form.arch - 0.06
    if form.cab_end is not None:
        last = form.cab_end + (0.14 if v.kind == "pickup" else 0.10)
        return first, 0.52 * first + 0.48 * last if v.kind == "pickup" else last, last
    last = v.axles[1] + form.arch - 0.07
    if v.kind == "van":
        return first, first - 1.0, first - 2.1
    return first, 0.49 * first + 0.51 * last, last


def belt_at(form: Form, x: float) -> float:
    """Height of the belt line (m)."""
    return form.belt + form.style.belt_rise * float(np.clip((0.8 - x) / 2.2, 0.0, 1.0))


def side_glass(form: Form) -> Cut:
    """Outline of all side glass: belt, A-pillar, roof rail, last pillar."""
    v, s = form.vehicle, form.style
    top = v.height - s.rail_drop
    lean = 0.075 / math.sin(math.radians(v.screen_angle))
    beside = min(0.66, form.half - 0.2)

    def pillar(z: float) -> float:
        return float(form.screen_x(beside, z)) - lean

    first = min(pillar(form.belt + 0.02), form.cowl_x - 0.12)
    if s.is_box or s.cab:
        end = door_lines(form)[1 if s.is_box else 2] + (0.07 if s.is_box else 0.02)
        low = form.belt - (0.03 if s.is_box else 0.0)
        polygon = [(first + 0.02, low), (pillar(top), top), (end + 0.05, top), (end, low)]
        return seen(rounded(polygon, [0.05, 0.09, 0.06, 0.05]), SIDE)

    def rail(x: float) -> float:
        return float(form.top(x)) - s.rail_drop

    def last(z: float) -> float:
        return float(form.back_x(0.55, z)) + s.pillar

    foot = belt_at(form, -1.4)
    start = pillar(rail(pillar(top) - 0.1))
    end = last(v.height - s.roof_tail - s.rail_drop - 0.01) + 0.02
    line = [(x, rail(x)) for x in np.linspace(start, end, 7)]
    polygon = [(first + 0.03, belt_at(form, 1.0)), *line, (last(foot + 0.06) + 0.02, foot + 0.06)]
    polygon += [(last(foot + 0.05) + 0.12, foot), (-0.2, belt_at(form, -0.2))]
    return seen(rounded(polygon, [0.02, 0.10, *[0.5] * 5, 0.10, 0.05, 0.06, 0.5]), SIDE)


def cut_doors(skin: Skin, form: Form, glass: Cut) -> None:
    """Doors of the side, with the frame of their glass."""
    v, s = form.vehicle, form.style
    first, middle, last = door_lines(form)
    low = v.clearance + 0.145
    top = belt_at(form, 0.0) + 0.03

    def free_of_arch(p):
        return DOOR_GAP_TO_ARCH - arch_distance(form, p)

    if v.kind == "van":
        roof = v.height - s.rail_drop + 0.02
        polygon = [(middle, low), (middle, roof), (last, roof), (last, low)]
        skin.zone("door_rear", seen(rounded(polygon, 0.07), SIDE), on_side)
    end = middle if s.is_box else last
    rise = 0.0 if s.is_box else s.belt_rise
    polygon = [
        (first + 0.04, low + 0.1),
        (first + 0.02, top),
        (end - (0.0 if s.is_box else 0.06), top + rise),
    ]
    polygon += [(end + (0.0 if s.is_box else 0.05), low), (first, low)]
    lower = seen(rounded(polygon, [0.08, 0.02, 0.03, 0.12, 0.08]), SIDE)

    def door(p):
        return np.maximum(np.minimum(lower(p), glass(p) - 0.022), free_of_arch(p))

    if s.is_box or s.doors == 1:
        skin.zone("door_front", lambda p: np.maximum(door(p), end + 0.004 - p[:, 0]), on_side)
        return

    def behind(p):
        return p[:, 0] - middle - 0.05 * np.maximum(p[:, 2] - form.belt, 0.0)

    skin.zone("door_front", lambda p: np.maximum(door(p), -behind(p)), on_side)
    reach = np.inf if v.kind != "estate" else 0.0
    quarter = last - 0.02
    skin.zone(
        "door_rear",
        lambda p: np.maximum(np.maximum(door(p), behind(p)), np.where(reach > 0, -1.0, quarter - p[:, 0])),
        on_side,
    )


def cut_bonnet(skin: Skin, form: Form) -> None:
    """Bonnet in plan, and the dark cowl behind it."""
    v, half, cx = form.vehicle, form.half, form.cowl_x
    front = form.front - 0.13
    wide = 0.60 if form.style.is_box else 0.66
    cowl = seen(
        rounded(
            [(cx + 0.12, -0.3), (cx + 0.12, 0.3), (cx + 0.02, half - 0.20), (cx - 0.16, half - 0.20)]
            + [(cx - 0.10, 0.3), (cx - 0.10, -0.3)],
            0.03,
        ),
        PLAN,
    )

    def near_cowl(p, n):
        return (n[:, 2] > 0.1) & (np.abs(p[:, 0] - cx) < 0.4) & (p[:, 2] < form.cowl_z + 0.2)

    skin.zone(
        "cowl", lambda p: np.maximum(cowl(p), p[:, 2] - form.cowl_z - 0.10), near_cowl, "plastic", 0.004
    )
    side_front = front - min(0.30, 0.4 * v.bonnet_length)
    polygon = [(front, -0.3), (front - 0.005, 0.30), (front - 0.12, wide - 0.06), (side_front, wide + 0.02)]
    polygon += [(cx + 0.14, half - 0.165), (cx - 0.03, half - 0.19), (cx + 0.045, 0.35), (cx + 0.06, 0.0)]
    outline = rounded([*polygon, (cx + 0.06, -0.3)], [0.01, 0.1, 0.08, 0.2, 0.05, 0.03, 0.3, 0.1, 0.01])

    def near_bonnet(p, n):
        return (n[:, 2] > 0.2) & (p[:, 0] > cx - 0.25) & (p[:, 2] < form.cowl_z + 0.10)

    skin.zone("bonnet", seen(outline, PLAN), near_bonnet)


def cut_screens(skin: Skin, form: Form) -> None:
    """Windscreen and rear window in a dark band."""
    v = form.vehicle
    high, low = v.height - 0.075, form.cowl_z + 0.028

    def beside(z: float) -> float:
        return float(form.side_y(form.screen_x(0.6, z), z)) - 0.075

    polygon = [(-0.4, low), (0.0, low), (0.35, low - 0.005), (beside(low), low - 0.035)]
    polygon += [(beside(high - 0.03), high - 0.045), (0.4, high - 0.010), (0.0, high), (-0.4, high)]
    screen = seen(rounded(polygon, [0.01, 0.1, 0.3, 0.05, 0.07, 0.2, 0.1, 0.01]), FRONT)

    def facing_front(p, n):
        return (
            (n[:, 0] > 0.12)
            & (p[:, 0] < form.cowl_x + 0.12)
            & (p[:, 0] > form.roof_x - 0.4)
            & (p[:, 2] > form.cowl_z - 0.08)
        )

    skin.zone("screen_band", screen, facing_front, "trim", 0.003, 0.005)
    skin.zone("windscreen", lambda p: screen(p) + 0.022, facing_front, "glass", 0.0035, 0.0)
    if v.kind == "truck":
        return
    window = seen(rear_window(form), FRONT)

    def facing_rear(p, n):
        return (n[:, 0] < -0.12) & (p[:, 2] > form.belt) & (p[:, 0] < form.roof_back + 0.5)

    skin.zone("rear_band", window, facing_rear, "trim", 0.003, 0.005)
    skin.zone("rear_window", lambda p: window(p) + 0.018, facing_rear, "glass", 0.0035, 0.0)


def rear_window(form: Form) -> np.ndarray:
    """Outline of the rear window, seen from behind."""
    v, s = form.vehicle, form.style
    if v.kind == "van":
        low, high, wide = form.belt + 0.02, v.height - 0.28, form.half - 0.28
        return rounded([(0.03, low), (wide, low), (wide - 0.04, high), (0.03, high)], 0.06)
    high = v.height - s.roof_tail - (0.075 if v.kind == "saloon" else 0.11)
    low = form.back_z0 + (0.05 if v.kind == "saloon" else 0.06)

    def beside(z: float) -> float:
        return float(form.side_y(form.back_x(0.5, z), z)) - (0.10 if s.is_upright else 0.12)

    polygon = [(-0.4, low), (0.0, low), (beside(low), low + 0.01), (beside(high), high - 0.02), (0.0, high)]
    return rounded([*polygon, (-0.4, high)], [0.01, 0.1, 0.06, 0.07, 0.1, 0.01])


def cut_side_glass(skin: Skin, form: Form, glass: Cut) -> None:
    """Side glass in a dark surround, parted by pillars."""
    skin.zone("side_trim", glass, on_side, "trim", 0.002, 0.003)
    _, middle, last = door_lines(form)
    splits = [middle] if form.style.windows > 1 else []
    if form.style.windows > 2:
        splits.append(last + (0.02 if form.vehicle.kind == "saloon" else -0.02))

    def panes(p):
        bars = [0.035 - np.abs(p[:, 0] - x - 0.05 * (p[:, 2] - form.belt)) for x in splits]
        return np.max([glass(p) + 0.020, *bars], axis=0)

    skin.zone("side_glass", panes, on_side, "glass", 0.006, 0.002)


def cut_tailgate(skin: Skin, form: Form) -> None:
    """Boot lid, tailgate, rear doors or the tailgate of a bed, seen from behind."""
    v, half = form.vehicle, form.half
    low = 0.70 if v.kind == "saloon" else 0.735

    def behind(p, n):
        return (p[:, 0] < form.rear + 0.5) & (n[:, 0] < -0.2)

    if v.kind == "saloon":
        wide = half - 0.23
        polygon = [(-0.4, low), (wide - 0.12, low), (wide, low + 0.14), (wide + 0.02, 1.5), (-0.4, 1.5)]
        gate = seen(rounded(polygon, [0.01, 0.08, 0.05, 0.05, 0.01]), FRONT)
        foot = form.back_x0 - 0.05

        def on_boot(p, n):
            return (
                (p[:, 0] < foot + 0.3)
                & ((n[:, 0] < -0.15) | (n[:, 2] > 0.5))
                & (p[:, 2] < form.back_z0 + 0.06)
            )

        skin.zone("tailgate", lambda p: np.maximum(gate(p), p[:, 0] - foot), on_boot)
    elif v.kind == "van":
        high = v.height - 0.16
        polygon = [(0.004, low), (half - 0.14, low), (half - 0.18, high), (0.004, high)]
        skin.zone("tailgate", seen(rounded(polygon, 0.05), FRONT), behind)
    elif v.kind == "pickup":
        high = form.rear_belt + 0.2
        polygon = [(-0.3, low), (half - 0.17, low), (half - 0.17, high), (-0.3, high)]
        skin.zone("tailgate", seen(rounded(polygon, 0.02), FRONT), behind)
    elif v.kind != "truck":
        wide, high = half - 0.15, v.height - 0.08
        polygon = [
            (-0.4, low),
            (wide - 0.12, low),
            (wide - 0.01, low + 0.12),
            (wide - 0.02, form.belt + 0.05),
        ]
        polygon += [(float(form.side_y(form.roof_back, high)) - 0.05, high), (-0.4, high)]
        gate = seen(rounded(polygon, [0.01, 0.08, 0.05, 0.1, 0.08, 0.01]), FRONT)
        window = seen(rear_window(form), FRONT)
        skin.zone(
            "tailgate",
            lambda p: np.maximum(gate(p), -window(p) - 0.02),
            lambda p, n: (p[:, 0] < form.roof_back + 0.2) & (n[:, 0] < -0.2) & (window(p) > 0.0),
        )


def cut_bumpers(skin: Skin, form: Form) -> None:
    """Bumper covers, front and rear, up to their joints with the wings."""
    v, arch = form.vehicle, form.arch
    joint, low = v.edge_height - 0.15, v.clearance - 0.3
    nose, axle = form.front, v.axles[0]
    polygon = [(nose + 0.3, low), (nose + 0.3, joint + 0.02), (nose - 0.30, joint)]
    polygon += [(axle + 0.62 * arch + 0.06, joint - 0.06), (axle + 0.3, low)]
    cover = seen(rounded(polygon, [0.01, 0.01, 0.3, 0.05, 0.01]), SIDE)
    front_of = axle + 0.15
    skin.zone(
        "bumper_front",
        lambda p: np.maximum(cover(p), -arch_distance(form, p)),
        lambda p, n: p[:, 0] > front_of,
        gap=0.003,
    )
    if v.kind == "truck":
        return
    joint, tail, axle = 0.69, form.rear, v.axles[1]
    polygon = [(tail - 0.3, low), (tail - 0.3, joint), (tail + 0.3, joint)]
    polygon += [(axle - 0.7 * arch - 0.05, joint - 0.08), (axle - 0.3, low)]
    rear_cover = seen(rounded(polygon, [0.01, 0.01, 0.2, 0.05, 0.01]), SIDE)
    behind = axle - 0.15
    finish = "plastic" if v.kind in ("van", "pickup") else "paint"
    skin.zone(
        "bumper_rear",
        lambda p: np.maximum(rear_cover(p), -arch_distance(form, p)),
        lambda p, n: p[:, 0] < behind,
        finish,
        gap=0.003,
    )


def cut_stripe(
    skin: Skin, name: str, region: Cut, across: Cut, half: float, near: Near, finish: str, inset: float
) -> None:
    """A stripe of a region: where `across` is within `half` m of 0. Its edges are cut one by one, as a stripe may be
    narrower than the faces."""
    for edge in (-half, half):
        skin.cut(lambda p, edge=edge: across(p) - edge, skin.pick(near) & (region(skin.middles()) < 0.05))
    skin.zone(name, lambda p: np.maximum(region(p), np.abs(across(p)) - half), near, finish, inset, 0.0)


def cut_opening(skin: Skin, name: str, field: Cut, near: Near, frame: str, pitch: float) -> None:
    """An opening with a frame, bars and a dark depth behind them."""
    skin.zone(f"{name}_frame", field, near, frame, -0.002, 0.003)
    skin.zone(f"{name}_deep", lambda p: field(p) + 0.012, near, "dark", 0.035, 0.0)
    inside = skin.points[np.unique(skin.triangles[skin.label == skin.names.index(f"{name}_deep")])]
    for z in np.arange(inside[:, 2].min() + 0.5 * pitch, inside[:, 2].max(), pitch):
        cut_stripe(
            skin,
            f"{name}_bar",
            lambda p: field(p) + 0.012,
            lambda p, z=z: p[:, 2] - z,
            0.28 * pitch,
            near,
            "trim",
            0.008,
        )


def cut_front(skin: Skin, form: Form) -> None:
    """Grille, lower intake, headlamps, day lights, fog lamps, a lip below."""
    v, s = form.vehicle, form.style
    ble, low = v.edge_height, v.clearance
    scale = v.width / 1.85
    wide = (0.56 if s.is_upright else 0.47) * scale
    start = v.axles[0] + 0.3

    def facing(p, n):
        return (n[:, 0] > 0.3) & (p[:, 0] > start)

    foot, top = (ble - 0.29, ble - 0.065) if s.is_upright else (ble - 0.195, ble - 0.055)
    polygon = [(-0.3, foot), (wide - 0.10, foot), (wide, top - 0.03), (wide - 0.03, top), (-0.3, top)]
    grille = seen(rounded(polygon, [0.01, 0.05, 0.02, 0.03, 0.01]), FRONT)
    cut_opening(skin, "grille", grille, facing, "chrome", 0.045 if s.is_upright else 0.036)
    ends = 0.56 * scale
    polygon = [
        (-0.3, low + 0.075),
        (ends - 0.06, low + 0.075),
        (ends, low + 0.12),
        (ends - 0.14, low + 0.195),
    ]
    intake = seen(rounded([*polygon, (-0.3, low + 0.195)], [0.01, 0.05, 0.04, 0.05, 0.01]), FRONT)
    cut_opening(skin, "intake", intake, facing, "trim", 0.040)
    near = on_nose(form)
    fog = corner_view(form, rounded(np.array(FOG) * (scale, 1.0) + (0.0, low), 0.03))
    skin.zone("fog_pocket", fog, near, "trim", 0.020, 0.003)
    lip = "plastic" if s.is_upright else "trim"
    skin.zone("lip", lambda p: p[:, 2] - low - 0.055, lambda p, n: p[:, 0] > start, lip, -0.003, 0.002)
    lamp = corner_view(form, headlamp(form))
    skin.zone("headlamp", lamp, near, "lens", 0.002, 0.004)
    under = ble - (0.085 if not s.is_upright else 0.11)
    cut_stripe(
        skin, "day_light", lambda p: p[:, 2] - under, lambda p: lamp(p) + 0.014, 0.0055, near, "lamp", 0.001
    )


FOG = [(0.54, 0.085), (0.58, 0.20), (0.72, 0.235), (0.70, 0.085)]
"""Outline of a pocket for a fog lamp: outward on the corner, above the underside (m), for a width of 1.85 m."""


def headlamp(form: Form) -> np.ndarray:
    """Outline of a headlamp on the corner of the nose."""
    ble, scale = form.vehicle.edge_height, form.vehicle.width / 1.85
    if form.style.is_upright:
        start = 0.535 * scale
        polygon = [(start, ble - 0.215), (start + 0.005, ble - 0.068), (start + 0.28, ble - 0.052)]
        polygon += [(start + 0.47, ble - 0.06), (start + 0.46, ble - 0.13), (start + 0.30, ble - 0.215)]
        return rounded(polygon, [0.03, 0.03, 0.2, 0.02, 0.05, 0.06])
    start = 0.46 * scale
    polygon = [(start, ble - 0.150), (start + 0.03, ble - 0.064), (start + 0.30, ble - 0.030)]
    polygon += [(start + 0.53, ble - 0.012), (start + 0.50, ble - 0.057), (start + 0.30, ble - 0.160)]
    return rounded(polygon, [0.03, 0.03, 0.2, 0.02, 0.05, 0.08])


def tail_lamp(form: Form) -> np.ndarray:
    """Outline of a tail lamp on the corner of the tail."""
    v, half = form.vehicle, form.half
    out = half * math.cos(CORNER)
    if v.kind in ("van", "pickup"):
        low, high = 0.76, form.belt + (0.10 if v.kind == "van" else -0.06)
        return rounded([(out - 0.10, low), (out - 0.10, high), (out + 0.09, high), (out + 0.09, low)], 0.025)
    low, high = (0.79, 0.93) if v.kind == "saloon" else (0.80, form.belt + 0.015)
    if v.kind == "suv":
        low = form.belt - 0.26
    inner = out - (0.24 if v.kind != "saloon" else 0.30)
    polygon = [
        (inner, low + 0.055),
        (inner + 0.01, high - 0.02),
        (out - 0.06, high),
        (out + 0.17, high + 0.005),
    ]
    polygon += [(out + 0.14, low + 0.02), (out - 0.09, low)]
    return rounded(polygon, 0.025)


def cut_rear(skin: Skin, form: Form) -> None:
    """Tail lamps, reverse lamps, reflectors, a valance below the bumper and the recess of the number plate."""
    v = form.vehicle
    if v.kind == "truck":
        return
    near, out = on_tail(form), form.half * math.cos(CORNER)
    polygon = tail_lamp(form)
    lamp = corner_view(form, polygon, True)
    low, high = polygon[:, 1].min(), polygon[:, 1].max()
    middle = low + 0.40 * (high - low)
    skin.zone("tail_lamp", lamp, near, "tail lamp", 0.001, 0.004)
    for name, finish, z, tall in (
        ("reverse", "plate", middle, 0.011),
        ("turn", "indicator", middle + 0.032, 0.012),
    ):
        cut_stripe(
            skin, name, lambda p: lamp(p) + 0.014, lambda p, z=z: p[:, 2] - z, tall, near, finish, 0.0015
        )
    behind = form.rear + 0.45

    def facing(p, n):
        return (n[:, 0] < -0.15) & (p[:, 0] < behind)

    foot = v.clearance
    reflector = rounded(
        [
            (out - 0.20, foot + 0.20),
            (out + 0.03, foot + 0.20),
            (out + 0.03, foot + 0.235),
            (out - 0.20, foot + 0.235),
        ],
        0.012,
    )
    skin.zone("reflector", corner_view(form, reflector, True), near, "tail lamp", 0.0, 0.003)
    polygon = [(-0.5, -0.2), (0.80, -0.2), (0.70, foot + 0.10), (0.52, foot + 0.165), (-0.5, foot + 0.165)]
    skin.zone(
        "valance",
        seen(rounded(polygon, [0.01, 0.01, 0.1, 0.06, 0.01]), FRONT),
        facing,
        "plastic",
        0.006,
        0.003,
    )
    if v.kind in ("saloon", "hatchback", "estate", "suv"):
        z = plate_height(form)
        polygon = [(-0.5, z - 0.085), (0.33, z - 0.085), (0.30, z + 0.085), (-0.5, z + 0.085)]
        skin.zone(
            "plate_recess",
            seen(rounded(polygon, [0.01, 0.03, 0.03, 0.01]), FRONT),
            facing,
            "paint",
            0.016,
            0.0,
        )
        bar = [(-0.5, z + 0.072), (0.31, z + 0.072), (0.30, z + 0.092), (-0.5, z + 0.092)]
        skin.zone("plate_bar", seen(rounded(bar, 0.006), FRONT), facing, "chrome", -0.006, 0.002)


def plate_height(form: Form) -> float:
    """Height of the middle of the rear number plate (m)."""
    kind = form.vehicle.kind
    return {"saloon": 0.825, "hatchback": 0.80, "estate": 0.82, "suv": 0.86}.get(kind, 0.56)


def cut_trim(skin: Skin, form: Form) -> None:
    """Dark trim of arches and sills, and the openings of the wheels."""
    v, s = form.vehicle, form.style
    low = v.clearance
    reach = v.wheel_radius + form.arch + 0.3
    if s.cladding:
        skin.zone(
            "cladding",
            lambda p: np.minimum(arch_distance(form, p) - s.cladding, p[:, 2] - low - 0.13),
            lambda p, n: (p[:, 2] < reach) & (p[:, 1] > 0.4) & (n[:, 1] > -0.2),
            "plastic",
            -0.004,
            0.002,
        )
    skin.zone(
        "sill", lambda p: p[:, 2] - low - 0.035, lambda p, n: p[:, 2] < low + 0.3, "plastic", 0.004, 0.0
    )
    inside = v.track / 2.0 - 0.16
    skin.zone(
        "hole",
        lambda p: arch_distance(form, p),
        lambda p, n: (p[:, 1] > inside) & (p[:, 2] < reach),
        gap=0.0,
    )


def bus_glass_heights(form: Form) -> tuple[float, float]:
    """Foot and top of the glass of a bus (m)."""
    return form.belt, form.vehicle.height - 0.42


def facing_ends(form: Form) -> tuple[Near, Near]:
    """Triangles that face the front, and those that face the rear, of a bus."""
    return (
        lambda p, n: (n[:, 0] > 0.25) & (p[:, 0] > form.front - 0.7),
        lambda p, n: (n[:, 0] < -0.25) & (p[:, 0] < form.rear + 0.6),
    )


def on_wall(p: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Triangles of the side wall of a bus."""
    return (n[:, 1] > 0.3) & (p[:, 1] > 0.6)


def box_of(left: float, low: float, right: float, high: float, radius: float) -> np.ndarray:
    """Outline of a rectangle with round corners."""
    return rounded([(left, low), (right, low), (right, high), (left, high)], radius)


def cut_bus_glass(skin: Skin, form: Form) -> None:
    """Windscreen, rear window and the band of side windows of a bus."""
    half, front, rear = form.half, form.front, form.rear
    low, high = bus_glass_heights(form)
    facing_front, facing_rear = facing_ends(form)
    screen = seen(box_of(-0.5, low, half - 0.11, high + 0.03, 0.08), FRONT)
    skin.zone("screen_band", screen, facing_front, "trim", 0.003, 0.005)
    skin.zone(
        "windscreen",
        lambda p: np.maximum(screen(p) + 0.03, p[:, 2] - high),
        facing_front,
        "glass",
        0.0035,
        0.0,
    )
    window = seen(box_of(-0.5, 1.55, half - 0.31, high, 0.08), FRONT)
    skin.zone("rear_band", window, facing_rear, "trim", 0.003, 0.005)
    skin.zone("rear_window", lambda p: window(p) + 0.03, facing_rear, "glass", 0.0035, 0.0)
    side = seen(box_of(rear + 0.5, low, front - 0.43, high, 0.08), SIDE)
    skin.zone("side_trim", side, on_wall, "trim", 0.002, 0.004)
    bars = np.linspace(front - 0.43, rear + 0.5, form.style.windows + 1)[1:-1]

    def panes(p):
        return np.max([side(p) + 0.03, *(0.035 - np.abs(p[:, 0] - x) for x in bars)], axis=0)

    skin.zone("side_glass", panes, on_wall, "glass", 0.006, 0.003)


def cut_bus_doors(skin: Skin, form: Form) -> None:
    """Two doors of two leaves each on the right; on the left their lower half is a panel."""
    low, high = bus_glass_heights(form)
    foot, axle = form.vehicle.clearance + 0.04, form.vehicle.axles[0]
    for k, (start, end) in enumerate(((form.front - 0.62, form.front - 1.78), (axle - 2.0, axle - 3.2))):
        door = seen(box_of(end, foot, start, high - 0.02, 0.05), SIDE)
        middle = 0.5 * (start + end)

        def leaf(p, door=door, middle=middle):
            return np.maximum(door(p) + 0.05, 0.03 - np.abs(p[:, 0] - middle))

        skin.zone(f"bus_door_{k}", door, on_wall, ("paint", "trim"), 0.003, 0.006)
        skin.zone(
            f"bus_frame_{k}",
            lambda p, door=door: np.maximum(door(p) + 0.003, low - p[:, 2]),
            on_wall,
            "trim",
            0.003,
            0.0,
        )
        skin.zone(
            f"bus_leaf_{k}",
            lambda p, leaf=leaf: np.maximum(leaf(p), p[:, 2] - low),
            on_wall,
            ("paint", "glass"),
            0.004,
            0.0,
        )
        skin.zone(
            f"bus_pane_{k}",
            lambda p, leaf=leaf: np.maximum(leaf(p), low + 0.03 - p[:, 2]),
            on_wall,
            "glass",
            0.004,
            0.0,
        )


def cut_bus(skin: Skin, form: Form) -> None:
    """Panels of a city bus: glass, doors, sign, engine grille, lamps at the corners."""
    v, half = form.vehicle, form.half
    _, high = bus_glass_heights(form)
    facing_front, facing_rear = facing_ends(form)
    cut_bus_glass(skin, form)
    cut_bus_doors(skin, form)
    sign = box_of(-0.5, high + 0.07, half - 0.36, v.height - 0.10, 0.04)
    skin.zone("sign", seen(sign, FRONT), facing_front, "trim", 0.004, 0.004)
    cut_opening(skin, "engine", seen(box_of(-0.5, 0.62, 0.75, 1.25, 0.04), FRONT), facing_rear, "trim", 0.07)
    lamp = corner_view(form, rounded([(0.66, 0.58), (0.66, 0.76), (0.99, 0.78), (0.99, 0.58)], 0.05))
    skin.zone("headlamp", lamp, on_nose(form), "lens", 0.002, 0.004)
    foot, nose = v.clearance + 0.16, form.front - 0.8
    skin.zone("lip", lambda p: p[:, 2] - foot, lambda p, n: p[:, 0] > nose, "plastic", -0.003, 0.003)
    tail = corner_view(form, box_of(0.86, 0.75, 1.02, 1.30, 0.04), True)
    skin.zone("tail_lamp", tail, on_tail(form), "tail lamp", 0.001, 0.004)
    cut_stripe(
        skin,
        "turn",
        lambda p: tail(p) + 0.014,
        lambda p: p[:, 2] - 1.18,
        0.05,
        on_tail(form),
        "indicator",
        0.0015,
    )
