"""Mass and inertia of simple solids of even density, about their centre along their own axes (y is the long one).

Textbook formulas. The capsule is a cylinder of the given height and two half spheres: with the sphere's mass m_s, each
half has its centre of mass 3/8 r beyond the end of the cylinder, so across the long axis

    I = m_c (r^2/4 + h^2/12) + m_s (2/5 r^2 + h^2/4 + 3/8 h r).
"""

from collections.abc import Sequence
from math import pi

import numpy as np

MassProperties = tuple[float, tuple[float, float, float]]
"""Mass (kg) and the three principal moments (kg m2)."""


def sphere(density: float, radius: float) -> MassProperties:
    """Radius in m, density in kg/m3."""
    mass = density * 4.0 / 3.0 * pi * radius**3
    moment = 0.4 * mass * radius**2
    return mass, (moment, moment, moment)


def cylinder(density: float, radius: float, height: float) -> MassProperties:
    """Cylinder along y."""
    mass = density * pi * radius**2 * height
    across = mass * (radius**2 / 4.0 + height**2 / 12.0)
    return mass, (across, 0.5 * mass * radius**2, across)


def capsule(density: float, radius: float, height: float) -> MassProperties:
    """Capsule along y; `height` is that of the cylinder between the half spheres."""
    tube, (tube_across, tube_along, _) = cylinder(density, radius, height)
    ball, (ball_moment, _, _) = sphere(density, radius)
    across = tube_across + ball_moment + ball * (height**2 / 4.0 + 0.375 * height * radius)
    return tube + ball, (across, tube_along + ball_moment, across)


def box(density: float, size: Sequence[float]) -> MassProperties:
    """Box with edge lengths `size`."""
    x, y, z = (float(value) for value in size)
    mass = density * x * y * z
    return mass, tuple(mass / 12.0 * s for s in (y * y + z * z, x * x + z * z, x * x + y * y))


def inertia_numbers(matrix: np.ndarray) -> tuple[float, ...]:
    """The six numbers that `engine.maths.inertia.inertia_matrix` turns into a (3, 3) matrix."""
    six = (*np.diag(matrix), -matrix[0, 1], -matrix[1, 2], -matrix[0, 2])
    return tuple(float(value) + 0.0 for value in six)
