"""Every rule of validation: what is wrong is found, named with its place and a remedy, and all of it at once."""

from dataclasses import replace

import numpy as np
import pytest
from mechanisms import shifted

from mannequin.engine import (
    Actor,
    AxisLimits,
    Belt,
    Body,
    ConeLimits,
    Coupler,
    Ellipsoid,
    EngineError,
    ForcePulse,
    Joint,
    JointFriction,
    JointSpring,
    Material,
    Model,
    Motor,
    Obstacle,
    PairMaterial,
    Point,
    PrescribedMotion,
    Refused,
    Scenario,
    Settings,
    SpringDamper,
    TorquePulse,
    Weld,
    compile_system,
    validate,
)

NAN, INF = float("nan"), float("inf")
BALL = (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)


def good_model() -> Model:
    """Trunk, limb, hand, plate: one of each joint type."""
    bodies = [Body(name, 2.0, BALL) for name in ("trunk", "limb", "hand", "plate")]
    bodies[0].ellipsoids.append(Ellipsoid("skin", (0.1, 0.1, 0.1), force_curve=((0, 0), (0.01, 1000))))
    joints = [
        Joint("root", "free", None, "trunk"),
        Joint("shoulder", "spherical", "trunk", "limb"),
        Joint("wrist", "revolute", "limb", "hand"),
        Joint("bolt", "fixed", "hand", "plate"),
    ]
    return Model("person", bodies, joints)


def good_scenario() -> Scenario:
    return Scenario("fall", [Actor("man", good_model(), position=(0, 0, 2))])


def test_good_specs_have_no_issue():
    assert validate(good_model()) == []
    assert validate(good_scenario()) == []
    compile_system(good_scenario())


def body(model, index=1):
    return model.bodies[index]


def joint(model, index=1):
    return model.joints[index]


def scaled(factor):
    m = np.eye(4)
    m[:3, :3] *= factor
    return tuple(map(tuple, m))


