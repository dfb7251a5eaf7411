"""What a sweep file holds, as dataclasses, and how it is read. The keys are explained in docs/sweeps.md."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine.contact.event_members import EVENT_MEMBERS
from ..engine.spec.description import Choices, described
from ..io_json import strict_json
from ..io_json.declarations import record_of
from ..io_json.documents import read_document
from ..io_json.errors import FileError, in_file

FORMAT = "mannequin-sweep"
FORMAT_VERSION = 1

DISTRIBUTIONS = Choices(
    uniform="Every value from the lowest to the highest is as likely",
    normal="Bell curve about the mean",
    truncated_normal="Bell curve about the middle, cut off at the lowest and the highest",
    triangular="The middle is the most likely, the ends are not",
    discrete="Some values, as likely as their weights",
    table="As often as observed",
)
DESIGNS = Choices(
    latin_hypercube="Spread evenly over every input: for percentiles",
    sobol="Spread evenly over all inputs together; the number of runs is a power of two",
    saltelli="Shares of the variance: runs times inputs plus two; a power of two",
    grid="Every combination of the values of each input, five by default",
    one_at_a_time="Each input at its low and high end, the others in the middle",
)
MODES = Choices(
    set="The value itself is spread",
    add="The spread is added to the scenario's value",
    multiply="The scenario's value is multiplied by the spread",
)
BODY_VALUES = Choices(
    position="Place in the world (m)",
    velocity="World velocity (m/s)",
    acceleration="World acceleration (m/s²)",
    angular_velocity="World turn rate (rad/s)",
    contact_force="Sum of the contact forces (N)",
    x_axis="Direction in the world of the body's x axis",
    z_axis="Direction in the world of the body's z axis",
)
COMPONENTS = Choices(
    x="Along world x",
    y="Along world y",
    z="Along world z",
    size="Length of the vector",
    horizontal="Length of its level part",
)
BEYOND_CURVE = "beyond curve"
"""Column of the table with the measures of a run that follow from a contact deeper than its force curve has data."""
BODY_TAKES = ("start", "end", "min", "max", "mean", "time_of_max", "at")
OF_SEVERAL = {member.name: member.of_several for member in EVENT_MEMBERS if member.of_several}
"""Which of several contact events, or what of all of them, is meant by a member."""
CONTACT_TAKES = (*OF_SEVERAL, "point_x", "point_y", "point_z", "count")


@dataclass
class Distribution:
    """How an input is spread. Which members are needed depends on `kind`."""

    kind: str = described("How the values are spread", options=DISTRIBUTIONS)
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
    mode: str = described("What the spread is of", options=MODES, default="set")
    unit: str = ""
    source: str = ""
    """Where the spread comes from; absent is reported as assumed."""


@dataclass
class Design:
    """Which points of the ranges are run."""

    kind: str = described("Which values are run", options=DESIGNS, default="latin_hypercube")
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
    """Actor, "actor/body", "actor/zone", "actor/body/ellipsoid", a body's name, or an obstacle."""
    on: str = ""
    """The other side, named in the same way ("ground" is one); absent: anything."""
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
    value: str = described("What of the body", options=BODY_VALUES, default="position")
    component: str = described("Which part of the vector", options=COMPONENTS, default="size")
    take: str = ""
    """Of a body: one of start, end (when absent), min, max, mean, time_of_max, at. Of contacts: start (when absent)
    and so on, of the first one; peak_force and peak_penetration the largest, energy the sum."""
    time: float | None = None
    """s, for take "at"."""
    contact: Touch | None = None


@dataclass
class Event:
    """Something that happened in a run or did not. Exactly one kind of condition must be given."""

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


def read_sweep(path: str | os.PathLike) -> Sweep:
    """Read a sweep file. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        sweep = record_of(Sweep).read(document, "")
        check_names(sweep)
    for parameter in sweep.parameters:
        load_table(parameter.distribution, Path(path))
    return sweep


def document_of(sweep: Sweep) -> dict[str, Any]:
    """The sweep as its file holds it."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION}
    return head | record_of(Sweep).write(sweep, "")


def check_names(sweep: Sweep) -> None:
    """Names are columns of the table: given, and given once. Raises FileError."""
    check_table_names({kind: getattr(sweep, kind) for kind in ("parameters", "measures", "events", "marks")})


def check_table_names(columns: Mapping[str, Sequence[Any]], place: str = "") -> None:
    """Names of the entries of each kind that a table gets columns of; there must be parameters. Raises FileError."""
    if not columns["parameters"]:
        raise FileError("there is no parameter to vary", place=f"{place}/parameters", remedy="Add one")
    taken = {"run", "status", "message", BEYOND_CURVE}
    for kind, entries in columns.items():
        for index, entry in enumerate(entries):
            if not entry.name or entry.name in taken:
                message = f"the name {entry.name!r} is taken" if entry.name else "the name is empty"
                raise FileError(message, place=f"{place}/{kind}/{index}/name", remedy="Choose another name")
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
        text = strict_json.decode(strict_json.read_bytes(path))
        try:
            rows = list(csv.DictReader(text.splitlines()))
        except csv.Error as error:
            raise FileError(f"is no table ({error})", remedy="Save it as CSV with short fields") from error
        columns = (
            [name for name in rows[0] if name is not None] if rows else []
        )  # None: cells beyond the header
        column = distribution.column or (columns[0] if columns else "")
        if column not in columns:
            remedy = f"There are: {', '.join(columns)}" if columns else "Put a header and values into it"
            raise FileError(f"has no column {column!r}", remedy=remedy)
        try:
            distribution.values = [float(row[column]) for row in rows]
        except (TypeError, ValueError) as error:
            raise FileError(
                f"the column {column!r} holds something that is no number", remedy="Correct the file"
            ) from error
