"""Free flight of a tumbling man, nothing damped: momentum and energy stay (OpenMBD 1.1 loses 19 % of the angular
momentum in 0.05 s of this). Momenta and energies are computed from the recorded bodies, not by the engine."""

from dataclasses import replace

import numpy as np
import pytest
from mechanisms import energies, free_space, momenta, scenario_of, with_settings, world_inertias
from tumbling import MALE, trunk_turns, tumbling

from mannequin.engine import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings, run
from mannequin.engine.spec import ForcePulse
from mannequin.io_json.model_json import read_model

GRAVITY = np.array([0.0, 0.0, -9.81])


def drifts(scenario: Scenario) -> tuple[float, float, float]:
    """Largest relative drift of linear momentum (gravity's impulse taken off), angular momentum and energy."""
    recording = run(scenario)
    assert recording.status == "completed"
    linear, angular = momenta(scenario, recording)
    linear = linear - recording.body_mass.sum() * np.outer(recording.times, GRAVITY)
    kinetic, potential = energies(scenario, recording)
    total = kinetic + potential
    return (
        np.abs(linear - linear[0]).max() / np.linalg.norm(linear[0]),
        np.abs(angular - angular[0]).max() / np.linalg.norm(angular[0]),
        np.abs(total - total[0]).max() / kinetic[0],
    )


def test_runge_kutta_keeps_momentum_and_energy():
    assert max(drifts(tumbling(integrator="runge_kutta_4", time_step=1e-3))) < 1e-6


def test_variable_step_keeps_them_within_its_tolerance():
    assert max(drifts(tumbling(integrator="variable_step", tolerance=1e-9))) < 1e-6


def test_default_keeps_momenta_to_round_off_and_is_first_order_in_energy():
    """The error of first order in the step that is left is one of energy: 0.1 %, less than the angle (rad) by which the
    trunk turns in a step."""
    coarse = np.array(drifts(tumbling(time_step=1e-4)))
    fine = np.array(drifts(tumbling(time_step=5e-5)))
    assert max(*coarse[:2], *fine[:2]) < 1e-12
    assert coarse[2] < 1e-4 * trunk_turns(run(tumbling(time_step=1e-4)))
    assert coarse[2] / fine[2] == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("inertia", [(1.0, 1.0, 0.01), (1.0, 0.6, 0.5), (0.3, 0.9, 1.0)])
def test_default_turns_a_free_body_as_a_fourth_order_method_does(inertia):
    """Long rods, too, where a small error of the momentum across would be a large one of the spin along."""
    body = Body("body", 1.0, (*inertia, 0.0, 0.0, 0.0))
    model = Model("body", [body], [Joint("root", "free", None, "body")])
    turned = []
    for integrator in ("symplectic_euler", "runge_kutta_4"):
        settings = free_space(duration=1.0, output_step=0.01, integrator=integrator, gravity=(0.0, 0.0, 0.0))
        scenario = scenario_of(model, settings, angular_velocity=(6.0, 2.0, 5.0))
        recording = run(scenario)
        linear, angular = momenta(scenario, recording)
        kinetic, _ = energies(scenario, recording)
        assert np.abs(angular - angular[0]).max() < 1e-12 * np.linalg.norm(angular[0])
        assert np.abs(kinetic - kinetic[0]).max() < 1e-4 * kinetic[0]
        turned.append(recording.angular_velocity[-1, 0])
    assert turned[0] == pytest.approx(turned[1], abs=0.01)


def test_ledger_agrees_with_the_recorded_bodies():
    scenario = tumbling()
    recording = run(scenario)
    kinetic, potential = energies(scenario, recording)
    assert recording.energy[:, 0] == pytest.approx(kinetic, rel=1e-12)
    assert recording.energy[:, 1] == pytest.approx(potential, rel=1e-12)
    assert recording.energy[:, -1] == pytest.approx(kinetic + potential - kinetic[0] - potential[0], abs=1e-9)
    assert not recording.energy[:, 2:-1].any()


def test_joint_damping_keeps_momentum_and_books_what_it_takes():
    """Damping acts between bodies: it takes energy, never momentum."""
    scenario = with_settings(tumbling(integrator="runge_kutta_4", time_step=1e-4), joint_damping=1.0)
    linear, angular, lost = drifts(scenario)
    assert max(linear, angular) < 1e-6 and lost > 0.01
    recording = run(scenario)
    kinetic, potential = energies(scenario, recording)
    damped = recording.energy[:, 4]
    assert (np.diff(damped) < 0.0).all()
    assert kinetic + potential - damped == pytest.approx(kinetic[0] + potential[0], rel=1e-6)


def colliding(rear: bool, **settings) -> Scenario:
    """Two spinning things that meet off centre and rub; with `rear`, each tows a second body by a ball joint."""
    skin = Ellipsoid("skin", (0.1, 0.15, 0.2), force_curve=((0.0, 0.0), (0.01, 2000.0)))
    front = Body("front", 3.0, (0.02, 0.03, 0.04, 0, 0, 0), ellipsoids=[skin])
    towed = Body("rear", 1.0, (0.01, 0.01, 0.01, 0, 0, 0), center_of_mass=(0.1, 0.0, 0.0))
    joints = [Joint("root", "free", None, "front"), Joint("ball", "spherical", "front", "rear")]
    model = Model("thing", [front, towed], joints) if rear else Model("thing", [front], joints[:1])
    spin = (1.0, 2.0, -1.0)
    return Scenario(
        "collision",
        [
            Actor("left", model, position=(-0.5, 0.02, 0.0), velocity=(5.0, 0.0, 0.0), angular_velocity=spin),
            Actor(
                "right", model, position=(0.5, -0.05, 0.0), velocity=(-3.0, 0.0, 0.0), angular_velocity=spin
            ),
        ],
        settings=Settings(ground=False, gravity=(0.0, 0.0, 0.0), duration=0.3, **settings),
    )


