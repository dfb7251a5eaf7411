"""`render`: the film of a run, without a window."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from . import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from .blender_quiet import blender_quiet

NAME = "render"
SUMMARY = "render the film of a run"
CAMERAS = ("side", "front", "top", "three_quarter", "tracking")
PRESETS = ("draft", "presentation", "final")
EPILOG = """examples:
  mannequin render out/fall_20260101T120000Z
  mannequin render out/fall_20260101T120000Z --camera three_quarter --preset final --out film.mp4
  mannequin render out/fall_20260101T120000Z --speed 0.5 --slow 0.9:1.1:10 --case 2026-014
  mannequin render out/fall_20260101T120000Z --out frames --blend fall.blend
  mannequin render out/fall_20260101T120000Z out/slip_20260101T120000Z --side-by-side --titles Fall Slip --out both.mp4
  mannequin render out/fall_20260101T120000Z --readout "head acceleration"

The ending of --out decides: .mp4, .gif, or none for a folder of PNG pictures. Needs Blender as a module (bpy)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument(
        "run_folders", metavar="RUN", nargs="+", help="run folder; two are shown side by side"
    )
    parser.add_argument("--out", metavar="FILE", help="the film (RUN/<run>_film.mp4)")
    parser.add_argument("--camera", choices=CAMERAS, default="side", help="view (%(default)s)")
    parser.add_argument("--preset", choices=PRESETS, default="draft", help="quality (%(default)s)")
    parser.add_argument("--size", default="960x540", metavar="WxH", help="pixels (%(default)s)")
    parser.add_argument("--fps", type=int, default=25, metavar="N", help="frames per second (%(default)s)")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="playback speed; 0.5 is half")
    parser.add_argument(
        "--slow", action="append", default=[], metavar="START:END:FACTOR", help="slow-motion range, in s"
    )
    parser.add_argument("--case", default="", metavar="TEXT", help="case number for the overlay")
    parser.add_argument(
        "--side-by-side",
        action="store_true",
        help="two runs in one picture, in step (as two RUN mean anyway)",
    )
    parser.add_argument(
        "--titles", nargs=2, metavar="TEXT", help="of the two halves (their scenarios' names)"
    )
    parser.add_argument(
        "--readout",
        action="append",
        default=[],
        metavar="SERIES",
        help='such as "head acceleration"; at most two',
    )
    parser.add_argument("--no-overlay", action="store_true", help="leave the overlay away")
    parser.add_argument("--blend", metavar="FILE", help="also save the scene with its baked motion")
    parser.add_argument("--no-film", action="store_true", help="with --blend: save the scene only")


def run(args: argparse.Namespace) -> int:
    """Open the run in Blender, set it up and render it."""
    try:
        width, height = (int(part) for part in args.size.lower().split("x"))
        if not args.speed > 0.0 or not 1 <= args.fps <= 1000 or min(width, height) < 16:
            raise ValueError
    except ValueError:
        print("render: give --size as 960x540, --fps from 1 to 1000 and --speed above 0", file=sys.stderr)
        return EXIT_USAGE
    count = len(args.run_folders)
    if count > 2 or (args.side_by_side or args.titles) and count != 2 or len(args.readout) > 2:
        print(
            "render: give one RUN, or two to be shown side by side, and at most two read-outs",
            file=sys.stderr,
        )
        return EXIT_USAGE
    try:
        import bpy  # noqa: F401
    except ImportError:
        print(
            "render: this Python has no Blender: install bpy, or render from within Blender", file=sys.stderr
        )
        return EXIT_USAGE
    return _render(args, width, height)


def _render(args: argparse.Namespace, width: int, height: int) -> int:
    _register()
    from ..scene.errors import USER_ERRORS
    from ..scene.film.produce import FORMAT_OF_SUFFIX, Film, prepare, render_film

    folder = Path(args.run_folders[0])
    target = Path(args.out or folder / f"{folder.name}_film.mp4").resolve()
    kind = FORMAT_OF_SUFFIX.get(target.suffix.lower())
    if kind is None:
        print(f"render: {target.name}: end it with .mp4 or .gif, or give a folder", file=sys.stderr)
        return EXIT_USAGE
    film = Film(target, kind, args.camera, args.preset, width, height, not args.no_overlay)
    try:
        with blender_quiet() as terminal:
            scene = _open(args, width, height)
            prepare(scene, film)
            if args.blend:
                _save(Path(args.blend))
            if not args.no_film:
                render_film(scene, film, FrameBar(terminal))
    except ValueError as error:
        print(f"render: {error}", file=sys.stderr)
        return EXIT_USAGE
    except USER_ERRORS as error:
        print(f"render: {error}", file=sys.stderr)
        return EXIT_FAILED
    for made in ([args.blend] if args.blend else []) + ([] if args.no_film else [target]):
        print(made)
    return EXIT_OK


def _open(args: argparse.Namespace, width: int, height: int) -> Any:
    """The scene of a run, or of two side by side, set up for a film."""
    import bpy

    from ..scene.film.produce import setup_render
    from ..scene.film.side_by_side import add_side_by_side
    from ..scene.simulate import open_run
    from ..scene.time_map import TimeMap, parse_slow

    time_map = TimeMap(tuple(parse_slow(text) for text in args.slow), 1.0 / args.speed)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scenes = [bpy.context.scene] + [bpy.data.scenes.new("Scene") for _ in args.run_folders[1:]]
    for scene, folder in zip(scenes, args.run_folders, strict=True):
        bpy.context.window.scene = scene
        scene.render.fps, scene.mannequin.film.case = args.fps, args.case
        for name, text in zip(("readout", "second_readout"), args.readout, strict=False):
            setattr(scene.mannequin.film, name, text)
        run = open_run(Path(folder), scene, time_map)
        scene.name = run.scenario.name
    bpy.context.window.scene = scenes[0]
    scene = (
        add_side_by_side(*scenes, titles=tuple(args.titles or ("", ""))) if len(scenes) == 2 else scenes[0]
    )
    setup_render(scene, width, height)
    return scene


def _save(path: Path) -> None:
    """Save the open file, without a backup copy beside it."""
    import bpy

    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()))


def _register() -> None:
    """Register the extension's properties, as Blender would."""
    from importlib import import_module

    import bpy

    if not hasattr(bpy.types.Scene, "mannequin"):
        import_module(__package__.rpartition(".")[0]).register()


class FrameBar:
    """Frames done and time left: on one line of a terminal, every tenth frame elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.started = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Take how many frames are done."""
        from .progress_bar import clock

        left = (time.monotonic() - self.started) / done * (total - done)
        text = f"frame {done} of {total}, {clock(left)} left"
        if self.stream.isatty():
            end = "\n" if done == total else ""
            self.stream.write(f"\r{text:<48}{end}")
        elif done % 10 == 0 or done == total:
            self.stream.write(f"render: {text}\n")
        self.stream.flush()
