"""What a run folder must hold, made again from its scenario and a recording, and what of a folder is not so.

A table, the summary, the files of scenario and models and most of the manifest follow from the scenario and the
recording; they are written again, by the functions that write a run, and compared. What does not follow from them (when
the run was made, from which files, on which machine) stands in the manifest and in the summary, and the two must agree:
a change in one of them shows. Whoever changes both has made another statement, which only a digest noted elsewhere or a
signature can show.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...io_json import scenario_json
from ...io_json.addresses import with_values
from ...io_json.any_file import read_any
from ...io_json.errors import FileError
from ..measures.step_resolution import judged
from . import manifest
from .ahead import Ahead
from .differences import file_difference, member_differences
from .run_folder import PACKAGE, file_stem, names_in, scenario_with_own_models, summary_name, write_files
from .summary import statements

STATED = ("started", "ended", "versions", "platform", "compiled_code", "inputs", "overrides")
"""Members of a manifest that no second simulation can show."""
OWN_CHECKS = ("sha256", "outputs", *STATED)
"""Members that are not compared one by one."""


@dataclass(frozen=True)
class Truth:
    """What follows from a scenario and a recording."""

    stem: str
    wanted_stem: Callable[[datetime], str]
    files: Mapping[str, bytes]
    """All but the recording (compared array by array) and the manifest; the summary without its statements."""
    digests: Mapping[str, str]
    content: Mapping[str, Any]
    """Members of the manifest that are no statements."""
    members: tuple[str, ...]
    """All members of a manifest but its digest, in their order."""

    def problems(
        self, content: Mapping[str, Any], read: Callable[[str], bytes], slack: float = 0.0
    ) -> Iterator[str]:
        """What differs in a manifest and the files that it lists, each with its file and value; `read` gives the bytes
        of a file, `slack` what numbers of texts may differ by."""
        yield from self._members(content)
        yield from self._names(content)
        yield from self._times(content)
        listed = {entry["path"]: entry for entry in content["outputs"]}
        for name, wanted in self.files.items():
            if name not in listed:
                continue
            digest = self.digests[name]
            if name == summary_name(self.stem):
                wanted += statements(content).encode("utf-8")
                digest = manifest.sha256_of(wanted)
            if listed[name]["sha256"] == digest and listed[name]["bytes"] == len(wanted):
                continue
            stored = read(name)
            difference = file_difference(name, stored, wanted, slack)
            if not difference and not slack:
                difference = f"is said to have {listed[name]['bytes']} bytes, it has {len(stored)}"
            if difference:
                yield f"{name}: {difference}"
        name = f"{self.stem}_recording.npz"
        if name in listed and listed[name] != {"path": name, **_described(read(name))}:
            yield f"{name}: has another size or digest than the manifest says"

    def _members(self, content: Mapping[str, Any]) -> Iterator[str]:
        kept = {key: value for key, value in content.items() if key not in OWN_CHECKS}
        for text in member_differences(kept, dict(self.content)):
            yield f"{manifest.FILE_NAME}: {text}"
        for name in ("versions", "platform", "compiled_code"):
            if wrong := [key for key, value in content[name].items() if not isinstance(value, str)]:
                yield f"{manifest.FILE_NAME}: {name}.{wrong[0]}: is no text"
        if [*content] != [*self.members, "sha256"]:
            yield f"{manifest.FILE_NAME}: members: are missing, in another order, or not of a run"

    def _names(self, content: Mapping[str, Any]) -> Iterator[str]:
        """Every file that a run writes is listed, each once, and none besides."""
        listed = [entry["path"] for entry in content["outputs"]]
        wanted = sorted([*self.files, f"{self.stem}_recording.npz"])
        for name in wanted:
            if name not in listed:
                yield f"{manifest.FILE_NAME}: outputs: {name} is missing, which a run writes"
        for name in listed:
            if name not in wanted:
                yield f"{manifest.FILE_NAME}: outputs: {name} is listed, which this run does not write"
        if listed != wanted and sorted(listed) == wanted:
            yield f"{manifest.FILE_NAME}: outputs: are in another order"
        if len(set(listed)) != len(listed):
            yield f"{manifest.FILE_NAME}: outputs: a file is listed twice"
        for part in ("inputs", "outputs"):
            for number, entry in enumerate(content[part]):
                if list(entry) != list(manifest.FILE_MEMBERS):
                    yield f"{manifest.FILE_NAME}: {part}.{number}: has other members than path, bytes and sha256"

    def _times(self, content: Mapping[str, Any]) -> Iterator[str]:
        """The start is in the names of all files as well; the end comes after it."""
        moments = []
        for name in ("started", "ended"):
            try:
                moment = datetime.fromisoformat(content[name])
                right = manifest.utc_text(moment)
            except ValueError:
                right = ""
            if content[name] != right:
                yield f"{manifest.FILE_NAME}: {name}: {content[name][:40]!r} is no time in UTC as a run writes it"
                return
            moments.append(moment)
        wanted = self.wanted_stem(moments[0])
        if not re.fullmatch(re.escape(wanted) + r"(_\d+)?", self.stem):
            yield (
                f"{manifest.FILE_NAME}: started: {content['started']} does not agree with the names of the files, "
                f"which begin with {self.stem}"
            )
        if moments[1] < moments[0]:
            yield f"{manifest.FILE_NAME}: ended: {content['ended']} is before the start"


def _described(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": manifest.sha256_of(data)}


def regenerate(scenario: Scenario, recording: Recording, content: Mapping[str, Any]) -> Truth:
    """Everything that a run writes of a scenario and a recording, under the name that a manifest states."""
    recording = judged(scenario, recording)
    stem, now = content["run"], datetime.fromisoformat("2000-01-01T00:00:00+00:00")
    scenario = scenario_with_own_models(scenario)
    ahead = Ahead(scenario)
    built = manifest.build(stem, scenario, recording, started=now, ended=now, parameters=ahead.parameters)
    with TemporaryDirectory(prefix="mannequin-verify-") as place:
        write_files(Path(place), stem, ahead, recording, built)
        names = [name for name in names_in(Path(place)) if not name.endswith("_recording.npz")]
        files = {name: (Path(place) / name).read_bytes() for name in names}
    summary = summary_name(stem)
    files[summary] = files[summary].removesuffix(statements(built).encode("utf-8"))
    return Truth(
        stem=stem,
        wanted_stem=lambda started: file_stem(scenario.name, started),
        files=files,
        digests={name: manifest.sha256_of(data) for name, data in files.items()},
        content={key: value for key, value in built.items() if key not in OWN_CHECKS},
        members=tuple(built),
    )


def input_problems(folder: Path, content: Mapping[str, Any], scenario: Scenario) -> Iterator[str]:
    """Where the scenario differs from the input file that the manifest names, with its changes made again.

    Only where that file is there (beside the run, or a file of the program), and it and the models that it names have
    the digests of the manifest.
    """
    stem, path = content["run"], _input_file(folder, content)
    if path is None:
        return
    try:
        _, given = read_any(path, allow_outside=True)
    except FileError:
        return  # of another kind, such as the plan of a sweep
    if not isinstance(given, Scenario):
        return
    try:
        for name, value in content["overrides"].items():
            given = _with_value(given, name, value)
    except FileError as error:
        yield f"{manifest.FILE_NAME}: overrides: cannot be made in {path.name}: {error}"
        return
    for text in member_differences(_comparable(scenario), _comparable(given)):
        yield f"{stem}_scenario.json: {text} by the input {path.name}"


def _with_value(scenario: Scenario, name: str, value: Any) -> Scenario:
    try:
        return with_values(scenario, [(name, value)])
    except FileError:
        if value is None:
            return with_values(scenario, [(name, "none")])
        raise


def _comparable(scenario: Scenario) -> Any:
    """A scenario as its file in a run folder holds it: what was read from there can be no other."""
    return json.loads(scenario_json.dumps(scenario_with_own_models(scenario)))


def _input_file(folder: Path, content: Mapping[str, Any]) -> Path | None:
    """The first input where all inputs that are there are as they were: a model that it names may be another today."""
    if not content["inputs"] or changed_inputs(folder, content):
        return None
    path = input_place(folder, content["inputs"][0]["path"])
    return path if path.is_file() and path.suffix == ".json" else None


def changed_inputs(folder: Path, content: Mapping[str, Any]) -> list[str]:
    """Names of the inputs of a manifest that are there and are no longer what they were."""
    names = []
    for entry in content["inputs"]:
        path = input_place(folder, entry["path"])
        if path.is_file() and manifest.sha256_of_file(path) != entry["sha256"]:
            names.append(entry["path"])
    return names


def input_place(folder: Path, name: str) -> Path:
    """Where an input of a manifest is: a file of the program, or one beside the run."""
    return PACKAGE / name.removeprefix("mannequin/") if name.startswith("mannequin/") else folder / name
