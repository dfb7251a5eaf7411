"""`render`: the film of a run, without a window."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from . import EXIT_FAILED, EXIT_OK, EXIT_USAGE

NAME = "render"
SUMMARY = "render the film of a run"
CAMERAS = ("side", "front", "top", "three_quarter", "tracking")
PRESETS = ("draft", "presentation", "final")
EPILOG = """examples:
  mannequin render out/fall_20260101T120000Z
  mannequin render out/fall_20260101T120000Z --camera three_quarter --preset final --out film.mp4
  mannequin render out/fall_20260101T120000Z --speed 0.5 --slow 0.9:1.1:10 --case 2026-014
  mannequin render out/fall_20260101T120000Z --out frames --blend fall.blend

The ending of --out decides: .mp4, .gif, or none for a folder of PNG pictures. Needs Blender as a module (bpy)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="run folder")
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
    try:
        import bpy  # noqa: F401
    except ImportError:
        print(
            "render: this Python has no Blender: install bpy, or render from within Blender", file=sys.stderr
        )
        return EXIT_USAGE
    return _render(args, width, height)


def _render(args: argparse.Namespace, width: int, height: int) -> int:
    import bpy

    _register()
    from ..scene.errors import USER_ERRORS
    from ..scene.film.produce import FORMAT_OF_SUFFIX, Film, render_film, set_up_film
    from ..scene.simulate import open_run
    from ..scene.time_map import TimeMap, parse_slow

    folder = Path(args.run_folder)
    target = Path(args.out or folder / f"{folder.name}_film.mp4").resolve()
    if target.suffix.lower() not in FORMAT_OF_SUFFIX:
        print(f"render: {target.name}: end it with .mp4 or .gif, or give a folder", file=sys.stderr)
        return EXIT_USAGE
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.fps, scene.mannequin.film.case = args.fps, args.case
    try:
        time_map = TimeMap(tuple(parse_slow(text) for text in args.slow), 1.0 / args.speed)
        open_run(folder, scene, time_map)
        set_up_film(scene, width, height)
        if args.blend:
            with blender_quiet():
                bpy.context.preferences.filepaths.save_version = 0  # no backup copy beside it
                bpy.ops.wm.save_as_mainfile(filepath=str(Path(args.blend).resolve()))
            print(args.blend)
        if args.no_film:
            return EXIT_OK
        film = Film(
            target,
            FORMAT_OF_SUFFIX[target.suffix.lower()],
            args.camera,
            args.preset,
            width,
            height,
            not args.no_overlay,
        )
        with blender_quiet():
            render_film(scene, film, FrameBar())
        print(target)
    except ValueError as error:
        print(f"render: {error}", file=sys.stderr)
        return EXIT_USAGE
    except USER_ERRORS as error:
        print(f"render: {error}", file=sys.stderr)
        return EXIT_FAILED
    return EXIT_OK


def _register() -> None:
    """Register the extension's properties, as Blender would."""
    from importlib import import_module

    import bpy

    if not hasattr(bpy.types.Scene, "mannequin"):
        import_module(__package__.rpartition(".")[0]).register()


@contextmanager
def blender_quiet() -> Iterator[None]:
    """Keep Blender's own chatter off standard output, which is for results; it does not go through Python."""
    sys.stdout.flush()
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


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
