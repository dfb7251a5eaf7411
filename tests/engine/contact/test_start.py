"""Overlaps at the start: refused with a remedy, absorbed on request, recorded and subtracted within an actor."""

import numpy as np
import pytest
from impacts import G, free_body, rubber, scene

from mannequin.engine import (
    Actor,
    Body,
    Ellipsoid,
    EngineError,
    Joint,
    Model,
    Motor,
    Obstacle,
    Scenario,
    Settings,
    compile_system,
    run,
)

BALL = free_body(rubber(), 1.0)


def at(height: float, **settings) -> Scenario:
    return Scenario(
        "s", [Actor("ball", BALL, position=(0, 0, height))], settings=Settings(duration=0.05, **settings)
    )


def test_overlap_with_the_ground_is_refused_with_the_remedy():
    with pytest.raises(EngineError) as error:
        compile_system(at(0.0877))
    message = str(error.value)
    assert "actor 'ball', body 'body', ellipsoid 'part 0': it overlaps ground by 12.3 mm" in message
    assert "Raise the actor by 0.0123 m" in message


def test_the_remedy_helps():
    assert run(at(0.0877 + 0.0123)).status == "completed"


def test_limit_lets_a_preloaded_start_through_and_says_so():
    scenario = at(0.0977, start_overlap_limit=0.003)
    scenario.actors[0].model = free_body(rubber(damping=0.0), 1.0)
    recording = run(scenario)
    assert any("preloaded" in note and "2.3 mm" in note for note in recording.warnings)
    assert recording.contact_force[0, 0, 2] == pytest.approx(230.0, rel=1e-6)
    with pytest.raises(EngineError):
        compile_system(at(0.0977, start_overlap_limit=0.002))


def test_absorbed_overlap_is_subtracted_and_reported():
    """A ball 12.3 mm in the ground feels nothing at first and then lies that much deeper than it should."""
    recording = run(at(0.0877, absorb_ground_overlap=True, output_step=1e-3))
    assert any("12.3 mm" in note and "subtracted" in note for note in recording.warnings)
    assert recording.contact_force[0, 0, 2] == pytest.approx(0.0, abs=1e-9)
    assert recording.position[-1, 0, 2] == pytest.approx(0.0877 - G / 1e5, abs=2e-4)


def test_overlap_with_an_obstacle_is_refused():
    box = Obstacle("kerb", "box", (0, 0, 0.05), (0, 0, 0), (0.5, 0.5, 0.05))
    with pytest.raises(
        EngineError, match=r"overlaps kerb by 20\.0 mm at the start. Move the actor away by 0\.0200 m"
    ):
        compile_system(Scenario("s", [Actor("ball", BALL, position=(0, 0, 0.18))], [box]))


def test_overlap_between_actors_is_refused():
    actors = [Actor("a", BALL, position=(0, 0, 1)), Actor("b", BALL, position=(0.15, 0, 1))]
    with pytest.raises(EngineError, match="overlaps .* by 50.0 mm at the start. Move the actors apart"):
        compile_system(Scenario("s", actors))


def test_every_actor_is_named_once_by_its_deepest():
    model = free_body(rubber(), 1.0, centres=((0, 0, 0), (0.3, 0, -0.01), (0.6, 0, -0.02)))
    actors = [Actor("a", model, position=(0, 0, 0.09)), Actor("b", model, position=(0, 2, 0.095))]
    with pytest.raises(EngineError) as error:
        compile_system(Scenario("s", actors))
    message = str(error.value)
    assert message.count("Raise the actor") == 2
    assert "actor 'a', body 'body', ellipsoid 'part 2': it overlaps ground by 30.0 mm" in message
    assert "actor 'b', body 'body', ellipsoid 'part 2': it overlaps ground by 25.0 mm" in message


