"""Batches: the very numbers of single runs, streamed, bounded, cancellable; one bad scenario harms no other."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import fields, replace

import numpy as np
import pytest
from ball_drop import make_drop
from busy_scene import busy_scenario
from impacts import floor_mesh, free_body, rubber, scene

from mannequin.engine import Actor, EngineError, Recording, Scenario, Settings, compile_system, run, run_many
from mannequin.engine.contact.geometry import mesh_tree
from mannequin.engine.spec.sharing import MOST_KEPT, Members, Shared
from mannequin.engine.step.probe import find_touches


def assert_same_bits(one: Recording, other: Recording) -> None:
    """Every member of two recordings, arrays to the last bit."""
    for field in fields(Recording):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes(), field.name
        else:
            assert a == b, field.name


def sweep(count: int, **settings) -> list[Scenario]:
    """The busy scene at growing friction; all scenarios share their models."""
    base = busy_scenario(contact_history=True, **settings)
    return [
        replace(base, settings=replace(base.settings, friction=0.1 + 0.1 * k, duration=0.02 + 0.01 * k))
        for k in range(count)
    ]


@pytest.mark.parametrize("workers", [1, 3])
def test_bit_for_bit_the_single_runs(workers: int) -> None:
    scenarios = sweep(6)
    alone = [run(scenario) for scenario in scenarios]
    outcomes = list(run_many(scenarios, workers=workers))
    assert sorted(outcome.index for outcome in outcomes) == list(range(6))
    for outcome in outcomes:
        assert outcome.error is None
        assert_same_bits(outcome.result, alone[outcome.index])
    # the sweep is one: friction made a difference
    assert len({recording.position[-1].tobytes() for recording in alone}) == 6


def varied(base: Scenario) -> list[Scenario]:
    """A scenario with one thing after the other changed: its start, what acts, and what is around."""
    first, *others = base.actors
    higher = tuple(np.add(first.position, (0.1, 0.0, 0.5)))
    starts = [
        {"velocity": (0.5, 0.25, 0.0)},
        {"velocity": (-0.0, 0.0, 0.0)},
        {"position": higher},
        {"position": higher, "orientation": (20.0, 0.0, 5.0)},
        {"tone": 0.25},
        {"force_pulses": []},
    ]
    changed = [replace(base, actors=[replace(first, **start), *others]) for start in starts]
    settings = [{"joint_limits": False}, {"self_contact": not base.settings.self_contact}, {"friction": 0.05}]
    changed += [replace(base, settings=replace(base.settings, **one)) for one in settings]
    return [base, *changed, base]


def test_what_differs_is_not_shared_and_what_does_not_is(monkeypatch) -> None:
    shared, looked_at = Shared(), []

    def counted(arrays, state):
        looked_at.append(state)
        return find_touches(arrays, state)

    monkeypatch.setattr("mannequin.engine.build.system.find_touches", counted)
    scenarios = varied(busy_scenario(duration=0.03))
    systems = [compile_system(scenario, shared.once) for scenario in scenarios]
    assert len(looked_at) == len(scenarios) - 3, (
        "two that differ in speed only, and the last, stand as the first does"
    )
    monkeypatch.undo()
    recordings = [run(system) for system in systems]
    for scenario, recording in zip(scenarios, recordings, strict=True):
        assert_same_bits(recording, run(scenario))
    surfaces, joints = ([getattr(s.arrays, name) for s in systems] for name in ("surfaces", "joints"))
    assert all(surface.form is surfaces[0].form for k, surface in enumerate(surfaces) if k != 8)
    assert all(surface.materials is surfaces[0].materials for surface in surfaces[:7])
    assert all(joint is joints[0] for joint in (*joints[:5], joints[-1]))
    assert not any(joint is joints[0] for joint in joints[5:8])


def test_on_a_shared_mesh_too(monkeypatch) -> None:
    floor = floor_mesh()
    actors = [Actor("thing", free_body(rubber()), position=(0.1 * k, 0.0, 0.101)) for k in range(4)]
    scenarios = [scene([actor], [floor], ground=False) for actor in actors]
    alone = [run(scenario) for scenario in scenarios]
    built = []
    plain = mesh_tree.build_mesh_tree

    def counted(*mesh):
        built.append(len(mesh[1]))
        return plain(*mesh)

    monkeypatch.setattr("mannequin.engine.contact.compile.build_mesh_tree", counted)
    for outcome in run_many(scenarios, workers=2):
        assert len(outcome.result.contacts) > 0
        assert_same_bits(outcome.result, alone[outcome.index])
    assert built == [len(floor.triangles)]


def test_systems_compiled_before_and_reducing() -> None:
    systems = [compile_system(scenario) for scenario in sweep(3)]
    ends = {
        outcome.index: outcome.result for outcome in run_many(systems, lambda r: r.position[-1].tobytes())
    }
    assert ends == {k: run(system).position[-1].tobytes() for k, system in enumerate(systems)}


def test_a_bad_scenario_is_reported_for_its_index_and_the_rest_goes_on() -> None:
    scenarios = [make_drop() for _ in range(5)]
    scenarios[1] = replace(scenarios[1], actors=[])
    scenarios[3] = make_drop(height=-0.05)
    outcomes = {outcome.index: outcome for outcome in run_many(scenarios, lambda r: r.status, workers=2)}
    assert [outcomes[k].result for k in range(5)] == ["completed", None, "completed", None, "completed"]
    assert isinstance(outcomes[1].error, EngineError) and "actor" in str(outcomes[1].error)
    assert isinstance(outcomes[3].error, EngineError) and "overlaps" in str(outcomes[3].error)


def test_what_the_reducing_function_raises_is_the_outcome() -> None:
    def fail_at_speed(recording: Recording) -> float:
        if abs(recording.velocity[0, 0, 2]) > 4.5:
            raise KeyError("no such body")
        return 1.0

    drops = [make_drop(speed=speed) for speed in (4.0, 5.0, 4.0)]
    outcomes = {outcome.index: outcome for outcome in run_many(drops, fail_at_speed)}
    assert [outcomes[k].result for k in range(3)] == [1.0, None, 1.0]
    assert isinstance(outcomes[1].error, KeyError)


def test_an_error_of_the_generator_itself_reaches_the_caller() -> None:
    def broken():
        yield make_drop()
        raise LookupError("no more models")

    with pytest.raises(LookupError, match="no more models"):
        list(run_many(broken(), workers=2))
    assert not workers_alive()


def workers_alive() -> list[str]:
    """Names of batch threads that still run."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("run_many")]


