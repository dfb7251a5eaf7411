"""`render`: the film of a run, without a window."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from ..jobs.film_choices import CAMERAS, COMPARISONS, FORMATS, GROUNDS, PRESETS, STAGES, names_of
from . import EXIT_FAILED, EXIT_OK
from .shared_arguments import wrong_values

NAME = "render"
SUMMARY = "render the film of a run"
SECONDS_PER_LOOK = 0.02
PROPOSED = "proposed"
EPILOG = """examples:
  mannequin render out/fall_20260101T120000Z
  mannequin render out/fall_20260101T120000Z --camera three_quarter --preset best --out film.mp4
  mannequin render out/fall_20260101T120000Z --speed 0.5 --slow 0.9:1.1:10 --case 2026-014
  mannequin render out/fall_20260101T120000Z --out frames --blend fall.blend
  mannequin render out/fall_20260101T120000Z out/slip_20260101T120000Z --side-by-side --titles Fall Slip --out both.mp4
  mannequin render out/fall_20260101T120000Z --readout "head acceleration"
  mannequin render out/fall_20260101T120000Z --stage day --ground grass --replay 8
  mannequin render out/fall_20260101T120000Z --shots proposed --stage day
  mannequin render out/fall_20260101T120000Z --shots shots.json
  mannequin render out/fall_20260101T120000Z --preset best --estimate
  mannequin render out/fall_20260101T120000Z --preset best --frames frames --sheet

