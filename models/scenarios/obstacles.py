"""Things to fall over and onto: stairs, kerbs, roads, furniture, as obstacles of a scenario.

Each is a list of boxes, capsules and small meshes; none needs a mesh file. Sizes have defaults from common practice,
which are assumed, and can be given; friction is that of `parts.surfaces`.
"""

import math

from ...engine.spec import Material, Obstacle
from ..parts.surfaces import SURFACES, surface
from ..vehicles.materials import mattress, seat_cushion


def _box(name: str, centre, half_size, material=None, source: str = "") -> Obstacle:
    return Obstacle(
        name,
        "box",
        position=tuple(round(float(v), 6) for v in centre),
        half_size=tuple(round(float(v), 6) for v in half_size),
        material=material,
        source=source,
    )


def stair(
    steps: int = 12, rise: float = 0.17, going: float = 0.28, width: float = 1.0, landing: float = 1.0
) -> list[Obstacle]:
    """A stair that goes down along +x: the landing's edge at x = 0, the floor at z = 0.

    The top landing is at z = steps * rise and reaches back to x = -landing; tread k (k = 1 .. steps - 1) is at z =
    (steps - k) * rise from x = (k - 1) * going to k * going. Each block stands on the floor. Sizes: 2 * rise + going
    = 0.62 m (Blondel's rule).
    """
    source = f"Stair {steps} x {rise * 100:.0f}/{going * 100:.0f} cm; proportions by Blondel's rule, assumed"
    top = steps * rise
    blocks = [_box("landing", (-landing / 2, 0, top / 2), (landing / 2, width / 2, top / 2), None, source)]
    for k in range(1, steps):
        height = (steps - k) * rise
        centre = ((k - 0.5) * going, 0.0, height / 2)
        blocks.append(_box(f"step_{k}", centre, (going / 2, width / 2, height / 2), None, source))
    return blocks


def kerb(height: float = 0.12, depth: float = 1.5, width: float = 4.0) -> list[Obstacle]:
    """A kerb and the pavement behind it: edge along y at x = 0, pavement from there to x = depth."""
    source = f"Kerb of {height * 100:.0f} cm, usual height, assumed"
    return [_box("kerb", (depth / 2, 0, height / 2), (depth / 2, width / 2, height / 2), None, source)]


def bed(
    length: float = 2.0, width: float = 0.9, height: float = 0.50, thickness: float = 0.15
) -> list[Obstacle]:
    """A bed with its middle over the origin, lying along y: frame and mattress, top at `height`."""
    frame = height - thickness
    return [
        _box(
            "bed_frame",
            (0, 0, frame / 2),
            (width / 2, length / 2, frame / 2),
            None,
            "Bed frame, rigid; assumed",
        ),
        _box(
            "mattress",
            (0, 0, frame + thickness / 2),
            (width / 2, length / 2, thickness / 2),
            mattress(),
            "Mattress 200 x 90 x 15 cm; assumed",
        ),
    ]


def chair(
    seat_height: float = 0.45, depth: float = 0.42, width: float = 0.45, padded: bool = False
) -> list[Obstacle]:
    """A chair facing +x with its seat's middle over the origin: seat, back and four legs."""
    cushion = seat_cushion() if padded else None
    source = "Chair, seat 45 cm high; assumed"
    parts = [
        _box("seat", (0, 0, seat_height - 0.02), (depth / 2, width / 2, 0.02), cushion, source),
        _box("back", (-depth / 2 - 0.015, 0, seat_height + 0.22), (0.015, width / 2, 0.22), cushion, source),
    ]
    for i, x in enumerate((depth / 2 - 0.02, -depth / 2 + 0.02)):
        for j, y in enumerate((width / 2 - 0.02, -width / 2 + 0.02)):
            legs = (0.02, 0.02, (seat_height - 0.04) / 2)
            parts.append(_box(f"leg_{2 * i + j + 1}", (x, y, legs[2]), legs, None, source))
    return parts


def _rod(name: str, start, end, radius: float, material: Material | None, source: str) -> Obstacle:
    """A capsule from one point to another, its ends round."""
    x, y, z = (b - a for a, b in zip(start, end, strict=True))
    length = math.sqrt(x * x + y * y + z * z)
    turn = (math.degrees(math.atan2(y, x)), math.degrees(math.acos(max(-1.0, min(1.0, z / length)))), 0.0)
    return Obstacle(
        name,
        "capsule",
        position=tuple(round((a + b) / 2.0, 6) for a, b in zip(start, end, strict=True)),
        orientation=tuple(round(angle, 6) for angle in turn),
        half_size=(radius, radius, round(length / 2.0, 6)),
        material=material,
        source=source,
    )


