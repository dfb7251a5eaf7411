"""A recording as a folder of plain arrays (.npy): quick to write, read in bulk or mapped, exact. For two processes.

Not for keeping: the file of a run folder is `recording_file`'s.
"""

import json
import tempfile
import weakref
from pathlib import Path

import numpy as np

from ...engine.runs.recording import Recording
from .recording_file import DAMAGE, assemble_recording, not_whole, split_recording

HEADER = "header.json"
LARGEST_IN_MEMORY = 256_000_000
"""Bytes above which arrays are mapped instead of read."""
SMALL = 65_536
"""Bytes up to which a single array is read in any case."""


def write_recording_folder(recording: Recording, folder: Path) -> None:
    """Write into an empty folder; the header comes last."""
    header, arrays = split_recording(recording)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", np.asarray(array), allow_pickle=False)
    (folder / HEADER).write_text(json.dumps(header), encoding="utf-8")


def read_recording_folder(owner: tempfile.TemporaryDirectory) -> Recording:
    """The recording in a temporary folder, which is removed as soon as nothing needs it. Raises FileError."""
    folder = Path(owner.name)
    files = sorted(folder.glob("*.npy"))
    is_mapped = sum(path.stat().st_size for path in files) > LARGEST_IN_MEMORY
    try:
        values = {path.stem: read_array(path, is_mapped) for path in files}
        header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except (OSError, *DAMAGE) as error:
        raise not_whole(folder, error) from error
    recording = assemble_recording(folder, header, dict(values))
    if is_mapped:
        for array in values.values():  # the folder must outlive every array that reads from it
            weakref.finalize(array, lambda folder: None, owner)
    else:
        owner.cleanup()
    return recording


def read_array(path: Path, is_mapped: bool) -> np.ndarray:
    """One array; small ones are read in any case, as nothing can be mapped of an empty one."""
    is_mapped = is_mapped and path.stat().st_size > SMALL
    return np.load(path, mmap_mode="r" if is_mapped else None, allow_pickle=False)
