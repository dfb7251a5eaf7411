"""Channels: filtered before they are measured, the same whatever the output step, and the same in every file."""

import csv
import dataclasses
import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from ball_drop import make_drop, spring_pulse

from mannequin.analysis.files.channel_files import write_channels, write_mme
from mannequin.analysis.files.mme import LOCATIONS, channel_components
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.files.verify import verify_run
from mannequin.analysis.measures import evaluate
from mannequin.analysis.measures.channels import body_channel, filtered
from mannequin.analysis.measures.filters import filter_cfc
from mannequin.analysis.measures.signals import G0, resultant
from mannequin.benchmarks.convergence import ALLOWED, SENSITIVE, compare, differences
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Scenario, Sensor
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

NOW = datetime(2026, 3, 1, tzinfo=UTC)
END_OF_BAND = {60: 100.0, 180: 300.0, 600: 1000.0, 1000: 1650.0}
"""SAE J211-1: frequency F_N (Hz) at which a class may be down by 4 dB; at the class itself (F_H) by 1 dB."""


def shipped(name: str, **settings) -> Scenario:
    scenario = read_scenario(scenario_path(name))
    chosen = {"time_step": 1e-4, **settings}
    return dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, **chosen))


def gain(cfc: int, frequency: float, rate: float) -> float:
    """dB, from the amplitude of a filtered sine, away from the ends."""
    t = np.arange(int(rate * (40.0 / frequency + 20.0 / cfc))) / rate
    out = filter_cfc(np.sin(2.0 * np.pi * frequency * t), cfc, rate)
    middle = slice(len(t) // 3, 2 * len(t) // 3)
    return 20.0 * math.log10(float(np.sqrt(2.0 * np.mean(out[middle] ** 2))))


@pytest.mark.parametrize("cfc", END_OF_BAND)
@pytest.mark.parametrize("rate", [1e4, 1e5])
def test_the_filter_stays_in_the_corridor_of_the_standard(cfc, rate):
    """SAE J211-1, figure of the frequency response: flat to +0.5 and -1 dB up to F_H, +0.5 and -4 dB at F_N."""
    for share in (0.1, 0.3, 0.5):
        assert abs(gain(cfc, share * cfc, rate)) < 0.5
    assert -1.0 < gain(cfc, cfc, rate) < 0.5
    assert -4.0 < gain(cfc, END_OF_BAND[cfc], rate) < 0.5


def test_the_filter_falls_by_24_db_an_octave_beyond():
    """Two passes of two poles."""
    assert gain(60, 480.0, 1e5) - gain(60, 960.0, 1e5) == pytest.approx(24.0, abs=0.5)


def measured(scenario: Scenario) -> dict[tuple[str, str], float]:
    return {(m.name, m.subject): m.value for m in evaluate(scenario, run(scenario))}


def test_head_measures_do_not_depend_on_the_output_step():
    coarse, fine = (measured(shipped("ladder_fall", duration=1.0, output_step=step)) for step in (1e-3, 1e-4))
    for name in ("HIC15", "HIC36", "BrIC", "Nij", "neck compression", "3 ms clip, contiguous"):
        key = name, "man / head"
        assert coarse[key] == fine[key] > 0.0


def test_hic_of_a_spring_at_an_output_step_longer_than_the_pulse():
    """The head of 4.5 kg on a spring: a half-sine of 14.9 ms, of which 20 ms frames see nothing."""
    scenario = make_drop(4.0, time_step=1e-5, output_step=2e-2, duration=0.06)
    peak, duration = spring_pulse(4.0)
    hic15 = next(m for m in evaluate(scenario, run(scenario)) if m.name == "HIC15")
    assert hic15.value == pytest.approx(0.4146456495 * (peak / G0) ** 2.5 * duration, rel=5e-3)


def test_the_variable_step_is_resampled_and_says_so():
    fixed = make_drop(4.0, time_step=1e-5)
    scenario = make_drop(4.0, integrator="variable_step", tolerance=1e-9, output_step=5e-3)
    found, expected = (
        next(m for m in evaluate(asked, run(asked)) if m.name == "HIC15") for asked in (scenario, fixed)
    )
    assert found.value == pytest.approx(expected.value, rel=0.01)
    assert "resampled by linear interpolation" in found.warnings[0]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    scenario = shipped("ladder_fall", duration=0.9)
    scenario.sensors = [
        Sensor("left hand", "man", "HandL", point=(0.0, 0.0, 0.0), turn_rate=True),
        Sensor("world", "man", "head", axes="world"),
    ]
    folder = tmp_path_factory.mktemp("runs")
    return read_run(write_run(scenario, run(scenario), folder, started=NOW, ended=NOW))


def test_channels_are_kept_with_the_run_and_verify(kept):
    again = run(kept.scenario)
    assert again.channel_data.tobytes() == kept.recording.channel_data.tobytes()
    assert list(again.channels) == list(kept.recording.channels)
    found = verify_run(kept.folder)
    assert found.problems == [] and found.replay == "identical"


def test_the_table_reads_back_to_the_last_bit(kept):
    (path,) = write_channels(kept)
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    numbers = np.array(rows, dtype=float)
    assert header[0] == "Time_s" and "man head_acceleration_x_m/s2" in header
    assert numbers[:, 0].tobytes() == kept.recording.channel_times.tobytes()
    data = numbers[:, 1:].astype(np.float32).reshape(kept.recording.channel_data.shape)
    assert data.tobytes() == kept.recording.channel_data.tobytes()


def test_the_filtered_table_is_filtered(kept):
    (path,) = write_channels(kept, is_filtered=True)
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="", replace_space=" ")
    channel = kept.recording.channel("man chest", "acceleration")
    expected = filter_cfc(np.asarray(channel.data, dtype=float), 180, 1e4)
    np.testing.assert_allclose(table["man chest_acceleration_z_m/s2"], expected[:, 2], rtol=1e-6, atol=1e-6)


