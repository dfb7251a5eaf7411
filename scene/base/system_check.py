"""Say whether this installation is complete: versions of Blender and of the libraries, and how the engine runs."""

import importlib
import sys
from dataclasses import dataclass

import bpy

# Import name: name as people know it. All of them are bundled except NumPy, which Blender brings.
LIBRARIES = {"numpy": "NumPy", "numba": "Numba", "PIL": "Pillow", "matplotlib": "Matplotlib"}


@dataclass(frozen=True)
class SystemCheck:
    """What the check found: a line for each component, and what is wrong, if anything."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]


def library_version(module_name: str) -> str | None:
    """Return the version of an importable library, or None where it cannot be imported."""
    try:
        return importlib.import_module(module_name).__version__
    except ImportError:
        return None


def is_engine_compiled() -> bool | None:
    """Tell whether the engine runs as machine code; None where it cannot be loaded at all."""
    try:
        from ...engine.jit import decorators as jit
    except ImportError:
        return None
    return jit.IS_COMPILED


def describe_engine(compiled: bool | None) -> tuple[str, str | None]:
    """Return the line for the engine, and the problem if there is one."""
    if compiled is None:
        return "Engine: missing", "The engine cannot be loaded: install the extension again"
    if not compiled:
        return (
            "Engine: interpreted",
            "The engine runs interpreted, thousands of times slower: Numba is missing",
        )
    return f"Engine: compiled, {_origin_of_code()}", None


def _origin_of_code() -> str:
    """Where the engine's machine code comes from, in words."""
    from ...engine.jit.prepared import has_prepared_code

    return "machine code came with the extension" if has_prepared_code() else "compiled on this machine"


def check_system() -> SystemCheck:
    """Look at what is installed. Imports the libraries, so that a broken one is found here and not later."""
    lines = [f"Blender: {bpy.app.version_string}", f"Python: {sys.version.split()[0]}"]
    problems = []
    for module_name, name in LIBRARIES.items():
        version = library_version(module_name)
        lines.append(f"{name}: {version or 'missing'}")
        if version is None:
            problems.append(
                f"{name} cannot be imported: install the extension again, for this Blender and platform"
            )
    line, problem = describe_engine(is_engine_compiled())
    lines.append(line)
    if problem:
        problems.append(problem)
    return SystemCheck(tuple(lines), tuple(problems))
