"""What goes to a child process and what comes back: every message, once, for both sides.

A message is a line of JSON: its class by name, and the fields of the class, all of them and no others. Requests go to
the child's standard input, answers to a file that only grows, and goes on in another when it is large. A child ends
when its input does, that is, when the process that started it has ended.
"""

import dataclasses
import json
import os
import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

KIND = "kind"
"""Member of the JSON object that names the class."""
LONGEST = 16_000_000
"""Bytes of a line; more is no message."""
SHOWN = 60
"""Characters quoted of a line that is no message."""


class BadMessage(Exception):
    """A line that is no message of this protocol."""


# --- requests: what a child is asked --------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfJob:
    """A message about a job."""

    job: int


@dataclass(frozen=True)
class Simulate(OfJob):
    """Run a scenario. With `out` write a run folder below it. With `frames` leave the recording there as arrays: with
    `out` as well, as soon as it is computed (`Recorded`), where it is not too large for that."""

    scenario: Path
    """File, as written by `io_json.exact_copy`"""
    out: Path | None = None
    started: str = ""
    """ISO time, for the manifest"""
    host: dict[str, str] = dataclasses.field(default_factory=dict)
    """What the run was started from, for the manifest"""
    frames: Path | None = None


@dataclass(frozen=True)
class TakePreview(OfJob):
    """Run a scenario and answer with its preview (`analysis.measures.preview`): no file is read or written."""

    scenario: str
    """Its text by `io_json.exact_copy`, without models and obstacles"""
    models: list[str]
    """Key of each actor's model"""
    obstacles: list[str]
    """Key of each obstacle"""
    parts: dict[str, str]
    """Key to text of those models and obstacles that were not sent before"""


@dataclass(frozen=True)
class WriteReport(OfJob):
    """Write the report of a run folder, with a check of the time step."""

    run: Path


@dataclass(frozen=True)
class DrawMomentArms(OfJob):
    """Draw the moment arms of a muscle about a joint, with what is coupled to it, over its range of motion."""

    model: Path
    """Model file"""
    muscle: str
    joint: str
    axis: str
    picture: Path
    """PNG file to write"""


@dataclass(frozen=True)
class RunSweep(OfJob):
    """Run a sweep file to its end, on all cores; one that was begun before goes on."""

    file: Path
    out: Path
    """Folder below which what comes out has its own"""


class RunFit(RunSweep):
    """Find the starts that agree with an evidence file, on all cores; a fit that was begun before goes on."""


class RunHypotheses(RunSweep):
    """Compare the hypotheses of an evidence file, on all cores; sweeps that were begun before go on."""


@dataclass(frozen=True)
class RunPoint(OfJob):
    """Make one run of a sweep or of a fit."""

    task: Path
    """File with what all its runs share (`sweeps.bench`)"""
    index: int
    """Number of the run"""
    values: list[float]
    """Of the parameters"""
    time_limit: float | None
    """s that the run may take"""


@dataclass(frozen=True)
class FilmShot:
    """A shot of a film: what the camera sees, and which part of the motion."""

    kind: str = "wide"
    """One of `film_choices.SHOTS`"""
    camera: str = ""
    """Name of the scene's camera that a shot of kind "camera" uses"""
    subject: str = ""
    """Actor it is fitted to; empty: as the film"""
    contact: str = ""
    """What a shot of kind "contact" shows: beginning of the impact's name; empty: the first between two actors"""
    start: float = 0.0
    end: float = 0.0
    """Simulated s; an end of 0 is that of the motion"""
    slowness: float = 1.0
    """How many times slower than true"""
    ease: float = 0.0
    """s of film over which the speed goes from true to slow, and back at the end"""
    hold: float = 0.0
    """s of film that the last picture stands still"""
    orbit: float = 0.0
    """Degrees that the camera goes round its subject, from first to last"""
    lens: float = 50.0
    """mm, at 36 mm of film"""
    f_stop: float = 0.0
    """Smaller blurs more of what is nearer or farther than the subject; 0: all is sharp"""
    title: str = ""


@dataclass(frozen=True)
class Film:
    """What to render, and into which file (a folder for a PNG sequence)."""

    target: Path
    format: str = "MP4"
    camera: str = "side"
    preset: str = "draft"
    width: int = 960
    height: int = 540
    overlay: bool = True
    frame_step: int = 1
    replay: float = 0.0
    """How many times slower than true the hardest impact is shown again at the end; 0: not"""
    shots: list[FilmShot] | None = None
    """None: the whole motion by `camera`; an empty list: shots proposed for the run"""
    rate: float = 0.0
    """Frames per second; 0: the scene's"""
    motion_blur: bool = False
    transparent: bool = False
    """No sky and no ground: for pictures that are laid over others"""
    sheet: bool = False
    """Also a contact sheet, beside the film"""
    inset: str = ""
    """Second camera, in a small view at the lower left: a view's name, or that of a camera of the scene"""
    frames: Path | None = None
    """Folder in which pictures are kept, so that a film that was cut off goes on with them"""


@dataclass(frozen=True)
class RenderScene(OfJob):
    """Render a scene of a Blender file."""

    blend: Path
    scene: str
    film: Film


