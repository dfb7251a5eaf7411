"""The finished table of a sweep: CSV always, Parquet where pyarrow is there, paths as a NumPy file."""

import csv
import io
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.files.recording_file import DAMAGE
from ..io_json import atomic
from ..io_json.csv_cells import text_cell, text_of_cell
from ..io_json.errors import FileError
from .availability import optional
from .bench import COMPLETED, Row
from .journal import Journal
from .outcomes import SEPARATOR, trace_shape, unpacked
from .plan import Plan
from .spec import BEYOND_CURVE, Traces

CSV_NAME, PARQUET_NAME, TRACES_NAME = "table.csv", "table.parquet", "traces.npy"
BLOCK = 2000
"""Rows held at a time."""


def header(plan: Plan) -> list[str]:
    """Columns: run and status, the parameters, measures, events, marks and flags, and what went wrong."""
    parameters = [parameter.name for parameter in plan.sweep.parameters]
    return ["run", "status", *parameters, *plan.columns, "message"]


def text_columns(plan: Plan) -> set[str]:
    """Columns that hold text."""
    return {"status", "message", BEYOND_CURVE, *(f"{mark.name} body" for mark in plan.sweep.marks)}


def cells(plan: Plan, row: Row) -> list[Any]:
    """A line of the table; None where there is no value."""
    kept = row.values or (None,) * len(plan.columns)
    return [row.index, row.status, *plan.points[row.index].tolist(), *kept, row.message]


def checked_rows(plan: Plan, journal: Journal) -> Iterator[Row]:
    """The rows of a journal, each of the form that this sweep's rows have. Raises FileError."""
    texts, events = text_columns(plan), {event.name for event in plan.sweep.events}
    kinds = [str if name in texts else bool if name in events else (float, int) for name in plan.columns]
    shape = trace_shape(plan.sweep.traces)
    for row in journal.rows():
        if not _is_of_form(row, kinds, shape):
            remedy = "Move the sweep's folder away, and run the sweep again"
            raise FileError(
                f"the row of run {row.index} is none of this sweep", path=journal.path, remedy=remedy
            )
        yield row


def _is_of_form(row: Row, kinds: list[Any], shape: tuple[int, int, int]) -> bool:
    """Whether a row has values of these kinds, or none, and paths of this shape, or none."""
    if row.values and len(row.values) != len(kinds):
        return False
    for value, kind in zip(row.values, kinds, strict=False):
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)):
            return False
    try:
        return not row.trace or unpacked(row.trace, shape).shape == shape
    except ValueError:
        return False


def write_tables(plan: Plan, journal: Journal, folder: Path) -> list[Path]:
    """Write the table in the order of the runs, whole or not at all; returns the files. Raises FileError."""
    written = [folder / CSV_NAME]
    with atomic.writing(written[0]) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(text_cell, header(plan)))
        for row in checked_rows(plan, journal):
            writer.writerow(map(_csv_cell, cells(plan, row)))
        text.flush()
        text.detach()
    if optional("pyarrow") is not None:
        written.append(folder / PARQUET_NAME)
        _write_parquet(plan, journal, written[-1])
    if plan.sweep.traces is not None:
        rows = (row.trace for row in checked_rows(plan, journal))
        written.append(write_traces(folder, plan.sweep.traces, rows, plan.runs))
    return written


def _csv_cell(cell: Any) -> Any:
    """A cell as CSV holds it: truth as 0 and 1, text as a spreadsheet takes it."""
    if isinstance(cell, bool):
        return int(cell)
    return text_cell(cell) if isinstance(cell, str) else cell


