"""Models for authoring tests: one that uses every field of the spec, and random ones."""

import dataclasses
import math
import random

import numpy as np

from mannequin.engine import spec
from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.engine.spec import muscles as spec_muscles


def random_rotation(rng: random.Random) -> np.ndarray:
    """A (3, 3) rotation, uniform over all."""
    q = np.array([rng.gauss(0.0, 1.0) for _ in range(4)])
    return matrix_from_quaternion(q / np.linalg.norm(q))


def random_transform(rng: random.Random) -> spec.Matrix4:
    """A rigid 4x4 transform with a shift of up to half a metre."""
    matrix = np.identity(4)
    matrix[:3, :3] = random_rotation(rng)
    matrix[:3, 3] = [rng.uniform(-0.5, 0.5) for _ in range(3)]
    return tuple(tuple(float(x) for x in row) for row in matrix)


def random_vector(rng: random.Random, size: float = 1.0) -> spec.Vector:
    """Three numbers with all digits."""
    return tuple(rng.uniform(-size, size) for _ in range(3))


def full_model(seed: int = 0) -> spec.Model:
    """Four bodies, every joint type, every optional field given, numbers with all digits and some integers."""
    rng = random.Random(seed)

    def curve(count: int) -> spec.Curve:
        return (
            (0, 0),
            *((0.01 * (k + 1) + rng.uniform(0, 0.001), 1000 * k + rng.random()) for k in range(count)),
        )

    def below(loading: spec.Curve) -> spec.Curve:
        """An unloading curve that gives back half of the force."""
        return tuple((depth, force / 2) for depth, force in loading)

    def body(name: str, count: int) -> spec.Body:
        return spec.Body(
            name=name,
            mass=rng.uniform(1, 10),
            inertia=(0.1 + rng.random() / 99, 0.11, 0.12, rng.random() / 99, 0, -1e-3),
            center_of_mass=random_vector(rng, 0.1),
            ellipsoids=[
                spec.Ellipsoid(
                    name=f"{name}_part_{k}",
                    semi_axes=(rng.uniform(0.02, 0.2), 0.1, 1),
                    position=random_vector(rng, 0.3),
                    orientation=tuple(tuple(float(x) for x in row) for row in random_rotation(rng)),
                    force_curve=(pressed := curve(3)),
                    unload_curve=below(pressed) if k else None,
                    material="skin" if k else "",
                    source="measured",
                    extras={"color": [1, 0, 0.5]},
                )
                for k in range(count)
            ],
            meshes=[spec.Mesh("meshes/part.obj", (0, 0.1, 0.2), spec.IDENTITY3, 2)],
            description=f"the {name}",
            source="table 1",
            extras={"note": {"deep": [1, 2.5]}},
        )

    def point(name: str | None) -> spec.Point:
        return spec.Point(random_vector(rng), name)

    axis = np.array([0.3, -0.5, 0.8])
    motor = spec.Motor(
        12.5, 0.31, (10, 20.123456789012345, -30), (0.1, 0, 0), (1, 2, 3), 55, ((0, 1), (0.5, 0.123456789)),
        ((0, 1, 2, 3), (1, 4, 5, 6.5)), "guess",
    )  # fmt: skip
    joints = [
        spec.Joint("ground joint", "free", None, "trunk", random_transform(rng), random_transform(rng)),
        spec.Joint(
            "hip", "spherical", "trunk", "thigh", random_transform(rng), random_transform(rng), damping=3.3,
            limits=spec.AxisLimits((-30.1, -40.2, -50.3), (30, 40, 50.123456789), 700, 7.7, "atlas"),
            cone=spec.ConeLimits((60, 70.7, 80, 90), (0, 0.6, 0.8), (1, 0, 0), (0, 0, 1), 12.34, 200, (-20, 33.3)),
            friction=spec.JointFriction(30.123456789, 5, "Ambrosio"), note="a note", source="book",
            springs=[
                spec.JointSpring("y", ((-90, -10.1), (0, 0), (90, 10)), 0.1, "x"),
                spec.JointSpring("x", ((0, 0), (1, 2))),
            ],
            motor=motor, extras={"initial_velocity": [1, 2, 3]},
        ),
        spec.Joint(
            "knee", "revolute", "thigh", "shank", random_transform(rng), random_transform(rng),
            axis=tuple(float(x) for x in axis / np.linalg.norm(axis)),
        ),
        spec.Joint("ankle", "fixed", "shank", "foot", random_transform(rng), random_transform(rng)),
    ]  # fmt: skip
    return spec.Model(
        name="full",
        bodies=[body("foot", 2), body("trunk", 1), body("shank", 0), body("thigh", 3)],
        joints=[joints[k] for k in (1, 0, 3, 2)],
        materials=[
            spec.Material("skin", "curve", (loading := curve(4)), below(loading), 0.3, "hold", source="lab"),
            spec.Material("steel", "lankarani_nikravesh", stiffness=2.1e9, exponent=1.5, restitution=0.7123456789,
                          static_friction=0.61, dynamic_friction=0.41, viscous_friction=0.01,
                          amplification=(1, 2, 3, 4.5), rate_factors=((0, 0.5), (4.25, 1.0))),
        ],
        springs=[
            spec.SpringDamper("cord", point("trunk"), point("foot"), 1000.123456789, 2, 0.5, True, curve(2), 900, "s"),
            spec.SpringDamper("leash", point(None), point("thigh"), 10),
        ],
        belts=[spec.Belt("lap", [point(None), point("trunk"), point(None)], [False, True, False], 5e4, 10, 0.01, 8000)],
        welds=[spec.Weld("grip", point("foot"), point(None), 1e5, 500, 1, 2, 3, 0.4, "w")],
        couplers=[spec.Coupler("rhythm", "hip", "knee", "z", 0.5, 12.345678901234, 900, 9)],
        muscles=full_muscles(rng),
        wrap_surfaces=full_wrap_surfaces(rng),
        contact_exclude=[("trunk", "shank")],
        contact_include=[("trunk", "foot"), ("thigh", "foot")],
        description="everything",
        version="7",
        citation="nobody",
        sex="female",
        height=1.6123456789012345,
        sources=["a", "b"],
        notes=["mapped"],
        extras={"metadata": {"k": None}},
    )  # fmt: skip


