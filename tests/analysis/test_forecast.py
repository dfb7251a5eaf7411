"""A run that cannot be kept is refused before it begins, with the numbers."""

from datetime import UTC, datetime

import pytest
from synthetic_run import make_scenario

from mannequin.analysis.files import forecast as module
from mannequin.analysis.files import sizes
from mannequin.analysis.files.forecast import forecast, require_room
from mannequin.analysis.files.run_folder import write_run
from mannequin.engine import run
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


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


def test_runs_of_a_sweep_are_counted_together(tmp_path, monkeypatch):
    scenario = make_scenario()
    room = 3 * forecast(scenario).memory
    monkeypatch.setattr(module, "free_memory", lambda: room)
    require_room(scenario, None, at_once=3)
    with pytest.raises(FileError, match=r"4 runs at once would take .* of memory.*--processes"):
        require_room(scenario, None, at_once=4)


def test_the_forecast_is_what_a_real_fall_takes(tmp_path):
    """A whole standing fall, written: within a fifth above what the files take, by kind, and never below."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.8
    recording = run(scenario)
    now = datetime.now(UTC)
    folder = write_run(scenario, recording, tmp_path, started=now, ended=now)
    numbers = sizes.numbers_per_frame(len(recording.body_names), 0, True)
    for kind in ("recording", "output", "joints", "energy"):
        (file,) = (path for path in folder.iterdir() if path.stem.endswith(f"_{kind}"))
        expected = recording.frames * numbers[kind] * sizes.BYTES_PER_NUMBER[kind]
        if kind == "recording":
            expected += recording.channel_data.nbytes + recording.channel_times.nbytes
        assert 0.7 * expected < file.stat().st_size <= expected, kind
    taken = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert 0.8 < taken / forecast(scenario).folder < 1.1
