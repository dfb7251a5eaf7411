"""Muscle paths of a model in any posture: lengths, rates per speed, and the lines to draw. No run is needed."""

from collections.abc import Mapping
from math import cos, sin

import numpy as np

from ..bodies.kinematics import forward_kinematics
from ..bodies.workspace import new_workspace
from ..build.system import System, compile_system
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix, zyx_from_matrix
from ..muscles.arrays import CYLINDER, ELLIPSOID, LENGTH
from ..muscles.forces import STARTING, muscle_forces
from ..muscles.geodesic import follow_geodesic
from ..muscles.state import empty_state, path_jacobian
from ..spec import Actor, Model, Scenario, Settings
from ..spec.joint_types import BALL
from ..spec.values import Vector

ARC_STEPS = 32
"""Steps of the integration that draws a line over an ellipsoid."""


class MuscleGeometry:
    """The muscles of one model; `place` sets the posture that the other methods evaluate."""

    def __init__(self, model: Model) -> None:
        settings = Settings(ground=False, reactions=False)
        self.system: System = compile_system(
            Scenario("muscle paths", [Actor("model", model)], settings=settings)
        )
        arrays = self.system.arrays
        self._muscles, self._tree, self._authored = arrays.muscles, arrays.tree, arrays.authored
        self._state = empty_state(self._muscles, self._tree, self._authored)
        self._workspace = new_workspace(self._tree)
        self._kinds = {joint.name: joint.kind for joint in model.joints}
        self.names = self.system.muscle_names
        self.place({})

    def index(self, muscle: str) -> int:
        """Number of a muscle. KeyError names the muscles there are."""
        if muscle not in self.names:
            raise KeyError(f"no muscle is called '{muscle}'; there are {', '.join(self.names) or 'none'}")
        return self.names.index(muscle)

    def moving(self, joint: str) -> int:
        """Moving body of a joint. KeyError names the joints that turn."""
        turning = {
            name: int(i)
            for name, i in zip(self.system.joint_names, self._authored.moving_joint, strict=True)
            if self._kinds[name].resists
        }
        if joint not in turning:
            raise KeyError(f"no joint that turns is called '{joint}'; there are {', '.join(turning)}")
        return turning[joint]

    def place(self, rotations: Mapping[str, Vector | np.ndarray]) -> None:
        """Take a posture: joint name to angles (Z, Y, X) in degrees, or to a (3, 3) rotation; others are at zero.

        A joint with an axis takes its angle (or its way in m) from the first number.
        """
        q = self.system.q_start.copy()
        for name, value in rotations.items():
            last = self.moving(name)
            kind = self._kinds[name]
            given = np.array(value, dtype=float)
            angles = zyx_from_matrix(given) if given.shape == (3, 3) else np.ravel(given)
            for i, motion in enumerate(kind.motions, last - len(kind.motions) + 1):
                at = self._tree.q_address[i]
                if motion.group == BALL:
                    matrix = given if given.shape == (3, 3) else matrix_from_zyx(tuple(value))
                    q[at : at + 4] = quaternion_from_matrix(matrix)
                elif motion.turns or not kind.has_both:
                    q[at] = motion.coordinate(angles[motion.angle_place])
        self.place_coordinates(q, np.zeros(len(self.system.u_start)))

    def place_coordinates(self, q: np.ndarray, u: np.ndarray) -> None:
        """Take coordinates and speeds as the engine lays them out."""
        w = self._workspace
        forward_kinematics(self._tree, q, u, w)
        w.art_f[:] = 0.0
        w.art_n[:] = 0.0
        muscle_forces(self._muscles, self._state, self._tree, self._authored, w, 0.0, STARTING)

    def length(self, muscle: int) -> float:
        """Length of the path, m."""
        return float(self._state.output[muscle, LENGTH])

    def jacobian(self, muscle: int) -> np.ndarray:
        """(nu,) rate of the length per unit of each speed."""
        return path_jacobian(self._muscles, self._state, self._tree, self._workspace, muscle)

    def joint_speeds(self, joint: str, axis: np.ndarray) -> np.ndarray:
        """(nu,) speeds in which a joint turns at 1 rad/s about an axis fixed in its parent joint frame (T1).

        A joint with an axis has its own, and moves by one unit of its coordinate a second; x, y and z of a joint by
        functions are its first, second and third angle.
        """
        i = self.moving(joint)
        speeds = np.zeros(len(self.system.u_start))
        at = self._tree.u_address[i]
        kind = self._kinds[joint]
        if kind.has_axis:
            speeds[at] = 1.0
            return speeds
        first = i - len(kind.motions) + 1
        parent = self._workspace.rotation[self._tree.parent[first]].reshape(3, 3)
        frame = parent @ self._tree.rest[first].reshape(3, 3)
        if kind.is_ball:
            speeds[at : at + 3] = self._workspace.rotation[i].reshape(3, 3).T @ frame @ axis
            return speeds
        if kind.by_functions:
            for body, motion in enumerate(kind.motions, first):
                speeds[self._tree.u_address[body]] = axis[motion.place] if motion.turns else 0.0
            return speeds
        for body in range(first, i + 1):
            own = self._workspace.rotation[body].reshape(3, 3) @ self._tree.axis[body]
            speeds[self._tree.u_address[body]] = self._tree.turn[body] * (own @ frame @ axis)
        return speeds

    def line(self, muscle: int, arc_points: int = 8) -> np.ndarray:
        """(k, 3) world points of the path in order, with `arc_points` between the ends of every wrapped part."""
        m, s, w = self._muscles, self._state, self._workspace
        points = []
        for k in range(m.point_first[muscle], m.point_first[muscle + 1]):
            if not s.present[k]:
                continue
            body = m.point_body[k, 0]
            fixed = w.position[body] + w.rotation[body].reshape(3, 3) @ m.point_local[k]
            points.append(s.point[k].copy() if m.shift_first[k + 1] > m.shift_first[k] else fixed)
            for row in range(m.wrap_first[k], m.wrap_first[k + 1]):
                if s.touching[row]:
                    points += self._arc(row, points[-1], arc_points)
        return np.array(points)

    def _arc(self, row: int, before: np.ndarray, count: int) -> list[np.ndarray]:
        """World points along the wrapped part of a row, both tangent points included."""
        m, s = self._muscles, self._state
        j = m.wrap_surface[row]
        frame, centre = s.surface_frame[j].reshape(3, 3), s.surface_position[j]
        first = frame.T @ (s.tangent[row, :3] - centre)
        heading = frame.T @ (s.tangent[row, :3] - before)
        heading /= np.linalg.norm(heading)
        lengths = np.linspace(0.0, s.arc[row], count + 2)
        shape, size = m.surface_shape[j], m.surface_size[j]
        local = [_along(shape, size, first, heading, float(length)) for length in lengths]
        return [centre + frame @ point for point in local]


def _along(shape: int, size: np.ndarray, first: np.ndarray, heading: np.ndarray, length: float) -> np.ndarray:
    """Point of the geodesic that starts at `first` in the direction `heading` on a surface, after a length."""
    if shape == ELLIPSOID:
        return np.array(
            follow_geodesic(tuple(first), tuple(heading), length, tuple(1.0 / size**2), ARC_STEPS)[0]
        )
    if shape == CYLINDER:
        radius = np.hypot(first[0], first[1])
        round_about = np.array([-first[1], first[0], 0.0]) / radius
        angle = length * float(heading @ round_about) / radius
        c, sine = cos(angle), sin(angle)
        x, y, z = first
        return np.array([c * x - sine * y, sine * x + c * y, z + length * heading[2]])
    radius = np.linalg.norm(first)
    return cos(length / radius) * first + radius * sin(length / radius) * heading
