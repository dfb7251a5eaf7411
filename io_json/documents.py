"""Files of ours that are one JSON object with a format and its version: how they begin, read and written."""

import os
from collections.abc import Sequence
from typing import Any

from . import strict_json
from .errors import FileError, in_file
from .model_json import check_version
from .model_keys import require_object


def require_names(names: Sequence[str], place: str) -> None:
    """Refuse a list in which an entry has no name, or that of another one. Raises FileError."""
    for index, name in enumerate(names):
        if not name or name in names[:index]:
            message = f"the name {name!r} is empty or taken"
            raise FileError(message, place=f"{place}/{index}/name", remedy="Choose another")


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
