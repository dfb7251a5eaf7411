"""From the evidence and the hypotheses of a scene to an evidence file, beside its scenario and its marks."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...engine.maths.rotations import zyx_from_matrix
from ...engine.spec import Scenario
from ...io_json import atomic, exact_copy, layout
from ...io_json.errors import FileError
from ...io_json.marks import Mark, write_marks
from ...io_json.names import safe_name
from ...io_json.scenario_json import write_scenario
from ...sweeps.fit.spec import (
    Camera,
    Comparison,
    Evidence,
    Hypothesis,
    Search,
    Target,
    TrackedPoint,
    Unknown,
    document_of,
)
from ...sweeps.spec import Quantity, Touch
from ...sweeps.usual import usual_outcomes, usual_traces
from ..base.errors import SceneError
from ..base.units import as_typed, units_of
from ..places.camera_match import camera_of
from ..run.simulate import checked_scenario
from ..run.sweeps import CHANGES, parameter_of, resized
from ..scenario.marks import KEY as MARK
from ..scenario.marks import marks_of_scene
from ..scenario.scenario import read_scenario, scenario_names
from ..store import callbacks
from ..store.actors import actors_of, body_bones, obstacles_of
from .objects import GROUND, bearer_of, pixel_of, place_in

PANEL = "Evidence"
DIGITS = 6
"""Of places in metres and angles in degrees: Blender holds about seven."""


def evidence_of(scene: bpy.types.Scene, scenario: Scenario, beside: str = "") -> Evidence:
    """The evidence of a scene as its file holds it; `beside` begins the names of the files that it names.

    The unknowns are those of the active hypothesis. Raises SceneError.
    """
    group = scene.mannequin.evidence
    marks = {mark.name: mark for mark in marks_of_scene(scene)}
    targets = [_target(item, scene, scenario, marks) for item in group.targets if item.use]
    if not targets:
        raise SceneError(f"there is no evidence: add some in the {PANEL} panel")
    sets = {item.name: _parameters(item) for item in group.hypotheses}
    if len(sets) < len(group.hypotheses):
        raise SceneError("two hypotheses have one name: rename one")
    active = group.hypotheses[group.hypotheses_index] if group.hypotheses else None
    chosen = sets.get(active.name, []) if active else []
    inputs = [item for hypothesis in group.hypotheses for item in hypothesis.inputs]
    return Evidence(
        f"{safe_name(scenario.name, 'scene')}_evidence",
        f"{beside}scenario.json",
        [
            Unknown(p.name, p.address, p.distribution.low, p.distribution.high, p.mode, p.unit, p.source)
            for p in chosen
        ],
        targets,
        Search(group.seed, group.runs, group.samples),
        dict(CHANGES),
        resized(inputs),
        marks=f"{beside}marks.json" if any(target.mark for target in targets) else "",
        traces=usual_traces(scenario),
        hypotheses=[Hypothesis(name, parameters) for name, parameters in sets.items()]
        if len(sets) > 1
        else [],
        comparison=Comparison(group.compared, group.seed),
    )


def _parameters(hypothesis: bpy.types.PropertyGroup) -> list:
    what = f"of '{hypothesis.name}'"
    return [
        parameter_of(item, f"unknown {number} {what}", PANEL)
        for number, item in enumerate(hypothesis.inputs, start=1)
    ]


def write_case(scene: bpy.types.Scene, path: Path, beside: str = "") -> Evidence:
    """Write the evidence of a scene to a file, its scenario and marks beside it. Raises SceneError, FileError."""
    scenario = checked_scenario(scene)
    evidence = evidence_of(scene, scenario, beside)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "Choose another place"
        raise FileError(f"cannot be made ({error.strerror})", path=path.parent, remedy=remedy) from error
    write_scenario(scenario, path.parent / evidence.scenario)
    if evidence.marks:
        write_marks(marks_of_scene(scene), path.parent / evidence.marks)
    atomic.write_text(path, layout.compact(document_of(evidence)))
    return evidence


def _target(
    item: bpy.types.PropertyGroup, scene: bpy.types.Scene, scenario: Scenario, marks: dict[str, Mark]
) -> Target:
    """What one line of the list says. Raises SceneError."""
    target = Target(item.name, item.kind, as_typed(item.tolerance), source=item.source)
    obj = item.object
    if item.kind not in ("throw_distance", "measure"):
        if obj is None or obj.name not in scene.objects:
            raise SceneError(f"the evidence '{item.name}' has no object: choose one in the {PANEL} panel")
    mark = marks.get(obj.name) if obj is not None and MARK in obj else None
    target.body = item.body or (mark.body if mark else "")
    if not target.body and item.kind != "measure":
        raise SceneError(
            f"the evidence '{item.name}' does not say of whom: choose a body in the {PANEL} panel"
        )
    _FILL[item.kind](target, item, scene, scenario, mark)
    return target


def _place(vector: Any) -> list[float]:
    return [round(float(x), DIGITS) for x in vector]


def _fill_rest(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    if mark is not None:
        target.mark = mark.name
        return
    place = units_of(scene).point_to_si(item.object.matrix_world.translation)
    target.position = _place(place if item.use_height else place[:2])


def _fill_turn(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    turn = units_of(scene).frame_to_si(item.object.matrix_world)[:3, :3]
    target.orientation = tuple(_place(zyx_from_matrix(turn)))


def _fill_contact(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    bearer, frame = bearer_of(item.object, item.on, scenario, scene)
    target.contact, target.body = Touch(target.body, bearer), ""
    if mark is not None and np.allclose(frame, np.identity(4), atol=1e-9):
        target.mark = mark.name
        return
    target.point = tuple(_place(place_in(frame, item.object, scene)))
    if mark is not None:
        if frame[2, 2] < 1.0 - 1e-6:
            raise SceneError(
                f"the mark '{mark.name}' is on '{bearer}', which is not level: put an empty there in place of the mark"
            )
        a, b, angle = mark.ellipse
        turned = math.degrees(math.atan2(frame[1, 0], frame[0, 0]))
        target.ellipse = (a, b, round(angle - turned, DIGITS))


def _fill_throw(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    target.distance = as_typed(item.value)


def _fill_picture(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    pixel = pixel_of(item.object, scene)
    if not np.all(np.isfinite(pixel)):
        raise SceneError(f"'{item.object.name}' is behind its camera: put it where the point is seen")
    lens = camera_of(item.object.parent, scene)
    target.camera = Camera(
        position=tuple(_place(lens.position)),
        target=tuple(_place(lens.position + lens.view)),
        up=tuple(_place(lens.axes[:, 1])),
        focal_length=round(lens.focal_px, 4),
        centre=[round(x, 4) for x in lens.center_px],
    )
    point = tuple(_place(item.point)) if item.use_point else None
    seen = [round(float(x), 3) for x in pixel]
    target.points = [TrackedPoint(as_typed(item.time), target.body, seen, point)]
    target.body = ""


def _fill_measure(
    target: Target, item: Any, scene: bpy.types.Scene, scenario: Scenario, mark: Mark | None
) -> None:
    target.value, target.measure, target.body = as_typed(item.value), quantity_of(item, scenario), ""


def quantity_of(item: bpy.types.PropertyGroup, scenario: Scenario) -> Quantity:
    """The measure that a number is of: that of an imported file, or one of the usual ones. Raises SceneError."""
    if item.quantity:
        kept = exact_copy.load(Quantity, item.quantity)
        if kept.name == item.measure:
            return kept
    usual = {quantity.name: quantity for quantity in usual_outcomes(scenario)["measures"]}
    if item.measure not in usual:
        raise SceneError(
            f"the evidence '{item.name}' is of no measure '{item.measure}'; there are: {', '.join(usual)}"
        )
    return usual[item.measure]


_FILL: dict[str, Callable[[Target, Any, bpy.types.Scene, Scenario, Mark | None], None]] = {
    "rest_position": _fill_rest,
    "rest_orientation": _fill_turn,
    "contact_mark": _fill_contact,
    "damage": _fill_contact,
    "throw_distance": _fill_throw,
    "video_points": _fill_picture,
    "measure": _fill_measure,
}


def _bodies(scene: bpy.types.Scene) -> Iterator[str]:
    names = scenario_names(scene)
    for actor in actors_of(scene):
        yield names[actor.name]
        yield from (f"{names[actor.name]}/{bone.name}" for bone in body_bones(actor.data))


def _surfaces(scene: bpy.types.Scene) -> Iterator[str]:
    names = scenario_names(scene)
    yield GROUND
    yield from (names[obstacle.name] for obstacle in obstacles_of(scene))


def _measures(scene: bpy.types.Scene) -> Iterator[str]:
    if actors_of(scene):
        yield from (quantity.name for quantity in usual_outcomes(read_scenario(scene))["measures"])


register, unregister = callbacks.answered(
    {"evidence bodies": _bodies, "evidence surfaces": _surfaces, "evidence measures": _measures}
)
