"""A minute of five people: the page is bounded in size and opens in a real browser."""

import dataclasses
from datetime import UTC, datetime

import numpy as np
import pytest
from browser import open_page

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.engine import run as simulate
from mannequin.engine.runs.recording import FRAME_ARRAYS
from mannequin.engine.spec import Actor, Scenario, Settings
from mannequin.models.library import load_model
from mannequin.viewer import write
from mannequin.viewer.content import shown_run

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECONDS, STEP = 60.0, 0.005
LARGEST = 40e6
"""Bytes. A place of a body in motion takes about 30 of them, and a page has 1.5 million places at most."""


def long_recording(scenario):
    """A minute of waving, made of the arrays of a short run: every body turns and sways by its own sines."""
    short = simulate(scenario)
    times = np.arange(0.0, SECONDS + 0.5 * STEP, STEP)
    bodies = np.arange(len(short.body_names))
    phase = 2.0 * np.pi * (0.3 + 0.05 * bodies) * times[:, None] + bodies
    sway = np.stack([0.3 * np.sin(phase), 0.2 * np.cos(1.3 * phase), 0.1 * np.sin(0.7 * phase)], axis=-1)
    half = 0.4 * np.sin(phase)
    turn = np.stack([np.cos(half), 0.6 * np.sin(half), 0.8 * np.sin(half), 0.0 * half], axis=-1)
    arrays = {name: getattr(short, name) for name in FRAME_ARRAYS}
    repeated = {
        name: np.repeat(values[:1], len(times), axis=0)
        for name, values in arrays.items()
        if len(values) == short.frames
    }
    velocity = np.gradient(sway, STEP, axis=0)
    moved = repeated | {
        "times": times,
        "position": repeated["position"] + sway,
        "quaternion": turn,
        "velocity": velocity,
        "acceleration": np.gradient(velocity, STEP, axis=0),
        "contact_force": 500.0 * np.maximum(0.0, sway),
    }
    return dataclasses.replace(short, **moved)


@pytest.mark.slow
def test_a_minute_of_five_people_opens(tmp_path):
    people = [Actor(f"person {k}", load_model("male"), position=(1.5 * k, 0.0, 0.0)) for k in range(5)]
    settings = Settings(duration=0.01, output_step=STEP, ground=False, reactions=False)
    scenario = Scenario("crowd", people, settings=settings, default_sensors=False)
    recording = long_recording(scenario)
    assert recording.frames == 12001 and len(recording.actor_names) == 5
    folder = write_run(scenario, recording, tmp_path, started=NOW, ended=NOW)
    file = tmp_path / "crowd.html"
    file.write_bytes(write.page_bytes([shown_run(read_run(folder))]))
    assert file.stat().st_size < LARGEST
    with open_page() as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        names = page.evaluate("mannequin.names")
        for time in (12.34, 59.995):
            page.evaluate(f"mannequin.go({time})")
            for body in (0, 40, len(names) - 1):
                exact = [np.interp(time, recording.times, recording.origin(body)[:, k]) for k in range(3)]
                drawn = page.evaluate("name => mannequin.position(name)", names[body])
                assert np.abs(np.subtract(drawn, exact)).max() < 1e-3
        assert page.evaluate("mannequin.triangles()") > 1000
        assert page.problems == []