MODEL_RULES = {
    # name: (change, place, part of the message, part of the remedy)
    "no bodies": (lambda m: m.bodies.clear(), "model 'person'", "no bodies", "Add a body"),
    "duplicate body": (
        lambda m: m.bodies.append(Body("limb", 1.0, BALL)),
        "model 'person'",
        "the body name 'limb' is used twice",
        "Rename",
    ),
    "duplicate joint": (
        lambda m: setattr(joint(m, 2), "name", "shoulder"),
        "model 'person'",
        "the joint name 'shoulder' is used twice",
        "Rename",
    ),
    "nameless body": (
        lambda m: (
            setattr(body(m), "name", ""),
            setattr(joint(m), "child", ""),
            setattr(joint(m, 2), "parent", ""),
        ),
        "model 'person'",
        "has no name",
        "Name every body",
    ),
    "zero mass": (lambda m: setattr(body(m), "mass", 0.0), "body 'limb'", "mass is 0", "Choose mass from"),
    "negative mass": (
        lambda m: setattr(body(m), "mass", -1.0),
        "body 'limb'",
        "mass is -1",
        "Choose mass from",
    ),
    "absurd mass": (
        lambda m: setattr(body(m), "mass", 1e9),
        "body 'limb'",
        "mass is 1e+09",
        "Choose mass from",
    ),
    "mass not a number": (
        lambda m: setattr(body(m), "mass", NAN),
        "body 'limb'",
        "not a finite number",
        "number",
    ),
    "mass is text": (lambda m: setattr(body(m), "mass", "2"), "body 'limb'", "not a finite number", "number"),
    "inertia negative": (
        lambda m: setattr(body(m), "inertia", (-1, 1, 1, 0, 0, 0)),
        "body 'limb'",
        "not positive definite",
        "sign of the products",
    ),
    "inertia from products": (
        lambda m: setattr(body(m), "inertia", (1, 1, 1, 2, 0, 0)),
        "body 'limb'",
        "not positive definite",
        "products",
    ),
    "inertia triangle": (
        lambda m: setattr(body(m), "inertia", (1, 1, 2.1, 0, 0, 0)),
        "body 'limb'",
        "triangle inequality",
        "correct the inertia",
    ),
    "inertia too short": (
        lambda m: setattr(body(m), "inertia", (1, 1, 1)),
        "body 'limb'",
        "not 6 numbers",
        "6 numbers",
    ),
    "inertia infinite": (
        lambda m: setattr(body(m), "inertia", (1, 1, INF, 0, 0, 0)),
        "body 'limb'",
        "not a finite number",
        "Correct inertia",
    ),
    "centre of mass": (
        lambda m: setattr(body(m), "center_of_mass", (0, NAN, 0)),
        "body 'limb'",
        "centre of mass",
        "Correct centre of mass",
    ),
    "ellipsoid axis": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "semi_axes", (0.1, 0, 0.1)),
        "body 'trunk', ellipsoid 'skin'",
        "semi-axis is 0",
        "Choose a semi-axis",
    ),
    "ellipsoid mirrored": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "orientation", ((-1, 0, 0), (0, 1, 0), (0, 0, 1))),
        "body 'trunk', ellipsoid 'skin'",
        "mirrors",
        "pure rotation",
    ),
    "ellipsoid curve order": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "force_curve", ((0, 0), (0.2, 5), (0.1, 9))),
        "body 'trunk', ellipsoid 'skin'",
        "do not increase",
        "Sort",
    ),
    "ellipsoid curve start": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "force_curve", ((0, 5), (0.2, 5))),
        "body 'trunk', ellipsoid 'skin'",
        "starts at",
        "(0, 0)",
    ),
    "ellipsoid curve pulls": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "force_curve", ((0, 0), (0.2, -5))),
        "body 'trunk', ellipsoid 'skin'",
        "force of the force curve is -5",
        "Choose every force from 0",
    ),
    "ellipsoid curve NaN": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "force_curve", ((0, 0), (NAN, 5))),
        "body 'trunk', ellipsoid 'skin'",
        "not finite",
        "Correct",
    ),
    "unknown material": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "material", "steel"),
        "body 'trunk', ellipsoid 'skin'",
        "unknown material 'steel'",
        "Add it",
    ),
    "duplicate ellipsoid": (
        lambda m: body(m, 0).ellipsoids.append(Ellipsoid("skin", (1, 1, 1))),
        "body 'trunk'",
        "the ellipsoid name 'skin' is used twice",
        "Rename",
    ),
    "contact law": (
        lambda m: m.materials.append(Material("foam", law="magic")),
        "material 'foam'",
        "unknown law 'magic'",
        "Use one of curve",
    ),
    "restitution": (
        lambda m: m.materials.append(Material("foam", law="lankarani_nikravesh", restitution=0.0)),
        "material 'foam'",
        "restitution is 0",
        "Choose",
    ),
    "retention": (
        lambda m: m.materials.append(Material("foam", energy_retention=1.5)),
        "material 'foam'",
        "energy retention is 1.5",
        "0 to 1",
    ),
    "joint type": (
        lambda m: setattr(joint(m), "type", "rubber"),
        "joint 'shoulder'",
        "unknown type 'rubber'",
        "Use one of free",
    ),
    "unknown parent": (
        lambda m: setattr(joint(m), "parent", "torso"),
        "joint 'shoulder'",
        "parent 'torso' is not a body",
        "Name a body",
    ),
    "unknown child": (
        lambda m: setattr(joint(m), "child", "arm"),
        "joint 'shoulder'",
        "child 'arm' is not a body",
        "Name a body",
    ),
    "orphan": (lambda m: m.joints.pop(3), "body 'plate'", "no joint carries it", "Connect it"),
    "two parents": (
        lambda m: m.joints.append(Joint("extra", "spherical", "trunk", "hand")),
        "body 'hand'",
        "child of several joints ('wrist', 'extra')",
        "weld",
    ),
    "no root": (
        lambda m: setattr(joint(m, 0), "parent", "plate"),
        "model 'person'",
        "no joint has the ground as parent",
        "free joint",
    ),
    "two roots": (
        lambda m: (setattr(joint(m), "parent", None)),
        "model 'person'",
        "several roots ('root', 'shoulder')",
        "Keep one root",
    ),
    "cycle": (lambda m: setattr(joint(m), "parent", "plate"), "body 'limb'", "cycle", "Break the cycle"),
    "own parent": (
        lambda m: setattr(joint(m, 3), "parent", "plate"),
        "body 'plate'",
        "cycle",
        "Break the cycle",
    ),
    "free with a parent": (
        lambda m: setattr(joint(m), "type", "free"),
        "joint 'shoulder'",
        "free joint has a parent",
        "use spherical",
    ),
    "T1 scaled": (
        lambda m: setattr(joint(m), "T1", scaled(1.1)),
        "joint 'shoulder'",
        "T1 is not orthonormal (its columns have lengths 1.1",
        "pure rotation",
    ),
    "T2 mirrored": (
        lambda m: setattr(joint(m), "T2", scaled(-1.0)),
        "joint 'shoulder'",
        "T2 mirrors",
        "pure rotation",
    ),
    "T1 wrong shape": (
        lambda m: setattr(joint(m), "T1", ((1, 0), (0, 1))),
        "joint 'shoulder'",
        "T1 has shape (2, 2), not 4 by 4",
        "rigid transform",
    ),
    "T1 ragged": (
        lambda m: setattr(joint(m), "T1", ((1, 0), (0,))),
        "joint 'shoulder'",
        "T1 is not a matrix",
        "rigid transform",
    ),
    "T1 NaN": (
        lambda m: setattr(joint(m), "T1", shifted(NAN, 0, 0)),
        "joint 'shoulder'",
        "translation of T1",
        "metres",
    ),
    "T2 in millimetres": (
        lambda m: setattr(joint(m), "T2", shifted(2e4, 0, 0)),
        "joint 'shoulder'",
        "translation of T2",
        "metres",
    ),
    "T1 last row": (
        lambda m: setattr(joint(m), "T1", (*shifted(0, 0, 0)[:3], (0, 0, 1, 1))),
        "joint 'shoulder'",
        "last row of T1",
        "0, 0, 0, 1",
    ),
    "axis length": (
        lambda m: setattr(joint(m, 2), "axis", (0, 0, 2)),
        "joint 'wrist'",
        "not of unit length",
        "Normalize",
    ),
    "axis NaN": (
        lambda m: setattr(joint(m, 2), "axis", (0, 0, NAN)),
        "joint 'wrist'",
        "axis",
        "Correct axis",
    ),
    "joint damping": (
        lambda m: setattr(joint(m), "damping", -1.0),
        "joint 'shoulder'",
        "damping is -1",
        "Choose damping",
    ),
    "limits exchanged": (
        lambda m: setattr(joint(m), "limits", AxisLimits((10, 0, 0), (-10, 0, 0))),
        "joint 'shoulder', limits",
        "lower limit lies above",
        "Exchange",
    ),
    "limit stiffness": (
        lambda m: setattr(joint(m), "limits", AxisLimits((0, 0, 0), (1, 1, 1), stiffness=NAN)),
        "joint 'shoulder', limits",
        "stiffness is nan",
        "number",
    ),
    "cone on a hinge": (
        lambda m: setattr(joint(m, 2), "cone", ConeLimits((10, 10, 10, 10))),
        "joint 'wrist'",
        "has a cone",
        "spherical",
    ),
    "cone axis": (
        lambda m: setattr(joint(m), "cone", ConeLimits((10, 10, 10, 10), axis=(0, 0, 0))),
        "joint 'shoulder', cone",
        "axis has no length",
        "direction",
    ),
    "cone longitude": (
        lambda m: setattr(joint(m), "cone", ConeLimits((10, 10, 10, 10), zero_longitude=(0, 0, 3))),
        "joint 'shoulder', cone",
        "along the cone axis",
        "across",
    ),
    "cone twist": (
        lambda m: setattr(joint(m), "cone", ConeLimits((10, 10, 10, 10), twist=(5, -5))),
        "joint 'shoulder', cone",
        "twist lies above",
        "Exchange",
    ),
    "joint friction": (
        lambda m: setattr(joint(m), "friction", JointFriction(torque=-1.0)),
        "joint 'shoulder', friction",
        "torque is -1",
        "Choose",
    ),
    "joint spring axis": (
        lambda m: joint(m).springs.append(JointSpring(axis="w", curve=((-1, -1), (1, 1)))),
        "joint 'shoulder', spring 0",
        "unknown axis 'w'",
        "z, y, x",
    ),
    "joint spring curve": (
        lambda m: joint(m).springs.append(JointSpring(axis="x", curve=((1, -1), (-1, 1)))),
        "joint 'shoulder', spring 0",
        "do not increase",
        "Sort",
    ),
    "motor stiffness": (
        lambda m: setattr(joint(m), "motor", Motor(stiffness=-1.0)),
        "joint 'shoulder', motor",
        "stiffness is -1",
        "Choose",
    ),
    "motor target": (
        lambda m: setattr(joint(m), "motor", Motor(target=(0, NAN, 0))),
        "joint 'shoulder', motor",
        "target",
        "Correct target",
    ),
    "motor torque": (
        lambda m: setattr(joint(m), "motor", Motor(max_torque=NAN)),
        "joint 'shoulder', motor",
        "largest torque is nan",
        "Give largest torque a number",
    ),
    "motor gain": (
        lambda m: setattr(joint(m), "motor", Motor(gain_over_time=((1, 0), (0, 1)))),
        "joint 'shoulder', motor",
        "do not increase",
        "Sort",
    ),
    "spring end": (
        lambda m: m.springs.append(SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "tail"), 1.0)),
        "spring 'cord'",
        "unknown body 'tail'",
        "Name a body",
    ),
    "spring number": (
        lambda m: m.springs.append(SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "hand"), NAN)),
        "spring 'cord'",
        "stiffness is nan",
        "Give stiffness a number",
    ),
    "weld number": (
        lambda m: m.welds.append(Weld("pin", Point((0, 0, 0)), Point((0, 0, 0), "hand"), stiffness=-1)),
        "weld 'pin'",
        "stiffness is -1",
        "Choose stiffness from 0",
    ),
    "point": (
        lambda m: m.welds.append(Weld("pin", Point((0, 0, INF)), Point((0, 0, 0), "hand"))),
        "weld 'pin', start",
        "position",
        "Correct position",
    ),
    "belt marks": (
        lambda m: m.belts.append(Belt("lap", [Point((0, 0, 0)), Point((0, 0, 0), "hand")], [False], 1e4)),
        "belt 'lap'",
        "2 points and 1 slip marks",
        "one mark for each",
    ),
    "coupler": (
        lambda m: m.couplers.append(Coupler("spine", "shoulder", "tail")),
        "coupler 'spine'",
        "unknown joint 'tail'",
        "Name a joint",
    ),
    "contact pair": (
        lambda m: m.contact_exclude.append(("trunk", "tail")),
        "contact pairs",
        "unknown body 'tail'",
        "Name a body",
    ),
    "centre of mass of any size": (
        lambda m: setattr(body(m), "center_of_mass", (0, 1e308, 0)),
        "body 'limb'",
        "centre of mass is 1e+308",
        "Choose centre of mass from",
    ),
    "number beyond all floats": (
        lambda m: setattr(body(m), "mass", 10**400),
        "body 'limb'",
        "not a finite number",
        "number",
    ),
    "own unloading curve": (
        lambda m: setattr(body(m, 0).ellipsoids[0], "unload_curve", ((0, 0), (0.01, 1001))),
        "body 'trunk', ellipsoid 'skin'",
        "unloading curve is above its loading curve at 0.01 m",
        "Lower the unloading curve",
    ),
    "coupler axis": (
        lambda m: m.couplers.append(Coupler("spine", "shoulder", "wrist", axis=0.5)),
        "coupler 'spine'",
        "axis is 0.5, not a text",
        "z, y, x",
    ),
    "coupler on itself": (
        lambda m: m.couplers.append(Coupler("spine", "wrist", "wrist")),
        "coupler 'spine'",
        "ties joint 'wrist' to itself",
        "another leader",
    ),
    "coupler of a free joint": (
        lambda m: m.couplers.append(Coupler("spine", "root", "wrist")),
        "coupler 'spine'",
        "free joint 'root'",
        "that turns",
    ),
    "cone angle": (
        lambda m: setattr(joint(m), "cone", ConeLimits((0, 10, 10, 10))),
        "joint 'shoulder', cone",
        "quadrant angles is 0",
        "to 180",
    ),
    "cone width": (
        lambda m: setattr(joint(m), "cone", ConeLimits((10, 10, 10, 10), width=0)),
        "joint 'shoulder', cone",
        "width is 0",
        "Choose width",
    ),
    "friction that drops at once": (
        lambda m: setattr(joint(m), "friction", JointFriction(5.0, drop_angle=0.0)),
        "joint 'shoulder', friction",
        "drop angle is 0",
        "Choose drop angle",
    ),
    "joint spring of one point": (
        lambda m: joint(m).springs.append(JointSpring("x", ((0, 0),))),
        "joint 'shoulder', spring 0",
        "needs 2 or more rows",
        "Correct curve",
    ),
    "motor gain below zero": (
        lambda m: setattr(joint(m), "motor", Motor(gain_over_time=((0, 1), (1, -1)))),
        "joint 'shoulder', motor",
        "gain of the gain over time is -1",
        "Choose every gain from 0",
    ),
    "motor that pulls where it should push": (
        lambda m: setattr(joint(m), "motor", Motor(torque_over_speed=((0, 1), (8, -1)))),
        "joint 'shoulder', motor",
        "factor of the torque over speed is -1",
        "Choose every factor from 0",
    ),
    "spring curve": (
        lambda m: m.springs.append(cord(curve=((0, 0), (0, 1)))),
        "spring 'cord'",
        "do not increase",
        "Sort",
    ),
    "spring rest length": (
        lambda m: m.springs.append(cord(rest_length=-1.0)),
        "spring 'cord'",
        "rest length is -1",
        "Choose rest length",
    ),
    "spring break force": (
        lambda m: m.springs.append(cord(break_force=0.0)),
        "spring 'cord'",
        "break force is 0",
        "Choose break force",
    ),
    "belt ends": (
        lambda m: m.belts.append(
            Belt("lap", [Point((0, 0, 0)), Point((0, 0, 0), "hand")], [False, True], 1e4)
        ),
        "belt 'lap'",
        "one of its ends slips",
        "Clamp both",
    ),
}


