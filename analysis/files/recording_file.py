"""A recording as one compact binary file (.npz) that reads back exactly, without pickle.

Arrays are entries of their own, and so are lists of names (`numpy.load(file)["body_names"]`); texts and numbers stand
together as JSON in the entry "header". The fields are those of `Recording`, so one added there is stored here without
an edit.
"""

import json
import math
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from ...engine.contact.event_members import CONTACT_EVENT, SIDES
from ...engine.runs.recording import Recording
from ...engine.spec import SENSOR_QUANTITIES
from ...io_json.errors import FileError
from ...io_json.room import free_memory

FORMAT = "mannequin-recording"
FORMAT_VERSION = 2
READ_VERSIONS = (1, 2)
"""In the first the names stood in the header."""
REMEDY = "Simulate again, or take the file from a copy of the run folder"
LARGEST_HEADER = 64 * 1024**2
"""Bytes of the names, texts and numbers of a recording."""
LARGEST_RATIO = 1040
"""Deflate makes at most 258 bytes of 2 bits, 1032 to 1 (RFC 1951, section 3.2.5)."""
LEVEL = 1
"""Of deflate: takes a sixth less time than the default for files half a percent larger."""
WORTH_PACKING = 0.8
"""Arrays of which deflate would leave more than this share are stored as they are."""
TRIED, TRIED_BYTES = 8, 16384
"""Pieces of an array, and bytes of each, by which that is judged."""
KINDS = {field.name: str(field.type) for field in fields(Recording)}
"""Field to its annotation: what a file may hold for it."""
NAMES = "tuple[str, ...]"
"""Annotation of fields that hold names."""
SHAPES = {
    "times": "F", "body_actor": "B", "body_mass": "B", "body_com": "B3", "joint_actor": "J", "joint_child": "J",
    "ellipsoid_body": "E", "position": "FB3", "quaternion": "FB4", "velocity": "FB3", "angular_velocity": "FB3",
    "acceleration": "FB3", "angular_acceleration": "FB3", "contact_force": "FB3", "contact_torque": "FB3",
    "joint_angle": "FJ3", "joint_rate": "FJ3", "joint_slide": "FJ3", "joint_slide_rate": "FJ3",
    "reaction_force": "FJ3", "reaction_moment": "FJ3",
    "muscle_actor": "M", "channel_body": "K", "channel_cfc": "K", "channel_times": "N", "channel_data": "NK3",
}  # fmt: skip
"""Shapes with the letters of `Recording`: F output times, B bodies, J joints, E ellipsoids, M muscles, K channels of
sensors, N samples."""
MAY_BE_EMPTY = ("joint_slide", "joint_slide_rate", "reaction_force", "reaction_moment")
"""Fields of zero length where they were not recorded."""
NOT_WRITTEN_EMPTY = ("step_tally",)
"""Fields that a file lacks where they are of no length, as files of before do."""
INDICES = {
    "body_actor": "actor_names", "joint_actor": "actor_names", "joint_child": "body_names",
    "ellipsoid_body": "body_names", "muscle_actor": "actor_names", "channel_body": "body_names",
}  # fmt: skip
"""Field of indices to the names that they point into."""
DAMAGE = (
    ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError, RecursionError,
    RuntimeError, SyntaxError, TypeError, ValueError, struct.error, tokenize.TokenError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip
"""What the zip, deflate, NumPy and JSON readers raise for damaged bytes."""


def split_recording(recording: Recording) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header, fit for JSON, and arrays by name; `assemble_recording` puts them together again."""
    header: dict[str, Any] = {"format": FORMAT, "format_version": FORMAT_VERSION, "fields": {}}
    arrays: dict[str, np.ndarray] = {}
    for field in fields(Recording):
        value = getattr(recording, field.name)
        if isinstance(value, np.ndarray):
            if len(value) or field.name not in NOT_WRITTEN_EMPTY:
                arrays[field.name] = value
        elif KINDS[field.name] == NAMES and not any(
            "\0" in name for name in value
        ):  # which NumPy would cut off
            arrays[field.name] = np.array(value, dtype=np.str_)
        else:
            header["fields"][field.name] = value
    return header, arrays


def write_recording(recording: Recording, file: BinaryIO) -> None:
    """Write to an open file. The same recording gives the same bytes with the same NumPy and zlib."""
    header, arrays = split_recording(recording)
    text = json.dumps(header, ensure_ascii=False, sort_keys=True)
    arrays["header"] = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    # An entry that is opened by its name has a fixed date, so that the bytes do not depend on the time of day.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, array in arrays.items():
            archive.compression = zipfile.ZIP_DEFLATED if _is_worth_packing(array) else zipfile.ZIP_STORED
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)


def _is_worth_packing(array: np.ndarray) -> bool:
    """Whether deflate saves enough of an array, judged by some pieces of it. Samples of sensors, of which there are the
    most, shrink by a sixth only, and packing them took longer than all the rest of writing a run."""
    data = memoryview(np.ascontiguousarray(array).view(np.uint8)).cast("B") if array.size else b""
    if len(data) <= TRIED * TRIED_BYTES:
        return True
    starts = [k * (len(data) - TRIED_BYTES) // (TRIED - 1) for k in range(TRIED)]
    packed = sum(len(zlib.compress(data[start : start + TRIED_BYTES], LEVEL)) for start in starts)
    return packed < WORTH_PACKING * TRIED * TRIED_BYTES


def read_recording(path: str | os.PathLike) -> Recording:
    """The recording in a file. Raises FileError for a file that is damaged, foreign, or of a newer version.

    Nothing is trusted: an array takes memory only after its shape was found to agree with the bytes that are there, and
    entries that are no field are not looked at.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            _refuse_too_big(entries.values())
            header = json.loads(
                _read_entry(archive, entries["header"], LARGEST_HEADER).tobytes().decode("utf-8")
            )
            values = {name: _read_entry(archive, entries[name]) for name in KINDS if name in entries}
    except OSError as error:
        raise FileError(f"cannot be read ({error.strerror or error})", path=path, remedy=REMEDY) from error
    except FileError as error:
        raise FileError(error.message, path=path, remedy=error.remedy) from error
    except DAMAGE as error:
        raise not_whole(path, error) from error
    return assemble_recording(path, header, values)


def archive_problems(path: Path, recording: Recording) -> list[str]:
    """What a recording's file holds besides the recording that was read from it."""
    header, arrays = split_recording(recording)
    with zipfile.ZipFile(path) as archive:
        names = [entry.filename for entry in archive.infolist()]
        stored = _read_entry(archive, archive.getinfo("header.npy"), LARGEST_HEADER).tobytes()
    wanted = [f"{name}.npy" for name in (*arrays, "header")]
    problems = [
        f"{path.name}: holds {name[:60]!r}, which no recording has" for name in names if name not in wanted
    ]
    if len(set(names)) != len(names):
        problems.append(f"{path.name}: holds an entry twice")
    if json.loads(stored) != json.loads(json.dumps(header)):
        problems.append(f"{path.name}: its header is not that of a recording")
    return problems


def not_whole(path: Path, error: Exception) -> FileError:
    """The one error for bytes that are no recording."""
    reason = str(error)[:120] or type(error).__name__
    return FileError(f"is not a whole recording ({reason})", path=path, remedy=REMEDY)


def _refuse_too_big(entries: Iterable[zipfile.ZipInfo]) -> None:
    """Refuse sizes that the bytes on the disk cannot hold, or that the free memory cannot. Raises FileError."""
    total = 0
    for entry in entries:
        if entry.file_size > LARGEST_RATIO * (entry.compress_size + 64):
            raise ValueError(f"{entry.filename[:40]} says it is bigger than it can be")
        total += entry.file_size
    free = free_memory()
    if free is not None and total > free:
        raise FileError(
            f"holds {total / 1e9:.1f} GB, but only {free / 1e9:.1f} GB of memory are free",
            remedy="Close other programs, or open it on a machine with more memory",
        )


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, largest: int | None = None) -> np.ndarray:
    """One array, read only when its header agrees with the size of the entry."""
    with archive.open(entry) as stream:
        shape, _, dtype = _array_header(stream)
        if dtype.hasobject:
            raise ValueError("an array holds Python objects")
        expected = math.prod(shape) * dtype.itemsize
        if expected != entry.file_size - stream.tell() or largest is not None and expected > largest:
            raise ValueError(f"the shape of {entry.filename[:40]} does not agree with its size")
    with archive.open(entry) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def _array_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, order and type that an array's file begins with."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)
    raise ValueError(f"an array has the format {version}")


