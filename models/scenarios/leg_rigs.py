"""Test rigs of legs as scenarios: bones and knee bent on two supports, a leg struck by a cart, and the legform.

The legform is the rigid one of the European Enhanced Vehicle-safety Committee (EEVC WG17; UN GTR 9): two bars of stated
mass, centre and inertia with a knee that bends sideways and slides across. Its numbers are quoted from general
knowledge of high confidence; shear spring, damper and foam are chosen in its dynamic certification, see `LEGFORM`.
"""

import math
from dataclasses import dataclass

import numpy as np

from ...engine.spec import (
    Actor,
    Body,
    Ellipsoid,
    Joint,
    JointSpring,
    Material,
    Model,
    Point,
    PrescribedMotion,
    Scenario,
    Sensor,
    Settings,
    SpringDamper,
)
from ..library import load_model
from ..parts import frames
from ..parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from ..vehicles.car import brake_motors
from ..vehicles.road_vehicle import build_vehicle
from .rigs import part_of, single_body
from .trunk_rigs import disc

STEEL = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e6)), energy_retention=1.0, source="Rigid")
LINK = 2.0
"""m, length of the stiff links that stand for supports and ram: long, so that they hardly turn."""
LINK_STIFFNESS, LINK_DAMPING = 1.0e7, 2.0e3
RAM_SPEED = 0.05
"""m/s: slow, so that what is measured is the resistance and not inertia (assumed)."""
KNEE_SPAN = 0.40
"""m between the supports of a knee, as of the three-point test of legforms (UN R127)."""


@dataclass(frozen=True)
class Bent:
    """What is bent: near body, joint, far body, m from joint to both supports (None: the ends of the bone)."""

    near: str
    joint: str
    far: str
    half_span: float | None = None


BENT = {
    "tibia": Bent("ShankL", "tibialJnt", "ShankLowerL"),
    "femur": Bent("ThighL", "femurlJnt", "ThighLowerL"),
    "knee": Bent("ThighLowerL", "kneelJnt", "ShankL", 0.5 * KNEE_SPAN),
}


def half_span(model: Model, what: str) -> float:
    """m from the joint that is bent to both supports."""
    bent = BENT[what]
    joint = next(j for j in model.joints if j.name == bent.joint)
    return bent.half_span or abs(joint.T1[2][3])


def leg_bending(what: str = "tibia", model_name: str = "male_legs") -> Scenario:
    """A tibia, femur or knee pressed sideways in the middle between two supports until it fails; no gravity. Its ends
    are held so that it bends in the plane of the load, as specimens in cups that turn about one axis are."""
    model = load_model(model_name)
    bent = BENT[what]
    half = half_span(model, what)
    joint = next(j for j in model.joints if j.name == bent.joint)
    centre = np.array([row[3] for row in joint.T1[:3]])
    bodies = [body for body in model.bodies if body.name in (bent.near, bent.far)]
    pin = Joint(
        "support",
        "revolute",
        None,
        bent.near,
        T2=frames.transform(frames.CENTRAL, (float(centre[0]), float(centre[1]), float(centre[2]) + half)),
        axis=(1.0, 0.0, 0.0),
        damping=0.0,
    )
    specimen = Model(f"{model.name}_{what}", bodies, [pin, joint], model.materials, notes=list(model.notes))
    block = Ellipsoid("block", (0.05, 0.05, 0.05), material="steel")
    ram = Model(
        "ram",
        [Body("ram", 50.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), ellipsoids=[block])],
        [Joint("root", "free", None, "ram")],
        [STEEL],
    )
    table = ((0.0, 0.0, RAM_SPEED, 0.0), (1.0, 0.0, RAM_SPEED, 0.0))
    # the far part's frame has its origin at the joint
    links = [
        _link("ram", Point((0.0, 0.0, 0.0), "ram", "ram"), Point((0.0, 0.0, 0.0), bent.far, "leg")),
        _link("roller", Point((0.0, LINK, -2.0 * half)), Point((0.0, 0.0, -half), bent.far, "leg")),
        # a knee is free to flex, and one whose mass is not on its axis would turn out of the plane of the load
        _link("guide", Point((LINK, 0.0, -2.0 * half)), Point((0.0, 0.0, -half), bent.far, "leg")),
    ]
    return Scenario(
        f"{what}_bending",
        [
            Actor("leg", specimen),
            Actor(
                "ram",
                ram,
                position=(0.0, -LINK, -half),
                velocity=(0.0, RAM_SPEED, 0.0),
                prescribed=[PrescribedMotion(None, table, source="Constant speed, assumed")],
            ),
        ],
        springs=links,
        sensors=[Sensor("support", "leg", bent.near, acceleration=False, joint_force=True)],
        settings=Settings(duration=0.7, output_step=2.0e-3, gravity=(0.0, 0.0, 0.0), ground=False),
        description=f"The {what} of the model {model_name} on two supports, pressed sideways in the middle.",
        sources={"actors.leg.model": "Failure moments: Kerrigan et al. 2003, SAE 2003-01-0895"},
    )