def chain(count: int, gap: float, **model_fields) -> Model:
    """Balls of 0.1 m on ball joints in a row along x, `gap` apart; negative gaps overlap."""
    step = 0.2 + gap
    ball = [Ellipsoid("skin", (0.1, 0.1, 0.1), material="rubber")]
    bodies = [Body(f"b{k}", 1.0, (0.01, 0.01, 0.01, 0, 0, 0), ellipsoids=list(ball)) for k in range(count)]
    shift = ((1, 0, 0, step), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    joints = [Joint("root", "free", None, "b0")]
    joints += [
        Joint(f"j{k}", "spherical", f"b{k - 1}", f"b{k}", T1=shift, damping=0.01) for k in range(1, count)
    ]
    return Model("chain", bodies, joints, materials=[rubber(2e4, 20.0)], **model_fields)


def test_overlap_within_an_actor_is_recorded_subtracted_and_reported():
    model = chain(4, -0.15)  # b0 and b3 are 0.15 m apart: 50 mm deep
    settings = Settings(duration=0.02, gravity=(0, 0, 0), ground=False, self_contact=True, output_step=1e-3)
    recording = run(Scenario("s", [Actor("chain", model)], settings=settings))
    (note,) = [note for note in recording.warnings if "self-contact" in note]
    assert "chain/b0 (skin) and chain/b3 (skin) overlap by 50.0 mm at the start; subtracted" in note
    assert np.abs(recording.contact_force).max() < 1e-9
    assert np.abs(recording.velocity).max() < 1e-9


def pairs_that_touch(model: Model, bend: float, **settings) -> set[tuple[str, str]]:
    """Names of the bodies of one actor that met while motors bend every joint of the chain."""
    motor = Motor(stiffness=8.0, damping=0.4, target=(0.0, bend, 0.0))
    actor = Actor("chain", model, motors={joint.name: motor for joint in model.joints[1:]})
    chosen = {"duration": 0.6, "gravity": (0, 0, 0), "ground": False, "self_contact": True, **settings}
    recording = run(Scenario("s", [actor], settings=Settings(**chosen)))
    assert recording.status == "completed"
    names = recording.body_names
    return {tuple(sorted((names[e["body_a"]], names[e["body_b"]]))) for e in recording.contacts}


@pytest.mark.parametrize("hops, bend", [(1, 140.0), (2, 105.0), (3, 85.0)])
def test_hops_decide_who_may_touch(hops, bend):
    """The ends of a chain bent to a ring are one hop further apart than excluded, or just excluded."""
    model, ends = chain(hops + 2, 0.01), {("b0", f"b{hops + 1}")}
    assert pairs_that_touch(model, bend, exclusion_hops=hops) == ends
    assert pairs_that_touch(model, bend, exclusion_hops=hops + 1) == set()
    assert pairs_that_touch(model, bend, exclusion_hops=hops, self_contact=False) == set()


def test_include_overrules_the_hops_and_the_switch():
    included = chain(3, 0.01, contact_include=[("b2", "b0")])
    assert pairs_that_touch(included, 140.0) == {("b0", "b2")}
    assert pairs_that_touch(included, 140.0, self_contact=False) == {("b0", "b2")}


def test_exclude_overrules_everything():
    pair = [("b0", "b2")]
    excluded = chain(3, 0.01, contact_exclude=pair, contact_include=pair)
    assert pairs_that_touch(excluded, 140.0, exclusion_hops=1) == set()


def test_actor_without_ellipsoids_falls_through():
    model = Model("ghost", [Body("b", 1.0, (1, 1, 1, 0, 0, 0))], [Joint("root", "free", None, "b")])
    recording = run(scene(Actor("ghost", model, position=(0, 0, 0.01)), duration=0.5, contact_history=True))
    assert recording.status == "completed"
    assert recording.position[-1, 0, 2] == pytest.approx(0.01 - 0.5 * G * 0.25, rel=1e-3)
    assert len(recording.contacts) == 0 and len(recording.contact_history) == 0


def test_only_fixed_actors():
    model = Model(
        "post",
        [Body("b", 1.0, (1, 1, 1, 0, 0, 0), ellipsoids=[Ellipsoid("e", (0.1, 0.1, 0.1), material="rubber")])],
        [Joint("root", "fixed", None, "b")],
        materials=[rubber()],
    )
    recording = run(scene([Actor("p", model), Actor("q", model, position=(1, 0, 0))], duration=0.01))
    assert recording.status == "completed" and len(recording.contacts) == 0


def test_fifty_actors():
    """A rain of balls: every one lies on the ground or another at the end, and books close."""
    model = free_body(rubber(2e4, 60.0), 0.5)
    actors = [
        Actor(
            f"ball {k}",
            model,
            position=(0.25 * (k % 5), 0.25 * (k // 5 % 5), 0.12 + 0.3 * (k // 25)),
            velocity=(0.1 * (k % 3), 0, 0),
        )
        for k in range(50)
    ]
    recording = run(scene(actors, duration=1.0, output_step=0.01))
    assert recording.status == "completed"
    touched = np.concatenate([recording.contacts["ellipsoid_a"], recording.contacts["ellipsoid_b"]])
    assert len(set(touched.tolist()) - {-1}) == 50
    assert recording.position[:, :, 2].min() > 0.08
    exchanged = np.ptp(recording.energy[:, 0]) + np.ptp(recording.energy[:, 1])
    assert np.abs(recording.energy[:, -1]).max() < 0.01 * exchanged
