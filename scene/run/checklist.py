"""The check-list: what a reconstruction still lacks, and what leads to it with one click."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ..base.preferences import preferences
from ..store.actors import actors_of, obstacles_of

MISSING, LOOK, DONE = "MISSING", "LOOK", "DONE"
REPORT = "*_report.html"
"""What a report in a run folder is called; `analysis.pages.report` itself takes too long to load for a panel."""
STILL = 1e-9
"""m/s, rad/s: what is slower stands still."""


@dataclass(frozen=True)
class Check:
    """One line: what it is about, how it stands, and the button or the field that leads to it."""

    name: str
    state: str
    text: str
    operator: str = ""
    """Operator under bpy.ops.mannequin."""
    owner: Any = None
    field: str = ""
    """Property of the owner that answers it."""


def is_open() -> bool:
    """Whether the check-list is shown at all: an expert closes it for good, in the preferences."""
    chosen = preferences()
    return chosen is None or chosen.show_checklist


def checks_of(scene: bpy.types.Scene) -> list[Check]:
    """Every check, in the order of work; without an actor only the first."""
    actors = [actor for actor in actors_of(scene) if actor.mannequin.actor.enabled]
    if not actors:
        return [Check("actor", MISSING, "Nobody takes part yet", "open_example")]
    return [
        _ground(scene),
        _velocity(scene, actors),
        _friction(scene),
        _validation(scene),
        _run(scene),
        _time_step(scene),
        _sweep(scene),
    ]


def _ground(scene: bpy.types.Scene) -> Check:
    """Something to fall on."""
    settings = scene.mannequin.settings
    if settings.ground:
        return Check("ground", DONE, "The ground is there")
    if any(obj.mannequin.obstacle.enabled for obj in obstacles_of(scene)):
        return Check("ground", LOOK, "Obstacles, but no ground", owner=settings, field="ground")
    return Check("ground", MISSING, "No ground and no obstacle", owner=settings, field="ground")


def _velocity(scene: bpy.types.Scene, actors: list[bpy.types.Object]) -> Check:
    """Something that moves at the start, or is moved later."""
    if any(moves(actor) for actor in actors):
        return Check("velocity", DONE, "Something moves at the start")
    return Check("velocity", LOOK, "No velocity: all start at rest", "set_velocity")


def moves(actor: bpy.types.Object) -> bool:
    """Whether an actor has a velocity at the start, a pulse or a prescribed motion."""
    start = actor.mannequin.actor
    if max(start.velocity.length, start.angular_velocity.length) > STILL:
        return True
    if len(start.prescribed) or len(start.force_pulses) or len(start.torque_pulses):
        return True
    return any(max(map(abs, bone.mannequin.velocity)) > STILL for bone in actor.pose.bones)


def _friction(scene: bpy.types.Scene) -> Check:
    """Friction of the ground that somebody chose."""
    settings = scene.mannequin.settings
    if not settings.ground:
        return Check("friction", DONE, "No ground, no friction of it")
    if settings.use_ground_friction:
        return Check("friction", DONE, f"Friction of the ground {settings.ground_friction:.3g}")
    text = f"Ground friction assumed: {settings.friction:.3g}"
    return Check("friction", LOOK, text, owner=settings, field="ground_friction")


def _validation(scene: bpy.types.Scene) -> Check:
    """Validated, and no error found."""
    group = scene.mannequin
    if not group.validated:
        return Check("validation", MISSING, "Never validated", "validate")
    errors = sum(issue.severity == "error" for issue in group.issues)
    if errors:
        return Check("validation", MISSING, f"{errors} errors at the last check", "select_finding")
    if group.issues:
        return Check("validation", LOOK, f"{len(group.issues)} warnings at the last check", "select_finding")
    return Check("validation", DONE, "No problems at the last check")


def _run(scene: bpy.types.Scene) -> Check:
    """Simulated to the end."""
    results = scene.mannequin.results
    if not results.run:
        return Check("run", MISSING, "Not simulated yet", "simulate")
    if results.status != "completed":
        return Check("run", MISSING, "The last run did not end well", "simulate")
    return Check("run", DONE, "Simulated")


def _time_step(scene: bpy.types.Scene) -> Check:
    """Computed once more at half the step, as the report does."""
    folder = scene.mannequin.results.folder
    if folder and any(Path(bpy.path.abspath(folder)).glob(REPORT)):
        return Check("time_step", DONE, "Time step checked in the report")
    return Check("time_step", LOOK, "Time step not checked yet", "make_report")


def _sweep(scene: bpy.types.Scene) -> Check:
    """Run over the ranges of its inputs."""
    if scene.mannequin.sweep.folder:
        return Check("sweep", DONE, "Swept")
    return Check("sweep", LOOK, "Not swept: one run is no range", "run_sweep")