def cord(**fields) -> SpringDamper:
    return SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "hand"), 1.0, **fields)


HEAD = ((0.0, 0.0), (0.01, 7000.0), (0.02, 13000.0))
MATERIAL_RULES = {
    # name: (fields, part of the message, part of the remedy)
    "curve off the origin": ({"loading": ((0.001, 5.0), (0.01, 50.0))}, "loading curve starts at", "(0, 0)"),
    "curve back": ({"loading": ((0.0, 0.0), (0.01, 50.0), (0.01, 60.0))}, "do not increase", "Sort"),
    "curve too fine": ({"loading": ((0.0, 0.0), (1e-300, 50.0))}, "less than 1e-12 apart", "Remove one"),
    "curve too long": ({"loading": tuple((k * 1e-6, 0.0) for k in range(10001))}, "10001 points", "at most"),
    "curve of NaN": ({"loading": ((0.0, 0.0), (0.01, NAN))}, "not finite", "Correct"),
    "curve of texts": ({"loading": (("0", "0"), ("1", "1"))}, "rows of numbers", "Correct"),
    "curve that pulls": (
        {"loading": ((0.0, 0.0), (0.01, -50.0))},
        "force of the loading curve is -50",
        "from 0",
    ),
    "curve of a point": ({"loading": ((0.0, 0.0),)}, "2 or more rows", "Correct"),
    "unloading": (
        {"loading": HEAD, "unloading": ((0, 0), (0.01, 7001))},
        "above its loading curve at 0.01",
        "Lower",
    ),
    "unloading of nothing": ({"unloading": ()}, "unloading curve needs 2 or more", "Correct"),
    "beyond last": ({"beyond_last": "bounce"}, "unknown beyond last 'bounce'", "extend, hold"),
    "damping": ({"damping": -1.0}, "damping is -1", "Choose"),
    "exponent": ({"law": "hunt_crossley", "exponent": 0.5}, "exponent is 0.5", "Choose"),
    "stiffness": ({"law": "linear", "stiffness": 0.0}, "stiffness is 0", "Choose"),
    "amplification": ({"amplification": (1.0, -0.1, 1.0, 1.0)}, "amplification is -0.1", "Choose"),
    "no amplification": ({"amplification": (0.0, 0.1, 1.0, 1.0)}, "amplification is (0.0", "C1 and C3"),
    "short amplification": ({"amplification": (1.0, 0.1)}, "not 4 numbers", "4 numbers"),
    "friction": ({"static_friction": 0.1, "dynamic_friction": 0.2}, "dynamic friction 0.2 is above", "Lower"),
    "viscous friction": ({"viscous_friction": -1.0}, "viscous friction is -1", "Choose"),
}


