"""The only module that knows whether Numba is there, and where its compiled code is kept.

Engine code is plain Python over NumPy arrays and tuples of floats. `@compiled` hands it to Numba; without Numba (or
with ``MANNEQUIN_INTERPRETED=1``) the same source runs interpreted, slowly but to the same numbers.

Numba's on-disk cache notices a change only in the file that defines a compiled function, not in the files that function
calls: after an edit the old physics could go on running in silence. The cache folder is therefore named after a hash of
*all* engine sources and of the versions that matter, so any edit starts a fresh folder.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

try:
    import numba
    from numba.core import types
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
    # the package's own name is part of it, because cached code refers to the package's classes by name
    versions = (__package__, sys.version, np.__version__, getattr(numba, "__version__", "none"))
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


def _entry_point(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function compiled for calls from Python, cached on disk in `CACHE_FOLDER`."""
    entry = EntryPoint(function, {"nopython": True, "boundscheck": None} | OPTIONS)
    if CACHE_FOLDER is not None:
        previous = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(CACHE_FOLDER)
        try:
            entry.enable_caching()
        finally:
            numba.config.CACHE_DIR = previous
    return entry


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Compiling makes millions of small objects that live on; looking through them again and again takes time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}
"""No kernel allocates, so arrays need no reference counting (which costs 14 ns per array and call). IEEE arithmetic
without reordering (no fastmath), so interpreted and compiled runs agree to round-off; division by
zero gives inf or nan as in NumPy instead of an exception; the global interpreter lock is released."""

if IS_COMPILED:
    from .jit_bundle import Bundle
    from .jit_linking import EntryPoint, PartFunction

    _FIRST_CALL = threading.RLock()
    """Of several threads that want a kernel which is not compiled yet, one compiles it."""

    class Kernel(PartFunction):
        """A compiled function that other compiled functions call without a Python wrapper or a cache of its own.

        Unwrapping bundles of two hundred arrays is most of the compile time of a small function, and every cached
        function is stored with all it calls. So wrapper and cache are made only for kernels that Python does call.
        """

        def __call__(self, *args: Any) -> Any:
            """Call from Python, compiling or loading the entry point at the first call."""
            if not hasattr(self, "_entry"):
                with _FIRST_CALL:
                    if not hasattr(self, "_entry"):
                        return self._first_call(*args)
            return self._entry(*args)

        def _first_call(self, *args: Any) -> Any:
            entry = _entry_point(self.py_func)
            with _no_garbage_collection():
                result = entry(*args)
            self._entry = entry
            return result

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Typing of a call from compiled code: a number written in the call is a number like any other.

            Numba would compile the function once more for every such number.
            """
            return super().get_call_template(tuple(types.unliteral(arg) for arg in args), kws)


def _kernel(function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    if not IS_COMPILED:
        return function
    options = {"nopython": True, "boundscheck": None, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return functools.update_wrapper(Kernel(function, options | OPTIONS | more), function)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile with Numba on first use; return the function itself where Numba is absent."""
    return _kernel(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like `compiled`, and always inlined into its callers.

    For functions that take a bundle of many arrays (Workspace, Touches, ...): a call would copy hundreds of numbers.
    """
    return _kernel(function, forceinline=True)


def spliced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like `inlined`, but put into its callers before compiling, so that it costs no compilation of its own.

    For the thin functions between the step loop and its phases, which take everything.
    """
    return _kernel(function, inline="always")


def bundled(value: tuple) -> Any:
    """A namedtuple of arrays (and of such) in the form in which compiled code takes it fastest: see `jit_bundle`.

    Arrays are shared, not copied. Interpreted, it is the namedtuple itself.
    """
    return Bundle(value) if IS_COMPILED else value


def compile_callback(function: Callable[..., None], bundles: list[Any], floats: int) -> Any:
    """Compile a function of bundles and floats for calls through its `address`, cached like an entry point."""
    signature = types.void(*[bundle.numba_type for bundle in bundles], *[types.float64] * floats)
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        with _no_garbage_collection():
            return numba.cfunc(signature, cache=CACHE_FOLDER is not None, nopython=True, **OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = previous


_said_interpreted = False


def say_interpreted() -> None:
    """Say once a session that the engine runs without Numba."""
    global _said_interpreted
    if not _said_interpreted:
        LOG.warning("Numba is not available: the engine runs interpreted, about a thousand times slower")
        _said_interpreted = True


def warmup(progress: Callable[[str], None] | None = None, muscles: bool = False) -> float:
    """Compile every kernel into the cache (or load it from there); returns the seconds it took.

    Those of muscles only where asked for: otherwise the first scenario with muscles compiles them.
    """
    from .warmup import run_everything

    begun = time.perf_counter()
    if progress is not None:
        progress("loading or compiling the engine" if IS_COMPILED else "the engine runs interpreted")
    run_everything(muscles)
    return time.perf_counter() - begun
