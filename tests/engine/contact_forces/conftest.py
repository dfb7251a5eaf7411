"""Small impacts that call the kernels under test, and curves that several tests share."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from mannequin.engine.contact.materials import RigidSurface, build_material_table
from mannequin.engine.contact.normal_force import normal_force
from mannequin.engine.contact.table import MaterialTable
from mannequin.engine.spec import Material, Settings


class Bounce(NamedTuple):
    """What came out of a 1-D impact."""

    restitution: float
    deepest: float


def against_rigid(material: Material, settings: Settings | None = None) -> MaterialTable:
    """Table whose row 0 is the material against something rigid."""
    return build_material_table([material, RigidSurface()], {}, settings or Settings(), meeting=[(0, 1)])


def bounce(table: MaterialTable, mass: float, speed: float, dt: float, row: int = 0) -> Bounce:
    """Mass (kg) flying at `speed` (m/s) into a contact without gravity, by RK4 with step dt (s), until they part."""

    def rate(x: float, v: float) -> tuple[float, float]:
        return v, -normal_force(table, row, x, deepest, speed, v)[0] / mass

    x, v, deepest = 0.0, speed, 0.0
    for _ in range(200_000):
        k1 = rate(x, v)
        k2 = rate(x + 0.5 * dt * k1[0], v + 0.5 * dt * k1[1])
        k3 = rate(x + 0.5 * dt * k2[0], v + 0.5 * dt * k2[1])
        k4 = rate(x + dt * k3[0], v + dt * k3[1])
        x += dt / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0])
        v += dt / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1])
        deepest = max(deepest, x)
        if x <= 0.0:
            return Bounce(-v / speed, deepest)
    raise AssertionError("the mass never came back")


@pytest.fixture(name="against_rigid")
def against_rigid_fixture() -> Callable[..., MaterialTable]:
    return against_rigid


@pytest.fixture(name="bounce")
def bounce_fixture() -> Callable[..., Bounce]:
    return bounce