@dataclass(frozen=True)
class RenderRuns(OfJob):
    """Open a run in an empty Blender file, or two side by side, and render it, save it, or both."""

    runs: list[Path]
    film: Film
    fps: int
    slowness: float
    """How many times slower than true the film plays"""
    slow: list[list[float]]
    """(start s, end s, factor) each"""
    case: str
    titles: list[str]
    readouts: list[str]
    stage: str
    ground: str
    subject: str
    """Actor that cameras follow; empty: all people"""
    blend: Path | None
    """File to save to"""
    is_filmed: bool
    labels: list[str] = dataclasses.field(default_factory=list)
    """Values attached to bodies, such as "speed:head\""""
    plot: str = ""
    """Time series of a small plot"""
    compare: str = "beside"
    """How two runs are shown: one of `film_choices.COMPARISONS`"""
    wipe: float = 0.5
    """Share of the picture's width at which wiped runs meet; 0: the line goes across during the film"""
    is_estimated: bool = False
    """Whether only the time that the film takes is looked for; the last progress tells it"""


@dataclass(frozen=True)
class Cancel(OfJob):
    """Drop a job, whether it is waiting or going on."""


@dataclass(frozen=True)
class ShowPose(OfJob):
    """Send the pose of a simulation once."""


# --- answers --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """The first answer: which Mannequin this is."""

    folder: Path


@dataclass(frozen=True)
class Compiling:
    """The first start on a machine: so many functions are compiled."""

    parts: int
    of: int


@dataclass(frozen=True)
class Ready:
    """Jobs are taken from now on."""


@dataclass(frozen=True)
class GoesOn:
    """The file of answers has grown large: the next ones are in another, beside it."""

    file: str


@dataclass(frozen=True)
class Alive:
    """The child is there, whatever it is doing: said every few seconds."""


@dataclass(frozen=True)
class Progress(OfJob):
    """Progress of a job: frames or runs done, and a text for the user."""

    done: int
    total: int
    text: str


@dataclass(frozen=True)
class Pose(OfJob):
    """Bodies of a simulation as far as it has come."""

    time: float
    """s"""
    origin: list[list[float]]
    """(bodies, 3) m"""
    quaternion: list[list[float]]
    """(bodies, 4)"""


@dataclass(frozen=True)
class Recorded(OfJob):
    """A simulation is computed and its recording can be read; its run folder is still being written, and will be even
    where this process is asked to end."""

    run: str
    """Name that the run folder will have"""


@dataclass(frozen=True)
class Done(OfJob):
    """The job's result: a folder or a file."""

    path: Path


@dataclass(frozen=True)
class RunDone(OfJob):
    """A run folder, and the measures that were taken for it."""

    path: Path
    measures: str
    """As packed by `analysis.measures.packed`"""


@dataclass(frozen=True)
class PointDone(OfJob):
    """What is kept of one run of a sweep or of a fit: the fields of `sweeps.bench.Row`."""

    index: int
    status: str
    values: list[float | bool | str | None]
    trace: str
    message: str


@dataclass(frozen=True)
class Previewed(OfJob):
    """What a run came to, as packed by `analysis.measures.preview`."""

    preview: str
    seconds: float = 0.0
    """That it took from taking the request to the answer"""


@dataclass(frozen=True)
class Failed(OfJob):
    """The job has no result; the message is meant for people."""

    message: str


@dataclass(frozen=True)
class Cancelled(OfJob):
    """The job was dropped."""


WORK = (
    Simulate,
    TakePreview,
    WriteReport,
    DrawMomentArms,
    RunSweep,
    RunFit,
    RunHypotheses,
    RunPoint,
    RenderScene,
    RenderRuns,
)
REQUESTS = (*WORK, Cancel, ShowPose)
ANSWERS = (
    Hello,
    Compiling,
    Ready,
    GoesOn,
    Alive,
    Progress,
    Pose,
    Recorded,
    Done,
    RunDone,
    PointDone,
    Previewed,
    Failed,
    Cancelled,
)
ENDS = (Done, RunDone, PointDone, Previewed, Failed, Cancelled)
"""Answers after which nothing more is said of a job."""


def encode(message: Any) -> bytes:
    """The line of a message, with its end."""
    content = {KIND: type(message).__name__, **dataclasses.asdict(message)}
    return json.dumps(content, default=os.fspath).encode("ascii") + b"\n"


def decode(line: bytes, kinds: Iterable[type]) -> Any:
    """The message of a line. Raises BadMessage where it is not one of these kinds, whole and in every field."""
    try:
        content = json.loads(line)
        kind = {kind.__name__: kind for kind in kinds}[content.pop(KIND)]
        return _read(kind, content)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        text = line[:SHOWN].decode("utf-8", errors="replace").strip()
        raise BadMessage(f"'{text}{'...' if len(line) > SHOWN else ''}'") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _read(hint: Any, value: Any) -> Any:
    """A value of the type that a field asks for. Raises TypeError."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return value if value is None and type(None) in inner else _read_any(inner, value)
    if dataclasses.is_dataclass(hint):
        if value.keys() != _hints(hint).keys():
            raise TypeError(f"fields of {hint.__name__}")
        return hint(**{name: _read(_hints(hint)[name], item) for name, item in value.items()})
    if type(value) is not (str if hint is Path else origin or hint):
        if not (hint is float and type(value) is int):
            raise TypeError(f"{value!r} is not of type {hint}")
    if origin is list:
        return [_read(inner[0], item) for item in value]
    if origin is dict:
        return {key: _read(inner[1], item) for key, item in value.items()}
    return hint(value) if hint in (Path, float) else value


def _read_any(hints: Iterable[Any], value: Any) -> Any:
    """A value of the first of several types that it fits. Raises TypeError."""
    for hint in hints:
        try:
            return _read(hint, value)
        except TypeError:
            continue
    raise TypeError(f"{value!r} is none of {hints}")
