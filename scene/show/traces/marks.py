"""Contact marks: where each body part struck hardest, its peak force on a flag above; where joints gave way; and when
somebody lost balance, responded and landed.

A mark appears at the time of the peak, or of the break, and stays. On an obstacle it stands still in the world; on
another body it goes along with the body that was struck, and at a joint with the body that the joint carried.
"""

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ....analysis.colors import MARK, linear
from ....analysis.files.run_folder import Run
from ....analysis.measures.preview import force_text
from ....analysis.time_map import TimeMap
from ....engine.responses.arrays import PHASES
from ....engine.runs.recording import Recording
from ....engine.spec.response_joints import PELVIS
from ...base.blender_version import assign_action
from ...base.units import Units, units_of
from ...motion.bake import actors_by_name, frame_of_simulated_time, write_action
from ...motion.bone_channels import Channel
from ...rig.pose import joint_frame_at_rest
from ...store.actors import rest_frame
from ..materials import material
from .arrows import turn_from_z

COLOR = linear(MARK)
RADIUS, LIFT, LETTER, POLE = 0.05, 0.004, 0.075, 0.004
"""Metres: radius of the ring, its height above the surface, height of a letter, radius of the pole."""
HEIGHTS = (0.40, 0.54, 0.68, 0.82, 0.96, 1.10)
"""Metres: heights of the flags in turn, so that neighbours do not hide each other."""
SIDES = 32


def make_marks(run: Run, scene: bpy.types.Scene, time_map: TimeMap) -> list[bpy.types.Object]:
    """Ring, pole and label for the hardest contact of each body with each thing it touched, from `mark_force` N on, and
    for each joint that gave way and each phase of a response."""
    units, made, recording = units_of(scene), [], run.recording
    events: list[tuple[str, Mapping]] = [
        (f"{recording.body_names[event['body_a']]} {force_text(event['peak_force'])}", event)
        for event in hardest_events(recording, scene.mannequin.traces.mark_force)
    ]
    if not events and not len(recording.breaks) and not len(recording.responses):
        return []
    actors = actors_by_name(scene, recording)
    events += break_events(recording, actors) + response_events(recording)
    meshes = {"mark": ring_mesh(), "pole": pole_mesh()}
    for number, (text, event) in enumerate(events):
        label = label_object(text, units)
        parts = [*(bpy.data.objects.new(f"{text} {name}", mesh) for name, mesh in meshes.items()), label]
        places = world_places(event, HEIGHTS[number % len(HEIGHTS)], units)
        for obj, matrix in zip(parts, places, strict=True):
            place(obj, matrix, event, recording, actors, units)
            frame = frame_of_simulated_time(float(event["peak_time"]), scene, time_map)
            appear(obj, frame, f"{run.stem} {obj.name}")
        if scene.camera is not None:
            label.constraints.new("COPY_ROTATION").target = scene.camera
        made += parts
    return made


def hardest_events(recording: Recording, least: float) -> list[np.void]:
    """The event with the largest force of each body and each thing it touched, by time."""
    found: dict[tuple[int, int, int], np.void] = {}
    for event in recording.contacts:
        key = (int(event["body_a"]), int(event["body_b"]), int(event["obstacle_b"]))
        if event["peak_force"] >= least and (
            key not in found or event["peak_force"] > found[key]["peak_force"]
        ):
            found[key] = event
    return sorted(found.values(), key=lambda event: float(event["peak_time"]))


def break_events(recording: Recording, actors: dict[str, bpy.types.Object]) -> list[tuple[str, Mapping]]:
    """(label, event as `place` takes it) of each joint that gave way, at the joint's centre."""
    found = []
    for event in recording.breaks[recording.breaks["joint"] >= 0]:
        joint, time = int(event["joint"]), float(event["time"])
        body = int(recording.joint_child[joint])
        actor = actors[recording.actor_names[recording.joint_actor[joint]]]
        bone = actor.data.bones[recording.body_names[body]]
        centre = (np.linalg.inv(rest_frame(bone)) @ joint_frame_at_rest(bone))[:3, 3]
        sample = int(np.abs(recording.times - time).argmin())
        point = recording.origin(body)[sample] + recording.rotation(body)[sample] @ centre
        mark = {"point": point, "normal": np.array([0.0, 0.0, 1.0]), "body_b": body, "peak_time": time}
        found.append((f"{recording.joint_names[joint]} gave way", mark))
    return found


