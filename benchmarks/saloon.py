"""What a step of a generated saloon and a man costs: the shipped `car_pedestrian`, each of the two alone, and both with
steps of 1e-4 s.

python -m mannequin.benchmarks.saloon
"""

from dataclasses import replace

from ..engine import Scenario, compile_system
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path
from .tissue import piece_times

LONG_STEP = 1.0e-4
LONG_SECONDS = 1.5


def scenes() -> dict[str, Scenario]:
    """Name to scenario."""
    both = read_scenario(scenario_path("car_pedestrian"))
    alone = {actor.name: replace(both, actors=[actor]) for actor in both.actors}
    coarse = replace(both.settings, time_step=LONG_STEP, duration=LONG_SECONDS)
    return {
        "saloon and man": both,
        "saloon alone": alone["car"],
        "man alone": alone["man"],
        "saloon and man, steps of 1e-4 s": replace(both, settings=coarse),
    }


def measure(repeats: int) -> list[dict]:
    """Microseconds of CPU a step of whole runs, in turns: of each run, and of the best of each of its pieces."""
    systems = {name: compile_system(scenario) for name, scenario in scenes().items()}
    best: dict[str, list[float]] = {}
    runs: dict[str, list[float]] = {name: [] for name in systems}
    steps = {}
    for _ in range(repeats):
        for name, system in systems.items():
            times, steps[name] = piece_times(system)
            runs[name].append(1e6 * sum(times) / steps[name])
            best[name] = [min(pair) for pair in zip(best.get(name, times), times, strict=True)]
    return [
        {
            "scene": name,
            "steps": steps[name],
            "best_us": 1e6 * sum(best[name]) / steps[name],
            "low_us": min(runs[name]),
            "high_us": max(runs[name]),
        }
        for name in systems
    ]


if __name__ == "__main__":
    for row in measure(3):
        print(f"{row['scene']}: {row['best_us']:.2f} us a step ({row['low_us']:.2f} to {row['high_us']:.2f})")
