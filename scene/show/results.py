"""Results of a run in the scene: measures, contacts by time, report, export."""

import math
import shutil
from pathlib import Path

import bpy

from ...analysis.files.run_folder import Run, read_run
from ...analysis.measures import Measure, evaluate_families
from ...analysis.measures.catalogue import shown_families
from ...analysis.measures.impacts import impact_rows, is_between_actors, share_text
from ...analysis.time_map import TimeMap
from ...io_json import atomic
from ..base.errors import SceneError
from ..motion.bake import frame_of_simulated_time, playing_action, time_map_of
from ..store.actors import actors_of


def show_results(run: Run, scene: bpy.types.Scene, measures: dict[str, list[Measure]] | None = None) -> None:
    """Fill the lists of the results panel. measures: of the run, by family, where they are known already."""
    results = scene.mannequin.results
    results.run, results.folder = run.stem, str(run.folder)
    results.status = run.recording.message or run.recording.status
    results.measures.clear()
    if measures is None:
        measures = evaluate_families(run.scenario, run.recording)
    for family, shown in shown_families(run.scenario, measures).items():
        for measure in shown:
            add_measure(results.measures.add(), family, measure)
    results.contacts.clear()
    is_alone = len(run.recording.actor_names) == 1
    for impact, *sides in impact_rows(run.scenario, run.recording) if run.recording.frames else ():
        row = results.contacts.add()
        row.name = " on ".join(side.rpartition(" / ")[2] if is_alone else side for side in sides)
        row.surfaces = share_text(run.recording, impact)
        row.time, row.peak_time, row.peak_force = impact.start, impact.peak_time, impact.peak_force
        row.approach_speed, row.between = impact.approach_speed, is_between_actors(run.recording, impact)
    results.measures_index = results.contacts_index = 0


def add_measure(row: bpy.types.PropertyGroup, family: str, measure: Measure) -> None:
    """Fill a row of the list with a measure."""
    row.family, row.name, row.subject, row.text = family, measure.name, measure.subject, measure.text
    row.is_available = not math.isnan(measure.value)
    row.value, row.unit = measure.value if row.is_available else 0.0, measure.unit
    row.definition, row.validity = measure.definition, measure.validity
    row.flags, row.remarks = "; ".join(measure.flags), "; ".join(measure.warnings)


def last_run(scene: bpy.types.Scene) -> Run:
    """The run whose results are shown, read from its folder."""
    folder = scene.mannequin.results.folder
    if not folder:
        raise SceneError("there is no run yet: press Simulate")
    return read_run(bpy.path.abspath(folder))


def scene_time_map(scene: bpy.types.Scene) -> TimeMap:
    """Slow motion of the baked motion that plays."""
    for actor in actors_of(scene):
        action = playing_action(actor)
        if action is not None:
            return time_map_of(action)
    return TimeMap()


def jump_to_contact(scene: bpy.types.Scene, index: int) -> float:
    """Show the moment of a contact's largest force; returns the simulated time (s)."""
    contacts = scene.mannequin.results.contacts
    if not 0 <= index < len(contacts):
        raise SceneError("the run has no such contact")
    frame = frame_of_simulated_time(contacts[index].peak_time, scene, scene_time_map(scene))
    scene.frame_set(int(frame // 1), subframe=frame % 1)
    return contacts[index].peak_time


def measure_row(scene: bpy.types.Scene, index: int) -> bpy.types.PropertyGroup:
    """A measure by its place in the list; -1: the active one. Raises SceneError."""
    shown = scene.mannequin.results
    index = index if index >= 0 else shown.measures_index
    if not 0 <= index < len(shown.measures):
        raise SceneError("the run has no such measure")
    return shown.measures[index]


def explanation(row: bpy.types.PropertyGroup) -> str:
    """What a measure means, in one text."""
    parts = (row.definition, row.validity, row.flags, row.remarks)
    return f"{row.name}, {row.subject}: {row.text}. " + " ".join(part for part in parts if part)


def export_tables(scene: bpy.types.Scene, target: Path) -> list[Path]:
    """Copy the CSV tables of the run into another folder; existing files are not touched."""
    run = last_run(scene)
    tables = sorted(run.folder.glob("*.csv"))
    taken = [table.name for table in tables if (target / table.name).exists()]
    if taken:
        raise SceneError(f"{target / taken[0]} is there already: choose another folder")
    for table in tables:
        atomic.write_bytes(target / table.name, table.read_bytes())
    return [target / table.name for table in tables]


def export_run(scene: bpy.types.Scene, target: Path) -> Path:
    """Copy the run folder into another folder; an existing copy is not touched."""
    run = last_run(scene)
    copy = target / run.folder.name
    if copy.exists():
        raise SceneError(f"{copy} is there already: choose another folder")
    partial = target / f".{run.folder.name}.partial"
    try:
        shutil.copytree(run.folder, partial)
        partial.rename(copy)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return copy
