"""The first ten minutes: from a new file to the film of a person of 71 years, 163 cm and 58 kg who is hit by a car at
52 km/h that brakes at 0.7 g. By real events, whose clicks are counted.

Where a button is, is found before by moving the pointer over the sidebar, and where a dialog is by comparing pictures:
a person sees both. The film is small and has few frames, as there is no graphics card here.
"""

import subprocess
import time
from pathlib import Path

import bpy
import drive
import numpy as np
from drive import SEEN, expect, in_window, on_screen, press, redrawn, shot, until, xdotool
from scene_state import actors, playing

MOST_CLICKS = 20
PATIENCE = 30.0
"""Seconds of a quiet machine for what takes one."""
CLICKS: list[str] = []
"""What was clicked."""
FILM, LEAST_BYTES, FRAMES_PER_SECOND = Path("/tmp/film.mp4"), 3000, 6.0
LEAST_OF_DIALOG = 150
"""Pixels of a row or column that change where a dialog opens; the person that is shown with it is smaller."""
AGE = (0.25, 2)
"""Field of the age in the dialog of a person: share of its width, and rows below the first."""


def tell() -> drive.Story:
    """Person, car, speed, brakes, simulation, film."""
    with in_window():
        bpy.ops.wm.read_homefile(use_factory_startup=True, load_ui=False)
    yield from redrawn()
    for part in (open_tab, add_person, add_car, drive_it, simulate, film):
        begun = time.monotonic()
        yield from part()
        SEEN[f"{part.__name__}, s"] = round(time.monotonic() - begun, 1)
    SEEN["clicks"] = f"{len(CLICKS)}: {', '.join(CLICKS)}"
    expect(len(CLICKS) < MOST_CLICKS, f"{len(CLICKS)} clicks")


def click(at: tuple[int, int], what: str, times: int = 1) -> drive.Story:
    """Click at a pixel, and count."""
    yield from xdotool("mousemove", *at)
    yield from redrawn()  # what is under the pointer lights up, and only then takes the press
    yield from xdotool("click", "--repeat", times, "--delay", 80, 1)
    CLICKS.extend([what] * times)
    yield from redrawn()


def open_tab() -> drive.Story:
    """N for the sidebar, and its tab: tried along the edge first, as nobody can read here; one click of a person."""
    _, area = drive.viewport()
    if not area.spaces.active.show_region_ui:
        yield from press("n")
        yield from until(lambda: area.spaces.active.show_region_ui, "the sidebar")
    yield from redrawn()
    region = drive.region_of(area, "UI")
    for y in range(region.height - 30, 30, -25):
        yield from xdotool("mousemove", *on_screen(region, region.width - 10, y), "click", 1)
        yield from redrawn()
        if region.active_panel_category == "Mannequin":
            CLICKS.append("tab Mannequin")
            return
    raise AssertionError("the sidebar has no tab Mannequin")


def click_button(operator: str, from_end: bool = False) -> drive.Story:
    """Click the button of an operator in the sidebar."""
    at = yield from drive.find_button(operator, from_end)
    yield from click(at, operator)


def screen() -> np.ndarray:
    """(height, width, 3) pixels of the screen, which the window fills."""
    command = "xwd -root -silent | convert xwd:- -depth 8 rgb:-"
    picture = subprocess.run(["sh", "-c", command], capture_output=True).stdout
    window = bpy.context.window_manager.windows[0]
    return np.frombuffer(picture, np.uint8).reshape(window.height, window.width, 3).astype(int)


def dialog(operator: str) -> drive.Story:
    """Click a button that opens a dialog; returns the dialog's left, top, right and bottom on the screen."""
    at = yield from drive.find_button(operator)
    yield from xdotool("mousemove", *at)
    yield from redrawn()
    before = screen()
    yield from click(at, operator)
    yield from redrawn()
    changed = np.abs(screen() - before).max(axis=2) > 8
    rows, columns = (np.flatnonzero(changed.sum(axis=axis) > LEAST_OF_DIALOG) for axis in (1, 0))
    expect(len(rows) and len(columns), f"{operator} shows no dialog")
    SEEN[f"dialog of {operator}"] = [int(x) for x in (columns[0], rows[0], columns[-1], rows[-1])]
    return columns[0], rows[0], columns[-1], rows[-1]


