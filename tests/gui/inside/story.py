"""The story of the window test, in chapters; GUI_CHAPTER names the one that is run. Each is a Blender of its own."""

import os
from collections.abc import Callable

import case
import drive
import first_fall
import lost_blender
import lost_worker
import panel_pictures
import pedestrian
import preferences
import responsiveness
import run_pictures
import ten_minutes
import what_if

CHAPTERS: dict[str, tuple[Callable[[], drive.Story], tuple[str, ...]]] = {
    "preferences": (preferences.tell, ()),
    "panels": (panel_pictures.tell, ()),
    "first_fall": (
        first_fall.tell,
        ("model", "scenario", "velocity", "simulate", "results", "measures", "contacts", "render"),
    ),
    "run_panels": (run_pictures.tell, ("simulate",)),
    "pedestrian": (pedestrian.tell, ("simulate", "results", "measures", "contacts")),
    "case": (case.tell, ()),
    "ten_minutes": (ten_minutes.tell, ("model", "vehicle", "simulate", "render")),
    "what_if": (what_if.tell, ("simulate", "what_if")),
    "lost_worker": (lost_worker.tell, ("simulate",)),
    "lost_blender": (lost_blender.tell, ()),
    "responsiveness": (responsiveness.tell, ("simulate",)),
}
"""Chapters with the panels that are open in them at the start; none named: as a user first finds them."""

if __name__ == "__main__":
    tell, opened = CHAPTERS[os.environ["GUI_CHAPTER"]]
    if opened:
        panel_pictures.show_panels(opened)
    drive.start(tell())
