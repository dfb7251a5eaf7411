"""What is not sheet metal: wheel wells, mirrors, handles, plates, lamps behind their lenses, cabin, load box."""

import math

import numpy as np

from ....engine.spec import Vehicle
from .assembly import MIRROR, Assembly, box, pebble, revolve, strip
from .lettering import lettering
from .panels import door_lines, plate_height
from .surface import Form

PLATE = np.array([0.52, 0.112])
"""m: width and height of a number plate."""
STEP_BUMPER = (0.06, 0.075)
"""m: half depth and half height of the bumper behind a pickup's bed."""
LEAN = np.array([[1.0, 0.0, -0.28], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""Shear of the back of a seat."""


def add_parts(out: Assembly, form: Form) -> None:
    """Everything but the skin and the wheels."""
    add_wells(out, form)
    add_plates(out, form)
    add_lamps(out, form)
    add_wipers(out, form)
    if form.vehicle.kind == "bus":
        add_bus_parts(out, form)
        return
    add_mirrors(out, form)
    add_handles(out, form)
    add_cabin(out, form)
    if form.vehicle.kind in ("suv", "estate"):
        add_roof_rails(out, form)
    if form.vehicle.kind == "truck":
        add_box_body(out, form)
    elif form.vehicle.kind == "pickup":
        add_bed(out, form)
    elif form.vehicle.kind != "van":
        add_fin(out, form)
    if not form.style.is_box and not form.style.cab:
        add_exhaust(out, form)


def add_wells(out: Assembly, form: Form) -> None:
    """Dark housings of the wheels."""
    v, arch = form.vehicle, form.arch
    for axle in v.axles:
        outer = float(form.body_y(axle, v.wheel_radius + arch)) - 0.022
        inner = v.track / 2.0 - v.tyre_width / 2.0 - 0.12
        profile = [(arch + 0.004, outer), (arch + 0.02, outer - 0.05), (arch + 0.02, inner), (0.0, inner)]
        points, faces = revolve(profile, 48)
        points = points + np.array([axle, 0.0, v.wheel_radius])
        above = points[:, 2] > v.clearance + 0.06
        out.add(points, faces[above[faces].all(axis=1)], "dark", mirror=True)


def surface_x(form: Form, y: float, z: float, is_rear: bool = False) -> float:
    """x where the surface is met from the front or from behind at a lateral position and height."""
    start = form.rear - 0.1 if is_rear else form.front + 0.1
    x = start + np.linspace(0.0, 1.4 if is_rear else -1.4, 1400)
    inside = form(x, np.full_like(x, y), np.full_like(x, z)) < 0.0
    return float(x[int(np.argmax(inside))])


def add_plates(out: Assembly, form: Form) -> None:
    """Number plates with their text, on black holders."""
    v = form.vehicle
    front_z = v.bumper_height - 0.02
    rear_z = plate_height(form)
    rear_x = surface_x(form, 0.0, rear_z, True)
    if v.kind == "truck":
        rear_x, rear_z = form.rear - 0.02, 0.55
    elif v.kind == "pickup":  # on the step bumper
        rear_x = form.rear - STEP_BUMPER[0] - 0.015
    elif v.kind in ("saloon", "hatchback", "estate", "suv"):
        rear_x += 0.010
    for x, z, side in (
        (surface_x(form, 0.26, front_z) + 0.006, front_z, 1.0),
        (rear_x - 0.003, rear_z, -1.0),
    ):
        half = PLATE / 2.0
        out.box("trim", (x, 0.0, z), (0.008, half[0] + 0.012, half[1] + 0.010), flat=True)
        out.box("plate", (x + side * 0.006, 0.0, z), (0.006, *half), flat=True)
        flat, faces = lettering(v.plate, PLATE[0] - 0.07)
        points = np.stack([np.full(len(flat), x + side * 0.0125), side * flat[:, 0], z + flat[:, 1]], axis=1)
        out.add(points, faces, "letters", flat=True)


def add_mirrors(out: Assembly, form: Form) -> None:
    """Door mirrors on a foot."""
    tall = 1.6 if form.style.is_box else 1.0
    z = form.belt + (0.115 if form.style.is_box else 0.085)
    beside = min(0.66, form.half - 0.2)
    x = min(float(form.screen_x(beside, form.belt + 0.02)) - 0.17, form.cowl_x - 0.16)
    y = float(form.body_y(x, form.belt - 0.02)) + 0.065
    shear = [[1.0, -0.22, 0.0], [0.0, 1.0, 0.0], [0.0, 0.06, 1.0]]
    at = np.array([x, y + 0.03, z + 0.03 * tall])
    shell = "plastic" if form.style.is_box else "paint"
    power = 4.0 if form.style.is_box else 2.9
    out.pebble(shell, at, (0.075, 0.115, 0.068 * tall), power, 16, shear, mirror=True)
    glass = at + np.array([-0.058, 0.012, 0.0])
    out.pebble("chrome", glass, (0.022, 0.095, 0.054 * tall), 3.5, 10, shear, mirror=True)
    out.pebble("trim", (x + 0.005, y - 0.08, z - 0.035), (0.045, 0.10, 0.020), 3.0, 10, mirror=True)


def add_handles(out: Assembly, form: Form) -> None:
    """Door handles above their recess."""
    _, middle, last = door_lines(form)
    ends = [middle] if form.style.is_box else [middle, last]
    for end in ends:
        x = end + 0.17
        z = float(form.crease(end)) + 0.022
        y = float(form.body_y(x, z))
        out.pebble("paint", (x, y + 0.018, z), (0.105, 0.011, 0.014), 3.5, 10, mirror=True)
        out.pebble("trim", (x + 0.02, y - 0.002, z - 0.004), (0.075, 0.006, 0.024), 2.5, 10, mirror=True)


def add_lamps(out: Assembly, form: Form) -> None:
    """Two projectors behind the lens of each headlamp, and fog lamps in their pockets."""
    v, scale = form.vehicle, form.vehicle.width / 1.85
    if v.kind == "bus":
        places, z, size = (0.93, 1.08), 0.67, 0.055
    elif form.style.is_upright:
        places, z, size = (0.61 * scale, 0.725 * scale), v.edge_height - 0.14, 0.042
    else:
        places, z, size = (0.60 * scale, 0.715 * scale), v.edge_height - 0.097, 0.037
    for y in places:
        x = surface_x(form, y, z)
        out.pebble("lamp", (x - 0.050, y, z), (0.035, size, size), 2.0, 14, mirror=True)
        ring = [
            (size, 0.0),
            (size + 0.004, 0.014),
            (size + 0.011, 0.014),
            (size + 0.013, 0.0),
            (size + 0.013, -0.03),
        ]
        points, faces = revolve(ring, 28)
        points = points[:, [1, 0, 2]] + np.array([x - 0.045, y, z])
        out.add(points, faces[:, ::-1], "chrome", mirror=True)
    if v.kind != "bus":
        y, z = 0.66 * scale, v.clearance + 0.15
        x = surface_x(form, y, z)
        out.pebble("lamp", (x - 0.026, y, z), (0.010, 0.036, 0.032), 2.2, 12, mirror=True)


def add_wipers(out: Assembly, form: Form) -> None:
    """Two wipers at the foot of the windscreen."""
    foot = form.cowl_z + (0.045 if form.vehicle.kind != "bus" else 0.06)
    for start in (0.08, -0.52):
        y = start + np.linspace(0.0, 0.56, 10)
        z = foot + 0.04 * np.linspace(0.0, 1.0, 10)
        path = np.stack([form.screen_x(y, z) + 0.016, y, z], axis=1)
        out.strip("trim", path, (0.0, 0.0, 0.009), (0.006, 0.0, 0.0))


def add_cabin(out: Assembly, form: Form) -> None:
    """Dashboard with binnacle and screen, steering wheel, seats with head restraints, floor, door cards, mirror."""
    v, s, half = form.vehicle, form.style, form.half
    cx, belt = form.cowl_x, form.belt
    first, middle, last = door_lines(form)
    behind = 0.18 if form.cab_end is None else 0.30  # before the upright rear window of a cab
    rows = [middle + 0.10] + ([last + behind] if s.doors == 2 and not s.is_box else [])
    seat = min(belt - 0.50, v.height - 1.16)
    dash = max(middle + 0.85, cx - 0.42)
    out.pebble("cabin", (dash + 0.16, 0.0, belt - 0.13), (0.26, half - 0.20, 0.13), 5.0, 14)
    out.pebble("trim", (dash - 0.02, 0.37, belt - 0.01), (0.10, 0.17, 0.055), 3.0, 12)
    out.box("trim", (dash - 0.105, 0.0, belt - 0.06), (0.006, 0.14, 0.08), flat=True)
    out.pebble("cabin", (dash - 0.42, 0.0, seat + 0.12), (0.45, 0.10, 0.13), 5.0, 10)
    for x in rows:
        add_seat(out, x, 0.37, seat)
    if len(rows) > 1:
        out.pebble("cabin", (rows[1], 0.0, seat + 0.44), (0.085, 0.16, 0.28), 4.0, 10, LEAN)
        out.pebble("cabin", (rows[1] + 0.26, 0.0, seat + 0.12), (0.26, 0.16, 0.09), 4.0, 10)
    floor_end = form.cab_end + 0.05 if form.cab_end is not None else form.rear + 0.35
    long = (first - floor_end) / 2.0
    out.box("cabin", (floor_end + long, 0.0, v.clearance + 0.10), (long, half - 0.16, 0.03), flat=True)
    if s.is_box and form.cab_end is None:  # the wall behind the seats
        out.box(
            "cabin",
            (middle - 0.12, 0.0, 0.5 * (v.clearance + v.height)),
            (0.01, half - 0.16, 0.5 * (v.height - v.clearance) - 0.14),
            flat=True,
        )
    add_steering_wheel(out, np.array([dash - 0.22, 0.37, belt - 0.02]))
    z = v.height - 0.20
    x = float(form.screen_x(0.0, z)) - 0.10
    out.pebble("trim", (x, 0.0, z), (0.015, 0.11, 0.033), 3.0, 10)


def add_seat(out: Assembly, x: float, y: float, z: float) -> None:
    """A seat and its mirror image: cushion, bolsters, back, head restraint on two posts."""
    out.pebble("cabin", (x + 0.26, y, z + 0.13), (0.27, 0.20, 0.085), 4.0, 10, mirror=True)
    out.pebble("cabin", (x, y, z + 0.48), (0.075, 0.20, 0.32), 4.0, 10, LEAN, mirror=True)
    for side in (-1.0, 1.0):
        out.pebble("cabin", (x + 0.28, y + 0.21 * side, z + 0.15), (0.25, 0.05, 0.095), 3.0, 8, mirror=True)
        out.pebble(
            "cabin", (x + 0.03, y + 0.20 * side, z + 0.44), (0.085, 0.05, 0.25), 3.0, 8, LEAN, mirror=True
        )
        post = (x - 0.115, y + 0.06 * side, z + 0.82)
        out.box("steel", post, (0.006, 0.006, 0.06), flat=True, mirror=True)
    out.pebble("cabin", (x - 0.125, y, z + 0.92), (0.05, 0.13, 0.085), 3.5, 10, mirror=True)


def add_steering_wheel(out: Assembly, at: np.ndarray) -> None:
    """Rim, boss and three spokes, leaning as on a car."""
    angle = np.linspace(0.0, 2.0 * math.pi, 9)
    ring = list(zip(0.185 + 0.014 * np.cos(angle), 0.014 * np.sin(angle), strict=True))
    points, faces = revolve(ring, 32)
    turn = np.array([[0.93, 0.0, 0.36], [0.0, 1.0, 0.0], [-0.36, 0.0, 0.93]])
    swap = points[:, [1, 0, 2]]
    out.add(swap @ turn.T + at, faces, "trim")
    boss, quads = pebble((0.0, 0.0, 0.0), (0.03, 0.065, 0.055), 3.0, 10)
    out.add(boss @ turn.T + at, quads, "trim")
    for end in ((0.0, 0.18, 0.02), (0.0, -0.18, 0.02), (0.0, 0.0, -0.18)):
        path = np.array([(0.0, 0.0, 0.0), end])
        across = np.array([0.0, 0.0, 0.012]) if end[1] else np.array([0.0, 0.012, 0.0])
        bar, quads = strip(path, across, np.array([0.006, 0.0, 0.0]))
        out.add(bar @ turn.T + at, quads, "trim", flat=True)


def add_fin(out: Assembly, form: Form) -> None:
    """Aerial on the roof."""
    x = form.roof_back + 0.14
    shear = [[1.0, 0.0, -0.8], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    out.pebble("paint", (x, 0.0, float(form.top(x)) + 0.010), (0.075, 0.016, 0.034), 2.2, 12, shear)


def add_roof_rails(out: Assembly, form: Form) -> None:
    """Rails along the roof."""
    x = np.linspace(form.roof_x - 0.25, form.roof_back + 0.1, 24)
    y = np.full_like(x, float(form.side_y(0.0, form.vehicle.height)) - 0.055)
    heights = np.linspace(form.vehicle.height + 0.03, form.vehicle.height - 0.25, 300)
    inside = form(x[:, None], y[:, None], heights[None, :]) < 0.0
    z = heights[inside.argmax(axis=1)] + 0.030
    z[[0, -1]] -= 0.036
    path = np.stack([x, y, z], axis=1)
    out.strip("metal", path, (0.0, 0.014, 0.0), (0.0, 0.0, 0.011), mirror=True)


def add_exhaust(out: Assembly, form: Form) -> None:
    """Two tail pipes below the bumper."""
    points, faces = revolve([(0.026, 0.0), (0.032, 0.0), (0.032, 0.12)], 20)
    x = surface_x(form, 0.52, form.vehicle.clearance + 0.06, True)
    points = points[:, [1, 0, 2]] + np.array([x + 0.005, 0.50, form.vehicle.clearance + 0.045])
    out.add(points, faces, "chrome", mirror=True)
    dark, quads = revolve([(0.0, 0.0), (0.027, 0.0)], 20)
    out.add(
        dark[:, [1, 0, 2]] + np.array([x + 0.02, 0.50, form.vehicle.clearance + 0.045]),
        quads,
        "dark",
        mirror=True,
    )


def add_bed(out: Assembly, form: Form) -> None:
    """Liner of a pickup's bed, a bar behind the cab, a step bumper with its tread, and the handle of the tailgate."""
    front, rear, half = form.cab_end - 0.11, form.rear + 0.12, form.half
    middle = 0.5 * (front + rear)
    out.box("plastic", (middle, 0.0, 0.745), ((front - rear) / 2.0, half - 0.16, 0.008), flat=True)
    for k in range(9):
        y = (k - 4) * 0.15
        out.box("plastic", (middle, y, 0.758), ((front - rear) / 2.0 - 0.04, 0.03, 0.008), flat=True)
    top = form.rear_belt + 0.055
    left = [(front - 0.12, half - 0.22, top + 0.34), (front - 0.12, half - 0.13, top)]
    bar = np.concatenate([np.array(left[::-1]) * MIRROR, left])
    out.strip("trim", bar, (0.035, 0.0, 0.0), (0.0, 0.0, 0.028))
    deep, tall = STEP_BUMPER
    out.pebble("steel", (form.rear - 0.01, 0.0, 0.56), (deep, half - 0.10, tall), 8.0, 14)
    out.pebble("trim", (form.rear, 0.0, 0.56 + tall), (deep - 0.01, half - 0.16, 0.008), 8.0, 12)
    z = form.rear_belt - 0.10
    out.pebble("trim", (surface_x(form, 0.0, z, True), 0.0, z), (0.014, 0.13, 0.035), 4.0, 12)


def add_box_body(out: Assembly, form: Form) -> None:
    """Box behind the cab of a truck, with frame, rails, rear doors, lamps, under-run bar and mudguards."""
    v = form.vehicle
    centre, half = form.box_body()
    out.box("box", centre, half, flat=True)
    low = centre[2] - half[2]
    for side in (-1.0, 1.0):
        out.box("dark", (centre[0] + 0.3, 0.42 * side, low - 0.12), (half[0] + 0.3, 0.05, 0.11), flat=True)
        out.box("metal", (centre[0], half[1] * side, low + 0.03), (half[0], 0.008, 0.03), flat=True)
        out.box(
            "metal",
            (centre[0], half[1] * side, centre[2] + half[2] - 0.03),
            (half[0], 0.008, 0.03),
            flat=True,
        )
        out.box(
            "metal",
            (form.rear - 0.004, (half[1] - 0.03) * side, centre[2]),
            (0.006, 0.03, half[2]),
            flat=True,
        )
        out.box("tail lamp", (form.rear - 0.03, 0.78 * side, low - 0.10), (0.02, 0.16, 0.055), flat=True)
        out.box("indicator", (form.rear - 0.051, 0.86 * side, low - 0.10), (0.004, 0.04, 0.04), flat=True)
        guard = box((v.axles[1] - v.wheel_radius - 0.12, (v.track / 2.0) * side, 0.55), (0.008, 0.16, 0.24))
        out.add(*guard, "rubber", flat=True)
        for x in np.linspace(centre[0] - half[0] + 0.25, centre[0] + half[0] - 0.25, 7):
            out.box("box", (x, (half[1] + 0.003) * side, centre[2]), (0.02, 0.004, half[2] - 0.06), flat=True)
        rail = (v.axles[0] + v.axles[1]) / 2.0 - 0.25
        for z in (0.42, 0.60):
            out.box("metal", (rail, (half[1] - 0.10) * side, z), (0.85, 0.012, 0.045), flat=True)
    out.box("dark", (form.rear - 0.003, 0.0, centre[2]), (0.004, 0.006, half[2] - 0.02), flat=True)
    for y in (-0.35, -0.12, 0.12, 0.35):
        out.box("steel", (form.rear - 0.02, y, centre[2]), (0.012, 0.012, half[2] - 0.06), flat=True)
    out.box("metal", (form.rear + 0.06, 0.0, 0.48), (0.04, 0.95, 0.06), flat=True)
    out.box("dark", (form.rear + 0.02, 0.0, low - 0.06), (0.03, half[1] - 0.04, 0.055), flat=True)
    for y in (-0.42, 0.42):  # hangers of the bar, below the frame
        top = low - 0.2
        out.box(
            "dark", (form.rear + 0.13, y, 0.5 * (top + 0.46)), (0.03, 0.035, 0.5 * (top - 0.40)), flat=True
        )
    out.box("dark", (v.axles[1], 0.0, v.wheel_radius), (0.06, v.track / 2.0 - 0.1, 0.06), flat=True)
    out.box("dark", (form.cab_end - 0.35, 0.0, 0.55), (0.35, 0.40, 0.10), flat=True)


def add_bus_parts(out: Assembly, form: Form) -> None:
    """Mirrors on arms, seats, poles, dashboard, floor, destination sign."""
    v, half = form.vehicle, form.half
    front, rear = form.front, form.rear
    for side in (1.0, -1.0):
        path = np.array(
            [
                (front - 0.25, side * (half - 0.12), 2.62),
                (front + 0.22, side * (half + 0.02), 2.58),
                (front + 0.25, side * (half + 0.05), 2.40),
            ]
        )
        out.strip("trim", path, (0.0, 0.02, 0.0), (0.0, 0.0, 0.02))
        out.pebble("trim", (front + 0.25, side * (half + 0.06), 2.18), (0.06, 0.12, 0.24), 4.0, 14)
    floor = v.clearance + 0.08
    out.box("cabin", (0.5 * (front + rear), 0.0, floor), (v.length / 2.0 - 0.3, half - 0.12, 0.03), flat=True)
    for x in np.arange(front - 3.0, rear + 1.2, -0.95):
        for y in (half - 0.42, half - 0.88):
            if y < half - 0.5 and (abs(x - v.axles[0] + 2.6) < 0.9):
                continue
            seat = floor + 0.42
            out.pebble("cabin", (x, y, seat), (0.21, 0.20, 0.04), 4.0, 8, mirror=True)
            out.pebble("cabin", (x - 0.20, y, seat + 0.34), (0.03, 0.20, 0.34), 4.0, 8, mirror=True)
        pole, faces = revolve([(0.017, floor), (0.017, v.height - 0.2)], 10)
        out.add(
            pole[:, [0, 2, 1]] + np.array([x, half - 1.02, 0.0]), faces[:, ::-1], "indicator", mirror=True
        )
    out.pebble("cabin", (front - 0.45, 0.0, form.belt - 0.14), (0.22, half - 0.20, 0.16), 5.0, 14)
    add_steering_wheel(out, np.array([front - 0.78, half - 0.62, form.belt + 0.08]))
    out.pebble("cabin", (front - 1.35, half - 0.62, floor + 0.75), (0.08, 0.24, 0.42), 4.0, 10)
    flat, faces = lettering("22 MANNEQUIN", 1.4)
    z = v.height - 0.25
    x = form.screen_x(flat[:, 0] * 2.0, z + flat[:, 1] * 2.0) + 0.002
    points = np.stack([x, flat[:, 0] * 2.0, z + flat[:, 1] * 2.0], axis=1)
    out.add(points, faces, "indicator", flat=True)


def wheel_centres(vehicle: Vehicle) -> dict[str, np.ndarray]:
    """Name of each wheel (front left to rear right) to its centre (m)."""
    y, z = vehicle.track / 2.0, vehicle.wheel_radius
    front, rear = vehicle.axles
    places = {"FL": (front, y), "FR": (front, -y), "RL": (rear, y), "RR": (rear, -y)}
    return {name: np.array([x, beside, z]) for name, (x, beside) in places.items()}
