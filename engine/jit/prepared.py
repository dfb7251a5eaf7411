"""Machine code that came with the program, so that the first use does not wait for a compiler.

It is made by tools/prepare_code.py when a zip is built, for the platform of the build and for a level of processors
that nearly all machines reach, and is never committed. A file is named after all that its code depends on: the engine's
sources, the layout of the bundles, the platform and the level. Where one of them differs, or the processor lacks
something, or a function of the C library is missing, or a checksum does not match, the code is not used and the engine
compiles as it does without.
"""

import ctypes
import logging
from collections.abc import Callable, Sequence

from llvmlite import binding

from .bundle import Layout
from .cache_folder import PREPARED as FOLDER
from .cache_folder import sources_digest
from .entries import checked, entry_name
from .object_code import ObjectCode, checked_code

LOG = logging.getLogger("mannequin")
LEVEL = "x86-64-v3"
FEATURES = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
"""What processors of this level have, by LLVM's names (x86-64 psABI, table of micro-architecture levels)."""


def prepared_name(function: Callable[..., None], layouts: Sequence[Layout], floats: int) -> str:
    """Name of the file for a function of bundles of these layouts and of so many floats, on this platform."""
    signature = (list(layouts), floats, sources_digest(), binding.get_process_triple(), LEVEL)
    return f"{entry_name(function, signature)}.code"


def has_prepared_code() -> bool:
    """Whether the program came with code that this processor can run."""
    return FOLDER.is_dir() and is_level_reached()


def prepared_code(function: Callable[..., None], layouts: Sequence[Layout], floats: int) -> ObjectCode | None:
    """The code of a function, if the program came with it and it can be run here."""
    if not has_prepared_code():
        return None
    path = FOLDER / prepared_name(function, layouts, floats)
    try:
        found = checked_code(*checked(path.read_bytes()))
    except FileNotFoundError:
        return None
    except Exception as error:  # whatever is wrong with it, it can be compiled
        LOG.warning("%s is not used, and compiled: %s", path, error)
        return None
    return found if _can_link(found) else None


def _can_link(code: ObjectCode) -> bool:
    """Let the loader find what the code needs; False where this system has not all of it."""
    library = ctypes.CDLL(None)
    for name in code.needs:
        try:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError:
            LOG.info("prepared code is not used: this system has no function %s", name)
            return False
        binding.add_symbol(name, address)
    return True


def is_level_reached() -> bool:
    """Whether this processor has all that the code may use."""
    if not binding.get_process_triple().startswith("x86_64"):
        return False
    features = binding.get_host_cpu_features()
    return all(features.get(name, False) for name in FEATURES)
