"""What-if: after each change of the scene, simulate again beside Blender and draw what would happen.

Blender tells of a change before it draws it: what has changed is read and handed to the worker process at once. An
answer that came quickly the last time is waited for (`longest_wait`), so that the picture of the change already shows
what would happen. All else is done by a timer, and waits for nothing. The first answer is coarse and quick; where
nothing changes for a moment it is refined. What is drawn lies over the viewport; the scene itself is not touched, and
nothing is recorded. All of it is of the session: nothing is saved with the file, and no Blender data is kept, only
names.
"""

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Vector

from ...analysis.measures.preview import Preview, preview_of
from ...engine.errors import UserError
from ...engine.runs.simulation import run
from ...engine.spec import Scenario, Sensor
from ...engine.spec.default_sensors import head_body, scenario_sensors
from ...jobs.child import ProcessLost
from ...jobs.engine import PreviewJob, shared_worker
from ...jobs.shared_parts import scenario_text
from ..base.errors import SceneError
from ..base.redraw import redraw_viewports
from ..base.units import Units, units_of
from ..show.overlay import draw_lines
from ..show.overlay_geometry import Lines, cross
from ..show.preview_figure import draw_figure, forget_surfaces
from ..show.traces.paths import COLORS, chosen_paths
from .known_scene import KnownScene, changed_blocks

SECONDS_PER_TICK = 0.01
LONGEST_WAIT, MOST_WAIT = 0.12, 0.4
"""s that Blender is held up for an answer at most, and where drawing takes longer than that: a late answer costs one
drawing more, so it is waited for as long as one takes. Where the last answer took the worker longer, for none."""
SECONDS_PER_POLL = 0.001
SECONDS_TO_SETTLE = 0.3
"""After this long without a change, models that may have changed are read in full."""
SECONDS_TO_REFINE = 0.1
"""After this long without a change, a coarse answer is refined."""
SECONDS_BETWEEN_READS = 0.05
"""A scene that keeps changing, as while a slider is dragged, is read no more often than this."""
SECONDS_BETWEEN_CHECKS = 1.0
"""How often everything is read where nothing was seen to change, for changes that Blender does not tell."""
SHARE_OF_CHECKS = 0.02
"""Of the time, for reading everything: a large scene is checked less often."""
LET_FINISH = 0.5
"""Share of a long run from which on it may end although the scene has changed again."""
SHORT_RUN = 1.0
"""s: a coarse run that takes no longer is never cut short."""
MARK_SIZE = 0.04
"""Metres."""
MARK_COLOR = (0.95, 0.65, 0.05, 1.0)
COARSER = 2.0
"""Time steps of the scenario in one of what is shown here, at least."""
FINE_STEP, COARSE_STEP = 2.0e-4, 5.0e-4
"""s: as short as a step need be for what is shown, and for the first answer. A scenario with a much shorter one would
be slow to react."""
OUTPUT_STEP = 5.0e-3
"""s between the moments that are kept, at least."""