class TestNewtonsThirdLaw:
    """Two free models in contact: their total momentum."""

    def collide(self, rear, **settings):
        scenario = colliding(rear, **settings)
        recording = run(scenario)
        assert len(recording.contacts) and np.abs(recording.contact_force).max() > 500.0
        return scenario, recording

    @pytest.mark.parametrize("integrator", ["symplectic_euler", "runge_kutta_4"])
    @pytest.mark.parametrize("rear", [False, True])
    def test_forces_cancel_in_every_frame(self, rear, integrator):
        """Nothing from outside acts, so the rates of change of both momenta are zero at every instant."""
        scenario, recording = self.collide(rear, integrator=integrator)
        mass = recording.body_mass[None, :, None]
        inertia, omega = world_inertias(scenario, recording), recording.angular_velocity
        forces = mass * recording.acceleration
        spin = np.einsum("fbij,fbj->fbi", inertia, recording.angular_acceleration)
        spin += np.cross(omega, np.einsum("fbij,fbj->fbi", inertia, omega))
        moments = np.cross(recording.position, forces) + spin
        peak = np.abs(forces).max()
        assert np.abs(forces.sum(1)).max() < 1e-12 * peak
        assert np.abs(moments.sum(1)).max() < 1e-12 * peak
        assert np.abs(recording.contact_force.sum(1)).max() < 1e-12 * peak

    @pytest.mark.parametrize(
        "integrator", ["symplectic_euler", "forward_euler", "midpoint", "runge_kutta_4", "implicit"]
    )
    def test_linear_momentum_of_rigid_bodies_is_kept_by_every_integrator(self, integrator):
        scenario, recording = self.collide(False, integrator=integrator)
        linear, _ = momenta(scenario, recording)
        assert np.abs(linear - linear[0]).max() < 1e-9 * np.linalg.norm(linear[0])

    def test_momenta_of_jointed_bodies(self):
        scenario, recording = self.collide(True, integrator="runge_kutta_4")
        linear, angular = momenta(scenario, recording)
        assert np.abs(linear - linear[0]).max() < 1e-9 * np.linalg.norm(linear[0])
        assert np.abs(angular - angular[0]).max() < 1e-6 * np.linalg.norm(angular[0])

    @pytest.mark.parametrize("rear", [False, True])
    def test_default_keeps_both_momenta_to_round_off(self, rear):
        scenario, recording = self.collide(rear)
        linear, angular = momenta(scenario, recording)
        assert np.abs(linear - linear[0]).max() < 1e-12 * np.linalg.norm(linear[0])
        assert np.abs(angular - angular[0]).max() < 1e-12 * np.linalg.norm(angular[0])

    def test_two_men_who_collide_keep_both_momenta_to_round_off(self):
        man = read_model(MALE)
        actors = [
            Actor(
                "a",
                man,
                position=(-0.4, 0.05, 1.0),
                velocity=(4.0, 0.0, 0.5),
                angular_velocity=(0.0, 2.0, 1.0),
            ),
            Actor(
                "b", man, position=(0.4, 0.0, 1.1), orientation=(180.0, 0.0, 10.0), velocity=(-3.0, 0.0, 0.0)
            ),
        ]
        settings = Settings(ground=False, gravity=(0.0, 0.0, 0.0), duration=0.4, output_step=0.01)
        scenario = Scenario("men", actors, settings=settings)
        recording = run(scenario)
        assert len(recording.contacts) > 3
        linear, angular = momenta(scenario, recording)
        scale = recording.body_mass.sum() * 4.0
        assert np.abs(linear - linear[0]).max() < 1e-12 * scale
        assert np.abs(angular - angular[0]).max() < 1e-12 * scale


def test_momentum_of_a_jointed_actor_changes_by_the_impulses_on_it():
    """Thrown at the ground, it bounces, rubs and is pushed in the air: gravity, contacts of the log and the pulse."""
    scenario = colliding(True)
    pulse = ForcePulse("rear", (30.0, -20.0, 10.0), start=0.25, duration=0.05, point=(0.05, 0.02, 0.0))
    actor = replace(
        scenario.actors[0], position=(0.0, 0.0, 0.25), velocity=(2.0, 1.0, -4.0), force_pulses=[pulse]
    )
    scenario = Scenario("bounce", [actor], settings=Settings(duration=0.4, friction=0.5))
    recording = run(scenario)
    contacts = recording.contacts[np.isfinite(recording.contacts["end"])]
    assert len(contacts) >= 1 and len(contacts) == len(recording.contacts)
    linear, _ = momenta(scenario, recording)
    given = contacts["impulse"].sum(axis=0) + recording.body_mass.sum() * GRAVITY * recording.times[-1]
    given = given + np.array(pulse.peak) * 2.0 * pulse.duration / np.pi
    assert linear[-1] - linear[0] == pytest.approx(given, abs=1e-9)
