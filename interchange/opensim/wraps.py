"""Where along its path a muscle meets its wrap objects.

OpenSim finds out at every moment: each object wraps the one stretch of the path where it changes the length least, and
objects are met in whatever order. Ours are authored: in order along the path, each in its stretch. Both are taken from
the default posture.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...engine.spec.muscles import Muscle, WrapSurface
from ..common.findings import Findings


def placed_wraps(
    muscle: Muscle, surfaces: Mapping[str, WrapSurface], poses: Mapping[str, np.ndarray], findings: Findings
) -> Muscle:
    """The muscle with each wrap in a stretch, and in order along the path. `poses`: (4, 4) of bodies in the world."""
    points = [poses[p.body][:3, :3] @ np.array(p.position) + poses[p.body][:3, 3] for p in muscle.path]
    bodies = [point.body for point in muscle.path]
    placed = []
    for wrap in muscle.wraps:
        surface = surfaces[wrap.surface]
        pose = poses[surface.body]
        centre = pose[:3, :3] @ np.array(surface.position) + pose[:3, 3]
        stretches = range(len(points) - 1) if wrap.segment is None else [wrap.segment]
        # what lies between two points of one body never changes there
        between = [k for k in stretches if bodies[k] != bodies[k + 1]] or list(stretches)
        nearest = min(between, key=lambda k: _distance(points, k, centre)[0])
        if len(between) > 1:
            message = "each wrap object acts between the two points nearest to it in the default posture"
            findings.add("muscle", muscle.name, message)
        placed.append((nearest, _distance(points, nearest, centre)[1], replace(wrap, segment=nearest)))
    ordered = sorted(placed, key=lambda item: item[:2])
    return replace(muscle, wraps=tuple(wrap for _, _, wrap in ordered))


def _distance(points: list[np.ndarray], k: int, centre: np.ndarray) -> tuple[float, float]:
    """(Distance of a point from a stretch, share of the stretch at which it is nearest)."""
    along = points[k + 1] - points[k]
    share = float(np.clip((centre - points[k]) @ along / max(float(along @ along), 1e-30), 0.0, 1.0))
    return float(np.linalg.norm(points[k] + share * along - centre)), share
