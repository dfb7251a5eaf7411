"""Render a small still of every shipped scenario into docs/images/scenarios; look at each before committing.

.venv/bin/python tools/scenario_stills.py [NAME ...]
.venv/bin/python tools/scenario_stills.py --small [NAME ...]

Each scenario is simulated up to the moment that tells its story, on the metre grid (in the studio where it has no
ground), with people and cars dressed as films show them; the camera is fitted to that moment. Of
each still a small copy is made for the menu of examples (models/scenarios/pictures); --small makes these copies only.
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
RATE = 1000
"""Frames a second: moments are given in milliseconds."""
LATER = 0.02
"""Simulated s after the moment of the picture."""
SMALL_FOLDER = ROOT / "models" / "scenarios" / "pictures"
SMALL = (192, 108)
STORY = (52, 24, 588, 326)
"""What the small picture shows of the still (left, upper, right, lower): not its captions."""
LARGEST_SMALL = 10_000
"""Bytes of a small picture: there are fifty, and the extension ships them."""
DUMMIES = ("", "_5th", "_6", "_3")
"""What the name of a rig ends with: the mid-size man's dummy, the small woman's, six and three years."""
STORIES = {
    "abdomen_impact": (0.012, "side"),
    "ambrosio_tackle": (0.30, "three_quarter"),
    "car_bicycle": (0.30, "three_quarter"),
    "car_pedestrian": (0.14, "three_quarter"),
    "fall_standing": (0.80, "side"),
    "femur_bending": (0.55, "three_quarter"),
    "femur_cart": (0.02, "three_quarter"),
    **{f"head_drop{end}": (0.27, "side") for end in DUMMIES},
    "knee_bending": (0.60, "three_quarter"),
    "ladder_fall": (0.75, "three_quarter"),
    "legform_car": (0.03, "three_quarter"),
    "legform_certification": (0.02, "three_quarter"),
    "neck_drop": (0.02, "side"),
    **{f"neck_extension{end}": (0.078, "side") for end in DUMMIES},
    **{f"neck_flexion{end}": (0.061, "side") for end in DUMMIES},
    "pendulum_chain": (0.60, "side"),
    "rugby_tackle": (0.35, "side"),
    "seated_crash": (0.09, "side"),
    "shoulder_impact": (0.006, "front"),
    "slip": (0.30, "side"),
    "stairs_fall": (0.70, "three_quarter"),
    **{f"thorax_pendulum{end}": (0.02, "side") for end in DUMMIES},
    "tibia_bending": (0.60, "three_quarter"),
    "tibia_cart": (0.015, "three_quarter"),
    "trip": (0.50, "side"),
    "shove_stairs": (1.25, "three_quarter"),
    "trip_reach": (0.75, "side"),
    "pedestrian_response": (0.30, "three_quarter"),
    "trip_recovered": (0.85, "side"),
    "stumble_recovered": (1.35, "side"),
    "stumble_fallen": (1.30, "side"),
    "pedestrian_walking": (0.50, "three_quarter"),
    "driver_braces": (0.14, "side"),
    "hand_in_hand": (0.90, "three_quarter"),
    "carried_child": (1.10, "side"),
    "saloon_braking": (0.55, "side"),
    "saloon_suv": (0.16, "three_quarter"),
    "cyclist_struck": (0.45, "three_quarter"),
    "scooter_car_side": (0.56, "side"),
}
"""Simulated time (s) and camera."""


def story_of(name: str) -> tuple[float, str]:
    """Simulated time (s) and camera of a scenario's picture."""
    return STORIES.get(name, (0.5, "three_quarter"))


def open_moment(path: Path, stage: tuple[str, str], size: tuple[int, int]) -> tuple["bpy.types.Scene", int]:  # noqa: F821
    """A new scene with a scenario's motion up to the moment that tells its story, on a stage and ground, and its frame;
    stage and ground for the whole motion, cameras fitted to that frame."""
    import bpy

    from mannequin.engine import run
    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.scene.film.cameras import add_cameras
    from mannequin.scene.film.produce import set_up
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    scenario, (moment, _) = read_scenario(path), story_of(path.stem)
    scenario.settings.duration = min(scenario.settings.duration, moment + LATER)
    build_scenario(scenario, scene)
    bake(run(scenario), scene, Provenance(path.stem, "", ""), fit_timeline=True)
    scene.mannequin.film.stage, scene.mannequin.film.ground = stage
    set_up(scene, *size)
    frame = min(scene.frame_end, scene.frame_start + round(moment * RATE))
    scene.frame_set(frame)
    scene.frame_start = scene.frame_end = frame
    add_cameras(scene)
    return scene, frame


def make_still(path: Path) -> None:
    """One scenario: its motion, its moment, its picture."""
    from PIL import Image

    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.scene.film.produce import Film, prepare, render_frame

    has_ground = read_scenario(path).settings.ground
    scene, frame = open_moment(path, ("grid" if has_ground else "studio", "asphalt"), SIZE)
    moment, camera = story_of(path.stem)
    with tempfile.TemporaryDirectory() as folder:
        film = Film(Path(folder) / "still.png", camera=camera, width=SIZE[0], height=SIZE[1])
        prepare(scene, film)
        picture = render_frame(scene, film, frame, film.target)
        FOLDER.mkdir(parents=True, exist_ok=True)
        target = FOLDER / f"{path.stem}.png"
        with Image.open(picture) as still:
            still.convert("RGB").quantize(COLORS).save(target, optimize=True)
    assert target.stat().st_size < LARGEST, f"{target} is too large"
    print(path.stem, f"{1000.0 * moment:.0f} ms", f"{target.stat().st_size // 1000} kB", flush=True)
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


def main() -> None:
    """Render the named scenarios, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (all)")
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
        make_still(path)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
