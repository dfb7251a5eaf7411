"""Work of contacts on bodies that spin or roll fast, without tyres: what no force does must not be in the ledger."""

import pytest

from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings
from mannequin.engine.step.energy import ENERGY_TERMS

RADIUS, MASS = 0.3, 10.0
BALL = 0.4 * MASS * RADIUS**2


def ball(offset=0.0):
    """A ball on a free root; offset: m of its surface from its centre of mass."""
    skin = Ellipsoid("skin", (RADIUS, RADIUS, RADIUS), position=(offset, 0.0, 0.0), material="rubber")
    return Model(
        "ball",
        [Body("ball", MASS, (BALL, BALL, BALL, 0.0, 0.0, 0.0), ellipsoids=[skin])],
        [Joint("root", "free", None, "ball")],
        [Material("rubber", law="linear", stiffness=1.0e5, damping=0.5)],
    )


def rolled(speed, spin, friction, offset=0.0, height=None, duration=1.0):
    """A ball at a speed (m/s) and spin (rad/s about y), on level ground at rest vertically unless dropped."""
    sunk = MASS * 9.81 / 1.0e5
    actor = Actor(
        "ball",
        ball(offset),
        position=(0.0, 0.0, RADIUS - sunk if height is None else height),
        velocity=(speed, 0.0, 0.0),
        angular_velocity=(0.0, spin, 0.0),
    )
    settings = Settings(
        duration=duration,
        output_step=0.01,
        time_step=1.0e-4,
        friction=friction,
        ground_friction=friction,
        patch_friction=False,
    )
    return run(Scenario("roll", [actor], settings=settings))


@pytest.mark.parametrize(("speed", "spin", "friction"), [(40.0, 40.0 / RADIUS, 0.8), (0.0, 300.0, 0.0)])
def test_a_fast_ball_that_keeps_its_energy_has_no_work_in_the_ledger(speed, spin, friction):
    """Rolling at 40 m/s, and spinning at 300 rad/s where there is no friction: no work at all, closed form zero.

    With the centripetal acceleration of the skin the ledger had N w^2 r h / 2 per second of work by the contact: 26 J
    of the rolling ball's 11200 J and 132 J of the spinning one's 16200 J."""
    recording = rolled(speed, spin, friction)
    start = recording.energy[0, 0]
    assert recording.energy[-1, 0] == pytest.approx(start, rel=1.0e-6)
    for term in ("contact", "friction", "residual"):
        assert abs(recording.energy[:, ENERGY_TERMS.index(term)]).max() < 1.0e-5 * start, term


def test_a_ball_that_spins_up_loses_what_friction_takes():
    """A ball set down at 20 m/s without spin rolls at 5/7 of it; friction has taken 2/7 of the energy."""
    recording = rolled(20.0, 0.0, 0.8, duration=1.5)
    start = 0.5 * MASS * 20.0**2
    body = recording.body_index("ball", "ball")
    assert recording.velocity[-1, body, 0] == pytest.approx(20.0 * 5.0 / 7.0, rel=1.0e-3)
    assert -recording.energy[-1, ENERGY_TERMS.index("friction")] == pytest.approx(
        start * 2.0 / 7.0, rel=1.0e-3
    )
    assert abs(recording.energy[:, -1]).max() < 1.0e-4 * start


def test_an_eccentric_tumbling_body_closes_its_ledger():
    """A ball whose centre of mass is 10 cm off, dropped while it spins: every bounce is counted, to 0.2 %."""
    recording = rolled(5.0, 40.0, 0.5, offset=0.1, height=0.8, duration=3.0)
    assert len(recording.contacts) >= 2
    assert abs(recording.energy[:, -1]).max() < 2.0e-3 * recording.energy[0, 0]