def _made_of(kind: str, what: str) -> tuple[Material, str]:
    """Contact material of a surface, and the source of a thing made of it."""
    return surface(kind), f"{what}; sizes assumed. {SURFACES[kind].source}"


def staircase(
    steps: int = 14,
    rise: float = 0.17,
    going: float = 0.28,
    width: float = 1.0,
    landing: float = 1.0,
    nosing: float = 0.03,
    landing_after: int = 7,
    handrail: float = 0.9,
    kind: str = "wood",
) -> list[Obstacle]:
    """A stair that goes down along +x with nosings, a landing on the way (after so many steps; 0: none) and handrails.

    The edge of the upper floor is at x = 0, the lower floor at z = 0. Treads are boards whose front edge is round and
    stands out by `nosing` over the riser below; `handrail` is the height of the rails over the nosings (0: none).
    """
    material, source = _made_of(kind, f"Stair {steps} x {rise * 100:.0f}/{going * 100:.0f} cm")
    board = 0.04
    parts, x, rails = [], 0.0, [(0.0, steps * rise)]
    top = steps * rise
    parts += _tread("upper_floor", -landing, 0.0, top, width, board, nosing, material, source)
    for k in range(1, steps):
        height, length = (steps - k) * rise, landing if k == landing_after else going
        name = "landing" if k == landing_after else f"tread_{k}"
        parts += _tread(name, x, x + length, height, width, board, nosing, material, source)
        if k == landing_after:
            rails += [(x, height), (x + length, height)]
        x += length
    rails.append((x, 0.0 + rise))
    if handrail > 0.0:
        wood, rail_source = _made_of("wood", f"Handrail {handrail * 100:.0f} cm over the nosings")
        for side, y in (("left", width / 2.0), ("right", -width / 2.0)):
            for number, (start, end) in enumerate(zip(rails, rails[1:], strict=False), start=1):
                ends = [(px, y, pz + handrail) for px, pz in (start, end)]
                parts.append(_rod(f"handrail_{side}_{number}", *ends, 0.022, wood, rail_source))
    return parts


def _tread(name, back, front, height, width, board, nosing, material, source) -> list[Obstacle]:
    """A board with a round front edge that stands out, and the block below it."""
    middle = (back + front) / 2.0
    half = (front - back) / 2.0
    block = height - board
    parts = [
        _box(name, (middle, 0, height - board / 2), (half, width / 2, board / 2), material, source),
        _box(f"{name}_block", (middle, 0, block / 2), (half, width / 2, block / 2), material, source),
    ]
    if nosing > 0.0:
        radius = board / 2.0
        edge = front + nosing - radius
        ends = [(edge, y, height - radius) for y in (-width / 2 + radius, width / 2 - radius)]
        parts.append(_rod(f"{name}_nosing", *ends, radius, material, source))
    return parts


def road(
    lanes: int = 2,
    lane_width: float = 3.25,
    length: float = 30.0,
    pavement: float = 2.0,
    kerb_height: float = 0.12,
    crossing: bool = True,
    kind: str = "asphalt_dry",
) -> list[Obstacle]:
    """A straight road along x about the origin: lanes, kerbs and pavements on both sides, and a crossing at x = 0.

    The road lies at z = 0, so switch the ground plane off where the friction of these surfaces shall count. Paint is a
    surface of its own with its own friction, in a layer of half a millimetre.
    """
    asphalt, source = _made_of(kind, f"Road of {lanes} lanes of {lane_width:g} m")
    half = lanes * lane_width / 2.0
    parts = [_box("road", (0, 0, -0.1), (length / 2, half, 0.1), asphalt, source)]
    stone, stone_source = _made_of("kerb_stone", f"Kerb of {kerb_height * 100:.0f} cm")
    paving, paving_source = _made_of("paving", f"Pavement {pavement:g} m wide")
    for side, sign in (("left", 1.0), ("right", -1.0)):
        wide = 0.15
        middle = kerb_height / 2.0 - 0.1
        high = kerb_height / 2.0 + 0.1
        y = sign * (half + wide / 2)
        parts.append(_box(f"kerb_{side}", (0, y, middle), (length / 2, wide / 2, high), stone, stone_source))
        y = sign * (half + wide + pavement / 2)
        size = (length / 2, pavement / 2, high)
        parts.append(_box(f"pavement_{side}", (0, y, middle), size, paving, paving_source))
    return parts + _paint(lanes, lane_width, length, crossing)


