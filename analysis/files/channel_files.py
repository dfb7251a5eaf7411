"""Channels of a run as files added to its folder: a table, or the folder of ISO 13499."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from ...io_json.errors import FileError
from .csv_files import channels_csv
from .differences import file_difference
from .mme import mme_files
from .run_folder import Run, add_files, added_name

MME_FOLDER, TABLE, FILTERED = "mme", "channels", "channels_filtered"


def _require_channels(run: Run) -> None:
    if not len(run.recording.channel_times):
        raise FileError(
            "the run has no channels of sensors",
            path=run.folder,
            remedy="Simulate again with sensors (default_sensors, or sensors of the scenario)",
        )


def write_channels(run: Run, *, is_filtered: bool = False) -> list[Path]:
    """Write the table of the channels into the run folder. Raises FileError."""
    _require_channels(run)
    name = FILTERED if is_filtered else TABLE
    return add_files(run.folder, name, GROUPS[name](run))


def write_mme(run: Run) -> list[Path]:
    """Write the folder of ISO 13499 into the run folder; the path of its first file comes first. Raises FileError."""
    _require_channels(run)
    return add_files(run.folder, MME_FOLDER, GROUPS[MME_FOLDER](run))


def _table(run: Run, name: str) -> dict[str, bytes]:
    text = "".join(channels_csv(run.recording, is_filtered=name == FILTERED))
    return {f"{name}.csv": text.encode("utf-8")}


def _mme(run: Run) -> dict[str, bytes]:
    started = datetime.fromisoformat(run.manifest["started"])
    files = mme_files(run.scenario, run.recording, run.stem, started)
    return {f"{MME_FOLDER}/{name}": text.encode("latin-1", errors="replace") for name, text in files.items()}


GROUPS = {TABLE: partial(_table, name=TABLE), FILTERED: partial(_table, name=FILTERED), MME_FOLDER: _mme}
"""Name of a list of digests to what makes its files of a run."""


def channel_problems(run: Run) -> Iterator[str]:
    """Where channels that were added to a run folder are not those of its recording."""
    for group, make in GROUPS.items():
        if not (run.folder / f"{run.stem}_{group}.sha256").exists():
            continue
        for name, wanted in make(run).items():
            name = added_name(run.stem, name)
            path = run.folder / name
            stored = path.read_bytes() if path.exists() else b""
            if difference := file_difference(name, stored, wanted):
                yield f"{name}: {difference}"
