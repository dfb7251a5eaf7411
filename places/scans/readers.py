"""Point clouds of LAS, LAZ, E57, PLY and text files, piece by piece: no reader holds a whole file."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np

from ...io_json.errors import FileError, in_file
from ...io_json.mesh_ply import ply_rows
from ...jobs.interpreter import environment, python
from ..libraries import required
from . import library_child
from .cloud import METRES, UP_AXES, Cloud, to_ours
from .thin import MOST_CELLS, Grid, Piece

BYTES_AT_ONCE = 16 * 1024 * 1024
"""Of a text file."""
LONGEST_LINE = 4096
_AGAIN = "Export the scan again"
OR_PLY = ", or export as PLY"


def read_cloud(
    path: str | os.PathLike,
    voxel: float = 0.01,
    unit: str = "m",
    up: str = "z",
    origin: tuple[float, float, float] | None = None,
    most: int = MOST_CELLS,
) -> Cloud:
    """A cloud, thinned to one point in each cell of edge `voxel` (m); cells grow where there would be more than `most`.

    origin: what is taken off the coordinates, in the file's unit; absent: whole metres below the first point.
    Raises FileError.
    """
    _check(path, voxel, unit, up)
    grid = Grid(voxel, most)
    with in_file(path):
        for points, colours in pieces_of(path):
            if origin is None and len(points):
                origin = _origin(points, unit)
            if len(points):
                grid.add(to_ours(points, np.asarray(origin), unit, up), colours)
        points, colours = grid.result()
    return Cloud(
        points, colours, tuple(origin), unit, up, grid.read, grid.voxel, Path(path).name, grid.left_out
    )


def _check(path: str | os.PathLike, voxel: float, unit: str, up: str) -> None:
    if not Path(path).is_file():
        raise FileError("is no file", path=path, remedy="Check the name")
    if not 1e-4 <= voxel <= 100.0:
        raise FileError(f"cells of {voxel:g} m are no use", remedy="Give 0.0001 to 100 m")
    if unit not in METRES:
        raise FileError(f"the unit {unit!r} is not known", remedy=f"Choose one of {', '.join(METRES)}")
    if up not in UP_AXES:
        raise FileError(f"the axis {up!r} is not known", remedy=f"Choose one of {', '.join(UP_AXES)}")


def _origin(points: np.ndarray, unit: str) -> tuple[float, float, float]:
    """Whole metres below the first finite point, in the file's unit; zero where the file is near its own origin."""
    finite = points[np.isfinite(points).all(axis=1)]
    if not len(finite):
        return (0.0, 0.0, 0.0)
    first = finite[0] * METRES[unit]
    local = np.floor(first) if np.abs(first).max() > 1000.0 else np.zeros(3)
    return tuple((local / METRES[unit]).tolist())


def pieces_of(path: str | os.PathLike) -> Iterator[Piece]:
    """Points (n, 3) in the file's unit, and colours (n, 3) bytes or None. Raises FileError."""
    readers: dict[str, Callable[[Path], Iterator[Piece]]] = {
        ".las": _las,
        ".laz": _las,
        ".e57": _e57,
        ".ply": _ply,
        **dict.fromkeys((".xyz", ".csv", ".txt", ".pts"), _text),
    }
    reader = readers.get(Path(path).suffix.lower())
    if reader is None:
        endings = ", ".join(readers)
        raise FileError("is no point cloud that can be read", remedy=f"Export it as one of {endings}")
    yield from reader(Path(path))


def _las(path: Path) -> Iterator[Piece]:
    required("laspy", "LAS and LAZ files", OR_PLY)
    if path.suffix.lower() == ".laz":
        required("lazrs", "LAZ files", OR_PLY)
    return _from_child(path, "LAS")


def _e57(path: Path) -> Iterator[Piece]:
    required("pye57", "E57 files", OR_PLY)
    return _from_child(path, "E57")


def _from_child(path: Path, kind: str) -> Iterator[Piece]:
    """What a process of its own reads, see `library_child`."""
    command = [python(), "-P", "-s", "-m", "mannequin.places.scans.library_child", str(path.absolute())]
    with (
        tempfile.TemporaryFile() as printed,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=printed, stdin=subprocess.DEVNULL, env=environment()
        ) as child,
    ):
        try:
            while (piece := _streamed(child.stdout)) is not None:
                yield piece
        except (EOFError, ValueError) as error:
            child.wait()
            raise FileError(
                f"is no {kind} file that can be read ({_last_words(printed)})", remedy=_AGAIN
            ) from error
        finally:
            child.kill()


