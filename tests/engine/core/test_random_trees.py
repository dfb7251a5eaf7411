"""Random trees of mixed joints: the laws that hold for every one of them."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mechanisms import energies, free_space, momenta, scenario_of, shifted, world_inertias
from scipy.spatial.transform import Rotation

from mannequin.engine import (
    AxisLimits,
    Body,
    Joint,
    JointBreak,
    JointFriction,
    JointFunction,
    JointSlide,
    JointSpring,
    Mechanics,
    Model,
    Scenario,
    SlideLimits,
    accelerations,
    compile_system,
    run,
)
from mannequin.engine.bodies.coordinates import displaced
from mannequin.engine.bodies.courses import joint_course
from mannequin.engine.bodies.kinematics import forward_kinematics
from mannequin.engine.bodies.newton_euler import inverse_dynamics
from mannequin.engine.bodies.posture import actor_poses, course_coordinates
from mannequin.engine.bodies.tree import actor_transform, motion_axis
from mannequin.engine.bodies.virtual_power import mass_matrix
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.engine.spec.joint_types import AXIS, CURVE, JOINT_TYPES

GRAVITY = (0.3, -0.4, -9.81)
FEW = settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def random_body(name: str, rng: np.random.Generator) -> Body:
    """Made of eight random points, so that its inertia is one that a rigid body can have."""
    points = rng.normal(scale=0.15, size=(8, 3))
    masses = rng.uniform(0.05, 1.0, 8)
    centre = masses @ points / masses.sum()
    arms = points - centre
    products = (masses[:, None, None] * arms[:, :, None] * arms[:, None, :]).sum(0)
    moments = np.trace(products) - np.diag(products)
    inertia = (*moments, products[0, 1], products[1, 2], products[0, 2])
    return Body(
        name, float(masses.sum()), tuple(map(float, inertia)), center_of_mass=tuple(map(float, centre))
    )


def random_functions(rng: np.random.Generator) -> list[JointFunction]:
    """One to three turns and up to three shifts by polynomials and splines of one to four coordinates, some of which
    drive several of them. The first function of a coordinate never stands still, so that the mass matrix is regular."""
    functions: list[JointFunction] = []
    names = [f"c{k}" for k in range(rng.integers(1, 4))]
    frame = Rotation.random(random_state=rng).as_matrix()
    for k in range(3):
        direction = tuple(frame[k])
        steady = ((0.0, float(rng.normal())), (1.0, 1.0))
        if k < len(names):
            functions.append(JointFunction("turn", direction, names[k], terms=steady))
            bent = tuple(enumerate(map(float, rng.normal(scale=0.1, size=4))))
            functions.append(JointFunction("shift", direction, str(rng.choice(names)), terms=bent))
        elif rng.random() < 0.5:
            functions.append(JointFunction("shift", direction, "way", terms=steady))
        else:
            x = np.linspace(-3.0, 3.0, 7)
            points = tuple(zip(x.tolist(), rng.normal(scale=0.1, size=7).tolist(), strict=True))
            functions.append(JointFunction("turn", direction, names[0], points=points))
    return functions


ROOTS = tuple(JOINT_TYPES)
LIMBS = tuple(name for name, kind in JOINT_TYPES.items() if not kind.is_free)


@st.composite
def scenarios(draw, roots=ROOTS) -> Scenario:
    """A tree of one to nine bodies in a random state. The tree's shape is drawn; its numbers follow from a seed."""
    kinds = [draw(st.sampled_from(roots))]
    kinds += draw(st.lists(st.sampled_from(LIMBS), max_size=8))
    parents = [draw(st.integers(0, max(0, k - 1))) for k in range(1, len(kinds))]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order = rng.permutation(len(kinds))  # bodies stand in the list in any order
    bodies = [random_body(f"body {k}", rng) for k in range(len(kinds))]
    joints, angles, rates, slides, slide_rates = [], {}, {}, {}, {}
    for k, kind in enumerate(kinds):
        axis = rng.normal(size=3)
        T1, T2 = (
            shifted(*rng.normal(scale=0.3, size=3), Rotation.random(random_state=rng).as_matrix())
            for _ in range(2)
        )
        parent = f"body {parents[k - 1]}" if k else None
        axis = tuple(map(float, axis / np.linalg.norm(axis)))
        joints.append(Joint(f"joint {k}", kind, parent, f"body {k}", T1=T1, T2=T2, axis=axis))
        if joints[-1].type == "custom":
            joints[-1].functions = random_functions(rng)
            joints[-1].ellipsoid = (0.1, 0.2, 0.3) if rng.random() < 0.3 else None
        name, type_ = f"joint {k}", joints[-1].kind
        if type_.moves:
            angles[name] = tuple(
                rng.uniform(-170, 170, 3) if type_.turns or type_.is_free else rng.normal(size=3)
            )
            rates[name] = tuple(rng.normal(scale=3.0, size=3))
        if type_.has_both:
            slides[name], slide_rates[name] = tuple(rng.normal(scale=0.3, size=3)), tuple(rng.normal(size=3))
    model = Model("tree", [bodies[k] for k in order], [joints[k] for k in rng.permutation(len(kinds))])
    return scenario_of(
        model,
        free_space(
            gravity=GRAVITY, duration=0.02, output_step=1e-3, time_step=1e-3, integrator="runge_kutta_4"
        ),
        position=tuple(rng.normal(size=3)),
        orientation=tuple(rng.uniform(-170, 170, 3)),
        velocity=tuple(rng.normal(size=3)),
        angular_velocity=tuple(rng.normal(scale=3.0, size=3)),
        joint_angles=angles,
        joint_velocities=rates,
        joint_slides=slides,
        joint_slide_velocities=slide_rates,
    )


