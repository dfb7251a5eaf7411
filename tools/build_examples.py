"""Build example files for Blender, ready to open: the fall and the pedestrian case, simulated, baked, ready to film.

    .venv/bin/python tools/build_examples.py [--out out/examples] [--duration 0.5] [NAME ...]

Motion is plain keyframes, so the files play on any Blender. The run folder of each lies beside it.
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = {"fall": "fall_standing", "pedestrian": "car_pedestrian"}
"""Name of the file: shipped scenario that it shows."""
SIZE = (1280, 720)


def build_example(name: str, folder: Path, duration: float | None = None) -> Path:
    """Simulate a shipped scenario in an empty file and save it, the first frame shown; returns the file."""
    import bpy

    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.models.library import list_scenarios
    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.run.simulate import simulate_scene
    from mannequin.scene.scenario.scenario import build_scenario

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    build_scenario(read_scenario(next(p for p in list_scenarios() if p.stem == EXAMPLES[name])), scene)
    if duration is not None:
        scene.mannequin.settings.duration = duration
    file = (folder / f"{name}.blend").resolve()
    bpy.context.preferences.filepaths.save_version = 0  # no backup copy beside it
    bpy.ops.wm.save_as_mainfile(filepath=str(file))  # saved first, so that runs go beside it
    simulate_scene(scene)
    setup_render(scene, *SIZE)
    scene.camera = camera_of(scene, "three_quarter")
    scene.frame_set(scene.frame_start)
    bpy.ops.wm.save_mainfile(compress=True)
    return file


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Build example files for Blender.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(EXAMPLES)} (default: all)")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "examples", metavar="FOLDER")
    parser.add_argument("--duration", type=float, metavar="S", help="simulate so long only")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.names if name not in EXAMPLES]
    if unknown:
        parser.error(f"there is no example '{unknown[0]}': choose of {', '.join(EXAMPLES)}")
    return args


def main() -> None:
    """Build the examples that were asked for."""
    import mannequin

    args = parse_arguments()
    mannequin.register()
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names or EXAMPLES:
        file = build_example(name, args.out, args.duration)
        print(f"{file.stat().st_size / 1e6:7.1f} MB  {os.path.relpath(file)}", flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
