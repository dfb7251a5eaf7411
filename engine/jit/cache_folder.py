"""The folder for compiled code: whose it must be, and how it is kept small.

Cached code is machine code, unpickled and run. Whoever can write into the folder can make this program do anything, so
a folder is used only if it belongs to this user and nobody else may write into it; otherwise the engine is compiled in
memory and a notice says why. No folder below the system's temporary folder is ever chosen.

Numba's own cache notices a change only in the file that defines a compiled function, not in the files that function
calls: after an edit the old physics could go on running in silence. The folder is therefore named after a hash of *all*
engine sources and of the versions that matter, so any edit starts a fresh folder.
"""

import hashlib
import logging
import os
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

LOG = logging.getLogger("mannequin")
VARIABLE = "MANNEQUIN_CACHE_DIR"
STALE_AFTER_DAYS = 14.0
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PREPARED = Path(__file__).parent / "prepared_code"
"""Machine code that some zips come with (`prepared`)."""
ENGINE = __package__.rpartition(".")[0]
"""The engine's name as a package, wherever it is loaded."""


def numba_version() -> str:
    """Version of the Numba that would be imported, or "none". Found beside the package, since importing takes long."""
    found = find_spec("numba")
    if found is None:
        return "none"
    for place in found.submodule_search_locations or ():
        for described in Path(place).parent.glob("numba-*.dist-info"):
            return described.name.removeprefix("numba-").removesuffix(".dist-info")
    try:
        from numba import __version__
    except ImportError:
        return "none"
    return __version__


NUMBA_VERSION = numba_version()


class Refused(Exception):
    """A folder must not be used; the message says why."""


def source_fingerprint(folder: Path | None = None) -> str:
    """Hash of every engine source and of the Python, NumPy and Numba versions (16 hex digits)."""
    sources = _digest_of(folder) if folder else sources_digest()
    # the package's own name is part of it, because cached code refers to the package's classes by name
    versions = (sources, ENGINE, sys.version, np.__version__, NUMBA_VERSION)
    return hashlib.sha256(repr(versions).encode()).hexdigest()[:16]


@cache
def sources_digest() -> str:
    """SHA-256 of every engine source, as they were when this process began."""
    return _digest_of(Path(__file__).parent.parent)


def _digest_of(folder: Path) -> str:
    """SHA-256 of every source below a folder, with its place."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def chosen() -> Path | None:
    """The folder that this process uses, or None."""
    return choose()


def choose() -> Path | None:
    """The folder for this version of the engine, made if need be; None, with a notice, where none can be used."""
    name = f"engine-{source_fingerprint()}"
    reasons = []
    for root in _candidates():
        try:
            folder = _own(root, name)
        except Refused as refused:
            reasons.append(f"{root / name} {refused}")
            continue
        except OSError as error:
            reasons.append(f"{root} cannot be written ({error.strerror})")
            continue
        os.utime(folder)
        prune(folder)
        return folder
    LOG.warning(
        "compiled code cannot be kept, so the engine compiles again in every session (%s). "
        "Set %s to a folder that is yours alone.",
        "; ".join(reasons) or "this user has no folder of its own",
        VARIABLE,
    )
    return None


def _candidates() -> list[Path]:
    """Folders to try: the one that `VARIABLE` names, then the platform's own for this user."""
    chosen = os.environ.get(VARIABLE)
    candidates = [Path(chosen)] if chosen else []
    try:
        candidates.append(_user_cache() / "mannequin")
    except (RuntimeError, KeyError):  # there is no such folder
        pass
    return candidates


def _user_cache() -> Path:
    """Where the platform keeps caches of this user."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _own(root: Path, name: str) -> Path:
    """The folder `name` in `root`, which is this user's alone and can be written to; Refused or OSError otherwise."""
    folder = root / name
    if sys.platform == "win32":
        _require_profile(root)
    root.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=stat.S_IRWXU)
    except FileExistsError:
        if sys.platform != "win32":
            _require_owner(folder)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _require_owner(folder: Path) -> None:
    """Refuse a folder that another user owns or may write to; close one that others may merely read."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise Refused("is no folder but a link or a file")
    if found.st_uid != os.geteuid():
        raise Refused(f"belongs to another user (number {found.st_uid})")
    if found.st_mode & OTHERS_WRITE:
        raise Refused("can be written to by others")
    if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
        os.chmod(folder, stat.S_IRWXU)


def _require_profile(root: Path) -> None:
    """Refuse what is outside the user's profile: there Windows lets nobody else write."""
    places = [
        Path(os.environ[name]) for name in ("USERPROFILE", "LOCALAPPDATA", "APPDATA") if name in os.environ
    ]
    if not any(root.resolve().is_relative_to(place.resolve()) for place in places):
        raise Refused("is outside this user's profile")


def prune(folder: Path, now: float | None = None) -> None:
    """Remove siblings of `folder` that no process has used for `STALE_AFTER_DAYS`; an edit leaves its folder behind."""
    now = time.time() if now is None else now
    for sibling in folder.parent.glob("engine-*"):
        try:
            if sibling != folder and now - sibling.lstat().st_mtime > STALE_AFTER_DAYS * 86400.0:
                shutil.rmtree(sibling, ignore_errors=True)
        except OSError:  # another process was faster
            continue
