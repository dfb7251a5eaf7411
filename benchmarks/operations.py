"""Operations and bytes of a step, counted, not estimated: the engine runs interpreted on numbers that count themselves.

The kernels are plain Python that also runs without Numba, so the very same source is counted that is compiled. Every
addition, multiplication, division and root of floats is one operation; every element of an array read or written is
eight bytes. In a process of its own (MANNEQUIN_INTERPRETED=1):

python -m mannequin.benchmarks.operations
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

COUNTS: Counter[str] = Counter()
COUNTED = 20
"""Steps that are counted."""
SKIPPED = {"free flight": 20, "lying": 3000}
"""Steps before that: the man lying down must have come to rest on all his contacts."""


class Number(float):
    """A float that counts what is done with it."""


def _counting(name: str, kind: str) -> Callable[..., Any]:
    plain = getattr(float, name)

    def method(self: float, *others: float) -> Any:
        value = plain(self, *others)
        if value is NotImplemented:
            return value
        COUNTS[kind] += 1
        return Number(value)

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul"):
    setattr(Number, f"__{_name}__", _counting(f"__{_name}__", "add" if "mul" not in _name else "multiply"))
for _name in ("truediv", "rtruediv", "pow", "rpow"):
    setattr(Number, f"__{_name}__", _counting(f"__{_name}__", "divide"))
for _name in ("neg", "abs"):
    setattr(Number, f"__{_name}__", _counting(f"__{_name}__", "sign"))


def counting_function(function: Callable[..., float]) -> Callable[..., Number]:
    """Of `math`: one operation of its own kind."""

    def counted(*values: float) -> Number:
        COUNTS[function.__name__] += 1
        return Number(function(*values))

    return counted


class CountingArray(np.ndarray):
    """An array that counts the elements read and written one by one, as kernels do."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if isinstance(value, np.ndarray):
            return value
        COUNTS["read"] += 1
        return Number(value) if isinstance(value, np.floating) else int(value)

    def __setitem__(self, key: Any, value: Any) -> None:
        written = super().__getitem__(key)
        COUNTS["written"] += written.size if isinstance(written, np.ndarray) else 1
        super().__setitem__(key, value)


def counting(value: Any) -> Any:
    """A namedtuple of arrays (and of such) whose arrays count; the memory is shared."""
    if isinstance(value, np.ndarray):
        return value.view(CountingArray)
    if hasattr(value, "_fields"):
        return type(value)(*map(counting, value))
    return Number(value) if isinstance(value, float) else value


def hook_modules() -> None:
    """Let `float`, the functions of `math` and constants in the engine's modules count."""
    functions = ("sqrt", "sin", "cos", "tan", "atan2", "exp")
    for name, module in list(sys.modules.items()):
        if name.startswith("mannequin.engine"):
            module.float = Number
            for function in functions:
                if getattr(module, function, None) is getattr(math, function):
                    setattr(module, function, counting_function(getattr(math, function)))


PHASES = {
    "forward_kinematics": "forward kinematics",
    "rigid_inertia": "own inertia in world axes",
    "keep_momenta": "momenta kept",
    "gyroscopic_bias": "gyroscopic terms",
    "joint_forces": "joint torques",
    "find_contacts": "finding contacts",
    "contact_forces": "contact forces",
    "solve_accelerations": "articulated-body solve",
    "effective_contact_forces": "contact forces",
    "prepare_contacts": "lists of near surfaces",
    "write_sensors": "sensors",
    "expect_momenta": "momenta expected",
    "displaced": "coordinates moved",
}
"""Function to the name of its phase: functions of an evaluation, and of the loop round it."""


def hook_phases(totals: dict[str, Counter]) -> None:
    """Note what each phase of a step counts, where the loop calls it."""
    from ..engine.step import forces, loop
    from ..engine.step.integrators import euler

    def noted(function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            before = COUNTS.copy()
            result = function(*args)
            totals.setdefault(phase, Counter()).update(COUNTS - before)
            return result

        return call

    for name, phase in PHASES.items():
        for module in (forces, loop, euler):
            if hasattr(module, name):
                setattr(module, name, noted(getattr(module, name), phase))


def count_steps(scenario: Any, skipped: int) -> dict:
    """Counts a step, whole and by phase, of a scenario that is under way for a number of steps."""
    from ..engine import compile_system
    from ..engine.runs.simulation import Simulation
    from ..engine.step.loop import advance

    scenario.settings.output_step = COUNTED * scenario.settings.time_step
    simulation = Simulation(compile_system(scenario))
    work = (simulation._workspace, simulation._step_work)
    advance(simulation._arrays, simulation._state, *work, simulation._buffer(skipped // COUNTED))
    totals: dict[str, Counter] = {}
    hook_modules()
    hook_phases(totals)
    COUNTS.clear()
    groups = (simulation._arrays, simulation._state, *work, simulation._buffer(1))
    advance(*map(counting, groups))
    return {
        "step": {kind: count / COUNTED for kind, count in COUNTS.items()},
        "phases": {
            phase: {kind: count / COUNTED for kind, count in counts.items()}
            for phase, counts in totals.items()
        },
    }


def main(case: str) -> None:
    """Print the counts of a case as JSON."""
    from .cases import free_flight, lying_man
    from .timing import without_limits

    duration = 1.0
    scenarios = {"free flight": lambda: free_flight(duration).scenario, "lying": lambda: lying_man(duration)}
    print(json.dumps(count_steps(without_limits(scenarios[case]()), SKIPPED[case])))


if __name__ == "__main__":
    main(sys.argv[1])