def add_person() -> drive.Story:
    """Add Person; age, height and mass are typed, Tab leads from one to the next."""
    left, top, right, bottom = yield from dialog("mannequin.add_person")
    yield from shot("ten-1-person")
    share, row = AGE
    yield from click((round(left + share * (right - left)), round(top + 62 + 20 * row)), "field Age")
    yield from xdotool("key", "ctrl+a")
    for value in ("71", "1.63", "58"):
        yield from xdotool("type", "--delay", 60, value)
        yield from xdotool("key", "Tab" if value != "58" else "Return")
        yield from redrawn()
    yield from shot("ten-2-typed")
    yield from xdotool("key", "Return")
    yield from until(lambda: bool(actors()), "the person", PATIENCE)
    (person,) = actors()
    found = person.data.mannequin.person
    values = [round(float(x), 3) for x in (found.age, found.height, found.mass)]
    SEEN["person"] = values
    expect(values == [71.0, 1.63, 58.0], f"it is another person: {values}")


def add_car() -> drive.Story:
    """Add Vehicle, as its dialog proposes it: before the person, who is selected."""
    yield from click_button("mannequin.add_vehicle")
    yield from shot("ten-3-vehicle")
    yield from xdotool("key", "Return")
    yield from until(lambda: len(actors()) == 2, "the car", PATIENCE)
    yield from shot("ten-4-car")


def car() -> bpy.types.Object:
    """The vehicle."""
    return next(actor for actor in actors() if not actor.data.mannequin.use_person)


def drive_it() -> drive.Story:
    """52 km/h in the field of the speed, and Brake with the 0.7 g that its dialog proposes."""
    at = yield from drive.find_field("mannequin.actor.speed")
    yield from click(at, "field Speed")
    yield from xdotool("key", "ctrl+a")
    yield from xdotool("type", "--delay", 60, "52")
    yield from xdotool("key", "Return")
    yield from until(lambda: abs(car().mannequin.actor.velocity.length * 3.6 - 52.0) < 1e-3, "52 km/h")
    yield from click_button("mannequin.brake")
    yield from shot("ten-5-brake")
    yield from xdotool("key", "Return")
    yield from until(brakes, "the brakes")


def brakes() -> bool:
    """Whether the car brakes at 0.7 g, by its driver or by motors of its wheels."""
    start = car().mannequin.actor
    if start.use_drive:
        return start.drive.use_braking and abs(start.drive.braking - 0.7) < 1e-5
    return any(bone.mannequin.use_motor for bone in car().pose.bones)


def simulate() -> drive.Story:
    """Simulate the second that is proposed; the car hits the person and nothing else."""
    runs = bpy.context.scene.mannequin.runs
    yield from click_button("mannequin.simulate")
    moves = until(lambda: all(playing(actor) for actor in actors()), "the motion", drive.PATIENCE_COMPILING)
    yield from moves
    yield from until(lambda: runs.activity == "", "the end of the simulation")
    struck = [row.name for row in bpy.context.scene.mannequin.results.contacts if row.between]
    SEEN["between car and person"] = struck[:3]
    expect(struck, "the car does not touch the person")
    yield from shot("ten-6-simulated")


def film() -> drive.Story:
    """The film, small and of few frames, with a sheet of its moments to look at."""
    settings = bpy.context.scene.mannequin.film
    settings.output, settings.width, settings.height = str(FILM), 320, 180
    settings.sheet, settings.rate = True, FRAMES_PER_SECOND
    yield from click_button("mannequin.render_film", from_end=True)
    made = until(FILM.exists, "the film", drive.PATIENCE_COMPILING)
    yield from made
    SEEN["film, bytes"] = FILM.stat().st_size
    expect(FILM.stat().st_size > LEAST_BYTES, "the film is empty")
    sheet = FILM.with_name("film_sheet.jpg")
    yield from until(sheet.exists, "the sheet")
    yield from drive.finished(["convert", str(sheet), str(drive.OUT / "ten-7-film.png")])
