"""Render a film in a process of its own. Run as a file by `background`: by a Blender without a window, or by a Python
that has Blender as a module.

Arguments after --: a file with the job. Progress and what came of it go into files beside it, each written whole.
"""

import importlib
import importlib.util
import json
import os
import sys
import traceback
import types
from pathlib import Path


def load_package(name: str, folder: str) -> None:
    """Load a package under a name where Blender has not; the packages above it are empty."""
    parts = name.split(".")
    for count in range(1, len(parts)):
        above = ".".join(parts[:count])
        if above not in sys.modules:
            sys.modules[above] = types.ModuleType(above)
            sys.modules[above].__path__ = []
    spec = importlib.util.spec_from_file_location(
        name, Path(folder) / "__init__.py", submodule_search_locations=[folder]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def write_whole(path: Path, text: str) -> None:
    """Write a small file so that a reader never sees half of it."""
    partial = path.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


def main(job_file: Path) -> int:
    """Do the job; returns the exit code."""
    import bpy

    job = json.loads(job_file.read_text(encoding="utf-8"))
    package = job["package"]
    if not hasattr(bpy.types.Scene, "mannequin"):
        if package not in sys.modules:
            load_package(package, job["folder"])
        sys.modules[package].register()
    produce = importlib.import_module(f"{package}.scene.film.produce")
    errors = importlib.import_module(f"{package}.scene.errors")
    bpy.ops.wm.open_mainfile(filepath=job["blend"])
    scene = bpy.data.scenes[job["scene"]]
    if bpy.context.window is not None:
        bpy.context.window.scene = scene
    film = produce.Film(**{**job["film"], "target": Path(job["film"]["target"])})
    progress = job_file.with_name("progress")
    try:
        produce.render_film(scene, film, lambda done, total: write_whole(progress, f"{done} {total}"))
    except errors.USER_ERRORS as error:
        write_whole(job_file.with_name("error"), str(error))
        return 1
    return 0


if __name__ == "__main__":
    try:
        code = main(Path(sys.argv[sys.argv.index("--") + 1]))
    except BaseException:
        traceback.print_exc()
        code = 2
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Blender's own clean-up can hang