def test_streams_lazily_with_a_bounded_number_in_flight() -> None:
    asked = []

    def endless():
        k = 0
        while True:
            asked.append(k)
            k += 1
            yield make_drop(duration=0.002)

    taken = 0
    for _ in run_many(endless(), workers=2):
        taken += 1
        time.sleep(0.02)  # a slow reader: the workers must wait for it
        # two being computed, two waiting in the queue, and one a worker holds until there is room
        assert len(asked) <= taken + 6
        if taken == 20:
            break
    assert not workers_alive()


def test_cancel_gives_up_what_is_running() -> None:
    # 30 million steps each: had they not been given up, there would be outcomes
    long = make_drop(duration=3000.0, output_step=1e-2)
    begun = time.perf_counter()
    cancelled = run_many([long] * 4, workers=2, cancel=lambda: time.perf_counter() - begun > 0.3)
    assert list(cancelled) == []
    assert not workers_alive()


def test_no_workers_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 workers"):
        run_many([], workers=0)
    assert list(run_many([])) == []


def test_interpreted(tmp_path) -> None:
    code = """
from ball_drop import make_drop
from mannequin.engine import run, run_many
from mannequin.engine.jit import decorators as jit
assert not jit.IS_COMPILED
drops = [make_drop(speed=speed, duration=0.01) for speed in (3.0, 4.0)]
many = {o.index: o.result.position.tobytes() for o in run_many(drops, workers=2)}
assert many == {k: run(drop).position.tobytes() for k, drop in enumerate(drops)}
print("same")
"""
    environment = os.environ | {"MANNEQUIN_INTERPRETED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "same\n", done.stderr


class TestShared:
    def test_once_for_the_very_object(self) -> None:
        shared, calls = Shared(), []

        def work(things: list) -> int:
            calls.append(things)
            return len(things)

        first, equal = [1], [1]
        assert [shared.once(work, first), shared.once(work, first), shared.once(work, equal)] == [1, 1, 1]
        assert len(calls) == 2

    def test_plain_values_count_by_value_and_type_and_members_one_by_one(self) -> None:
        shared, calls, thing = Shared(), [], object()

        def work(*given: object) -> None:
            calls.append(given)

        for given in [
            (0.0, "a"),
            (-0.0, "a"),
            (0, "a"),
            (False, "a"),
            (0.0, "a"),
            (Settings(),),
            (Settings(),),
        ]:
            shared.once(work, *given)
        assert len(calls) == 5
        for members in ([thing, 1], [thing, 1], [object(), 1], [thing, 1.0]):
            shared.once(work, Members(members))
        assert len(calls) == 8

    def test_keeps_a_bounded_number_and_the_latest(self) -> None:
        shared, calls = Shared(), []
        things = [[k] for k in range(MOST_KEPT + 1)]
        for thing in [*things, things[-1], things[0]]:
            shared.once(calls.append, thing)
        assert calls == [*things, things[0]]
