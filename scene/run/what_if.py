"""What-if: after each change of the scene, simulate again beside Blender and draw what would happen.

A timer looks whether anything has changed, reads the scene, and hands it to the worker process in place of what it was
computing: nothing here waits. What is drawn are lines over the viewport; the scene itself is not touched, and nothing
is recorded. All of it is of the session: nothing is saved with the file, and no Blender data is kept, only names.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Vector

from ...analysis.measures.catalogue import FAMILIES, HEAD_FAMILY
from ...engine.errors import UserError
from ...engine.runs.recording import Recording
from ...engine.spec import Model, Scenario, Sensor
from ...engine.spec.default_sensors import head_body, scenario_sensors
from ...jobs.child import ProcessLost
from ...jobs.engine import SimulationJob, shared_worker
from ..base.errors import SceneError
from ..base.redraw import redraw_viewports
from ..base.units import Units, units_of
from ..model.read import read_model
from ..scenario.scenario import read_scenario
from ..show.overlay import draw_lines
from ..show.overlay_geometry import Lines, cross
from ..show.results import force_text, part_label
from ..show.traces.paths import COLORS, chosen_paths
from ..store.actors import actors_of

SECONDS_PER_TICK = 0.03
SECONDS_TO_SETTLE = 0.3
"""After this long without a change, models that may have changed are read in full."""
SECONDS_BETWEEN_READS = 0.08
"""A scene that keeps changing, as while a slider is dragged, is read no more often than this."""
LET_FINISH = 0.5
"""Share of a run from which on it may end although the scene has changed again, so that dragging shows something."""
HEAD_MEASURE = "HIC15"
"""Of the measures of the head, the one that is shown."""
MOST_MARKS = 12
MARK_SIZE = 0.04
"""Metres."""
MARK_COLOR = (0.95, 0.65, 0.05, 1.0)
COARSER = 2.0
"""Time steps of the scenario in one of what is shown here, at least."""
QUICK_STEP = 2.0e-4
"""s: as short as a step need be for what is shown; a scenario with a much shorter one would be slow to react."""
PARTS = ("ELLIPSOID", "JOINT", "MUSCLE", "WRAP")
"""Kinds of objects that belong to a model."""
QuickState = tuple[tuple[Any, ...], ...]


@dataclass
class Prediction:
    """What would happen, as it is drawn and listed in the panel."""

    paths: list[np.ndarray] = field(default_factory=list)
    """(n, 3) each, m"""
    marks: list[np.ndarray] = field(default_factory=list)
    """(3,) each, m: the hardest contacts."""
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Label and text of the key measures."""
    seconds: float = 0.0
    """From the change to the drawing."""
    problem: str = ""
    """Why there is nothing to show."""


@dataclass
class Session:
    """What-if while it is on."""

    scene: str
    """Name of the scene"""
    prediction: Prediction = field(default_factory=Prediction)
    job: SimulationJob | None = None
    submitted: Scenario | None = None
    """What was handed to the worker last"""
    changed_at: float | None = 0.0
    """When the scene was last seen to change; None where it has been read since."""
    read_at: float = 0.0
    asked_at: float = 0.0
    """When the change that is being computed was seen."""
    models: dict[str, tuple[QuickState, Model]] = field(default_factory=dict)
    """Model of each actor by object name, and its quick state when it was read."""
    is_suspect: bool = False
    """Whether something of a model may have changed that is not part of its quick state."""


_session: Session | None = None


def current() -> Session | None:
    """The session, where what-if is on."""
    return _session


def start(scene: bpy.types.Scene) -> None:
    """Switch on, for a scene. Without a window, as in scripts, call `predict` in place of waiting for the timer."""
    global _session
    stop()
    _session = Session(scene.name, changed_at=time.perf_counter())
    bpy.app.handlers.depsgraph_update_post.append(note_changes)
    if not bpy.app.background:
        bpy.app.timers.register(_on_timer, first_interval=SECONDS_PER_TICK)
    try:
        shared_worker()
    except ProcessLost:
        return  # the first tick reports it