@dataclass
class Prediction:
    """What would happen, as it is drawn and listed in the panel."""

    preview: Preview | None = None
    paths: list[np.ndarray] = field(default_factory=list)
    """(n, 3) each, m"""
    marks: list[np.ndarray] = field(default_factory=list)
    """(3,) each, m: the hardest contacts."""
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Label and text of the key measures."""
    step: float = 0.0
    """s: time step it was computed with"""
    is_coarse: bool = False
    """Whether a finer one follows."""
    asked_at: float = 0.0
    """When the change was seen (`time.perf_counter`)."""
    seconds: float = 0.0
    """From the change to the answer."""
    seconds_drawn: float | None = None
    """From the change to the picture, once it has been drawn."""
    problem: str = ""
    """Why there is nothing to show."""


@dataclass
class Session:
    """What-if while it is on."""

    scene: str
    """Name of the scene"""
    known: KnownScene = field(default_factory=KnownScene)
    prediction: Prediction = field(default_factory=Prediction)
    first: Prediction | None = None
    """The last first answer to a change: how quick what-if is, whenever its refinement comes."""
    job: PreviewJob | None = None
    is_coarse: bool = True
    """Whether the job under way is of the first, coarse kind."""
    begun_at: float = 0.0
    """When it was handed over."""
    was_cut: bool = False
    """Whether the job before was cut short: then the next is not, so that dragging shows something."""
    submitted: Scenario | None = None
    """What was last handed to the worker, as it is in the scene"""
    said: tuple[object, ...] = ()
    """What it says, to compare with (`what_is_said`)."""
    shown: Scenario | None = None
    """What the prediction is of"""
    changed_at: float | None = 0.0
    """When the scene was last seen to change; None where it has been read since."""
    read_at: float = 0.0
    checked_at: float = 0.0
    check_seconds: float = 0.0
    """How long it took to read everything the last time."""
    asked_at: float = 0.0
    """When the change that is being computed was seen."""
    coarse_seconds: float | None = None
    """That the worker took for the last coarse answer."""
    draw_seconds: float = 0.0
    """From the last answer to its picture."""
    is_reading: bool = False
    """Whether the scene is being read, which makes Blender tell of updates too."""


_session: Session | None = None


def current() -> Session | None:
    """The session, where what-if is on."""
    return _session


def start(scene: bpy.types.Scene) -> None:
    """Switch on, for a scene. Without a window, as in scripts, call `predict` instead."""
    global _session
    stop()
    now = time.perf_counter()
    _session = Session(scene.name, changed_at=now, checked_at=now)
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(handler)
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
    forget_surfaces()
    for name, handler in HANDLERS.items():
        handlers = getattr(bpy.app.handlers, name)
        if handler in handlers:
            handlers.remove(handler)
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
    redraw_viewports()


@persistent
def note_changes(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    """Remember what has changed. Called by Blender after each update, whoever caused it: people, scripts, drivers."""
    if _session is None or scene.name != _session.scene:
        return
    changed = list(changed_blocks(graph))
    if any(isinstance(block, bpy.types.Mesh) for block, _ in changed):
        forget_surfaces()
    matters = [_session.known.note(block, is_geometry) for block, is_geometry in changed]
    if any(matters):
        _session.changed_at = time.perf_counter()
        _answer_before_drawing(_session, scene)


@persistent
def note_all(*ignored: object) -> None:
    """Read everything again, models too. Called by Blender after an undo."""
    if _session is not None:
        forget_surfaces()
        _session.known.forget()
        _session.known.is_suspect = True
        _session.changed_at = time.perf_counter()


@persistent
def note_frame(scene: bpy.types.Scene, *ignored: object) -> None:
    """Read again what may be animated. Called by Blender when another frame is shown."""
    if _session is not None and scene.name == _session.scene:
        _session.known.forget()
        _session.changed_at = time.perf_counter()


HANDLERS = {
    "depsgraph_update_post": note_changes,
    "frame_change_post": note_frame,
    "undo_post": note_all,
    "redo_post": note_all,
}
"""What Blender calls while what-if is on."""


def _answer_before_drawing(session: Session, scene: bpy.types.Scene) -> None:
    """Hand a change over, and take in its answer where that comes soon."""
    if session.is_reading:
        return
    try:
        _submit(session, scene)
        if session.job is not None and session.is_coarse and is_quick(session):
            end = time.perf_counter() + longest_wait(session)
            while not session.job.poll() and time.perf_counter() < end:
                time.sleep(SECONDS_PER_POLL)
            if _collect(session, scene):
                redraw_viewports()
    except ProcessLost:
        return  # the next tick reports it


def is_quick(session: Session) -> bool:
    """Whether an answer is likely to come while it is waited for."""
    return session.coarse_seconds is not None and session.coarse_seconds < longest_wait(session)


def longest_wait(session: Session) -> float:
    """s that an answer is worth waiting for."""
    return max(LONGEST_WAIT, min(session.draw_seconds, MOST_WAIT))


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
    session.was_cut = job.is_cancelled
    session.coarse_seconds = job.seconds if session.is_coarse else session.coarse_seconds
    if job.is_cancelled:
        return False
    try:
        preview = job.preview()
        prediction = prediction_of(preview, scene.mannequin.traces.path_bodies)
    except UserError as error:
        prediction = Prediction(problem=str(error))
    now = time.perf_counter()
    is_coarse = session.is_coarse and fine_scenario(session.submitted) != coarse_scenario(session.submitted)
    settings = (coarse_scenario if session.is_coarse else fine_scenario)(session.submitted).settings
    prediction.step, prediction.is_coarse = settings.time_step, is_coarse
    prediction.asked_at, prediction.seconds = session.asked_at, now - session.asked_at
    session.shown = session.submitted
    if prediction.problem and is_coarse and session.prediction.preview is not None:
        prediction = dataclasses.replace(session.prediction, is_coarse=True)  # the finer one may do
    session.prediction = prediction
    session.first = prediction if session.is_coarse else session.first
    return True


def _submit(session: Session, scene: bpy.types.Scene) -> None:
    """Hand a changed scene to the worker, or a finer run of one that stays. Raises ProcessLost."""
    now = time.perf_counter()
    _look_closer(session, now)
    if session.changed_at is None:
        is_quiet = session.job is None and now - session.read_at > SECONDS_TO_REFINE
        if is_quiet and session.prediction.is_coarse and session.shown is session.submitted:
            _begin(session, fine_scenario(session.submitted), is_coarse=False)
        return
    if now - session.read_at < SECONDS_BETWEEN_READS or (
        session.job is not None and not may_cut(session, now)
    ):
        return
    asked_at, session.changed_at = session.changed_at, None
    is_check = session.checked_at == asked_at
    session.is_reading = True
    try:
        scenario = session.known.read(scene)
    except SceneError as error:
        session.prediction, session.submitted = Prediction(problem=str(error)), None
        redraw_viewports()
        return
    finally:
        session.is_reading = False
        session.read_at = time.perf_counter()
        session.check_seconds = session.read_at - now if is_check else session.check_seconds
    said = what_is_said(scenario)
    if session.submitted is not None and said == session.said:
        return
    if session.job is not None:
        session.job.cancel()
        session.job = None
        session.was_cut = True
    session.asked_at, session.submitted, session.said = asked_at, scenario, said
    _begin(session, coarse_scenario(scenario), is_coarse=True)


def what_is_said(scenario: Scenario) -> tuple[object, ...]:
    """What tells two scenarios of a session apart; models and obstacles that read the same are the same objects."""
    parts = (*(actor.model for actor in scenario.actors), *scenario.obstacles)
    return scenario_text(scenario), *map(id, parts)


def _look_closer(session: Session, now: float) -> None:
    """Where nothing happens, have everything read that may have changed unnoticed."""
    if session.changed_at is not None or session.job is not None:
        return
    if session.known.is_suspect and now - session.read_at > SECONDS_TO_SETTLE:
        session.known.forget(models=True)
        session.changed_at = session.checked_at = now
        return
    pause = max(SECONDS_BETWEEN_CHECKS, session.check_seconds / SHARE_OF_CHECKS)
    if not session.prediction.is_coarse and now - max(session.checked_at, session.read_at) > pause:
        session.known.forget()
        session.changed_at = session.checked_at = now


def may_cut(session: Session, now: float) -> bool:
    """Whether the run under way may be cut short for a newer one: a refinement may; of coarse runs one that takes
    long and is not half done, but no two of these in turn."""
    if not session.is_coarse:
        return True
    share, taken = session.job.share, now - session.begun_at
    is_long = taken > SHORT_RUN or (share > 0.0 and taken / share > SHORT_RUN)
    return is_long and share < LET_FINISH and not session.was_cut


def _begin(session: Session, scenario: Scenario, is_coarse: bool) -> None:
    """Hand a scenario to the worker. Raises ProcessLost."""
    session.is_coarse, session.begun_at = is_coarse, time.perf_counter()
    session.job = shared_worker().preview(scenario)


def fine_scenario(scenario: Scenario) -> Scenario:
    """The same at a coarser time step, without what costs time and is not shown: of the sensors the heads' stay."""
    return quick_scenario(scenario, FINE_STEP)


