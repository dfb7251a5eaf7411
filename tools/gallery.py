"""Render the gallery: every shipped scenario on a stage, into docs/images/gallery; and write docs/gallery.md.

.venv/bin/python tools/gallery.py [--preset best] [--samples N] [NAME ...]     render, then write the page
.venv/bin/python tools/gallery.py --page                                       write the page only

Each scenario is simulated up to the moment that tells its story (`scenario_stills.STORIES`), dressed, lit and filmed as
Set Up Render does it. Look at each picture before committing: no limb cut off, nothing that floats, the subject at
least a quarter of the picture's height.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from scenario_stills import STORIES

ROOT = Path(__file__).resolve().parent.parent
FOLDER, PAGE = ROOT / "docs" / "images" / "gallery", ROOT / "docs" / "gallery.md"
SIZE = (480, 270)
LARGEST = 60_000
"""Bytes of a picture."""
QUALITY = 86
"""Of JPEG."""
STREET = ("car_", "legform_car", "pedestrian", "rugby", "ambrosio")
HOME = ("fall", "slip", "trip", "stairs", "shove", "ladder")
GRASS = ("rugby", "ambrosio")
LATER = 0.02
"""Simulated s after the moment of the picture."""
HEAD = """<!-- Made by tools/gallery.py; edit that, not this page. -->

# Gallery

Every shipped scenario at the moment that tells its story, dressed, lit and framed as **Set Up Render** does it, without
any touch by hand. `.venv/bin/python tools/gallery.py` renders it again. These are of quality Best with few samples, for
the sake of time; variants of a scenario, and the rigs of other dummies, are drafts. For what each shows, see
[the scenarios that are shipped](scenarios.md).
"""


def stage_of(name: str) -> tuple[str, str]:
    """Stage and ground of a scenario's picture."""
    if name.startswith(GRASS):
        return "day", "grass"
    if name.startswith(STREET):
        return "day", "asphalt"
    return ("overcast", "concrete") if name.startswith(HOME) else ("studio", "asphalt")


def make_picture(path: Path, preset: str, samples: int) -> None:
    """One scenario: its motion up to its moment, its stage, its picture."""
    import bpy
    from PIL import Image

    from mannequin.engine import run
    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.scene.film.produce import Film, prepare, render_frame, setup_render
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps = 100
    moment, camera = STORIES.get(path.stem, (0.5, "three_quarter"))
    scenario = read_scenario(path)
    scenario.settings.duration = min(scenario.settings.duration, moment + LATER)
    build_scenario(scenario, scene)
    bake(run(scenario), scene, Provenance(path.stem, "", ""), fit_timeline=True)
    frame = min(scene.frame_end, scene.frame_start + round(moment * scene.render.fps))
    scene.frame_set(frame)
    scene.frame_start = scene.frame_end = frame
    scene.mannequin.film.stage, scene.mannequin.film.ground = stage_of(path.stem)
    setup_render(scene, *SIZE)
    with tempfile.TemporaryDirectory() as folder:
        film = Film(
            Path(folder) / "a.png", camera=camera, preset=preset, width=SIZE[0], height=SIZE[1], overlay=False
        )
        prepare(scene, film)
        if preset == "best":
            scene.cycles.samples = samples
        render_frame(scene, film, frame, film.target)
        FOLDER.mkdir(parents=True, exist_ok=True)
        target = FOLDER / f"{path.stem}.jpg"
        with Image.open(film.target) as picture:
            picture.convert("RGB").save(target, quality=QUALITY, optimize=True)
    assert target.stat().st_size < LARGEST, f"{target} is too large"
    print(path.stem, f"{1000.0 * moment:.0f} ms", f"{target.stat().st_size // 1000} kB", flush=True)


def write_page(names: list[str]) -> None:
    """The page, with the pictures that are there."""
    shown = [name for name in names if (FOLDER / f"{name}.jpg").exists()]
    pictures = "".join(f"\n**{name}**\n\n![{name}](images/gallery/{name}.jpg)\n" for name in shown)
    PAGE.write_text(HEAD + pictures, encoding="utf-8")


def main() -> None:
    """Render the named scenarios, or all, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (all)")
    parser.add_argument("--preset", choices=("draft", "film", "best"), default="best", help="(%(default)s)")
    parser.add_argument("--samples", type=int, default=16, help="of Cycles (%(default)s)")
    parser.add_argument("--page", action="store_true", help="write the page only")
    args = parser.parse_args()

    import mannequin
    from mannequin.models.library import list_scenarios

    paths = list_scenarios()
    if not args.page:
        mannequin.register()
        for path in paths:
            if not args.names or path.stem in args.names:
                make_picture(path, args.preset, args.samples)
    write_page([path.stem for path in paths])


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
