"""The one boundary between Blender's numbers and SI: lengths, axes, quaternions, time and frames.

Axes: Blender and Mannequin are both right-handed with z up, so no axis is turned. Quaternions: both write
(w, x, y, z). Lengths: one Blender unit is `Units.metres` metres (the scene's unit scale). Time: second 0 of a scenario
is the scene's first frame, and a second has fps / fps_base frames.

Lengths of *objects* (locations, scales, mesh vertices) are in Blender units and pass through here. *Properties* of
Mannequin are in SI whatever the unit scale: a script that sets ``mass = 70`` means kilograms in every scene. That is
also why they carry no Blender unit for lengths and masses: Blender multiplies such numbers by the unit scale (or its
cube) when it shows them, and 70 kg would read as something else in a scene of centimetres. Their labels name the unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector


@dataclass(frozen=True)
class Units:
    """Lengths of one scene."""

    metres: float = 1.0
    """Metres per Blender unit."""

    def length_to_blender(self, value: float) -> float:
        """Blender units of a length in metres."""
        return value / self.metres

    def length_to_si(self, value: float) -> float:
        """Metres of a length in Blender units."""
        return value * self.metres

    def point_to_blender(self, point: Sequence[float]) -> Vector:
        """Location in Blender units of a point in metres."""
        return Vector([float(x) / self.metres for x in point])

    def point_to_si(self, point: Sequence[float]) -> np.ndarray:
        """(3,) point in metres of a location in Blender units."""
        return np.array(point, dtype=float) * self.metres

    def points_to_si(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) points in metres of (n, 3) locations in Blender units."""
        return np.asarray(points, dtype=float) * self.metres

    def frame_to_blender(self, transform: np.ndarray) -> Matrix:
        """Blender matrix of a rigid (4, 4) transform whose translation is in metres."""
        scaled = np.array(transform, dtype=float)
        scaled[:3, 3] /= self.metres
        return Matrix(scaled.tolist())

    def frame_to_si(self, matrix: Matrix) -> np.ndarray:
        """(4, 4) rigid transform, translation in metres, of a Blender matrix; scale and shear are dropped.

        The rotation passes through a unit quaternion in double precision, so it is orthogonal to round-off although
        Blender's matrices hold 32-bit numbers.
        """
        transform = np.identity(4)
        transform[:3, :3] = rotation_to_si(matrix.to_quaternion())
        transform[:3, 3] = self.point_to_si(matrix.translation)
        return transform


def units_of(scene: bpy.types.Scene) -> Units:
    """Units of a scene. Without a unit system one Blender unit is one metre."""
    settings = scene.unit_settings
    return Units(1.0 if settings.system == "NONE" else as_typed(settings.scale_length))


def as_typed(value: float) -> float:
    """The shortest number that Blender holds in 32 bits as this one: 1.2 for what reads 1.2000000476837158."""
    return float(str(np.float32(value)))


def rotation_to_si(quaternion: Sequence[float]) -> np.ndarray:
    """(3, 3) rotation matrix, orthogonal to round-off, of a Blender quaternion (w, x, y, z)."""
    from ...engine.maths.rotations import matrix_from_quaternion

    q = np.array(tuple(quaternion), dtype=float)
    return matrix_from_quaternion(q / np.linalg.norm(q))


def rotation_to_blender(rotation: np.ndarray) -> Quaternion:
    """Blender quaternion of a (3, 3) rotation matrix."""
    from ...engine.maths.rotations import quaternion_from_matrix

    return Quaternion(quaternion_from_matrix(rotation).tolist())


def frames_per_second(scene: bpy.types.Scene) -> float:
    """Frames per second of a scene: fps / fps_base (30000/1001 for 29.97)."""
    return scene.render.fps / scene.render.fps_base


def first_frame(scene: bpy.types.Scene) -> int:
    """Frame that shows the start of the scenario: the scene's first, or the one at which a motion was taken."""
    group = scene.mannequin
    return group.first_frame if group.use_approach else scene.frame_start


def frame_of_time(time: float, scene: bpy.types.Scene) -> float:
    """Frame (with fraction) that shows the given second of a scenario."""
    return first_frame(scene) + time * frames_per_second(scene)


def time_of_frame(frame: float, scene: bpy.types.Scene) -> float:
    """Second of a scenario that the given frame shows; negative before the first frame."""
    return (frame - first_frame(scene)) / frames_per_second(scene)