def coarse_scenario(scenario: Scenario) -> Scenario:
    """The same at a still coarser step, for the first answer."""
    return quick_scenario(scenario, COARSE_STEP)


def quick_scenario(scenario: Scenario, least: float) -> Scenario:
    """A scenario at a time step of at least so many s, with the moments and sensors that are shown."""
    settings = scenario.settings
    changes: dict[str, float | bool] = {"reactions": False, "contact_history": False}
    if settings.time_step > 0.0:  # anything else is refused, as it is when simulated
        step = max(COARSER * settings.time_step, least)
        kept = max(settings.output_step, min(OUTPUT_STEP, settings.duration))
        changes |= {"time_step": step, "output_step": step * max(1, round(kept / step))}
    quick = dataclasses.replace(scenario, settings=dataclasses.replace(settings, **changes))
    heads = [
        sensor for sensor in scenario_sensors(scenario) if sensor.acceleration and is_of_head(quick, sensor)
    ]
    return dataclasses.replace(quick, sensors=heads, default_sensors=False)


def is_of_head(scenario: Scenario, sensor: Sensor) -> bool:
    """Whether a sensor sits on the head of its actor."""
    heads = [head_body(scenario, actor) for actor in scenario.actors if actor.name == sensor.actor]
    return any(head is not None and head.name == sensor.body for head in heads)


