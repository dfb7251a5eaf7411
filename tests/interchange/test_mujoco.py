"""Models and scenarios written as MJCF, loaded by MuJoCo and compared with the engine and with closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine import Actor, Obstacle, Scenario, Settings, accelerations, compile_system, spec
from mannequin.engine.bodies.kinematics import forward_kinematics
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.bodies.virtual_power import mass_matrix
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.engine.spec.joint_types import AXIS, JOINT_TYPES, Motion
from mannequin.engine.spec.joint_types import BALL as BALL_MOTION
from mannequin.engine.spec.muscles import Excitation, Muscle, PathPoint, PathWrap, WrapSurface
from mannequin.interchange.hyfydy import read_hfd
from mannequin.interchange.mujoco import mjcf, write_mjcf
from mannequin.interchange.mujoco.write import of_model
from mannequin.interchange.opensim import read_osim
from mannequin.io_json.errors import FileError
from mannequin.io_json.model_json import read_model
from mannequin.models.editing.edit import set_joint_type
from mannequin.models.library import library_path, list_models

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
BALL = spec.Body("ball", 2.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))


def load(scenario: Scenario, **options):
    """(model, data at the start)."""
    text, _ = mjcf(scenario, **options)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def transform(rotation: Rotation, place) -> tuple:
    rows = np.eye(4)
    rows[:3, :3], rows[:3, 3] = rotation.as_matrix(), place
    return tuple(map(tuple, rows.tolist()))


def posed(name: str, seed: int) -> Actor:
    """A shipped model anywhere, in a random posture, moving."""
    rng = np.random.default_rng(seed)
    model = read_model(library_path(name))
    actor = Actor("a", model, position=(1, 2, 3), orientation=(20, -30, 40), velocity=(1, 2, 3))
    actor.angular_velocity = (0.3, -0.2, 0.5)
    for joint in model.joints:
        actor.joint_angles[joint.name] = tuple(rng.uniform(-40, 40, 3))
        actor.joint_velocities[joint.name] = tuple(rng.uniform(-2, 2, 3))
    return actor


def mechanism(seed: int) -> spec.Model:
    """Every joint type with random frames, axes, centres of mass and products of inertia; a fixed root."""
    rng = np.random.default_rng(seed)
    kinds = [
        "fixed",
        *rng.permutation(
            [name for name, kind in JOINT_TYPES.items() if not kind.is_free and not kind.by_functions]
        ),
        "revolute",
    ]
    kinds = [str(kind) for kind in kinds]
    bodies, joints = [], []
    for k, kind in enumerate(kinds):
        moments = rng.uniform(0.05, 0.08, 3)
        bodies.append(spec.Body(f"b{k}", rng.uniform(1, 3), (*moments, *rng.uniform(-0.01, 0.01, 3))))
        bodies[-1].center_of_mass = tuple(rng.normal(scale=0.1, size=3))
        axis = rng.normal(size=3)
        frames = [
            transform(Rotation.random(random_state=rng), rng.normal(scale=0.3, size=3)) for _ in range(2)
        ]
        parent = None if k == 0 else f"b{rng.integers(0, k)}"
        joints.append(spec.Joint(f"j{k}", kind, parent, f"b{k}", *frames, tuple(axis / np.linalg.norm(axis))))
    return spec.Model("m", bodies, joints)


def speeds_map(actor: Actor, system, model) -> np.ndarray:
    """(nv, nu): MuJoCo's speeds per ours. Ours turn in the child's joint frame, theirs in its body frame; ours move the
    joint centre of a free root, theirs the body's origin."""
    poses = actor_poses(actor)
    result = np.zeros((model.nv, len(system.u_start)))
    for i, (joint, motion) in enumerate(moving_joints(actor, system)):
        is_last = motion == joint.kind.motions[-1]
        name = f"{actor.name}/{joint.name}" + ("" if is_last else f"/{motion.axes[0]}")
        at, to = system.tree.u_address[i], int(model.joint(name).dofadr[0])
        T2 = np.array(joint.T2, dtype=float)
        if motion.group == AXIS:
            result[to, at] = 1.0
        elif motion.group == BALL_MOTION:
            result[to : to + 3, at : at + 3] = T2[:3, :3]
        else:
            world = poses[joint.child][:3, :3]
            lever = world @ -T2[:3, 3]
            result[to : to + 3, at : at + 3] = np.eye(3)
            for k in range(3):
                result[to : to + 3, at + 3 + k] = np.cross(world @ T2[:3, k], lever)
            result[to + 3 : to + 6, at + 3 : at + 6] = T2[:3, :3]
    return result


