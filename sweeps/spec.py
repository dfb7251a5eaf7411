"""What a sweep file holds, as dataclasses, and how it is read. The keys are explained in docs/sweeps.md."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..io_json import strict_json
from ..io_json.declarations import fields_of
from ..io_json.errors import FileError, in_file
from ..io_json.model_json import check_version
from ..io_json.model_keys import require_object
from ..io_json.nodes import Array, Choice, Node, Optional, Record

FORMAT = "mannequin-sweep"
FORMAT_VERSION = 1

DISTRIBUTIONS = ("uniform", "normal", "truncated_normal", "triangular", "discrete", "table")
DESIGNS = ("latin_hypercube", "sobol", "saltelli", "grid", "one_at_a_time")
MODES = ("set", "add", "multiply")
BODY_VALUES = ("position", "velocity", "acceleration", "angular_velocity", "contact_force")
COMPONENTS = ("x", "y", "z", "size", "horizontal")
BODY_TAKES = ("start", "end", "min", "max", "mean", "time_of_max", "at")
CONTACT_TAKES = (
    "start",
    "end",
    "peak_force",
    "peak_penetration",
    "energy",
    "approach_speed",
    "sliding_speed",
    "point_x",
    "point_y",
    "point_z",
    "count",
)


@dataclass
class Distribution:
    """How an input is spread. Which members are needed depends on `kind`."""

    kind: str
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    sd: float | None = None
    mode: float | None = None
    """triangular: the most likely value."""
    values: list[float] | None = None
    """discrete: the values; table: observed values."""
    weights: list[float] | None = None
    """discrete: their weights; equal when absent."""
    points: list[list[float]] | None = None
    """table: rows (value, share of all cases up to it), the shares rising from 0 to 1."""
    path: str = ""
    """table: CSV file of observed values, relative to the sweep file."""
    column: str = ""
    """table: the column of that file; the first when absent."""


@dataclass
class Parameter:
    """An input with its spread and where that comes from."""

    name: str
    """Column of the table."""
    address: str
    """Where in the scenario it goes; see `inputs`."""
    distribution: Distribution
    mode: str = "set"
    """"set" replaces the value, "add" and "multiply" change the scenario's own."""
    unit: str = ""
    source: str = ""
    """Where the spread comes from; absent is reported as assumed."""


@dataclass
class Design:
    """Which points of the ranges are run."""

    kind: str = "latin_hypercube"
    runs: int = 200
    """Number of runs; saltelli: of base points, each run 2 + number of parameters times."""
    seed: int = 1
    levels: int = 5
    """grid: values per parameter."""
    shares: list[float] = field(default_factory=lambda: [0.05, 0.95])
    """one_at_a_time: the quantiles at which each parameter is put, the others at their medians."""


@dataclass
class Touch:
    """Some contacts of a run: of a surface, with another one."""

    of: str
    """Actor, "actor/body", "actor/body/ellipsoid", a body's name, or an obstacle."""
    on: str = ""
    """The other side, named alike ("ground" is one); absent: anything."""
    min_force: float = 0.0
    """N: weaker contacts do not count."""
    after: float = 0.0
    """s: contacts that began before do not count."""
    until: float | None = None
    """s: contacts that began after do not count."""


@dataclass
class Quantity:
    """A number taken from a run: a measure of the catalogue, something of a body, or something of contacts."""

    name: str
    unit: str = ""
    measure: str = ""
    """Name of a measure of docs/measures.md, such as "HIC15", with `of` as its subject."""
    of: str = ""
    """"actor/body" or "actor"."""
    detail: str = ""
    """One of the measure's further figures in place of its value, such as "x_m"."""
    body: str = ""
    """"actor/body", or "actor" for its centre of mass (position and velocity)."""
    value: str = "position"
    component: str = "size"
    take: str = ""
    """Of a body: one of start, end (when absent), min, max, mean, time_of_max, at. Of contacts: start (when absent)
    and so on, of the first one; peak_force and peak_penetration the largest, energy the sum."""
    time: float | None = None
    """s, for take "at"."""
    contact: Touch | None = None


@dataclass
class Event:
    """Something that happened in a run or did not. One of the ways to say it must be used."""

    name: str
    contact: Touch | None = None
    """It happened when there was such a contact."""
    earlier: Touch | None = None
    later: Touch | None = None
    """It happened when both did, and the first touch of `earlier` came before that of `later`."""
    measure: str = ""
    """Name of one of the sweep's measures, with `above` or `below` or both."""
    above: float | None = None
    below: float | None = None
    all_of: list[str] = field(default_factory=list)
    any_of: list[str] = field(default_factory=list)
    none_of: list[str] = field(default_factory=list)
    """Names of events listed before this one."""


