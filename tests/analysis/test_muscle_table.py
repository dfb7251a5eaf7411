"""Muscles in a run folder: the table, and the arrays in the recording file."""

import csv
import io

import numpy as np
from muscle_rigs import hinge_model, pulley_muscle, scenario

from mannequin.analysis.files.csv_files import energy_csv, muscles_csv
from mannequin.analysis.files.recording_file import read_recording, write_recording
from mannequin.engine import run
from mannequin.engine.muscles.arrays import MUSCLE_CHANNELS


def recorded():
    return run(scenario(hinge_model(pulley_muscle(), pulley_muscle(name="other")), duration=0.02))


def test_the_table_holds_every_channel_of_every_muscle():
    recording = recorded()
    rows = list(csv.DictReader(io.StringIO("".join(muscles_csv(recording)))))
    assert len(rows) == recording.frames
    columns = (
        "excitation",
        "activation",
        "length_m",
        "velocity_m/s",
        "fibre_length_m",
        "fibre_velocity_m/s",
        "force_N",
    )
    assert list(rows[0]) == [
        "Time",
        *(f"rig_{name}_{column}" for name in ("muscle", "other") for column in columns),
    ]
    force = recording.muscle[:, 1, MUSCLE_CHANNELS.index("force")]
    assert [float(row["rig_other_force_N"]) for row in rows] == force.tolist()
    assert "muscles_J" in energy_csv(recording).header


def test_the_recording_file_gives_muscles_back(tmp_path):
    recording = recorded()
    with open(tmp_path / "r.npz", "wb") as file:
        write_recording(recording, file)
    again = read_recording(tmp_path / "r.npz")
    assert again.muscle_names == ("muscle", "other")
    for name in ("muscle", "muscle_energy", "muscle_actor"):
        assert np.array_equal(getattr(again, name), getattr(recording, name))
