"""Render the gallery: every shipped scenario on a stage, into docs/images/gallery; and write docs/gallery.md.

.venv/bin/python tools/gallery.py [--preset film] [--samples N] [NAME ...]     render, then write the page
.venv/bin/python tools/gallery.py --page                                       write the page only

Each scenario is simulated up to the moment that tells its story (`scenario_stills.STORIES`), dressed, lit and filmed as
Set Up Render does it. Look at each picture before committing: no limb cut off, nothing that floats, the subject at
least a quarter of the picture's height. Film takes about 25 s a picture without a graphics card, Best about 20 s.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from scenario_stills import open_moment, story_of

ROOT = Path(__file__).resolve().parent.parent
FOLDER, PAGE = ROOT / "docs" / "images" / "gallery", ROOT / "docs" / "gallery.md"
SIZE = (480, 270)
LARGEST = 60_000
"""Bytes of a picture."""
QUALITY = 86
"""Of JPEG."""
STREET = ("car_", "saloon", "cyclist", "scooter", "legform_car", "pedestrian", "rugby", "ambrosio")
HOME = ("fall", "slip", "trip", "stairs", "shove", "ladder")
GRASS = ("rugby", "ambrosio")
ENDINGS = {"best": "", "film": "_film"}
"""Of the files' names."""
HEAD = """<!-- Made by tools/gallery.py; edit that, not this page. -->

# Gallery

Every shipped scenario at the moment that tells its story, dressed, lit and framed as **Set Up Render** does it,
without any touch by hand: in quality Film (EEVEE) at the left and Best (Cycles) at the right, with fewer samples than a
film has, for the sake of time. `.venv/bin/python tools/gallery.py` renders Best again, with `--preset film` Film. Bench
tests have no ground in the simulation; the floor below them is the studio's, for looks only. For what each shows, see
[the scenarios that are shipped](scenarios.md).

| scenario | Film | Best |
| --- | --- | --- |
"""


def stage_of(name: str) -> tuple[str, str]:
    """Stage and ground of a scenario's picture."""
    if name.startswith(GRASS):
        return "day", "grass"
    if name.startswith(STREET):
        return "day", "asphalt"
    return ("overcast", "concrete") if name.startswith(HOME) else ("studio", "asphalt")


def make_picture(path: Path, preset: str, samples: int, folder: Path = FOLDER) -> None:
    """One scenario: its motion up to its moment, its stage, its picture."""
    from PIL import Image

    from mannequin.scene.film.produce import Film, prepare, render_frame

    scene, frame = open_moment(path, stage_of(path.stem), SIZE)
    moment, camera = story_of(path.stem)
    with tempfile.TemporaryDirectory() as temporary:
        film = Film(Path(temporary) / "a.png", "PNG", camera, preset, *SIZE, overlay=False)
        prepare(scene, film)
        scene.cycles.samples = scene.eevee.taa_render_samples = samples
        render_frame(scene, film, frame, film.target)
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{path.stem}{ENDINGS[preset]}.jpg"
        with Image.open(film.target) as picture:
            picture.convert("RGB").save(target, quality=QUALITY, optimize=True)
    assert target.stat().st_size < LARGEST, f"{target} is too large"
    print(target.stem, f"{1000.0 * moment:.0f} ms", f"{target.stat().st_size // 1000} kB", flush=True)


def picture(name: str, preset: str) -> str:
    """Cell of a scenario's picture in a quality; a dash where it was not rendered yet."""
    file = f"{name}{ENDINGS[preset]}.jpg"
    return f"![{name}](images/gallery/{file})" if (FOLDER / file).exists() else "-"


def write_page(names: list[str]) -> None:
    """Write a table of all scenarios with both pictures of each."""
    rows = [f"| {name} | {picture(name, 'film')} | {picture(name, 'best')}" for name in names]
    PAGE.write_text(HEAD + "".join(f"{row} |\n" for row in rows), encoding="utf-8")


def main() -> None:
    """Render the named scenarios, or all, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (all)")
    parser.add_argument("--preset", choices=sorted(ENDINGS), default="best", help="(%(default)s)")
    parser.add_argument("--samples", type=int, default=16, help="a pixel (%(default)s)")
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