def _link(name: str, start: Point, end: Point) -> SpringDamper:
    return SpringDamper(name, start, end, LINK_STIFFNESS, LINK_DAMPING, source="A stiff link")


# ---------------------------------------------------------------- cart

CART_MASS, CART_SPEED = 50.0, 7.5
"""kg and m/s, in the middle of the tests of Kress and Porta (ESV 443), quoted from general knowledge of medium
confidence."""
BAR_RADIUS = 0.021
"""m, half the diameter of the cart's bar (the same)."""
LEG = ("ThighL", "ThighLowerL", "ShankL", "ShankLowerL", "FootL")
STRUCK = {"tibia": ("ShankLowerL", "tibialJnt"), "femur": ("ThighLowerL", "femurlJnt")}


def leg_cart(what: str = "tibia", model_name: str = "male_legs") -> Scenario:
    """A single leg that stands on its foot, struck from outside at the middle of its tibia or femur by a guided bar."""
    model = load_model(model_name)
    leg = part_of(model, LEG, f"{model.name}_leg")
    leg.joints[0] = Joint("root", "free", None, LEG[0])
    leg.notes = list(model.notes)
    height = math.ceil(-lowest_point(leg) * 1e5) / 1e5
    at = body_transforms(leg, position=(0.0, 0.0, height))
    place = at[STRUCK[what][0]][:3, 3]
    shapes = ellipsoid_shapes(leg, at)
    outside = max(_reach_at(c, h, place[2]) for _, _, c, h in shapes)
    bar = Ellipsoid("bar", (0.3, BAR_RADIUS, BAR_RADIUS), material="steel")
    body = Body("cart", CART_MASS, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), ellipsoids=[bar])
    guide = Joint("guide", "prismatic", None, "cart", axis=(0.0, 1.0, 0.0), damping=0.0)
    cart = Actor(
        "cart",
        Model("cart", [body], [guide], [STEEL]),
        position=(0.0, round(outside + BAR_RADIUS + 0.005, 5), round(float(place[2]), 5)),
        joint_velocities={"guide": (-CART_SPEED, 0.0, 0.0)},
    )
    return Scenario(
        f"{what}_cart",
        [Actor("leg", leg, position=(0.0, 0.0, height)), cart],
        settings=Settings(
            duration=0.03, time_step=2.0e-5, output_step=1.0e-4, friction=0.5, ground_friction=0.7
        ),
        description=f"A leg of the model {model_name} on its foot, struck at mid-{what} by 50 kg at 7.5 m/s.",
        sources={
            "actors.cart": "Kress and Porta, ESV paper 443; mass, speed and bar quoted from general knowledge"
        },
    )


def _reach_at(centre: np.ndarray, half_axes: np.ndarray, height: float) -> float:
    """y to which an ellipsoid reaches (m) at a height, where it reaches that height at all; the ellipsoids of a leg
    stand nearly upright."""
    tall = float(np.linalg.norm(half_axes[2]))
    rest = 1.0 - ((height - centre[2]) / tall) ** 2
    return float(centre[1] + np.linalg.norm(half_axes[1]) * rest**0.5) if rest > 0.0 else -np.inf


# ---------------------------------------------------------------- legform


