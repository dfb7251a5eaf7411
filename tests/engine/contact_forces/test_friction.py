"""Friction laws, stopping distance, rest on a slope, and that no energy is made."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mannequin.engine.contact.friction import advance_bristle, friction_force, sliding_friction
from mannequin.engine.contact.materials import RigidSurface, build_material_table
from mannequin.engine.contact.table import BRISTLE_STIFFNESS
from mannequin.engine.spec import Material, Settings

UP = (0.0, 0.0, 1.0)
REST = (0.0, 0.0, 0.0)
G = 9.81


def table_of(static=None, dynamic=None, viscous=0.0, **options):
    material = Material(static_friction=static, dynamic_friction=dynamic, viscous_friction=viscous)
    return build_material_table([material, RigidSurface()], {}, Settings(**options), meeting=[(0, 1)])


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        (0.01, 0.1094),
        (0.05, 0.49),
        (0.1, 0.8),
        (0.15, 0.6846),
        (0.2, 0.62),
        (0.5, 0.5231),
        (1.0, 0.5059),
        (5.0, 0.5002),
    ],
)
def test_hollars_values(speed, expected):
    """The formula worked out by hand for us = 0.8, ud = 0.5, vt = 0.1 (docs/derivations.md, Friction laws)."""
    table = table_of(0.8, 0.5, friction_law="hollars", friction_velocity=0.1)
    force, damping, z = friction_force(table, 0, 1.0, (0.6 * speed, 0.8 * speed, 0.0), REST, UP, 1e-4)
    assert force == pytest.approx((-0.6 * expected, -0.8 * expected, 0.0), abs=6e-5)
    assert damping * speed == pytest.approx(expected, abs=6e-5)
    assert z == REST


def test_hollars_viscous_part():
    table = table_of(0.8, 0.5, 0.3, friction_law="hollars", friction_velocity=0.1)
    dry = table_of(0.8, 0.5, friction_law="hollars", friction_velocity=0.1)
    for speed in (0.03, 2.0):
        wet, plain = (sliding_friction(t, 0, 10.0, (speed, 0.0, 0.0))[0][0] for t in (table, dry))
        assert plain - wet == pytest.approx(10.0 * 0.3 * speed)


@pytest.mark.parametrize("law", ["coulomb", "stribeck", "hollars"])
@pytest.mark.parametrize("stiction", [True, False])
def test_no_velocity_no_force_no_division_by_zero(law, stiction):
    table = table_of(0.5, 0.4, friction_law=law, stiction=stiction)
    force, damping, z = friction_force(table, 0, 100.0, REST, REST, UP, 1e-4)
    assert np.linalg.norm(force) == 0.0 and math.isfinite(damping) and damping > 0.0 and z == REST
    assert friction_force(table, 0, 0.0, (1.0, 0.0, 0.0), (0.001, 0.0, 0.0), UP, 1e-4) == (REST, 0.0, REST)


@pytest.mark.parametrize("law", ["coulomb", "stribeck", "hollars"])
def test_ramp_is_smooth(law):
    """Without stiction the force over speed has no jump, and for coulomb and stribeck no kink where the ramp ends."""
    table = table_of(0.6, 0.4, friction_law=law, stiction=False)

    def pull(v):
        return -sliding_friction(table, 0, 1.0, (v, 0.0, 0.0))[0][0]

    speeds = np.linspace(0.0, 0.03, 3001)
    force = np.array([pull(float(v)) for v in speeds])
    assert np.abs(np.diff(force)).max() < 2.5e-3
    if law != "hollars":
        h = 1e-7
        before, after = (pull(0.01) - pull(0.01 - h)) / h, (pull(0.01 + h) - pull(0.01)) / h
        assert before == pytest.approx(after, abs=2e-3)
        assert pull(0.01) == pytest.approx(0.4 if law == "coulomb" else 0.6, rel=0.01)


def test_stribeck_falls_from_static_to_dynamic():
    table = table_of(0.8, 0.5, friction_law="stribeck", stiction=False)
    for speed in (0.02, 0.1, 1.0):
        expected = 0.5 + 0.3 * math.exp(-((speed / 0.1) ** 2))
        assert sliding_friction(table, 0, 1.0, (speed, 0.0, 0.0))[0][0] == pytest.approx(-expected, rel=1e-12)


@pytest.mark.parametrize("law", ["coulomb", "stribeck"])
def test_sliding_force_is_exactly_mu_n(law):
    """With stiction, once the bristle is full: |f| = mu N against the motion, to round-off."""
    table = table_of(0.8, 0.5, friction_law=law)
    v = (1.2, -1.6, 0.0)
    z = REST
    for _ in range(100):
        force, damping, z = friction_force(table, 0, 700.0, v, z, UP, 1e-4)
    assert force == pytest.approx((-0.6 * 350.0, 0.8 * 350.0, 0.0), rel=1e-12, abs=1e-9)
    assert damping == pytest.approx(350.0 / 2.0, rel=1e-12)


def slide(table, mass, velocity, push, duration, dt, normal=UP):
    """Mass on a plane under a constant tangential push (N), symplectic Euler. Displacement, velocity."""
    x, v, z = np.zeros(3), np.array(velocity, dtype=float), REST
    weight = mass * G * normal[2]
    for _ in range(round(duration / dt)):
        force, _, _ = friction_force(table, 0, weight, tuple(v.tolist()), z, normal, dt)
        v = v + dt / mass * (np.array(force) + push)
        z = advance_bristle(table, 0, weight, tuple(v.tolist()), z, normal, dt)
        x = x + dt * v
    return x, v


@pytest.mark.parametrize("mass", [0.5, 5.0, 80.0])
@pytest.mark.parametrize(("speed", "mu"), [(3.0, 0.4), (1.0, 0.7)])
def test_stopping_distance(mass, speed, mu):
    """After v^2 / (2 mu g), and it stays there."""
    table = table_of(mu)
    direction = np.array([0.6, 0.8, 0.0])
    stop = speed / (mu * G)
    x, v = slide(table, mass, speed * direction, np.zeros(3), stop + 0.5, 1e-4)
    assert x @ direction == pytest.approx(speed**2 / (2.0 * mu * G), rel=0.01)
    assert np.linalg.norm(v) < 1e-4


@pytest.mark.parametrize("mass", [0.5, 5.0, 80.0])
@pytest.mark.parametrize("part", [0.3, 0.95])
def test_rest_on_a_slope(mass, part):
    """Below the friction angle the body moves less than 1 mm in a second and has come to rest."""
    mu = 0.4
    angle = math.atan(part * mu)
    table = table_of(mu)
    normal = (-math.sin(angle), 0.0, math.cos(angle))
    push = mass * G * math.sin(angle) * np.array([-math.cos(angle), 0.0, -math.sin(angle)])
    x, v = slide(table, mass, REST, push, 1.0, 1e-4, normal)
    assert np.linalg.norm(x) < 1e-3
    assert np.linalg.norm(v) < 1e-5


def test_above_the_friction_angle_it_slides():
    """Acceleration g (sin a - mu cos a)."""
    mu, angle = 0.4, math.radians(30.0)
    normal = (-math.sin(angle), 0.0, math.cos(angle))
    down = np.array([-math.cos(angle), 0.0, -math.sin(angle)])
    x, v = slide(table_of(mu), 10.0, REST, 10.0 * G * math.sin(angle) * down, 0.5, 1e-4, normal)
    assert v @ down == pytest.approx(0.5 * G * (math.sin(angle) - mu * math.cos(angle)), rel=0.01)


def test_without_stiction_it_creeps():
    """What stiction is for: at half the friction angle the ramp alone slides on, at the speed where it carries half."""
    mu = 0.4
    push = np.array([0.5 * mu * 80.0 * G, 0.0, 0.0])
    x, v = slide(table_of(mu, stiction=False), 80.0, REST, push, 1.0, 1e-4)
    assert v[0] == pytest.approx(0.01 * (1.0 - math.sqrt(0.5)), rel=1e-3)  # s (2 - s) = 1/2
    assert x[0] > 2e-3


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(0.0, 500.0), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3)),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(["coulomb", "stribeck"]),
)
def test_bristle_never_makes_energy(history, law):
    """Random normal force, velocity and turning plane: work done on the contact covers what the spring stores."""
    table = table_of(0.6, 0.4, friction_law=law)
    stiffness = float(table.laws[0, BRISTLE_STIFFNESS])
    dt, z, work = 1e-4, REST, 0.0
    for push, vx, vy, tilt in history:
        normal = (0.0, math.sin(tilt), math.cos(tilt))
        v = (vx, vy * math.cos(tilt), -vy * math.sin(tilt))
        for _ in range(5):
            force, damping, z = friction_force(table, 0, push, v, z, normal, dt)
            work -= float(np.dot(force, v)) * dt
            assert math.hypot(*force) <= 0.6 * push * (1.0 + 1e-12) + 1e-100  # squares of less are not normal
            assert abs(np.dot(force, normal)) <= 1e-9 * (1.0 + push) and damping >= 0.0
            stored = 0.5 * stiffness * float(np.dot(z, z))
            assert work >= stored - 1e-9


def test_force_turns_with_the_frame():
    """The same contact seen in a turned frame gives the turned force and deflection."""
    table = table_of(0.6, 0.4)
    rng = np.random.default_rng(4)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    v, z = np.array([0.02, -0.01, 0.0]), np.array([1e-4, 5e-5, 2e-5])
    force, damping, new_z = friction_force(table, 0, 300.0, tuple(v.tolist()), tuple(z.tolist()), UP, 1e-4)
    turned = [tuple((turn @ np.array(a)).tolist()) for a in (v, z, UP)]
    force_t, damping_t, new_z_t = friction_force(table, 0, 300.0, *turned, 1e-4)
    assert force_t == pytest.approx(tuple(turn @ np.array(force)), rel=1e-12)
    assert new_z_t == pytest.approx(tuple(turn @ np.array(new_z)), rel=1e-12)
    assert damping_t == pytest.approx(damping, rel=1e-12)


def test_damping_bounds_the_derivative():
    """A linearly implicit step needs -df/dv not to be understated, at rest and in any sliding direction."""
    table = table_of(0.4)
    h = 1e-7
    for v, z in (
        ((0.002, 0.0, 0.0), REST),
        ((0.5, 0.2, 0.0), (2e-4, 0.0, 0.0)),
        ((0.0, 0.0, 0.0), (1e-4, 0.0, 0.0)),
    ):
        force, damping, _ = friction_force(table, 0, 400.0, v, z, UP, 1e-4)
        for axis in range(2):
            w = tuple(c + (h if i == axis else 0.0) for i, c in enumerate(v))
            change = friction_force(table, 0, 400.0, w, z, UP, 1e-4)[0][axis] - force[axis]
            assert -change / h <= damping * (1.0 + 1e-3)
