"""The only module that knows whether functions are compiled, and what stands for a function that may be.

Engine code is plain Python over NumPy arrays and tuples of floats. `@compiled` hands it to Numba; without Numba (or
with ``MANNEQUIN_INTERPRETED=1``) the same source runs interpreted, slowly but to the same numbers. Numba itself is
imported only when something must be compiled (`kernels`): what was compiled before is loaded without it (`native`).
"""

import logging
import os
import threading
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from .bundle import Bundle, bundle_of
from .cache_folder import NUMBA_VERSION, chosen
from .entries import CODE
from .stand_ins import StandIn

LOG = logging.getLogger("mannequin")
INTERPRETED_VARIABLE = "MANNEQUIN_INTERPRETED"


def _can_compile() -> bool:
    """Whether there is a Numba that works; not imported to find out where there is code that it compiled."""
    if NUMBA_VERSION == "none":
        return False
    folder = chosen()
    if folder is not None and next(folder.glob("*.code"), None) is not None:
        return True
    try:
        from .prepared import has_prepared_code

        if not has_prepared_code():
            import numba  # noqa: F401
    except ImportError as error:
        LOG.info("Numba cannot be imported: %s", error)
        return False
    return True


IS_COMPILED = os.environ.get(INTERPRETED_VARIABLE, "") in ("", "0") and _can_compile()
"""True when `@compiled` functions are machine code."""

_FIRST_CALL = threading.RLock()
"""Of several threads that want a kernel which is not compiled yet, one compiles it."""


class Kernel(StandIn):
    """A function to be compiled: where another kernel calls it as part of that, where Python calls it by itself."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.entry: Any = None
        """What Python calls, made at its first call"""

    def __call__(self, *args: Any) -> Any:
        """Call from Python, compiling or loading at the first call."""
        if self.entry is None:
            with _FIRST_CALL:
                if self.entry is None:
                    from .kernels import first_call

                    self.entry, result = first_call(self, args)
                    return result
        return self.entry(*args)


def _kernel(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return Kernel(function, options) if IS_COMPILED else function


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


def bundled(value: Any) -> Any:
    """A namedtuple of arrays (and of such) in the form in which compiled code takes it fastest: see `bundle`.

    Arrays are shared, not copied. A bundle is taken as it is. Interpreted, it is the namedtuple itself.
    """
    return value if not IS_COMPILED or isinstance(value, Bundle) else bundle_of(value)


def code_digests() -> dict[str, str]:
    """SHA-256 of the machine code of each function that this process has compiled or loaded; none if interpreted."""
    return dict(sorted(CODE.items()))


_has_warned_interpreted = False


def warn_interpreted() -> None:
    """Warn once a session that the engine runs without Numba."""
    global _has_warned_interpreted
    if not _has_warned_interpreted:
        LOG.warning("Numba is not available: the engine runs interpreted, about a thousand times slower")
        _has_warned_interpreted = True
