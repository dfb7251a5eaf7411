"""Left and right: names of the two sides, and mirror images of vectors in the plane y = 0."""

import re

import numpy as np

MIRROR4 = np.diag([1.0, -1.0, 1.0, 1.0])
SIDES = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
ENDINGS = re.compile(
    r"^(?P<stem>.*?)(?P<sep>[._\- ]?)(?P<side>[LRlr])(?P<tail>[._\- ]?\d*|_?[jJ]n?t|_?joint)$"
)
BEGINNINGS = re.compile(r"^(?P<side>[LRlr])(?P<sep>[._\- ])(?P<stem>.+)$")
OTHER = {"L": "R", "R": "L", "l": "r", "r": "l"}


def other_side(name: str, known: set[str] | None = None) -> str | None:
    """Name on the other side ("ThighL" to "ThighR", "arm_left" to "arm_right"), or None where a name has no side.

    A bare letter at the end ("ThighL", "skull") counts only when it is a capital after a small letter or follows a
    separator, or when the other name is known.
    """
    for left, right in SIDES:
        if left in name:
            return name.replace(left, right)
        if right in name:
            return name.replace(right, left)
    start = BEGINNINGS.match(name)
    if start:
        return f"{OTHER[start['side']]}{start['sep']}{start['stem']}"
    end = ENDINGS.match(name)
    if not end or not end["stem"]:
        return None
    candidate = f"{end['stem']}{end['sep']}{OTHER[end['side']]}{end['tail']}"
    clear = end["sep"] or (end["side"].isupper() and end["stem"][-1].islower())
    return candidate if clear or candidate in (known or ()) else None


def is_on_side(name: str, side: str) -> bool:
    """Whether a sided name is on `side` ("left" or "right")."""
    lowered = name.lower()
    if "left" in lowered or "right" in lowered:
        return side in lowered
    start, end = BEGINNINGS.match(name), ENDINGS.match(name)
    found = (start or end)["side"] if (start or end) else ""
    return found.lower() == side[0]


def flip_y(vector: tuple) -> tuple:
    """Mirror image of a point."""
    x, y, z = vector
    return (x, -y, z) if y else (x, y, z)


def flip_turn(vector: tuple) -> tuple:
    """Mirror image of a turn (x, y, z)."""
    x, y, z = vector
    return (-x if x else x, y, -z if z else z)


def flip_angles(angles: tuple) -> tuple:
    """Mirror image of joint angles (Z, Y, X)."""
    return flip_turn(angles[::-1])[::-1]