def assemble_recording(path: Path, header: Any, values: dict[str, Any]) -> Recording:
    """The recording of its header and arrays, read from `path`. Raises FileError where they are not of one."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FileError(
            "is not a Mannequin recording", path=path, remedy="Give the .npz file of a run folder"
        )
    if header.get("format_version") not in READ_VERSIONS:
        found = str(header.get("format_version"))[:40]
        raise FileError(
            f"has recording format {found}, this Mannequin reads up to {FORMAT_VERSION}",
            path=path,
            remedy="Open it with the version of Mannequin named in manifest.json",
        )
    stated = header.get("fields")
    if not isinstance(stated, dict):
        raise FileError("lacks its list of fields", path=path, remedy=REMEDY)
    values.update(stated)
    for name, value in values.items():
        # JSON has lists only, and entries of the file are arrays; the fields that hold names are tuples.
        if KINDS.get(name) == NAMES and isinstance(value, list | np.ndarray):
            values[name] = tuple(value if isinstance(value, list) else value.tolist())
    required = {f.name for f in fields(Recording) if f.default is MISSING and f.default_factory is MISSING}
    if missing := sorted(required - values.keys()):
        raise FileError(f"lacks {', '.join(missing)}", path=path, remedy=REMEDY)
    values["contacts"] = _completed(values["contacts"])
    recording_values = {name: value for name, value in values.items() if name in KINDS}
    if wrong := sorted(
        name for name, value in recording_values.items() if not _is_of_kind(value, KINDS[name])
    ):
        raise FileError(f"holds something else where {', '.join(wrong)} should be", path=path, remedy=REMEDY)
    recording = Recording(**recording_values)
    if wrong := disagreement(recording):
        raise FileError(f"does not agree with itself: {wrong}", path=path, remedy=REMEDY)
    return recording


def _completed(contacts: Any) -> Any:
    """Contact events of a recording of before: each has a force of its own (share 1), which joins with no other."""
    names = getattr(getattr(contacts, "dtype", None), "names", None) or ()
    missing = [name for name in CONTACT_EVENT.names if name not in names]
    if not missing or not set(missing) <= {"share", "joined_force", "joined_time"}:
        return contacts
    complete = np.ones(contacts.shape, dtype=[*contacts.dtype.descr, *((name, "f8") for name in missing)])
    for name in names:
        complete[name] = contacts[name]
    for name, of_one in (("joined_force", "peak_force"), ("joined_time", "peak_time")):
        if name in missing:
            complete[name] = contacts[of_one]
    return complete


def _is_of_kind(value: Any, kind: str) -> bool:
    """Whether a value is what the annotation of a field of `Recording` says."""
    if kind.endswith(" | None"):
        return value is None or _is_of_kind(value, kind.removesuffix(" | None"))
    if kind == "np.ndarray":
        return isinstance(value, np.ndarray) and value.dtype.kind in "biufV"
    if kind in (NAMES, "list[str]"):
        outer = tuple if kind.startswith("tuple") else list
        return isinstance(value, outer) and all(isinstance(item, str) for item in value)
    return type(value).__name__ == kind


def disagreement(recording: Recording) -> str:
    """The first field whose shape or indices do not fit the others, in words; "" where all fit."""
    sizes = {
        "F": recording.times.shape[0] if recording.times.ndim == 1 else -1,
        "B": len(recording.body_names),
        "J": len(recording.joint_names),
        "E": len(recording.ellipsoid_names),
        "M": len(recording.muscle_names),
        "K": len(recording.channel_sensor),
        "N": recording.channel_times.shape[0] if recording.channel_times.ndim == 1 else -1,
    }
    if wrong := _channel_disagreement(recording):
        return wrong
    for name, letters in SHAPES.items():
        shape = getattr(recording, name).shape
        wanted = tuple(int(letter) if letter.isdigit() else sizes[letter] for letter in letters)
        if shape != wanted and not (name in MAY_BE_EMPTY and 0 in shape):
            return f"{name} has the shape {list(shape)[:6]}, not {list(wanted)}"
    for name, target in INDICES.items():
        if not _point_into(getattr(recording, name), len(getattr(recording, target))):
            return f"{name} points beyond {target}"
    if recording.step_tally.ndim != 2 or recording.step_tally.shape[1] != 2:
        return "step_tally has not two columns"
    if recording.contact_curve_end.shape not in ((0,), (len(recording.contacts),)):
        return "contact_curve_end does not have one entry for each contact"
    return _contact_disagreement(recording)


def _channel_disagreement(recording: Recording) -> str:
    for name in ("channel_quantity", "channel_axes"):
        if len(getattr(recording, name)) != len(recording.channel_sensor):
            return f"{name} does not have one entry for each channel"
    if unknown := set(recording.channel_quantity) - set(SENSOR_QUANTITIES):
        return f"channel_quantity has {sorted(unknown)[0][:40]!r}"
    return ""


def _contact_disagreement(recording: Recording) -> str:
    contacts = recording.contacts
    if contacts.ndim != 1 or not set(CONTACT_EVENT.names) <= set(contacts.dtype.names or ()):
        return "contacts lacks members"
    for name in CONTACT_EVENT.names:
        if contacts.dtype[name].shape != CONTACT_EVENT[name].shape:
            return f"contacts has another {name}"
        if contacts.dtype[name].base.kind != CONTACT_EVENT[name].base.kind:
            return f"contacts has another {name}"
    for member in SIDES:
        names = getattr(recording, f"{member.rpartition('_')[0]}_names")
        if not _point_into(contacts[member], len(names), -1 if member.endswith("b") else 0):
            return f"{member} of contacts points beyond its names"
    return ""


def _point_into(indices: np.ndarray, count: int, least: int = 0) -> bool:
    """Whether all are indices into a list of this many."""
    if indices.dtype.kind not in "iu":
        return indices.size == 0
    return indices.size == 0 or bool(indices.min() >= least and indices.max() < count)


def compare_recordings(first: Recording, second: Recording) -> dict[str, str]:
    """Field name to what differs, over all fields; empty where the two are the same to the last bit."""
    differences = {}
    for field in fields(Recording):
        a, b = getattr(first, field.name), getattr(second, field.name)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            difference = _compare_arrays(a, b)
        else:
            difference = "" if a == b else f"{a!r} and {b!r}"
        if difference:
            differences[field.name] = difference
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
