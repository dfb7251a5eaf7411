"""The lists of near surfaces never miss a contact: the same runs with lists renewed in every step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from impacts import free_body, rubber, scene, stairs_mesh

from mannequin.engine import Actor, Obstacle, Scenario, Settings, compile_system
from mannequin.engine.contact.arrays import ALLOWED, TRAVELLED
from mannequin.engine.runs.placing import place_on_ground
from mannequin.engine.runs.simulation import Simulation
from mannequin.models.library import load_model


def run_with_fresh_lists(scenario: Scenario):
    """A run in which the lists are worn out at every output time; with one step per output time, in every step."""
    simulation = Simulation(compile_system(scenario))
    simulation._buffer = lambda frames, make=simulation._buffer: make(1)
    for _ in simulation.advance():
        reserve = simulation._state.contact.reserve
        reserve[TRAVELLED] = reserve[ALLOWED] + 1.0
    return simulation.recording()


def run_as_usual(scenario: Scenario):
    simulation = Simulation(compile_system(scenario))
    for _ in simulation.advance():
        pass
    return simulation.recording()


def balls() -> Scenario:
    """Thirty fast balls in a box of moving walls, each with two knobs."""
    rng = np.random.default_rng(3)
    model = free_body(rubber(5e4, 5.0), 0.5, 2e-3, (0.05, 0.04, 0.03), ((0.06, 0, 0), (-0.06, 0, 0)))
    actors = [
        Actor(
            f"b{k}",
            model,
            position=(0.4 * (k % 5), 0.4 * (k // 5 % 3), 0.3 + 0.4 * (k // 15)),
            orientation=tuple(rng.uniform(-180, 180, 3)),
            velocity=tuple(rng.uniform(-8, 8, 3)),
            angular_velocity=tuple(rng.uniform(-40, 40, 3)),
        )
        for k in range(30)
    ]
    motion = ((0, 0, 0, 0), (1, 5, 0, 0))
    walls = [Obstacle("piston", "box", (-2.5, 0.5, 1), (0, 0, 0), (1, 3, 3), motion=motion)]
    walls += [
        Obstacle("back", "plane", (3, 0, 0), (0, -90, 0)),
        Obstacle("bar", "capsule", (1, 0.5, 1.4), (0, 80, 0), (0.1, 0.1, 1)),
    ]
    return scene(actors, walls, duration=0.25)


def man_on_stairs() -> Scenario:
    actor = place_on_ground(
        Actor("man", load_model("male"), position=(0, 0, 1), orientation=(0, 40, 10)), 0.001
    )
    actor.position = (-0.3, 0.0, actor.position[2])
    actor.velocity = (2.0, 0.0, 0.0)
    settings = Settings(duration=0.8, ground=False, self_contact=True)
    return Scenario("stairs", [actor], [stairs_mesh()], settings=settings)


def balls_before_a_moving_mesh() -> Scenario:
    """Stairs that come towards the balls at 5 m/s."""
    return replace(balls(), obstacles=[replace(stairs_mesh(), motion=((0, 2, 0, 0), (1, -3, 0, 0)))])


@pytest.mark.long
@pytest.mark.parametrize("make", [balls, man_on_stairs, balls_before_a_moving_mesh])
def test_lists_miss_nothing(make):
    scenario = make()
    scenario.settings.output_step = scenario.settings.time_step
    usual, fresh = run_as_usual(scenario), run_with_fresh_lists(scenario)
    assert usual.status == fresh.status == "completed"
    assert len(usual.contacts) > 40
    for name in ("ellipsoid_a", "ellipsoid_b", "obstacle_b", "start"):
        assert np.array_equal(usual.contacts[name], fresh.contacts[name])
    assert usual.position == pytest.approx(fresh.position, abs=1e-9)


def test_fast_ball_does_not_tunnel_into_the_list():
    """400 m/s, 40 mm a step, at a wall 20 m off: touched within a step of the time that distance over speed gives."""
    wall = Obstacle("wall", "plane", (20, 0, 0), (0, -90, 0))
    actor = Actor("ball", free_body(rubber(1e6, 0.0), 1.0), velocity=(400.0, 0, 0))
    scenario = scene(actor, [wall], ground=False, gravity=(0, 0, 0), duration=0.06)
    event = run_as_usual(scenario).contacts[0]
    assert event["start"] == pytest.approx(math.ceil(19.9 / 400 / 1e-4) * 1e-4, abs=1e-9)


@pytest.mark.parametrize("integrator", ["variable_step", "midpoint"])
def test_trial_steps_put_no_pair_to_sleep_too_long(integrator):
    """Pairs sleep by gaps found in trial poses, too, which lie ahead of the step and may be given up."""
    scenario = balls()
    scenario.settings.integrator = integrator
    scenario.settings.duration = 0.04
    scenario.settings.output_step = 5 * scenario.settings.time_step
    usual, fresh = run_as_usual(scenario), run_with_fresh_lists(scenario)
    assert usual.status == fresh.status == "completed"
    assert (usual.contacts["ellipsoid_b"] >= 0).sum() > 2
    for name in ("ellipsoid_a", "ellipsoid_b", "obstacle_b"):
        assert np.array_equal(usual.contacts[name], fresh.contacts[name])
    assert usual.contacts["start"] == pytest.approx(fresh.contacts["start"], abs=1e-9)
    assert usual.position == pytest.approx(fresh.position, abs=1e-6)
