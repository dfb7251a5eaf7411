"""The physics: specs in, recordings out. No Blender, no files.

>>> from mannequin.engine import Actor, Body, Joint, Model, Scenario, Settings, run
>>> ball = Body("ball", mass=1.0, inertia=(0.004, 0.004, 0.004, 0, 0, 0))
>>> model = Model("ball", [ball], [Joint("root", "free", None, "ball")])
>>> scenario = Scenario("drop", [Actor("ball", model, position=(0, 0, 5))], settings=Settings(duration=0.5))
>>> recording = run(scenario)
>>> bool(abs(recording.position[-1, 0, 2] - (5 - 0.5 * 9.81 * 0.5**2)) < 1e-3)
True
"""

from .build.system import System, compile_system
from .build.validate import validate
from .contact.event_members import CONTACT_EVENT, CONTACT_INSTANT
from .errors import EngineError
from .runs.batch import Outcome, run_many
from .runs.mechanics import Mechanics, accelerations
from .runs.recording import Recording
from .runs.simulation import Progress, Simulation, run, simulate
from .spec import (
    Activation,
    Actor,
    AxisLimits,
    Belt,
    Body,
    ConeLimits,
    Coupler,
    Ellipsoid,
    Excitation,
    ForcePulse,
    Joint,
    JointBreak,
    JointFriction,
    JointFunction,
    JointSlide,
    JointSpring,
    Material,
    Mesh,
    Model,
    Motor,
    Muscle,
    Obstacle,
    PairMaterial,
    PathCondition,
    PathPoint,
    PathWrap,
    Point,
    PointShift,
    PrescribedMotion,
    Response,
    Scenario,
    Sensor,
    Settings,
    SlideLimits,
    SpringDamper,
    StretchReflex,
    TorquePulse,
    Weld,
    WrapSurface,
)
from .spec.validation import Issue, Refused
from .step.energy import ENERGY_TERMS
