"""Ways to break a JSON file: by its structure, and byte by byte. Drawn by hypothesis."""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy], Any]

ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([10**29, -(10**29), 1e308, -1e308, 5e-324, 0.5, -0.0, 26, 1e9]),
    st.sampled_from(
        ["", "x", "GROUND", "nan", "1", "1 2 3", "é", "../x", "/etc/passwd", "male", "free", "curve"]
    ),
    st.sampled_from([[], {}, [[]], [0], [0, 0, 0], [[0, 0], [1, 1]], [None], {"format": 1}, {"": 0}]),
)
KEYS = st.sampled_from(
    [
        "mannequin",
        "format",
        "name",
        "bodies",
        "joints",
        "models",
        "cg",
        "T2_inv",
        "model",
        "units",
        "",
        "x",
        "#keys",
    ]
)


def containers(value: Any) -> list[Any]:
    """Every object and list of a document, itself included."""
    found, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, (dict, list)):
            found.append(item)
            stack += item.values() if isinstance(item, dict) else item
    return found


def mutate_document(draw: Draw, document: Any) -> Any:
    """A copy of a parsed document with one to four changes to its structure."""
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 4))):
        places = containers(document)
        _mutate(draw, places[draw(st.integers(0, len(places) - 1))], places)
    return document


def _mutate(draw: Draw, place: Any, places: list[Any]) -> None:
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    kind = draw(st.sampled_from(["set", "set", "delete", "add", "swap", "rename", "graft"]))
    if not keys or kind == "add":
        _add(draw, place)
        return
    key = keys[draw(st.integers(0, len(keys) - 1))]
    if kind == "delete":
        del place[key]
    elif kind == "swap":
        other = keys[draw(st.integers(0, len(keys) - 1))]
        place[key], place[other] = place[other], place[key]
    elif kind == "rename" and isinstance(place, dict):
        place[draw(KEYS)] = place.pop(key)
    elif kind == "graft":
        place[key] = copy.deepcopy(places[draw(st.integers(0, len(places) - 1))])
    else:
        place[key] = copy.deepcopy(draw(ODD_VALUES))


def _add(draw: Draw, place: Any) -> None:
    if isinstance(place, dict):
        place[draw(KEYS)] = copy.deepcopy(draw(ODD_VALUES))
    else:
        place.append(copy.deepcopy(draw(ODD_VALUES)))


WORDS = st.sampled_from(
    [
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"[",
        b"{",
        b"]",
        b"}",
        b",",
        b":",
        b'"',
        b"\\u0000",
        b"\\ud800",
        b"\xff",
        b"\x00",
    ]
    + [
        b"null",
        b"true",
        b"-",
        b"9" * 400,
        b"[" * 100,
        b'"mannequin":{"format":1},',
        b'"name":1,',
        b"\n",
        b" ",
    ]
)


def mutate_bytes(draw: Draw, data: bytes) -> bytes:
    """A copy of a file with one to five changes to its bytes."""
    content = bytearray(data)
    for _ in range(draw(st.integers(1, 5))):
        position = draw(st.integers(0, len(content)))
        kind = draw(st.sampled_from(["set", "insert", "delete", "cut", "repeat"]))
        if kind == "insert":
            content[position:position] = draw(WORDS)
        elif kind == "delete":
            del content[position : position + draw(st.integers(1, 60))]
        elif kind == "cut":
            del content[position:]
        elif kind == "repeat":
            content[position:position] = content[position : position + draw(st.integers(1, 200))]
        elif position < len(content):
            content[position] = draw(st.integers(0, 255))
    return bytes(content)
