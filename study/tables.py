"""Recordings and measures as tables of pandas and xarray, which are optional."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.files.csv_files import BODY_FIELDS
from ..analysis.measures.measure import Measure
from ..engine import ENERGY_TERMS
from ..engine.muscles.arrays import MUSCLE_CHANNELS
from ..engine.runs.recording import Recording
from ..engine.spec.names import part_label
from ..io_json.errors import FileError

if TYPE_CHECKING:
    import pandas
    import xarray

JOINT_FIELDS = {
    "joint_angle": "rad",
    "joint_rate": "rad/s",
    "joint_slide": "m",
    "joint_slide_rate": "m/s",
    "reaction_force": "N",
    "reaction_moment": "N m",
}
"""Field of a recording for every joint, to its unit."""
AXES = {3: list("xyz"), 4: list("wxyz")}


def _library(name: str) -> ModuleType:
    """An optional library. Raises FileError with the remedy."""
    try:
        return importlib.import_module(name)
    except ImportError:
        remedy = (
            f"Install {name} beside Mannequin (the extra 'notebooks'), or read the arrays of the recording"
        )
        raise FileError(f"{name} is not installed", remedy=remedy) from None


def _labels(recording: Recording, names: Sequence[str], actors: np.ndarray) -> list[str]:
    """ "actor / name" of bodies, joints or muscles."""
    return [part_label(recording.actor_names[actor], name) for actor, name in zip(actors, names, strict=True)]


def to_pandas(recording: Recording) -> pandas.DataFrame:
    """What every body did: a row for each output time (index `time`, s), columns by (body, quantity, axis).

    World axes and SI units, as in `Recording`: position, velocity and acceleration are those of the centre of mass.
    """
    pandas = _library("pandas")
    columns, blocks = [], []
    for body, label in enumerate(_labels(recording, recording.body_names, recording.body_actor)):
        for _, _, name, _ in BODY_FIELDS:
            values = getattr(recording, name)[:, body]
            columns += [(label, name, axis) for axis in AXES[values.shape[1]]]
            blocks.append(values)
    data = np.hstack(blocks) if blocks else np.zeros((recording.frames, 0))
    index = pandas.Index(recording.times, name="time")
    names = ("body", "quantity", "axis")
    return pandas.DataFrame(data, index=index, columns=pandas.MultiIndex.from_tuples(columns, names=names))


def to_xarray(recording: Recording) -> xarray.Dataset:
    """The recording over its output times, with names of bodies, joints and muscles as coordinates and units as
    attributes; what sensors measured has the dimension `sample_time`."""
    xarray = _library("xarray")
    coordinates = {
        "time": ("time", recording.times, {"units": "s"}),
        "body": _labels(recording, recording.body_names, recording.body_actor),
        "joint": _labels(recording, recording.joint_names, recording.joint_actor),
        "axis": AXES[3],
        "quaternion_axis": AXES[4],
        "energy_term": list(ENERGY_TERMS),
    }
    variables = {"energy": (("time", "energy_term"), recording.energy, {"units": "J"})}
    body_units = {name: unit for _, _, name, unit in BODY_FIELDS}
    for thing, fields in (("body", body_units), ("joint", JOINT_FIELDS)):
        for name, unit in fields.items():
            values = getattr(recording, name)
            if values.shape[:2] == (recording.frames, len(coordinates[thing])):  # else it was not recorded
                axis = "axis" if values.shape[2] == 3 else "quaternion_axis"
                variables[name] = (("time", thing, axis), values, {"units": unit})
    if recording.muscle_names:
        coordinates["muscle"] = _labels(recording, recording.muscle_names, recording.muscle_actor)
        for number, name in enumerate(MUSCLE_CHANNELS):
            variables[f"muscle_{name}"] = (("time", "muscle"), recording.muscle[:, :, number])
    if len(recording.channel_times):
        coordinates["sample_time"] = ("sample_time", recording.channel_times, {"units": "s"})
        coordinates["channel"] = list(recording.channels)
        variables["channel_data"] = (("sample_time", "channel", "axis"), recording.channel_data)
    attributes = {"status": recording.status, "steps": recording.steps}
    return xarray.Dataset(variables, coordinates, attributes)


def measures_table(measures: Sequence[Measure]) -> pandas.DataFrame:
    """A row for each measure: name, subject, value, unit, and what is to be read with it."""
    pandas = _library("pandas")
    rows = [(m.name, m.subject, m.value, m.unit, "; ".join(m.remarks)) for m in measures]
    return pandas.DataFrame(rows, columns=["measure", "subject", "value", "unit", "remarks"])
