"""What an evidence file holds, and how it is read. The keys are explained in docs/sweeps.md."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...engine.spec import Vector
from ...engine.spec.description import Choices, described
from ...io_json.declarations import record_of
from ...io_json.documents import read_document, require_names
from ...io_json.errors import FileError, in_file
from ...io_json.marks import read_marks
from ...places.camera.files import read_camera
from ..spec import MODES, Distribution, Parameter, Quantity, Touch, Traces, check_table_names, load_table

FORMAT = "mannequin-evidence"
FORMAT_VERSION = 1

TARGETS = Choices(
    rest_position="Where a body or an actor came to rest",
    rest_orientation="How a body lay",
    contact_mark="A mark on a surface, from the nearest contact",
    damage="A damage on a surface, from the hardest contact",
    throw_distance="How far an actor was thrown",
    video_points="Points of bodies in pictures of a camera",
    measure="A number taken from the run",
)


@dataclass
class Unknown:
    """An input to be found from the evidence, with the range in which it must lie."""

    name: str
    address: str
    """See `sweeps.inputs`."""
    low: float
    high: float
    mode: str = described("What lies in the range", options=MODES, default="set")
    unit: str = ""
    source: str = ""
    """Why it must lie in the range."""

    @property
    def parameter(self) -> Parameter:
        """As a parameter of a sweep."""
        spread = Distribution("uniform", low=self.low, high=self.high)
        return Parameter(self.name, self.address, spread, self.mode, self.unit, self.source)


@dataclass
class Camera:
    """A camera: where it is and looks, its 3 x 4 projection matrix, or the file of a matched one. Pixels from the upper
    left corner."""

    position: Vector | None = None
    """m"""
    target: Vector | None = None
    """A point on the optical axis, m."""
    up: Vector = (0.0, 0.0, 1.0)
    focal_length: float | None = None
    """Pixels."""
    centre: list[float] = field(default_factory=list)
    """Pixels (x, y) of the optical axis in the picture."""
    matrix: list[list[float]] | None = None
    """Homogeneous world point to homogeneous pixel, in place of all the rest."""
    distortion: list[float] = field(default_factory=list)
    """Radial terms k1, k2; with focal length and centre only."""
    file: str = ""
    """File of a matched camera (`camera match`), beside the evidence, from which all the rest is taken."""


@dataclass
class TrackedPoint:
    """A point of a body as seen in a picture."""

    time: float
    """s of the run."""
    body: str
    """"actor/body"."""
    pixel: list[float]
    """x to the right, y down."""
    point: Vector | None = None
    """In the body's frame, m; absent: its centre of mass."""


@dataclass
class Target:
    """Something that was found, and how far off a run may be and still agree with it."""

    name: str
    kind: str = described("What was found", options=TARGETS)
    tolerance: float
    """Metres, degrees, pixels or the unit of the measure: the largest deviation that still agrees. With an ellipse: in
    ellipses, 1 on its edge."""
    body: str = ""
    """rest_position ("actor" or "actor/body"), rest_orientation ("actor/body"), throw_distance ("actor")."""
    mark: str = ""
    """rest_position, contact_mark, damage: mark of the evidence's `marks` that gives place, ellipse and body."""
    ellipse: tuple[float, float, float] | None = None
    """rest_position, contact_mark: half axes, m, and angle of the first from x, degrees, of where it may have been."""
    position: list[float] | None = None
    """rest_position: world x, y [, z] in m."""
    orientation: Vector | None = None
    """rest_orientation: (Z, Y, X) degrees of the body in the world."""
    contact: Touch | None = None
    """contact_mark, damage: which contact. The mark is on its side `on`."""
    point: Vector | None = None
    """contact_mark, damage: in the frame of the body (or obstacle) that carries it, m."""
    distance: float | None = None
    """throw_distance: m."""
    camera: Camera | None = None
    points: list[TrackedPoint] = field(default_factory=list)
    """video_points."""
    measure: Quantity | None = None
    value: float | None = None
    """measure: what it was."""
    source: str = ""


@dataclass
class Search:
    """How long to look. The same seed looks at the same points."""

    seed: int = 1
    runs: int = 1500
    """Runs at most, in all."""
    samples: int = 300
    """Agreeing starts wanted."""


@dataclass
class Hypothesis:
    """What may have happened: inputs with their spreads, to be held against the same targets."""

    name: str
    parameters: list[Parameter]


@dataclass
class Comparison:
    """How hypotheses are compared. The same seed runs the same points."""

    runs: int = 200
    """Of each hypothesis."""
    seed: int = 1
    cases: int = 200
    """Synthetic cases of the calibration."""


@dataclass
class Evidence:
    """An evidence file."""

    name: str
    scenario: str
    unknowns: list[Unknown] = field(default_factory=list)
    """Of a fit."""
    targets: list[Target] = field(default_factory=list)
    search: Search = field(default_factory=Search)
    changes: dict[str, Any] = field(default_factory=dict)
    keep_on_ground: list[str] = field(default_factory=list)
    description: str = ""
    marks: str = ""
    """File of marks beside this one, for targets that name a `mark`."""
    traces: Traces | None = None
    """Paths kept of every run of a fit."""
    hypotheses: list[Hypothesis] = field(default_factory=list)
    comparison: Comparison = field(default_factory=Comparison)