def predict(scene: bpy.types.Scene) -> Prediction:
    """What would happen, computed here and now, for scripts. Raises SceneError, EngineError."""
    scenario = fine_scenario(KnownScene().read(scene))
    return prediction_of(preview_of(scenario, run(scenario)), scene.mannequin.traces.path_bodies)


def prediction_of(preview: Preview, path_bodies: str = "") -> Prediction:
    """Paths, marks and key measures of a run. Raises FileError for a body that is not there."""
    prediction = Prediction(preview, problem=preview.problem)
    if len(preview.times) == 0:
        return prediction
    prediction.paths = [points for _, points in chosen_paths(preview, path_bodies)]
    prediction.marks = list(preview.marks)
    prediction.lines = list(preview.lines)
    return prediction


def prediction_lines(prediction: Prediction, units: Units) -> list[tuple[Sequence[float], Lines]]:
    """Colours and lines to draw, in Blender units."""
    found: list[tuple[Sequence[float], Lines]] = []
    for number, path in enumerate(prediction.paths):
        points = [Vector(point) / units.metres for point in path]
        found.append((COLORS[number % len(COLORS)], list(zip(points[:-1], points[1:], strict=True))))
    marks = [
        line
        for mark in prediction.marks
        for line in cross(Vector(mark) / units.metres, MARK_SIZE / units.metres)
    ]
    return found + ([(MARK_COLOR, marks)] if marks else [])


def shown_time(scene: bpy.types.Scene, preview: Preview) -> float:
    """Simulated s at which the figure is shown: the slider's share of the run."""
    return 0.01 * scene.mannequin.runs.what_if_moment * preview.duration


def draw() -> None:
    """Draw what would happen into the viewport. Called by Blender at each redraw."""
    scene = bpy.context.scene
    if _session is None or scene.name != _session.scene:
        return
    prediction = _session.prediction
    draw_lines(prediction_lines(prediction, units_of(scene)))
    if prediction.preview is not None and scene.mannequin.runs.what_if_figure:
        draw_figure(scene, prediction.preview, shown_time(scene, prediction.preview))
    if prediction.seconds_drawn is None:
        prediction.seconds_drawn = time.perf_counter() - prediction.asked_at
        _session.draw_seconds = prediction.seconds_drawn - prediction.seconds


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
    """End the session, and take back the handler and what is drawn."""
    stop()
    bpy.app.handlers.load_pre.remove(end_with_file)
    while HANDLES:
        bpy.types.SpaceView3D.draw_handler_remove(HANDLES.pop(), "WINDOW")
