"""Adaptive steps beside fixed ones: CPU seconds, and how far head measures are off.

`TWO_IMPACTS` is the scene of the target: a man trips, his head strikes the ground twice, and he lies until ten seconds
have passed.
"""

from dataclasses import asdict, replace

from ..analysis.measures import evaluate
from ..engine import Recording, Scenario, compile_system
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path
from .timing import engine_seconds, spread

LARGEST_STEP = 1.0e-3
SCENES = (
    "fall_standing", "trip", "slip", "stairs_fall", "shove_stairs", "car_pedestrian", "rugby_tackle",
)  # fmt: skip
TWO_IMPACTS = "trip"
TEN_SECONDS = 10.0
HEAD_MEASURES = ("HIC15", "3 ms clip, contiguous", "peak acceleration")


def head_values(scenario: Scenario, recording: Recording) -> dict[tuple[str, str], float]:
    """Measures of all heads, by name and subject."""
    return {
        (measure.name, measure.subject): measure.value
        for measure in evaluate(scenario, recording)
        if measure.name in HEAD_MEASURES and measure.subject.endswith("head")
    }


def compare(scenario: Scenario, repeats: int) -> dict:
    """Both ways in turns: CPU seconds, their ratio, steps, sizes of the steps, and differences in percent."""
    settings = scenario.settings
    ways = [replace(settings, largest_step=largest) for largest in (None, LARGEST_STEP)]
    fixed, adaptive = (compile_system(replace(scenario, settings=way)) for way in ways)
    ratios, seconds = [], []
    for _ in range(repeats):
        before, fixed_steps, exact = engine_seconds(fixed)
        spent, steps, recording = engine_seconds(adaptive)
        ratios.append(before / spent)
        seconds.append(spent)
    wanted, found = head_values(scenario, exact), head_values(scenario, recording)
    worst = {
        name: max(abs(found[key] / value - 1.0) for key, value in wanted.items() if key[0] == name)
        for name in HEAD_MEASURES
    }
    return {
        "name": scenario.name,
        "duration": settings.duration,
        "time_step": settings.time_step,
        "fixed_steps": fixed_steps,
        "steps": steps,
        "sizes": [float(size) for size in recording.step_tally[[0, -1], 0]],
        "seconds": asdict(spread(seconds)),
        "ratio": asdict(spread(ratios)),
        "off_percent": {name: 100.0 * share for name, share in worst.items()},
    }


def measure(scale: float, repeats: int) -> dict:
    """Shipped scenes as they are, and the scene of two impacts; scale: of the ten seconds."""
    scenes = [compare(read_scenario(scenario_path(name)), repeats) for name in SCENES]
    scenario = read_scenario(scenario_path(TWO_IMPACTS))
    duration = max(scenario.settings.duration, scale * TEN_SECONDS)
    long = replace(scenario, settings=replace(scenario.settings, duration=duration))
    two = compare(long, repeats)
    return {"scenes": scenes, "two_impacts": two, "two_impacts_off_percent": max(two["off_percent"].values())}