def moving_joints(actor: Actor, system) -> list[tuple[spec.Joint, Motion]]:
    by_child = {joint.child: joint for joint in actor.model.joints}
    children = dict.fromkeys(name.split("/", 1)[1] for name in system.moving_names)
    return [(by_child[child], motion) for child in children for motion in by_child[child].kind.motions]


@pytest.mark.parametrize(
    "make", [lambda: posed("male", 1), lambda: posed("bicycle", 2), lambda: posed("car", 3)]
)
def test_shipped_models_are_the_same_mechanism(make) -> None:
    check_mechanism(make())


@pytest.mark.parametrize("seed", range(4))
def test_any_mechanism_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = mechanism(seed)
    actor = Actor("a", model, position=(1, 2, 3), orientation=(20, -30, 40))
    for joint in model.joints:
        size = 60.0 if joint.kind.turns else 0.3
        actor.joint_angles[joint.name] = tuple(rng.uniform(-size, size, 3))
        actor.joint_velocities[joint.name] = tuple(rng.uniform(-2, 2, 3))
        if joint.kind.has_both:
            actor.joint_slides[joint.name] = tuple(rng.uniform(-0.3, 0.3, 3))
            actor.joint_slide_velocities[joint.name] = tuple(rng.uniform(-1, 1, 3))
    check_mechanism(actor)


def test_what_acts_on_sliding_is_the_same() -> None:
    """Straight springs, damping and motors of sliders: MuJoCo's accelerations at the start are ours."""
    springs = [spec.JointSpring(f"along_{a}", ((-1.0, 900.0), (1.0, -700.0)), 3.0) for a in "xyz"]
    slide = spec.JointSlide(damping=5.0, motor=spec.Motor(40.0, 2.0, target=(0.1, 0.2, 0.3)))
    bushing = spec.Joint("j", "bushing", None, "ball", springs=springs, slide=slide, damping=0.3)
    slider = spec.Joint("j", "prismatic", None, "ball", axis=(0.6, 0.0, 0.8), damping=7.0)
    slider.springs, slider.motor = [springs[0]], spec.Motor(30.0, 1.0, target=(0.2, 0, 0), max_torque=4.0)
    for joint in (bushing, slider):
        moving = {"joint_velocities": {"j": (1.0, 2.0, 3.0)}, "joint_angles": {"j": (0.1, 0.0, 0.0)}}
        if joint is bushing:
            moving |= {"joint_slides": {"j": (0.01, 0.02, 0.03)}, "joint_slide_velocities": {"j": (1, 2, 3)}}
        scenario = Scenario(
            "s", [Actor("a", spec.Model("m", [BALL], [joint]), **moving)], settings=Settings(ground=False)
        )
        _, data = load(scenario)
        np.testing.assert_allclose(data.qacc, accelerations(compile_system(scenario)), rtol=1e-9, atol=1e-9)


