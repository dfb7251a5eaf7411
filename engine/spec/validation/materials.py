"""Checks on what the numbers and curves of a material mean together."""

from collections.abc import Mapping

from .. import Ellipsoid, Material, PairMaterial
from ..materials import depth_of_gain, ellipsoid_material
from .fields import is_sound, place_of
from .issue import Issue, error

LEAST_FACTOR = 1e-6
"""Of an amplification: of C1, and of C3 in m/s."""
LARGEST_POWER = 10.0
"""C4 of an amplification."""


def material_issues(place: str, material: Material) -> list[Issue]:
    """Amplification, friction and curves of a material."""
    issues = friction_issues(place, material.static_friction, material.dynamic_friction)
    c1, _, c3, c4 = material.amplification
    if min(c1, c3) < LEAST_FACTOR or c4 > LARGEST_POWER:
        message = f"amplification is {tuple(map(float, material.amplification))}"
        remedy = (
            f"Choose C1 and C3 from {LEAST_FACTOR:g} on, C2 from 0 on, and C4 from 0 to {LARGEST_POWER:g}"
        )
        issues.append(error(place, message, remedy))
    return issues + unloading_issues(place, material)


def friction_issues(place: str, static: float | None, dynamic: float | None) -> list[Issue]:
    """Sliding never rubs more than sticking."""
    if static is None or dynamic is None or dynamic <= static:
        return []
    message = f"dynamic friction {dynamic:g} is above static friction {static:g}"
    return [error(place, message, "Lower the dynamic one, or raise the static one")]


def unloading_issues(place: str, material: Material) -> list[Issue]:
    """A surface gives back no more than it took."""
    if material.law != "curve" or not material.unloading or not is_sound(material):
        return []
    depth = depth_of_gain(material)
    if depth is None:
        return []
    message = f"its unloading curve is above its loading curve at {depth:g} m, which would make energy"
    return [error(place, message, "Lower the unloading curve there")]


def ellipsoid_issues(place: str, ellipsoid: Ellipsoid, materials: Mapping[str, Material]) -> list[Issue]:
    """The material is known, and its curves and the ellipsoid's own fit each other."""
    if ellipsoid.material and ellipsoid.material not in materials:
        message = f"unknown material '{ellipsoid.material}'"
        return [error(place, message, "Add it to the model's materials")]
    return unloading_issues(place, ellipsoid_material(ellipsoid, materials)) if ellipsoid.unload_curve else []


def pair_issues(pair: PairMaterial) -> list[Issue]:
    """Friction and material of a pair of surfaces."""
    place = place_of(pair)
    issues = friction_issues(place, pair.friction, pair.dynamic_friction)
    return issues + (material_issues(f"{place}, material", pair.material) if pair.material else [])
