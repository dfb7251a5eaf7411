"""The only module that knows whether Numba is there, and how functions are compiled.

Engine code is plain Python over NumPy arrays and tuples of floats. `@compiled` hands it to Numba; without Numba (or
with ``MANNEQUIN_INTERPRETED=1``) the same source runs interpreted, slowly but to the same numbers. How it is compiled
and kept on disk is in `kernels`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

try:
    import numba
except ImportError:
    numba = None

LOG = logging.getLogger("mannequin")
INTERPRETED_VARIABLE = "MANNEQUIN_INTERPRETED"

IS_COMPILED = numba is not None and os.environ.get(INTERPRETED_VARIABLE, "") in ("", "0")
"""True when `@compiled` functions are machine code."""

if IS_COMPILED:
    from . import kernels
    from .bundle import Bundle


def _kernel(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return kernels.kernel(function, **options) if IS_COMPILED else function


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


@cache
def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The source of a compiled function, run by Python together with all it calls.

    For what happens once and takes Python less time than it takes to load or compile machine code. Bundles are not
    needed: it takes the namedtuples themselves.
    """
    if not is_kernel(function):
        return function
    source = function.py_func
    known = source.__globals__
    called = {name: known[name] for name in source.__code__.co_names if is_kernel(known.get(name))}
    names = known | {name: interpreted(inner) for name, inner in called.items()}
    return FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)


def is_kernel(thing: Any) -> bool:
    """Whether it is a compiled function; none is where the engine runs interpreted."""
    return hasattr(thing, "py_func")


def bundled(value: tuple) -> Any:
    """A namedtuple of arrays (and of such) in the form in which compiled code takes it fastest: see `bundle`.

    Arrays are shared, not copied. Interpreted, it is the namedtuple itself.
    """
    return Bundle(value) if IS_COMPILED else value


def code_digests() -> dict[str, str]:
    """SHA-256 of the machine code of each function that this process has compiled or loaded; none if interpreted."""
    return kernels.code_digests() if IS_COMPILED else {}


_has_warned_interpreted = False


def warn_interpreted() -> None:
    """Warn once a session that the engine runs without Numba."""
    global _has_warned_interpreted
    if not _has_warned_interpreted:
        LOG.warning("Numba is not available: the engine runs interpreted, about a thousand times slower")
        _has_warned_interpreted = True
