"""Meshes of vehicles as a user might bring them: the generator's drawing with its interior, wheels welded on, noise."""

import numpy as np

from mannequin.models.vehicles.form.drawing import HALF_TURN, draw_vehicle


def triangles_of(faces):
    """(m, 3) triangles of (n, 4) faces, the last -1 for a triangle."""
    first = faces[:, [0, 1, 2]]
    second = faces[faces[:, 3] >= 0][:, [0, 2, 3]]
    return np.concatenate([first, second])


def drawn_mesh(vehicle, noise=0.0, seed=0):
    """(n, 3) points and (m, 3) triangles of a vehicle with interior and four wheels, each welded to the body by rods,
    every point moved by noise (m, standard deviation)."""
    drawn = draw_vehicle(vehicle)
    points, triangles = [drawn.body.points], [triangles_of(drawn.body.faces)]
    for centre in drawn.centres.values():
        turn = HALF_TURN if centre[1] < 0.0 else np.identity(3)
        wheel = drawn.wheel.points @ turn.T + np.array(centre)
        first = sum(map(len, points))
        triangles.append(triangles_of(drawn.wheel.faces) + first)
        # a sliver from the wheel to the nearest point of the body: one connected mesh
        near = int(np.argmin(np.linalg.norm(drawn.body.points - np.array(centre), axis=1)))
        triangles.append(np.array([[first, first + 1, near]]))
        points.append(wheel)
    points, triangles = np.concatenate(points), np.concatenate(triangles)
    return points + np.random.default_rng(seed).normal(0.0, noise, points.shape), triangles