def joint_rotation_of(recording, frame, joint):
    """(3, 3) rotation of a joint from its rotation vector."""
    return Rotation.from_rotvec(recording.joint_angle[frame, joint]).as_matrix()


def pose(system, q, u):
    w = new_workspace(system.tree)
    forward_kinematics(system.tree, q, u, w)
    return w


@FEW
@given(scenarios())
def test_mass_matrix_is_symmetric_positive_definite_and_gives_the_kinetic_energy(scenario):
    system = compile_system(scenario)
    M = mass_matrix(system.tree, pose(system, system.q_start, system.u_start))
    assert np.abs(M - M.T).max(initial=0.0) <= 1e-12 * np.abs(M).max(initial=1.0)
    assert (np.linalg.eigvalsh(M) > 0.0).all()
    kinetic, _ = energies(scenario, run(scenario))
    assert abs(0.5 * system.u_start @ M @ system.u_start - kinetic[0]) <= 1e-10 * max(1.0, kinetic[0])


@FEW
@given(scenarios())
def test_equation_of_motion(scenario):
    """M u_dot = Q, and inverse dynamics finds no joint force in the passive motion."""
    system = compile_system(scenario)
    q, u, tree = system.q_start, system.u_start, system.tree
    M = mass_matrix(tree, pose(system, q, u))
    u_dot = accelerations(system)
    bias = inverse_dynamics(tree, q, u, np.zeros_like(u), GRAVITY)
    scale = (np.abs(M) @ np.abs(u_dot) + np.abs(bias)).max(initial=1e-9)
    assert np.abs(M @ u_dot + bias).max(initial=0.0) < 1e-10 * scale
    assert np.abs(inverse_dynamics(tree, q, u, u_dot, GRAVITY)).max(initial=0.0) < 1e-10 * scale
    # any other acceleration needs the forces that M says
    other = np.random.default_rng(len(u)).normal(size=len(u))
    needed = inverse_dynamics(tree, q, u, u_dot + other, GRAVITY)
    assert np.abs(needed - M @ other).max(initial=0.0) < 1e-10 * max(scale, np.abs(needed).max(initial=0.0))


