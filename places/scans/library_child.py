"""`python -m mannequin.places.scans.library_child FILE`: a LAS, LAZ or E57 file as a stream of pieces.

The libraries that read these files are compiled code that a broken file can crash or make ask for all memory; so they
run in a process of their own, never in Blender's, and with bounds. A piece is its number of points and whether it is
coloured (two 32-bit numbers), coordinates as 64-bit floats, colours as bytes. A last piece of zero points says that all
went well.
"""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

HEAD = struct.Struct("<II")
AT_ONCE = 500_000
"""Points of a piece."""
MOST_POINTS = 2_000_000_000
MOST_MEMORY = 4 * 1024**3
"""Bytes of addresses that the process may have, where the system can bound it."""

Piece = tuple[np.ndarray, np.ndarray | None]


def pieces(path: str) -> Iterator[Piece]:
    """Points (n, 3) in the file's unit and colours (n, 3) bytes or None."""
    return _e57(path) if Path(path).suffix.lower() == ".e57" else _las(path)


def _las(path: str) -> Iterator[Piece]:
    import laspy

    with laspy.open(path) as reader:
        count = reader.header.point_count
        _refuse_too_many(count)
        _refuse_cut_short(reader.header, path)
        coloured = "red" in set(reader.header.point_format.dimension_names)
        done = 0
        for piece in reader.chunk_iterator(AT_ONCE):
            done += len(piece)
            yield np.column_stack([piece.x, piece.y, piece.z]), _las_colours(piece) if coloured else None
        if done < count:
            raise ValueError(f"cut short after {done:,} points")


def _refuse_cut_short(header: Any, path: str) -> None:
    """A file without compression says how long it is."""
    if not header.are_points_compressed:
        there = max(0, Path(path).stat().st_size - header.offset_to_point_data) // header.point_format.size
        if there < header.point_count:
            raise ValueError(f"cut short: {there:,} of {header.point_count:,} points are there")


def _las_colours(piece: Any) -> np.ndarray:
    """(n, 3) bytes; LAS has 16 bits, of which some programs use 8."""
    colours = np.column_stack([np.asarray(getattr(piece, name)) for name in ("red", "green", "blue")])
    return (colours >> 8 if len(colours) and colours.max() > 255 else colours).astype(np.uint8)


def _refuse_too_many(count: int) -> None:
    if not 0 <= count <= MOST_POINTS:
        raise ValueError(f"says it has {count:,} points; up to {MOST_POINTS:,} are read")


def _e57(path: str) -> Iterator[Piece]:
    import pye57

    file = pye57.E57(path)
    for index in range(file.scan_count):
        yield from _scan(file, file.get_header(index))


def _scan(file: Any, header: Any) -> Iterator[Piece]:
    """One scan through buffers of fixed size, turned and shifted by its pose."""
    fields = [name for name in ("cartesianX", "cartesianY", "cartesianZ") if name in header.point_fields]
    _refuse_too_many(header.point_count)
    if len(fields) != 3:
        raise ValueError("a scan has no cartesian coordinates")
    colours = [name for name in ("colorRed", "colorGreen", "colorBlue") if name in header.point_fields]
    invalid = [name for name in ("cartesianInvalidState",) if name in header.point_fields]
    size = min(AT_ONCE, max(1, header.point_count))
    arrays, buffers = file.make_buffers([*fields, *colours, *invalid], size)
    rotation = header.rotation_matrix if header.has_pose() else np.eye(3)
    shift = np.asarray(header.translation) if header.has_pose() else np.zeros(3)
    reader = header.points.reader(buffers)
    while count := reader.read():
        points = np.column_stack([arrays[name][:count] for name in fields]).astype(float)
        good = arrays[invalid[0]][:count] == 0 if invalid else np.ones(count, dtype=bool)
        seen = None
        if len(colours) == 3:
            seen = np.column_stack([arrays[name][:count] for name in colours]).astype(np.uint8)[good]
        yield points[good] @ rotation.T + shift, seen
    reader.close()


def write(out: BinaryIO, points: np.ndarray, colours: np.ndarray | None) -> None:
    """Put one piece into the stream, in the form described above."""
    out.write(HEAD.pack(len(points), colours is not None))
    out.write(np.ascontiguousarray(points, dtype="<f8").tobytes())
    if colours is not None:
        out.write(np.ascontiguousarray(colours).tobytes())


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main() -> int:
    """Stream the file; a message on standard error where that fails."""
    _bound_memory()
    out = sys.stdout.buffer
    try:
        for points, colours in pieces(sys.argv[1]):
            if len(points):
                write(out, points, colours)
    except BaseException as error:  # what panics in lazrs is no Exception
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        print("cut short or damaged" if "fill whole buffer" in said else said, file=sys.stderr)
        return 1
    write(out, np.zeros((0, 3)), None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
