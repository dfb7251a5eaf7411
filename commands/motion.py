"""`motion`: motion files of the field: markers of a trial onto an actor, and a run as .mot, .sto, .bvh or .trc."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from . import EXIT_OK

if TYPE_CHECKING:
    from ..engine.runs.recording import Recording
    from ..engine.spec import Actor, Model
    from ..interchange.motions import Trial
    from ..study.markers import Marker

NAME = "motion"
SUMMARY = "motion files: markers of a trial onto an actor (.trc, .c3d), a run as .mot, .sto, .bvh or .trc"
EPILOG = """examples:
  mannequin motion export out/fall_20260101T120000Z fall.mot
  mannequin motion export out/fall_20260101T120000Z fall.bvh --actor woman
  mannequin motion export out/fall_20260101T120000Z fall.trc --markers markers.csv
  mannequin motion track walk.c3d male walk.mot --markers markers.csv --y-up

The table of markers has a line for each, after the line marker,body,x,y,z: the marker's name in the trial, the body it
is on, and its place in the body's frame in m."""
TABLES, SKELETON, MARKERS = (".mot", ".sto"), ".bvh", ".trc"
COLUMNS = ("marker", "body", "x", "y", "z")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare both actions and their arguments."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, dest="action")
    export = actions.add_parser("export", help="the motion of an actor of a run as a file")
    export.add_argument("source", metavar="RUN", help="run folder")
    export.add_argument("target", metavar="TARGET", help="file to write: .mot, .sto, .bvh or .trc")
    export.add_argument("--actor", metavar="NAME", help="the first where none is named")
    export.add_argument(
        "--markers", metavar="CSV", help="of a .trc: table of markers; else the centres of all bodies"
    )
    track = actions.add_parser(
        "track", help="markers of a trial onto an actor, with what is left between them"
    )
    track.add_argument("source", metavar="TRIAL", help="marker trial: .trc or .c3d")
    track.add_argument("model", metavar="MODEL", help="shipped model, or model file")
    track.add_argument("target", metavar="TARGET", help="file to write: .mot or .sto")
    track.add_argument("--markers", metavar="CSV", required=True, help="table of markers")
    track.add_argument("--y-up", action="store_true", help="the trial has y up (OpenSim's do); else z up")
    track.add_argument(
        "--mass", type=float, metavar="KG", help="scale the model to the trial's first frame, with this mass"
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked for, and print what was written."""
    (_export if args.action == "export" else _track)(args)
    return EXIT_OK


def _ending(path: str, allowed: tuple[str, ...]) -> str:
    from ..io_json.errors import FileError

    found = Path(path).suffix.lower()
    if found not in allowed:
        raise FileError(
            "is not of a kind that can be used here", path=path, remedy=f"Name it {' or '.join(allowed)}"
        )
    return found


def read_markers(path: str) -> list[Marker]:
    """The table of markers. Raises FileError."""
    import csv
    import math

    from ..interchange.motions.text_table import read_lines
    from ..io_json.errors import FileError, in_file
    from ..study.markers import Marker

    with in_file(path):
        rows = [row for row in csv.reader(read_lines(path)) if any(cell.strip() for cell in row)]
        if not rows or tuple(cell.strip().lower() for cell in rows[0]) != COLUMNS:
            raise FileError("is no table of markers", remedy=f"Begin it with the line {','.join(COLUMNS)}")
        found = []
        for number, row in enumerate(rows[1:], 2):
            try:
                name, body, *place = (cell.strip() for cell in row)
                x, y, z = map(float, place)
            except ValueError:
                remedy = "Give a name, a body and three numbers"
                raise FileError("is no marker", place=f"row {number}", remedy=remedy) from None
            if not all(map(math.isfinite, (x, y, z))):
                raise FileError("has a place that is no number", place=f"row {number}", remedy="Give m")
            found.append(Marker(name, body, (x, y, z)))
        return found


def _export(args: argparse.Namespace) -> None:
    from ..analysis.files.run_folder import read_run
    from ..interchange.motions import joint_table, recorded_poses, write_bvh, write_storage, write_trc
    from ..interchange.motions.trial import Y_UP

    kind = _ending(args.target, (*TABLES, SKELETON, MARKERS))
    read = read_run(args.source)
    actor = _actor(read.scenario.actors, args.actor)
    if kind == SKELETON:
        write_bvh(read.recording, actor.model, actor.name, args.target)
    elif kind == MARKERS:
        markers = _centres(actor.model) if args.markers is None else read_markers(args.markers)
        write_trc(_seen(read.recording, actor, markers, Path(args.target).stem).turned(Y_UP.T), args.target)
    else:
        poses = recorded_poses(read.recording, actor.model, actor.name)
        table = joint_table(actor.model, read.recording.times, poses, Path(args.target).stem)
        write_storage(table, args.target)
    print(
        f"motion: '{actor.name}' of {args.source}, {read.recording.frames} frames, written to {args.target}"
    )


def _actor(actors: list[Actor], name: str | None) -> Actor:
    from ..io_json.errors import FileError

    found = next((actor for actor in actors if name in (None, actor.name)), None)
    if found is None:
        raise FileError(
            f"the run has no actor '{name}'", remedy=f"There are: {', '.join(a.name for a in actors)}"
        )
    return found


def _centres(model: Model) -> list[Marker]:
    from ..study.markers import Marker

    return [Marker(body.name, body.name, tuple(body.center_of_mass)) for body in model.bodies]


def _seen(recording: Recording, actor: Actor, markers: list[Marker], name: str) -> Trial:
    """What cameras would see of the markers, z up."""
    import numpy as np

    from ..interchange.motions import Trial
    from ..io_json.errors import FileError

    places = []
    for marker in markers:
        try:
            b = recording.body_index(actor.name, marker.body)
        except KeyError:
            names = ", ".join(body.name for body in actor.model.bodies)
            message = f"marker '{marker.name}' is on '{marker.body}', no body"
            raise FileError(message, remedy=f"There are: {names}") from None
        places.append(recording.origin(b) + recording.rotation(b) @ np.array(marker.point))
    return Trial(name, tuple(m.name for m in markers), recording.times, np.stack(places, axis=1))


def _track(args: argparse.Namespace) -> None:
    import numpy as np

    from ..engine.spec import Actor
    from ..interchange.motions import joint_table, posed, read_c3d, read_trc, write_storage
    from ..interchange.motions.trial import Y_UP
    from ..study.loading import load
    from ..study.markers import scaled_to, track

    _ending(args.target, TABLES)
    trial = (read_trc if _ending(args.source, (".trc", ".c3d")) == ".trc" else read_c3d)(args.source)
    trial = trial.turned(Y_UP) if args.y_up else trial
    model, markers = load(args.model), read_markers(args.markers)
    if args.mass is not None:
        model, markers = scaled_to(model, trial, markers, args.mass)
        print(f"motion: '{model.name}' scaled to {model.height:.3f} m and {args.mass:g} kg")
    tracked = track(Actor(model.name, model), trial, markers)
    frames = [tracked.poses(frame) for frame in range(len(tracked.times))]
    poses = {
        name: posed(np.array([o[b] for o, _ in frames]), np.array([r[b] for _, r in frames]))
        for b, name in enumerate(tracked.system.body_names)
    }
    write_storage(joint_table(model, tracked.times, poses, trial.name), args.target)
    print("marker residuals, mm (root mean square, largest):")
    for marker, left in zip(tracked.markers, 1000.0 * tracked.residuals.T, strict=True):
        seen = left[~np.isnan(left)]
        words = f"{np.sqrt(np.mean(seen**2)):7.2f} {seen.max():7.2f}" if len(seen) else "  never seen"
        print(f"  {marker.name:20s} {words}")
    whole = 1000.0 * float(np.sqrt(np.nanmean(tracked.residuals**2)))
    print(
        f"motion: {len(tracked.markers)} markers, {len(frames)} frames, {whole:.2f} mm; written to {args.target}"
    )