@FEW
@given(scenarios())
def test_mechanics_are_those_of_their_definitions(scenario):
    """Mass matrix and inverse dynamics against virtual power and Newton-Euler, in the start and in another state."""
    system = compile_system(scenario)
    mechanics, rng = Mechanics(system), np.random.default_rng(7)
    for u in (system.u_start, rng.normal(size=len(system.u_start))):
        q, u_dot = system.q_start, rng.normal(size=len(u))
        M = mass_matrix(system.tree, pose(system, q, u))
        assert np.abs(mechanics.mass_matrix(q) - M).max(initial=0.0) <= 1e-12 * np.abs(M).max(initial=1.0)
        needed = inverse_dynamics(system.tree, q, u, u_dot, GRAVITY)
        found = mechanics.inverse_dynamics(u_dot, q, u)
        assert np.abs(found - needed).max(initial=0.0) <= 1e-11 * np.abs(needed).max(initial=1.0)


@FEW
@given(scenarios())
def test_mechanics_give_poses_and_velocities_of_the_run(scenario):
    """Poses at the start are the first frame's, and Jacobians give the velocities of points of bodies there."""
    system, recording = compile_system(scenario), run(scenario)
    mechanics, point = Mechanics(system), np.array([0.1, -0.2, 0.3])
    origins, rotations = mechanics.poses()
    for b in range(len(system.body_names)):
        assert np.abs(origins[b] - recording.origin(b)[0]).max() < 1e-12
        assert np.abs(rotations[b] - recording.rotation(b)[0]).max() < 1e-12
        J = mechanics.jacobian(b, point)
        omega = recording.angular_velocity[0, b]
        arm = origins[b] + rotations[b] @ point - recording.position[0, b]
        velocity = recording.velocity[0, b] + np.cross(omega, arm)
        size = 1.0 + np.abs(velocity).max() + np.abs(omega).max()
        assert np.abs(J[:3] @ system.u_start - velocity).max() < 1e-11 * size
        assert np.abs(J[3:] @ system.u_start - omega).max() < 1e-11 * size


@FEW
@given(scenarios(roots=("free",)))
def test_momentum_rates_in_free_flight(scenario):
    """Only gravity acts from outside: total force is the weight, total moment about the common centre is zero."""
    recording = run(scenario)
    mass = recording.body_mass[:, None]
    inertia, omega = world_inertias(scenario, recording), recording.angular_velocity
    forces = mass * recording.acceleration
    spin = np.einsum("fbij,fbj->fbi", inertia, recording.angular_acceleration)
    spin += np.cross(omega, np.einsum("fbij,fbj->fbi", inertia, omega))
    centre = (mass * recording.position).sum(1, keepdims=True) / mass.sum()
    moments = (np.cross(recording.position - centre, forces) + spin).sum(1)
    size = np.abs(forces).max() + np.abs(spin).max()
    assert np.abs(forces.sum(1) - mass.sum() * np.array(GRAVITY)).max() < 1e-10 * size
    assert np.abs(moments).max() < 1e-10 * size
    linear, angular = momenta(scenario, recording)
    fall = mass.sum() * np.outer(recording.times, GRAVITY)
    assert np.abs(linear - linear[0] - fall).max() < 1e-5 * max(1.0, np.abs(linear).max())
    assert np.abs(angular - angular[0]).max() < 1e-5 * max(1.0, np.abs(angular).max())


@FEW
@given(scenarios())
def test_energy_rate_is_zero_without_joint_forces(scenario):
    """Power of gravity is the rate of the kinetic energy, at the instant: sum of m a.v and of the spin's power."""
    recording = run(scenario)
    mass = recording.body_mass[:, None]
    inertia, omega = world_inertias(scenario, recording), recording.angular_velocity
    power = (mass * recording.acceleration * recording.velocity).sum((1, 2))
    power += np.einsum("fbi,fbij,fbj->f", omega, inertia, recording.angular_acceleration)
    gravity = (mass * recording.velocity @ np.array(GRAVITY)[:, None]).sum((1, 2))
    size = (mass * np.abs(recording.acceleration * recording.velocity)).sum((1, 2)).max(initial=1.0)
    assert np.abs(power - gravity).max() < 1e-10 * size


