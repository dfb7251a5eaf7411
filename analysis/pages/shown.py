"""What of the motion that Blender shows is not as it was simulated: written there, printed in the report."""

import json
from collections.abc import Sequence

from ...io_json import strict_json
from ...io_json.errors import FileError
from ..files.run_folder import Run, add_files, added_name

GROUP, FILE_NAME = "shown", "shown.json"
CLEAN = "The motion in the Blender file, when this report was asked for there, was as it was simulated."
EDITED = "The motion in the Blender file is not as it was simulated:"


def write_shown(run: Run, edits: Sequence[str]) -> None:
    """Leave the edits of a scene in the run folder. Raises FileError."""
    add_files(run.folder, GROUP, {FILE_NAME: (json.dumps(list(edits), indent=1) + "\n").encode("utf-8")})


def shown_sentences(run: Run) -> list[str]:
    """What the report says of the motion in Blender; nothing where it was not looked at. Raises FileError."""
    path = run.folder / added_name(run.stem, FILE_NAME)
    if not path.exists():
        return []
    edits = strict_json.parse(strict_json.decode(strict_json.read_bytes(path)))
    if not isinstance(edits, list) or not all(isinstance(edit, str) for edit in edits):
        raise FileError("is no list of edits", path=path, remedy="Make the report again from Blender")
    return [EDITED, *edits] if edits else [CLEAN]
