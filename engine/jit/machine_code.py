"""Machine code of a kernel, loaded and called by its address. Needs llvmlite, which is small, and not Numba.

A kernel is called as Numba's own functions call each other: a status comes back, the first two arguments are where a
result and an exception would be put. Kernels called so return nothing and raise nothing.
"""

import ctypes
from typing import Any

from llvmlite import binding

from .bundle import Layout

OK, OK_NONE = 0, -2
"""Status of a call that ended well, with and without a value."""

_LOADED: list[Any] = []
"""What keeps the code in memory."""


def load(code: bytes, symbol: str) -> int:
    """Address of the function `symbol` of an object file."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _LOADED.append(engine)
    return int(engine.get_function_address(symbol))


def processor() -> tuple[str, str, str]:
    """What code is made for: platform, processor and its features."""
    features = binding.get_host_cpu_features()
    return binding.get_process_triple(), binding.get_host_cpu_name(), features.flatten()


class Function:
    """A kernel in memory: its `address`, and calls from Python with addresses of bundles and with floats."""

    def __init__(self, name: str, address: int, layouts: tuple[Layout, ...], floats: int) -> None:
        self.name = name
        self.address = address
        self.layouts = layouts
        self.floats = floats
        arguments = [ctypes.c_void_p] * (2 + len(layouts)) + [ctypes.c_double] * floats
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *arguments)(address)

    def __call__(self, *args: float) -> None:
        """Call it; the interpreter lock is released meanwhile."""
        result, error = ctypes.c_void_p(), ctypes.c_void_p()
        status = self._call(ctypes.addressof(result), ctypes.addressof(error), *args)
        if status not in (OK, OK_NONE):
            raise RuntimeError(f"{self.name} ended with status {status}")
