"""Timing side by side. CPU time of the thread that computes, so that a busy machine disturbs less; in turns, so that
what it still disturbs it does to both; several times, so that the spread shows.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import mujoco

from ..engine import Recording, Scenario, Simulation, System, compile_system
from .cases import Case
from .mujoco_model import build, start

CONTACT_SAMPLES = 50


@dataclass(frozen=True)
class Spread:
    """Median, smallest and largest of repeated measurements."""

    median: float
    low: float
    high: float

    def text(self, digits: int = 1) -> str:
        """ "median (low to high)"."""
        return f"{self.median:.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"


def spread(values: list[float]) -> Spread:
    """Of a list of numbers."""
    return Spread(statistics.median(values), min(values), max(values))


def engine_seconds(system: System) -> tuple[float, int, Recording]:
    """(CPU seconds, steps, recording) of one run through `Simulation.advance`, frames recorded."""
    simulation = Simulation(system)
    begun = time.thread_time()
    for _ in simulation.advance():
        pass
    spent = time.thread_time() - begun
    recording = simulation.recording()
    if recording.status != "completed":
        raise RuntimeError(f"{system.scenario.name}: {recording.message}")
    return spent, recording.steps, recording


def mujoco_seconds(model: mujoco.MjModel, scenario: Scenario, steps: int) -> float:
    """CPU seconds of as many steps of MuJoCo in one call, nothing recorded."""
    data = start(model, scenario)
    begun = time.thread_time()
    mujoco.mj_step(model, data, nstep=steps)
    return time.thread_time() - begun


def mean_contacts(recording: Recording) -> float:
    """Contacts at one time, averaged over the run."""
    if not len(recording.contacts):
        return 0.0
    end = recording.times[-1]
    ends = [float(event["end"]) if event["end"] == event["end"] else end for event in recording.contacts]
    lasted = sum(stop - float(event["start"]) for stop, event in zip(ends, recording.contacts, strict=True))
    return lasted / (end - recording.times[0])


def mean_mujoco_contacts(model: mujoco.MjModel, scenario: Scenario, steps: int) -> float:
    """The same in MuJoCo, sampled."""
    data = start(model, scenario)
    counts = []
    for _ in range(CONTACT_SAMPLES):
        mujoco.mj_step(model, data, nstep=max(1, steps // CONTACT_SAMPLES))
        counts.append(data.ncon)
    return statistics.fmean(counts)


def without_limits(scenario: Scenario) -> Scenario:
    """The scenario with the joints' range of motion open and without their springs, as MuJoCo gets it."""
    actors = [
        replace(
            actor,
            model=replace(actor.model, joints=[replace(joint, springs=[]) for joint in actor.model.joints]),
        )
        for actor in scenario.actors
    ]
    return replace(scenario, actors=actors, settings=replace(scenario.settings, joint_limits=False))


def compare(case: Case, repeats: int) -> dict:
    """One case: this engine and MuJoCo in turns, microseconds a step, and the ratios of neighbours.

    The ratio is for the same physics: joint limits, for which MuJoCo has no counterpart, are off. The model as shipped,
    limits and all, is timed in the same turns.
    """
    system = compile_system(without_limits(case.scenario))
    shipped = compile_system(case.scenario)
    model = build(case.for_mujoco)
    _, steps, recording = engine_seconds(system)
    engine_seconds(shipped)
    mujoco_seconds(model, case.for_mujoco, max(1, steps // 10))
    ours, theirs, with_limits = [], [], []
    for _ in range(repeats):
        ours.append(engine_seconds(system)[0] / steps * 1e6)
        theirs.append(mujoco_seconds(model, case.for_mujoco, steps) / steps * 1e6)
        with_limits.append(engine_seconds(shipped)[0] / steps * 1e6)
    return {
        "case": case.name,
        "steps": steps,
        "moving_bodies": len(system.tree.mass),
        "mujoco_bodies": int(model.nbody) - 1,
        "degrees_of_freedom": system.degrees_of_freedom,
        "mujoco_degrees_of_freedom": int(model.nv),
        "contacts": mean_contacts(recording),
        "mujoco_contacts": mean_mujoco_contacts(model, case.for_mujoco, steps),
        "engine_us": vars(spread(ours)),
        "with_limits_us": vars(spread(with_limits)),
        "mujoco_us": vars(spread(theirs)),
        "ratio": vars(spread([b / a for a, b in zip(ours, theirs, strict=True)])),
        "ratio_with_limits": vars(spread([b / a for a, b in zip(with_limits, theirs, strict=True)])),
        "note": case.note,
    }


def engine_only(scenario: Scenario, repeats: int) -> dict:
    """Microseconds a step of this engine, and CPU seconds of compiling the scenario."""
    begun = time.thread_time()
    system = compile_system(scenario)
    prepared = time.thread_time() - begun
    runs = [engine_seconds(system)[:2] for _ in range(repeats)]
    return {
        "prepare_s": prepared,
        "engine_us": vars(spread([seconds / steps * 1e6 for seconds, steps in runs])),
    }


def in_turns(actions: list[Callable[[], float]], repeats: int) -> list[Spread]:
    """Each action's own measurement, taken in turns."""
    values: list[list[float]] = [[] for _ in actions]
    for _ in range(repeats):
        for index, action in enumerate(actions):
            values[index].append(action())
    return [spread(series) for series in values]
