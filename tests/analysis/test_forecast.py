"""A run that cannot be kept is refused before it begins, with the numbers."""

import os
import time

import pytest
from synthetic_run import make_scenario

from mannequin.analysis.files import forecast as module
from mannequin.analysis.files.forecast import forecast, remove_leftovers, require_room
from mannequin.io_json.errors import FileError


def test_the_forecast_counts_the_recorded_numbers():
    """Times, 25 numbers of motion and 12 of the joint for each body; energies come on top. Sensors of head, upper neck
    and pelvis have six vectors of 32-bit numbers, and the time, for each of 10,000 steps."""
    found = forecast(make_scenario(duration=1.0, output_step=1e-3))
    assert found.frames == 1001
    sampled = 10_000 * (6 * 3 * 4 + 8)
    frames = found.memory - sampled
    assert 1001 * 8 * (1 + 3 * 37) < frames < 1001 * 8 * (1 + 3 * 37 + 60) and found.temporary == 0


def test_an_absurd_output_step_is_refused_with_the_numbers(tmp_path):
    scenario = make_scenario(duration=400.0, output_step=1e-8, time_step=1e-8)
    with pytest.raises(FileError, match=r"GB of disk.*40,000,000,001 output times.*GB are free"):
        require_room(scenario, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["free_disk", "free_memory"])
def test_what_is_short_is_named(tmp_path, monkeypatch, what):
    monkeypatch.setattr(module, what, lambda *ignored: 1000)
    with pytest.raises(FileError, match=f"of {what.partition('_')[2]}"):
        require_room(make_scenario(), tmp_path)


def test_a_usual_run_has_room(tmp_path):
    require_room(make_scenario(), tmp_path / "not" / "there")


def test_frames_of_killed_runs_are_removed_after_a_day_and_nothing_else(tmp_path):
    for name in ("mannequin-old", "mannequin-new", "mannequin-else", "other-old"):
        (tmp_path / name).mkdir()
        files = ["socket"] if name == "mannequin-else" else sorted(module.FRAME_FILES)
        for file in files:
            (tmp_path / name / file).write_bytes(b"x")
            if name != "mannequin-new":
                os.utime(tmp_path / name / file, (time.time() - 90_000,) * 2)
    assert [path.name for path in remove_leftovers(tmp_path)] == ["mannequin-old"]
    assert sorted(os.listdir(tmp_path)) == ["mannequin-else", "mannequin-new", "other-old"]


def test_the_files_of_frames_are_known(tmp_path, monkeypatch):
    """The engine's own store has the files by which leftovers are known."""
    from mannequin.engine.runs import simulation

    monkeypatch.setattr(simulation, "LARGEST_IN_MEMORY", 0)
    store = simulation.FrameStore(1, 0, 5, True, tmp_path)
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("mannequin-") and set(os.listdir(folder)) >= module.FRAME_FILES
    assert store.on_disk
