"""What each number of a spec may be.

The type of a field is its type hint, and words with a fixed choice stand in its `description`; what fields mean to each
other (a lower limit below the upper one) is checked in `validation`.

No number may be so great or so small that the engine, which squares it, divides by it or counts with it, could fail
later: the ranges are far wider than anything that exists, and are assumed, not measured.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from . import (
    contact_mesh,
    drive,
    gait,
    joint_functions,
    light_vehicle,
    model,
    muscles,
    person,
    response,
    scenario,
    vehicle,
)

Condition = Callable[[Any], bool]
"""Whether a field counts, from the spec it is in. One that does not count may hold any finite number."""

LARGEST = 1e15
"""No number of a spec is greater, in whatever unit."""
FARTHEST = 1e6
"""m: no point is farther from the origin of its frame."""
LARGEST_SIZE = 1e3
"""m: of an ellipsoid or a box."""
LARGEST_MASS = 1e6
"""kg"""
LARGEST_INERTIA = LARGEST_MASS * LARGEST_SIZE**2
"""kg m2"""
FASTEST = 1e5
"""m/s and rad/s"""
LARGEST_ANGLE = 1e6
"""Degrees."""
LONGEST_TIME = 1e6
"""s: no time in a table or a pulse is later, or as much earlier."""
LARGEST_FORCE = 1e12
"""N and N m"""
LARGEST_FRICTION = 10.0
"""Coefficient."""
CLOSEST_POINTS = 1e-12
"""Least difference of the first numbers of two neighbours in a curve or table."""
HIGHEST_POWER = 20.0
"""Of a polynomial by which a joint moves."""
MOST_POINTS = 10_000
"""Of a curve."""


@dataclass(frozen=True)
class Within:
    """Every number of a field, however many it holds, lies from `low` to `high`."""

    low: float
    high: float
    called: str = ""
    """What messages call the field. Absent: its name in words."""
    each: str = ""
    """What they call one of its numbers. Absent: like the field."""
    when: Condition | None = None
    may_be_infinite: bool = False
    """Infinity stands for "without bound"."""


@dataclass(frozen=True)
class Rows:
    """Numbers in rows whose first one increases: a curve, or a table over time."""

    first: Within
    """Range of the first number of a row."""
    others: Within
    called: str = ""
    columns: tuple[int, ...] = (2,)
    """How many numbers a row may have."""
    fewest: int = 2
    may_be_empty: bool = False
    """Empty is as good as absent."""
    most: int | None = MOST_POINTS
    from_origin: bool = False
    """The first row is (0, 0)."""
    when: Condition | None = None


@dataclass(frozen=True)
class Rotation:
    """A (3, 3) rotation: orthonormal columns, right-handed, no scale."""

    when: Condition | None = None


@dataclass(frozen=True)
class RigidTransform:
    """A (4, 4) rigid transform."""

    farthest: float = 1e4
    """m: largest component of the translation."""


Rule = Within | Rows | Rotation | RigidTransform


def spread(most: float, called: str = "", each: str = "") -> Within:
    """From -most to most."""
    return Within(-most, most, called, each)


POSITION = spread(FARTHEST)
ANGLE = spread(LARGEST_ANGLE)
TIME = spread(LONGEST_TIME)
TABLE_TIME = spread(LONGEST_TIME, "time")
FORCE = spread(LARGEST_FORCE)
FRICTION = Within(0.0, LARGEST_FRICTION)
SHARE = Within(0.0, 1.0)
STIFFNESS = Within(0.0, LARGEST)
DAMPING = Within(0.0, LARGEST_FORCE)
BREAK_FORCE = Within(1e-9, LARGEST_FORCE)
TORQUE = Within(0.0, 1e6)
JOINT_STIFFNESS = Within(0.0, 1e9)
JOINT_DAMPING = Within(0.0, 1e6)


def _force_curve(called: str, may_be_empty: bool, when: Condition | None = None) -> Rows:
    """Force (N) over penetration (m)."""
    return Rows(
        Within(0.0, LARGEST_SIZE, "penetration"),
        Within(0.0, LARGEST_FORCE, "force"),
        called,
        may_be_empty=may_be_empty,
        from_origin=True,
        when=when,
    )


def _is_curve(material: model.Material) -> bool:
    return material.law == "curve"


def _is_power_law(material: model.Material) -> bool:
    return material.law != "curve"


def _has_own_shape(surface: muscles.WrapSurface) -> bool:
    return not surface.ellipsoid


COORDINATE_FUNCTION: dict[str, Rule] = {
    "terms": Rows(
        Within(0.0, HIGHEST_POWER, "power"), spread(LARGEST, "coefficient"), fewest=1, may_be_empty=True
    ),
    "points": Rows(
        spread(FARTHEST, "coordinate"), spread(FARTHEST, "turn or shift"), fewest=2, may_be_empty=True
    ),
}
"""Fields of a function of a joint's coordinate."""