@dataclass
class Mark:
    """Where on the body the first of some contacts was: columns for the body's name and the point in its frame."""

    name: str
    contact: Touch


@dataclass
class Traces:
    """Paths kept of every run, for ghosts and envelopes."""

    bodies: list[str]
    """"actor/body"."""
    times: int = 25
    """Number of moments, evenly spread over the run."""


@dataclass
class Sweep:
    """A sweep file."""

    name: str
    scenario: str
    """Path relative to the sweep file, or the name of a shipped scenario."""
    parameters: list[Parameter]
    design: Design = field(default_factory=Design)
    measures: list[Quantity] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    traces: Traces | None = None
    changes: dict[str, Any] = field(default_factory=dict)
    """Address to value, set once for all runs."""
    keep_on_ground: list[str] = field(default_factory=list)
    """Actors kept at the height above ground of the scenario whatever is done to their posture or size."""
    description: str = ""


CHOICES: dict[tuple[type, str], Node] = {
    (Distribution, "kind"): Choice(DISTRIBUTIONS),
    (Design, "kind"): Choice(DESIGNS),
    (Parameter, "mode"): Choice(MODES),
    (Quantity, "value"): Choice(BODY_VALUES),
    (Quantity, "component"): Choice(COMPONENTS),
}


def record(cls: type, choices: Mapping[tuple[type, str], Node] = CHOICES) -> Record:
    """The declaration of a dataclass of ours: its fields as keys, nested ones likewise, the choices put in."""
    declared = [
        dataclasses.replace(member, node=choices.get((cls, name)) or _nested(member.node, choices))
        for name, member in fields_of(cls).items()
    ]
    return Record(cls, tuple(declared))


def _nested(node: Node, choices: Mapping[tuple[type, str], Node]) -> Node:
    if isinstance(node, Record):
        return record(node.cls, choices)
    if isinstance(node, Array):
        return dataclasses.replace(node, item=_nested(node.item, choices))
    if isinstance(node, Optional):
        return Optional(_nested(node.node, choices))
    return node


def read_document(path: str | os.PathLike, format_name: str, version: int) -> dict[str, Any]:
    """The JSON object of one of our files, its format checked and taken out. Raises FileError."""
    data = strict_json.read_bytes(path)
    with in_file(path):
        document = require_object(strict_json.parse(strict_json.decode(data)), "")
        if document.get("format") != format_name:
            raise FileError(
                f'does not say "format": "{format_name}"', remedy="Choose another file, or add it"
            )
        check_version(document, "format_version", version, "")
        return {key: value for key, value in document.items() if key not in ("format", "format_version")}


def read_sweep(path: str | os.PathLike) -> Sweep:
    """Read a sweep file. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        sweep = record(Sweep).read(document, "")
        check_names(sweep)
    for parameter in sweep.parameters:
        load_table(parameter.distribution, Path(path))
    return sweep


def document_of(sweep: Sweep) -> dict[str, Any]:
    """The sweep as its file holds it."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION}
    return head | record(Sweep).write(sweep, "")


def check_names(sweep: Sweep) -> None:
    """Names are columns of the table: given, and given once. Raises FileError."""
    if not sweep.parameters:
        raise FileError("there is no parameter to vary", place="/parameters", remedy="Add one")
    taken = {"run", "status", "message"}
    for kind in ("parameters", "measures", "events", "marks"):
        for index, entry in enumerate(getattr(sweep, kind)):
            if not entry.name or entry.name in taken:
                said = f"the name {entry.name!r} is taken" if entry.name else "the name is empty"
                raise FileError(said, place=f"/{kind}/{index}/name", remedy="Choose another name")
            taken.add(entry.name)


def load_table(distribution: Distribution, file: Path) -> None:
    """Read the observed values of a table that is a file of its own, into `values`. Raises FileError."""
    if distribution.kind != "table" or not distribution.path:
        return
    import csv

    from ..io_json.resolve import resolve_file

    with in_file(file):
        path = resolve_file(distribution.path, file.parent)
    with in_file(path):
        rows = list(csv.DictReader(strict_json.decode(strict_json.read_bytes(path)).splitlines()))
        columns = list(rows[0]) if rows else []
        column = distribution.column or (columns[0] if columns else "")
        if column not in columns:
            remedy = f"There are: {', '.join(columns)}" if columns else "Put a header and values into it"
            raise FileError(f"has no column {column!r}", remedy=remedy)
        try:
            distribution.values = [float(row[column]) for row in rows]
        except (TypeError, ValueError) as error:
            raise FileError(
                f"the column {column!r} holds something that is no number", remedy="Mend it"
            ) from error
