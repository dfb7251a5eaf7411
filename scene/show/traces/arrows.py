"""Contact forces as animated arrows: one per body part that touched anything.

An arrow shows the sum of the contact forces on a body at the very time of the frame. Its line is that of the sum (the
point p = c + F x T / F^2 beside the centre of mass c, T the torque about c); along it the arrow starts where the body
touches, as far as the contact events show. Peaks between two frames show in the marks and in the time series.
"""

import bpy
import numpy as np

from ....analysis.colors import FORCE, linear
from ....analysis.files.run_folder import Run
from ....analysis.measures.impact import body_label, events_of_body, touched_bodies
from ....analysis.resample import continuous
from ....analysis.time_map import TimeMap
from ....engine.runs.recording import Recording
from ...base.blender_version import assign_action
from ...base.units import units_of
from ...motion.bake import key_frames, write_action
from ...motion.bone_channels import Channel
from ..materials import material

COLOR = linear(FORCE)
THICKNESS = 0.012
"""Metres: radius of the shaft."""
LEAST_FORCE = 1.0
"""Newtons below which no arrow is shown."""
SIDES = 12


def make_arrows(run: Run, scene: bpy.types.Scene, time_map: TimeMap) -> list[bpy.types.Object]:
    """One arrow for each body that touched anything, not yet linked to a collection."""
    units, recording = units_of(scene), run.recording
    frames, times = key_frames(recording, scene, time_map, scene.mannequin.bake.every_sample)
    mesh = None
    made = []
    for body, _ in touched_bodies(recording):
        mesh = mesh or arrow_mesh()
        force, point = force_and_point(recording, body)
        force, point = at_times(recording, force, times), at_times(recording, point, times)
        obj = bpy.data.objects.new(f"{body_label(recording, body)} force", mesh)
        obj.rotation_mode = "QUATERNION"
        length = np.linalg.norm(force, axis=1)
        shown = np.where(length > LEAST_FORCE, 1.0, 0.0)
        size = np.stack(
            [
                shown * THICKNESS,
                shown * THICKNESS,
                shown * length / 1000.0 * scene.mannequin.traces.arrow_length,
            ],
            axis=1,
        )
        turn = continuous(turn_from_z(force))
        channels = [
            *(Channel("", "location", k, point[:, k] / units.metres) for k in range(3)),
            *(Channel("", "rotation_quaternion", k, turn[:, k]) for k in range(4)),
            *(Channel("", "scale", k, size[:, k] / units.metres) for k in range(3)),
        ]
        assign_action(obj, write_action(obj, f"{run.stem} {obj.name}", (frames, channels)))
        made.append(obj)
    return made


def at_times(recording: Recording, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(K, 3) values between the samples, straight."""
    return np.stack([np.interp(times, recording.times, column) for column in values.T], axis=1)


def force_and_point(recording: Recording, body: int) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) sum of the contact forces on a body, N, and (F, 3) world point at which to draw it, m."""
    force, centre = recording.contact_force[:, body], recording.position[:, body]
    square = np.einsum("fi,fi->f", force, force)[:, None]
    safe = np.maximum(square, LEAST_FORCE**2)
    arm = np.cross(force, recording.contact_torque[:, body]) / safe
    along = force / np.sqrt(safe)
    touch = touch_points(recording, body)
    slide = np.einsum("fi,fi->f", touch - centre - arm, along)[:, None]
    return force, centre + arm + slide * along


def touch_points(recording: Recording, body: int) -> np.ndarray:
    """(F, 3) where a body touches: mean over the events under way of their points in the body; else its centre."""
    total, count = np.zeros((recording.frames, 3)), np.zeros((recording.frames, 1))
    rotation, origin = recording.rotation(body), recording.origin(body)
    for event in recording.contacts[events_of_body(recording, body)]:
        last = np.inf if np.isnan(event["end"]) else event["end"]
        during = ((recording.times >= event["start"]) & (recording.times <= last))[:, None]
        local = event["point_a"] if event["body_a"] == body else event["point_b"]
        total += np.where(during, origin + rotation @ local, 0.0)
        count += during
    return np.where(count > 0, total / np.maximum(count, 1), recording.position[:, body])


def turn_from_z(vectors: np.ndarray) -> np.ndarray:
    """(K, 4) shortest turns that bring z onto (K, 3) vectors; none for a vector of no length."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    u = np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), [[0.0, 0.0, 1.0]])
    q = np.stack([1.0 + u[:, 2], -u[:, 1], u[:, 0], np.zeros(len(u))], axis=1)
    q = np.where(u[:, 2:] < -1.0 + 1e-12, [[0.0, 1.0, 0.0, 0.0]], q)
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def arrow_mesh() -> bpy.types.Mesh:
    """Arrow from the origin to z = 1 with a shaft of radius 1."""
    angles = np.arange(SIDES) * 2.0 * np.pi / SIDES
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = [(1.0, 0.0), (1.0, 0.75), (2.4, 0.75)]
    vertices = [(0.0, 0.0, 0.0)]
    vertices += [(r * x, r * y, z) for r, z in rings for x, y in circle]
    vertices.append((0.0, 0.0, 1.0))
    faces = []
    for k in range(SIDES):
        n = (k + 1) % SIDES
        faces.append((0, 1 + n, 1 + k))
        for ring in range(len(rings) - 1):
            a, b = 1 + ring * SIDES, 1 + (ring + 1) * SIDES
            faces.append((a + k, a + n, b + n, b + k))
        top = 1 + (len(rings) - 1) * SIDES
        faces.append((top + k, top + n, len(vertices) - 1))
    mesh = bpy.data.meshes.new("Force Arrow")
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(material("Force", COLOR, 0.5))
    return mesh
