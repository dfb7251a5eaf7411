"""Small bodies and scenes for tests of whole runs with contact. Nothing here computes an expectation."""

import numpy as np

from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Obstacle, Scenario, Settings

G = 9.81


def free_body(
    material: Material,
    mass: float = 1.0,
    inertia: float | None = None,
    semi_axes: tuple[float, float, float] = (0.1, 0.1, 0.1),
    centres: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),),
) -> Model:
    """One free body with an ellipsoid at every centre; inertia absent: a solid sphere's of the first semi-axis."""
    moment = 0.4 * mass * semi_axes[0] ** 2 if inertia is None else inertia
    ellipsoids = [
        Ellipsoid(f"part {k}", semi_axes, centre, material=material.name) for k, centre in enumerate(centres)
    ]
    body = Body("body", mass, (moment, moment, moment, 0.0, 0.0, 0.0), ellipsoids=ellipsoids)
    return Model("thing", [body], [Joint("root", "free", None, "body")], materials=[material])


def rubber(stiffness: float = 1.0e5, damping: float = 200.0, **fields) -> Material:
    """Linear spring and damper."""
    return Material("rubber", law="linear", stiffness=stiffness, damping=damping, **fields)


FEET = tuple((x, y, -0.08) for x in (-0.3, 0.3) for y in (-0.2, 0.2))
FOOT_RADIUS = 0.02
STANDING = 0.1
"""m: height of a sledge's origin where its feet just touch the ground."""


def sledge(material: Material, mass: float = 10.0) -> Model:
    """A low block on four small spheres: slides without tipping."""
    return free_body(material, mass, 0.5, (FOOT_RADIUS,) * 3, FEET)


def scene(actors: list[Actor] | Actor, obstacles: list[Obstacle] | None = None, **settings) -> Scenario:
    """A scenario; start overlaps up to 5 mm are meant."""
    chosen = {"start_overlap_limit": 0.005, "duration": 0.1, **settings}
    listed = actors if isinstance(actors, list) else [actors]
    return Scenario("test", listed, obstacles or [], settings=Settings(**chosen))


def floor_mesh(name: str = "floor", size: float = 4.0, cells: int = 7, **fields) -> Obstacle:
    """A flat square of triangles at z = 0, with cells whose edges do not line up with anything."""
    ticks = np.linspace(-size, size, cells + 1) + 0.0137
    x, y = np.meshgrid(ticks, ticks, indexing="ij")
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    n = cells + 1
    corner = np.array([i * n + j for i in range(cells) for j in range(cells)])
    triangles = np.concatenate(
        [
            np.stack([corner, corner + n, corner + n + 1], axis=1),
            np.stack([corner, corner + n + 1, corner + 1], axis=1),
        ]
    )
    return Obstacle(name, "mesh", vertices=vertices, triangles=triangles, **fields)


def stairs_mesh(steps: int = 6, tread: float = 0.3, riser: float = 0.17, width: float = 2.0) -> Obstacle:
    """Stairs that go down along x from the origin's level, open below: treads and risers, two triangles each."""
    corners = [(-2.0, 0.0)]
    for k in range(steps):
        corners += [(k * tread, -k * riser), (k * tread, -(k + 1) * riser)]
    corners.append((steps * tread + 4.0, -steps * riser))
    vertices = np.array([(x, y, z) for x, z in corners for y in (-width, width)])
    triangles = []
    for k in range(len(corners) - 1):
        a, b, c, d = 2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3
        triangles += [(a, c, d), (a, d, b)]
    return Obstacle("stairs", "mesh", vertices=vertices, triangles=np.array(triangles))


def term(recording, name: str) -> np.ndarray:
    """One column of the energy ledger."""
    from mannequin.engine import ENERGY_TERMS

    return recording.energy[:, ENERGY_TERMS.index(name)]
