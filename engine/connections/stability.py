"""Dampers reduced to what the step can carry, and a note where a spring is too stiff for it.

Connections act explicitly. A damper c on points with mobility m (m/s gained per N s) reverses the velocity within one
step h when h c m > 2. It is therefore reduced to c / (1 + h c m), always stable, always dissipative, the same at rest,
and the reduction is reported (docs/derivations.md, Explicit dampers).
"""

from collections.abc import Sequence

import numpy as np

from ..bodies.tree import Tree, inertia_about_com
from ..maths.rotations import cross_matrix
from .arrays import Connections

NOTED_EASE = 0.05
"""Share of a damper that may be taken off without a note."""


def point_mobility(tree: Tree, body: int, local: np.ndarray) -> float:
    """1/kg: largest speed gained by a point of a moving body from a unit impulse, the body taken as free.

    Joints only lessen it. The world (one past the last body) has none.
    """
    if body >= len(tree.mass):
        return 0.0
    mass, com = tree.mass[body], tree.com[body]
    arm = cross_matrix(np.asarray(local) - com)
    return float(
        np.linalg.eigvalsh(np.eye(3) / mass - arm @ np.linalg.inv(inertia_about_com(tree, body)) @ arm).max()
    )


def turning_mobility(tree: Tree, body: int) -> float:
    """1/(kg m2): the same for turning; about the smallest principal axis at the centre of mass."""
    if body >= len(tree.mass):
        return 0.0
    return float(1.0 / np.linalg.eigvalsh(inertia_about_com(tree, body)).min())


def ease_dampers(
    cn: Connections, tree: Tree, time_step: float, names: Sequence[str]
) -> tuple[Connections, list[str]]:
    """Connections whose springs and welds are stable at this step, and notes. names: one per connection.

    Belts and ropes need no easing: their damping force stays within the elastic one.
    """
    notes: list[str] = []
    spring_gains, weld_gains = cn.springs.gains.copy(), cn.welds.gains.copy()
    points = [
        point_mobility(tree, int(body), local)
        for body, local in zip(cn.point_body, cn.point_local, strict=True)
    ]
    first_weld = len(cn.break_force) - len(cn.welds.points)
    for i, (a, b) in enumerate(cn.springs.points):
        mobility = points[a] + points[b]
        stiffness, damping = spring_gains[i, 0], spring_gains[i, 1]
        if not cn.springs.pulls_only[i]:
            spring_gains[i, 1] = _eased(damping, mobility, time_step, f"spring '{names[i]}'", notes)
        notes += _too_stiff(stiffness, mobility, time_step, f"spring '{names[i]}'")
    for i, (a, b) in enumerate(cn.welds.points):
        label = f"weld '{names[first_weld + i]}'"
        mobility = points[a] + points[b]
        turning = sum(turning_mobility(tree, int(cn.point_body[point])) for point in (a, b))
        weld_gains[i, 1] = _eased(weld_gains[i, 1], mobility, time_step, label, notes)
        weld_gains[i, 3] = _eased(weld_gains[i, 3], turning, time_step, f"{label} (turning)", notes)
        notes += _too_stiff(weld_gains[i, 0], mobility, time_step, label)
        notes += _too_stiff(weld_gains[i, 2], turning, time_step, f"{label} (turning)")
    springs = cn.springs._replace(gains=spring_gains)
    return cn._replace(springs=springs, welds=cn.welds._replace(gains=weld_gains)), notes


def _eased(damping: float, mobility: float, time_step: float, label: str, notes: list[str]) -> float:
    eased = damping / (1.0 + time_step * damping * mobility)
    if eased < (1.0 - NOTED_EASE) * damping:
        notes.append(
            f"{label}: damping {damping:g} eased to {eased:.3g} for the time step; a smaller step keeps more of it"
        )
    return eased


def _too_stiff(stiffness: float, mobility: float, time_step: float, label: str) -> list[str]:
    """A note where (time step)^2 stiffness mobility passes 1, a quarter of the stability limit of symplectic Euler
    without damping."""
    if time_step * time_step * stiffness * mobility <= 1.0:
        return []
    bearable = 1.0 / np.sqrt(stiffness * mobility)
    return [
        f"{label}: too stiff for a time step of {time_step:g} s; take {bearable:.2g} s or lower the stiffness"
    ]
