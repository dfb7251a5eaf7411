"""Kernels that are called through their address: from the cache, from what came with the program, or compiled now.

Only the last imports Numba, which with what it loads takes longer than a whole fall.
"""

import logging
import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from . import machine_code
from .bundle import Layout
from .cache_folder import chosen
from .entries import CODE, entry_name, locked, source_of, take_entry, write_entry
from .object_code import ObjectCode, checked_code
from .prepared import prepared_code

LOG = logging.getLogger("mannequin")
TARGET_VARIABLES = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
"""By which a user has Numba make code for another processor than this one."""


def native_function(
    function: Callable[..., None], layouts: list[Layout], floats: int
) -> machine_code.Function:
    """The compiled form of a function of bundles of these layouts and of so many floats."""
    target = (machine_code.processor(), [os.environ.get(name) for name in TARGET_VARIABLES])
    name = entry_name(function, (layouts, floats, target))
    address = _address(function, layouts, floats, name)
    return machine_code.Function(name, address, tuple(layouts), floats)


def _address(function: Callable[..., None], layouts: list[Layout], floats: int, name: str) -> int:
    """Where the code is in memory."""
    folder = chosen() if source_of(function) else None
    path = folder / f"{name}.code" if folder else None
    found = _kept(path) or prepared_code(function, layouts, floats)
    if found is None:
        with locked(path.with_suffix(".lock")) if path else nullcontext():
            found = _kept(path)  # those that waited for another process find it
            if found is None:
                from .kernels import compile_native

                compiled = compile_native(function, layouts, floats)
                if isinstance(compiled, int):
                    return compiled
                found = compiled
                _keep(path, found)
    CODE[name] = found.digest
    return machine_code.load(found.code, found.symbol)


def _kept(path: Path | None) -> ObjectCode | None:
    """Code from the cache."""
    return take_entry(path, checked_code) if path else None


def _keep(path: Path | None, code: ObjectCode) -> None:
    """Keep code that was just compiled."""
    if path is None:
        return
    try:
        write_entry(path, code.digest, code.packed())
    except OSError as error:
        LOG.warning("compiled code cannot be kept in %s: %s", path.parent, error)