def _paint(lanes: int, lane_width: float, length: float, crossing: bool) -> list[Obstacle]:
    """Lines between lanes (3 m long, 6 m apart) and the bars of a crossing 4 m wide."""
    paint, source = _made_of("paint", "Road paint, 12 cm lines and 50 cm bars")
    thin, half, parts = 0.00025, lanes * lane_width / 2.0, []
    for lane in range(1, lanes):
        y = -half + lane * lane_width
        for number in range(int(length // 9.0)):
            x = -length / 2.0 + 9.0 * number + 4.5
            if not crossing or abs(x) > 4.0:
                parts.append(
                    _box(f"line_{lane}_{number + 1}", (x, y, thin), (1.5, 0.06, thin), paint, source)
                )
    for number in range(int(2.0 * half // 1.0) if crossing else 0):
        y = -half + 0.5 + number
        parts.append(_box(f"bar_{number + 1}", (0.0, y, thin), (2.0, 0.25, thin), paint, source))
    return parts


def junction(
    lane_width: float = 3.25, arm: float = 15.0, pavement: float = 2.0, kerb_height: float = 0.12
) -> list[Obstacle]:
    """Two roads of two lanes that cross at the origin, along x and y, with pavements at the four corners."""
    asphalt, source = _made_of("asphalt_dry", f"Junction of roads of 2 lanes of {lane_width:g} m")
    half, reach = lane_width, lane_width + arm
    parts = [
        _box("road_x", (0, 0, -0.1), (reach, half, 0.1), asphalt, source),
        _box("road_y_front", (0, half + arm / 2, -0.1), (half, arm / 2, 0.1), asphalt, source),
        _box("road_y_back", (0, -half - arm / 2, -0.1), (half, arm / 2, 0.1), asphalt, source),
    ]
    stone, stone_source = _made_of("kerb_stone", f"Kerb of {kerb_height * 100:.0f} cm")
    paving, paving_source = _made_of("paving", f"Pavement {pavement:g} m wide")
    wide, middle, high = 0.15, kerb_height / 2.0 - 0.1, kerb_height / 2.0 + 0.1
    for number, (i, j) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)), start=1):
        along = (i * (half + arm / 2), j * (half + wide / 2), middle)
        across = (i * (half + wide / 2), j * (half + wide + (arm - wide) / 2), middle)
        parts += [
            _box(f"kerb_{number}_x", along, (arm / 2, wide / 2, high), stone, stone_source),
            _box(f"kerb_{number}_y", across, (wide / 2, (arm - wide) / 2, high), stone, stone_source),
        ]
        rest = (arm - wide) / 2
        corner = (i * (half + wide + rest), j * (half + wide + pavement / 2), middle)
        other = (
            i * (half + wide + pavement / 2),
            j * (half + wide + pavement + (rest - pavement / 2)),
            middle,
        )
        parts += [
            _box(f"pavement_{number}_x", corner, (rest, pavement / 2, high), paving, paving_source),
            _box(
                f"pavement_{number}_y",
                other,
                (pavement / 2, rest - pavement / 2, high),
                paving,
                paving_source,
            ),
        ]
    return parts


def bath(length: float = 1.7, width: float = 0.75, height: float = 0.58, wet: bool = True) -> list[Obstacle]:
    """A bath along x with its middle over the origin: bottom, walls with a round rim, and a tiled floor before it."""
    enamel, source = _made_of("enamel_wet" if wet else "tiles_dry", "Bath 170 x 75 cm, rim 58 cm high")
    wall, bottom = 0.06, 0.12
    parts = [_box("bath_bottom", (0, 0, bottom / 2), (length / 2, width / 2, bottom / 2), enamel, source)]
    high = (height - wall / 2 - bottom) / 2
    for name, x, y, along in (
        ("front", 0.0, -1.0, True),
        ("back", 0.0, 1.0, True),
        ("head", -1.0, 0.0, False),
        ("foot", 1.0, 0.0, False),
    ):
        centre = (x * (length - wall) / 2, y * (width - wall) / 2, bottom + high)
        half = (length / 2, wall / 2, high) if along else (wall / 2, width / 2 - wall, high)
        parts.append(_box(f"bath_{name}", centre, half, enamel, source))
        reach = (length - wall) / 2 if along else (width - wall) / 2
        ends = [
            (centre[0] + s * reach * along, centre[1] + s * reach * (not along), height - wall / 2)
            for s in (-1, 1)
        ]
        parts.append(_rod(f"bath_rim_{name}", *ends, wall / 2, enamel, source))
    tiles, tile_source = _made_of("tiles_wet" if wet else "tiles_dry", "Bathroom floor")
    parts.append(_box("bath_floor", (0, -width / 2 - 0.75, -0.05), (1.25, 0.75, 0.05), tiles, tile_source))
    return parts


def scaffold(
    bays: int = 2, levels: int = 2, bay: float = 2.5, depth: float = 0.9, lift: float = 2.0
) -> list[Obstacle]:
    """A scaffold along x from the origin: standards, boards at every lift, guard rails and toe boards outside."""
    steel, source = _made_of("steel", "Scaffold, tubes of 48 mm, lifts of 2 m")
    wood, board_source = _made_of("wood", "Scaffold boards")
    tube, length, height, parts = 0.024, bays * bay, levels * lift + 1.1, []
    for i in range(bays + 1):
        for j, y in enumerate((0.0, depth)):
            ends = [(i * bay, y, tube), (i * bay, y, height)]
            parts.append(_rod(f"standard_{i + 1}_{j + 1}", *ends, tube, steel, source))
    for level in range(1, levels + 1):
        z = level * lift
        parts.append(
            _box(
                f"boards_{level}",
                (length / 2, depth / 2, z - 0.02),
                (length / 2, depth / 2, 0.02),
                wood,
                board_source,
            )
        )
        for name, above in (("guard_rail", 1.0), ("middle_rail", 0.5)):
            ends = [(0.0, 0.0, z + above), (length, 0.0, z + above)]
            parts.append(_rod(f"{name}_{level}", *ends, tube, steel, source))
        toe = ((length / 2, 0.015, z + 0.075), (length / 2, 0.015, 0.075))
        parts.append(_box(f"toe_board_{level}", *toe, wood, board_source))
    return parts


def balcony(width: float = 3.0, depth: float = 1.2, height: float = 3.0, rail: float = 1.0) -> list[Obstacle]:
    """A balcony that stands out along +x from a wall at x = 0, its floor at `height`, with a parapet rail round it."""
    concrete, source = _made_of("concrete", f"Balcony {height:g} m up, rail {rail * 100:.0f} cm high")
    steel, rail_source = _made_of("steel", f"Rail {rail * 100:.0f} cm over the floor, bars 12 cm apart")
    parts = [
        _box("balcony_floor", (depth / 2, 0, height - 0.09), (depth / 2, width / 2, 0.09), concrete, source),
        _box("wall", (-0.15, 0, height), (0.15, width, height), concrete, source),
    ]
    corners = [(0.0, -width / 2), (depth, -width / 2), (depth, width / 2), (0.0, width / 2)]
    for number, (start, end) in enumerate(zip(corners, corners[1:], strict=False), start=1):
        for name, above in (("rail", rail), ("foot_rail", 0.1)):
            ends = [(x, y, height + above) for x, y in (start, end)]
            parts.append(_rod(f"balcony_{name}_{number}", *ends, 0.02, steel, rail_source))
        count = max(1, round(math.dist(start, end) / 0.12))
        for k in range(count):
            x, y = (a + (k + 0.5) / count * (b - a) for a, b in zip(start, end, strict=True))
            ends = [(x, y, height + 0.1), (x, y, height + rail)]
            parts.append(_rod(f"balcony_bar_{number}_{k + 1}", *ends, 0.006, steel, rail_source))
    return parts


def ladder(length: float = 4.0, angle: float = 75.0, width: float = 0.4) -> list[Obstacle]:
    """A ladder that leans along +x against what is there: its foot at the origin, rungs 28 cm apart."""
    steel, source = _made_of("steel", f"Ladder of {length:g} m at {angle:g} degrees")
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    parts = []
    for side, y in (("left", width / 2.0), ("right", -width / 2.0)):
        ends = [(0.03 * c, y, 0.03), (length * c, y, length * s)]
        parts.append(_rod(f"ladder_{side}", *ends, 0.025, steel, source))
    for number in range(1, int(length / 0.28)):
        x, z = 0.28 * number * c, 0.28 * number * s
        parts.append(_rod(f"rung_{number}", (x, -width / 2, z), (x, width / 2, z), 0.015, steel, source))
    return parts


OBSTACLES = {
    "stair": stair,
    "staircase": staircase,
    "kerb": kerb,
    "road": road,
    "junction": junction,
    "bed": bed,
    "chair": chair,
    "bath": bath,
    "scaffold": scaffold,
    "balcony": balcony,
    "ladder": ladder,
}
"""Name to the function that makes it."""


def moved(obstacles: list[Obstacle], x: float = 0.0, y: float = 0.0, z: float = 0.0) -> list[Obstacle]:
    """The obstacles shifted in place; returned for convenience."""
    for obstacle in obstacles:
        a, b, c = obstacle.position
        obstacle.position = (round(a + x, 6), round(b + y, 6), round(c + z, 6))
    return obstacles
