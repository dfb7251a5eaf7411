"""Muscles as a person authors them: a path over the bodies, the muscle-tendon unit along it, and what excites it.

The part of `engine.spec` that is about muscles, with its conventions: SI units, degrees, points in the frame of the
body they belong to. Specs here are frozen: change one with `dataclasses.replace`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .spec_values import IDENTITY3, Curve, Matrix3, Vector

WRAP_SHAPES = ("sphere", "cylinder", "ellipsoid")
MUSCLE_FORMS = ("millard", "geyer_herr", "thelen")
TENDONS = ("elastic", "rigid")
ACTIVATION_FORMS = ("first_order", "rate")
MUSCLE_ACTIONS = ("forces", "joint_torques")


@dataclass(frozen=True)
class WrapSurface:
    """A smooth surface fixed to a body that muscle paths slide around without friction."""

    name: str
    body: str
    """Body that carries the surface."""
    shape: str
    """"sphere", "cylinder" (along its own z) or "ellipsoid"."""
    radius: float = 0.0
    """Sphere and cylinder, metres."""
    length: float | None = None
    """Cylinder: metres, half of it on each side of its centre; a path that would touch it only beyond its ends passes
    straight. Absent: without end."""
    semi_axes: Vector = (0.0, 0.0, 0.0)
    """Ellipsoid: metres, along its own axes."""
    position: Vector = (0.0, 0.0, 0.0)
    """Centre in the body frame, metres."""
    orientation: Matrix3 = IDENTITY3
    """Columns are the surface's axes in the body frame."""
    ellipsoid: str = ""
    """Name of an ellipsoid of the body that gives shape and pose in place of the four fields before."""
    source: str = ""


@dataclass(frozen=True)
class PathPoint:
    """A point of a muscle's path, fixed to a body: the first is the origin, the last the insertion, the others via."""

    body: str
    """Body that carries the point."""
    position: Vector
    """In the body frame, metres."""
    source: str = ""


@dataclass(frozen=True)
class PathWrap:
    """How a path meets a wrap surface."""

    surface: str
    """Name of a wrap surface of the model."""
    segment: int | None = None
    """Which stretch of the path: 0 lies between the first two points. Absent: every stretch that meets the surface."""
    side: Vector | None = None
    """Direction in the surface's own axes: the path passes on this side, and goes the long way round rather than on the
    other. Absent: the shorter way."""


@dataclass(frozen=True)
class Activation:
    """How activation a follows excitation u.

    first_order: da/dt = (u - a) / T, T the rise time while u > a and the fall time while u < a. rate (Hyfydy):
    da/dt = (u - a) (c1 u + c2) with c2 the fall rate and c1 + c2 the rise rate.
    """

    form: str = "first_order"
    rise_time: float = 0.015
    """first_order: s."""
    fall_time: float = 0.05
    """first_order: s."""
    rise_rate: float = 100.0
    """rate: 1/s at full excitation."""
    fall_rate: float = 25.0
    """rate: 1/s at zero excitation."""
    minimum: float = 0.0
    """Activation and excitation never fall below this, 0 to 1."""
    start: float | None = None
    """Activation at the start, 0 to 1. Absent: the excitation at the start."""


@dataclass(frozen=True)
class StretchReflex:
    """Excitation added because the fibre was longer than a threshold a delay ago (length feedback of Geyer and Herr):
    gain * max(0, length - threshold) + velocity_gain * max(0, lengthening speed)."""

    gain: float
    """Excitation per optimal fibre length of stretch past the threshold."""
    threshold: float = 1.0
    """Fibre length in optimal fibre lengths."""
    delay: float = 0.03
    """s; must be no longer than 1 s."""
    velocity_gain: float = 0.0
    """Excitation per optimal fibre length a second of lengthening, while past the threshold."""
    source: str = ""


@dataclass(frozen=True)
class Excitation:
    """What the nerve sends: a constant tone or a curve over time, plus a reflex; held within 0 and 1."""

    tone: float = 0.0
    """Constant excitation, 0 to 1."""
    curve: Curve | None = None
    """Excitation over time (s); replaces the tone. Held at its ends."""
    reflex: StretchReflex | None = None
    source: str = ""


@dataclass(frozen=True)
class Muscle:
    """A Hill-type muscle-tendon unit that pulls along a path. Equations and sources: docs/muscles.md."""

    name: str
    path: tuple[PathPoint, ...]
    """Origin, via points, insertion: two points or more."""
    max_isometric_force: float
    """N at full activation and optimal fibre length."""
    optimal_fibre_length: float
    """Metres."""
    tendon_slack_length: float
    """Metres. Zero: no tendon (only with a rigid one)."""
    pennation: float = 0.0
    """Degrees between fibre and tendon at optimal fibre length. The muscle's thickness stays constant."""
    max_contraction_velocity: float = 10.0
    """Optimal fibre lengths a second."""
    wraps: tuple[PathWrap, ...] = ()
    """Surfaces in the way, in the order in which the path meets them."""
    form: str = "millard"
    """Curves of force over length and velocity: "millard" (Hyfydy's fast form), "geyer_herr" or "thelen"."""
    tendon: str = "elastic"
    """"elastic", or "rigid": of constant length."""
    damping: float = 0.1
    """Force per normalized fibre velocity, in max isometric forces; keeps a muscle without activation well defined."""
    stiffness_factor: float = 1.0
    """Factor on the elastic forces of tendon and parallel element."""
    activation: Activation = Activation()
    excitation: Excitation = Excitation()
    acts: str = "forces"
    """"forces" on the bodies along the path, or "joint_torques": the same motion, without the path's compression in the
    recorded joint reactions."""
    source: str = ""
    """Where the numbers come from."""
