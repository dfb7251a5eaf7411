"""What a person authors and what a file holds: models and scenarios as plain dataclasses.

Specs carry no behaviour beyond defaults. They are checked by `validate`, turned into flat arrays by `compile_system`,
read and written by `io_json`, and built from Blender objects by `scene`.

Conventions (the same everywhere in Mannequin): SI units, z up, quaternions (w, x, y, z), world gravity (0, 0, -9.81).
Angles are **degrees** in specs (they are what people type) and radians in the engine. Vectors are 3-tuples, transforms
4x4 nested tuples that map child to parent coordinates, points are in the frame of the body they belong to. Numbers are
kept as they were read (an `int` stays an `int`), so that a file written again has the same bytes.

Kinematics are those of the OpenMBD format: ``T_child = T_parent * T1 * R(joint) * inverse(T2)``. The joint frame of a
joint is the frame ``T1`` fixed in the parent, and ``T2`` fixed in the child; both coincide when the joint is at zero.
"""

from .contact_mesh import ContactMesh, ContactZone, CrushBlock
from .drive import Drive, Wheel
from .gait import Gait
from .joint_functions import JointFunction
from .joint_types import JOINT_TYPES
from .light_vehicle import LIGHT_VEHICLE_KINDS, LightVehicle
from .model import (
    CONTACT_LAWS,
    AxisLimits,
    Belt,
    Body,
    ConeLimits,
    Coupler,
    Ellipsoid,
    Joint,
    JointBreak,
    JointFriction,
    JointSlide,
    JointSpring,
    Material,
    Mesh,
    Model,
    Motor,
    Point,
    SlideLimits,
    SpringDamper,
    Weld,
)
from .muscles import (
    MUSCLE_FORMS,
    WRAP_SHAPES,
    Activation,
    Excitation,
    Muscle,
    PathCondition,
    PathPoint,
    PathWrap,
    PointShift,
    StretchReflex,
    WrapSurface,
)
from .person import Person
from .response import Response
from .scenario import (
    FRICTION_LAWS,
    FRICTION_RULES,
    INTEGRATORS,
    MULTI_CONTACT_MODES,
    SENSOR_QUANTITIES,
    Actor,
    ForcePulse,
    Obstacle,
    PairMaterial,
    PrescribedMotion,
    Scenario,
    Sensor,
    Settings,
    TorquePulse,
)
from .values import IDENTITY3, IDENTITY4, Curve, Matrix3, Matrix4, Vector
from .vehicle import VEHICLE_CLASSES, Vehicle
