"""Batches on all cores: the same falls by `engine.run_many` and by MuJoCo's `rollout`, with as many threads, in turns.

The falls differ in the speed at the start. This engine compiles every scenario, records every frame and reduces it to
the peak acceleration of the head; MuJoCo's model is made once, and its states go into an array that is there already.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import mujoco
import numpy as np
from mujoco.rollout import Rollout

from ..engine import Recording, Scenario, run, run_many
from ..engine.runs import simulation
from ..engine.runs.batch import core_count
from .answer import answers
from .cases import fall
from .mujoco_model import build, start
from .timing import spread, without_limits

FALLS_PER_CORE = 6


def sweep(count: int, duration: float) -> list[Scenario]:
    """Falls of the man from standing, pushed forward at 0 to 1 m/s."""
    base = without_limits(fall(duration).scenario)
    (man,) = base.actors
    speeds = np.linspace(0.0, 1.0, count)
    return [replace(base, actors=[replace(man, velocity=(float(v), 0.0, 0.0))]) for v in speeds]


def start_states(model: mujoco.MjModel, scenarios: list[Scenario]) -> np.ndarray:
    """(n, nstate) full physics state of MuJoCo at the start of every scenario, from its own export."""
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    states = np.zeros((len(scenarios), mujoco.mj_stateSize(model, kind)))
    for row, scenario in zip(states, scenarios, strict=True):
        own = build(scenario)
        mujoco.mj_getState(own, start(own, scenario), row, kind)
    return states


def peak(recording: Recording) -> float:
    """What is kept of a fall."""
    return answers(recording)[0]


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """(wall, CPU) seconds of all threads."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def run_batch(scenarios: list[Scenario], workers: int) -> None:
    """All falls by this engine; an error is one."""
    for outcome in run_many(scenarios, peak, workers=workers):
        if outcome.error is not None:
            raise outcome.error


def overhead_percent(scenarios: list[Scenario], repeats: int) -> dict:
    """CPU time of a batch above that of the machine code which takes its steps, %: what a run costs besides.

    Both of the same batch, so that a change of the machine's speed disturbs neither; one worker, so that nothing waits.
    """
    found = []
    for _ in range(repeats):
        with steps_timed() as spent_in_code:
            _, spent = timed(lambda: run_batch(scenarios, 1))
        found.append(100.0 * (spent / sum(spent_in_code) - 1.0))
    return vars(spread(found))


@contextmanager
def steps_timed() -> Iterator[list[float]]:
    """A list that gets the CPU seconds of every call into the compiled step loop meanwhile."""
    spent: list[float] = []
    advance = simulation.advance

    def timed_advance(*args: object) -> None:
        begun = time.thread_time()
        advance(*args)
        spent.append(time.thread_time() - begun)

    simulation.advance = timed_advance
    try:
        yield spent
    finally:
        simulation.advance = advance


def measure(duration: float, repeats: int) -> dict:
    """Falls a second of both, and the ratios of neighbours, by the clock and by CPU time; efficiency of the threads."""
    workers = core_count()
    scenarios = sweep(FALLS_PER_CORE * workers, duration)
    model = build(scenarios[0])
    states = start_states(model, scenarios)
    steps = round(duration / scenarios[0].settings.time_step)
    out = np.zeros((len(scenarios), steps, states.shape[1]))
    data = [mujoco.MjData(model) for _ in range(workers)]
    turns: dict[str, list[tuple[float, float]]] = {"engine": [], "mujoco": [], "alone": []}
    run(scenarios[0])
    with Rollout(nthread=workers) as pool:
        actions = {
            "engine": lambda: run_batch(scenarios, workers),
            "mujoco": lambda: pool.rollout(
                model, data, states, nstep=steps, state=out, skip_checks=False, chunk_size=1
            ),
            "alone": lambda: [peak(run(scenario)) for scenario in scenarios],
        }
        actions["mujoco"]()
        for _ in range(repeats):
            for name, action in actions.items():
                turns[name].append(timed(action))

    def rates(name: str, which: int) -> list[float]:
        return [len(scenarios) / turn[which] for turn in turns[name]]

    def ratio(one: str, other: str, which: int) -> dict:
        return vars(spread([a / b for a, b in zip(rates(one, which), rates(other, which), strict=True)]))

    return {
        "threads": workers,
        "falls": len(scenarios),
        "seconds_each": duration,
        "engine_falls_per_s": vars(spread(rates("engine", 0))),
        "mujoco_falls_per_s": vars(spread(rates("mujoco", 0))),
        "ratio": ratio("engine", "mujoco", 0),
        "ratio_cpu": ratio("engine", "mujoco", 1),
        "overhead_percent": overhead_percent(scenarios, repeats),
        "over_one_by_one": ratio("engine", "alone", 0),
        "cpu_over_one_by_one": vars(
            spread([a[1] / b[1] for a, b in zip(turns["engine"], turns["alone"], strict=True)])
        ),
    }