def full_muscles(rng: random.Random) -> list[spec_muscles.Muscle]:
    """Two muscles over `full_model`'s bodies: one with every optional field given, one with none."""
    reflex = spec_muscles.StretchReflex(2.123456789, 1.1, 0.0317, 0.2, "reflex")
    return [
        spec_muscles.Muscle(
            "rectus",
            (
                spec_muscles.PathPoint("trunk", random_vector(rng, 0.2), "origin"),
                spec_muscles.PathPoint("thigh", random_vector(rng, 0.2)),
                spec_muscles.PathPoint("shank", random_vector(rng, 0.2), "insertion"),
            ),
            1169.123456789,
            0.114,
            0.31,
            pennation=5.123456789012345,
            max_contraction_velocity=11,
            wraps=(
                spec_muscles.PathWrap("knee cap", 1, (0.123456789, 1, 0)),
                spec_muscles.PathWrap("thigh bone"),
                spec_muscles.PathWrap("own"),
            ),
            form="thelen",
            damping=0.0123456789,
            stiffness_factor=1.5,
            activation=spec_muscles.Activation("rate", 0.01, 0.04, 90, 20, 0.0123456789, 0.3),
            excitation=spec_muscles.Excitation(0.1, ((0, 0.1), (0.123456789, 1)), reflex, "emg"),
            acts="joint_torques",
            source="table",
        ),
        spec_muscles.Muscle(
            "soleus",
            (
                spec_muscles.PathPoint("shank", (0.1, 0, 0.2)),
                spec_muscles.PathPoint("foot", random_vector(rng, 0.1)),
            ),
            3549,
            0.05,
            0.0,
            tendon="rigid",
        ),
    ]


def full_wrap_surfaces(rng: random.Random) -> list[spec_muscles.WrapSurface]:
    """A surface of every shape over `full_model`'s bodies."""

    def turn() -> spec.Matrix3:
        return tuple(tuple(float(x) for x in row) for row in random_rotation(rng))

    return [
        spec_muscles.WrapSurface(
            "knee cap", "shank", "cylinder", 0.0251234567891, 0.123456789, position=random_vector(rng, 0.1),
            orientation=turn(), source="mri",
        ),
        spec_muscles.WrapSurface("endless", "shank", "cylinder", 0.03, position=(0, 0, 0.1)),
        spec_muscles.WrapSurface("thigh bone", "thigh", "sphere", 0.04123456789, orientation=turn()),
        spec_muscles.WrapSurface(
            "egg", "thigh", "ellipsoid", semi_axes=(0.03, 0.0212345678912, 0.1), position=random_vector(rng, 0.1),
        ),
        spec_muscles.WrapSurface("own", "trunk", "ellipsoid", ellipsoid="trunk_part_0"),
    ]  # fmt: skip