def _write_parquet(plan: Plan, journal: Journal, path: Path) -> None:
    arrow, parquet = optional("pyarrow"), optional("pyarrow.parquet")
    texts, events = text_columns(plan), {event.name for event in plan.sweep.events}
    kinds = {name: arrow.string() for name in texts} | {name: arrow.bool_() for name in events}
    kinds["run"] = arrow.int64()
    names = header(plan)
    schema = arrow.schema([(name, kinds.get(name, arrow.float64())) for name in names])
    with atomic.writing(path) as file, parquet.ParquetWriter(file, schema) as writer:
        for block in _blocks(checked_rows(plan, journal)):
            lines = zip(*(cells(plan, row) for row in block), strict=True)
            writer.write_table(arrow.table([list(column) for column in lines], schema=schema))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while block := list(itertools.islice(rows, BLOCK)):
        yield block


def write_traces(folder: Path, traces: Traces, packed: Iterable[str], runs: int) -> Path:
    """(runs, bodies, times, 3) float32 of the packed paths of runs, NaN where there are none; returns the file."""
    shape, path = trace_shape(traces), folder / TRACES_NAME
    nothing = np.full(shape, np.nan, dtype="<f4")
    with atomic.writing(path) as file:
        head = {"descr": "<f4", "fortran_order": False, "shape": (runs, *shape)}
        np.lib.format.write_array_header_1_0(file, head)
        for text in packed:
            file.write((unpacked(text, shape) if text else nothing).tobytes())
    return path


def read_traces(folder: Path) -> np.ndarray | None:
    """(runs, bodies, times, 3) m, read from the disk as it is used; None where no paths were kept. Raises FileError."""
    path = Path(folder) / TRACES_NAME
    if not path.exists():
        return None
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, *DAMAGE) as error:
        raise FileError(f"cannot be read ({error})", path=path, remedy="Run the sweep again") from error
    if not isinstance(found, np.ndarray) or found.dtype != np.dtype("<f4") or found.shape[3:] != (3,):
        raise FileError("does not hold the paths of a sweep", path=path, remedy="Run the sweep again")
    return found


@dataclass(frozen=True)
class Table:
    """A finished table, by column."""

    status: list[str]
    numbers: dict[str, np.ndarray]
    """(runs,) each; NaN where there is no value. Events are 0 and 1."""
    texts: dict[str, list[str]]

    @property
    def completed(self) -> np.ndarray:
        """(runs,) whether a run completed."""
        return np.array([status == COMPLETED for status in self.status], dtype=bool)

    def beyond_curve(self, name: str) -> np.ndarray:
        """(runs,) whether a measure follows from a contact deeper than its force curve has data."""
        return np.array([name in text.split(SEPARATOR) for text in self.texts[BEYOND_CURVE]], dtype=bool)

    @property
    def coarse(self) -> list[int]:
        """Numbers of the runs that completed with a warning: the time step was long for their impacts."""
        messages = self.texts["message"]
        return [index for index in np.flatnonzero(self.completed).tolist() if messages[index]]


def read_table(plan: Plan, folder: Path) -> Table:
    """Read the CSV table. Raises FileError."""
    path = Path(folder) / CSV_NAME
    names = header(plan)
    texts = {name: [] for name in text_columns(plan)}
    numbers = {name: np.full(plan.runs, np.nan) for name in names if name not in texts}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            if next(reader, None) != [text_cell(name) for name in names]:
                raise FileError("is not the table of this sweep", path=path, remedy="Run the sweep again")
            for index, line in enumerate(reader):
                for name, cell in zip(names, line, strict=True):
                    if name in texts:
                        texts[name].append(text_of_cell(cell))
                    elif cell:
                        numbers[name][index] = float(cell)
    except FileNotFoundError:
        raise FileError("is not there yet", path=path, remedy="Run the sweep to its end") from None
    except (OSError, ValueError, IndexError, csv.Error) as error:
        raise FileError(f"cannot be read ({error})", path=path, remedy="Run the sweep again") from error
    if len(texts["status"]) != plan.runs:
        count = f"has {len(texts['status'])} runs, not {plan.runs}"
        raise FileError(count, path=path, remedy="Run the sweep again")
    return Table(texts["status"], numbers, texts)
