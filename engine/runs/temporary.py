"""Temporary folders that tell whose they are, so that what a killed process leaves behind is found and removed.

The owner holds a lock on a file in the folder. The system takes the lock off when the owner ends, however it ends: a
folder whose lock is free belongs to nobody. Where the system has no such locks, age decides.
"""

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PREFIX = "mannequin-"
LOCK = "owner.lock"
SECONDS_TO_LOCK = 60.0
"""Age from which a folder without an owner is a leftover: a new one may be about to be locked."""
STALE_AFTER = 86400.0
"""s without a change after which a folder that cannot be locked is a leftover."""
KNOWN_FILES = (
    {"times", "position", "quaternion", "joint_angle", "energy", "contact_history"},
    {"answers", "errors"},
)
"""Files by which folders without a lock are known: the frames of a long run, and what two processes share."""


class TemporaryFolder(tempfile.TemporaryDirectory):
    """A folder that goes when this object does, and that others can tell to be left over where nobody removed it."""

    def __init__(self, kind: str = "", folder: str | os.PathLike | None = None) -> None:
        super().__init__(prefix=f"{PREFIX}{kind}", dir=folder, ignore_cleanup_errors=True)
        self._lock = None
        if fcntl is not None:
            self._lock = open(Path(self.name) / LOCK, "wb")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def cleanup(self) -> None:
        """Remove it now."""
        if self._lock is not None:
            self._lock.close()
        super().cleanup()


def remove_leftovers(folder: str | os.PathLike | None = None) -> list[Path]:
    """Remove what killed processes of this user left in the temporary folder; returns what was removed."""
    removed = []
    for found in Path(folder or tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if not found.is_symlink() and found.is_dir() and _is_own(found) and _is_leftover(found):
                shutil.rmtree(found)
                removed.append(found)
    return removed


def _is_own(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _is_leftover(folder: Path) -> bool:
    lock = folder / LOCK
    if fcntl is not None and lock.exists():
        return _age(lock) > SECONDS_TO_LOCK and not _has_owner(lock)
    names = {path.name for path in folder.iterdir()}
    is_known = any(files <= names for files in KNOWN_FILES)
    return is_known and min(_age(folder / name) for name in names) > STALE_AFTER


def _age(path: Path) -> float:
    """s since it was changed."""
    return time.time() - path.stat().st_mtime


def _has_owner(lock: Path) -> bool:
    with open(lock, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
