"""The only module that knows whether Numba is there, and where its compiled code is kept.

Engine code is plain Python over NumPy arrays and tuples of floats. `@compiled` hands it to Numba; without Numba (or with
``MANNEQUIN_INTERPRETED=1``) the same source runs interpreted, slowly but to the same numbers.

Numba's on-disk cache notices a change only in the file that defines a compiled function, not in the files that function
calls: after an edit the old physics could go on running in silence. The cache folder is therefore named after a hash of
*all* engine sources and of the versions that matter, so any edit starts a fresh folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

try:
    import numba
except ImportError:
    numba = None

LOG = logging.getLogger("mannequin")
CACHE_VARIABLE = "MANNEQUIN_CACHE_DIR"
INTERPRETED_VARIABLE = "MANNEQUIN_INTERPRETED"
STALE_AFTER_DAYS = 14.0

IS_COMPILED = numba is not None and os.environ.get(INTERPRETED_VARIABLE, "") in ("", "0")
"""True when `@compiled` functions are machine code."""


def source_fingerprint(folder: Path | None = None) -> str:
    """Hash of every engine source and of the Python, NumPy and Numba versions (16 hex digits)."""
    folder = folder or Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    versions = (sys.version, np.__version__, getattr(numba, "__version__", "none"))
    digest.update(repr(versions).encode())
    return digest.hexdigest()[:16]


def _default_cache_root() -> Path:
    """Folder for compiled code when `CACHE_VARIABLE` does not name one: the platform's own cache folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir()))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "mannequin"


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path | None:
    """Writable folder for this version of the engine, or None where nothing can be written."""
    chosen = os.environ.get(CACHE_VARIABLE)
    candidates = [Path(chosen)] if chosen else []
    try:
        candidates.append(_default_cache_root())
    except RuntimeError:  # no home folder can be found
        pass
    candidates.append(Path(tempfile.gettempdir()) / "mannequin")
    for root in candidates:
        folder = root / f"engine-{source_fingerprint()}"
        if _is_writable(folder):
            return folder
    return None


def prune_cache(folder: Path, now: float | None = None) -> None:
    """Remove siblings of `folder` that no process has used for `STALE_AFTER_DAYS`; an edit leaves its folder behind."""
    now = time.time() if now is None else now
    for sibling in folder.parent.glob("engine-*"):
        try:
            if sibling != folder and now - sibling.stat().st_mtime > STALE_AFTER_DAYS * 86400.0:
                shutil.rmtree(sibling, ignore_errors=True)
        except OSError:  # another process was faster
            continue


CACHE_FOLDER: Path | None = None
if IS_COMPILED:
    CACHE_FOLDER = cache_folder()
    if CACHE_FOLDER is None:
        LOG.warning("no writable folder for compiled code: the engine compiles anew in every session")
    else:
        os.utime(CACHE_FOLDER)
        prune_cache(CACHE_FOLDER)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile with Numba, cached on disk; return the function itself where Numba is absent.

    IEEE arithmetic without reordering (no fastmath), so interpreted and compiled runs agree to round-off; division by
    zero gives inf or nan as in NumPy instead of an exception. The global interpreter lock is released.
    """
    if not IS_COMPILED:
        return function
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        return numba.njit(function, cache=CACHE_FOLDER is not None, error_model="numpy", nogil=True)
    finally:
        numba.config.CACHE_DIR = previous
