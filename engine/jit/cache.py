"""The cache of kernels that Python calls with arrays, as Numba's dispatchers ask for it (`entries` for the files).

Imported only where something is compiled. Kernels that are called through their address are kept by `native`.
"""

import hashlib
import logging
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from .entries import CODE, entry_name, locked, source_of, take_entry, write_entry

LOG = logging.getLogger("mannequin")


class CodeCache:
    """The cache of one function, as Numba's dispatchers ask for it. Without a folder it keeps the digests alone."""

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        self._function = function
        self._folder = folder
        self._can_keep = folder is not None and bool(source_of(function))

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's statistics."""
        return str(self._folder or "")

    def flush(self) -> None:
        """Numba's `recompile` wants it; there is nothing to forget."""

    def load_overload(self, signature: Any, target_context: Any) -> CompileResult | None:
        """The compiled function for a signature, or None."""
        target_context.refresh()
        entry = self._entry(signature, target_context.codegen())
        if not self._can_keep:
            return None

        def take(digest: str, data: bytes) -> CompileResult:
            result = CompileResult._rebuild(target_context, *pickle.loads(data))
            CODE[entry] = digest
            return result

        return take_entry(self._path(entry), take)

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Keep a function that was just compiled."""
        entry = self._entry(signature, result.codegen)
        reduced = result._reduce()
        _name, _kind, (machine_code, _bitcode) = reduced[0]
        CODE[entry] = hashlib.sha256(machine_code).hexdigest()
        if not self._can_keep or result.library.has_dynamic_globals:
            return
        try:
            write_entry(self._path(entry), CODE[entry], dumps(reduced))
        except OSError as error:
            LOG.warning("compiled code cannot be kept in %s: %s", self._folder, error)

    @contextmanager
    def turn(self, signature: Any, target_context: Any) -> Iterator[None]:
        """Let one process at a time compile an entry; those that waited find it in the cache."""
        path = self._path(self._entry(signature, target_context.codegen())) if self._can_keep else None
        if path is None or path.exists():
            yield
            return
        with locked(path.with_suffix(".lock")):
            yield

    def _entry(self, signature: Any, codegen: Any) -> str:
        """Name of the entry for a signature and this processor."""
        return entry_name(self._function, (str(signature), codegen.magic_tuple()))

    def _path(self, entry: str) -> Path:
        return self._folder / f"{entry}.code"
