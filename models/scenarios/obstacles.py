"""Things to fall over and onto: a stair, a kerb, a bed and a chair, as obstacles of a scenario.

Each is a list of boxes; none needs a mesh file. Sizes have defaults from common practice and can be given.
"""

from ...engine.spec import Obstacle
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


OBSTACLES = {"stair": stair, "kerb": kerb, "bed": bed, "chair": chair}
"""Name to the function that makes it."""


def moved(obstacles: list[Obstacle], x: float = 0.0, y: float = 0.0, z: float = 0.0) -> list[Obstacle]:
    """The obstacles shifted in place; returned for convenience."""
    for obstacle in obstacles:
        a, b, c = obstacle.position
        obstacle.position = (round(a + x, 6), round(b + y, 6), round(c + z, 6))
    return obstacles