def read_mme(
    folder: Path,
) -> tuple[dict[str, str], dict[str, str], dict[str, tuple[dict[str, str], np.ndarray]]]:
    """Test, list and channels by code: a reader written from the description of ISO/TS 13499, nothing else."""

    def pairs(lines):
        return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}

    (test,) = folder.glob("*.mme")
    listed = pairs((folder / "Channel" / f"{test.stem}.chn").read_text("latin-1").splitlines())
    channels = {}
    for number in range(1, int(listed["Number of channels"]) + 1):
        lines = (folder / "Channel" / f"{test.stem}.{number:03d}").read_text("latin-1").splitlines()
        first = next(k for k, line in enumerate(lines) if ":" not in line)
        header, samples = pairs(lines[:first]), np.array(lines[first:], dtype=float)
        assert len(samples) == int(header["Number of samples"])
        code, _, _ = listed[f"Name of channel {number:03d}"].partition("/")
        assert header["Channel code"] == code.strip()
        channels[header["Channel code"]] = header, samples
    return pairs(test.read_text("latin-1").splitlines()), listed, channels


def test_mme_reads_back_with_codes_units_and_signs(kept):
    paths = write_mme(kept)
    test, listed, channels = read_mme(paths[0].parent)
    assert test["Data format edition number"] == "1.6" and test["Number of test objects"] == "1"
    assert len(channels) == int(listed["Number of channels"]) == 3 * len(kept.recording.channel_sensor)
    assert all(len(code) == 16 and code.isalnum() and code.isupper() for code in channels)
    places = {code[2:10] for code in channels}
    assert set(LOCATIONS.values()) <= places
    units = {code[12:14]: header["Unit"] for code, (header, _) in channels.items()}
    assert units == {"AC": "m/(s*s)", "AV": "rad/s", "FO": "N", "MO": "Nm"}
    header, x = channels["10HEAD000000ACX0"]
    assert float(header["Sampling interval"]) == 1e-4 and float(header["Time of first sample"]) == 0.0
    own = kept.recording.channel("man head", "acceleration").data
    np.testing.assert_array_equal(x.astype(np.float32), own[:, 0])
    for axis, column in (("Y", 1), ("Z", 2)):  # right and down, where body frames have left and up
        np.testing.assert_array_equal(
            channels[f"10HEAD000000AC{axis}0"][1].astype(np.float32), -own[:, column]
        )
    measures = {m.name: m for m in evaluate(kept.scenario, kept.recording) if m.subject == "man / head"}
    axial = filter_cfc(channels["10NECKUP0000FOZ0"][1], 600, 1e4)
    assert np.max(axial) == pytest.approx(measures["neck tension"].value, rel=1e-6)
    assert np.min(axial) == pytest.approx(-measures["neck compression"].value, rel=1e-6)
    # feet first onto the ground: the femur is pressed, which SAE J211 counts as negative
    femur = filter_cfc(channels["10FEMRLE0000FOZ0"][1], 600, 1e4)
    assert femur[np.argmax(np.abs(femur))] < -1000.0
    assert verify_run(kept.folder, replay=False).problems == []


def test_mme_of_a_dummy_names_it():
    scenario = shipped("seated_crash", duration=0.01)
    codes = {component.code for component in channel_components(scenario, run(scenario))}
    assert all(len(code) == 16 for code in codes)
    model = next(actor.model.name for actor in scenario.actors if actor.name == "driver")
    assert ("20HEAD0000H3ACX0" in codes) == (model == "hybrid3_50th")


def test_a_run_without_sensors_has_no_files_of_channels(tmp_path):
    scenario = make_drop(duration=0.01)
    scenario.default_sensors = False
    kept = read_run(write_run(scenario, run(scenario), tmp_path, started=NOW, ended=NOW))
    for write in (write_channels, write_mme):
        with pytest.raises(FileError, match="no channels"):
            write(kept)


def test_a_filtered_channel_keeps_its_class(kept):
    body = kept.recording.body_index("man", "head")
    signal = filtered(body_channel(kept.scenario, kept.recording, body, "acceleration"))
    peak = next(m for m in evaluate(kept.scenario, kept.recording) if m.name == "peak acceleration")
    assert signal.filter == "CFC 1000" and peak.value == pytest.approx(np.max(resultant(signal.values)) / G0)


QUICK = ("slip", "seated_crash", "ladder_fall", "neck_flexion")
"""Scenarios that are quick to compute at a very short step; `benchmarks.convergence` has them all."""


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_every_measure_at_the_shipped_step_is_near_that_of_a_very_short_one(name):
    assert [error for error in compare(name).errors if error.relative > ALLOWED] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SENSITIVE)
def test_head_impacts_of_a_sensitive_scenario_are_near_those_of_a_very_short_step(name):
    found = [error for error in compare(name).errors if "HIC" in error.measure]
    assert found and all(error.relative < ALLOWED for error in found)


def test_a_measure_of_one_run_only_counts_as_off_and_a_slight_one_not():
    own = {("HIC15", "a"): 103.0, ("HIC15", "b"): 4.0, ("HIC15", "c"): 50.0}
    found = differences(own, {("HIC15", "a"): 100.0, ("HIC15", "b"): 2.0, ("HIC15", "d"): 6.0})
    assert [error.subject for error in found] == ["d", "c", "a"]
    assert [error.relative for error in found] == [math.inf, math.inf, pytest.approx(0.03)]
