"""Wheels of a mesh, found where it stands on the ground: whether they are parts of their own or welded to the body."""

from dataclasses import dataclass

import numpy as np

from ....engine.errors import EngineError

LOW = 0.10
"""m: up to this height there is nothing of a vehicle but its tyres."""
RADII = (0.22, 0.60)
"""m: of wheels."""
ROUND = 1.03
"""Radius of what is cut out as a wheel over that of the tyre."""
BESIDE = 0.03
"""m: what is cut out is wider than the tyre by this on each side."""
HEIGHTS = 10
FARTHEST = 1.08
"""Of its radius, how far a corner of a face of a wheel may be from the axle."""


@dataclass(frozen=True)
class FoundWheel:
    """A wheel: its centre (m), radius and width."""

    name: str
    centre: tuple[float, float, float]
    radius: float
    width: float

    def holds(self, points: np.ndarray) -> np.ndarray:
        """(n,) whether points lie within the cylinder that is cut out as this wheel."""
        x, y, z = (points - np.array(self.centre)).T
        return (np.hypot(x, z) < ROUND * self.radius) & (np.abs(y) < self.width / 2.0 + BESIDE)

    def takes(self, corners: np.ndarray) -> np.ndarray:
        """(m,) whether triangles of these corners (m, 3, 3) are cut out: their middle lies within, and no corner far
        out, as of a large face of the floor that only passes through."""
        x, _, z = np.moveaxis(corners - np.array(self.centre), 2, 0)
        return self.holds(corners.mean(axis=1)) & (np.hypot(x, z) < FARTHEST * self.radius).all(axis=1)


def find_wheels(points: np.ndarray) -> dict[str, FoundWheel]:
    """FL, FR, RL and RR of samples (n, 3) of a surface in m, x forward, z up; heights count from the lowest point.

    Whatever lies below `LOW` is tyre. A circle that stands on the ground has the half chord sqrt(2 r z - z^2) at the
    height z: radius and middle follow from the chords. Raises EngineError where there are not two on each side.
    """
    ground = float(np.quantile(points[:, 2], 1e-4))
    low = points[points[:, 2] - ground < LOW]
    middle = 0.5 * (points[:, 0].min() + points[:, 0].max()), 0.5 * (points[:, 1].min() + points[:, 1].max())
    found = {}
    for end, is_front in (("F", True), ("R", False)):
        for side, is_left in (("L", True), ("R", False)):
            near = low[
                ((low[:, 0] > middle[0]) == is_front)
                & ((low[:, 1] > middle[1]) == is_left)
                & (np.abs(low[:, 1] - middle[1]) > 0.2 * np.ptp(points[:, 1]))
            ]
            if len(near) < 30:
                raise EngineError(
                    f"no wheel stands on the ground at the {'front' if is_front else 'rear'} "
                    f"{'left' if is_left else 'right'}; give a mesh with four wheels, or turn it upright"
                )
            found[end + side] = _fitted(end + side, near, ground)
    return found


def _fitted(name: str, near: np.ndarray, ground: float) -> FoundWheel:
    """The wheel whose lowest part points lie on."""
    place = np.median(near[near[:, 2] - ground < 0.4 * LOW, 0])
    near = near[np.abs(near[:, 0] - place) < RADII[1]]
    edges = np.linspace(0.0, LOW, HEIGHTS + 1)
    rows = []
    for low, high in zip(edges[1:-1], edges[2:], strict=True):
        band = near[(near[:, 2] - ground >= low) & (near[:, 2] - ground < high)]
        if len(band) > 4:
            rows.append((0.5 * (low + high), *np.quantile(band[:, 0], (0.02, 0.98))))
    if len(rows) < 4:
        raise EngineError(
            f"wheel {name} has too few points near the ground to fit a circle; use a finer mesh"
        )
    height, back, front = np.array(rows).T
    middle = float(np.median(0.5 * (back + front)))
    radius, lift = circle_of(height, 0.5 * (front - back))
    if not RADII[0] <= radius <= RADII[1] or abs(lift) > 0.3 * LOW:
        raise EngineError(
            f"what stands on the ground at wheel {name} has a radius of {radius:.2f} m, which is no wheel's; check the "
            "unit and which way is up"
        )
    tread = near[near[:, 2] - ground < 0.5 * LOW]
    inner, outer = np.quantile(tread[:, 1], (0.01, 0.99))
    centre = (middle, float(0.5 * (inner + outer)), ground + lift + radius)
    return FoundWheel(name, centre, radius, float(outer - inner))


def circle_of(height: np.ndarray, chord: np.ndarray) -> tuple[float, float]:
    """(radius, height of the lowest point) of a circle, m, from half chords at heights, by least squares.

    chord^2 = 2 r (z - g) - (z - g)^2, so chord^2 + z^2 = a z + b with a = 2 (r + g) and b = -g (a - g).
    """
    a, b = np.polyfit(height, chord**2 + height**2, 1)
    lift = 0.5 * (a - np.sqrt(max(0.0, a * a + 4.0 * b)))
    return float(0.5 * a - lift), float(lift)


def together(wheels: dict[str, FoundWheel]) -> dict[str, float]:
    """Wheelbase, track, radius and width (m) of four wheels, and the middle and the ground they stand about."""
    at = {name: np.array(wheel.centre) for name, wheel in wheels.items()}
    radius = float(np.mean([wheel.radius for wheel in wheels.values()]))
    front, rear = (0.5 * (at[f"{end}L"] + at[f"{end}R"]) for end in "FR")
    return {
        "wheelbase": float(front[0] - rear[0]),
        "track": float(np.mean([at[f"{end}L"][1] - at[f"{end}R"][1] for end in "FR"])),
        "wheel_radius": radius,
        "tyre_width": float(np.mean([wheel.width for wheel in wheels.values()])),
        "x": float(0.5 * (front[0] + rear[0])),
        "y": float(0.5 * (front[1] + rear[1])),
        "ground": float(np.mean([c[2] for c in at.values()])) - radius,
    }