@dataclass(frozen=True)
class Legform:
    """The rigid legform impactor."""

    femur_mass: float = 8.6
    tibia_mass: float = 4.8
    femur_centre: float = 0.217
    """m from the knee"""
    tibia_centre: float = 0.233
    femur_inertia: float = 0.127
    """kg m2 about an axis across it, through the centre"""
    tibia_inertia: float = 0.120
    femur_length: float = 0.432
    tibia_length: float = 0.494
    radius: float = 0.066
    """m, with 25 mm of foam and 6 mm of neoprene over a bar of 70 mm"""
    bending: tuple[tuple[float, float], ...] = ((2.5, 340.0), (15.0, 500.0))
    """Degrees and N m. 99 J to 15 degrees, where static certification asks for 100 +- 7; the shape is assumed."""
    bending_retention: float = 0.15
    """The knee's steel bars stay bent (assumed)"""
    shear: tuple[float, float] = (0.006, 6000.0)
    """m and N, chosen in dynamic certification (3.5 to 6.0 mm)"""
    shear_damping: float = 1000.0
    """N s/m (assumed; a damper is fitted to the shear spring)"""
    foam: tuple[tuple[float, float], ...] = ((0.0, 0.0), (0.010, 900.0), (0.020, 3000.0), (0.028, 12000.0))
    """m and N, chosen in dynamic certification (120 to 250 g)"""
    foam_retention: float = 0.15
    accelerometer: float = 0.066
    """m below the knee"""


LEGFORM = Legform()
LEGFORM_SOURCE = "EEVC WG17 and UN GTR 9, quoted from general knowledge of high confidence"
CERTIFICATION_MASS, CERTIFICATION_SPEED, BELOW_KNEE = 9.0, 7.5, 0.050
"""kg, m/s and m: the guided impactor of dynamic certification and where it strikes."""
TEST_SPEED = round(40.0 / 3.6, 4)
GROUND_CLEARANCE = 0.025
"""m between the legform's end and the road."""
HIGH_STIFFNESS = 2.0e4
"""N m/rad and 1000 N/m of the axes of the knee that do not give."""


def legform_model(form: Legform = LEGFORM) -> Model:
    """The legform upright, its knee at the origin, struck from +y or -y."""
    skin = Material("foam", loading=form.foam, energy_retention=form.foam_retention, source="Fitted")
    bodies = [
        _bar("femur", form.femur_mass, form.femur_inertia, form.femur_centre, form.femur_length, form.radius),
        _bar(
            "tibia", form.tibia_mass, form.tibia_inertia, -form.tibia_centre, -form.tibia_length, form.radius
        ),
    ]
    plus = [(a, -m) for a, m in form.bending]
    minus = [(-a, m) for a, m in reversed(form.bending)]
    way, force = form.shear
    stiff = tuple((-a, 10.0 * a * HIGH_STIFFNESS * np.pi / 1800.0) for a in (-30.0, 30.0))[::-1]
    springs = [
        JointSpring("x", (*minus, (0.0, 0.0), *plus), 0.0, LEGFORM_SOURCE, retention=form.bending_retention),
        JointSpring("y", stiff, 20.0, "Stiff"),
        JointSpring("z", stiff, 20.0, "Stiff"),
        JointSpring("along_y", ((-way, force), (0.0, 0.0), (way, -force)), form.shear_damping, "Fitted"),
        *(
            JointSpring(f"along_{a}", ((-0.01, 2.0e5), (0.0, 0.0), (0.01, -2.0e5)), 2.0e3, "Stiff")
            for a in "xz"
        ),
    ]
    knee = Joint("knee", "bushing", "femur", "tibia", damping=0.0, springs=springs)
    return Model(
        "legform",
        bodies,
        [Joint("root", "free", None, "femur"), knee],
        [skin],
        description="Rigid legform impactor of 13.4 kg.",
        sources=[LEGFORM_SOURCE],
        notes=["Shear spring, its damper and the foam are chosen in the legform's dynamic certification."],
    )


def _bar(name: str, mass: float, inertia: float, centre: float, end: float, radius: float) -> Body:
    """A bar from the knee to `end` (m along z) as three overlapping ellipsoids."""
    half = 0.30 * abs(end)
    shapes = [
        Ellipsoid(
            f"{name}_{number}",
            (radius, radius, round(half, 5)),
            position=(0.0, 0.0, round(share * end, 5)),
            material="foam",
        )
        for number, share in ((1, 0.15), (2, 0.45), (3, 0.75))
    ]
    turning = 0.5 * mass * 0.035**2
    return Body(name, mass, (inertia, inertia, turning, 0.0, 0.0, 0.0), (0.0, 0.0, centre), shapes)


