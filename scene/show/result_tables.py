"""Tables of results as wide as needed: measures and impacts, sorted and filtered, in the units that are shown."""

import math

import bpy

from ..base.user_units import text_shown

ROWS = 25
"""Lines of a page of a table."""
SORTS = {
    "REPORT": ("As in the Report", "In the order of the report; impacts by time"),
    "NAME": ("By Name", "By the name of the measure or of what struck what"),
    "SUBJECT": ("By Subject", "By what was measured; impacts by time"),
    "VALUE": ("Largest First", "By the value, the largest first; impacts by peak force"),
}


def value_text(row: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
    """Value of a measure in the unit that is shown; values beyond their range of trust keep their mark."""
    if not row.is_available:
        return row.text
    return text_shown(row.value, row.unit, scene) + (" (!)" if row.flags else "")


def measure_order(scene: bpy.types.Scene, sort: str = "REPORT", words: str = "") -> list[int]:
    """Places in the list of measures of those that have every word, in an order of `SORTS`."""
    rows = scene.mannequin.results.measures
    found = [k for k, row in enumerate(rows) if has_words(f"{row.family} {row.name} {row.subject}", words)]
    keys = {
        "REPORT": lambda k: k,
        "NAME": lambda k: (rows[k].name.lower(), rows[k].subject.lower()),
        "SUBJECT": lambda k: (rows[k].subject.lower(), k),
        "VALUE": lambda k: -rows[k].value if rows[k].is_available else math.inf,
    }
    return sorted(found, key=keys[sort])


def impact_order(scene: bpy.types.Scene, sort: str = "REPORT", words: str = "") -> list[int]:
    """Places in the list of impacts of those that have every word, in an order of `SORTS`."""
    rows = scene.mannequin.results.contacts
    found = [k for k, row in enumerate(rows) if has_words(f"{row.name} {row.surfaces}", words)]
    keys = {
        "REPORT": lambda k: k,
        "NAME": lambda k: (rows[k].name.lower(), k),
        "SUBJECT": lambda k: k,
        "VALUE": lambda k: -rows[k].peak_force,
    }
    return sorted(found, key=keys[sort])


def has_words(text: str, words: str) -> bool:
    """Whether a text has every one of the words, in any order and case."""
    return all(word in text.lower() for word in words.lower().split())


def first_touch(scene: bpy.types.Scene) -> int | None:
    """Place in the list of the first impact between two actors; None where no actor touched another."""
    rows = scene.mannequin.results.contacts
    return min((k for k, row in enumerate(rows) if row.between), key=lambda k: rows[k].time, default=None)


def draw_measures(layout: bpy.types.UILayout, scene: bpy.types.Scene, order: list[int]) -> None:
    """A page of measures: family, name, subject and value in full, and a button that explains it."""
    rows = scene.mannequin.results.measures
    _draw_line(layout, "Family", "Measure", "Of", "Value")
    for k in order:
        row = rows[k]
        line = _draw_line(layout, row.family, row.name, row.subject, value_text(row, scene))
        line.operator("mannequin.explain_measure", text="", icon="QUESTION").index = k


def draw_impacts(layout: bpy.types.UILayout, scene: bpy.types.Scene, order: list[int]) -> None:
    """A page of impacts: time, what struck what, approach and force, and a button that goes there."""
    rows = scene.mannequin.results.contacts
    _draw_line(layout, "Touch (ms)", "What on What", "Approach", "Largest Force")
    for k in order:
        row = rows[k]
        speed, force = text_shown(row.approach_speed, "m/s", scene), text_shown(row.peak_force, "N", scene)
        line = _draw_line(layout, f"{1000.0 * row.time:.1f}", row.name, speed, force)
        line.operator("mannequin.jump_to_contact", text="", icon="PLAY").index = k


def _draw_line(
    layout: bpy.types.UILayout, first: str, second: str, third: str, fourth: str
) -> bpy.types.UILayout:
    """One line of four columns; returns where a button may follow."""
    line = layout.row()
    split = line.split(factor=0.18)
    split.label(text=first)
    rest = split.split(factor=0.4)
    rest.label(text=second)
    last = rest.split(factor=0.6)
    last.label(text=third)
    last.label(text=fourth)
    return line
