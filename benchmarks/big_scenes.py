"""Big scenes, each in a process of its own: what they cost, and how much memory they take.

python -m mannequin.benchmarks.big_scenes '["20 people and 5 vehicles", 0.5]'

Scaled down in simulated time only: the cost of ten seconds is that of a second times ten. Memory is that of twice the
time beside that of once, so that what grows with time is seen.
"""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from ..engine import Actor, Scenario, Simulation, compile_system
from ..engine.runs.placing import place_on_ground
from ..models.library import load_model
from .cases import crowd, terrain
from .fresh_process import ask_module, peak

CAR_SPEED = 8.0
"""m/s at the start, towards the people"""
CAR_WAY = 8.0
"""m between the middle of a car and the first row"""


def street(duration: float) -> Scenario:
    """Twenty people in rows and five cars that drive into them."""
    people = crowd(20, duration)
    car = load_model("car")
    cars = [
        place_on_ground(
            Actor(f"car{k}", car, position=(-CAR_WAY, -2.0 + 2.5 * k, 0.0), velocity=(CAR_SPEED, 0.0, 0.0)),
            1e-3,
        )
        for k in range(5)
    ]
    return replace(people, name="street", actors=[*people.actors, *cars])


SCENES: dict[str, Callable[[float], Scenario]] = {
    "20 people and 5 vehicles": street,
    "1,000,000 triangles and a man": lambda duration: terrain(1_000_000, duration),
    "40 people": lambda duration: crowd(40, duration),
}
"""Name to the scene of a duration in s. The forty stand close together, where a bus would seat them."""


def scene(name: str, seconds: float) -> dict:
    """Compile and run a scene of `seconds` and of twice that, in this process."""
    begun = time.process_time()
    system = compile_system(SCENES[name](seconds))
    found = {"scene": name, "bodies": len(system.tree.mass), "compile_s": time.process_time() - begun}
    found["compiled_mb"] = peak()
    for key, duration in (("", seconds), ("twice_", 2.0 * seconds)):
        simulation = Simulation(compile_system(SCENES[name](duration)))
        begun = time.process_time()
        for _ in simulation.advance():
            pass
        spent = time.process_time() - begun
        recording = simulation.recording()
        if recording.status != "completed":
            raise RuntimeError(f"{name}: {recording.message}")
        found |= {f"{key}mb": peak(), f"{key}us_per_step": 1e6 * spent / recording.steps}
        found[f"{key}ten_seconds_s"] = 10.0 * spent / duration
        del simulation, recording
    return found


def measure(scale: float) -> list[dict]:
    """Every scene, a twentieth of ten seconds at scale 1, one process after the other."""
    seconds = max(0.01, round(0.5 * scale, 3))
    return [
        ask_module("mannequin.benchmarks.big_scenes", json.dumps([name, seconds])) | {"seconds": seconds}
        for name in SCENES
    ]


if __name__ == "__main__":
    print(json.dumps(scene(*json.loads(sys.argv[1]))))
