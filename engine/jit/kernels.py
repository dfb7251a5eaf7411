"""Kernels as Numba compiles them: a wrapper and a file in the cache only for those that Python calls.

Imported only where Numba is there. Uses Numba's private parts as far as they are as expected (`expectations`): kernels
are compiled as one whole (`linking`), or else one by one, as Numba does by itself, which takes twice as long; they are
kept on disk (`cache`), or else compiled in every session. A notice says what is missing. The numbers are the same.
"""

from __future__ import annotations

import functools
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core import types

from .cache_folder import choose
from .expectations import CACHING, DISPATCHING, LINKING, Expected, unexpected

LOG = logging.getLogger("mannequin")
OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}
"""No kernel allocates, so arrays need no reference counting (which costs 14 ns per array and call). IEEE arithmetic
without reordering (no fastmath), so interpreted and compiled runs agree to round-off; division by
zero gives inf or nan as in NumPy instead of an exception; the global interpreter lock is released."""


def _is_as_expected(table: tuple[Expected, ...], otherwise: str) -> bool:
    """Whether this Numba has what a table lists; if not, say what follows from it."""
    problems = unexpected(table)
    if problems:
        LOG.warning("Numba %s is not as expected (%s): %s", numba.__version__, "; ".join(problems), otherwise)
    return not problems


HAS_ENTRIES = _is_as_expected(DISPATCHING, "functions are compiled one by one and not kept on disk")
IS_LINKED = HAS_ENTRIES and _is_as_expected(LINKING, "functions are compiled one by one, which takes longer")
IS_CACHED = HAS_ENTRIES and _is_as_expected(CACHING, "the engine compiles again in every session")
CACHE_FOLDER = choose() if IS_CACHED else None

if IS_LINKED:
    from .linking import compile_as_part, compile_as_whole
if IS_CACHED:
    from numba.core.ccallback import CFunc

    from .cache import CodeCache, code_digests
else:

    def code_digests() -> dict[str, str]:
        """None are known."""
        return {}


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


if HAS_ENTRIES:
    from numba.core.registry import CPUDispatcher

    _FIRST_CALL = threading.RLock()
    """Of several threads that want a kernel which is not compiled yet, one compiles it."""

    class EntryPoint(CPUDispatcher):
        """A kernel with all that it calls, for Python."""

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function, targetoptions={"nopython": True, "boundscheck": None} | OPTIONS)
            if IS_LINKED:
                compile_as_whole(self)
            if IS_CACHED:
                self._cache = CodeCache(function, CACHE_FOLDER)

        def compile(self, sig: Any) -> Any:
            """Compile or load for a signature; of several processes that want it, one compiles."""
            if not IS_CACHED:
                return super().compile(sig)
            with self._cache.turn(sig, self.targetctx):
                return super().compile(sig)

    class Kernel(CPUDispatcher):
        """A compiled function that other compiled functions call without a Python wrapper or a cache of its own.

        Unwrapping bundles of two hundred arrays is most of the compile time of a small function, and every cached
        function is stored with all it calls. So wrapper and cache are made only for kernels that Python does call.
        """

        def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
            without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            common = {"nopython": True, "boundscheck": None} | OPTIONS
            super().__init__(function, targetoptions=common | without | options)
            if IS_LINKED:
                compile_as_part(self)

        def __call__(self, *args: Any) -> Any:
            """Call from Python, compiling or loading the entry point at the first call."""
            if not hasattr(self, "_entry"):
                with _FIRST_CALL:
                    if not hasattr(self, "_entry"):
                        return self._first_call(*args)
            return self._entry(*args)

        def _first_call(self, *args: Any) -> Any:
            entry = EntryPoint(self.py_func)
            with _no_garbage_collection():
                result = entry(*args)
            self._entry = entry
            return result

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Typing of a call from compiled code: a number written in the call is a number like any other.

            Numba would compile the function once more for every such number.
            """
            return super().get_call_template(tuple(types.unliteral(arg) for arg in args), kws)


def kernel(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Make a function a kernel."""
    if HAS_ENTRIES:
        return functools.update_wrapper(Kernel(function, options), function)
    return numba.njit(**OPTIONS, **options)(function)


def compile_callback(function: Callable[..., None], bundles: list[Any], floats: int) -> Any:
    """Compile a function of bundles and floats for calls through its `address`, cached like an entry point."""
    signature = types.void(*[bundle.numba_type for bundle in bundles], *[types.float64] * floats)
    if not IS_CACHED:
        return numba.cfunc(signature, nopython=True, **OPTIONS)(function)
    callback = CFunc(
        function, (signature.args, signature.return_type), locals={}, options={"nopython": True} | OPTIONS
    )
    callback._cache = CodeCache(function, CACHE_FOLDER)
    with _no_garbage_collection(), callback._cache.turn(callback._sig, callback._targetdescr.target_context):
        callback.compile()
    return callback
