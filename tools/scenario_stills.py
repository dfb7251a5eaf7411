"""Render two small stills of every shipped scenario into docs/images/scenarios; look at each before committing.

.venv/bin/python tools/scenario_stills.py [NAME ...]
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images" / "scenarios"
MOMENTS = (0.4, 1.0)
"""Shares of the duration that are shown side by side."""
SIZE = (480, 270)


def render_stills(path: Path) -> None:
    """Simulate one scenario and render its moments side by side."""
    import bpy
    from PIL import Image

    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.scene.film.produce import Film, prepare, render_frame, set_up_film
    from mannequin.scene.scenario import build_scenario
    from mannequin.scene.simulate import simulate_scene

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    build_scenario(read_scenario(path), scene)
    sheet = Image.new("RGB", (SIZE[0] * len(MOMENTS), SIZE[1]))
    with tempfile.TemporaryDirectory() as folder:
        scene.mannequin.film.runs_folder = folder
        simulate_scene(scene)
        set_up_film(scene, *SIZE)
        prepare(
            scene, Film(Path(folder) / "still.png", camera="three_quarter", width=SIZE[0], height=SIZE[1])
        )
        for number, share in enumerate(MOMENTS):
            frame = round(scene.frame_start + share * (scene.frame_end - scene.frame_start))
            picture = render_frame(scene, Film(Path(folder)), frame, Path(folder) / f"{number}.png")
            with Image.open(picture) as still:
                sheet.paste(still, (number * SIZE[0], 0))
    FOLDER.mkdir(parents=True, exist_ok=True)
    sheet.quantize(128).save(FOLDER / f"{path.stem}.png", optimize=True)
    print(path.stem, flush=True)


def main() -> None:
    """Render the named scenarios, or all."""
    import mannequin
    from mannequin.models.library import list_scenarios

    mannequin.register()
    for path in list_scenarios():
        if path.stem in sys.argv[1:] or len(sys.argv) == 1:
            render_stills(path)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
