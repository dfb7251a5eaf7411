"""Compile the engine in a process of its own. Run as a file by `compile_engine`; imports nothing of Blender.

Arguments: name and folder of the package. Compiled code is kept by the package's name (Blender's is
`bl_ext.<repository>.mannequin`), so the package is loaded under the very name that the running Blender knows it by.
"""

import importlib
import importlib.util
import sys
import types
from pathlib import Path


def load_package(name: str, folder: str) -> None:
    """Load a package under a name; the packages above it are empty."""
    parts = name.split(".")
    for count in range(1, len(parts)):
        above = ".".join(parts[:count])
        sys.modules[above] = types.ModuleType(above)
        sys.modules[above].__path__ = []
    spec = importlib.util.spec_from_file_location(
        name, Path(folder) / "__init__.py", submodule_search_locations=[folder]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    load_package(sys.argv[1], sys.argv[2])
    importlib.import_module(f"{sys.argv[1]}.engine.jit").warmup()
