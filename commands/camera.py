"""`camera`: match a camera to the marked points of a photograph; take the distortion out of its picture."""

import argparse
from pathlib import Path
from typing import Any

from . import EXIT_OK

NAME = "camera"
SUMMARY = "match a camera to a photograph with marked points, with its uncertainty"
EPILOG = """examples:
  mannequin camera match points.json --out camera.json
  mannequin camera match points.json --out camera.json --undistorted flat.png --marked marked.png

points.json is explained in docs/cameras.md. The camera's file is read by `view --camera`, by evidence files and by
Match Camera in Blender. A point that does not fit is named and left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, the points, and the files to write."""
    parser.add_argument("action", choices=["match"], help="match: find the camera of a photograph")
    parser.add_argument("points", metavar="POINTS", help="file of marked points and lines")
    parser.add_argument("--out", metavar="FILE", help="file of the camera to write")
    parser.add_argument(
        "--undistorted", metavar="FILE", help="write the picture without the lens's distortion"
    )
    parser.add_argument("--marked", metavar="FILE", help="write the picture with marks and residuals")


def run(args: argparse.Namespace) -> int:
    """Match, print and write."""
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