@pytest.mark.parametrize("rule", MATERIAL_RULES)
def test_material_rule(rule):
    """The same wherever a material stands."""
    fields, message, remedy = MATERIAL_RULES[rule]
    model, scenario = good_model(), good_scenario()
    model.materials.append(Material("foam", **fields))
    scenario.obstacles.append(Obstacle("wall", "plane", (-5, 0, 0), material=Material("foam", **fields)))
    scenario.pairs.append(PairMaterial("a", "b", material=Material("foam", **fields)))
    assert_reported(validate(model), "material 'foam'", message, remedy)
    assert_reported(validate(scenario), "obstacle 'wall', material", message, remedy)
    assert_reported(validate(scenario), "pair 'a' and 'b', material", message, remedy)
    with pytest.raises(Refused):
        compile_system(scenario)


def test_what_a_law_does_not_read_may_be_anything():
    """Files of other programs fill in what they do not use."""
    scenario = good_scenario()
    scenario.actors[0].model.materials.append(
        Material("foam", law="curve", stiffness=0.0, exponent=-1.0, restitution=7.0)
    )
    assert validate(scenario) == []
    compile_system(scenario)


def assert_reported(issues, place, message, remedy):
    assert any(
        issue.severity == "error"
        and issue.place == place
        and message in issue.message
        and remedy in issue.remedy
        for issue in issues
    ), "\n".join(map(str, issues))


