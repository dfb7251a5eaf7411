"""Kernels as Numba compiles them. Imported only where something must be compiled, or is called with arrays.

Uses Numba's private parts as far as they are as expected (`expectations`): kernels are compiled as one whole
(`linking`), or else one by one, as Numba does by itself, which takes twice as long; they are kept on disk (`cache`,
`native`), or else compiled in every session. A notice says what is missing. The numbers are the same.
"""

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numba
from numba.core import event, types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from .bundle import Layout
from .bundle_types import bundle_type, call_through_address
from .cache_folder import chosen
from .expectations import CACHING, DISPATCHING, LINKING, Expected, unexpected
from .lane_types import OPERATIONS
from .object_code import ObjectCode
from .stand_ins import CallLate, LaneOperation, StandIn, tell_compiled

LOG = logging.getLogger("mannequin")
OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}
"""No kernel allocates, so arrays need no reference counting (which costs 14 ns per array and call). IEEE arithmetic
without reordering (no fastmath), so interpreted and compiled runs agree to round-off; division by
zero gives inf or nan as in NumPy instead of an exception; the global interpreter lock is released."""
COMMON = {"nopython": True, "boundscheck": None} | OPTIONS
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For kernels that Python does not call: unwrapping bundles of two hundred arrays is most of the compile time of a
small function."""


def _is_as_expected(table: tuple[Expected, ...], otherwise: str) -> bool:
    """Whether this Numba has what a table lists; if not, say what follows from it."""
    problems = unexpected(table)
    if problems:
        LOG.warning("Numba %s is not as expected (%s): %s", numba.__version__, "; ".join(problems), otherwise)
    return not problems


HAS_ENTRIES = _is_as_expected(DISPATCHING, "functions are compiled one by one and not kept on disk")
IS_LINKED = HAS_ENTRIES and _is_as_expected(LINKING, "functions are compiled one by one, which takes longer")
IS_CACHED = HAS_ENTRIES and _is_as_expected(CACHING, "the engine compiles again in every session")

if IS_LINKED:
    from .linking import compile_as_part, compile_as_whole
if IS_CACHED:
    from .cache import CodeCache


class _Listener(event.Listener):
    """Hears from Numba of every function that it has compiled."""

    def on_start(self, _: event.Event) -> None:
        """Required by Numba; only the end counts."""

    def on_end(self, _: event.Event) -> None:
        """One more function is compiled."""
        tell_compiled()


event.register("numba:compile", _Listener())


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

    class EntryPoint(CPUDispatcher):
        """A kernel with all that it calls: for Python, and kept in the cache; or for its machine code alone."""

        def __init__(self, function: Callable[..., Any], is_called: bool = True) -> None:
            super().__init__(function, targetoptions=COMMON | ({} if is_called else WITHOUT_WRAPPERS))
            self._is_kept = IS_CACHED and is_called
            if IS_LINKED:
                compile_as_whole(self)
            if self._is_kept:
                self._cache = CodeCache(function, chosen())

        def compile(self, sig: Any) -> Any:
            """Compile or load for a signature; of several processes that want it, one compiles."""
            if not self._is_kept:
                return super().compile(sig)
            with self._cache.turn(sig, self.targetctx):
                return super().compile(sig)

    class PartOfKernels(CPUDispatcher):
        """A compiled function that other compiled functions call, without a wrapper or a cache of its own.

        Every cached function is stored with all it calls.
        """

        def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
            super().__init__(function, targetoptions=COMMON | WITHOUT_WRAPPERS | options)
            if IS_LINKED:
                compile_as_part(self)

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Typing of a call from compiled code: a number written in the call is a number like any other.

            Numba would compile the function once more for every such number.
            """
            return super().get_call_template(tuple(types.unliteral(arg) for arg in args), kws)


@cache
def _dispatcher(kernel: StandIn) -> Any:
    """Numba's side of a kernel that other kernels call."""
    if HAS_ENTRIES:
        return PartOfKernels(kernel.py_func, kernel.targetoptions)
    return numba.njit(**OPTIONS, **kernel.targetoptions)(kernel.py_func)


@typeof_impl.register(StandIn)
def _typeof_kernel(value: StandIn, _context: Any) -> types.Type:
    return types.Dispatcher(_dispatcher(value))


@typeof_impl.register(CallLate)
def _typeof_call_late(_value: CallLate, _context: Any) -> types.Type:
    return cpu_target.typing_context.resolve_value_type(call_through_address)


@typeof_impl.register(LaneOperation)
def _typeof_lane_operation(value: LaneOperation, _context: Any) -> types.Type:
    return cpu_target.typing_context.resolve_value_type(OPERATIONS[value.__name__])


def first_call(kernel: StandIn, args: tuple) -> tuple[Callable[..., Any], Any]:
    """What Python calls from now on in place of a kernel, and what the first call of it returns."""
    entry = EntryPoint(kernel.py_func) if HAS_ENTRIES else _dispatcher(kernel)
    with _no_garbage_collection():
        return entry, entry(*args)


def compile_native(function: Callable[..., None], layouts: list[Layout], floats: int) -> ObjectCode | int:
    """Compile a function of bundles of these layouts and of floats; an address where its code cannot be kept."""
    arguments = (*map(bundle_type, layouts), *[types.float64] * floats)
    entry = EntryPoint(function, is_called=False) if HAS_ENTRIES else numba.njit(**OPTIONS)(function)
    with _no_garbage_collection():
        entry.compile(arguments)
    result = entry.overloads[arguments]
    symbol = result.fndesc.llvm_func_name
    if IS_CACHED:
        _name, _kind, (code, _bitcode) = result.library.serialize_using_object_code()
        return ObjectCode(symbol, code)
    return int(result.library.get_pointer_to_function(symbol))