def response_events(recording: Recording) -> list[tuple[str, Mapping]]:
    """(label, event as `place` takes it) of each phase of somebody's response, at the pelvis, with which it goes."""
    found = []
    for event in recording.responses:
        actor, time = recording.actor_names[event["actor"]], float(event["time"])
        body = recording.body_index(actor, PELVIS)
        sample = int(np.abs(recording.times - time).argmin())
        mark = {
            "point": recording.position[sample, body],
            "normal": np.array([0.0, 0.0, 1.0]),
            "body_b": body,
            "peak_time": time,
        }
        found.append((f"{actor} {PHASES[event['phase']]}", mark))
    return found


def label_object(text: str, units: Units) -> bpy.types.Object:
    """Text that faces up until a camera turns it."""
    curve = bpy.data.curves.new(text, "FONT")
    curve.body, curve.size, curve.align_x = text, LETTER / units.metres, "CENTER"
    curve.materials.append(material("Contact Label", (0.02, 0.02, 0.02, 1.0), 0.9))
    return bpy.data.objects.new(f"{text} label", curve)


def world_places(event: Mapping, height: float, units: Units) -> tuple[Matrix, Matrix, Matrix]:
    """Where ring, pole and label are in the world at the time of the peak, in Blender units."""
    point, metres = Vector(event["point"]), units.metres
    turn = rotation_matrix(turn_from_z(np.array([event["normal"]]))[0])
    raised = units.point_to_blender(point + LIFT * Vector(event["normal"]))
    ring = Matrix.Translation(raised) @ turn @ Matrix.Scale(RADIUS / metres, 4)
    pole = Matrix.Translation(units.point_to_blender(point)) @ Matrix.Diagonal(
        (POLE / metres, POLE / metres, height / metres, 1.0)
    )
    return ring, pole, Matrix.Translation(units.point_to_blender(point + Vector((0.0, 0.0, height))))


def place(
    obj: bpy.types.Object,
    world: Matrix,
    event: Mapping,
    recording: Recording,
    actors: dict[str, bpy.types.Object],
    units: Units,
) -> None:
    """Put an object at its place of the time of the peak; on a body that was struck, tie it to its bone."""
    body = int(event["body_b"])
    if body < 0:
        obj.matrix_world = world
        return
    actor = actors[recording.actor_names[recording.body_actor[body]]]
    bone = actor.data.bones[recording.body_names[body]]
    obj.parent, obj.parent_type, obj.parent_bone = actor, "BONE", bone.name
    obj.matrix_parent_inverse = Matrix.Identity(4)
    at_peak = body_at(recording, body, float(event["peak_time"]), units)
    obj.matrix_basis = body_in_bone(bone, units) @ at_peak.inverted() @ world


def rotation_matrix(quaternion: np.ndarray) -> Matrix:
    """(4, 4) of a unit quaternion."""
    return Quaternion(quaternion.tolist()).to_matrix().to_4x4()


def body_in_bone(bone: bpy.types.Bone, units: Units) -> Matrix:
    """From the body's frame to the frame in which a bone holds its children: the actor's at rest, as rigs have it, or
    the bone's own at its tail."""
    rest = units.frame_to_blender(rest_frame(bone))
    if bone.use_relative_parent:
        return rest
    return (bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))).inverted() @ rest


def body_at(recording: Recording, body: int, time: float, units: Units) -> Matrix:
    """The body's frame in the world at the sample nearest to a time."""
    sample = int(np.abs(recording.times - time).argmin())
    frame = np.identity(4)
    frame[:3, :3], frame[:3, 3] = recording.rotation(body)[sample], recording.origin(body)[sample]
    return units.frame_to_blender(frame)


def appear(obj: bpy.types.Object, frame: float, name: str) -> None:
    """Hide an object until a frame."""
    first = int(np.ceil(frame - 1e-6))
    frames, hidden = np.array([first - 1.0, float(first)]), np.array([1.0, 0.0])
    channels = [Channel("", path, 0, hidden) for path in ("hide_viewport", "hide_render")]
    assign_action(obj, write_action(obj, name, (frames, channels)))


def ring_mesh() -> bpy.types.Mesh:
    """Flat ring of radius 1 around z."""
    angles = np.arange(SIDES) * 2.0 * np.pi / SIDES
    vertices = [(r * np.cos(a), r * np.sin(a), 0.0) for r in (1.0, 0.55) for a in angles]
    faces = [(k, (k + 1) % SIDES, SIDES + (k + 1) % SIDES, SIDES + k) for k in range(SIDES)]
    return mark_mesh("Contact Mark", vertices, faces)


def pole_mesh() -> bpy.types.Mesh:
    """Square pole from the origin to z = 1."""
    vertices = [(x, y, z) for z in (0.0, 1.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), *((k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4))]
    return mark_mesh("Contact Pole", vertices, faces)


def mark_mesh(name: str, vertices: list, faces: list) -> bpy.types.Mesh:
    """Mesh in the colour of the marks."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(material("Contact Mark", COLOR, 0.6))
    return mesh
