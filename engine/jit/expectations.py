"""What this package uses of Numba beyond its documented interface, and whether the Numba at hand has it.

Private classes may change with any version. Each table below lists what one module overrides, calls or reads; where the
Numba at hand differs, that module is not used: compiling goes on without it, and a notice names the difference.
"""

import inspect
from importlib import import_module
from typing import Any, NamedTuple


class Expected(NamedTuple):
    """A private function or method of Numba."""

    place: str
    """Module below `numba.core` and name in it, as "codegen:JITCodeLibrary.finalize\""""
    parameters: tuple[str, ...]
    mentions: tuple[str, ...] = ()
    """Attributes and methods that its code uses or sets, and on whose meaning the package relies"""


DISPATCHING = (
    Expected(
        "registry:CPUDispatcher.__init__",
        ("self", "py_func", "locals", "targetoptions", "pipeline_class"),
        ("_compiler", "_cache"),
    ),
    Expected("registry:CPUDispatcher.get_call_template", ("self", "args", "kws")),
    Expected("registry:CPUDispatcher.compile", ("self", "sig"), ("_cache", "load_overload", "save_overload")),
)
"""For functions with a wrapper and a cache only where Python calls them (`decorators`)."""

LINKING = (
    Expected(
        "codegen:JITCodeLibrary.__init__",
        ("self", "codegen", "name"),
        ("_linking_libraries", "_final_module"),
    ),
    Expected(
        "codegen:JITCodeLibrary.finalize",
        ("self",),
        ("_linking_libraries", "link_in", "_get_module_for_linking", "_finalize_final_module"),
    ),
    Expected("codegen:JITCodeLibrary._get_module_for_linking", ("self",), ("_ensure_finalized",)),
    Expected("codegen:JITCodeLibrary._ensure_finalized", ("self",), ("_finalized",)),
    Expected("codegen:JITCodeLibrary.get_pointer_to_function", ("self", "name")),
    Expected("codegen:JITCodeLibrary.enable_object_caching", ("self",)),
    Expected(
        "dispatcher:_FunctionCompiler.__init__",
        ("self", "py_func", "targetdescr", "targetoptions", "locals", "pipeline_class"),
    ),
    Expected("dispatcher:_FunctionCompiler._compile_core", ("self", "args", "return_type")),
    Expected(
        "compiler:compile_extra",
        (
            "typingctx",
            "targetctx",
            "func",
            "args",
            "return_type",
            "flags",
            "locals",
            "library",
            "pipeline_class",
        ),
    ),
)
"""For compiling the engine as one whole (`linking`)."""

CACHING = (
    Expected("ccallback:CFunc.__init__", ("self", "pyfunc", "sig", "locals", "options", "pipeline_class")),
    Expected("ccallback:CFunc.compile", ("self",), ("_cache", "load_overload", "save_overload")),
    Expected("compiler:CompileResult._reduce", ("self",), ("library", "serialize_using_object_code")),
    Expected(
        "compiler:CompileResult._rebuild",
        (
            "target_context",
            "libdata",
            "fndesc",
            "env",
            "signature",
            "objectmode",
            "lifted",
            "typeann",
            "reload_init",
            "referenced_envs",
        ),
        ("unserialize_library",),
    ),
    Expected("codegen:JITCodeLibrary.serialize_using_object_code", ("self",), ("_get_compiled_object",)),
    Expected("codegen:CPUCodegen.magic_tuple", ("self",)),
    Expected("serialize:dumps", ("obj",)),
)
"""For keeping compiled code on disk (`cache`)."""


def unexpected(table: tuple[Expected, ...]) -> list[str]:
    """What of a table this Numba has not, or has otherwise, in words."""
    return [problem for expected in table if (problem := _difference(expected))]


def _difference(expected: Expected) -> str:
    """How this Numba differs in one entry; empty where it does not."""
    module, _, name = expected.place.partition(":")
    shown = f"numba.core.{module}.{name}"
    try:
        found: Any = import_module(f"numba.core.{module}")
        for part in name.split("."):
            found = getattr(found, part)
        parameters = tuple(inspect.signature(found).parameters)
        code = inspect.unwrap(found).__code__
    except (ImportError, AttributeError, TypeError, ValueError):
        return f"{shown} is missing"
    if parameters != expected.parameters:
        return f"{shown} takes ({', '.join(parameters)}) instead of ({', '.join(expected.parameters)})"
    absent = [word for word in expected.mentions if word not in _names(code)]
    return f"{shown} does not use {', '.join(absent)}" if absent else ""


def _names(code: Any) -> set[str]:
    """Attributes, methods and globals that a function's code mentions."""
    return {*code.co_names, *code.co_freevars}