@FEW
@given(scenarios())
def test_reactions_balance_and_do_no_work(scenario):
    """Each body is moved by its reaction, its children's reactions and its weight; passive joints carry no moment
    about an axis that turns."""
    recording = run(scenario)
    actor = scenario.actors[0]
    model = actor.model
    index = {name: i for i, name in enumerate(recording.body_names)}
    joints = {joint.child: joint for joint in model.joints}
    mass = recording.body_mass[:, None]
    inertia, omega = world_inertias(scenario, recording), recording.angular_velocity
    force = mass * (recording.acceleration - np.array(GRAVITY))
    moment = np.einsum("fbij,fbj->fbi", inertia, recording.angular_acceleration)
    moment += np.cross(omega, np.einsum("fbij,fbj->fbi", inertia, omega))
    size = np.abs(recording.reaction_force).max() + np.abs(recording.reaction_moment).max() + 1.0
    for name, b in index.items():
        joint = joints[name]
        T2 = np.array(joint.T2)
        centre = recording.origin(b) + recording.rotation(b) @ T2[:3, 3]
        F, N = recording.reaction_force[:, b], recording.reaction_moment[:, b]
        force[:, b] -= F
        moment[:, b] -= N + np.cross(centre - recording.position[:, b], F)
        if joint.parent is not None:
            p = index[joint.parent]
            force[:, p] += F
            moment[:, p] += N + np.cross(centre - recording.position[:, p], F)
        if joint.type == "free":
            assert np.abs(F).max() < 1e-10 * size
        if joint.kind.is_free or joint.kind.is_ball:
            assert np.abs(N).max() < 1e-10 * size
        frames = recording.rotation(b) @ T2[:3, :3]
        turn = np.array([joint_rotation_of(recording, f, b) for f in range(recording.frames)])
        for motion in joint.kind.motions:
            if motion.group == AXIS:
                # about y of a universal joint the parent's frame counts: it is carried by no turn before it
                axis = motion_axis(joint, motion)
                carried = turn.swapaxes(-1, -2) @ axis if motion.slides or motion.letter == "y" else axis
                world = np.einsum("fij,fj->fi", frames, np.broadcast_to(carried, (recording.frames, 3)))
                assert np.abs(((N if motion.turns else F) * world).sum(-1)).max() < 1e-10 * size
        if joint.kind.by_functions:
            is_root = joint.parent is None
            base = actor_transform(actor)[:3, :3] if is_root else recording.rotation(index[joint.parent])[0]
            for turning, shifting in coordinate_motions(joint, actor):
                frame = base @ np.array(joint.T1)[:3, :3]
                power = N[0] @ (frame @ turning) + F[0] @ (frame @ shifting)
                assert abs(power) < 1e-7 * size
    assert np.abs(force).max() < 1e-10 * size
    assert np.abs(moment).max() < 1e-10 * size


def coordinate_motions(joint, actor):
    """(angular, linear) motion in T1 per unit of each coordinate at the start, by central differences of the pose."""
    zero = (0.0, 0.0, 0.0)
    at = course_coordinates(
        joint, actor.joint_angles.get(joint.name, zero), actor.joint_slides.get(joint.name, zero)
    )
    step = 1e-5
    for name in at:
        (R1, p1), (R2, p2) = (joint_course(joint, at | {name: at[name] + s * step}) for s in (-1.0, 1.0))
        yield Rotation.from_matrix(R2 @ R1.T).as_rotvec() / (2 * step), (p2 - p1) / (2 * step)


def slide_axes(joint):
    return [motion_axis(joint, motion) for motion in joint.kind.motions if motion.slides]


