"""Curves of a muscle's force over fibre length and velocity, for the live plots in its panel."""

from collections.abc import Callable
from functools import cache

import numpy as np

from ...engine.muscles import curves
from ...engine.spec.muscles import MUSCLE_FORMS

Curve = list[tuple[float, float]]


def interpreted(kernel: Callable) -> Callable:
    """A kernel as plain Python: a panel must not wait for a compiler."""
    return getattr(kernel, "py_func", kernel)


@cache
def force_over_length(form: str) -> tuple[Curve, Curve]:
    """Active force at full activation and passive force, in largest forces, over fibre length in optimal lengths."""
    number, lengths = MUSCLE_FORMS.index(form), np.linspace(0.4, 1.7, 53).tolist()
    active, passive = interpreted(curves.active_length), interpreted(curves.passive_length)
    return [(x, active(number, x)[0]) for x in lengths], [(x, passive(number, x)[0]) for x in lengths]


@cache
def force_over_velocity(form: str) -> tuple[Curve]:
    """Factor on the active force over fibre velocity in largest shortening velocities (lengthening positive)."""
    number, velocities = MUSCLE_FORMS.index(form), np.linspace(-1.0, 1.0, 41).tolist()
    factor = interpreted(curves.velocity_factor)
    return ([(v, factor(number, v)[0]) for v in velocities],)