The ending of --out decides: .mp4 (H.264), .webm, .mov (ProRes), .gif, or none for a folder of PNG pictures; --format
H265, AV1 or EXR chooses another. Needs Blender as a module (bpy)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_folders", metavar="RUN", nargs="+", help="run folder; two are shown side by side"
    )
    parser.add_argument("--out", metavar="FILE", help="the film (RUN/<run>_film.mp4)")
    parser.add_argument("--camera", choices=names_of(CAMERAS), default="side", help="view (%(default)s)")
    parser.add_argument("--preset", choices=names_of(PRESETS), default="draft", help="quality (%(default)s)")
    parser.add_argument(
        "--stage", choices=names_of(STAGES), default="grid", help="light, sky and ground (%(default)s)"
    )
    parser.add_argument(
        "--ground",
        choices=names_of(GROUNDS),
        default="asphalt",
        help="look of the ground (%(default)s)",
    )
    parser.add_argument(
        "--follow", default="", metavar="ACTOR", help="whom cameras are fitted to (all people)"
    )
    parser.add_argument(
        "--replay",
        type=float,
        default=0.0,
        metavar="X",
        help="at the end show the hardest impact again, near and X times slower",
    )
    parser.add_argument(
        "--shots",
        metavar="FILE",
        help="JSON list of shots that make the film, or 'proposed' for those that suit the run",
    )
    parser.add_argument("--motion-blur", action="store_true", help="blur what moves (film and best)")
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
        "--compare",
        choices=names_of(COMPARISONS),
        default="beside",
        help="how two RUN are shown (%(default)s)",
    )
    parser.add_argument(
        "--wipe",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="of the width at which wiped runs meet; 0: goes across",
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
    parser.add_argument(
        "--format",
        choices=[name for name, _, _ in FORMATS],
        help="kind of file, where the ending of --out does not say enough",
    )
    parser.add_argument("--transparent", action="store_true", help="PNG or EXR without sky and ground")
    parser.add_argument(
        "--inset", default="", metavar="VIEW", help="second camera in a small view: top, close and so on"
    )
    parser.add_argument("--sheet", action="store_true", help="also a contact sheet, beside the film")
    parser.add_argument(
        "--frames",
        metavar="FOLDER",
        help="keep the pictures there: a film that was cut off goes on with them",
    )
    parser.add_argument("--estimate", action="store_true", help="only say how long the film takes")
    parser.add_argument(
        "--plot", default="", metavar="SERIES", help='small plot, such as of "head acceleration"'
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="KIND:BODY",
        help="value attached to a body: speed:head, height:head, way:pelvis, angle:ShankL, force:head, "
        "distance:head:FootL; with several actors man/head",
    )
    parser.add_argument("--no-overlay", action="store_true", help="leave the overlay away")
    parser.add_argument("--blend", metavar="FILE", help="also save the scene with its baked motion")
    parser.add_argument("--no-film", action="store_true", help="with --blend: save the scene only")


def run(args: argparse.Namespace) -> int:
    """Check what was asked for, and have a Blender in a process of its own render it."""
    with wrong_values(ValueError):
        film, asked = _asked(args)
    from ..engine.errors import UserError
    from ..io_json.errors import FileError
    from ..jobs.film import has_blender

    if not has_blender():
        raise FileError("this Python has no Blender: install bpy, or render from within Blender")
    try:
        reported = _render(film=film, **asked)
    except (UserError, OSError) as error:
        print(f"render: {error}", file=sys.stderr)
        return EXIT_FAILED
    if args.estimate:
        print(reported)
        return EXIT_OK
    for made in ([args.blend] if args.blend else []) + ([] if args.no_film else [film.target]):
        print(made)
    return EXIT_OK


def _asked(args: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """The film, and the rest of what is rendered. Raises ValueError."""
    from ..analysis.time_map import TimeMap, parse_slow
    from ..jobs.film_choices import SUFFIXES, format_of
    from ..jobs.protocol import Film

    width, height = _size(args)
    count = len(args.run_folders)
    if count > 2 or (args.side_by_side or args.titles) and count != 2 or len(args.readout) > 2:
        raise ValueError("give one RUN, or two to be shown side by side, and at most two read-outs")
    folders = [Path(folder) for folder in args.run_folders]
    target = Path(args.out or folders[0] / f"{folders[0].resolve().name}_film.mp4").resolve()
    kind = args.format or format_of(target.suffix)
    if kind is None or (args.format and format_of(target.suffix) != format_of(SUFFIXES[kind])):
        asked = f" with {SUFFIXES[kind] or 'nothing'} for {kind}" if kind else ""
        raise ValueError(
            f"{target.name}: end it{asked or ' with .mp4, .webm, .mov or .gif, or give a folder'}"
        )
    if args.shots and (count == 2 or args.replay):
        raise ValueError("a list of shots is of one RUN, and has its own replays")
    time_map = TimeMap(tuple(parse_slow(text) for text in args.slow), 1.0 / args.speed)
    return Film(
        target,
        kind,
        args.camera,
        args.preset,
        width,
        height,
        not args.no_overlay,
        replay=args.replay,
        shots=_shots(args.shots),
        motion_blur=args.motion_blur,
        transparent=args.transparent,
        rate=float(args.fps),
        sheet=args.sheet,
        inset=args.inset,
        frames=Path(args.frames).resolve() if args.frames else None,
    ), {
        "runs": folders,
        "fps": args.fps,
        "slowness": time_map.base,
        "slow": [list(part) for part in time_map.slow],
        "case": args.case,
        "titles": args.titles or ["", ""],
        "readouts": args.readout,
        "stage": args.stage,
        "ground": args.ground,
        "subject": args.follow,
        "blend": Path(args.blend).resolve() if args.blend else None,
        "is_filmed": not args.no_film,
        "labels": args.label,
        "plot": args.plot,
        "compare": args.compare,
        "wipe": min(max(args.wipe, 0.0), 1.0),
        "is_estimated": args.estimate,
    }


def _shots(text: str | None) -> list[Any] | None:
    """The list of shots, empty for one that is proposed; None where none is asked for. Raises ShotListError."""
    from ..jobs.shot_list import read_shots

    if not text:
        return None
    return [] if text == PROPOSED else read_shots(Path(text))


def _size(args: argparse.Namespace) -> tuple[int, int]:
    """Pixels. Raises ValueError for what no film can have."""
    try:
        width, height = (int(part) for part in args.size.lower().split("x"))
        if (
            not args.speed > 0.0
            or not 0.0 <= args.replay <= 1000.0
            or not 1 <= args.fps <= 1000
            or min(width, height) < 16
        ):
            raise ValueError
    except ValueError:
        raise ValueError(
            "give --size as 960x540, --fps and --replay up to 1000 and --speed above 0"
        ) from None
    return width, height


def _render(**asked: Any) -> str:
    """Wait for the film, telling of its frames and passing on what Blender says; returns the last thing it reported.

    Raises UserError.
    """
    from ..jobs.film import RenderWorker

    worker, bar = RenderWorker(), FrameBar()
    job = worker.render_runs(**asked)
    try:
        while not job.poll():
            _pass_on(worker, job, bar)
            time.sleep(SECONDS_PER_LOOK)
        job.result()
        return job.progress.text if job.progress is not None else ""
    finally:
        _pass_on(worker, job, bar)
        worker.close()


def _pass_on(worker: Any, job: Any, bar: FrameBar) -> None:
    for line in worker.child.printed():
        print(line, file=sys.stderr)
    if job.progress is not None:
        bar.show(job.progress.done, job.progress.total)


class FrameBar:
    """Frames done and time left: on one line of a terminal, every tenth frame elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.started = time.monotonic()
        self._shown = 0

    def show(self, done: int, total: int) -> None:
        """Take how many frames are done; none is left out where lines are written."""
        for frame in range(self._shown + 1, done + 1):
            self._show(frame, total)
        self._shown = max(done, self._shown)

    def _show(self, done: int, total: int) -> None:
        from .progress_bar import clock

        left = (time.monotonic() - self.started) / done * (total - done)
        text = f"frame {done} of {total}, {clock(left)} left"
        if self.stream.isatty():
            end = "\n" if done == total else ""
            self.stream.write(f"\r{text:<48}{end}")
        elif done % 10 == 0 or done == total:
            self.stream.write(f"render: {text}\n")
        self.stream.flush()
