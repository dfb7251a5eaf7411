"""Compiling the engine as one whole. Imported by `kernels` where Numba is as expected.

Left to itself, Numba optimizes every compiled function together with all it calls, makes machine code of the result and
throws both away again when the function is built into its callers: for a tree of 280 functions most of that is done
many times over and never run. Here a kernel that only kernels call stays a *part*, neither optimized nor turned into
machine code, and an *entry point*, which Python calls, gathers all parts below it, each once, and is optimized as a
whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import compiler
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher


class Part(JITCodeLibrary):
    """Code of a kernel that only other kernels call: what Numba generated, as it is."""

    def finalize(self) -> None:
        """Nothing is left to do until an entry point takes it up."""
        self._finalized = True

    def own_module(self) -> Any:
        """The kernel's own code, without what it calls, to be built into other code."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The same with all it calls: what Numba asks for when it builds a library that is no `Whole`."""
        module = self.own_module().clone()
        _take_up(module, self)
        return module

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        return 0

    @property
    def codegen(self) -> Part:
        """What Numba hands the environments of functions to; see `set_env`."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Environments serve exceptions and objects of Python, of which kernels have none."""


class Whole(JITCodeLibrary):
    """Code of an entry point with everything below it."""

    def finalize(self) -> None:
        """Gather the parts, optimize, and make machine code."""
        _take_up(self._final_module, self)
        self._linking_libraries = []
        super().finalize()


def _take_up(module: Any, library: CodeLibrary) -> None:
    """Link everything that a library needs into a module."""
    for needed in _below(library):
        part = needed.own_module() if isinstance(needed, Part) else needed._get_module_for_linking()
        module.link_in(part, preserve=True)


def _below(library: CodeLibrary) -> Iterator[CodeLibrary]:
    """Every library that one needs, and those need, each once, in the order of first mention."""
    seen: set[CodeLibrary] = set()
    waiting = [library]
    while waiting:
        for needed in waiting.pop(0)._linking_libraries:
            if needed not in seen:
                seen.add(needed)
                yield needed
                if isinstance(needed, Part):
                    waiting.append(needed)


class _Compiler(_FunctionCompiler):
    """Numba's compiler of one function, with the kind of library chosen."""

    library_class: type[JITCodeLibrary]

    def _compile_core(self, args: tuple, return_type: Any) -> Any:
        target = self.targetdescr.target_context
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        library = self.library_class(target.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            target,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
            pipeline_class=self.pipeline_class,
        )


class _PartCompiler(_Compiler):
    library_class = Part


class _WholeCompiler(_Compiler):
    library_class = Whole


def compile_as_part(function: CPUDispatcher) -> None:
    """Let a function that compiled code alone calls be compiled as a part."""
    _replace_compiler(function, _PartCompiler)


def compile_as_whole(function: CPUDispatcher) -> None:
    """Let a function that Python calls be compiled with everything below it."""
    _replace_compiler(function, _WholeCompiler)


def _replace_compiler(function: CPUDispatcher, kind: type[_Compiler]) -> None:
    """Give a function another compiler, with what its own was given."""
    own = function._compiler
    function._compiler = kind(own.py_func, own.targetdescr, own.targetoptions, own.locals, own.pipeline_class)
