"""Energy ledger, momentum of free actors and Newton's third law in whole runs."""

import numpy as np
import pytest
from impacts import free_body, scene, stairs_mesh, term

from mannequin.engine import Actor, Material, Obstacle, Scenario, Settings, run
from mannequin.engine.runs.placing import place_on_ground
from mannequin.engine.spec import MULTI_CONTACT_MODES
from mannequin.models.library import load_model


@pytest.fixture(scope="module")
def man():
    return load_model("male")


def closes(recording, share: float = 0.01) -> bool:
    """Residual below a share of the energy that changed hands."""
    exchanged = np.ptp(term(recording, "kinetic")) + np.ptp(term(recording, "gravity"))
    return np.abs(term(recording, "residual")).max() < share * exchanged


def leaning(name: str, model, lean, velocity=(0.0, 0.0, 0.0), x: float = 0.0) -> Actor:
    actor = Actor(name, model, position=(x, 0.0, 1.0), orientation=lean, velocity=velocity)
    return place_on_ground(actor, 0.001)


SURROUNDINGS = {
    "ground": {},
    "self-contact": {"self_contact": True},
    "continuous": {"multi_contact": "continuous"},
    "discrete": {"multi_contact": "discrete"},
}


@pytest.mark.parametrize("kind", SURROUNDINGS)
def test_fall_of_a_man_closes_its_books(man, kind):
    settings = Settings(duration=1.6, **SURROUNDINGS[kind])
    recording = run(Scenario("fall", [leaning("man", man, (0.0, -20.0, 15.0))], settings=settings))
    assert recording.status == "completed"
    assert closes(recording)
    assert term(recording, "contact")[-1] < -50.0, "the ground took energy"
    assert (np.diff(term(recording, "joint_damping")) <= 1e-9).all()
    assert np.linalg.norm(recording.velocity[-1, :, :], axis=1).max() < 3.0


@pytest.mark.parametrize("integrator", ["midpoint", "runge_kutta_4", "variable_step", "implicit"])
def test_other_integrators_close_the_books_of_a_bounce(integrator):
    rubber = Material("rubber", law="linear", stiffness=2.0e4)
    ball = free_body(rubber, mass=2.0)
    actor = Actor("ball", ball, position=(0.0, 0.0, 0.6), velocity=(0.0, 0.0, -3.0))
    settings = Settings(duration=0.4, integrator=integrator, time_step=2e-4, output_step=2e-3, tolerance=1e-5)
    recording = run(Scenario("bounce", [actor], settings=settings))
    assert recording.status == "completed"
    assert recording.velocity[-1, 0, 2] > 0.0, "it is on its way up again"
    assert closes(recording, 0.002)


def test_two_men_that_collide_close_their_books(man):
    actors = [
        leaning("left", man, (0, 0, 0), (3.0, 0, 0)),
        leaning("right", man, (180, 0, 0), (-3.0, 0.2, 0), x=0.9),
    ]
    recording = run(Scenario("tackle", actors, settings=Settings(duration=0.8)))
    assert recording.status == "completed"
    assert closes(recording)
    between = recording.contacts[recording.contacts["ellipsoid_b"] >= 0]
    assert len(between) > 3 and between["peak_force"].max() > 500.0


@pytest.mark.parametrize(
    "obstacles",
    [
        [Obstacle("kerb", "box", (-0.6, 0, 0.075), (10, 0, 0), (0.2, 1.0, 0.075))],
        [Obstacle("rail", "capsule", (-0.55, 0, 0.1), (0, 0, 90), (0.1, 0.1, 1.0))],
        [stairs_mesh(6)],
    ],
    ids=["box", "capsule", "stairs"],
)
def test_fall_over_obstacles_closes_its_books(man, obstacles):
    actor = leaning("man", man, (0.0, -20.0, 0.0))
    is_mesh = obstacles[0].shape == "mesh"
    settings = Settings(duration=1.6, ground=not is_mesh)
    if is_mesh:
        actor = leaning("man", man, (0.0, 30.0, 0.0))
        actor.position = (-0.3, 0.0, actor.position[2])
    recording = run(Scenario("fall", [actor], obstacles, settings=settings))
    assert recording.status == "completed"
    assert closes(recording)
    hit = recording.contacts["obstacle_b"] == (0 if is_mesh else 1)
    assert recording.contacts["peak_force"][hit].max() > 500.0


def momentum(recording) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) linear and angular momentum of everything about the world's origin, from the recorded motion alone."""
    linear = np.einsum("b,fbi->fi", recording.body_mass, recording.velocity)
    orbital = np.einsum("b,fbi->fi", recording.body_mass, np.cross(recording.position, recording.velocity))
    return linear, orbital


def total_spin(recording, models) -> np.ndarray:
    """(F, 3) sum of R I R' omega over all bodies."""
    spin = np.zeros((recording.frames, 3))
    bodies = [body for model in models for body in model.bodies]
    for b, body in enumerate(bodies):
        xx, yy, zz, xy, yz, xz = body.inertia
        inertia = np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
        R = recording.rotation(b)
        local = np.einsum("fji,fj->fi", R, recording.angular_velocity[:, b])
        spin += np.einsum("fij,fj->fi", R, local @ inertia.T)
    return spin


