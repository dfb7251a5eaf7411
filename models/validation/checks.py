"""Every check by its name, and the running of them."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from ...engine.runs.batch import core_count
from .arms import arms
from .backs import backs
from .bicycle import benchmark_bicycle
from .dummies import other_dummies
from .fallers import populations, protective_falls
from .falls import dummy_falls, standing_falls
from .free_falls import free_falls
from .head import head_drop
from .head_sites import head_ages, skulls
from .legs import knee, leg_failures, legform, relaxed_leg
from .necks import neck_drops, neck_pendulum
from .necks_sideways import necks_sideways
from .occupants import ambrosio_driver, sled_pulse, volunteers
from .pedestrians import fronts, head_trends, pedestrian
from .row import Row
from .running import AS_GIVEN, HALF, Runner
from .slow_tests import slow_tests
from .tackle import rugby, tackle
from .torso import hip_impacts, thorax_pendulum, trunk_blows
from .vehicle import braking

CHECKS: dict[str, Callable[[Runner], list[Row]]] = {
    "head_drop": head_drop,
    "head_ages": head_ages,
    "skulls": skulls,
    "neck_pendulum": neck_pendulum,
    "neck_drops": neck_drops,
    "necks_sideways": necks_sideways,
    "other_dummies": other_dummies,
    "thorax_pendulum": thorax_pendulum,
    "slow_tests": slow_tests,
    "trunk_blows": trunk_blows,
    "hip_impacts": hip_impacts,
    "backs": backs,
    "arms": arms,
    "leg_failures": leg_failures,
    "knee": knee,
    "relaxed_leg": relaxed_leg,
    "legform": legform,
    "free_falls": free_falls,
    "dummy_falls": dummy_falls,
    "standing_falls": standing_falls,
    "protective_falls": protective_falls,
    "populations": populations,
    "pedestrian": pedestrian,
    "fronts": fronts,
    "head_trends": head_trends,
    "braking": braking,
    "benchmark_bicycle": benchmark_bicycle,
    "ambrosio_driver": ambrosio_driver,
    "volunteers": volunteers,
    "sled_pulse": sled_pulse,
    "tackle": tackle,
    "rugby": rugby,
}
TRENDS = ("head_trends", "ambrosio_driver")
"""Checks without a number in a band: half the step is not tried."""


def rows_of(
    names: Sequence[str] = (), progress: Callable[[str], None] | None = None, halved: bool = True
) -> list[Row]:
    """Run the checks named (all where none is) on all cores and return their rows in the order of `CHECKS`, each with
    its value at half the time step too (unless not `halved`) and, where it misses, with the cause."""
    chosen = list(names or CHECKS)

    def work(job: tuple[str, float]) -> list[Row]:
        name, share = job
        if progress is not None:
            progress(name if share == 1.0 else f"{name} at half the step")
        return CHECKS[name](AS_GIVEN if share == 1.0 else Runner(share))

    jobs = [(name, 1.0) for name in chosen]
    again = [(name, HALF) for name in chosen if halved and name not in TRENDS]
    with ThreadPoolExecutor(core_count()) as pool:
        found = dict(zip([*jobs, *again], pool.map(work, [*jobs, *again]), strict=True))
    rows = []
    for name in chosen:
        rows += with_halves(found[name, 1.0], found.get((name, HALF), []))
    return rows


def with_halves(rows: Sequence[Row], again: Sequence[Row]) -> list[Row]:
    """The rows with the values of the same rows at half the step."""
    values = {(row.check, row.quantity, row.source): row.value for row in again}
    return [replace(row, half=values.get((row.check, row.quantity, row.source))) for row in rows]
