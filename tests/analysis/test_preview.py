"""A run as a preview: what is kept, exactly, and how it goes from one process to another."""

import dataclasses

import numpy as np
import pytest
from mechanisms import scenario_of, single_body

from mannequin.analysis.measures.preview import MOST_TIMES, pack, preview_of, unpack
from mannequin.engine import run
from mannequin.engine.spec import Settings


@pytest.fixture(scope="module")
def thrown():
    """A lone body in free flight: x = 3 t, turning about z at 2 rad/s. Its centre is off its origin."""
    model = single_body(mass=2.0, inertia=(1.0, 1.0, 1.0, 0, 0, 0), center_of_mass=(0.1, 0.0, 0.0))
    settings = Settings(duration=1.0, time_step=1e-4, output_step=1e-3, default_joint_damping=0.0)
    scenario = scenario_of(
        model,
        settings,
        position=(0.0, 0.0, 50.0),
        velocity=(3.0, 0.2, 0.0),
        angular_velocity=(0.0, 0.0, 2.0),
    )
    return scenario, run(scenario)


def test_packed_and_unpacked_it_is_the_same(thrown):
    preview = preview_of(*thrown)
    again = unpack(pack(preview))
    for field in dataclasses.fields(preview):
        one, other = getattr(preview, field.name), getattr(again, field.name)
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other, field.name


def test_frames_between_kept_times_follow_the_flight(thrown):
    """Against the closed form: the centre flies its parabola, the body turns evenly about it."""
    preview = preview_of(*thrown)
    assert len(preview.times) <= MOST_TIMES and preview.duration == pytest.approx(1.0, abs=0.003)
    start = thrown[1].position[0, 0]
    velocity = thrown[1].velocity[0, 0]
    for time in (0.0, 0.3331, 0.9):
        (frame,) = preview.frames_at(time)
        centre = start + velocity * time - (0.0, 0.0, 0.5 * 9.81 * time**2)
        assert frame @ [0.1, 0.0, 0.0, 1.0] == pytest.approx([*centre, 1.0], abs=1e-3)
        turn = 2.0 * time
        assert frame[:2, :2] == pytest.approx(
            np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]), abs=1e-3
        )
    assert np.array_equal(preview.frames_at(-1.0), preview.frames_at(0.0))
    assert np.array_equal(preview.frames_at(99.0), preview.frames_at(preview.duration))