def read_evidence(path: str | os.PathLike) -> Evidence:
    """Read an evidence file. Raises FileError."""
    document = read_document(Path(path), FORMAT, FORMAT_VERSION)
    with in_file(path):
        evidence = record_of(Evidence).read(document, "")
        for index, target in enumerate(evidence.targets):
            if target.camera is not None and target.camera.file:
                target.camera = _matched_camera(target.camera.file, Path(path), f"/targets/{index}/camera")
        _take_marks(evidence, Path(path))
        check(evidence)
    for parameter in (entry for hypothesis in evidence.hypotheses for entry in hypothesis.parameters):
        load_table(parameter.distribution, Path(path))
    return evidence


def _beside(name: str, evidence: Path, place: str) -> Path:
    """Path of a file that the evidence names. Raises FileError where it lies elsewhere."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise FileError(f"the file {name!r} lies elsewhere", place=place, remedy="Put it beside the evidence")
    return evidence.parent / name


def _take_marks(evidence: Evidence, path: Path) -> None:
    """Give targets that name a mark its place, ellipse and body; the evidence then holds all of it."""
    if not any(target.mark for target in evidence.targets):
        return
    marks = {}
    if evidence.marks:
        marks = {mark.name: mark for mark in read_marks(_beside(evidence.marks, path, "/marks"))}
    for index, target in enumerate(evidence.targets):
        if not target.mark:
            continue
        if target.mark not in marks:
            known = ", ".join(marks) or "none: name their file as 'marks'"
            place = f"/targets/{index}/mark"
            raise FileError(f"there is no mark {target.mark!r}", place=place, remedy=f"There are: {known}")
        mark = marks[target.mark]
        target.ellipse = target.ellipse or mark.ellipse
        target.body = target.body or mark.body
        target.source = target.source or mark.source
        if target.kind == "rest_position":
            target.position = target.position or list(mark.position[:2])
        else:
            target.point = target.point or mark.position


def _matched_camera(name: str, beside: Path, place: str) -> Camera:
    """The camera of a file, which stays named; the evidence then holds all of it. Raises FileError."""
    matched = read_camera(_beside(name, beside, place))
    target = tuple(float(x) for x in matched.position + matched.view)
    up = tuple(float(x) for x in matched.axes[:, 1])
    return Camera(
        position=matched.position,
        target=target,
        up=up,
        focal_length=matched.focal_px,
        centre=list(matched.center_px),
        distortion=list(matched.distortion),
        file=name,
    )


def document_of(evidence: Evidence) -> dict[str, Any]:
    """The evidence as its file holds it."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION}
    return head | record_of(Evidence).write(evidence, "")


def check(evidence: Evidence) -> None:
    """What the file alone can show to be wrong. Raises FileError."""
    for kind in ("unknowns", "targets", "hypotheses"):
        entries = getattr(evidence, kind)
        if not entries and kind != "hypotheses" and not (kind == "unknowns" and evidence.hypotheses):
            raise FileError(f"there are no {kind}", place=f"/{kind}", remedy="Give at least one")
        require_names([entry.name for entry in entries], f"/{kind}")
    for index, unknown in enumerate(evidence.unknowns):
        if not unknown.low < unknown.high:
            raise FileError(
                f"{unknown.name}: low {unknown.low} is not below high {unknown.high}",
                place=f"/unknowns/{index}",
                remedy="Give low < high",
            )
    for index, target in enumerate(evidence.targets):
        _check_target(target, f"/targets/{index}")
    for index, hypothesis in enumerate(evidence.hypotheses):
        check_table_names({"parameters": hypothesis.parameters}, f"/hypotheses/{index}")
    if len(evidence.hypotheses) == 1:
        raise FileError("there is one hypothesis", place="/hypotheses", remedy="Give two or more, or none")
    if evidence.search.runs < 20 * len(evidence.unknowns):
        remedy = f"Allow at least {20 * len(evidence.unknowns)}"
        raise FileError(f"{evidence.search.runs} runs are too few", place="/search/runs", remedy=remedy)


NEEDED = {
    "rest_position": ("body", "position"),
    "rest_orientation": ("body", "orientation"),
    "contact_mark": ("contact", "point"),
    "damage": ("contact", "point"),
    "throw_distance": ("body", "distance"),
    "video_points": ("camera", "points"),
    "measure": ("measure", "value"),
}


def _check_target(target: Target, place: str) -> None:
    for name in NEEDED[target.kind]:
        if getattr(target, name) in (None, "", []):
            raise FileError(f"a {target.kind} needs {name!r}", place=place, remedy=f"Add {name!r}")
    if not target.tolerance > 0.0:
        raise FileError("the tolerance is not above 0", place=place, remedy="Say how far off a run may be")
    if target.position is not None and len(target.position) not in (2, 3):
        raise FileError(
            "a position has two or three numbers", place=f"{place}/position", remedy="Give x, y [, z]"
        )
    if target.kind in ("contact_mark", "damage") and not target.contact.on:
        raise FileError(
            "the contact does not say on what the mark is", place=f"{place}/contact", remedy="Add 'on'"
        )
    if any(len(tracked.pixel) != 2 for tracked in target.points):
        raise FileError("a pixel has two numbers", place=f"{place}/points", remedy="Give x and y")
