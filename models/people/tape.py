"""A tape round a mesh: circumferences and lengths of a person's body, as a tailor would take them.

Meshes are in metres, x to the front, y to the left, z up. A tape lies in a plane and spans hollows, so a circumference
is that of the convex hull of the section.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .base_mesh import BaseMesh

TRUNK_BONES = {"pelvis", "spine_01", "spine_02", "spine_03"}
HEAD_LEVEL = 0.25
"""Where the tape lies on the head, as a share of the way from the eyes to the vertex: over brows and occiput, where the
section of the mesh is largest above the ears."""


def hull_length(points: np.ndarray) -> float:
    """Length of the convex hull of (n, 2) points (Andrew's monotone chain)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()

    def chain(rows: list[list[float]]) -> list[list[float]]:
        kept: list[list[float]] = []
        for x, y in rows:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                kept.pop()
            kept.append([x, y])
        return kept

    ring = np.array(chain(order)[:-1] + chain(order[::-1])[:-1])
    return float(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).sum())


def section(vertices: np.ndarray, triangles: np.ndarray, at: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(n, 2) points, in the plane, where the edges of the triangles pass the plane through `at`."""
    normal = normal / np.linalg.norm(normal)
    distance = (vertices - at) @ normal
    found = []
    for a, b in ((0, 1), (1, 2), (2, 0)):
        p, q = triangles[:, a], triangles[:, b]
        crossing = (distance[p] > 0.0) != (distance[q] > 0.0)
        p, q = p[crossing], q[crossing]
        share = (distance[p] / (distance[p] - distance[q]))[:, None]
        found.append(vertices[p] + share * (vertices[q] - vertices[p]))
    first = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    return (np.concatenate(found) - at) @ np.stack([first, np.cross(normal, first)], axis=1)


@dataclass(frozen=True)
class Regions:
    """Triangles of the body by the part of the person they belong to."""

    head: np.ndarray
    trunk: np.ndarray
    arm: np.ndarray
    """Left"""
    leg: np.ndarray
    """Left"""
    hips: np.ndarray
    """Trunk and both legs"""
    crotch: np.ndarray
    """Vertices of the middle line between trunk and legs"""


@lru_cache(maxsize=1)
def regions(mesh: BaseMesh) -> Regions:
    """The regions of the base mesh, by the weights of its smaller rig."""
    rig = mesh.rig("game_engine")
    body = mesh.rows["body"]
    left = {bone for bone in rig.bones if bone.endswith("_l")}
    leg = {bone for bone in left if bone.startswith(("thigh", "calf", "foot", "ball"))}
    arm = {bone for bone in left if bone.startswith(("upperarm", "lowerarm", "hand"))}
    legs = leg | {bone[:-1] + "r" for bone in leg}

    def inside(bones: set[str], share: float = 0.5) -> np.ndarray:
        weight = rig.weights_of(bones)[body]
        return mesh.triangles[(weight[mesh.triangles] > share).all(axis=1)]

    middle = np.abs(mesh.base[body, 0]) < 1e-4
    near = rig.weights_of(legs | {"pelvis"})[body] > 0.9
    return Regions(
        head=inside({"head"}),
        trunk=inside(TRUNK_BONES | {"clavicle_l", "clavicle_r"}, 0.6),
        arm=inside(arm),
        leg=inside(leg, 0.4),
        hips=inside(TRUNK_BONES | legs, 0.8),
        crotch=np.flatnonzero(middle & near),
    )


Measure = Callable[[BaseMesh, np.ndarray], float]


def _ring(mesh: BaseMesh, vertices: np.ndarray, part: str, at: np.ndarray, normal: np.ndarray) -> float:
    return hull_length(section(vertices, getattr(regions(mesh), part), at, normal))


def _point(mesh: BaseMesh, vertices: np.ndarray, name: str) -> np.ndarray:
    return vertices[mesh.point[name]]


UP = np.array([0.0, 0.0, 1.0])


def head(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Circumference of the head over brows and occiput, m."""
    eyes = _point(mesh, vertices, "l-eye")[2]
    top = vertices[mesh.rows["body"], 2].max()
    return _ring(mesh, vertices, "head", (eyes + HEAD_LEVEL * (top - eyes)) * UP, UP)


def chest(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Circumference of the trunk at the level of the nipples, m."""
    return _ring(mesh, vertices, "trunk", vertices[NIPPLE] * UP, UP)


NIPPLE = 8451
"""Vertex of the body at the left nipple."""


def waist(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Circumference of the trunk at the navel, m."""
    return _ring(mesh, vertices, "trunk", _point(mesh, vertices, "spine-3") * UP, UP)


def hip(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Largest circumference of the hips, m: at five levels from the hip joints down to the crotch."""
    top, bottom = _point(mesh, vertices, "l-upper-leg")[2], crotch_height(mesh, vertices)
    levels = np.linspace(top, bottom + 0.15 * (top - bottom), 5)
    return max(_ring(mesh, vertices, "hips", level * UP, UP) for level in levels)


def upper_arm(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Circumference of the upper arm in its middle, m."""
    shoulder, elbow = _point(mesh, vertices, "l-shoulder"), _point(mesh, vertices, "l-elbow")
    return _ring(mesh, vertices, "arm", (shoulder + elbow) / 2.0, elbow - shoulder)


def thigh(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Circumference of the thigh, m: square to it, a little below the crotch."""
    joint, knee = _point(mesh, vertices, "l-upper-leg"), _point(mesh, vertices, "l-knee")
    level = crotch_height(mesh, vertices) - 0.10 * (joint[2] - knee[2])
    at = knee + (level - knee[2]) / (joint[2] - knee[2]) * (joint - knee)
    return _ring(mesh, vertices, "leg", at, joint - knee)


def crotch_height(mesh: BaseMesh, vertices: np.ndarray) -> float:
    """Height of the crotch above the soles, m: the length of the leg inside."""
    return float(vertices[regions(mesh).crotch, 2].min() - vertices[mesh.rows["body"], 2].min())


MEASURES: dict[str, Measure] = {
    "head": head,
    "chest": chest,
    "waist": waist,
    "hip": hip,
    "upper_arm": upper_arm,
    "thigh": thigh,
    "leg": crotch_height,
}
"""Field of `Person` to the function that measures it on a mesh."""


def measure_all(mesh: BaseMesh, vertices: np.ndarray) -> dict[str, float]:
    """Every measure of a mesh, m."""
    return {name: measure(mesh, vertices) for name, measure in MEASURES.items()}
