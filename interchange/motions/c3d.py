"""Marker and force plate data of .c3d files, by ezc3d (the optional extra "markers")."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from ...io_json.errors import FileError, in_file
from .trial import ForcePlate, Trial, unit_factor


def read_c3d(path: str | os.PathLike) -> Trial:
    """The trial in a .c3d file, in its own axes (see `Trial.turned`). Raises FileError."""
    try:
        import ezc3d
    except ImportError:
        remedy = "Install ezc3d beside Mannequin (the extra 'markers'), or export the trial as .trc"
        raise FileError("ezc3d, which reads .c3d files, is not installed", path=path, remedy=remedy) from None
    with in_file(path):
        if not Path(path).is_file():
            raise FileError("is not there", remedy="Check the name")
        try:
            content = ezc3d.c3d(os.fspath(path), extract_forceplat_data=True)
        except Exception as error:  # the library raises whatever its C++ side threw
            reason = str(error)[:120]
            raise FileError(
                f"is no .c3d file that can be read ({reason})", remedy="Export it again"
            ) from error
        return _trial(Path(path).stem, content)


def _trial(name: str, content: Any) -> Trial:
    """The parts of a file that are ours."""
    point, rate = content["parameters"]["POINT"], float(content["header"]["points"]["frame_rate"])
    labels = [label.strip() for label in point["LABELS"]["value"]]
    data = np.asarray(content["data"]["points"], dtype=float)
    if data.shape[2] == 0 or rate <= 0.0:
        raise FileError("has no points over time", remedy="Export a trial with markers")
    unit = (point.get("UNITS", {}).get("value") or ["mm"])[0]
    positions = unit_factor(unit, "POINT:UNITS") * np.moveaxis(data[:3, : len(labels)], (0, 1, 2), (2, 1, 0))
    first = float(content["header"]["points"]["first_frame"]) / rate
    times = first + np.arange(len(positions)) / rate
    samples = float(content["header"]["analogs"]["frame_rate"]) or rate
    plates = tuple(
        _plate(f"plate {number + 1}", plate, first, samples)
        for number, plate in enumerate(content["data"].get("platform", ()))
    )
    return Trial(name, tuple(labels), times, positions, plates)


def _plate(name: str, plate: Any, first: float, rate: float) -> ForcePlate:
    """A force plate; ezc3d has forces of the plate on what stands on it, in the units that it states."""
    length = unit_factor(plate["unit_position"], f"{name}, unit of its corners")
    force = np.asarray(plate["force"], dtype=float).T
    moment = np.asarray(plate["moment"], dtype=float).T
    moment_unit = {"nmm": 1e-3, "nm": 1.0}.get(plate["unit_moment"].replace(" ", "").lower())
    if moment_unit is None:
        raise FileError(f"has the unit '{plate['unit_moment']}'", place=name, remedy="Use Nmm or Nm")
    times = first + np.arange(len(force)) / rate
    return ForcePlate(name, times, force, moment_unit * moment, length * np.asarray(plate["corners"]).T)
