"""`python -m mannequin.places.scans.e57_child FILE`: an E57 file as a stream of pieces, read in a process of its own.

The library that reads E57 is compiled code that a broken file can crash; so it never runs in Blender's own process. A
piece is its number of points and whether it is coloured (two 32-bit numbers), coordinates as 64-bit floats, colours as
bytes. A last piece of zero points says that all went well.
"""

import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

HEAD = struct.Struct("<II")
AT_ONCE = 500_000
MOST_POINTS = 2_000_000_000


def pieces(path: str) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """Points (n, 3) and colours (n, 3) or None, scan after scan."""
    import pye57

    file = pye57.E57(path)
    for index in range(file.scan_count):
        yield from _scan(file, file.get_header(index))


def _scan(file: Any, header: Any) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """One scan through buffers of fixed size, turned and shifted by its pose."""
    fields = [name for name in ("cartesianX", "cartesianY", "cartesianZ") if name in header.point_fields]
    if len(fields) != 3 or not 0 <= header.point_count <= MOST_POINTS:
        raise ValueError("a scan has no cartesian coordinates, or too many points")
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
    """One piece."""
    out.write(HEAD.pack(len(points), colours is not None))
    out.write(np.ascontiguousarray(points, dtype="<f8").tobytes())
    if colours is not None:
        out.write(np.ascontiguousarray(colours).tobytes())


def main() -> int:
    """Stream the file; a message on standard error where that fails."""
    out = sys.stdout.buffer
    try:
        for points, colours in pieces(sys.argv[1]):
            if len(points):
                write(out, points, colours)
    except Exception as error:
        print((str(error).strip().splitlines() or [type(error).__name__])[0][:120], file=sys.stderr)
        return 1
    write(out, np.zeros((0, 3)), None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