@FEW
@given(scenarios())
def test_bodies_meet_in_their_joints(scenario):
    """T_child = T_parent T1 (slide, R) T2^-1, with slide and R as recorded; a hinge keeps its axis."""
    recording = run(scenario)
    index = {name: i for i, name in enumerate(recording.body_names)}
    for joint in scenario.actors[0].model.joints:
        if joint.parent is None:
            continue
        p, c = index[joint.parent], index[joint.child]
        T1, T2 = np.array(joint.T1), np.array(joint.T2)
        near = recording.origin(p) + recording.rotation(p) @ T1[:3, 3]
        far = recording.origin(c) + recording.rotation(c) @ T2[:3, 3]
        first, second = recording.rotation(p) @ T1[:3, :3], recording.rotation(c) @ T2[:3, :3]
        slid = np.einsum("fij,fj->fi", first, recording.joint_slide[:, c])
        assert np.abs(near + slid - far).max() < 1e-12
        turn = np.array([joint_rotation_of(recording, f, c) for f in range(recording.frames)])
        assert np.abs(first @ turn - second).max() < 1e-12
        if joint.kind.by_functions:
            continue
        if not joint.kind.slides:
            assert not recording.joint_slide[:, c].any()
        elif not joint.kind.is_ball:
            away = np.eye(3) - sum(np.outer(a, a) for a in slide_axes(joint))
            assert np.abs(recording.joint_slide[:, c] @ away).max() < 1e-12
        if joint.kind.has_axis:
            assert np.abs(first @ joint.axis - second @ joint.axis).max() < 1e-12
        if joint.type == "universal":  # y of the parent stays across x of the child
            assert np.abs((first[:, :, 1] * second[:, :, 0]).sum(-1)).max() < 1e-12


@FEW
@given(scenarios(), st.integers(0, 10**6))
def test_velocities_are_the_rates_of_poses(scenario, seed):
    """Speeds u move the coordinates by `displaced`; positions of all moving bodies then move by their velocities."""
    system = compile_system(scenario)
    q = system.q_start
    u = np.random.default_rng(seed).normal(size=len(system.u_start))
    h = 1e-6
    ahead, behind = q.copy(), q.copy()
    displaced(system.tree, q, h * u, ahead)
    displaced(system.tree, q, -h * u, behind)
    now, later, earlier = (pose(system, state, u) for state in (q, ahead, behind))
    # between the coordinates of a joint by functions there are only steps of the sum, no bodies
    real = np.append((system.tree.group != CURVE) | (system.tree.mass > 0.0), True)
    rate = (later.position - earlier.position) / (2 * h)
    assert np.abs(rate - now.velocity)[real].max() < 1e-7
    turn = (later.rotation - earlier.rotation).reshape(-1, 3, 3) / (2 * h)
    skew = turn @ np.swapaxes(now.rotation.reshape(-1, 3, 3), -1, -2)
    omega = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], -1)
    assert np.abs(omega - now.omega)[real].max() < 1e-7


@FEW
@given(scenarios())
def test_postures_on_specs_are_those_of_the_engine(scenario):
    """`actor_poses` puts every body where the run starts."""
    recording = run(scenario)
    for name, pose_ in actor_poses(scenario.actors[0]).items():
        b = recording.body_names.index(name)
        assert np.abs(recording.origin(b)[0] - pose_[:3, 3]).max() < 1e-12
        assert np.abs(recording.rotation(b)[0] - pose_[:3, :3]).max() < 1e-12


@FEW
@given(scenarios())
def test_slides_change_by_their_rates(scenario):
    """Recorded rates of sliding and turning are those of the recorded slides and turns, by central differences."""
    scenario.settings.output_step = scenario.settings.time_step = 1e-4
    scenario.settings.duration = 1e-3
    recording = run(scenario)
    step = 2e-4
    rate = (recording.joint_slide[2:] - recording.joint_slide[:-2]) / step
    size = 1.0 + np.abs(recording.acceleration).max() ** 1.5
    assert np.abs(rate - recording.joint_slide_rate[1:-1]).max() < 1e-6 * size


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(scenarios(roots=("free",)))
def test_momentum_and_energy_are_kept_in_free_flight(scenario):
    """Without gravity, over 20 ms in steps of 50 us with Runge-Kutta 4: momentum, its moment and energy to 1e-9."""
    scenario.settings.gravity = (0.0, 0.0, 0.0)
    scenario.settings.time_step = 5e-5
    recording = run(scenario)
    linear, angular = momenta(scenario, recording)
    kinetic, _ = energies(scenario, recording)
    assert np.abs(linear - linear[0]).max() < 1e-9 * max(1.0, np.abs(linear).max())
    assert np.abs(angular - angular[0]).max() < 1e-9 * max(1.0, np.abs(angular).max())
    assert np.abs(kinetic - kinetic[0]).max() < 1e-9 * kinetic[0]
    assert np.abs(recording.energy[:, -1]).max() < 1e-9 * kinetic[0]


