"""The first value in which a file differs from what it should be, named: line and column of a table, member of JSON,
line of a text.

`slack` is how much two numbers may differ as a share of the larger one; zero asks for the same bytes.
"""

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from typing import Any

SHOWN = 60
"""Characters of a value that are shown."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def file_difference(name: str, stored: bytes, wanted: bytes, slack: float = 0.0) -> str:
    """What differs first, in words; "" where nothing does. `name` tells the kind of the file by its ending."""
    if stored == wanted:
        return ""
    try:
        one, other = stored.decode("utf-8"), wanted.decode("utf-8")
    except UnicodeDecodeError:
        return "is not the text that the run gives"
    kinds = {".csv": _table_difference, ".json": _json_difference}
    ending = name[name.rfind(".") :]
    return kinds.get(ending, _text_difference)(one, other, slack)


def member_differences(stored: Any, wanted: Any, place: str = "") -> Iterator[str]:
    """Every member of JSON content that differs, by its dotted place."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys([*wanted, *stored]):
            inner = f"{place}.{key}" if place else str(key)
            if key not in stored:
                yield f"{inner}: is missing, it should be {_shown(wanted[key])}"
            elif key not in wanted:
                yield f"{inner}: {_shown(stored[key])} does not belong there"
            else:
                yield from member_differences(stored[key], wanted[key], inner)
        if list(stored) != list(wanted) and set(stored) == set(wanted):
            yield f"{place or 'members'}: are in another order"
    elif isinstance(stored, list) and isinstance(wanted, list):
        if len(stored) != len(wanted):
            yield f"{place}: has {len(stored)} entries, it should have {len(wanted)}"
        for number, (one, other) in enumerate(zip(stored, wanted, strict=False)):
            yield from member_differences(one, other, f"{place}.{number}")
    elif type(stored) is not type(wanted) or stored != wanted:
        yield f"{place}: {_shown(stored)}, it should be {_shown(wanted)}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _table_difference(stored: str, wanted: str, slack: float) -> str:
    one, other = (list(csv.reader(io.StringIO(text))) for text in (stored, wanted))
    header = other[0] if other else []
    for number, (row, right) in enumerate(zip(one, other, strict=False), start=1):
        if len(row) != len(right):
            return f"line {number} has {len(row)} columns, it should have {len(right)}"
        for column, (value, should) in enumerate(zip(row, right, strict=True)):
            if not _agree(value, should, slack):
                return f"line {number}, {header[column]}: {value[:SHOWN]}, it should be {should[:SHOWN]}"
    if len(one) != len(other):
        return f"has {len(one)} lines, it should have {len(other)}"
    return "" if slack else "is spelled otherwise than a run spells it"


def _json_difference(stored: str, wanted: str, slack: float) -> str:
    try:
        one = json.loads(stored)
    except ValueError:
        return "is no JSON"
    return next(member_differences(one, json.loads(wanted)), "is spelled otherwise than a run spells it")


def _text_difference(stored: str, wanted: str, slack: float) -> str:
    one, other = stored.split("\n"), wanted.split("\n")
    for number, (line, right) in enumerate(zip(one, other, strict=False), start=1):
        if not _agree(line, right, slack):
            return f"line {number}: '{_around(line, right)}', it should be '{_around(right, line)}'"
    return f"has {len(one)} lines, it should have {len(other)}" if len(one) != len(other) else ""


def _around(line: str, other: str) -> str:
    """The line, or the part of a long one that holds the first difference."""
    line = " ".join(line.split())
    if len(line) <= 2 * SHOWN:
        return line
    start = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    return "..." + line[max(0, start - SHOWN) : start + SHOWN] + "..."


def _agree(one: str, other: str, slack: float) -> bool:
    """Whether two texts are the same but for numbers that differ by no more than `slack`."""
    if one == other:
        return True
    if not slack or _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    pairs = zip(map(float, _NUMBER.findall(one)), map(float, _NUMBER.findall(other)), strict=True)
    return all(math.isclose(a, b, rel_tol=slack, abs_tol=1e-6) for a, b in pairs)
