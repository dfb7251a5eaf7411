"""The page of a pedestrian case with two real-looking actors: its size, and the time until it is on the screen.

A dressed person who walks across and a generated saloon that brakes, 3 s at an output time every millisecond. Chromium
draws in software here, on whatever the machine has left, so the clock says little on a busy machine: the CPU time of
the page's thread is what a browser with a graphics card needs, besides the card's own work.

python -m mannequin.benchmarks.viewer
"""

import argparse
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from ..analysis.files.run_folder import Run, read_run, write_run
from ..engine.runs.simulation import run
from ..engine.spec import Actor, Scenario, Settings
from ..engine.spec.person import Person
from ..models.people.person_model import build_person
from ..models.vehicles.car import brake_motors
from ..models.vehicles.road_vehicle import build_vehicle, rolling_wheels
from ..viewer.content import shown_run
from ..viewer.write import page_bytes
from .browser import launch

SIZE_ASKED, SECONDS_ASKED = 15e6, 2.0
SPEED = 40.0 / 3.6
FIRST_PICTURE = """() => new Promise(done => {
  const look = () => document.body.dataset.ready
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
    : setTimeout(look, 5);
  look();
})"""


def pedestrian_case(duration: float = 3.0) -> Scenario:
    """A saloon at 40 km/h that brakes, and a man of 1.78 m who walks across from its right."""
    model = build_vehicle("saloon")
    vehicle = model.vehicle
    motors = brake_motors()
    for motor in motors.values():
        motor.gain_over_time = ((0.0, 0.0), (0.05, 0.0), (0.2, 1.0))
    car = Actor(
        "saloon",
        model,
        velocity=(SPEED, 0.0, 0.0),
        joint_velocities=rolling_wheels(vehicle, SPEED),
        motors=motors,
    )
    person = Person(sex=1.0, age=42.0, height=1.78, mass=78.0)
    place = (0.5 * vehicle.length + 0.45, -0.2, 0.0)
    walker = Actor(
        "pedestrian",
        build_person(person),
        position=place,
        orientation=(90.0, 0.0, 0.0),
        velocity=(0.0, 1.2, 0.0),
        person=person,
        tone=0.3,
    )
    settings = Settings(duration=duration, friction=0.5, ground_friction=0.7, start_overlap_limit=0.05)
    return Scenario(
        "pedestrian impact",
        [car, walker],
        settings=settings,
        description="A saloon at 40 km/h strikes a man who crosses from its right.",
        sources={"actors.saloon.velocity": "skid marks, assumed for this sample"},
    )


def kept(scenario: Scenario, folder: Path) -> Run:
    """A run of a scenario, in a folder."""
    started = datetime.now(UTC)
    recording = run(scenario)
    return read_run(write_run(scenario, recording, folder, started=started, ended=datetime.now(UTC)))


def first_picture(page: Path) -> dict[str, float]:
    """Seconds from opening a page to its first picture: by the clock, and CPU time of the page's own thread (its script
    and layout) and of the process that stands in for a graphics card."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch(playwright)
        try:
            tab = browser.new_page(viewport={"width": 1280, "height": 720})
            client = tab.context.new_cdp_session(tab)
            client.send("Performance.enable", {"timeDomain": "threadTicks"})
            tab.goto(page.as_uri())
            clock = tab.evaluate(FIRST_PICTURE) / 1000.0
            metrics = {
                entry["name"]: entry["value"] for entry in client.send("Performance.getMetrics")["metrics"]
            }
            processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        finally:
            browser.close()
    drawing = sum(process["cpuTime"] for process in processes if process["type"] == "GPU")
    return {"clock_s": clock, "page_cpu_s": metrics["TaskDuration"], "drawing_cpu_s": drawing}


def measure(repeats: int = 3) -> dict:
    """Bytes of the page, CPU seconds to make it, and what its first picture took (medians of the repeats)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        case = kept(pedestrian_case(), folder)
        started = time.process_time()
        page = folder / "case.html"
        page.write_bytes(page_bytes([shown_run(case)]))
        made = time.process_time() - started
        found = [first_picture(page) for _ in range(repeats)]
        size = page.stat().st_size
    return {
        "frames": case.recording.frames,
        "bodies": len(case.recording.body_names),
        "bytes": size,
        "bytes_asked": SIZE_ASKED,
        "make_cpu_s": made,
        "first_picture": {name: statistics.median(one[name] for one in found) for name in found[0]},
        "first_picture_asked_s": SECONDS_ASKED,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Size of a viewer's page, and how soon it is seen.")
    parser.add_argument("--repeats", type=int, default=3)
    print(json.dumps(measure(parser.parse_args().repeats), indent=1))


if __name__ == "__main__":
    main()
