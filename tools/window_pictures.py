"""Make the pictures of the documentation from those of the window tests; look at each before committing.

    .venv/bin/python tools/window_pictures.py [--blender 5.2]

Run `make gui-test` before. Pictures of the window are cut to the viewport with its sidebar and made smaller; rendered
frames are made smaller only.
"""

import argparse
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SHOTS = ROOT / "out" / "gui"
IMAGES = ROOT / "docs" / "images"
VIEWPORT = (0, 28, 1192, 1275)
"""Pixels of the screen that show the viewport with its sidebar: left, top, right, bottom."""
SIDEBAR = (898, 80, 1192, 1275)
WIDTH = 760
COLORS = 200
FRAMES = ("fall_8_frame", "car_5_frame")
"""Rendered, not of the window."""
WITH_VIEWPORT = (
    "empty",
    "man",
    "pose-mode",
    "wrap-surface",
    "muscle",
    "environment",
    "traces",
    "person",
    "sweep-results",
)
"""Pictures of panels that show something in the viewport, too."""
PANEL_GREY = 54
"""A panel is darker than this, and the viewport behind it lighter."""


def smaller(picture: Image.Image, width: int) -> Image.Image:
    """A picture of a given width at most, with few colours."""
    if picture.width > width:
        picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
    return picture.convert("RGB").quantize(COLORS)


def tutorial_picture(shot: Path) -> None:
    """One picture of a tutorial."""
    with Image.open(shot) as picture:
        cut = picture if shot.stem in FRAMES else picture.crop(VIEWPORT)
        smaller(cut, WIDTH).save(IMAGES / "tutorial" / shot.name, optimize=True)


def panel_picture(shot: Path) -> None:
    """One picture of panels."""
    name = shot.stem.partition("-")[2]
    with Image.open(shot) as picture:
        cut = picture.crop(VIEWPORT) if name in WITH_VIEWPORT else without_empty_end(picture.crop(SIDEBAR))
        smaller(cut, WIDTH).save(IMAGES / "window" / f"{name}.png", optimize=True)


def without_empty_end(sidebar: Image.Image) -> Image.Image:
    """The sidebar down to the end of its last panel."""
    edge = sidebar.convert("L").crop((14, 0, 15, sidebar.height)).getdata()
    last = max((y for y, grey in enumerate(edge) if grey < PANEL_GREY), default=sidebar.height - 1)
    return sidebar.crop((0, 0, sidebar.width, min(sidebar.height, last + 8)))


def main() -> int:
    """Make every picture there is a shot of."""
    parser = argparse.ArgumentParser(description="Make the pictures of the documentation.")
    parser.add_argument("--blender", default="5.2", help="whose pictures to take (%(default)s)")
    shots = sorted((SHOTS / parser.parse_args().blender).glob("*.png"))
    if not shots:
        print("window_pictures: there are no pictures; run `make gui-test` first", file=sys.stderr)
        return 1
    for folder in ("tutorial", "window"):
        (IMAGES / folder).mkdir(parents=True, exist_ok=True)
    for shot in shots:
        if shot.stem.startswith(("fall_", "car_")):
            tutorial_picture(shot)
        elif shot.stem[0].isdigit():
            panel_picture(shot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
