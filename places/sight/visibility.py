"""The share of every body part that an eye sees, over time.

Derivation: docs/derivations.md, What a witness sees.
"""

from dataclasses import dataclass

import numpy as np

from ...analysis.resample import obstacle_motion, resample
from ...engine.maths.rotations import matrix_from_quaternion
from ...engine.runs.recording import Recording
from ...engine.spec import Obstacle, Scenario
from .rays import meets_box, meets_capsule, meets_ellipsoids, meets_plane, meets_triangles
from .witness import Witness, in_view

SAMPLES = 128
"""Points on every ellipsoid, spread evenly; about half of them face the eye."""
STEP = 0.05
"""s between the moments that are looked at."""


@dataclass(frozen=True)
class Sight:
    """What a witness sees of every body part."""

    witness: Witness
    times: np.ndarray
    """(F,) s"""
    names: tuple[str, ...]
    """"actor/body" of parts with a surface."""
    actors: tuple[str, ...]
    """Actor of each part."""
    share: np.ndarray
    """(F, P) of the part as it would be seen if nothing stood between: 0 hidden, 1 all of it."""
    weight: np.ndarray
    """(F, P) steradians that the part takes from there, if nothing stood between."""

    def of_actor(self, actor: str) -> np.ndarray:
        """(F,) share of a whole actor, parts by the angle that they take."""
        own = [k for k, name in enumerate(self.actors) if name == actor]
        weight = self.weight[:, own]
        return (self.share[:, own] * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-12)


@dataclass(frozen=True)
class _Part:
    """The ellipsoids of one body."""

    body: int
    centres: np.ndarray
    """(k, 3) in the body frame, m"""
    axes: np.ndarray
    """(k, 3, 3) columns are the semi-axes in the body frame, m"""


def sight_of(
    scenario: Scenario, recording: Recording, witness: Witness, step: float = STEP, samples: int = SAMPLES
) -> Sight:
    """What a witness sees of a run. The ground, obstacles, other parts and carried meshes hide what is behind them."""
    times = np.arange(recording.times[0], recording.times[-1] + 0.5 * step, step)
    motion = resample(recording, times)
    parts, names, actors = _parts(scenario)
    still = [_placed(obstacle, times) for obstacle in scenario.obstacles]
    dots = _sphere(samples)
    share, weight = np.zeros((len(times), len(parts))), np.zeros((len(times), len(parts)))
    eye = np.asarray(witness.eye, dtype=float)
    for frame in range(len(times)):
        rotation = matrix_from_quaternion(motion.quaternion[frame])
        origin = motion.origin[frame]
        centres = [origin[p.body] + p.centres @ rotation[p.body].T for p in parts]
        axes = [rotation[p.body] @ p.axes for p in parts]
        meshes = _carried(scenario, rotation, origin)
        for number, part in enumerate(parts):
            points, sizes = _facing(eye, centres[number], axes[number], dots)
            own = [k for k in range(len(parts)) if k != number]
            others = np.concatenate([centres[k] for k in own]) if own else np.zeros((0, 3))
            shapes = np.linalg.inv(np.concatenate([axes[k] for k in own])) if own else np.zeros((0, 3, 3))
            free = ~_buried(points, others, shapes)
            points, sizes = points[free], sizes[free]
            weight[frame, number] = sizes.sum()
            if not len(points):
                continue
            seen = in_view(witness, points)
            if len(others):
                seen &= ~meets_ellipsoids(eye, points, others, shapes).any(axis=1)
            seen &= ~_hidden_by_place(scenario, still, frame, eye, points)
            for body, corners in meshes:
                if body != part.body:
                    seen &= ~meets_triangles(eye, points, corners)
            share[frame, number] = sizes[seen].sum() / sizes.sum()
    return Sight(witness, times, tuple(names), tuple(actors), share, weight)