@pytest.mark.parametrize("rule", MODEL_RULES)
def test_model_rule(rule):
    change, place, message, remedy = MODEL_RULES[rule]
    model = good_model()
    change(model)
    assert_reported(validate(model), place, message, remedy)
    # and no simulation of it starts
    with pytest.raises(EngineError):
        compile_system(Scenario("fall", [Actor("man", model, position=(0, 0, 2))]))


def actor(s):
    return s.actors[0]


SCENARIO_RULES = {
    "no actor": (lambda s: s.actors.clear(), "scenario 'fall'", "no actor", "Add an actor"),
    "duplicate actor": (
        lambda s: s.actors.append(actor(s)),
        "scenario 'fall'",
        "the actor name 'man' is used twice",
        "Rename",
    ),
    "its model": (
        lambda s: setattr(body(actor(s).model), "mass", 0),
        "actor 'man', body 'limb'",
        "mass is 0",
        "Choose",
    ),
    "position": (
        lambda s: setattr(actor(s), "position", (0, 0, NAN)),
        "actor 'man'",
        "position",
        "Correct position",
    ),
    "orientation": (
        lambda s: setattr(actor(s), "orientation", (0, 0)),
        "actor 'man'",
        "not 3 numbers",
        "3 numbers",
    ),
    "velocity": (
        lambda s: setattr(actor(s), "velocity", (0, 0, INF)),
        "actor 'man'",
        "velocity",
        "Correct velocity",
    ),
    "spin": (
        lambda s: setattr(actor(s), "angular_velocity", "fast"),
        "actor 'man'",
        "angular velocity",
        "3 numbers",
    ),
    "unknown joint angle": (
        lambda s: actor(s).joint_angles.update(knee=(0, 0, 0)),
        "actor 'man'",
        "unknown joint 'knee'",
        "Name a joint",
    ),
    "angle": (
        lambda s: actor(s).joint_angles.update(wrist=(NAN, 0, 0)),
        "actor 'man', joint 'wrist'",
        "joint angles",
        "Correct",
    ),
    "unknown joint velocity": (
        lambda s: actor(s).joint_velocities.update(knee=(0, 0, 0)),
        "actor 'man'",
        "unknown joint 'knee'",
        "Name a joint",
    ),
    "unknown motor": (
        lambda s: actor(s).motors.update(knee=Motor()),
        "actor 'man'",
        "unknown joint 'knee'",
        "Name a joint",
    ),
    "motor": (
        lambda s: actor(s).motors.update(wrist=Motor(damping=-1)),
        "actor 'man', joint 'wrist', motor",
        "damping is -1",
        "Choose",
    ),
    "tone": (lambda s: setattr(actor(s), "tone", NAN), "actor 'man'", "tone", "number"),
    "torque pulse joint": (
        lambda s: actor(s).torque_pulses.append(TorquePulse("knee", (1, 0, 0), 0, 1)),
        "actor 'man'",
        "unknown joint 'knee'",
        "Name a joint",
    ),
    "torque pulse on fixed": (
        lambda s: actor(s).torque_pulses.append(TorquePulse("bolt", (1, 0, 0), 0, 1)),
        "actor 'man'",
        "fixed joint 'bolt'",
        "cannot turn",
    ),
    "torque pulse duration": (
        lambda s: actor(s).torque_pulses.append(TorquePulse("wrist", (1, 0, 0), 0, 0)),
        "actor 'man', torque pulse 0",
        "duration is 0",
        "Choose",
    ),
    "force pulse body": (
        lambda s: actor(s).force_pulses.append(ForcePulse("tail", (1, 0, 0), 0, 1)),
        "actor 'man'",
        "unknown body 'tail'",
        "Name a body",
    ),
    "force pulse frame": (
        lambda s: actor(s).force_pulses.append(ForcePulse("hand", (1, 0, 0), 0, 1, frame="moon")),
        "actor 'man', force pulse 0",
        "unknown frame 'moon'",
        "world, body",
    ),
    "force pulse peak": (
        lambda s: actor(s).force_pulses.append(ForcePulse("hand", (NAN, 0, 0), 0, 1)),
        "actor 'man', force pulse 0",
        "peak",
        "Correct",
    ),
    "prescribed joint": (
        lambda s: actor(s).prescribed.append(PrescribedMotion("knee", ((0, 0, 0, 0), (1, 0, 0, 0)))),
        "actor 'man'",
        "unknown joint 'knee'",
        "Name a joint",
    ),
    "prescribed times": (
        lambda s: actor(s).prescribed.append(PrescribedMotion(None, ((1, 0, 0, 0), (0, 0, 0, 0)))),
        "actor 'man', prescribed motion 0",
        "do not increase",
        "Sort",
    ),
    "prescribed columns": (
        lambda s: actor(s).prescribed.append(PrescribedMotion(None, ((0, 0), (1, 0)))),
        "actor 'man'",
        "4 or 7 columns",
        "vx",
    ),
    "obstacle shape": (
        lambda s: s.obstacles.append(Obstacle("wall", "torus")),
        "obstacle 'wall'",
        "unknown shape 'torus'",
        "plane, box",
    ),
    "obstacle size": (
        lambda s: s.obstacles.append(Obstacle("wall", "box", half_size=(1, 0, 1))),
        "obstacle 'wall'",
        "half size is 0",
        "Choose",
    ),
    "obstacle place": (
        lambda s: s.obstacles.append(Obstacle("wall", "box", position=(NAN, 0, 0))),
        "obstacle 'wall'",
        "position",
        "Correct",
    ),
    "obstacle motion": (
        lambda s: s.obstacles.append(Obstacle("wall", "box", motion=((0, 0, 0, 0), (0, 1, 0, 0)))),
        "obstacle 'wall'",
        "first numbers of motion do not increase",
        "Sort",
    ),
    "mesh missing": (
        lambda s: s.obstacles.append(Obstacle("wall", "mesh")),
        "obstacle 'wall'",
        "not been loaded",
        "vertices",
    ),
    "mesh index": (
        lambda s: s.obstacles.append(Obstacle("wall", "mesh", vertices=np.eye(3), triangles=[[0, 1, 7]])),
        "obstacle 'wall'",
        "vertex that does not exist",
        "Correct",
    ),
    "mesh empty": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=np.eye(3), triangles=np.zeros((0, 3), int))
        ),
        "obstacle 'wall'",
        "no triangle",
        "faces",
    ),
    "mesh NaN": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=np.full((3, 3), NAN), triangles=[[0, 1, 2]])
        ),
        "obstacle 'wall'",
        "not finite",
        "Correct",
    ),
    "duplicate obstacle": (
        lambda s: s.obstacles.extend([Obstacle("wall", "box"), Obstacle("wall", "box")]),
        "scenario 'fall'",
        "the obstacle name 'wall' is used twice",
        "Rename",
    ),
    "pair": (
        lambda s: s.pairs.append(PairMaterial("a", "b", friction=-1)),
        "pair 'a' and 'b'",
        "friction is -1",
        "Choose",
    ),
    "spring actor": (
        lambda s: s.springs.append(
            SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "hand", "dog"), 1.0)
        ),
        "spring 'cord'",
        "unknown actor 'dog'",
        "Name an actor",
    ),
    "spring body": (
        lambda s: s.springs.append(
            SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "tail", "man"), 1.0)
        ),
        "spring 'cord'",
        "no body 'tail'",
        "Name one of its bodies",
    ),
    "spring number": (
        lambda s: s.springs.append(
            SpringDamper("cord", Point((0, 0, 0)), Point((0, 0, 0), "hand", "man"), 1.0, damping=-2)
        ),
        "spring 'cord'",
        "damping is -2",
        "Choose damping from 0",
    ),
    "integrator": (
        lambda s: setattr(s.settings, "integrator", "magic"),
        "settings",
        "unknown integrator 'magic'",
        "symplectic_euler",
    ),
    "friction law": (
        lambda s: setattr(s.settings, "friction_law", "magic"),
        "settings",
        "unknown friction law 'magic'",
        "coulomb",
    ),
    "multi contact": (
        lambda s: setattr(s.settings, "multi_contact", "magic"),
        "settings",
        "unknown multi contact",
        "continuous",
    ),
    "damping mode": (
        lambda s: setattr(s.settings, "contact_damping_mode", "magic"),
        "settings",
        "unknown contact damping mode",
        "proportional",
    ),
    "time step zero": (
        lambda s: setattr(s.settings, "time_step", 0.0),
        "settings",
        "time step is 0",
        "Choose time step",
    ),
    "time step long": (
        lambda s: setattr(s.settings, "time_step", 0.5),
        "settings",
        "time step is 0.5",
        "Choose time step",
    ),
    "time step NaN": (
        lambda s: setattr(s.settings, "time_step", NAN),
        "settings",
        "time step is nan",
        "number",
    ),
    "output off the grid": (
        lambda s: setattr(s.settings, "output_step", 2.6e-4),
        "settings",
        "not a multiple",
        "0.0003",
    ),
    "duration": (
        lambda s: setattr(s.settings, "duration", -1.0),
        "settings",
        "duration is -1",
        "Choose duration",
    ),
    "duration short": (
        lambda s: setattr(s.settings, "duration", 1e-4),
        "settings",
        "shorter than the output step",
        "shorter output step",
    ),
    "too many frames": (
        lambda s: (setattr(s.settings, "duration", 1e5), setattr(s.settings, "output_step", 1e-4)),
        "settings",
        "output times",
        "longer output step",
    ),
    "gravity": (lambda s: setattr(s.settings, "gravity", (0, 0)), "settings", "gravity", "3 numbers"),
    "friction": (
        lambda s: setattr(s.settings, "friction", -0.1),
        "settings",
        "friction is -0.1",
        "Choose friction",
    ),
    "ground friction": (
        lambda s: setattr(s.settings, "ground_friction", NAN),
        "settings",
        "ground friction",
        "number",
    ),
    "tolerance": (
        lambda s: setattr(s.settings, "tolerance", 0.0),
        "settings",
        "tolerance is 0",
        "Choose tolerance",
    ),
    "joint damping factor": (
        lambda s: setattr(s.settings, "joint_damping", -1.0),
        "settings",
        "joint damping factor is -1",
        "Choose",
    ),
    "max speed": (
        lambda s: setattr(s.settings, "max_speed", INF),
        "settings",
        "largest speed is inf",
        "number",
    ),
    "joint angle of any size": (
        lambda s: actor(s).joint_angles.update(wrist=(1e29, 0, 0)),
        "actor 'man', joint 'wrist'",
        "joint angles is 1e+29",
        "Choose joint angles",
    ),
    "prescribed root that is not free": (
        lambda s: (
            setattr(joint(actor(s).model, 0), "type", "spherical"),
            actor(s).prescribed.append(PrescribedMotion(None, ((0, 0, 0, 0), (1, 0, 0, 0)))),
        ),
        "actor 'man'",
        "needs a free root, and 'root' is spherical",
        "Name the joint",
    ),
    "prescribed bolt": (
        lambda s: actor(s).prescribed.append(PrescribedMotion("bolt", ((0, 0), (1, 0)))),
        "actor 'man'",
        "fixed joint 'bolt'",
        "that turns",
    ),
    "prescribed ball joint": (
        lambda s: actor(s).prescribed.append(PrescribedMotion("shoulder", ((0, 0), (1, 0)))),
        "actor 'man'",
        "spherical joint 'shoulder' needs 4 columns",
        "Z, Y, X",
    ),
    "mesh of lines": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=np.zeros((3, 2)), triangles=[[0, 1, 2]])
        ),
        "obstacle 'wall'",
        "its mesh has vertices that are not",
        "three coordinates",
    ),
    "mesh of squares": (
        lambda s: s.obstacles.append(Obstacle("wall", "mesh", vertices=np.eye(3), triangles=[[0, 1, 2, 2]])),
        "obstacle 'wall'",
        "its mesh has triangles that are not (m, 3)",
        "Triangulate",
    ),
    "mesh of fractions": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=np.eye(3), triangles=[[0.0, 1.0, 2.0]])
        ),
        "obstacle 'wall'",
        "not whole numbers",
        "indices",
    ),
    "mesh without area": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=np.zeros((3, 3)), triangles=[[0, 1, 2]])
        ),
        "obstacle 'wall'",
        "no area",
        "scale",
    ),
    "mesh in another unit": (
        lambda s: s.obstacles.append(
            Obstacle("wall", "mesh", vertices=1e7 * np.eye(3), triangles=[[0, 1, 2]])
        ),
        "obstacle 'wall'",
        "1e+07 m from its origin",
        "scale",
    ),
    "pair that slides harder than it sticks": (
        lambda s: s.pairs.append(PairMaterial("a", "b", friction=0.1, dynamic_friction=0.2)),
        "pair 'a' and 'b'",
        "dynamic friction 0.2 is above static friction 0.1",
        "Lower",
    ),
    "belt without length": (
        lambda s: s.belts.append(
            Belt(
                "lap", [Point((0, 0, 0), "hand", "man"), Point((0, 0, 0), "hand", "man")], [False, False], 1e4
            )
        ),
        "belt 'lap'",
        "no band between two of its clamped points",
        "Move the points apart",
    ),
    "model's belt without length": (
        lambda s: actor(s).model.belts.append(
            Belt("lap", [Point((0, 0, 0), "hand"), Point((0, 0, 0), "hand")], [False, False], 1e4)
        ),
        "actor 'man', belt 'lap'",
        "no band between two of its clamped points",
        "Move the points apart",
    ),
    "overlap with the ground": (
        lambda s: setattr(actor(s), "position", (0, 0, 0.09)),
        "actor 'man', body 'trunk', ellipsoid 'skin'",
        "it overlaps ground by 10.0 mm at the start",
        "Raise the actor by 0.0100 m",
    ),
    "friction rule": (
        lambda s: setattr(s.settings, "friction_rule", "sum"),
        "settings",
        "unknown friction rule 'sum'",
        "geometric",
    ),
    "friction velocity": (
        lambda s: setattr(s.settings, "friction_velocity", 0.0),
        "settings",
        "friction velocity is 0",
        "Choose",
    ),
    "actors in a text": (
        lambda s: setattr(s, "actors", "man"),
        "scenario 'fall'",
        "actors is 'man'",
        "a list",
    ),
    "settings that are none": (
        lambda s: setattr(s, "settings", None),
        "scenario 'fall'",
        "settings is None",
        "a settings",
    ),
    "switch": (
        lambda s: setattr(s.settings, "ground", "yes"),
        "settings",
        "ground is 'yes'",
        "true or false",
    ),
    "overlap limit": (
        lambda s: setattr(s.settings, "start_overlap_limit", -1.0),
        "settings",
        "start overlap limit is -1",
        "Choose",
    ),
}


