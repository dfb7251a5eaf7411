"""How JSON text is laid out when written.

`spread` is the layout of OpenMBD's files: two spaces per level, one value per line. `compact` is
ours: whatever fits on a line of `WIDTH` characters is put on one, so a matrix is one line and a person can read it.
"""

import json
from typing import Any

WIDTH = 110


def spread(document: Any) -> str:
    """JSON text in OpenMBD's layout: two spaces per level, one value per line."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def compact(document: Any) -> str:
    """JSON text in our layout: one line for whatever fits on it."""
    return _render(document, 0) + "\n"


def _render(value: Any, indent: int) -> str:
    """Text of a value whose first line starts at column `indent`."""
    if isinstance(value, dict):
        members = [_text(key) + ": " + _render(item, indent + 2) for key, item in value.items()]
        return _join(members, "{", "}", indent)
    if isinstance(value, (list, tuple)):
        return _join([_render(item, indent + 2) for item in value], "[", "]", indent)
    return _text(value)


_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
"""JSON of a value; `json.dumps` would make an encoder at every call."""


def _join(members: list[str], opening: str, closing: str, indent: int) -> str:
    """One line when everything fits, else one member per line."""
    length = sum(map(len, members)) + 2 * len(members)
    if indent + length <= WIDTH and not any("\n" in member for member in members):
        return opening + ", ".join(members) + closing
    pad = "\n" + " " * (indent + 2)
    return opening + pad + ("," + pad).join(members) + "\n" + " " * indent + closing
