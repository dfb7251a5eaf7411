"""The contact log and the contact history against a drop worked out by hand."""

import importlib
import math

import numpy as np
import pytest
from impacts import G, free_body, rubber, scene, term

from mannequin.engine import CONTACT_INSTANT, Actor, Obstacle, run
from mannequin.engine.contact import state as contact_state

MASS, RADIUS, STIFFNESS, SPEED = 2.0, 0.1, 8.0e4, 3.0
OMEGA = math.sqrt(STIFFNESS / MASS)
STEP = 1e-5
TURNED = (30.0, 20.0, 10.0)


def drop(height: float = 0.006, sideways: float = 0.0, **settings):
    """A ball on a linear spring at 3 m/s, without gravity and friction; its body frame is turned."""
    model = free_body(rubber(STIFFNESS, 0.0), MASS)
    actor = Actor(
        "ball",
        model,
        position=(0.2, 0.3, RADIUS + height),
        orientation=TURNED,
        velocity=(sideways, 0.0, -SPEED),
    )
    chosen = {"gravity": (0.0, 0.0, 0.0), "friction": 0.0, "time_step": STEP, "duration": 0.03, **settings}
    return run(scene(actor, **chosen))


@pytest.fixture(scope="module")
def event_and_recording():
    recording = drop(sideways=1.0, contact_history=True)
    assert len(recording.contacts) == 1
    return recording.contacts[0], recording


def test_who_and_when(event_and_recording):
    """Touch after h / v; half a period of the spring; peak in its middle."""
    event, recording = event_and_recording
    assert recording.ellipsoid_names[event["ellipsoid_a"]] == "part 0"
    assert recording.obstacle_names[event["obstacle_b"]] == "ground"
    assert (event["ellipsoid_b"], event["body_a"], event["body_b"]) == (-1, 0, -1)
    touch, contact = 0.006 / SPEED, math.pi / OMEGA
    assert touch <= event["start"] <= touch + 1.01 * STEP
    assert event["peak_time"] == pytest.approx(touch + contact / 2, abs=3 * STEP)
    assert event["end"] == pytest.approx(touch + contact, abs=3 * STEP)


def test_how_hard(event_and_recording):
    event, recording = event_and_recording
    assert event["approach_speed"] == pytest.approx(SPEED, rel=1e-9)
    assert event["sliding_speed"] == pytest.approx(1.0, rel=1e-9)
    assert event["peak_force"] == pytest.approx(SPEED * math.sqrt(STIFFNESS * MASS), rel=1e-3)
    assert event["peak_penetration"] == pytest.approx(SPEED / OMEGA, rel=1e-3)
    gained = MASS * (recording.velocity[-1, 0] - recording.velocity[0, 0])
    assert event["impulse"] == pytest.approx(gained, rel=1e-9, abs=1e-12)
    assert gained[2] == pytest.approx(2 * MASS * SPEED, rel=1e-3)
    assert abs(event["energy"]) < 1e-3 * 0.5 * MASS * SPEED**2


def test_where(event_and_recording):
    """World points under the ball; the same in the ball's own turned frame and in the ground's."""
    event, recording = event_and_recording
    touch, peak = event["start"], event["peak_time"]
    assert event["point_first"] == pytest.approx((0.2 + touch, 0.3, 0.0), abs=SPEED * STEP)
    centre = np.array([0.2 + peak, 0.3, RADIUS - event["peak_penetration"]])
    assert event["point"] == pytest.approx(centre - (0, 0, RADIUS), abs=2 * SPEED * STEP)
    assert event["normal"] == pytest.approx((0, 0, 1))
    rotation = recording.rotation(0)[0]
    assert event["normal_a"] == pytest.approx(rotation.T @ (0, 0, 1))
    assert event["point_a"] == pytest.approx(rotation.T @ (0, 0, -RADIUS), abs=1e-9)
    assert event["point_b"] == pytest.approx(event["point"])


def test_history_lists_every_contact_of_every_frame(event_and_recording):
    event, recording = event_and_recording
    history = recording.contact_history
    assert history.dtype == CONTACT_INSTANT
    touching = np.abs(recording.contact_force[:, 0]).max(axis=1) > 0
    assert np.array_equal(history["time"], recording.times[touching])
    assert np.array_equal(history["force"], recording.contact_force[touching, 0])
    assert history["normal_force"] == pytest.approx(history["force"][:, 2])
    assert history["penetration"] == pytest.approx(RADIUS - recording.position[touching, 0, 2], abs=1e-12)
    assert history["penetration_rate"] == pytest.approx(-recording.velocity[touching, 0, 2])
    assert history["sliding_speed"] == pytest.approx(1.0)
    assert (history["body_a"] == 0).all() and (history["body_b"] == -1).all()
    assert (history["obstacle_b"] == 0).all() and (history["ellipsoid_b"] == -1).all()


def test_history_only_on_request():
    assert drop(time_step=1e-4).contact_history is None


def test_history_of_a_run_without_contact_is_empty():
    history = drop(height=1.0, time_step=1e-4, contact_history=True).contact_history
    assert history.dtype == CONTACT_INSTANT and len(history) == 0


def test_history_does_not_change_the_run():
    plain, kept = drop(), drop(contact_history=True)
    assert np.array_equal(plain.position, kept.position)
    assert np.array_equal(plain.contacts, kept.contacts)


