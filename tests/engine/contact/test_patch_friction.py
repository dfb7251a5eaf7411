"""Friction torques from the patch against closed forms (docs/derivations.md, Patch friction)."""

import numpy as np
import pytest
from mechanisms import momenta

from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Obstacle, Scenario, Settings, run
from mannequin.engine.contact.arrays import CONTACT_WIDTH, NORMAL, PATCH, PENETRATION, SLIP, TORQUE
from mannequin.engine.contact.materials import RigidSurface, build_material_table
from mannequin.engine.contact.patch_friction import patch_friction

FRICTION = 0.4
GRAVITY = 9.81


def top(semi_axes, mass, inertia, **material):
    """A free body of one ellipsoid."""
    skin = Material("skin", source="test", **material)
    shape = Ellipsoid("skin", semi_axes, material="skin")
    body = Body("top", mass, (*inertia, 0.0, 0.0, 0.0), ellipsoids=[shape])
    return Model("top", [body], [Joint("root", "free", None, "top")], [skin])


DISC = (0.1, 0.1, 0.02)
STIFFNESS = 1e5
SPIN = 10.0


def spinning_disc(**settings):
    """A disc of 1 kg at rest on the ground but for its spin, and the time in which 2/3 mu m g a stops it."""
    disc = top(DISC, 1.0, (0.0025, 0.0025, 0.005), law="linear", stiffness=STIFFNESS, damping=200.0)
    depth = GRAVITY / STIFFNESS
    # at its pole the disc has the radius of curvature 0.1^2 / 0.02
    radius = np.sqrt(2.0 * depth * DISC[0] ** 2 / DISC[2])
    stop = 0.005 * SPIN / (2.0 / 3.0 * FRICTION * GRAVITY * radius)
    actor = Actor("disc", disc, position=(0.0, 0.0, DISC[2] - depth), angular_velocity=(0.0, 0.0, SPIN))
    options = {"duration": round(1.2 * stop, 2), "friction": FRICTION, "output_step": 0.01} | settings
    return run(Scenario("disc", [actor], settings=Settings(**options))), stop


def test_a_spinning_disc_stops_in_the_closed_form_time():
    recording, stop = spinning_disc()
    spin = recording.angular_velocity[:, 0, 2]
    early = recording.times < 0.9 * stop
    expected = SPIN * (1.0 - recording.times / stop)
    assert np.abs(spin - expected)[early].max() < 0.002 * SPIN
    # the last of it dies away over the ramp: 0.01 m/s at the rim
    assert abs(spin[-1]) < 0.01 * SPIN
    friction = recording.energy[-1, 3]
    assert friction == pytest.approx(-0.5 * 0.005 * SPIN**2, rel=1e-3)
    assert np.abs(recording.energy[:, -1]).max() < 1e-3 * 0.25
    assert recording.contacts["energy"].sum() == pytest.approx(0.25, rel=1e-3)


def test_without_patch_friction_it_spins_on():
    recording, _ = spinning_disc(patch_friction=False)
    assert recording.angular_velocity[-1, 0, 2] == pytest.approx(SPIN, rel=1e-9)
    assert not recording.contact_torque[:, 0, 2].any()


@pytest.mark.parametrize("integrator", ["runge_kutta_4", "midpoint", "implicit"])
def test_the_disc_stops_alike_with_other_integrators(integrator):
    recording, stop = spinning_disc(integrator=integrator, duration=0.5)
    spin = recording.angular_velocity[-1, 0, 2]
    assert spin == pytest.approx(SPIN * (1.0 - recording.times[-1] / stop), abs=0.002 * SPIN)


@pytest.mark.parametrize("retention", [0.2, 0.6, 1.0])
def test_a_rolling_ball_slows_by_what_its_surface_keeps(retention):
    """3/16 (1 - r) N a against the roll: m R^2 (2/5 + 1) dw/dt = -T, about the place of contact."""
    radius, mass, speed, k = 0.1, 2.0, 1.0, 2e5
    inertia = 0.4 * mass * radius**2
    ball = top(
        (radius,) * 3,
        mass,
        (inertia,) * 3,
        loading=((0.0, 0.0), (0.01, 0.01 * k)),
        energy_retention=retention,
    )
    depth = mass * GRAVITY / k
    actor = Actor(
        "ball",
        ball,
        position=(0.0, 0.0, radius - depth),
        velocity=(speed, 0.0, 0.0),
        angular_velocity=(0.0, speed / radius, 0.0),
    )
    recording = run(Scenario("roll", [actor], settings=Settings(duration=0.5, friction=FRICTION)))
    torque = 3.0 / 16.0 * (1.0 - retention) * mass * GRAVITY * np.sqrt(2.0 * depth * radius)
    slower = torque / (1.4 * mass * radius**2) * radius * recording.times[-1]
    lost = speed - recording.velocity[-1, 0, 0]
    # rolling radius: the ball turns about a point 0.1 mm inside its surface
    assert lost == pytest.approx(slower, rel=0.01, abs=2e-3)


def one_row(**settings):
    skin = Material("skin", loading=((0.0, 0.0), (0.01, 1000.0)), energy_retention=0.25)
    return build_material_table([skin, RigidSurface()], {}, Settings(friction=FRICTION, **settings))


