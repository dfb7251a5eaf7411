"""The physics: specs in, recordings out. No Blender, no files.

>>> from mannequin.engine import Actor, Body, Joint, Model, Scenario, Settings, run
>>> ball = Body("ball", mass=1.0, inertia=(0.004, 0.004, 0.004, 0, 0, 0))
>>> model = Model("ball", [ball], [Joint("root", "free", None, "ball")])
>>> scenario = Scenario("drop", [Actor("ball", model, position=(0, 0, 5))], settings=Settings(duration=0.5))
>>> recording = run(scenario)
>>> bool(abs(recording.position[-1, 0, 2] - (5 - 0.5 * 9.81 * 0.5**2)) < 1e-3)
True
"""

from .accelerations import accelerations
from .batch import Outcome, run_many
from .errors import EngineError
from .recording import CONTACT_EVENT, CONTACT_INSTANT, ENERGY_TERMS, Recording
from .simulate import Progress, Simulation, run, simulate
from .spec import (
    Actor,
    AxisLimits,
    Belt,
    Body,
    ConeLimits,
    Coupler,
    Ellipsoid,
    ForcePulse,
    Joint,
    JointFriction,
    JointSpring,
    Material,
    Mesh,
    Model,
    Motor,
    Obstacle,
    PairMaterial,
    Point,
    PrescribedMotion,
    Scenario,
    Settings,
    SpringDamper,
    TorquePulse,
    Weld,
)
from .spec_muscles import (
    Activation,
    Excitation,
    Muscle,
    PathPoint,
    PathWrap,
    StretchReflex,
    WrapSurface,
)
from .system import System, compile_system
from .validation import Issue, require_valid, validate

__all__ = [
    "CONTACT_EVENT",
    "CONTACT_INSTANT",
    "ENERGY_TERMS",
    "Activation",
    "Actor",
    "AxisLimits",
    "Belt",
    "Body",
    "ConeLimits",
    "Coupler",
    "Ellipsoid",
    "EngineError",
    "Excitation",
    "ForcePulse",
    "Issue",
    "Joint",
    "JointFriction",
    "JointSpring",
    "Material",
    "Mesh",
    "Model",
    "Motor",
    "Muscle",
    "Obstacle",
    "Outcome",
    "PairMaterial",
    "PathPoint",
    "PathWrap",
    "Point",
    "PrescribedMotion",
    "Progress",
    "Recording",
    "Scenario",
    "Settings",
    "Simulation",
    "SpringDamper",
    "StretchReflex",
    "System",
    "TorquePulse",
    "Weld",
    "WrapSurface",
    "accelerations",
    "compile_system",
    "require_valid",
    "run",
    "run_many",
    "simulate",
    "validate",
]
