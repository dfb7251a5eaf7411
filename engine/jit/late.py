"""Kernels that are called through their address: compiled and cached by themselves, each with all that it calls.

The step loop is one of them: `native` loads it without Numba. Whatever it calls directly is compiled with it, for all
users, whether a scenario has such a thing or not. A *late* kernel of some scenarios only (muscles, responses) is called
by the loop through an address that the scenario's arrays carry: it is compiled the first time a scenario needs it, and
costs the others one comparison a step.

Interpreted, an address is the kernel's number in `KERNELS`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import decorators as jit
from .stand_ins import CallLate

if jit.IS_COMPILED:
    from .native import native_function

KERNELS: list[LateKernel] = []


class LeftToOthers(Exception):
    """The code of a kernel is not asked for in this process, as another one is compiling it."""


class LateKernel:
    """A function of bundles (first) and floats (last) that returns nothing; compiled code calls it by `address`."""

    def __init__(self, function: Callable[..., None], bundles: int, floats: int) -> None:
        self.function = function
        self._counts = (bundles, floats)
        self._number = len(KERNELS)
        self._compiled: dict[tuple[int, ...], Any] = {}
        self._lock = threading.Lock()
        self._is_left = False
        KERNELS.append(self)

    @contextmanager
    def left_to_others(self) -> Iterator[None]:
        """Whatever needs this kernel raises LeftToOthers meanwhile: it is neither compiled here nor waited for."""
        self._is_left = True
        try:
            yield
        finally:
            self._is_left = False

    def address(self, *groups: Any) -> int:
        """Where the machine code for bundles (or namedtuples) like these is; compiles or loads it at the first call."""
        if not jit.IS_COMPILED:
            return self._number
        return int(self._function(list(map(jit.bundled, groups))).address)

    def __call__(self, *args: Any) -> None:
        """Call from Python, with bundles or namedtuples, and floats."""
        if not jit.IS_COMPILED:
            self.function(*args)
            return
        count = self._counts[0]
        bundles = list(map(jit.bundled, args[:count]))
        self._function(bundles)(*[bundle.address for bundle in bundles], *args[count:])

    def functions(self) -> list[Any]:
        """The machine code that there is so far (`machine_code.Function`)."""
        return list(self._compiled.values())

    def _function(self, bundles: list[Any]) -> Any:
        """The machine code for bundles of these layouts."""
        key = tuple([id(bundle.layout) for bundle in bundles])
        found = self._compiled.get(key)
        if found is None:
            if self._is_left:
                raise LeftToOthers
            with self._lock:  # batches compile scenarios in several threads
                found = self._compiled.get(key)
                if found is None:
                    found = native_function(self.function, [each.layout for each in bundles], self._counts[1])
                    self._compiled[key] = found
        return found


def late(bundles: int, floats: int) -> Callable[[Callable[..., None]], LateKernel]:
    """Make a function of so many bundles and floats a late kernel. It returns nothing."""
    return lambda function: LateKernel(function, bundles, floats)


def _call_interpreted(address: int, *args: Any) -> None:
    """call_late(address, bundle, ..., float, ...): run the late kernel at this address."""
    KERNELS[address].function(*args)


call_late = CallLate() if jit.IS_COMPILED else _call_interpreted