def torque(table, turning, slip=(0.0, 0.0, 0.0), push=100.0, patch=0.02, rolled=1.0):
    row = np.zeros(CONTACT_WIDTH)
    row[NORMAL + 2], row[PATCH], row[PENETRATION] = 1.0, patch, 0.005
    row[SLIP : SLIP + 3] = slip
    patch_friction(table, int(table.law_index[0, 1]), row, turning, rolled, push, 1e9, 0.0)
    return row[TORQUE : TORQUE + 3].copy()


def disc_torque(spin, slide, friction=FRICTION, push=100.0, patch=0.02):
    """Torque of Coulomb friction over a disc under uniform pressure, by quadrature: the exact value."""
    r = (np.arange(400) + 0.5) / 400 * patch
    phi = (np.arange(400) + 0.5) / 400 * 2.0 * np.pi
    r, phi = np.meshgrid(r, phi)
    vx, vy = slide - spin * r * np.sin(phi), spin * r * np.cos(phi)
    speed = np.hypot(vx, vy)
    moment = -(r * np.cos(phi) * vy - r * np.sin(phi) * vx) / speed
    return friction * push * (moment * r).sum() / r.sum()


@pytest.mark.parametrize(("spin", "slide"), [(20.0, 0.0), (20.0, 0.05), (20.0, 0.4), (20.0, 4.0), (2.0, 5.0)])
def test_drilling_torque_against_the_integral_over_the_patch(spin, slide):
    """Exact without sliding and for fast sliding; between them within 8 % of the largest."""
    found = torque(one_row(), (0.0, 0.0, spin), (slide, 0.0, 0.0))[2]
    exact = disc_torque(spin, slide)
    largest = 2.0 / 3.0 * FRICTION * 100.0 * 0.02
    assert found == pytest.approx(exact, abs=0.08 * largest)
    if slide == 0.0 or slide > 4.0:
        assert found == pytest.approx(exact, rel=0.03)


def test_torques_oppose_the_turn_and_stay_within_their_bounds():
    table = one_row()
    rng = np.random.default_rng(3)
    for turning in rng.normal(0.0, 5.0, (50, 3)):
        found = torque(table, tuple(turning))
        assert found @ turning <= 0.0
        assert abs(found[2]) <= 2.0 / 3.0 * FRICTION * 100.0 * 0.02 * (1.0 + 1e-12)
        assert np.hypot(*found[:2]) <= 3.0 / 16.0 * 0.75 * 100.0 * 0.02 * (1.0 + 1e-12)


def test_rolling_resistance_builds_up_over_the_radius_of_the_patch():
    full = torque(one_row(), (3.0, 0.0, 0.0))
    for rolled, share in ((0.0, 0.0), (0.005, 0.25), (0.02, 1.0), (0.5, 1.0)):
        assert torque(one_row(), (3.0, 0.0, 0.0), rolled=rolled) == pytest.approx(share * full, rel=1e-12)


def test_two_bodies_that_drill_keep_their_angular_momentum():
    """Two discs pressed together by their approach, one spinning: what one loses the other gains, to round-off."""
    disc = top(DISC, 1.0, (0.0025, 0.0025, 0.005), loading=((0.0, 0.0), (0.01, 1000.0)), energy_retention=0.3)
    actors = [
        Actor(
            "a",
            disc,
            position=(0.0, 0.0, 0.021),
            velocity=(0.0, 0.0, -1.0),
            angular_velocity=(0.0, 0.0, 50.0),
        ),
        Actor("b", disc, position=(0.0, 0.0, -0.021), velocity=(0.0, 0.0, 1.0)),
    ]
    settings = Settings(ground=False, gravity=(0.0, 0.0, 0.0), duration=0.1, friction=0.8)
    scenario = Scenario("drill", actors, settings=settings)
    recording = run(scenario)
    _, angular = momenta(scenario, recording)
    assert recording.angular_velocity[-1, 1, 2] > 0.5
    assert np.abs(angular - angular[0]).max() < 1e-12 * np.linalg.norm(angular[0])
    assert np.abs(recording.energy[:, -1]).max() < 1e-3 * recording.energy[0, 0]


def test_a_turning_table_takes_a_disc_along():
    """An obstacle that turns under a disc at rest: friction turns the disc until both turn alike."""
    disc = top(DISC, 1.0, (0.0025, 0.0025, 0.005), law="linear", stiffness=STIFFNESS, damping=200.0)
    turns = tuple(
        (t, 0.0, 0.0, 0.0, 57.29577951308232 * 2.0 * t, 0.0, 0.0) for t in np.linspace(0.0, 2.0, 201)
    )
    table = Obstacle("table", "plane", motion=turns)
    actor = Actor("disc", disc, position=(0.0, 0.0, DISC[2] - GRAVITY / STIFFNESS))
    settings = Settings(duration=1.0, friction=FRICTION, ground=False)
    recording = run(Scenario("table", [actor], [table], settings=settings))
    assert recording.angular_velocity[-1, 0, 2] == pytest.approx(2.0, rel=0.02)
