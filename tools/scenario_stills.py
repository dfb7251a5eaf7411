"""Render a small still of every shipped scenario into docs/images/scenarios; look at each before committing.

.venv/bin/python tools/scenario_stills.py [--runs FOLDER] [NAME ...]
.venv/bin/python tools/scenario_stills.py --small [NAME ...]

Each scenario is simulated, or, with --runs, its run is taken from FOLDER where there is one. The moment and the camera
are those that tell the story; the camera is fitted to that moment. Of each still a small copy is made for the menu of
examples (models/scenarios/pictures); --small makes these copies only.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images" / "scenarios"
SIZE = (640, 360)
LARGEST = 150_000
"""Bytes of a picture."""
COLORS = 192
SMALL_FOLDER = ROOT / "models" / "scenarios" / "pictures"
SMALL = (192, 108)
STORY = (52, 24, 588, 326)
"""What the small picture shows of the still (left, upper, right, lower): not its captions."""
LARGEST_SMALL = 10_000
"""Bytes of a small picture: there are fifty, and the extension ships them."""
DUMMIES = ("", "_5th", "_6", "_3")
"""What the name of a rig ends with: the mid-size man's dummy, the small woman's, six and three years."""
STORIES = {
    "abdomen_impact": (0.02, "side"),
    "ambrosio_tackle": (0.30, "three_quarter"),
    "car_bicycle": (0.30, "three_quarter"),
    "car_pedestrian": (0.14, "three_quarter"),
    "fall_standing": (0.80, "side"),
    "femur_bending": (0.55, "three_quarter"),
    "femur_cart": (0.02, "three_quarter"),
    **{f"head_drop{end}": (0.27, "side") for end in DUMMIES},
    "knee_bending": (0.60, "three_quarter"),
    "ladder_fall": (0.55, "three_quarter"),
    "legform_car": (0.03, "three_quarter"),
    "legform_certification": (0.02, "three_quarter"),
    "neck_drop": (0.02, "side"),
    **{f"neck_extension{end}": (0.078, "side") for end in DUMMIES},
    **{f"neck_flexion{end}": (0.061, "side") for end in DUMMIES},
    "pendulum_chain": (0.60, "side"),
    "rugby_tackle": (0.30, "three_quarter"),
    "seated_crash": (0.09, "side"),
    "shoulder_impact": (0.02, "three_quarter"),
    "slip": (0.30, "side"),
    "stairs_fall": (0.70, "three_quarter"),
    **{f"thorax_pendulum{end}": (0.02, "side") for end in DUMMIES},
    "tibia_bending": (0.60, "three_quarter"),
    "tibia_cart": (0.015, "three_quarter"),
    "trip": (0.50, "side"),
    "shove_stairs": (1.25, "three_quarter"),
    "trip_reach": (0.75, "side"),
    "pedestrian_response": (0.30, "three_quarter"),
    "stumble_recovered": (1.35, "side"),
    "stumble_fallen": (1.30, "side"),
    "pedestrian_walking": (0.50, "three_quarter"),
    "driver_braces": (0.14, "side"),
    "hand_in_hand": (0.90, "three_quarter"),
    "carried_child": (1.10, "side"),
    "saloon_braking": (0.55, "side"),
}
"""Simulated time (s) and camera."""


def make_still(path: Path, runs: Path | None) -> None:
    """One scenario: its motion, its moment, its picture."""
    import bpy
    from PIL import Image

    from mannequin.scene.film.produce import Film, prepare, render_frame, setup_render

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps = 100
    with tempfile.TemporaryDirectory() as folder:
        bring_motion(scene, path, runs, Path(folder))
        time, camera = STORIES.get(path.stem, (0.5, "three_quarter"))
        frame = min(scene.frame_end, scene.frame_start + round(time * scene.render.fps))
        scene.frame_set(frame)
        scene.frame_start = scene.frame_end = frame
        setup_render(scene, *SIZE)
        film = Film(Path(folder) / "still.png", camera=camera, width=SIZE[0], height=SIZE[1])
        prepare(scene, film)
        picture = render_frame(scene, film, frame, film.target)
        FOLDER.mkdir(parents=True, exist_ok=True)
        target = FOLDER / f"{path.stem}.png"
        with Image.open(picture) as still:
            still.convert("RGB").quantize(COLORS).save(target, optimize=True)
    assert target.stat().st_size < LARGEST, f"{target} is too large"
    print(path.stem, f"{1000.0 * time:.0f} ms", f"{target.stat().st_size // 1000} kB", flush=True)
    make_small(path.stem)


def make_small(name: str) -> None:
    """Small copy of a still, for the menu of examples."""
    from PIL import Image

    SMALL_FOLDER.mkdir(exist_ok=True)
    target = SMALL_FOLDER / f"{name}.jpg"
    with Image.open(FOLDER / f"{name}.png") as still:
        small = still.convert("RGB").resize(SMALL, Image.Resampling.LANCZOS, box=STORY)
    small.save(target, quality=82, optimize=True)
    assert target.stat().st_size < LARGEST_SMALL, f"{target} is too large"


def bring_motion(scene: "bpy.types.Scene", path: Path, runs: Path | None, folder: Path) -> None:  # noqa: F821
    """Open the scenario's latest run, or simulate it."""
    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.scene.run.simulate import open_run, simulate_scene
    from mannequin.scene.scenario.scenario import build_scenario

    found = sorted(runs.glob(f"{path.stem}_*")) if runs is not None else []
    if found:
        open_run(found[-1], scene)
        return
    build_scenario(read_scenario(path), scene)
    scene.mannequin.runs.folder = str(folder)
    simulate_scene(scene)


def main() -> None:
    """Render the named scenarios, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (all)")
    parser.add_argument(
        "--runs", type=Path, metavar="FOLDER", help="folder of run folders to take motions from"
    )
    parser.add_argument("--small", action="store_true", help="make the small copies of the stills only")
    args = parser.parse_args()

    import mannequin
    from mannequin.models.library import list_scenarios

    chosen = [path for path in list_scenarios() if not args.names or path.stem in args.names]
    if args.small:
        for path in chosen:
            make_small(path.stem)
        return
    mannequin.register()
    for path in chosen:
        make_still(path, args.runs)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