@pytest.mark.parametrize("mode", MULTI_CONTACT_MODES)
@pytest.mark.parametrize("integrator, drift", [("symplectic_euler", 1e-12), ("runge_kutta_4", 1e-7)])
def test_two_free_men_keep_their_momentum(man, mode, integrator, drift):
    """Momentum of chains of bodies. Contact forces cancel to round-off at every output time. In joint coordinates
    momentum depends on the pose, and a step takes it at two poses: the default integrator takes that out to round-off,
    fourth order leaves next to nothing (most in mode discrete, whose forces jump)."""
    actors = [
        Actor("left", man, position=(0, 0, 1.0), velocity=(3.0, 0, 0), angular_velocity=(0.0, 1.0, 2.0)),
        Actor("right", man, position=(0.9, 0.1, 1.2), orientation=(180, 0, 0), velocity=(-3.0, 0.2, 0)),
    ]
    settings = Settings(duration=0.3, gravity=(0, 0, 0), ground=False, multi_contact=mode)
    settings.integrator = integrator
    recording = run(Scenario("collision", actors, settings=settings))
    assert recording.status == "completed"
    assert len(recording.contacts) > 10 and recording.contacts["peak_force"].max() > 500.0
    linear, orbital = momentum(recording)
    moved = recording.body_mass.sum() * 1.5
    assert np.abs(linear - linear[0]).max() < drift * moved
    angular = orbital + total_spin(recording, [man, man])
    assert np.abs(angular - angular[0]).max() < 10 * drift * moved
    # contact is internal: at every output time the contact forces on all bodies add up to nothing
    largest = np.abs(recording.contact_force).max()
    assert np.abs(recording.contact_force.sum(axis=1)).max() < 1e-12 * largest
    about_origin = recording.contact_torque + np.cross(recording.position, recording.contact_force)
    assert np.abs(about_origin.sum(axis=1)).max() < 1e-11 * largest


@pytest.mark.parametrize("integrator, most", [("symplectic_euler", 1e-12), ("runge_kutta_4", 1e-3)])
def test_angular_momentum_of_two_balls_that_rub(integrator, most):
    """Spinning balls, off centre, with friction: linear momentum to round-off, and angular with the default integrator.

    Spheres: their own momentum is I omega whatever their turn.
    """
    material = Material("m", law="hunt_crossley", stiffness=1e6, damping=0.2)
    ball = free_body(material, 2.0)
    actors = [
        Actor("a", ball, position=(0, 0, 0), velocity=(2, 0, 0), angular_velocity=(0, 0, 30)),
        Actor("b", ball, position=(0.25, 0.08, 0.05), velocity=(-1, 0, 0.5), angular_velocity=(0, 20, 10)),
    ]
    settings = {"gravity": (0, 0, 0), "ground": False, "friction": 0.5, "integrator": integrator}
    recording = run(scene(actors, duration=0.1, **settings))
    assert len(recording.contacts) == 1
    linear, orbital = momentum(recording)
    spin = 0.4 * 2.0 * 0.1**2 * recording.angular_velocity.sum(axis=1)
    assert np.abs(linear - linear[0]).max() < 1e-12
    drift = np.abs(orbital + spin - orbital[0] - spin[0]).max()
    assert drift < most * np.abs(spin[0]).max()
    assert np.abs(recording.angular_velocity[-1] - recording.angular_velocity[0]).max() > 1.0


@pytest.mark.parametrize("mode", MULTI_CONTACT_MODES)
def test_multi_contact_modes_scale_what_acts(mode):
    """A body on the two knobs of another: none sums both forces, continuous shares the largest, discrete keeps one.

    A knob 1 mm and one 2 mm deep, two springs of 1e5 N/m in series: 50 N and 100 N.
    """
    material = Material("m", law="linear", stiffness=1e5, damping=0.0)
    top = free_body(material, 1.0, 1e3, (0.02, 0.02, 0.02), ((-0.1, 0, 0), (0.1, 0, 0)))
    bottom = free_body(material, 1.0, 1e3, (0.02, 0.02, 0.02), ((-0.1, 0, 0), (0.1, 0, 0.001)))
    actors = [Actor("top", top, position=(0, 0, 0.039)), Actor("bottom", bottom)]
    settings = {"gravity": (0, 0, 0), "ground": False, "contact_history": True, "duration": 0.001}
    recording = run(scene(actors, multi_contact=mode, **settings))
    first = recording.contact_history[recording.contact_history["time"] == 0.0]
    expected = {"none": [50.0, 100.0], "continuous": [50.0 / 1.5, 100.0 / 1.5], "discrete": [0.0, 100.0]}
    expected["patches"] = expected["none"]  # 0.2 m apart
    assert first["normal_force"] == pytest.approx(expected[mode], rel=1e-9)
    assert recording.contact_force.sum(axis=1) == pytest.approx(np.zeros((2, 3)), abs=1e-12)
