"""What the curves of a surface say together: an ellipsoid's with its material's, unloading with loading."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .model import Ellipsoid, Material
from .values import Curve

DEFAULT_LOADING: Curve = ((0.0, 0.0), (0.01, 10000.0))
"""Loading curve of a surface that gives none: 1 MN/m, as in OpenMBD (docs/derivations.md, Force curves)."""


def ellipsoid_material(ellipsoid: Ellipsoid, materials: Mapping[str, Material]) -> Material:
    """Material of an ellipsoid: the named one, or the default, with the ellipsoid's own curves where it has them.

    A `force_curve` of its own makes the law "curve" and replaces loading and unloading together: an unloading curve of
    another loading curve would mean nothing.
    """
    material = materials[ellipsoid.material] if ellipsoid.material else Material(name=ellipsoid.name)
    if ellipsoid.force_curve:
        label = material.name if ellipsoid.material else ellipsoid.name
        return replace(
            material,
            name=label,
            law="curve",
            loading=ellipsoid.force_curve,
            unloading=ellipsoid.unload_curve or None,
        )
    if ellipsoid.unload_curve:
        return replace(material, unloading=ellipsoid.unload_curve)
    return material


def curve_points(curve: Curve) -> np.ndarray:
    """(n, 2) depth (m) and force (N), to the micronewton."""
    points = np.array([(float(x), float(y)) for x, y in curve])
    points[:, 1] = np.round(points[:, 1], 6)
    return points


def slope_beyond(points: np.ndarray, beyond_last: str) -> float:
    """N/m with which a loading curve goes on past its last point: never falling, and level where it is held."""
    if beyond_last == "hold":
        return 0.0
    return max(0.0, (points[-1, 1] - points[-2, 1]) / (points[-1, 0] - points[-2, 0]))


def common_depths(
    points: np.ndarray, given: np.ndarray, beyond_last: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(depth, loading force, unloading force) at all points of a loading and an unloading curve.

    The unloading curve is straight between its points, constant before the first, and past the last in constant
    proportion to the loading curve.
    """
    depth = np.union1d(points[:, 0], given[:, 0])
    past = np.maximum(0.0, depth - points[-1, 0])
    force = np.interp(depth, points[:, 0], points[:, 1]) + slope_beyond(points, beyond_last) * past
    unload = np.interp(depth, given[:, 0], given[:, 1])
    last = int(np.searchsorted(depth, given[-1, 0]))
    ratio = unload[last] / force[last] if force[last] > 0.0 else 0.0
    unload[last + 1 :] = ratio * force[last + 1 :]
    return depth, force, unload


def depth_of_gain(material: Material) -> float | None:
    """Depth (m) where the unloading curve first lies above the loading curve, which would make energy."""
    if not material.unloading:
        return None
    points = curve_points(material.loading or DEFAULT_LOADING)
    depth, force, unload = common_depths(points, curve_points(material.unloading), material.beyond_last)
    over = unload > force * (1.0 + 1e-9) + 1e-9
    return float(depth[over][0]) if over.any() else None