def _last_words(printed: IO[bytes]) -> str:
    """Why a child gave up."""
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(0, size - 4000))
    lines = [line.strip() for line in printed.read().decode(errors="replace").splitlines() if line.strip()]
    return lines[-1][:120] if lines else "its reader crashed"


def _streamed(stream: IO[bytes]) -> Piece | None:
    """The next piece, or None after the last. Raises EOFError where the stream ends before."""
    count, coloured = library_child.HEAD.unpack(_exactly(stream, library_child.HEAD.size))
    if not count:
        return None
    if count > library_child.AT_ONCE:
        raise ValueError("a piece is larger than any")
    points = np.frombuffer(_exactly(stream, 24 * count), "<f8").reshape(-1, 3)
    return points, np.frombuffer(_exactly(stream, 3 * count), "u1").reshape(-1, 3) if coloured else None


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _ply(path: Path) -> Iterator[Piece]:
    for columns in ply_rows(path, library_child.AT_ONCE, library_child.MOST_POINTS):
        if any(axis not in columns for axis in "xyz"):
            raise FileError("has points without x, y, z", remedy=_AGAIN)
        points = np.column_stack([np.asarray(columns[axis], dtype=float) for axis in "xyz"])
        has_colours = all(name in columns for name in ("red", "green", "blue"))
        colours = [columns[name] for name in ("red", "green", "blue")] if has_colours else None
        yield points, None if colours is None else np.column_stack(colours).astype(np.uint8)


def _text(path: Path) -> Iterator[Piece]:
    """Rows of x, y, z and perhaps colours, parted by blanks, commas, semicolons or tabs; a heading is passed over."""
    columns, rest, line = 0, b"", 1
    with open(path, "rb") as file:
        while data := file.read(BYTES_AT_ONCE):
            data = rest + data
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if len(rest) > LONGEST_LINE:
                raise FileError("has a line that is no point", place=f"line {line}", remedy=_AGAIN)
            if not columns:
                columns, data, passed = _heading(data[:end])
                line += passed
                end = len(data)
            points, colours = _rows(data[:end], columns, line)
            line += data[:end].count(b"\n")
            yield points, colours
    if rest.strip():
        if not columns:
            columns, rest, passed = _heading(rest + b"\n")
        yield _rows(rest, columns, line)


def _heading(data: bytes) -> tuple[int, bytes, int]:
    """(numbers in a row, the text less its heading, lines of the heading)."""
    for passed in range(20):
        first, _, after = data.partition(b"\n")
        words = _plain(first).split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = []
        if len(numbers) >= 3:
            return len(numbers), data, passed
        data = after
    raise FileError("does not begin with rows of x, y, z", place="line 1", remedy=_AGAIN)


def _plain(data: bytes) -> bytes:
    return data.translate(bytes.maketrans(b",;\t", b"   "))


def _rows(data: bytes, columns: int, line: int) -> Piece:
    """Numbers of whole lines. Raises FileError that names the first bad line."""
    text = _plain(data).decode("ascii", errors="replace")
    lines = [row for row in text.splitlines() if row.strip()]
    try:
        flat = np.array(" ".join(lines).split(), dtype=float)
    except ValueError:
        flat = np.zeros(0)
    if flat.size != columns * len(lines):
        for number, row in enumerate(text.splitlines()):
            if row.strip() and not _is_row(row, columns):
                raise FileError(
                    f"is no row of {columns} numbers", place=f"line {line + number}", remedy=_AGAIN
                )
    table = flat.reshape(-1, columns)
    return table[:, :3], _text_colours(table)


def _is_row(row: str, columns: int) -> bool:
    try:
        return len([float(word) for word in row.split()]) == columns
    except ValueError:
        return False


def _text_colours(table: np.ndarray) -> np.ndarray | None:
    """The last three of six or more columns, where they are whole numbers from 0 to 255."""
    if table.shape[1] < 6 or not len(table):
        return None
    last = table[:, -3:]
    is_colour = (
        np.isfinite(last).all() and (last == np.floor(last)).all() and last.min() >= 0 and last.max() <= 255
    )
    return last.astype(np.uint8) if is_colour else None