def zyx_close(first: tuple, second: tuple, tolerance: float) -> bool:
    """Whether two ZYX triples (degrees) are one rotation within a tolerance in radians."""
    from mannequin.engine.maths.rotations import matrix_from_zyx

    return bool(np.abs(matrix_from_zyx(first) - matrix_from_zyx(second)).max() < tolerance)


def typed(value: object) -> object:
    """Structure of a value with the type of every number, so that 1 and 1.0 differ."""
    if dataclasses.is_dataclass(value):
        return {f.name: typed(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [typed(item) for item in value])
    return (type(value).__name__, "nan" if isinstance(value, float) and math.isnan(value) else value)


def full_scenario(seed: int = 0) -> spec.Scenario:
    """Two actors of one model, every kind of obstacle, connections between actors, every optional setting given."""
    rng = random.Random(seed)
    material = spec.Material(
        "rubber", "hunt_crossley", stiffness=1.23456789e5, damping=0.3, static_friction=0.9
    )
    first = spec.Actor(
        "victim", full_model(1), "", (1.23456789012, -2, 0.5), (30, 20.123456789, -10), (1, 0, 0.1), (0, 0.2, 0),
        {"knee": (45.123456789, 0, 0), "hip": (10, 20, 30.987654321)}, {"hip": (0.1, 0.2, 0.3123456789)},
        [spec.TorquePulse("hip", (10, 0, 1.1), 0.01, 0.1)],
        [spec.ForcePulse("foot", (100, 0, 1.1), 0.01, 0.1, (0.1, 0, 0), "body")],
        {"knee": spec.Motor(5, 1, (10, 0, 0))},
        [spec.PrescribedMotion(None, ((0, 1, 0, 0), (1, 2, 0, 0)), 0.5, True, "video"),
         spec.PrescribedMotion("hip", ((0, 1, 0, 0), (1, 2, 0, 0)))],
        0.7, extras={"k": 1},
    )  # fmt: skip
    second = spec.Actor("attacker", full_model(2), position=(0, 3, 1))
    vertices = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(4)]
    obstacles = [
        spec.Obstacle(
            "slope", "plane", (0, 0, 0.1), (0, 10.123456789, 0), material=material, source="survey"
        ),
        spec.Obstacle("kerb", "box", (1, 2.1, 0.06), (15, 0, 0), (0.5, 2.123456789, 0.06)),
        spec.Obstacle(
            "pole",
            "capsule",
            (3, 0, 1),
            (0, 0, 5),
            (0.1, 0.1, 1.123456789),
            motion=((0, 0, 0, 0), (1, 1, 0, 0)),
        ),
        spec.Obstacle(
            "rock",
            "mesh",
            (0, 0, 0),
            vertices=vertices,
            triangles=[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
        ),
    ]
    return spec.Scenario(
        "push",
        [first, second],
        obstacles,
        [spec.PairMaterial("victim/foot", "kerb", 0.6, 0.5, material, "test"), spec.PairMaterial("skin", "skin", 0.3)],
        [spec.SpringDamper("rope", spec.Point((0, 0, 0.123456789), "foot", "victim"), spec.Point((0, 1, 5)), 1000, 5)],
        [spec.Belt("strap", [spec.Point((0, 0, 0), "trunk", "victim"), spec.Point((0, 0, 1), "foot", "attacker")],
                   [False, False], 1000)],
        [spec.Weld("grip", spec.Point((0, 0, 0), "foot", "victim"), spec.Point((0, 0, 0.1), "thigh", "attacker"))],
        spec.Settings(
            time_step=2.5e-5, output_step=5e-4, duration=1.23456789, gravity=(0, 0.1, -9.80665), integrator="midpoint",
            tolerance=1e-7, friction=0.55, friction_law="hollars", friction_rule="minimum", friction_velocity=0.002,
            contact_damping=0.6, contact_damping_mode="constant", multi_contact="discrete", joint_damping=0.9,
            default_joint_damping=2.2, joint_limits=False, self_contact=True, exclusion_hops=3, ground=False,
            ground_friction=0.77, absorb_ground_overlap=True, contact_history=True, reactions=False, max_speed=250,
        ),
        "what happened",
        {"actors.victim.position": "photograph"},
        {"hic": True},
        ["a note"],
        {"case": 12},
        [spec.Sensor("toe", "victim", "foot", (0.1, 0, 0.123456789), "world", turn_rate=True, cfc=180),
         spec.Sensor("hip", "attacker", "thigh", acceleration=False, joint_moment=True)],
        False,
    )  # fmt: skip
