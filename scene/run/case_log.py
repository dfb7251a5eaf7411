"""What is done in Blender, entered into the log of the case in whose folder the file, or its runs folder, lies."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ...analysis.files.manifest import FILE_NAME
from ...evidence.cases.case import Case, find_case
from ...evidence.cases.log import KINDS
from ..base.errors import SceneError

IMPORTED, RUN, EXPORTED = "imported", "run", "exported"
LOOKED_AT = "looked at"
BEGINNINGS = {
    "import": IMPORTED, "open": IMPORTED, "read": IMPORTED, "simulate": RUN, "start_sweep": RUN, "run_": RUN,
    "fit": RUN, "compare": RUN,
    "export": EXPORTED, "write": EXPORTED, "make_report": EXPORTED, "report": EXPORTED, "render": EXPORTED,
    "make_viewer": EXPORTED, "jump": LOOKED_AT, "show": LOOKED_AT, "toggle": LOOKED_AT, "check": LOOKED_AT,
}  # fmt: skip
"""How the name of an operator begins, to the kind of its entry; any other sets something."""
NOT_LOGGED = ("note_in_case", "drag_velocity")


def case_of(scene: bpy.types.Scene) -> Case | None:
    """The case that a scene belongs to: its file was saved in the case's folder, or its runs go there."""
    places = [bpy.data.filepath, scene.mannequin.results.folder]
    if scene.mannequin.runs.folder and not scene.mannequin.runs.folder.startswith("//"):
        places.append(scene.mannequin.runs.folder)
    for place in filter(None, places):
        if (case := find_case(Path(bpy.path.abspath(place)))) is not None:
            return case
    return None


def log_step(scene: bpy.types.Scene, name: str, label: str, message: str, values: Mapping[str, Any]) -> str:
    """Enter what an operator did; returns a warning where the log cannot be written, else ""."""
    case = None if name in NOT_LOGGED else case_of(scene)
    if case is None:
        return ""
    kind = next((kind for beginning, kind in BEGINNINGS.items() if name.startswith(beginning)), "set")
    details = {
        key: value
        for key, value in values.items()
        if isinstance(value, str | int | float | bool) and value != ""
    }
    try:
        case.log(
            kind,
            f"{label}: {message}" if message else label,
            details=details,
            files=files_of(scene, kind),
            host=host(),
        )
    except OSError as error:
        return f"The log of case {case.number} cannot be written: {error}"
    except Exception as error:  # a broken log must not undo what was done
        return f"The log of case {case.number}: {error}"
    return ""


def files_of(scene: bpy.types.Scene, kind: str) -> list[Path]:
    """The manifest of the run that an entry is about."""
    folder = scene.mannequin.results.folder
    path = Path(bpy.path.abspath(folder)) / FILE_NAME if folder else None
    return [path] if path is not None and path.is_file() and kind in (RUN, EXPORTED, LOOKED_AT) else []


def host() -> str:
    """Name and version of this program."""
    return f"Blender {bpy.app.version_string}"


def note_in_case(scene: bpy.types.Scene, kind: str, text: str) -> int:
    """Enter the examiner's own words; returns the number of the entry. Raises SceneError, FileError."""
    case = case_of(scene)
    if case is None:
        raise SceneError(
            "this file lies in no case folder: open a case with `case new` and save the file there"
        )
    if not text.strip() or kind not in KINDS:
        raise SceneError("write what is to be entered")
    return case.log(kind, text, files=files_of(scene, LOOKED_AT), host=host())["number"]
