"""Channels of a run as files added to its folder: a table, or the folder of ISO 13499."""

from datetime import datetime
from pathlib import Path

from ...io_json.errors import FileError
from .csv_files import channels_csv
from .mme import mme_files
from .run_folder import Run, add_files

MME_FOLDER = "mme"


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
    name = "channels_filtered" if is_filtered else "channels"
    text = "".join(channels_csv(run.recording, is_filtered=is_filtered))
    return add_files(run.folder, name, {f"{name}.csv": text.encode("utf-8")})


def write_mme(run: Run) -> list[Path]:
    """Write the folder of ISO 13499 into the run folder; the path of its first file comes first. Raises FileError."""
    _require_channels(run)
    started = datetime.fromisoformat(run.manifest["started"])
    files = mme_files(run.scenario, run.recording, run.stem, started)
    encoded = {
        f"{MME_FOLDER}/{name}": text.encode("latin-1", errors="replace") for name, text in files.items()
    }
    return add_files(run.folder, MME_FOLDER, encoded)