@pytest.mark.parametrize("rule", SCENARIO_RULES)
def test_scenario_rule(rule):
    change, place, message, remedy = SCENARIO_RULES[rule]
    scenario = good_scenario()
    change(scenario)
    assert_reported(validate(scenario), place, message, remedy)
    with pytest.raises(Refused) as refused:
        compile_system(scenario)
    assert refused.value.issues == [issue for issue in validate(scenario) if issue.severity == "error"]


def test_all_problems_at_once():
    """Twelve things wrong in one scenario: each is reported, the errors first."""
    scenario = good_scenario()
    model = scenario.actors[0].model
    model.bodies[1].mass = -1.0
    model.bodies[2].inertia = (1, 1, 9, 0, 0, 0)
    model.bodies.append(Body("orphan", 1.0, BALL))
    model.joints[1].T1 = scaled(2.0)
    model.joints[3].parent = "plate"
    model.bodies[0].ellipsoids[0].material = "steel"
    scenario.actors[0].position = (NAN, 0, 0)
    scenario.actors[0].torque_pulses.append(TorquePulse("knee", (1, 0, 0), 0, 1))
    scenario.obstacles.append(Obstacle("wall", "torus"))
    scenario.settings = replace(scenario.settings, time_step=-1.0, integrator="magic", duration=NAN)
    text = [str(issue) for issue in validate(scenario)]
    for part in (
        "mass is -1",
        "triangle",
        "'orphan': no joint carries it",
        "T1 is not orthonormal",
        "cycle",
        "'steel'",
        "position",
        "'knee'",
        "'torus'",
        "time step is -1",
        "'magic'",
        "duration is nan",
    ):
        assert sum(part in line for line in text) == 1, (part, text)
    with pytest.raises(EngineError) as caught:
        compile_system(scenario)
    assert all(line in str(caught.value) for line in text if line.startswith("error"))


