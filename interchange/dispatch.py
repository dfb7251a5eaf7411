"""Which reader or writer a file's name calls for."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from ..engine.errors import EngineError
from ..engine.spec import Model, Scenario
from ..engine.spec.validation import spec_issues
from ..io_json.atomic import write_text
from ..io_json.errors import FileError
from .common.findings import Finding, Findings
from .common.hinges import plain_model
from .common.imported import Imported
from .hyfydy import read_hfd, write_hfd, write_state
from .mujoco import mjcf, read_mjcf, write_mjcf
from .opensim import read_osim

READERS: dict[str, Callable[[str | os.PathLike], Imported]] = {
    ".hfd": read_hfd,
    ".osim": read_osim,
    ".xml": read_mjcf,
}
"""File name ending to reader."""
WRITERS: dict[str, Callable[..., list[Finding]]] = {
    ".hfd": write_hfd,
    ".xml": write_mjcf,
}
"""File name ending to writer of models."""


def ending(path: str | os.PathLike) -> str:
    """The ending of a file's name, in small letters."""
    return Path(path).suffix.lower()


STATE = ".zml"
"""Ending of state files: a start alone."""


def read_model(
    path: str | os.PathLike, config: str | os.PathLike | None = None, state: str | os.PathLike | None = None
) -> tuple[Model, list[Finding]]:
    """The model in a file, and what was not carried over, which its notes hold too.

    config, state: of a .hfd model, the file that chooses forces and integrator, and that of the start. Raises
    `FileError`.
    """
    model, findings = _imported(path, config, state).as_model()
    model.notes = _notes(path, findings)
    return model, findings


def read_scenario(
    path: str | os.PathLike, config: str | os.PathLike | None = None, state: str | os.PathLike | None = None
) -> tuple[Scenario, list[Finding]]:
    """The model in a file with its start, the surroundings and gravity. config, state: as in `read_model`. Raises
    `FileError`."""
    scenario, findings = _imported(path, config, state).as_scenario()
    scenario.actors[0].model.notes = _notes(path, findings)
    return scenario, findings


def write_model(model: Model, path: str | os.PathLike, ball_hinges: bool = False) -> list[Finding]:
    """Write a model in the format of the file's name; returns what was not carried over exactly.

    ball_hinges: ball joints with axis limits as three hinges, in MJCF (.xml) only.
    Raises `FileError`, also for a model that has errors: another program would refuse it, or read something else.
    """
    writer = WRITERS.get(ending(path))
    if writer is None:
        raise _unknown(path, WRITERS, "written")
    _require_hinges_wanted(ball_hinges, path)
    _require_sound(model, path)
    findings = Findings()
    options = {"ball_hinges": True} if ball_hinges else {}
    written = writer(plain_model(model, {}, findings), path, **options)
    return [*findings.list(), *written]


def write_scenario(scenario: Scenario, path: str | os.PathLike, ball_hinges: bool = False) -> list[Finding]:
    """Write a whole scenario as MJCF, or the start of its one actor as a state file (.zml); returns what was not
    carried over exactly. Raises `FileError`.

    ball_hinges: as in `write_model`."""
    if ending(path) not in (".xml", STATE):
        remedy = "Name it .json, .xml for MuJoCo, or .zml for the start alone"
        raise FileError("cannot hold a scenario", path=path, remedy=remedy)
    _require_sound(scenario, path)
    if ending(path) == STATE:
        if len(scenario.actors) != 1:
            raise FileError("a state file holds the start of one actor", path=path, remedy="Leave one actor")
        return write_state(scenario.actors[0], path)
    try:
        held = Findings()
        actors = [
            replace(actor, model=plain_model(actor.model, actor.joint_angles, held))
            for actor in scenario.actors
        ]
        text, findings = mjcf(replace(scenario, actors=actors), ball_hinges=ball_hinges)
    except (ValueError, EngineError) as error:
        raise FileError(str(error), path=path, remedy="Write fewer of them at a time") from error
    write_text(path, text)
    return [*held.list(), *findings]


def _notes(path: str | os.PathLike, findings: Iterable[Finding]) -> list[str]:
    """Notes that go into every report of a run with the model."""
    return [f"Read from {Path(path).name}: {finding}" for finding in findings]


def _imported(
    path: str | os.PathLike, config: str | os.PathLike | None, state: str | os.PathLike | None
) -> Imported:
    reader = READERS.get(ending(path))
    if reader is None:
        raise _unknown(path, READERS, "read")
    if config is None and state is None:
        return reader(path)
    if reader is not read_hfd:
        raise FileError(
            "takes no configuration and no state file", path=path, remedy="Give them with a .hfd model"
        )
    return read_hfd(path, config, state)


def _unknown(path: str | os.PathLike, known: Iterable[str], done: str) -> FileError:
    endings = " or ".join(known)
    return FileError(f"is not of a kind that can be {done} here", path=path, remedy=f"Name it {endings}")


def _require_hinges_wanted(ball_hinges: bool, path: str | os.PathLike) -> None:
    if ball_hinges and ending(path) != ".xml":
        raise FileError("has no hinges for ball joints", path=path, remedy="Name it .xml, for MuJoCo")


def _require_sound(content: Model | Scenario, path: str | os.PathLike) -> None:
    """Refuse what the engine would refuse as it is written, with the first reason."""
    errors = [issue for issue in spec_issues(content) if issue.severity == "error"]
    if errors:
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        message = f"is not written: {first.place}: {first.message}{more}"
        raise FileError(message, path=path, remedy=f"{first.remedy}. `validate` lists all")