def resisting(scenario: Scenario, seed: int) -> Scenario:
    """The tree with something of every kind acting in each of its joints."""
    rng = np.random.default_rng(seed)
    for joint in scenario.actors[0].model.joints:
        kind = joint.kind
        if not kind.resists:
            continue
        joint.damping, joint.friction = float(rng.uniform(0, 0.3)), JointFriction(float(rng.uniform(0, 0.5)))
        for axis in kind.axes:
            stiff = float(rng.uniform(1.0, 20.0))
            curve = ((-200.0, 3.0 * stiff), (0.0, 0.0), (100.0, -stiff), (200.0, -4.0 * stiff))
            share = rng.choice([None, 0.3])
            joint.springs.append(JointSpring(axis, curve, float(rng.uniform(0, 0.1)), retention=share))
        joint.limits = AxisLimits((-90.0,) * 3, (60.0,) * 3, stiffness=20.0, damping=0.2)
        joint.breaks = [JointBreak(load=float(rng.uniform(1.0, 20.0)), residual=0.2)]
        if kind.has_both:
            joint.slide = JointSlide(0.5, SlideLimits((-0.2,) * 3, (0.2,) * 3, 500.0, 2.0), 0.3)
    scenario.settings.joint_limits, scenario.settings.joint_damping = True, 1.0
    return scenario


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(scenarios(roots=("free",)), st.integers(0, 10**6))
def test_what_acts_in_joints_keeps_momentum_and_the_ledger(scenario, seed):
    """With damping, friction, springs, limits and breaks in every joint type: internal forces change no momentum, and
    what they did is what the energy lost."""
    scenario.settings.gravity, scenario.settings.time_step = (0.0, 0.0, 0.0), 2e-5
    recording = run(resisting(scenario, seed))
    assert recording.status == "completed"
    linear, angular = momenta(scenario, recording)
    assert np.abs(linear - linear[0]).max() < 1e-7 * max(1.0, np.abs(linear).max())
    assert np.abs(angular - angular[0]).max() < 1e-7 * max(1.0, np.abs(angular).max())
    kinetic, _ = energies(scenario, recording)
    assert np.abs(recording.energy[:, -1]).max() < 1e-3 * kinetic[0]
    assert (np.diff(recording.energy[:, 4]) <= 1e-12).all(), "damping only takes"


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(scenarios(roots=("free",)), st.integers(0, 10**6))
def test_the_implicit_step_is_stable_and_closes_the_ledger(scenario, seed):
    """Springs a thousand times as stiff at the default step: the run ends well, and the ledger explains the energy."""
    scenario.settings.gravity = (0.0, 0.0, 0.0)
    scenario.settings.time_step, scenario.settings.integrator = 1e-4, "symplectic_euler"
    scenario = resisting(scenario, seed)
    scenario.actors[0].joint_angles, scenario.actors[0].joint_slides = (
        {},
        {},
    )  # at rest; they would explode otherwise
    for joint in scenario.actors[0].model.joints:
        for spring in joint.springs:
            spring.curve = tuple((x, 1000.0 * y) for x, y in spring.curve)
        joint.breaks = []
    recording = run(scenario)
    assert recording.status == "completed"
    moved = recording.energy[0, 0] + np.abs(recording.energy[:, 4:8]).max()
    assert np.abs(recording.energy[:, -1]).max() < 0.01 * moved
