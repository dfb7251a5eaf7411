"""What the default sensors cost: whole falls with and without them, in turn, by the processor time of this process.

    python -m mannequin.benchmarks.sensors [SCENARIO] [ROUNDS]

Prints the time of a step in both cases and their ratio. The best of the rounds counts: other work on the machine only
ever adds to a time.
"""

import sys
import time

from ..engine.build.system import System, compile_system
from ..engine.runs.simulation import run
from ..engine.spec.default_sensors import without_sensors
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path

ROUNDS = 9


def seconds_per_step(system: System) -> float:
    """Processor time of one whole run per time step, s."""
    begun = time.process_time()
    steps = run(system).steps
    return (time.process_time() - begun) / steps


def sensor_cost(scenario: str = "fall_standing", rounds: int = ROUNDS) -> tuple[float, float]:
    """(seconds per step without sensors, with the default set), each the best of some rounds taken in turn."""
    asked = read_scenario(scenario_path(scenario))
    systems = [compile_system(without_sensors(asked)), compile_system(asked)]
    times = [[seconds_per_step(system) for system in systems] for _ in range(rounds + 1)][1:]
    without, with_sensors = (min(column) for column in zip(*times, strict=True))
    return without, with_sensors


def main(arguments: list[str]) -> None:
    """Print the cost."""
    name = arguments[0] if arguments else "fall_standing"
    without, with_sensors = sensor_cost(name, int(arguments[1]) if len(arguments) > 1 else ROUNDS)
    print(
        f"{name}: {1e6 * without:.2f} us per step without sensors, {1e6 * with_sensors:.2f} us with the default set:"
    )
    print(f"{100.0 * (with_sensors / without - 1.0):+.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
