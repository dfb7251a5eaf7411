"""A recording as one compact binary file (.npz) that reads back exactly, without pickle.

Arrays are entries of their own; names, texts and numbers stand together as JSON in the entry "header". The fields are
those of `Recording`, so one added there is stored here without an edit.
"""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..engine.recording import Recording
from ..io_json.errors import FileError

FORMAT = "mannequin-recording"
FORMAT_VERSION = 1
REMEDY = "Simulate again, or take the file from a copy of the run folder"


def split_recording(recording: Recording) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header, fit for JSON, and arrays by name; `assemble_recording` puts them together again."""
    header: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION, "fields": {}}
    arrays: dict[str, np.ndarray] = {}
    for field in fields(Recording):
        value = getattr(recording, field.name)
        if isinstance(value, np.ndarray):
            arrays[field.name] = value
        else:
            header["fields"][field.name] = value
    return header, arrays


def write_recording(recording: Recording, file: BinaryIO) -> None:
    """Write to an open file. The same recording gives the same bytes with the same NumPy and zlib."""
    header, arrays = split_recording(recording)
    text = json.dumps(header, ensure_ascii=False, sort_keys=True)
    arrays["header"] = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    # Level 1 takes a sixth less time than the default for files half a percent larger. An entry that is opened by its
    # name has a fixed date, so that the bytes do not depend on the time of day.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)


def read_recording(path: str | os.PathLike) -> Recording:
    """The recording in a file. Raises FileError for a file that is damaged, foreign, or of a newer version."""
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as stored:
            values = {name: stored[name] for name in stored.files}
        header = json.loads(values.pop("header").tobytes().decode("utf-8"))
    except OSError as error:
        raise FileError(f"cannot be read ({error.strerror or error})", path=path, remedy=REMEDY) from error
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FileError(f"is not a whole recording ({error})", path=path, remedy=REMEDY) from error
    return assemble_recording(path, header, values)


def assemble_recording(path: Path, header: Any, values: dict[str, Any]) -> Recording:
    """The recording of its header and arrays, read from `path`. Raises FileError where they are not of one."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FileError(
            "is not a Mannequin recording", path=path, remedy="Give the .npz file of a run folder"
        )
    if header.get("format_version") != FORMAT_VERSION:
        found = header.get("format_version")
        raise FileError(
            f"has recording format {found}, this Mannequin reads {FORMAT_VERSION}",
            path=path,
            remedy="Open it with the version of Mannequin named in manifest.json",
        )
    for name, value in header["fields"].items():
        # JSON has lists only; the fields that hold names are tuples.
        values[name] = tuple(value) if isinstance(value, list) and name != "warnings" else value
    known = {field.name for field in fields(Recording)}
    required = {f.name for f in fields(Recording) if f.default is MISSING and f.default_factory is MISSING}
    if missing := sorted(required - values.keys()):
        raise FileError(f"lacks {', '.join(missing)}", path=path, remedy=REMEDY)
    return Recording(**{name: value for name, value in values.items() if name in known})


def compare_recordings(first: Recording, second: Recording) -> dict[str, str]:
    """Field name to what differs, over all fields; empty where the two are the same to the last bit."""
    differences = {}
    for field in fields(Recording):
        a, b = getattr(first, field.name), getattr(second, field.name)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            told = _compare_arrays(a, b)
        else:
            told = "" if a == b else f"{a!r} and {b!r}"
        if told:
            differences[field.name] = told
    return differences


def _compare_arrays(a: np.ndarray, b: np.ndarray) -> str:
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
    if a.tobytes() == b.tobytes():
        return ""
    return f"largest difference {largest_difference(a, b):.3g}"


def largest_difference(a: np.ndarray, b: np.ndarray) -> float:
    """Largest absolute difference of two arrays of one shape, over all numeric members; NaN equals NaN."""
    if a.dtype.names:
        return max((largest_difference(a[name], b[name]) for name in a.dtype.names), default=0.0)
    if a.size == 0:
        return 0.0
    both_nan = np.isnan(a) & np.isnan(b)
    difference = np.where(both_nan, 0.0, np.abs(a.astype(float) - b.astype(float)))
    return float(np.max(np.where(np.isnan(difference), np.inf, difference)))
