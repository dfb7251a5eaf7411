"""Start of the process that renders a film (jobs/film.py): run as a file, by a Blender without a window or by a Python
that has Blender as a module.

Arguments after --: the folder shared with the parent, and the name under which the package is to be loaded.
"""

import importlib
import importlib.util
import os
import sys
import traceback
import types
from pathlib import Path
from typing import NoReturn

FOLDER = Path(__file__).resolve().parent.parent.parent


def load_package(name: str) -> None:
    """Load the package under a name where Blender has not; the packages above it are empty."""
    parts = name.split(".")
    for count in range(1, len(parts)):
        above = ".".join(parts[:count])
        if above not in sys.modules:
            sys.modules[above] = types.ModuleType(above)
            sys.modules[above].__path__ = []
    spec = importlib.util.spec_from_file_location(
        name, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def main(folder: Path, package: str) -> NoReturn:
    """Serve until the parent ends."""
    import bpy

    if package not in sys.modules:
        load_package(package)
    if not hasattr(bpy.types.Scene, "mannequin"):
        sys.modules[package].register()
    work = importlib.import_module(f"{package}.scene.film.render_work")
    server = importlib.import_module(f"{package}.jobs.server").start(folder, work.remove_partial_film)
    server.serve(work.WORK)


if __name__ == "__main__":
    try:
        folder, package = sys.argv[sys.argv.index("--") + 1 :]
        main(Path(folder), package)
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)  # Blender's own clean-up can hang
