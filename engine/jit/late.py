"""Kernels that only some scenarios need: compiled and cached by themselves, and called through their address.

The step loop is one compiled function. Whatever it calls directly is compiled with it, for all users, whether a
scenario has such a thing or not. A *late* kernel is called through an address that the scenario's arrays carry: it is
compiled the first time a scenario needs it, kept in the same cache, and costs the others one comparison a step.

Interpreted, an address is the kernel's number in `KERNELS`.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from . import decorators as jit

KERNELS: list[LateKernel] = []


class LateKernel:
    """A function of bundles (first) and floats (last) that compiled code calls through `address`."""

    def __init__(self, function: Callable[..., None], bundles: int, floats: int) -> None:
        self.function = function
        self._counts = (bundles, floats)
        self._number = len(KERNELS)
        self._compiled: Any = None
        self._lock = threading.Lock()
        KERNELS.append(self)

    def address(self, *groups: tuple) -> int:
        """Where the machine code for namedtuples like these is; compiles or loads it at the first call."""
        if not jit.IS_COMPILED:
            return self._number
        with self._lock:  # batches compile scenarios in several threads
            if self._compiled is None:
                bundles = [jit.bundled(group) for group in groups]
                self._compiled = jit.kernels.compile_callback(self.function, bundles, self._counts[1])
        return int(self._compiled.address)

    def __call__(self, *args: Any) -> None:
        """Call from Python, with namedtuples and floats."""
        bundles, floats = self._counts
        if not jit.IS_COMPILED:
            self.function(*args)
            return
        address = self.address(*args[:bundles])
        kept = [jit.bundled(group) for group in args[:bundles]]
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * bundles, *[ctypes.c_double] * floats)
        kind(address)(*[bundle.address for bundle in kept], *map(float, args[bundles:]))


def late(bundles: int, floats: int) -> Callable[[Callable[..., None]], LateKernel]:
    """Make a function of so many bundles and floats a late kernel. It returns nothing."""
    return lambda function: LateKernel(function, bundles, floats)


def _call_interpreted(address: int, *args: Any) -> None:
    """call_late(address, bundle, ..., float, ...): run the late kernel at this address."""
    KERNELS[address].function(*args)


if jit.IS_COMPILED:
    from .bundle import call_through_address as call_late
else:
    call_late = _call_interpreted