def test_open_event_has_no_end():
    """A ball at rest on the ground at the end of the run."""
    actor = Actor("ball", free_body(rubber()), position=(0, 0, 0.1 - G / 1e5))
    event = run(scene(actor)).contacts[0]
    assert event["start"] == 0.0 and math.isnan(event["end"])
    assert event["impulse"][2] == pytest.approx(G * 0.1, rel=0.01)


def test_point_on_a_turned_moving_obstacle_is_in_its_frame():
    """A box that rises at 1 m/s, turned by 90 degrees about z, meets a ball over its own point (0.1, 0, top)."""
    box = Obstacle("lift", "box", (0, 0, 0), (90, 0, 0), (0.5, 0.5, 0.1), motion=((0, 0, 0, 0), (1, 0, 0, 1)))
    actor = Actor("ball", free_body(rubber(), 1.0), position=(0.0, 0.1, 0.25))
    recording = run(scene(actor, [box], ground=False, gravity=(0, 0, 0), duration=0.1))
    event = recording.contacts[0]
    assert event["start"] == pytest.approx(0.05, abs=2e-4)
    assert event["approach_speed"] == pytest.approx(1.0)
    assert event["point_b"][:2] == pytest.approx((0.1, 0.0), abs=1e-6)
    assert event["point_b"][2] == pytest.approx(0.1, abs=0.005)


def test_energy_of_the_events_is_that_of_the_ledger():
    """Sliding impact with damping and friction: what the events took out is what the ledger says contacts did."""
    actor = Actor("ball", free_body(rubber(), 2.0), position=(0, 0, 0.11), velocity=(2, 0, -3))
    recording = run(scene(actor, friction=0.3, duration=0.1, time_step=2e-5))
    done = term(recording, "contact")[-1] + term(recording, "friction")[-1]
    assert recording.contacts["energy"].sum() == pytest.approx(-done, rel=0.01)
    assert done < -1.0


def many_balls(count: int):
    """A heap of balls that fall on the ground and on each other."""
    rng = np.random.default_rng(1)
    model = free_body(rubber(2e4, 20.0), 0.5, semi_axes=(0.05, 0.05, 0.05))
    actors = [
        Actor(
            f"ball {k}", model, position=(*(0.02 * rng.normal(size=2)), 0.06 + 0.11 * k), velocity=(0, 0, -2)
        )
        for k in range(count)
    ]
    return scene(actors, duration=0.25, contact_history=True)


def test_arrays_that_grow_change_nothing(monkeypatch):
    """Room for two pairs, two contacts and three events to begin with: grown many times over, the same result."""
    simulate = importlib.import_module("mannequin.engine.runs.simulation")
    scenario = many_balls(12)
    plain = run(scenario)
    original, grown = contact_state.new_touches, []

    def grow(surfaces, old):
        grown.append(len(old.who))
        return contact_state.grown_touches(surfaces, old)

    def small(surfaces, bodies, near, contacts, events):
        is_start = near == 256 + 8 * len(surfaces.owner)
        sizes = (2, 2, 3) if is_start else (near, contacts, events)
        return original(surfaces, bodies, *sizes)

    monkeypatch.setattr(contact_state, "new_touches", small)
    monkeypatch.setattr(simulate, "grown_touches", grow)
    cramped = run(scenario)
    assert len(grown) >= 4
    assert len(plain.contacts) > 20
    assert cramped.position == pytest.approx(plain.position, abs=1e-9)
    assert len(cramped.contacts) == len(plain.contacts)
    for name in ("ellipsoid_a", "ellipsoid_b", "obstacle_b", "start"):
        assert np.array_equal(cramped.contacts[name], plain.contacts[name])
    assert cramped.contacts["impulse"] == pytest.approx(plain.contacts["impulse"], abs=1e-6)
    assert len(cramped.contact_history) == len(plain.contact_history)


def test_joined_force_is_that_of_all_contacts_of_the_two_bodies():
    """On two feet side by side: springs in parallel, v sqrt(2 k m) together and half of it each; the second ball that
    falls beside is another body and does not count."""
    model = free_body(rubber(STIFFNESS, 0.0), MASS, centres=((-0.2, 0.0, 0.0), (0.2, 0.0, 0.0)))
    other = free_body(rubber(STIFFNESS, 0.0), MASS)
    actors = [
        Actor("pair", model, position=(0.0, 0.0, RADIUS), velocity=(0.0, 0.0, -SPEED)),
        Actor("beside", other, position=(1.0, 0.0, RADIUS), velocity=(0.0, 0.0, -SPEED)),
    ]
    settings = {"gravity": (0.0, 0.0, 0.0), "friction": 0.0, "time_step": STEP, "duration": 0.03}
    left, right, alone = sorted(run(scene(actors, **settings)).contacts, key=lambda event: event["point"][0])
    whole = SPEED * math.sqrt(2.0 * STIFFNESS * MASS)
    for event in (left, right):
        assert event["peak_force"] == pytest.approx(0.5 * whole, rel=1e-3)
        assert event["joined_force"] == pytest.approx(whole, rel=1e-3)
        assert event["joined_time"] == pytest.approx(math.pi / (2.0 * math.sqrt(2.0) * OMEGA), abs=3 * STEP)
    assert alone["joined_force"] == pytest.approx(alone["peak_force"], rel=1e-12)
