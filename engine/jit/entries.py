"""Compiled code on disk: one file for each function and signature, checked before it is believed.

A file begins with the SHA-256 of all that follows. Whatever is truncated, empty, zeroed or patched does not match: it
is thrown away and compiled again, and a notice says so. The digest stands beside the data, so it shows damage; against
somebody who means to deceive, who could compute a new one, it is the owner of folder and file that protects
(`cache_folder`): a file of another user, or one that others may write to, is not read.

The digests of all machine code that this process runs are kept too, for the manifest of a run.
"""

import hashlib
import logging
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from .cache_folder import ENGINE, OTHERS_WRITE

LOG = logging.getLogger("mannequin")
MAGIC = b"mannequin code 1\n"
DIGEST_SIZE = 32

CODE: dict[str, str] = {}
"""SHA-256 of the machine code (the object file) of each entry that this process has compiled or loaded."""


class Damaged(Exception):
    """A file is not what was written; the message says how."""


def entry_name(function: Callable[..., Any], signature: object) -> str:
    """Name of an entry: the function, and a hash of all that its code depends on besides the engine's sources."""
    package = ENGINE.rpartition(".")[0]  # Blender loads the package under another name
    module = str(function.__module__).removeprefix(f"{ENGINE}.").removeprefix(f"{package}.")
    name = f"{module}.{function.__qualname__}"
    key = repr((signature, source_of(function)))
    return f"{name.replace('<', '').replace('>', '')}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def source_of(function: Callable[..., Any]) -> str:
    """Line and digest of the file that defines a function; empty where these do not tell what the function does."""
    code = function.__code__
    try:
        content = Path(code.co_filename).read_bytes()
    except OSError:  # typed in, or made from text
        return ""
    return "" if function.__closure__ else f"{code.co_firstlineno} {hashlib.sha256(content).hexdigest()}"


def write_entry(path: Path, code_digest: str, data: bytes) -> None:
    """Write a file of the cache, whole or not at all: magic words, digest of the rest, digest of the code, data."""
    rest = bytes.fromhex(code_digest) + data
    descriptor, partial = tempfile.mkstemp(dir=path.parent)  # for this user alone
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(MAGIC + hashlib.sha256(rest).digest() + rest)
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def read_entry(path: Path) -> tuple[str, bytes]:
    """(digest of the machine code, data) of a file; Damaged where it is not as written, OSError where not there."""
    return checked(_read_own(path))


def take_entry(path: Path, take: Callable[[str, bytes], Any]) -> Any:
    """What `take` makes of the digest of the code and the data of a file; None where there is none.

    What is damaged, or cannot be taken, is thrown away, since it can be compiled again.
    """
    try:
        return take(*read_entry(path))
    except FileNotFoundError:
        return None
    except Exception as error:
        LOG.warning("%s is thrown away and compiled again: %s", path, error)
        with suppress(OSError):
            path.unlink()
        return None


def checked(content: bytes) -> tuple[str, bytes]:
    """(digest of the machine code, data) of a file's content; Damaged where it is not as written."""
    start = len(MAGIC) + DIGEST_SIZE
    rest = memoryview(content)[start:]
    if content[: len(MAGIC)] != MAGIC or len(rest) < DIGEST_SIZE:
        raise Damaged("it is empty, cut short or overwritten")
    if hashlib.sha256(rest).digest() != content[len(MAGIC) : start]:
        raise Damaged("its content does not match its checksum")
    return rest[:DIGEST_SIZE].hex(), rest[DIGEST_SIZE:]


def _read_own(path: Path) -> bytes:
    """A file's content, if this user wrote it; asked of the open file, which nobody can exchange any more."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise Damaged("it is no file")
        if sys.platform != "win32" and (found.st_uid != os.geteuid() or found.st_mode & OTHERS_WRITE):
            raise Damaged("it belongs to another user, or others may write to it")
        return file.read()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock that ends with the process at the latest; where there can be none, go on without."""
    with ExitStack() as stack:
        try:
            _lock(stack.enter_context(open(path, "ab")).fileno())
        except OSError as error:
            LOG.info("compiling without a lock: %s", error)
        yield


if sys.platform == "win32":
    import errno
    import msvcrt

    def _lock(descriptor: int) -> None:
        """Wait for the lock; Windows itself gives up after ten seconds."""
        while True:
            try:
                return msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError as error:
                if error.errno != errno.EDEADLK:
                    raise
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Wait for the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
