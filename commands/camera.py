"""`camera`: match a camera to the marked points of a photograph; put points tracked in a video into evidence."""

import argparse
from pathlib import Path
from typing import Any

from . import EXIT_OK

NAME = "camera"
SUMMARY = "match a camera to a photograph with marked points, with its uncertainty"
EPILOG = """examples:
  mannequin camera match points.json --out camera.json
  mannequin camera match points.json --out camera.json --undistorted flat.png --marked marked.png
  mannequin camera track tracks.csv --camera camera.json --evidence evidence.json --out with_video.json

points.json and tracks.csv are explained in docs/cameras.md. The camera's file is read by `view --camera` and by
evidence files. A point that does not fit is named and left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, the points, and the files to write."""
    parser.add_argument("action", choices=["match", "track"],
                        help="match: the camera of a photograph; track: points of a video as evidence")  # fmt: skip
    parser.add_argument(
        "points", metavar="FILE", help="marked points and lines, or the table of tracked points"
    )
    parser.add_argument("--out", metavar="FILE", help="file of the camera, or of the evidence, to write")
    parser.add_argument(
        "--undistorted", metavar="FILE", help="write the picture without the lens's distortion"
    )
    parser.add_argument("--marked", metavar="FILE", help="write the picture with marks and residuals")
    parser.add_argument(
        "--camera", metavar="FILE", help="track: file of the matched camera, beside the evidence"
    )
    parser.add_argument("--evidence", metavar="FILE", help="track: evidence that the points are added to")
    parser.add_argument(
        "--rate", type=float, metavar="N", help="track: frames per second, for a table with frames"
    )
    parser.add_argument("--zero", default="", metavar="TIME",
                        help="track: time stamp or frame at which the run begins (default: the first one)")  # fmt: skip
    parser.add_argument("--name", default="video", help="track: name of the target (default video)")
    parser.add_argument("--tolerance", type=float, default=3.0, metavar="PX",
                        help="track: pixels that the worst point may be off (default 3)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Match or add, print and write."""
    return _match(args) if args.action == "match" else _track(args)


def _track(args: argparse.Namespace) -> int:
    """Add a target of tracked points to evidence, all of which is checked before it is written."""
    from ..io_json import atomic, layout
    from ..io_json.errors import FileError
    from ..places.camera.tracks import read_tracks
    from ..sweeps.fit.spec import Camera, Target, TrackedPoint, check, document_of, read_evidence

    if not (args.camera and args.evidence and args.out):
        raise FileError("camera track needs --camera, --evidence and --out", remedy="Give all three")
    if Path(args.camera).absolute().parent != Path(args.out).absolute().parent:
        raise FileError("lies elsewhere", path=args.camera, remedy="Put it beside the evidence to be written")
    tracks = read_tracks(args.points, args.rate, args.zero)
    points = [TrackedPoint(t.time, t.body, list(t.pixel), t.point) for t in tracks]
    camera = Camera(file=Path(args.camera).name)
    source = f"{Path(args.points).name}, {len(points)} points"
    evidence = read_evidence(args.evidence)
    target = Target(args.name, "video_points", args.tolerance, camera=camera, points=points, source=source)
    evidence.targets.append(target)
    check(evidence)
    atomic.write_text(args.out, layout.compact(document_of(evidence)))
    print(f"{source}, from {points[0].time:g} to {points[-1].time:g} s of the run")
    print(f"{NAME}: wrote {args.out}")
    return EXIT_OK


def _match(args: argparse.Namespace) -> int:
    """Find the camera, and write its file and its pictures."""
    from ..places.camera.files import write_camera
    from ..places.camera.match import match_camera
    from ..places.camera.sightings import read_sightings

    sightings = read_sightings(args.points)
    match = match_camera(sightings)
    _print(match)
    _write_pictures(args, sightings, match)
    if args.out:
        write_camera(args.out, _camera_for_file(args, match), match)
        print(f"{NAME}: wrote {args.out}")
    return EXIT_OK


def _camera_for_file(args: argparse.Namespace, match: Any) -> Any:
    """The camera; with an undistorted picture, that picture and no distortion."""
    import dataclasses
    import os

    if not args.undistorted:
        return match.camera
    picture = Path(os.path.relpath(args.undistorted, Path(args.out).parent)).as_posix()
    return dataclasses.replace(match.camera, picture=picture, distortion=(0.0, 0.0))


def _write_pictures(args: argparse.Namespace, sightings: Any, match: Any) -> None:
    from ..io_json.errors import FileError
    from ..places.camera.pictures import read_picture, undistort, with_marks, write_picture

    if not (args.undistorted or args.marked):
        return
    if not sightings.picture:
        raise FileError("names no picture", path=args.points, remedy='Add "picture"')
    pixels = read_picture(Path(args.points).parent / sightings.picture)
    if pixels.shape[1::-1] != sightings.size_px:
        width, height = pixels.shape[1::-1]
        raise FileError(
            f"is {width} x {height} pixels, not as size_px says",
            path=sightings.picture,
            remedy="Give its size",
        )
    if args.undistorted:
        write_picture(args.undistorted, undistort(pixels, match.camera))
        print(f"{NAME}: wrote {args.undistorted}")
    if args.marked:
        marks = {point.name: point.pixel for point in sightings.points}
        write_picture(args.marked, with_marks(pixels, match, marks))
        print(f"{NAME}: wrote {args.marked}")


def _print(match: Any) -> None:
    camera, sigma = match.camera, match.uncertainty
    place = ", ".join(f"{x:.3f} +- {s:.3f}" for x, s in zip(camera.position, sigma.position, strict=True))
    print(f"{camera.name}")
    print(f"position      {place} m")
    print(f"looks along   {', '.join(f'{x:.4f}' for x in camera.view)} +- {sigma.direction:.3f} degrees")
    print(f"optical axis  +- {sigma.axis:.3f} degrees, roll +- {sigma.roll:.3f} degrees")
    print(f"focal length  {camera.focal_px:.1f} +- {sigma.focal_px:.1f} px")
    centre = ", ".join(f"{x:.1f} +- {s:.1f}" for x, s in zip(camera.center_px, sigma.center_px, strict=True))
    print(f"centre        {centre} px")
    terms = ", ".join(f"{x:.4f} +- {s:.4f}" for x, s in zip(camera.distortion, sigma.distortion, strict=True))
    print(f"distortion    {terms}")
    print(f"\n{'point':<20}{'x (px)':>10}{'y (px)':>10}{'off (px)':>10}  role")
    for residual in match.residuals:
        x, y = residual.error
        print(f"{residual.name:<20}{x:10.2f}{y:10.2f}{residual.size:10.2f}  {residual.role}")
    for name, error in match.line_errors.items():
        print(f"{name:<20}{'':>20}{abs(error):10.2f}  line")
    print(f"\nrms of used points {match.rms('used'):.2f} px; of check points {match.rms('check'):.2f} px")
    for note in match.notes:
        print(f"note: {note}")
