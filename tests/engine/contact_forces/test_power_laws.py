"""Laws linear, hunt_crossley and lankarani_nikravesh: the restitution that comes out of an impact."""

import math

import pytest

from mannequin.engine.contact.laws import restitution_gain
from mannequin.engine.contact.materials import build_material_table
from mannequin.engine.contact.normal_force import normal_force
from mannequin.engine.spec import Material, Settings


@pytest.mark.parametrize(
    ("y", "expected"), [(0.1, 0.937476), (0.5, 0.748435), (1.0, 0.593624), (2.0, 0.410720), (5.0, 0.196980)]
)
@pytest.mark.parametrize("exponent", [1.5, 2.0])
def test_hunt_crossley_restitution(against_rigid, bounce, y, expected, exponent):
    """Restitution for y = 1.5 c v0, whatever the exponent (docs/derivations.md, Restitution)."""
    speed, mass = 2.0, 5.0
    table = against_rigid(
        Material(law="hunt_crossley", stiffness=1e7, exponent=exponent, damping=y / (1.5 * speed))
    )
    assert bounce(table, mass, speed, 1e-5).restitution == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("zeta", "expected"), [(0.1, 0.744079), (0.3, 0.450975), (0.5, 0.298436), (0.7, 0.210285)]
)
def test_kelvin_voigt_restitution(against_rigid, bounce, zeta, expected):
    """Linear spring and dashpot that never pull (docs/derivations.md, Power laws)."""
    mass, stiffness = 3.0, 2e5
    table = against_rigid(
        Material(law="linear", stiffness=stiffness, damping=2.0 * zeta * math.sqrt(stiffness * mass))
    )

    def rebound(dt):
        return bounce_until_force_ends(table, mass, 1.5, dt)

    assert rebound(2e-6) == pytest.approx(expected, rel=5e-4)


def bounce_until_force_ends(table, mass, speed, dt):
    """Separation over approach speed at the moment the clamp makes the force zero."""
    x, v = 0.0, speed
    for _ in range(100_000):
        middle_v = v - 0.5 * dt * normal_force(table, 0, max(x, 1e-30), 0.0, speed, v)[0] / mass
        middle_x = x + 0.5 * dt * v
        force = normal_force(table, 0, middle_x, 0.0, speed, middle_v)[0]
        if v < 0.0 and force == 0.0:
            return -v / speed
        x, v = x + dt * middle_v, v - dt * force / mass
    raise AssertionError("the force never ended")


@pytest.mark.parametrize(
    ("e", "y"),
    [
        (0.1, 9.998),
        (0.2, 4.919),
        (0.3, 3.087),
        (0.4, 2.0825),
        (0.5, 1.4328),
        (0.6, 0.9749),
        (0.7, 0.6348),
        (0.8, 0.3732),
        (0.9, 0.1665),
    ],
)
def test_restitution_map(e, y):
    """Roots of the equation in docs/derivations.md, Restitution, to four digits, and the equation itself."""
    found = restitution_gain(e)
    assert found == pytest.approx(y, abs=1e-4 * y + 6e-5)
    assert found * (1.0 + e) == pytest.approx(math.log((1.0 + found) / (1.0 - e * found)), rel=1e-9)


def test_restitution_map_at_its_ends():
    assert restitution_gain(1.0) == 0.0
    assert restitution_gain(1e-3) == pytest.approx(1e3, rel=1e-9)  # e y -> 1
    assert restitution_gain(1.0 - 1e-4) == pytest.approx(1.5e-4, rel=1e-3)  # y -> 3 (1 - e) / 2


@pytest.mark.parametrize("e", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
@pytest.mark.parametrize(("exponent", "speed"), [(1.5, 4.0), (1.0, 0.3)])
def test_asked_for_restitution_comes_out(against_rigid, bounce, e, exponent, speed):
    table = against_rigid(
        Material(law="lankarani_nikravesh", stiffness=2e6, exponent=exponent, restitution=e)
    )
    assert bounce(table, 4.0, speed, 2e-5).restitution == pytest.approx(e, rel=2e-3)


def test_restitution_of_two_surfaces(bounce):
    """Two surfaces of equal stiffness share the energy equally: e^2 is the mean of their squares."""
    soft = Material(law="lankarani_nikravesh", stiffness=2e6, restitution=0.3)
    hard = Material(law="lankarani_nikravesh", stiffness=2e6, restitution=0.8)
    table = build_material_table([soft, hard], {}, Settings(), meeting=[(0, 1)])
    expected = math.sqrt(0.5 * (0.3**2 + 0.8**2))
    assert bounce(table, 4.0, 3.0, 2e-5).restitution == pytest.approx(expected, rel=2e-3)


def test_elastic_force_of_hertz_impact(against_rigid, bounce):
    """Deepest point of an undamped Hertz impact: m v^2 / 2 = (2/5) k d^(5/2)."""
    table = against_rigid(Material(law="hunt_crossley", stiffness=1e8, exponent=1.5))
    result = bounce(table, 4.5, 2.7, 5e-6)
    assert result.deepest == pytest.approx((1.25 * 4.5 * 2.7**2 / 1e8) ** 0.4, rel=1e-5)
    assert result.restitution == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("law", ["linear", "hunt_crossley", "lankarani_nikravesh"])
def test_derivatives_match_differences(against_rigid, law):
    table = against_rigid(Material(law=law, stiffness=3e6, damping=0.3, restitution=0.6))
    for x, v in ((0.004, 1.0), (0.02, -0.4), (0.0007, 0.05)):
        force, elastic, stiffness, damping = normal_force(table, 0, x, x, 1.3, v)
        assert force > 0.0 and elastic > 0.0
        h = 1e-6
        ahead, behind = (normal_force(table, 0, x * s, x, 1.3, v)[0] for s in (1.0 + h, 1.0 - h))
        assert stiffness == pytest.approx((ahead - behind) / (2.0 * h * x), rel=1e-6)
        ahead, behind = (normal_force(table, 0, x, x, 1.3, w)[0] for w in (v + h, v - h))
        assert damping == pytest.approx((ahead - behind) / (2.0 * h), rel=1e-6, abs=1e-4)


@pytest.mark.parametrize("law", ["linear", "hunt_crossley", "lankarani_nikravesh", "curve"])
def test_never_pulls_and_nothing_acts_at_a_gap(against_rigid, law):
    """No force without penetration, whatever the speed; no pull on fast separation.

    docs/derivations.md, Differences from OpenMBD.
    """
    material = Material(law=law, stiffness=3e6, damping=50.0, restitution=0.2)
    for settings in (Settings(), Settings(contact_damping_mode="constant")):
        table = against_rigid(material, settings)
        for v in (-100.0, -1.0, 0.0, 1.0, 100.0):
            assert normal_force(table, 0, 0.0, 0.01, 1.0, v) == (0.0, 0.0, 0.0, 0.0)
            assert normal_force(table, 0, -2e-4, 0.01, 1.0, v) == (0.0, 0.0, 0.0, 0.0)
            assert min(normal_force(table, 0, 1e-3, 1e-3, 1.0, v)) >= 0.0
