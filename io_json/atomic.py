"""Write files whole or not at all.

The text goes to a temporary file in the same folder, is flushed to the disk, and takes the final name in one step. A
reader sees the old file or the new one, never half of one, and a failure leaves nothing behind.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import FileError

_REMEDIES = {
    errno.ENOSPC: "Free some space on the disk, or choose another folder",
    errno.EDQUOT: "Your quota is used up: delete something, or choose another folder",
    errno.EACCES: "Choose a folder you may write to",
    errno.EPERM: "Choose a folder you may write to",
    errno.EROFS: "The disk is read-only: choose another folder",
    errno.ENOENT: "Make the folder first, or choose another one",
    errno.ENOTDIR: "A part of the path is a file: choose another folder",
    errno.EISDIR: "A folder has this name: choose another name",
    errno.ENAMETOOLONG: "Choose a shorter name",
    errno.EFBIG: "Choose a disk that takes bigger files",
}


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write text as UTF-8 with the line ends it has. Raises `FileError`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike, data: bytes) -> None:
    """Write bytes. Raises `FileError` with the remedy; then the old file, if any, is still there as it was."""
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A file to write piece by piece, which takes its name at the end. Raises `FileError`, like `write_bytes`."""
    target = Path(path)
    try:
        with _replacing(target) as file:
            yield file
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno) if getattr(error, "errno", None) else str(error)
        remedy = _REMEDIES.get(getattr(error, "errno", None), "Choose another name or folder")
        raise FileError(f"cannot be written ({reason})", path=target, remedy=remedy) from error


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """A temporary neighbour of the target, given the target's name at the end."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    mode = _mode_for(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode_for(target: Path) -> int:
    """Permissions for the file: those it has, or those a new file gets (mkstemp makes it private)."""
    try:
        return target.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