def _parts(scenario: Scenario) -> tuple[list[_Part], list[str], list[str]]:
    parts, names, actors, body = [], [], [], 0
    for actor in scenario.actors:
        for piece in actor.model.bodies:
            if piece.ellipsoids:
                centres = np.array([e.position for e in piece.ellipsoids], dtype=float)
                turned = [np.asarray(e.orientation, dtype=float) * e.semi_axes for e in piece.ellipsoids]
                parts.append(_Part(body, centres, np.array(turned)))
                names.append(f"{actor.name}/{piece.name}")
                actors.append(actor.name)
            body += 1
    return parts, names, actors


def _sphere(count: int) -> np.ndarray:
    """(n, 3) points spread evenly over the unit sphere, along a spiral by the golden angle."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    angle = np.pi * (3.0 - np.sqrt(5.0)) * k
    level = np.sqrt(1.0 - z**2)
    return np.column_stack([level * np.cos(angle), level * np.sin(angle), z])


def _facing(
    eye: np.ndarray, centres: np.ndarray, axes: np.ndarray, dots: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points of ellipsoids that face the eye, and (n,) the steradians that each stands for."""
    points = centres[:, None] + dots @ np.swapaxes(axes, 1, 2)
    normals = dots @ np.linalg.inv(axes) * np.abs(np.linalg.det(axes))[:, None, None]
    towards = eye - points
    sizes = (normals * towards).sum(axis=-1) / np.linalg.norm(towards, axis=-1) ** 3 * 4.0 * np.pi / len(dots)
    facing = sizes > 0.0
    return points[facing], sizes[facing]


def _buried(points: np.ndarray, centres: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """(n,) whether points lie inside an ellipsoid: where parts overlap at joints there is no surface to see."""
    if not len(centres) or not len(points):
        return np.zeros(len(points), dtype=bool)
    inside = np.einsum("kij,nkj->nki", shapes, points[:, None] - centres)
    return ((inside**2).sum(axis=-1) < 1.0).any(axis=1)


def _placed(obstacle: Obstacle, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) and (F, 3, 3): place of an obstacle and its axes as columns."""
    position, quaternion = obstacle_motion(obstacle, times)
    return position, matrix_from_quaternion(quaternion)


def _hidden_by_place(
    scenario: Scenario,
    still: list[tuple[np.ndarray, np.ndarray]],
    frame: int,
    eye: np.ndarray,
    points: np.ndarray,
) -> np.ndarray:
    """(n,) whether the ground or an obstacle is between."""
    hidden = np.zeros(len(points), dtype=bool)
    for obstacle, (positions, axes) in zip(scenario.obstacles, still, strict=True):
        local_eye = (eye - positions[frame]) @ axes[frame]
        local = (points - positions[frame]) @ axes[frame]
        hidden |= _meets_obstacle(obstacle, local_eye, local)
    return hidden


def _meets_obstacle(obstacle: Obstacle, eye: np.ndarray, points: np.ndarray) -> np.ndarray:
    if obstacle.shape == "box":
        return meets_box(eye, points, np.asarray(obstacle.half_size, dtype=float))
    if obstacle.shape == "capsule":
        return meets_capsule(eye, points, float(obstacle.half_size[0]), float(obstacle.half_size[2]))
    if obstacle.shape == "plane":
        return meets_plane(eye, points)
    corners = np.asarray(obstacle.vertices, dtype=float)[np.asarray(obstacle.triangles)]
    return meets_triangles(eye, points, corners)


def _carried(scenario: Scenario, rotation: np.ndarray, origin: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """(body, (m, 3, 3) corners) of the meshes that bodies carry: those of vehicles."""
    found, body = [], 0
    for actor in scenario.actors:
        for piece in actor.model.bodies:
            if piece.surface is not None:
                points = np.asarray(piece.surface.vertices, dtype=float) @ rotation[body].T + origin[body]
                found.append((body, points[np.asarray(piece.surface.triangles)]))
            body += 1
    return found