def _legform_sensor(form: Legform) -> Sensor:
    return Sensor("upper tibia", "legform", "tibia", point=(0.0, 0.0, -form.accelerometer), cfc=180)


def legform_certification(form: Legform = LEGFORM) -> Scenario:
    """The legform hung up freely, struck just below the knee by a guided impactor; no gravity during the blow."""
    face = Ellipsoid("face", (0.1, 0.05, 0.03), material="steel")
    body = Body("impactor", CERTIFICATION_MASS, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0), ellipsoids=[face])
    guide = Joint("guide", "prismatic", None, "impactor", axis=(0.0, 1.0, 0.0), damping=0.0)
    probe = Actor(
        "impactor",
        Model("impactor", [body], [guide], [STEEL]),
        position=(0.0, round(form.radius + 0.05 + 0.004, 5), -BELOW_KNEE),
        joint_velocities={"guide": (-CERTIFICATION_SPEED, 0.0, 0.0)},
    )
    return Scenario(
        "legform_certification",
        [Actor("legform", legform_model(form)), probe],
        sensors=[_legform_sensor(form)],
        settings=Settings(
            duration=0.04, time_step=2.0e-5, output_step=2.0e-4, gravity=(0.0, 0.0, 0.0), ground=False
        ),
        description="Dynamic certification of the legform: 9 kg at 7.5 m/s, 50 mm below the knee.",
        sources={"actors.impactor": LEGFORM_SOURCE},
    )


def legform_car(form: Legform = LEGFORM) -> Scenario:
    """The legform in free flight at 40 km/h, upright, into the front of the saloon, which stands braked."""
    model = build_vehicle("saloon")
    assert model.vehicle is not None
    scenario = legform_test(model, model.vehicle.front, form=form)
    scenario.actors[0].model_reference = "saloon"
    return scenario


def legform_test(model: Model, front: float, across: float = 0.0, form: Legform = LEGFORM) -> Scenario:
    """The legform in free flight at 40 km/h, upright, into a vehicle that stands braked.

    front: x (m) of its foremost point where y is `across` (m).
    """
    car = Actor("car", model, motors=brake_motors())
    legform = Actor(
        "legform",
        legform_model(form),
        position=(round(front + form.radius + 0.01, 4), across, form.tibia_length + GROUND_CLEARANCE),
        orientation=(90.0, 0.0, 0.0),
        velocity=(-TEST_SPEED, 0.0, 0.0),
    )
    return Scenario(
        "legform_car",
        [car, legform],
        sensors=[_legform_sensor(form)],
        settings=Settings(duration=0.06, time_step=5.0e-5, output_step=2.0e-4, ground_friction=0.7),
        description=f"Legform test of UN GTR 9: the legform at 40 km/h into the bumper of '{model.name}'.",
        sources={"actors.legform.velocity": LEGFORM_SOURCE},
    )


KNEE_PROBE = (5.0, 0.038, 2.1)
"""kg, radius m and m/s of the probe that a mid-size man's dummy's knee is struck with (49 CFR 572.35, quoted)."""


def knee_blow(model_name: str = "hybrid3_50th") -> Scenario:
    """A dummy's knee, its leg held, struck from the front by a probe."""
    mass, radius, speed = KNEE_PROBE
    whole = load_model(model_name)
    leg = next(b for b in whole.bodies if any(e.name == "knee_l" for e in b.ellipsoids))
    model = single_body(whole, leg.name)
    model.joints[0] = Joint("root", "fixed", None, leg.name)
    shapes = ellipsoid_shapes(model, body_transforms(model))
    centre, half = next((c, h) for _, e, c, h in shapes if e.name == "knee_l")
    probe = disc(mass, radius)
    gap = float(np.linalg.norm(half[0])) + probe.bodies[0].ellipsoids[0].semi_axes[0] + 0.002
    struck = Actor("probe", probe, position=tuple(centre + (gap, 0.0, 0.0)), velocity=(-speed, 0.0, 0.0))
    settings = Settings(
        duration=0.02, time_step=1.0e-5, output_step=2.0e-5, gravity=(0.0, 0.0, 0.0), ground=False
    )
    return Scenario("knee_impact", [Actor("leg", model), struck], settings=settings)