def test_a_cycle_is_reported_whatever_else_is_wrong():
    model = good_model()
    model.joints[1].parent = "plate"
    model.joints.append(Joint("second root", "free", None, "trunk"))
    text = " ".join(str(issue) for issue in validate(model))
    assert "several roots" in text and "cycle" in text and "several joints" in text


def test_warnings_do_not_stop_a_run():
    model = good_model()
    model.bodies[0].ellipsoids.clear()
    scenario = Scenario("fall", [Actor("man", model)], settings=Settings(ground=False))
    issues = validate(scenario)
    assert {issue.severity for issue in issues} == {"warning"} and len(issues) == 2
    system = compile_system(scenario)
    assert any("nothing can touch it" in line for line in system.warnings)
    assert any("nothing to fall on" in line for line in system.warnings)


def test_nothing_is_repaired():
    """Validation looks and does not touch."""
    scenario = good_scenario()
    scenario.actors[0].model.bodies[1].mass = -1.0
    scenario.actors[0].model.joints[2].axis = (0, 0, 2)
    before = repr(scenario)
    validate(scenario)
    assert repr(scenario) == before


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_products_of_inertia_have_the_stated_sign(sign):
    """A dumbbell of two 1 kg points along (1, 1, 0): integral of x y dm is +1, and it turns easily about that line."""
    from mannequin.engine.maths.inertia import inertia_matrix

    points = np.array([[0.5**0.5, sign * 0.5**0.5, 0.0], [-(0.5**0.5), -sign * 0.5**0.5, 0.0]])
    product = (points[:, 0] * points[:, 1]).sum()
    moments = ((points[:, 1] ** 2).sum(), (points[:, 0] ** 2).sum(), (points**2).sum())
    matrix = inertia_matrix((*moments, product, 0.0, 0.0))
    expected = sum(p @ p * np.eye(3) - np.outer(p, p) for p in points)
    assert matrix == pytest.approx(expected)
    assert matrix @ points[0] == pytest.approx(0.0, abs=1e-12)
