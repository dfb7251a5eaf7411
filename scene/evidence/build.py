"""From an evidence file to the scene: marks and empties where things were found, hypotheses with their unknowns."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from ...engine.maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ...io_json import exact_copy
from ...io_json.marks import Mark, read_marks
from ...places.camera import lens
from ...sweeps.fit.spec import Camera, Evidence, Target, TrackedPoint, read_evidence
from ...sweeps.spec import Parameter
from ..base.errors import SceneError
from ..base.units import units_of
from ..places.camera_match import place_camera
from ..run.simulate import build_scenario
from ..scenario.marks import KEY as MARK
from ..scenario.marks import add_mark
from ..scenario.scenario import read_scenario, scenario_names
from ..show.overlay_geometry import body_matrix
from ..store.actors import actors_of
from ..store.sweeps import SPREADS
from .objects import (
    BODY_TOLERANCE,
    GROUND,
    SIZE,
    new_empty,
    new_item,
    on_ray,
    surface_frames,
    tie,
    under_camera,
)

SAME_PLACE = 1e-4
"""m: a mark within this of where a file has one is the same."""


def import_case(path: str, scene: bpy.types.Scene) -> Evidence:
    """Put the evidence and the hypotheses of a file in place of those of the scene; with its scenario where the scene
    has no actor yet. Raises SceneError, FileError."""
    file = Path(path)
    evidence = read_evidence(file)
    for target in evidence.targets:
        _require_shown(target)
    sets = _sets(evidence)
    if not actors_of(scene):
        from ...sweeps.plan import scenario_beside

        build_scenario(scenario_beside(evidence.scenario, file), scene)
        bpy.context.view_layer.update()
    marks = {mark.name: mark for mark in read_marks(file.parent / evidence.marks)} if evidence.marks else {}
    group = scene.mannequin.evidence
    group.targets.clear()
    for target in evidence.targets:
        _MAKE[target.kind](target, scene, marks)
    group.hypotheses.clear()
    group.hypotheses_index = 0
    for name, parameters in sets.items():
        hypothesis = group.hypotheses.add()
        hypothesis.name = name
        for parameter in parameters:
            _write_input(hypothesis.inputs.add(), parameter)
    group.runs, group.samples, group.seed = (
        evidence.search.runs,
        evidence.search.samples,
        evidence.search.seed,
    )
    group.compared = evidence.comparison.runs
    return evidence


def _sets(evidence: Evidence) -> dict[str, list[Parameter]]:
    """Hypotheses by name, the one first whose ranges the unknowns have; unknowns of none are a set of their own."""
    sets = {hypothesis.name: hypothesis.parameters for hypothesis in evidence.hypotheses}
    for parameters in sets.values():
        for parameter in parameters:
            if parameter.distribution.kind not in {kind for kind, _, _ in SPREADS}:
                raise SceneError(
                    f"'{parameter.name}' is spread as '{parameter.distribution.kind}', which Blender's panel does not "
                    "have: compare these hypotheses on the command line"
                )
    ranges = [(u.address, u.low, u.high) for u in evidence.unknowns]
    same = [
        name
        for name, parameters in sets.items()
        if [(p.address, p.distribution.low, p.distribution.high) for p in parameters] == ranges
    ]
    if same:
        return {same[0]: sets[same[0]]} | sets
    own = {"fit": [unknown.parameter for unknown in evidence.unknowns]} if evidence.unknowns else {}
    return own | sets


def _write_input(item: bpy.types.PropertyGroup, parameter: Parameter) -> None:
    spread = parameter.distribution
    item.name, item.address, item.mode = parameter.name, parameter.address, parameter.mode
    item.source, item.spread = parameter.source, spread.kind
    item.low, item.high = spread.low, spread.high
    middle = spread.mode if spread.kind == "triangular" else spread.mean
    if middle is not None:
        item.middle = middle
    if spread.sd is not None:
        item.deviation = spread.sd


def _require_shown(target: Target) -> None:
    """Refuse what Blender cannot show as an object."""
    contact = target.contact
    if contact is not None and (contact.min_force or contact.after or contact.until is not None):
        raise SceneError(f"'{target.name}' narrows its contacts down: fit it on the command line")
    if target.camera is not None and target.camera.matrix is not None:
        raise SceneError(f"the camera of '{target.name}' is a matrix: give its position and focal length")


def _filled(
    target: Target, scene: bpy.types.Scene, obj: bpy.types.Object | None, name: str = ""
) -> bpy.types.PropertyGroup:
    item = new_item(scene, name or target.name, target.kind, obj, target.tolerance)
    item.body, item.source = target.body, target.source
    return item


def _mark_object(
    target: Target,
    scene: bpy.types.Scene,
    marks: dict[str, Mark],
    place: Sequence[float],
    turned: float = 0.0,
) -> bpy.types.Object | None:
    """The mark that a target names, from the scene or made; one of its own where it has an ellipse; else None.

    turned: degrees about z of the frame that the ellipse is in.
    """
    there = scene.objects.get(target.mark or target.name)
    there = there if there is not None and MARK in there else None
    if target.mark:
        return there or add_mark(marks[target.mark], scene)
    if target.ellipse is None:
        return None
    if there is not None and np.allclose(units_of(scene).point_to_si(there.location), place, atol=SAME_PLACE):
        return there
    kind = "rest" if target.kind == "rest_position" else "other"
    a, b, angle = target.ellipse
    return add_mark(Mark(target.name, kind, tuple(map(float, place)), (a, b, angle + turned)), scene)


def _make_rest(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    place = (*target.position, 0.0)[:3]
    obj = _mark_object(target, scene, marks, place)
    if obj is None:
        obj = new_empty(scene, target.name, "PLAIN_AXES", SIZE)
        obj.location = units_of(scene).point_to_blender(place)
    _filled(target, scene, obj).use_height = len(target.position) == 3 and not target.mark


def _make_turn(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    obj = new_empty(scene, target.name, "ARROWS", SIZE)
    obj.rotation_mode = "QUATERNION"
    obj.rotation_quaternion = quaternion_from_matrix(matrix_from_zyx(target.orientation)).tolist()
    _filled(target, scene, obj)


def _make_contact(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    bearer, names, units = target.contact.on, scenario_names(scene), units_of(scene)
    actor_name, _, body = bearer.partition("/")
    actor = next((a for a in actors_of(scene) if names[a.name] == actor_name), None)
    if actor is not None and body in actor.data.bones:
        obj = new_empty(scene, target.name, "SPHERE", BODY_TOLERANCE)
        bone = actor.data.bones[body]
        tie(obj, actor, bone, body_matrix(actor, bone, units) @ units.point_to_blender(target.point))
    else:
        frame = surface_frames(read_scenario(scene)).get(bearer, np.identity(4))
        place = (frame @ [*target.point, 1.0])[:3]
        turned = math.degrees(math.atan2(frame[1, 0], frame[0, 0]))
        obj = _mark_object(target, scene, marks, place, turned)
        if obj is None:
            obj = new_empty(scene, target.name, "PLAIN_AXES", SIZE)
            obj.location = units.point_to_blender(place)
    item = _filled(target, scene, obj)
    item.body, item.on = target.contact.of, "" if bearer == GROUND or actor is not None else bearer


def _make_throw(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    _filled(target, scene, None).value = target.distance


def _make_measure(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    item = _filled(target, scene, None)
    item.value, item.measure = target.value, target.measure.name
    item.quantity = exact_copy.dump(target.measure)


def _make_picture(target: Target, scene: bpy.types.Scene, marks: dict[str, Mark]) -> None:
    camera = _camera_object(target.camera, scene)
    for number, tracked in enumerate(target.points, start=1):
        name = target.name if len(target.points) == 1 else f"{target.name} {number}"
        obj = new_empty(scene, name, "CIRCLE", 0.5 * SIZE)
        under_camera(obj, camera, _seen_at(camera, target.camera, tracked, scene))
        item = _filled(target, scene, obj, name)
        item.body, item.time = tracked.body, tracked.time
        item.use_point = tracked.point is not None
        item.point = tracked.point or (0.0, 0.0, 0.0)


def _seen_at(obj: bpy.types.Object, camera: Camera, tracked: TrackedPoint, scene: bpy.types.Scene) -> Vector:
    """A place on the ray of a point; the lens of Blender's camera has no distortion."""
    flat = (np.array([tracked.pixel]) - camera.centre) / camera.focal_length
    terms = tuple(camera.distortion) or (0.0, 0.0)
    (pixel,) = np.asarray(camera.centre) + camera.focal_length * lens.undistorted(flat, terms)
    return on_ray(obj, (float(pixel[0]), float(pixel[1])), scene)