def stop() -> None:
    """Switch off; what was being computed is dropped."""
    global _session
    if _session is None:
        return
    if _session.job is not None:
        _session.job.cancel()
    _session = None
    if note_changes in bpy.app.handlers.depsgraph_update_post:
        bpy.app.handlers.depsgraph_update_post.remove(note_changes)
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
    redraw_viewports()


@persistent
def note_changes(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    """Remember that something has changed, and whether it may have been a model. Called by Blender after each update.

    Blender reports a changed pose like a changed model: as an update of the armature.
    """
    if _session is None or scene.name != _session.scene:
        return
    for update in graph.updates:
        block = update.id.original
        is_part = isinstance(block, bpy.types.Object) and block.mannequin.kind in PARTS
        if isinstance(block, bpy.types.Armature | bpy.types.Mesh | bpy.types.Curve) or (
            is_part and update.is_updated_geometry  # parts that only move with their actor have "transform"
        ):
            _session.is_suspect = True
        if isinstance(block, bpy.types.Scene | bpy.types.Object | bpy.types.Armature):
            _session.changed_at = time.perf_counter()


def _on_timer() -> float | None:
    """Called by Blender again and again until it returns None."""
    if _session is None:
        return None
    tick()
    return SECONDS_PER_TICK if _session is not None else None


def tick() -> bool:
    """Take in results, and submit what has changed. True where a new prediction is shown."""
    session = _session
    scene = bpy.data.scenes.get(session.scene)
    if scene is None:
        stop()
        return False
    try:
        is_new = _collect(session, scene)
        if not is_new:  # what is new is drawn first
            _submit(session, scene)
    except ProcessLost as error:
        session.job = None
        session.prediction = Prediction(problem=f"{error}. What-If needs it: switch on again")
        is_new = True
    if is_new:
        redraw_viewports()
    return is_new


def _collect(session: Session, scene: bpy.types.Scene) -> bool:
    """Show the result of the run that has ended, if one has. Raises ProcessLost."""
    if session.job is None or not session.job.poll():
        return False
    job, session.job = session.job, None
    if job.is_cancelled:
        return False
    try:
        prediction = prediction_of(session.submitted, job.recording(), scene.mannequin.traces.path_bodies)
    except UserError as error:
        prediction = Prediction(problem=str(error))
    session.read_at = time.perf_counter()
    prediction.seconds = session.read_at - session.asked_at
    session.prediction = prediction
    return True


def _submit(session: Session, scene: bpy.types.Scene) -> None:
    """Hand a changed scene to the worker, in place of what it is computing. Raises ProcessLost."""
    now = time.perf_counter()
    settled = session.changed_at is None and session.job is None and now - session.read_at > SECONDS_TO_SETTLE
    if settled and session.is_suspect:
        session.models.clear()
        session.changed_at, session.is_suspect = now, False
    if session.changed_at is None or now - session.read_at < SECONDS_BETWEEN_READS:
        return
    if session.job is not None and session.job.share > LET_FINISH:
        return
    session.asked_at, session.changed_at = session.changed_at, None
    try:
        scenario = quick_scenario(read_scene(session, scene))
    except SceneError as error:
        session.prediction = Prediction(problem=str(error))
        redraw_viewports()
        return
    finally:
        session.read_at = time.perf_counter()
    if scenario == session.submitted:
        return
    if session.job is not None:
        session.job.cancel()
    session.submitted = scenario
    session.job = shared_worker().simulate(scenario)


def read_scene(session: Session, scene: bpy.types.Scene) -> Scenario:
    """The scene's scenario; models that look unchanged are not read again, which is most of the work."""
    for actor in actors_of(scene):
        seen = quick_state(actor)
        if session.models.get(actor.name, (None,))[0] != seen:
            session.models[actor.name] = seen, read_model(actor)
    return read_scenario(scene, {name: model for name, (_, model) in session.models.items()})


def quick_state(actor: bpy.types.Object) -> QuickState:
    """What can be read of a model quickly: where its parts are on their bodies, masses and centres of mass."""
    parts = [
        (part.name, part.parent_bone, *(value for row in part.matrix_basis for value in row))
        for part in actor.children
        if part.mannequin.kind in PARTS
    ]
    bodies = [(bone.name, bone.mannequin.mass, *bone.mannequin.center_of_mass) for bone in actor.data.bones]
    return (*parts, *bodies)


def quick_scenario(scenario: Scenario) -> Scenario:
    """The same at a coarser time step, without what costs time and is not shown: of the sensors the heads' stay."""
    settings = scenario.settings
    step = max(COARSER * settings.time_step, min(QUICK_STEP, settings.output_step))
    if not settings.time_step > 0.0:
        step = settings.time_step  # refused, as it is when simulated
    settings = dataclasses.replace(settings, time_step=step, reactions=False, contact_history=False)
    quick = dataclasses.replace(scenario, settings=settings)
    heads = [
        sensor for sensor in scenario_sensors(scenario) if sensor.acceleration and is_of_head(quick, sensor)
    ]
    return dataclasses.replace(quick, sensors=heads, default_sensors=False)


def is_of_head(scenario: Scenario, sensor: Sensor) -> bool:
    """Whether a sensor sits on the head of its actor."""
    heads = [head_body(scenario, actor) for actor in scenario.actors if actor.name == sensor.actor]
    return any(head is not None and head.name == sensor.body for head in heads)


def prediction_of(scenario: Scenario, recording: Recording, path_bodies: str = "") -> Prediction:
    """Paths, marks and key measures of a run."""
    prediction = Prediction(problem="" if recording.status == "completed" else recording.message)
    if recording.frames == 0:
        return prediction
    prediction.paths = [points for _, points in chosen_paths(recording, path_bodies)]
    hardest = np.argsort(-recording.contacts["peak_force"], kind="stable")[:MOST_MARKS]
    prediction.marks = [recording.contacts["point"][event].copy() for event in hardest]
    prediction.lines = key_lines(scenario, recording)
    return prediction


def key_lines(scenario: Scenario, recording: Recording) -> list[tuple[str, str]]:
    """Label and value of the measures most readers look for first; the hardest contact with what was struck."""
    lines = [
        (measure.name, f"{measure.text} ({measure.subject})")
        for measure in FAMILIES[HEAD_FAMILY](scenario, recording)
        if measure.name == HEAD_MEASURE and not np.isnan(measure.value)
    ]
    if len(recording.contacts):
        event = recording.contacts[int(np.argmax(recording.contacts["peak_force"]))]
        lines.append(("hardest contact", " on ".join(part_label(recording, event, side) for side in "ab")))
        lines.append(("its peak force", force_text(float(event["peak_force"]))))
        lines.append(("its approach speed", f"{event['approach_speed']:.2f} m/s"))
    throws = FAMILIES["Throw distance and rest position"](scenario, recording)
    return lines + [(f"{measure.name}, {measure.subject}", measure.text) for measure in throws]


def prediction_lines(prediction: Prediction, units: Units) -> list[tuple[Sequence[float], Lines]]:
    """Colours and lines to draw, in Blender units."""
    found: list[tuple[Sequence[float], Lines]] = []
    for number, path in enumerate(prediction.paths):
        points = [Vector(point) / units.metres for point in path[:: max(1, len(path) // 400)]]
        found.append((COLORS[number % len(COLORS)], list(zip(points[:-1], points[1:], strict=True))))
    marks = [
        line
        for mark in prediction.marks
        for line in cross(Vector(mark) / units.metres, MARK_SIZE / units.metres)
    ]
    return found + ([(MARK_COLOR, marks)] if marks else [])


def draw() -> None:
    """Draw what would happen into the viewport. Called by Blender at each redraw."""
    scene = bpy.context.scene
    if _session is not None and scene.name == _session.scene:
        draw_lines(prediction_lines(_session.prediction, units_of(scene)))


@persistent
def end_with_file(*ignored: object) -> None:
    """Switch off when another file is opened, which has other scenes."""
    stop()


HANDLES: list[object] = []


def register() -> None:
    """Draw where there is a viewport; end when another file is opened."""
    bpy.app.handlers.load_pre.append(end_with_file)
    if not bpy.app.background:
        HANDLES.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    """Leave nothing behind."""
    stop()
    bpy.app.handlers.load_pre.remove(end_with_file)
    while HANDLES:
        bpy.types.SpaceView3D.draw_handler_remove(HANDLES.pop(), "WINDOW")