def check_mechanism(actor: Actor) -> None:
    """Poses, masses, inertias and the mass matrix."""
    scenario = Scenario("s", [actor], settings=Settings(ground=False))
    model, data = load(scenario, forces=False)
    poses = actor_poses(actor)
    for body in actor.model.bodies:
        there = data.body(f"a/{body.name}")
        pose = poses[body.name]
        np.testing.assert_allclose(there.xpos, pose[:3, 3], atol=1e-12)
        np.testing.assert_allclose(there.xmat.reshape(3, 3), pose[:3, :3], atol=1e-12)
        assert model.body(f"a/{body.name}").mass[0] == body.mass
        xx, yy, zz, xy, yz, xz = (float(value) for value in body.inertia)
        ours = np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
        axes = there.ximat.reshape(3, 3)
        theirs = axes @ np.diag(model.body(f"a/{body.name}").inertia) @ axes.T
        np.testing.assert_allclose(theirs, pose[:3, :3] @ ours @ pose[:3, :3].T, rtol=1e-9, atol=1e-12)
    system = compile_system(scenario)
    workspace = new_workspace(system.tree)
    forward_kinematics(system.tree, system.q_start, system.u_start, workspace)
    whole = np.zeros((model.nv, model.nv))
    for column, unit in zip(whole, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    to_theirs = speeds_map(actor, system, model)
    ours = mass_matrix(system.tree, workspace)
    np.testing.assert_allclose(to_theirs.T @ whole @ to_theirs, ours, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(data.qvel, to_theirs @ system.u_start, atol=1e-12)


# ---------------------------------------------------------------- forces


def hinge(**fields) -> spec.Model:
    """A ball on a hinge about y, half a metre from the origin."""
    T2 = transform(Rotation.identity(), (0, 0, 0.5))
    joint = spec.Joint("hinge", "revolute", None, "ball", T2=T2, axis=(0, 1, 0), damping=0.0)
    return spec.Model("m", [BALL], [replace(joint, **fields)])


def test_motor_of_a_hinge() -> None:
    motor = spec.Motor(
        50, 3, target=(30, 0, 0), target_velocity=(2, 0, 0), base_torque=(4, 0, 0), max_torque=30
    )
    actor = Actor("a", hinge(motor=motor), joint_angles={"hinge": (10, 0, 0)}, tone=0.5)
    actor.joint_velocities = {"hinge": (0.7, 0, 0)}
    _, data = load(Scenario("s", [actor]))
    expected = 0.5 * (4 + 50 * np.radians(20) + 3 * (2 - 0.7))
    assert data.qfrc_actuator[0] == pytest.approx(expected, rel=1e-12)
    actor.joint_angles = {"hinge": (-80, 0, 0)}
    assert load(Scenario("s", [actor]))[1].qfrc_actuator[0] == pytest.approx(30, rel=1e-12)  # capped


def test_motor_of_a_ball_joint() -> None:
    """At zero the turn to the target is the target's own rotation vector, in the joint's axes."""
    target = (10, 20, 30)
    turned = transform(Rotation.from_euler("ZYX", [40, 50, 60], degrees=True), (0, 0, 0.5))
    model = hinge(type="spherical", T2=turned, motor=spec.Motor(50, 3, target=target, base_torque=(1, 2, 3)))
    scenario = Scenario("s", [Actor("a", model)])
    _, data = load(scenario)
    torque = 50 * Rotation.from_euler("ZYX", target, degrees=True).as_rotvec() + [1, 2, 3]
    np.testing.assert_allclose(data.qfrc_actuator, np.array(turned)[:3, :3] @ torque, atol=1e-12)


def test_limits_friction_and_springs_of_a_hinge() -> None:
    limits = spec.AxisLimits((-30, 0, 0), (60, 0, 0))
    spring = spec.JointSpring("z", ((-720.0, 5 * np.radians(740)), (720.0, -5 * np.radians(700))), 0.25)
    model = hinge(limits=limits, friction=spec.JointFriction(1.5), springs=[spring], damping=0.5)
    actor = Actor("a", model, joint_angles={"hinge": (50, 0, 0)}, joint_velocities={"hinge": (2, 0, 0)})
    loaded, data = load(Scenario("s", [actor]))
    np.testing.assert_allclose(loaded.jnt_range[0], np.radians([-30, 60]))
    assert loaded.dof_frictionloss[0] == 1.5
    assert data.qfrc_passive[0] == pytest.approx(-5 * np.radians(50 - 20) - 0.75 * 2, rel=1e-9)


@pytest.mark.parametrize(
    ("rest", "tension_only", "force"), [(0.6, False, 1), (2.0, False, 1), (2.0, True, 0), (0.6, True, 1)]
)
def test_springs(rest: float, tension_only: bool, force: int) -> None:
    """A free ball on a spring: the force is k (length - rest) along it; one that only pulls does not push."""
    model = spec.Model("m", [BALL], [spec.Joint("root", "free", None, "ball")])
    start, end = spec.Point((0.0, 0.0, 1.5)), spec.Point((0.1, 0.0, 0.0), "ball")
    model.springs = [spec.SpringDamper("s", start, end, 100.0, 5.0, rest, tension_only)]
    actor = Actor("a", model, position=(0.2, 0.3, 0.4), velocity=(0, 0, 1))
    _, data = load(Scenario("s", [actor], settings=Settings(ground=False)))
    along = np.array([0.0, 0.0, 1.5]) - [0.3, 0.3, 0.4]
    length = np.linalg.norm(along)
    assert data.ten_length[0] == pytest.approx(length, rel=1e-12)
    rate = -along[2] / length
    expected = (force * 100 * (length - rest) + 5 * rate) * along / length
    np.testing.assert_allclose(data.qfrc_passive[:3], expected, atol=1e-9)


def test_belts_welds_and_couplers() -> None:
    """A belt's tension is EA times its strain; a coupler holds the angle of one hinge to another's."""
    base = replace(BALL, name="base")
    second = spec.Joint("second", "revolute", "base", "ball", axis=(0, 1, 0))
    joint = spec.Joint("first", "revolute", None, "base", axis=(0, 1, 0))
    model = spec.Model("m", [base, BALL], [joint, second])
    points = [spec.Point((0.0, 0.0, 1.0)), spec.Point((0.1, 0.0, 0.0), "base"), spec.Point((0.0, 1.0, 0.0))]
    model.belts = [spec.Belt("b", points, [False, True, False], 1000.0, 10.0, 0.02)]
    model.welds = [spec.Weld("w", spec.Point((0, 0, 1), "ball"), spec.Point((0, 0, 1)))]
    model.couplers = [spec.Coupler("c", "first", "second", ratio=2.0, offset=5.0)]
    loaded, data = load(Scenario("s", [Actor("a", model)]))
    length = np.linalg.norm([0.1, 0, -1]) + np.linalg.norm([0.1, -1, 0])
    assert data.ten_length[0] == pytest.approx(length)
    assert loaded.tendon_lengthspring[0] == pytest.approx([0, length + 0.02])
    assert loaded.tendon_stiffness[0] * (length + 0.02) == pytest.approx(1000)
    np.testing.assert_allclose(loaded.eq("a/c").data[:2], [np.radians(5), 2])
    assert loaded.neq == 2


def test_self_contact_leaves_out_neighbours() -> None:
    model = read_model(library_path("male"))
    scenario = Scenario("s", [Actor("a", model)], settings=Settings(ground=False, self_contact=True))
    loaded, _ = load(scenario)
    parents = {joint.child: joint.parent for joint in model.joints}
    near = {frozenset((c, p)) for c, p in parents.items() if p}
    near |= {frozenset((c, parents[p])) for c, p in parents.items() if p and parents.get(p)}
    near |= {
        frozenset((a, b)) for a, p in parents.items() for b, q in parents.items() if a != b and p and p == q
    }
    assert loaded.nexclude == len(near | {frozenset(pair) for pair in model.contact_exclude})


def test_a_pair_that_never_touches_does_not_though_it_is_named_as_one_that_does() -> None:
    """As in the engine, where what is left out counts last."""
    names = ("one", "two", "three")
    joints = [
        spec.Joint(name, "revolute", parent, name)
        for parent, name in zip((None, "one", "two"), names, strict=True)
    ]
    model = spec.Model("m", [replace(BALL, name=name) for name in names], joints)
    model.contact_include = [("one", "two"), ("two", "three")]
    model.contact_exclude = [("two", "one")]
    actor = Actor("a", model)
    loaded, _ = load(Scenario("s", [actor], settings=Settings(self_contact=True, exclusion_hops=1)))
    assert loaded.nexclude == 1
    assert sorted(loaded.exclude_signature.view(np.uint16)[:2]) == sorted(
        loaded.body(f"a/{name}").id for name in ("one", "two")
    )


# ---------------------------------------------------------------- muscles


def muscle_model(surface: WrapSurface | None, wrap: PathWrap | None, height: float = 0.3) -> spec.Model:
    """A muscle from the base to a ball above it, over a surface on the base."""
    base = replace(BALL, name="base")
    joints = [spec.Joint("fix", "fixed", None, "base"), spec.Joint("second", "revolute", "base", "ball")]
    model = spec.Model("m", [base, BALL], joints)
    path = (PathPoint("base", (-0.4, 0.01, 0.0)), PathPoint("ball", (0.4, 0.01, height - 0.3)))
    model.muscles = [Muscle("m", path, 500.0, 0.3, 0.5, 0.0, wraps=(wrap,) if wrap else ())]
    model.wrap_surfaces = [surface] if surface else []
    return model


@pytest.mark.parametrize("shape", ["sphere", "cylinder"])
@pytest.mark.parametrize("side", [None, (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)])
def test_wrapped_path(shape: str, side) -> None:
    """Over a circle in the plane: two tangents and an arc, on the shorter side or on the one asked for."""
    surface = WrapSurface("w", "base", shape, radius=0.1)
    _, data = load(of_model(muscle_model(surface, PathWrap("w", None, side))))
    distance = np.hypot(0.4, 0.01)
    tangent = np.sqrt(distance**2 - 0.1**2)
    turn = 2 * np.arctan2(0.4, 0.01)  # angle between the ends seen from the centre, on the side of y > 0
    if side is not None and side[1] < 0:
        turn = 2 * np.pi - turn
    arc = 0.1 * (turn - 2 * np.arccos(0.1 / distance))
    assert data.ten_length[0] == pytest.approx(2 * tangent + arc, rel=1e-9)


def test_muscle_constants() -> None:
    """At optimal fibre length, fully active and at rest, it pulls with its greatest force."""
    loaded, data = load(of_model(muscle_model(None, None)))
    assert data.ten_length[0] == pytest.approx(0.8, rel=1e-3)  # slack 0.5 + optimal 0.3
    data.act[:] = 1.0
    mujoco.mj_forward(loaded, data)
    assert data.actuator_force[0] == pytest.approx(-500, rel=1e-3)


def test_an_actuator_along_a_path() -> None:
    """Its tone times its force, along the path: the virtual power of MuJoCo's forces is -F dL/dt."""
    model = muscle_model(None, None)
    model.muscles = [
        replace(
            m,
            form="actuator",
            tendon="rigid",
            tendon_slack_length=0.0,
            damping=0.0,
            excitation=Excitation(0.4),
        )
        for m in model.muscles
    ]
    loaded, data = load(of_model(model))
    data.qvel[:] = 5.0
    mujoco.mj_forward(loaded, data)
    assert abs(data.ten_velocity[0]) > 0.01
    assert data.qfrc_actuator @ data.qvel == pytest.approx(-0.4 * 500.0 * data.ten_velocity[0])


# ---------------------------------------------------------------- whole scenarios


def test_models_of_other_programs_load(everything) -> None:
    """A Hyfydy file with every component, and an OpenSim file with every part: from theirs, through ours, to MuJoCo.
    The elbow, which slides as it bends, is no joint of MuJoCo's: it is refused by name until it is made a hinge."""
    arm = read_osim(everything.parent / "arm.osim")
    with pytest.raises(FileError, match="'elbow' is custom"):
        mjcf(arm.as_scenario()[0])
    set_joint_type(arm.actor.model, "forearm", "revolute", (0, 0, 1))
    for imported, parts in (
        (read_hfd(everything), ("motor", "stiffness is MuJoCo's own", "MuJoCo's own curves", "soft")),
        (arm, ("range of motion", "MuJoCo's own curves", "without ends")),
    ):
        scenario, _ = imported.as_scenario()
        text, findings = mjcf(scenario)
        mujoco.MjModel.from_xml_string(text)
        reported = "\n".join(map(str, findings))
        assert [part for part in parts if part not in reported] == []


@pytest.mark.parametrize("name", list_models())
def test_shipped_models_load(name: str, tmp_path) -> None:
    path = tmp_path / "m.xml"
    write_mjcf(read_model(library_path(name)), path)
    assert mujoco.MjModel.from_xml_path(str(path)).nbody > 1


def test_surroundings() -> None:
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    obstacles = [
        Obstacle("wall", "plane", (1, 0, 0), (0, -90, 0)),
        Obstacle("step", "box", (0, 0, 0.1), (30, 0, 0), (0.2, 0.3, 0.1)),
        Obstacle("rail", "capsule", (0, 0, 1), (0, 90, 0), (0.05, 0.05, 0.5)),
        Obstacle("wedge", "mesh", vertices=corner, triangles=faces),
    ]
    model = spec.Model("m & <\"'>", [BALL], [spec.Joint("root", "free", None, "ball")])
    loaded, data = load(Scenario("s", [Actor(model.name, model, position=(0, 0, 3))], obstacles))
    normal = data.geom("wall").xmat.reshape(3, 3)[:, 2]
    np.testing.assert_allclose(normal, [-1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(loaded.geom("step").size, [0.2, 0.3, 0.1])
    np.testing.assert_allclose(data.geom("rail").xmat.reshape(3, 3)[:, 2], [1, 0, 0], atol=1e-15)
    assert loaded.nmesh == 1
    assert data.body(f"{model.name}/ball").xpos[2] == 3


def test_actors_touch_each_other_and_not_themselves() -> None:
    """Two models of two overlapping balls each: four pairs of one with the other, none within."""
    twin = spec.Body("twin", 1.0, (0.1, 0.1, 0.1, 0, 0, 0), ellipsoids=[spec.Ellipsoid("e", (0.1, 0.1, 0.1))])
    bodies = [replace(BALL, ellipsoids=[spec.Ellipsoid("e", (0.1, 0.1, 0.1))]), twin]
    model = spec.Model(
        "m", bodies, [spec.Joint("r", "free", None, "ball"), spec.Joint("j", "spherical", "ball", "twin")]
    )
    actors = [Actor("a", model, position=(0, 0, 1)), Actor("b", model, position=(0.1, 0, 1))]
    _, data = load(Scenario("s", actors, settings=Settings(ground=False)))
    assert data.ncon == 4


def test_ball_joints_as_three_hinges() -> None:
    """The same mass matrix along the motion, poses and velocities at the start; each hinge has its range, and MuJoCo
    pushes back past it."""
    limits = spec.AxisLimits((-10.0, -60.0, -20.0), (35.0, 30.0, 20.0))
    frames = [
        transform(Rotation.from_rotvec(turn), (0.1, 0.2, 0.3)) for turn in ((0.3, 0.2, 0.1), (-0.2, 0.5, 0.4))
    ]
    body = replace(BALL, center_of_mass=(0.0, 0.1, -0.2), inertia=(0.1, 0.12, 0.08, 0.01, 0.0, 0.02))
    model = spec.Model(
        "m", [body], [spec.Joint("hip", "spherical", None, "ball", *frames, damping=0.0, limits=limits)]
    )
    actor = Actor(
        "a", model, joint_angles={"hip": (20.0, -40.0, 15.0)}, joint_velocities={"hip": (1.0, -2.0, 3.0)}
    )
    scenario = Scenario("s", [actor], settings=Settings(ground=False))
    ball, as_ball = load(scenario)
    hinges, as_hinges = load(scenario, ball_hinges=True)
    assert [hinges.joint(name).range.tolist() for name in ("a/hip/z", "a/hip/y", "a/hip")] == [
        pytest.approx(np.radians(pair)) for pair in ((-10, 35), (-60, 30), (-20, 20))
    ]
    assert as_hinges.body("a/ball").xmat == pytest.approx(as_ball.body("a/ball").xmat, abs=1e-12)
    assert as_hinges.body("a/ball").xpos == pytest.approx(as_ball.body("a/ball").xpos, abs=1e-12)
    assert as_hinges.body("a/ball").cvel == pytest.approx(as_ball.body("a/ball").cvel, abs=1e-12)
    assert as_hinges.energy == pytest.approx(as_ball.energy)
    np.testing.assert_allclose(as_hinges.qfrc_constraint, 0.0)
    bent = replace(actor, joint_angles={"hip": (20.0, 50.0, 15.0)}, joint_velocities={})
    past, data = load(replace(scenario, actors=[bent]), ball_hinges=True)
    assert data.qfrc_constraint[int(past.joint("a/hip/y").dofadr[0])] < -1.0
    assert load(replace(scenario, actors=[bent]))[1].qfrc_constraint.tolist() == [0.0, 0.0, 0.0]
    _, findings = mjcf(scenario, ball_hinges=True)
    assert any("three hinges" in str(finding) for finding in findings)
