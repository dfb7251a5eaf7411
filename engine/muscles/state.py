"""The state muscles start from, in equilibrium, and what is only known once their paths are measured."""

from collections.abc import Sequence

import numpy as np

from ..bodies.tree import Authored, Tree
from ..bodies.virtual_power import jacobian, mass_matrix
from ..bodies.workspace import Workspace
from .arrays import (
    ACTUATOR,
    DAMPING,
    DELAY,
    FASTEST,
    FIBRE_LENGTH,
    FORM,
    LAG,
    MAX_FORCE,
    MUSCLE_CHANNELS,
    MUSCLE_ENERGIES,
    OPTIMAL,
    RIGID,
    Muscles,
    MuscleState,
)
from .curves import VELOCITY_LAW
from .forces import STARTING, commit_muscles, muscle_energies, muscle_forces, muscle_power

SHORTEST_START, LONGEST_START = 0.4, 1.8
"""Optimal fibre lengths: range within which fibres pull (Millard et al. 2013: 0.44 and 1.81)."""
LAG_SAFETY = 4.0
"""Times the shortest lag at which a rigid tendon is stable at the start; postures change."""


def empty_state(m: Muscles, tree: Tree, authored: Authored) -> MuscleState:
    """A state of the right shapes with all values zero."""
    count, rows, pieces = len(m.kind), len(m.wrap_surface), int(m.piece_first[-1])
    surfaces, moving, bodies = len(m.surface_shape), len(tree.mass) + 1, len(authored.mass) + 1
    reflexes = int(m.reflex_row.max(initial=-1)) + 1
    delay = float(m.reflex[:, DELAY].max(initial=0.0))
    samples = int(delay / m.sample_time[0]) + 4
    shapes = {
        "time": (1,),
        "activation": (count,),
        "along": (count,),
        "speed": (count,),
        "fibre_force": (count, 2),
        "new_activation": (count,),
        "new_along": (count,),
        "new_speed": (count,),
        "new_fibre_force": (count, 2),
        "output": (count, len(MUSCLE_CHANNELS)),
        "surface_position": (surfaces, 3),
        "surface_frame": (surfaces, 9),
        "arc": (rows,),
        "tangent": (rows, 6),
        "warm": (rows, 5),
        "piece_arm": (pieces, 6),
        "point": (len(m.point_body), 3),
        "shift_slope": (len(m.shift_body), 3),
        "piece_unit": (pieces, 3),
        "load_force": (bodies, 3),
        "load_torque": (bodies, 3),
        "applied_force": (moving, 3),
        "applied_torque": (moving, 3),
        "subtree_force": (moving, 3),
        "subtree_torque": (moving, 3),
        "history": (reflexes, samples, 2),
        "energy": (len(MUSCLE_ENERGIES),),
        "energy_now": (len(MUSCLE_ENERGIES),),
        "power": (1,),
    }
    counts = {"touching": (rows,), "piece_count": (count,), "piece_body": (pieces, 4), "samples": (1,)}
    counts |= {"piece_point": (pieces, 2), "present": (len(m.point_body),)}
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    arrays["commanded"] = np.full(count, np.nan)
    return MuscleState(**arrays, **{name: np.zeros(shape, np.int64) for name, shape in counts.items()})


def with_addresses(m: Muscles, tree: Tree, authored: Authored, w: Workspace) -> Muscles:
    """The same with the addresses of the kernels, which are compiled or loaded here; nothing without muscles."""
    if len(m.kind) == 0:
        return m
    s = empty_state(m, tree, authored)
    return m._replace(
        forces_address=muscle_forces.address(m, s, tree, authored, w),
        commit_address=commit_muscles.address(m, s),
        power_address=muscle_power.address(s, w),
        energies_address=muscle_energies.address(m, s),
    )


def new_muscle_state(m: Muscles, tree: Tree, authored: Authored, w: Workspace) -> MuscleState:
    """State at the start, every fibre in static equilibrium with its tendon, from the kinematics in the workspace."""
    s = empty_state(m, tree, authored)
    if len(m.kind) == 0:
        return s
    muscle_forces(m, s, tree, authored, w, 0.0, STARTING)
    commit_muscles(m, s, 0.0, STARTING)
    return s


def start_notes(m: Muscles, s: MuscleState, names: Sequence[str]) -> list[str]:
    """A note for each muscle whose fibre starts outside its working range: its lengths or its path are wrong."""
    notes = []
    for i, name in enumerate(names):
        fibre = s.output[i, FIBRE_LENGTH] / m.unit[i, OPTIMAL]
        has_fibre = m.kind[i, FORM] != ACTUATOR
        if has_fibre and not SHORTEST_START <= fibre <= LONGEST_START:
            notes.append(
                f"muscle '{name}' starts with its fibre at {fibre:.2f} optimal lengths; check its tendon slack length "
                "and its path"
            )
    return notes


def path_jacobian(m: Muscles, s: MuscleState, tree: Tree, w: Workspace, i: int) -> np.ndarray:
    """(nu,) rate of the path length of muscle i per unit of each speed, from the pieces of the last evaluation."""
    total = np.zeros(len(w.u_dot))
    for piece in range(int(m.piece_first[i]), int(m.piece_first[i] + s.piece_count[i])):
        for end, sign in ((0, -1.0), (1, 1.0)):
            body = int(s.piece_body[piece, 2 * end])
            if body < len(tree.mass):
                point = w.position[body] + s.piece_arm[piece, 3 * end : 3 * end + 3]
                total += sign * s.piece_unit[piece] @ jacobian(tree, w, body, point)[0]
            k = int(s.piece_point[piece, end])
            for row in range(m.shift_first[k], m.shift_first[k + 1]) if k >= 0 else ():
                total[tree.u_address[m.shift_body[row]]] += sign * s.piece_unit[piece] @ s.shift_slope[row]
    return total


def _inverse(mass: np.ndarray) -> np.ndarray:
    """Of a mass matrix; of what moves, where a coordinate moves nothing just here (a function with no slope)."""
    try:
        return np.linalg.inv(mass)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(mass, hermitian=True)


def with_lags(m: Muscles, tree: Tree, authored: Authored, w: Workspace, time_step: float) -> Muscles:
    """The same with the lags of rigid tendons.

    A damper c along a path whose inertia is 1 / (J M^-1 J') is stable in explicit steps h only while h c < 2 times this
    inertia. Its velocity averaged over a lag T makes it a damper in series with a spring c / T, stable while h^2 c / T
    is small against the inertia.
    """
    rigid = np.flatnonzero(m.kind[:, RIGID])
    if len(rigid) == 0:
        return m
    s = new_muscle_state(m, tree, authored, w)
    inverse = _inverse(mass_matrix(tree, w))
    unit = m.unit.copy()
    for i in rigid:
        row = path_jacobian(m, s, tree, w, i)
        _, p, q = VELOCITY_LAW[m.kind[i, FORM]]
        damper = unit[i, MAX_FORCE] * (p - q + unit[i, DAMPING]) / unit[i, FASTEST]
        shortest = time_step**2 * damper * float(row @ inverse @ row)
        unit[i, LAG] = max(time_step, LAG_SAFETY * shortest)
    return m._replace(unit=unit)
