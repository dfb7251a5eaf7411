"""What issue 31 asks of the speed, each with the number that `make bench` measures for it and whether it is met."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

AT_ISSUE = {"fall": 7.1, "tackle": 7.5, "car and man": 6.6}
"""Times MuJoCo when issue 31 was written."""
MOST_LOSS = 0.1
"""What steps may be slower than then."""


class Target(NamedTuple):
    """One number that is asked for."""

    case: str
    """Its name in the history."""
    unit: str
    limit: float
    is_most: bool
    """The number may not be larger than the limit; else not smaller."""
    section: str
    """Of the benchmarks, that measures it; "" where none does."""
    read: Callable[[Any], float | None] = lambda found: None
    """The number in what the section found."""

    def is_met(self, number: float) -> bool:
        """Whether a number is as asked."""
        return number <= self.limit if self.is_most else number >= self.limit

    def asked(self) -> str:
        """The limit in words, with its unit."""
        return f"at {'most' if self.is_most else 'least'} {self.limit:g} {self.unit}"


def _at(*path: str) -> Callable[[Any], float | None]:
    """A number deep in what a section found; None where it is not there."""

    def read(found: Any) -> float | None:
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        return None if found is None else float(found)

    return read


def _ratio(case: str) -> Callable[[Any], float | None]:
    """Times MuJoCo on a case."""
    return lambda found: next((e["ratio"]["median"] for e in found if e["case"] == case), None)


def _best(scene: str) -> Callable[[Any], float | None]:
    """Microseconds a step of a scene of `saloon`."""
    return lambda found: next((e["best_us"] for e in found if e["scene"] == scene), None)


TIMES = "times MuJoCo"
TARGETS: tuple[Target, ...] = (
    Target("`run fall_standing`, 2 s, by the clock", "s", 1.0, True, "whole_runs", _at("command", "wall_s", "median")),
    Target("the same with steps of 1e-4 s", "s", 1.0, True, "whole_runs", _at("issue_step", "wall_s", "median")),
    Target("from Blender, after the click", "s", 0.5, True, "click", _at("shipped", "all_s", "median")),
    Target("the click with steps of 1e-4 s", "s", 0.5, True, "click", _at("issue", "all_s", "median")),
    Target("first use, prepared code, by the clock", "s", 3.0, True, "start_up", _at("prepared", "process_s")),
    Target("batch beside MuJoCo's rollout, by CPU time", TIMES, 8.0, False, "batch", _at("ratio_cpu", "median")),
    Target("batch beside MuJoCo's rollout, by the clock", TIMES, 7.0, False, "batch", _at("ratio", "median")),
    Target("batch, a run above the engine's own time", "%", 15.0, True, "batch", _at("overhead_percent", "median")),
    Target("1,000 falls with table and report", "s", 60.0, True, "sweeps", _at("thousand_falls_s")),
    Target("free flight", TIMES, 5.0, False, "cases", _ratio("free flight")),
    *(
        Target(case, TIMES, round((1.0 - MOST_LOSS) * ratio, 2), False, "cases", _ratio(case))
        for case, ratio in AT_ISSUE.items()
    ),
    Target("staircase", TIMES, 5.0, False, "cases", _ratio("staircase")),
    Target("saloon and man", "µs a step", 15.0, True, "saloon", _best("saloon and man")),
    Target(
        "a scene of two impacts by an adaptive step",
        "% off in head measures",
        2.0,
        True,
        "adaptive",
        _at("two_impacts_off_percent"),
    ),
    Target("what-if, 1 s of fall, worker alone", "s", 0.2, True, "sweeps", _at("what_if_fall_standing_s")),
)  # fmt: skip


def numbers(results: Mapping[str, Any]) -> dict[str, tuple[float, str]]:
    """Case to (number, unit) of every target that was measured."""
    found = {}
    for target in TARGETS:
        if target.section in results:
            number = target.read(results[target.section])
            if number is not None:
                found[target.case] = number, target.unit
    return found