def _camera_object(camera: Camera, scene: bpy.types.Scene) -> bpy.types.Object:
    """A camera of the scene that stands and looks like that of a file: the matched one, or a new one."""
    position, view = np.asarray(camera.position, dtype=float), np.asarray(camera.target, dtype=float)
    backward = (position - view) / np.linalg.norm(position - view)
    right = np.cross(np.asarray(camera.up, dtype=float), backward)
    right /= np.linalg.norm(right)
    axes = np.column_stack([right, np.cross(backward, right), backward])
    size = tuple(round(2.0 * x) for x in camera.centre)
    name = f"Evidence {camera.file or 'camera'}"
    found = bpy.data.objects.get(name)
    obj = found if found is not None and found.type == "CAMERA" else None
    if obj is None:
        obj = bpy.data.objects.new(name, bpy.data.cameras.new(name))
        scene.collection.objects.link(obj)
    turn = tuple(quaternion_from_matrix(axes).tolist())
    place_camera(
        obj, lens.Camera(name, tuple(position), turn, camera.focal_length, tuple(camera.centre), size), scene
    )
    scene.render.resolution_x, scene.render.resolution_y = size
    bpy.context.view_layer.update()
    return obj


_MAKE: dict[str, Callable[[Target, bpy.types.Scene, dict[str, Mark]], None]] = {
    "rest_position": _make_rest,
    "rest_orientation": _make_turn,
    "contact_mark": _make_contact,
    "damage": _make_contact,
    "throw_distance": _make_throw,
    "video_points": _make_picture,
    "measure": _make_measure,
}
