"""Nij, the neck injury criterion, from the load at the head joint (FMVSS 208 S6.6; Eppinger et al. 1999).

Nij = Fz / Fint + My / Mint with intercepts that depend on the signs: tension or compression, flexion or extension.

Signs (SAE J211, upper neck): the load is the force and moment that the *neck exerts on the head*, in head axes x
forward, y right, z down. Then +Fz is tension (the neck pulls the head down) and +My is flexion (the chin was driven to
the chest, and the neck turns the head back). The head joint is taken as the occipital condyles, so the lever of a
dummy's load cell (My - 0.01778 m * Fx) does not enter.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Intercepts:
    """Critical values: forces in N, moments in N m."""

    tension: float
    compression: float
    flexion: float
    extension: float


INTERCEPTS = {
    "50th male": Intercepts(6806.0, 6160.0, 310.0, 135.0),
    "5th female": Intercepts(4287.0, 3880.0, 155.0, 67.0),
    "5th female out of position": Intercepts(3880.0, 3880.0, 155.0, 61.0),
    "6 year out of position": Intercepts(2800.0, 2800.0, 93.0, 37.0),
    "3 year out of position": Intercepts(2120.0, 2120.0, 68.0, 27.0),
}
"""Sizes of FMVSS 208. `Scenario.outputs["neck_size"]` chooses one; the first is the default."""

CASES = ("NTE", "NTF", "NCE", "NCF")
"""Tension or compression, extension or flexion."""


def nij(axial: np.ndarray, moment: np.ndarray, intercepts: Intercepts) -> dict[str, np.ndarray]:
    """The four (F,) histories of Nij by case name, from (F,) Fz in N and (F,) My in N m; zero where signs differ."""
    axial, moment = np.asarray(axial, dtype=float), np.asarray(moment, dtype=float)
    force = {
        "T": (axial > 0.0, axial / intercepts.tension),
        "C": (axial <= 0.0, -axial / intercepts.compression),
    }
    turn = {
        "E": (moment < 0.0, -moment / intercepts.extension),
        "F": (moment >= 0.0, moment / intercepts.flexion),
    }
    return {
        f"N{f}{m}": np.where(force[f][0] & turn[m][0], force[f][1] + turn[m][1], 0.0) for _, f, m in CASES
    }