RULES: dict[type, dict[str, Rule]] = {
    model.Material: {
        "loading": _force_curve("loading curve", True, _is_curve),
        "unloading": _force_curve("unloading curve", False, _is_curve),
        "energy_retention": Within(0.0, 1.0, when=_is_curve),
        "stiffness": Within(1e-9, LARGEST, when=_is_power_law),
        "exponent": Within(1.0, 3.0, when=_is_power_law),
        "damping": Within(0.0, 1e9),
        "restitution": Within(0.01, 1.0, when=lambda m: "restitution" in model.LAW_VALUES.get(m.law, ())),
        "amplification": Within(0.0, 1e6),
        "rate_factors": Rows(
            Within(0.0, FASTEST, "touch speed"),
            Within(1e-3, 1e3, "factor"),
            "rate factors",
            may_be_empty=True,
            when=_is_curve,
        ),
        "static_friction": FRICTION,
        "dynamic_friction": FRICTION,
        "viscous_friction": Within(0.0, 1e6),
    },
    model.Ellipsoid: {
        "semi_axes": Within(1e-6, LARGEST_SIZE, "semi-axes", "a semi-axis"),
        "position": POSITION,
        "orientation": Rotation(),
        "force_curve": _force_curve("force curve", True),
        "unload_curve": _force_curve("unload curve", False),
    },
    model.Mesh: {
        "position": POSITION,
        "orientation": Rotation(),
        "scale": spread(LARGEST),
    },
    contact_mesh.CrushBlock: {
        "tip": POSITION,
        "direction": spread(FARTHEST),
        "reach": Within(1e-3, LARGEST_SIZE),
        "half_width": Within(1e-3, LARGEST_SIZE),
        "half_height": Within(1e-3, LARGEST_SIZE),
    },
    vehicle.Vehicle: {
        "length": Within(1.0, 30.0),
        "width": Within(0.8, 4.0),
        "height": Within(0.8, 6.0),
        "wheelbase": Within(0.8, 20.0),
        "track": Within(0.6, 3.5),
        "wheel_radius": Within(0.1, 1.0),
        "tyre_width": Within(0.05, 0.8),
        "front_overhang": Within(0.2, 6.0),
        "edge_height": Within(0.4, 2.0),
        "bonnet_length": Within(0.0, 4.0),
        "bonnet_angle": Within(0.0, 60.0),
        "screen_angle": Within(15.0, 89.0),
        "bumper_height": Within(0.1, 1.5),
        "clearance": Within(0.05, 1.0),
        "color": SHARE,
    },
    light_vehicle.LightVehicle: {
        "wheelbase": Within(0.2, 3.0),
        "front_radius": Within(0.02, 0.6),
        "rear_radius": Within(0.02, 0.6),
        "front_tyre": Within(0.01, 0.4),
        "rear_tyre": Within(0.01, 0.4),
        "head_angle": Within(45.0, 90.0),
        "trail": Within(0.0, 0.3),
        "seat_height": Within(0.2, 1.5),
        "bar_height": Within(0.3, 1.8),
        "bar_width": Within(0.1, 1.5),
        "track": Within(0.0, 1.5),
        "color": SHARE,
    },
    model.Body: {
        "mass": Within(1e-9, LARGEST_MASS),
        "inertia": spread(LARGEST_INERTIA),
        "center_of_mass": spread(FARTHEST, "centre of mass"),
    },
    model.AxisLimits: {
        "lower": ANGLE,
        "upper": ANGLE,
        "stiffness": JOINT_STIFFNESS,
        "damping": JOINT_DAMPING,
        "damping_factor": Within(0.0, 1e4),
    },
    model.ConeLimits: {
        "quadrant_angles": Within(1e-3, 180.0),
        "axis": spread(FARTHEST),
        "zero_longitude": spread(FARTHEST),
        "limb_axis": spread(FARTHEST),
        "width": Within(0.1, 180.0),
        "torque": TORQUE,
        "twist": ANGLE,
        "twist_stiffness": JOINT_STIFFNESS,
        "twist_damping": JOINT_DAMPING,
    },
    model.JointFriction: {"torque": TORQUE, "drop_angle": Within(1e-3, LARGEST_ANGLE)},
    model.JointSpring: {
        "curve": Rows(spread(LARGEST_ANGLE, "angle"), spread(LARGEST_FORCE, "torque")),
        "damping": JOINT_DAMPING,
        "retention": SHARE,
    },
    model.SlideLimits: {
        "lower": POSITION,
        "upper": POSITION,
        "stiffness": STIFFNESS,
        "damping": DAMPING,
    },
    model.JointSlide: {"damping": DAMPING, "friction": Within(0.0, LARGEST_FORCE)},
    model.JointBreak: {"load": BREAK_FORCE, "energy": BREAK_FORCE, "residual": SHARE},
    model.Motor: {
        "stiffness": JOINT_STIFFNESS,
        "damping": JOINT_DAMPING,
        "target": ANGLE,
        "target_velocity": spread(FASTEST),
        "base_torque": FORCE,
        "max_torque": Within(0.0, inf, "largest torque", may_be_infinite=True),
        "gain_over_time": Rows(TABLE_TIME, Within(0.0, 1e6, "gain")),
        "target_over_time": Rows(TABLE_TIME, spread(LARGEST_ANGLE, "angle"), columns=(4,), most=None),
        "torque_over_speed": Rows(spread(FASTEST, "rate"), Within(0.0, 100.0, "factor")),
    },
    model.Joint: {
        "T1": RigidTransform(),
        "T2": RigidTransform(),
        "axis": spread(FARTHEST),
        "damping": JOINT_DAMPING,
        "ellipsoid": Within(1e-6, LARGEST_SIZE, "radii", "a radius"),
    },
    joint_functions.JointFunction: {
        "direction": spread(FARTHEST),
        **COORDINATE_FUNCTION,
    },
    model.Point: {"position": POSITION},
    model.SpringDamper: {
        "stiffness": STIFFNESS,
        "damping": DAMPING,
        "rest_length": Within(0.0, FARTHEST),
        "curve": Rows(spread(FARTHEST, "extension"), spread(LARGEST_FORCE, "force"), may_be_empty=True),
        "break_force": BREAK_FORCE,
        "break_energy": BREAK_FORCE,
    },
    model.Belt: {
        "stiffness": STIFFNESS,
        "damping": DAMPING,
        "slack": Within(0.0, FARTHEST),
        "break_force": BREAK_FORCE,
    },
    model.Weld: {
        "stiffness": STIFFNESS,
        "damping": DAMPING,
        "rotational_stiffness": STIFFNESS,
        "rotational_damping": DAMPING,
        "break_force": BREAK_FORCE,
        "break_torque": BREAK_FORCE,
        "break_energy": BREAK_FORCE,
        "release_time": TIME,
        "line": spread(FARTHEST),
    },
    model.Coupler: {
        "ratio": spread(1e6),
        "offset": ANGLE,
        "stiffness": JOINT_STIFFNESS,
        "damping": JOINT_DAMPING,
    },
    model.Model: {"height": Within(0.0, LARGEST_SIZE)},
    muscles.WrapSurface: {
        "radius": Within(1e-4, 10.0, when=lambda s: _has_own_shape(s) and s.shape != "ellipsoid"),
        "length": Within(1e-4, LARGEST_SIZE, when=lambda s: _has_own_shape(s) and s.shape != "ellipsoid"),
        "semi_axes": Within(
            1e-4,
            10.0,
            "semi-axes",
            "a semi-axis",
            when=lambda s: _has_own_shape(s) and s.shape == "ellipsoid",
        ),
        "position": POSITION,
        "orientation": Rotation(when=_has_own_shape),
    },
    muscles.PathPoint: {"position": POSITION},
    muscles.PathCondition: {"lower": ANGLE, "upper": ANGLE},
    muscles.PointShift: {"direction": spread(FARTHEST), **COORDINATE_FUNCTION},
    muscles.PathWrap: {"segment": Within(0, 1e6), "side": spread(FARTHEST)},
    muscles.Activation: {
        "rise_time": Within(1e-4, 100.0),
        "fall_time": Within(1e-4, 100.0),
        "rise_rate": Within(1e-2, 1e4),
        "fall_rate": Within(1e-2, 1e4),
        "minimum": SHARE,
        "start": Within(0.0, 1.0, "activation at the start"),
    },
    muscles.StretchReflex: {
        "gain": Within(0.0, 1e3),
        "threshold": Within(0.0, 5.0),
        "delay": Within(0.0, 1.0),
        "velocity_gain": Within(0.0, 1e3),
    },
    muscles.Excitation: {
        "tone": SHARE,
        "curve": Rows(TABLE_TIME, SHARE, "excitation curve"),
    },
    muscles.Muscle: {
        "max_isometric_force": Within(1e-6, 1e6),
        "optimal_fibre_length": Within(1e-4, 10.0),
        "tendon_slack_length": Within(0.0, 10.0),
        "pennation": Within(0.0, 80.0),
        "max_contraction_velocity": Within(0.1, 100.0),
        "damping": Within(0.0, 10.0),
        "stiffness_factor": Within(1e-3, 1e3),
    },
    scenario.TorquePulse: {"peak": FORCE, "start": TIME, "duration": Within(1e-6, LONGEST_TIME)},
    scenario.ForcePulse: {
        "peak": FORCE,
        "start": TIME,
        "duration": Within(1e-6, LONGEST_TIME),
        "point": POSITION,
    },
    scenario.PrescribedMotion: {
        "table": Rows(TABLE_TIME, spread(1e6), columns=(2, 3, 4, 5, 6, 7), most=None),
        "release_time": TIME,
    },
    person.Person: {
        "sex": SHARE,
        "age": Within(0.0, 130.0),
        "height": Within(0.5, 2.5),
        "mass": Within(4.0, 350.0),
        "build": SHARE,
        "head": Within(0.3, 0.8),
        "chest": Within(0.2, 2.5),
        "waist": Within(0.2, 2.5),
        "hip": Within(0.2, 2.5),
        "upper_arm": Within(0.05, 1.0),
        "thigh": Within(0.1, 1.5),
        "leg": Within(0.1, 1.5),
        "ancestry": SHARE,
        "helmet": Within(0.0, 10.0),
        "glasses": Within(0.0, 1.0),
        "rucksack": Within(0.0, 100.0),
        "load": Within(0.0, 200.0),
    },
    gait.Gait: {
        "speed": Within(0.1, 12.0),
        "phase": SHARE,
        "heading": ANGLE,
        "floor": Within(-FARTHEST, FARTHEST),
    },
    response.Response: {
        "start": TIME,
        "latency": Within(0.0, 1e3),
        "neck_latency": Within(0.0, 1e3),
        "rise": Within(1e-3, 10.0),
        "strength": Within(0.0, 10.0),
        "quickness": Within(0.0, 10.0),
        "tone": SHARE,
        "elbow": Within(0.0, 150.0),
        "legs": SHARE,
        "arms": SHARE,
        "fade": Within(1e-3, 1e3),
        "rest": SHARE,
        "asymmetry": Within(-0.9, 0.9),
        "knock_out": Within(1.0, 1e4),
        "startle": TIME,
        "brace": TIME,
        "steps": Within(0, 100),
    },
    drive.Wheel: {
        "radius": Within(0.01, 10.0),
        "load": Within(1.0, LARGEST_FORCE),
        "cornering_stiffness": Within(0.1, 1e3),
        "slip_stiffness": Within(0.1, 1e3),
        "side_friction": Within(0.1, 10.0),
        "load_sensitivity": SHARE,
        "stiffness_sensitivity": SHARE,
        "relaxation": Within(1e-3, 100.0),
        "slip_relaxation": Within(1e-3, 100.0),
        "rolling_resistance": SHARE,
        "brake_torque": TORQUE,
        "drive_share": SHARE,
    },
    drive.Drive: {
        "speed": Within(0.0, 200.0),
        "braking": Within(0.0, 3.0),
        "brake_start": TIME,
        "pedal_time": Within(0.0, 100.0),
        "engine_drag": SHARE,
        "pedal": Rows(TABLE_TIME, SHARE, fewest=1),
        "steering": Rows(TABLE_TIME, Within(-80.0, 80.0), fewest=1),
        "path": POSITION,
        "preview": Within(0.01, 100.0),
        "load": Within(0.0, LARGEST_MASS),
        "trace": Rows(TABLE_TIME, spread(200.0), columns=(2, 3), most=None),
    },
    scenario.Actor: {
        "position": POSITION,
        "orientation": ANGLE,
        "velocity": spread(FASTEST),
        "angular_velocity": spread(FASTEST),
        "joint_angles": spread(LARGEST_ANGLE, "joint angles"),
        "joint_velocities": spread(FASTEST, "joint velocities"),
        "joint_slides": spread(FARTHEST, "joint slides"),
        "joint_slide_velocities": spread(FASTEST, "joint slide velocities"),
        "tone": Within(0.0, 1e3),
    },
    scenario.Obstacle: {
        "position": POSITION,
        "orientation": ANGLE,
        "half_size": Within(1e-6, LARGEST_SIZE, when=lambda o: o.shape in ("box", "capsule")),
        "motion": Rows(TABLE_TIME, POSITION, columns=(4, 7), fewest=1, may_be_empty=True, most=None),
        "belt_velocity": spread(FASTEST, "belt velocity"),
    },
    scenario.Sensor: {"point": POSITION, "cfc": Within(1, 100_000, "filter class")},
    scenario.PairMaterial: {"friction": FRICTION, "dynamic_friction": FRICTION},
    scenario.Settings: {
        "time_step": Within(1e-8, 0.02),
        "output_step": Within(1e-8, 10.0),
        "duration": Within(1e-8, 1e5),
        "gravity": spread(1e4),
        "tolerance": Within(1e-14, 1e-1),
        "friction": FRICTION,
        "friction_velocity": Within(1e-6, 1.0),
        "friction_viscosity": Within(0.0, 1e9),
        "contact_damping": Within(0.0, 1e6),
        "joint_damping": Within(0.0, 1e4, "joint damping factor"),
        "default_joint_damping": Within(0.0, 1e4),
        "exclusion_hops": Within(0, 100),
        "ground_friction": FRICTION,
        "start_overlap_limit": Within(0.0, LARGEST_SIZE, may_be_infinite=True),
        "max_speed": Within(1.0, FASTEST, "largest speed"),
        "largest_step": Within(1e-8, 0.02),
    },
}
"""Spec to field to rule, for every field with numbers."""
