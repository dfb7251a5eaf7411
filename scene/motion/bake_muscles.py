"""Bake activation: the colour and the thickness of each muscle's curve as plain keyframes, one action each.

A muscle at rest is dark and thin, one at full activation bright and half as thick again. The curve itself follows the
bones. Its material takes the object's colour, so the film shows it where the extension is not installed.
"""

import bpy
import numpy as np

from ...engine.runs.recording import Recording
from ..base.blender_version import assign_action, use_nodes
from ..base.labels import label_of
from ..base.units import Units, units_of
from ..muscles.build import MUSCLE_COLOR, muscles_of, shown_radius
from .bake import Channel, actors_by_name, write_action

FULL_COLOR = (0.95, 0.16, 0.10)
"""Linear colour at full activation."""
SWELLING = 0.5
"""Growth of the drawn radius at full activation."""
MATERIAL_NAME = "Mannequin Muscle"


def bake_muscles(
    recording: Recording, scene: bpy.types.Scene, run: str, frames: np.ndarray, times: np.ndarray
) -> list[bpy.types.Action]:
    """Colour and thickness of every recorded muscle at the given frames, which show the given times (s)."""
    if not recording.muscle_names:
        return []
    made, units, actors = [], units_of(scene), actors_by_name(scene, recording)
    activation = recording.muscle_channel("activation")
    for number, name in enumerate(recording.actor_names):
        curves = {label_of(obj, obj.mannequin.muscle): obj for obj in muscles_of(actors[name])}
        for index in np.flatnonzero(recording.muscle_actor == number):
            obj = curves.get(recording.muscle_names[index])
            if obj is not None:
                values = np.interp(times, recording.times, activation[:, index])
                made += bake_muscle(obj, values, frames, units, run)
    return made


def bake_muscle(
    obj: bpy.types.Object, activation: np.ndarray, frames: np.ndarray, units: Units, run: str
) -> list[bpy.types.Action]:
    """Actions of one muscle: its object's colour, and its curve's thickness."""
    share = np.clip(activation, 0.0, 1.0)
    colors = [
        Channel("", "color", k, MUSCLE_COLOR[k] + share * (FULL_COLOR[k] - MUSCLE_COLOR[k])) for k in range(3)
    ]
    radius = units.length_to_blender(shown_radius(obj.mannequin.muscle.max_isometric_force))
    thickness = [Channel("", "bevel_depth", 0, radius * (1.0 + SWELLING * share))]
    made = []
    for owner, channels in ((obj, colors), (obj.data, thickness)):
        action = write_action(owner, action_name(run, obj, channels[0].path), (frames, channels))
        assign_action(owner, action)
        made.append(action)
    give_material(obj)
    return made


def action_name(run: str, obj: bpy.types.Object, what: str) -> str:
    """Name of the action of a run that animates one property of a muscle."""
    return f"{run} {obj.name} {what}"


def play_muscles(actor: bpy.types.Object, run: str) -> None:
    """Let the activation of an earlier run show on an actor's muscles, where it was baked."""
    for obj in muscles_of(actor):
        for owner, what in ((obj, "color"), (obj.data, "bevel_depth")):
            action = bpy.data.actions.get(action_name(run, obj, what))
            if action is not None:
                assign_action(owner, action)


def give_material(obj: bpy.types.Object) -> None:
    """Let a muscle be rendered in its object's colour, unless a person gave it another material."""
    if not obj.data.materials:
        obj.data.materials.append(muscle_material())


def muscle_material() -> bpy.types.Material:
    """The material all muscles share: the colour of the object."""
    material = bpy.data.materials.get(MATERIAL_NAME)
    if material is not None and material.library is None:
        return material
    material = bpy.data.materials.new(MATERIAL_NAME)
    use_nodes(material)
    nodes = material.node_tree.nodes
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Roughness"].default_value = 0.45
    info = nodes.new("ShaderNodeObjectInfo")
    material.node_tree.links.new(info.outputs["Color"], shader.inputs["Base Color"])
    return material
