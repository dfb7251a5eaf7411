"""Validate a scene's scenario, and find the object that each problem is about, for the panel to select."""

import re

import bpy

from ...analysis.plausibility import implausible_inputs
from ...engine.build.validate import validate
from ...engine.spec.validation import Issue
from ..base.errors import USER_ERRORS
from ..base.labels import label_of
from ..base.units import units_of
from ..model.display_meshes import missing_meshes
from ..model.edit_actor import is_current
from ..model.read import read_model
from ..muscles.build import muscles_of, wrap_surfaces_of
from ..store.actors import actor_of, actors_of, obstacles_of, parts_of, require_unit_scale
from .scenario import read_scenario, scenario_names

PLACE = re.compile(r"(\w+) '((?:[^']|'(?!,|$))*)'")
"""Parts of an issue's place, such as: actor 'man', body 'head', ellipsoid 'skull'."""


def validate_scene(scene: bpy.types.Scene) -> int:
    """Fill the scene's list of findings; returns the number of errors."""
    issues = scene_issues(scene)
    group = scene.mannequin
    group.issues.clear()
    for issue in issues:
        item = group.issues.add()
        item.severity = issue.severity
        item.message = f"{issue.place}: {issue.message}. {issue.remedy}"
        item.object, item.bone = find_object(issue.place, scene)
    group.issues_index = 0
    group.validated = True
    return sum(issue.severity == "error" for issue in issues)


def scene_issues(scene: bpy.types.Scene) -> list[Issue]:
    """Every problem of a scene: what cannot be read, what does not fit the scene, and what the engine finds."""
    issues = []
    names = scenario_names(scene)
    for actor in actors_of(scene):
        issues += actor_issues(actor, names[actor.name], scene)
    for obj in scene.objects:
        if obj.mannequin.kind == "ELLIPSOID" and actor_of(obj) is None:
            remedy = "Parent it to a bone of an actor (Ctrl P, Bone), or delete it"
            issues.append(Issue("warning", f"ellipsoid '{obj.name}'", "it belongs to no actor", remedy))
    if any(issue.severity == "error" for issue in issues):
        return issues
    try:
        scenario = read_scenario(scene)
        found = [*validate(scenario), *issues]
        return (
            found
            if any(issue.severity == "error" for issue in found)
            else [*found, *implausible_inputs(scenario)]
        )
    except USER_ERRORS as error:
        return [
            *issues,
            Issue("error", f"scene '{scene.name}'", str(error), "Correct it and validate again"),
        ]


def actor_issues(actor: bpy.types.Object, name: str, scene: bpy.types.Scene) -> list[Issue]:
    """Problems of an actor that only Blender knows of."""
    place = f"actor '{name}'"
    try:
        model = read_model(actor)
        require_unit_scale(actor, units_of(scene))
        current = is_current(actor, scene, model)
    except USER_ERRORS as error:
        return [Issue("error", place, str(error), "Correct it and validate again")]
    issues = []
    if not current:
        issues.append(Issue("warning", place, "its bones do not follow its joints", "Use Update Rig"))
    for part in missing_meshes(actor):
        message = f"its display mesh '{part.mannequin.mesh.path}' is not loaded"
        remedy = "Use Load Display Meshes and choose the folder of the model"
        issues.append(Issue("warning", f"{place}, body '{part.parent_bone}'", message, remedy))
    return issues


def find_object(place: str, scene: bpy.types.Scene) -> tuple[bpy.types.Object | None, str]:
    """Object, and bone where it is an armature's, that an issue's place names."""
    parts = dict(PLACE.findall(place))
    names = scenario_names(scene)
    for obstacle in obstacles_of(scene):
        if names[obstacle.name] == parts.get("obstacle"):
            return obstacle, ""
    actor = next((obj for obj in actors_of(scene) if names[obj.name] == parts.get("actor")), None)
    if actor is None:
        return scene.objects.get(parts.get("ellipsoid", "")), ""
    for part in [*muscles_of(actor), *wrap_surfaces_of(actor)]:
        kind = part.mannequin.kind.lower()
        named = parts.get("muscle") if kind == "muscle" else parts.get("surface")
        if label_of(part, getattr(part.mannequin, kind)) == named:
            return part, ""
    bone = bone_of(actor, parts)
    if "ellipsoid" in parts and bone:
        for obj in parts_of(actor, "ELLIPSOID").get(bone, []):
            if label_of(obj, obj.mannequin.ellipsoid) == parts["ellipsoid"]:
                return obj, ""
    if "joint" in parts and bone:
        handles = parts_of(actor, "JOINT").get(bone)
        if handles:
            return handles[0], ""
    return actor, bone


def bone_of(actor: bpy.types.Object, parts: dict[str, str]) -> str:
    """Name of the bone that the parts of a place mean."""
    if parts.get("body", "") in actor.data.bones:
        return parts["body"]
    for bone in actor.data.bones:
        if bone.mannequin.is_body and "joint" in parts and bone.mannequin.joint.name == parts["joint"]:
            return bone.name
    return ""
