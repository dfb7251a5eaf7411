"""What is known of a contact: members of an event (first touch to separation) and of an instant, each declared once.

The compiled log and history (columns), `Recording` (structured arrays), tables, report, sweeps and the results in
Blender are all made from these tables.
"""

from typing import NamedTuple

import numpy as np


class Member(NamedTuple):
    """A number or vector that is known of a contact."""

    name: str
    meaning: str
    unit: str = ""
    size: int = 1
    """3 for a vector"""
    stem: str = ""
    """Of its columns in tables, where it is not the name"""
    of_several: str = ""
    """What a sweep takes of several events: "first", "largest" or "sum"; nothing where it does not take the member"""

    @property
    def columns(self) -> list[str]:
        """Headings of its columns in tables, with unit: "start_s", "impulse_x_Ns"."""
        stem, unit = self.stem or self.name, f"_{self.unit.replace(' ', '')}" if self.unit else ""
        return [f"{stem}{axis}{unit}" for axis in (("",) if self.size == 1 else ("_x", "_y", "_z"))]


SIDES = {
    "ellipsoid_a": "index into Recording.ellipsoid_names",
    "ellipsoid_b": "the same; -1 where the other side is an obstacle",
    "obstacle_b": "index into Recording.obstacle_names; -1 where the other side is an ellipsoid",
    "body_a": "index into Recording.body_names",
    "body_b": "-1 for an obstacle",
}
"""Members that name the two surfaces, as indices."""

EVENT_MEMBERS = (
    Member("start", "First touch", "s", of_several="first"),
    Member("end", "Last touch; NaN while still touching at the end of the run", "s", of_several="first"),
    Member("peak_time", "When the force was largest", "s"),
    Member("peak_force", "Largest normal force", "N", of_several="largest"),
    Member("peak_penetration", "Largest penetration", "m", of_several="largest"),
    Member("impulse", "On side a", "N s", 3),
    Member("energy", "Taken out of the bodies by this contact, friction included", "J", of_several="sum"),
    Member("approach_speed", "Along the normal at first touch", "m/s", of_several="first"),
    Member("sliding_speed", "In the tangent plane at first touch", "m/s", of_several="first"),
    Member("point_first", "World, at first touch", "m", 3, "first_point"),
    Member("point", "World, at the peak", "m", 3, "peak_point"),
    Member("normal", "World, at the peak, from b into a", "", 3, "peak_normal"),
    Member("point_a", "The peak's point in the authored frame of body a", "m", 3, "point_in_body_a"),
    Member("normal_a", "The peak's normal in the authored frame of body a", "", 3, "normal_in_body_a"),
    Member("point_b", "In the authored frame of body b (of the obstacle)", "m", 3, "point_in_b"),
    Member(
        "share", "Factor of the multi-contact mode on its force, at the peak; 1 where it shares with no other"
    ),
    Member(
        "joined_force",
        "Largest sum, at one instant of this contact, of the normal forces of all contacts of the same two moving "
        "bodies (or of one and the obstacle)",
        "N",
    ),
    Member("joined_time", "When that sum was largest", "s"),
)
INSTANT_MEMBERS = (
    Member("point", "World", "m", 3),
    Member("normal", "World, from b into a", "", 3),
    Member("force", "On side a, friction included", "N", 3),
    Member("normal_force", "Size of the normal force", "N"),
    Member("penetration", "Less the overlap at the start where that is subtracted", "m"),
    Member("penetration_rate", "Growth of the penetration", "m/s"),
    Member("sliding_speed", "In the tangent plane", "m/s"),
)
EVENT = {member.name: member for member in EVENT_MEMBERS}


def _structured(members: tuple[Member, ...]) -> list[tuple]:
    return [(m.name, "f8") if m.size == 1 else (m.name, "f8", (m.size,)) for m in members]


_SIDES = [(name, "i4") for name in SIDES]
CONTACT_EVENT = np.dtype(_SIDES + _structured(EVENT_MEMBERS))
"""One record per contact event: two surfaces from first touch to separation."""
CONTACT_INSTANT = np.dtype([("time", "f8"), *_SIDES, *_structured(INSTANT_MEMBERS)])
"""One record per contact and output time (s)."""


def first_columns(members: tuple[Member, ...], begin: int = 0) -> tuple[dict[str, int], int]:
    """The column at which each member begins in a row of floats, and the column after the last."""
    first = {}
    for member in members:
        first[member.name] = begin
        begin += member.size
    return first, begin


EVENT_COLUMN, EVENT_END = first_columns(EVENT_MEMBERS)
INSTANT_COLUMN, INSTANT_END = first_columns(INSTANT_MEMBERS, 1)
"""Column of each member in rows of the compiled log and history; a row of the history begins with the time."""


def fill(records: np.ndarray, rows: np.ndarray, column: dict[str, int]) -> None:
    """Copy the members of (c,) records from (c, width) rows."""
    for name, first in column.items():
        size = records.dtype[name].shape
        records[name] = rows[:, first : first + size[0]] if size else rows[:, first]
