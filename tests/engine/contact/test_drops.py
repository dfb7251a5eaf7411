"""Bodies thrown at the ground in whole runs at the default time step: the restitution that comes out.

Closed forms: docs/derivations.md, Restitution, and for spring and dashpot docs/derivations.md, Power laws.
"""

import math

import pytest
from impacts import free_body, scene

from mannequin.engine import Actor, Material, run
from mannequin.engine.spec import INTEGRATORS

MASS, RADIUS = 4.5, 0.1


def bounced(material: Material, speed: float, **settings) -> float:
    """Ratio of the speeds after and before one impact without gravity."""
    actor = Actor("ball", free_body(material, MASS), position=(0, 0, RADIUS + 0.002), velocity=(0, 0, -speed))
    recording = run(scene(actor, gravity=(0.0, 0.0, 0.0), **settings))
    assert recording.status == "completed"
    assert len(recording.contacts) == 1 and recording.contacts["end"][0] < 0.099
    return recording.velocity[-1, 0, 2] / speed


@pytest.mark.parametrize(
    "y, expected", [(0.1, 0.937476), (0.5, 0.748435), (1.0, 0.593624), (2.0, 0.410720), (5.0, 0.196980)]
)
@pytest.mark.parametrize("integrator", ["symplectic_euler", "runge_kutta_4"])
def test_hunt_crossley(y, expected, integrator):
    """y = 1.5 c v0; a contact like a head's on steel (Hertz, 5e7 N/m^1.5)."""
    speed = 2.7
    material = Material("m", law="hunt_crossley", stiffness=5e7, exponent=1.5, damping=y / (1.5 * speed))
    assert bounced(material, speed, integrator=integrator) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize(
    "zeta, expected", [(0.1, 0.744079), (0.3, 0.450975), (0.5, 0.298436), (0.7, 0.210285)]
)
def test_spring_and_damper_that_never_pull(zeta, expected):
    """The Kelvin-Voigt contact ends where its force does."""
    stiffness = 1e5
    damping = 2.0 * zeta * math.sqrt(stiffness * MASS)
    material = Material("m", law="linear", stiffness=stiffness, damping=damping)
    assert bounced(material, 3.0) == pytest.approx(expected, rel=0.005)


CURVE = ((0.0, 0.0), (0.002, 400.0), (0.005, 3000.0), (0.01, 12000.0), (0.02, 40000.0))


@pytest.mark.parametrize("retention", [0.04, 0.25, 0.6, 1.0])
@pytest.mark.parametrize("speed", [0.5, 3.0])
def test_hysteresis_gives_back_its_share_of_energy(retention, speed):
    """e = sqrt(W_unload / W_load), 0.25 gives 0.5, at every depth (docs/derivations.md, Hysteresis)."""
    material = Material("m", loading=CURVE, energy_retention=retention)
    assert bounced(material, speed) == pytest.approx(math.sqrt(retention), rel=0.01)


def test_measured_unloading_curve_gives_back_its_area():
    """Unloading curve of 30 % of the loading force everywhere: e = sqrt(0.3)."""
    unloading = tuple((x, 0.3 * force) for x, force in CURVE)
    assert bounced(Material("m", loading=CURVE, unloading=unloading), 2.0) == pytest.approx(
        math.sqrt(0.3), rel=0.01
    )


@pytest.mark.parametrize("asked", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
@pytest.mark.parametrize("speed", [0.5, 5.0])
def test_restitution_asked_for_comes_out(asked, speed):
    material = Material("m", law="lankarani_nikravesh", stiffness=5e7, exponent=1.5, restitution=asked)
    assert bounced(material, speed) == pytest.approx(asked, rel=0.01)


@pytest.mark.parametrize("integrator", [name for name in INTEGRATORS if name != "forward_euler"])
def test_elastic_ball_keeps_its_speed_with_every_integrator(integrator):
    """A linear spring gives everything back: a contact of 15 ms, 150 steps."""
    material = Material("m", law="linear", stiffness=2e5, damping=0.0)
    assert bounced(material, 4.0, integrator=integrator) == pytest.approx(1.0, rel=0.001)


@pytest.mark.parametrize("stiffness", [1e8, 1e10, 1e12])
def test_contact_too_stiff_for_the_step_stays_stable_and_takes_energy(stiffness):
    """Contact times far below the step: no blow-up, never faster than it came."""
    material = Material("m", law="linear", stiffness=stiffness, damping=0.0)
    assert 0.0 <= bounced(material, 3.0) <= 1.0 + 1e-9
