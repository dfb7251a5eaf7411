"""A model of ours as a MuJoCo model, for comparison. MuJoCo body frames are put in our child joint frames (T2)."""

from dataclasses import replace

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from mannequin.engine import Model, System
from mannequin.engine.bodies.tree import motion_axis
from mannequin.engine.spec.joint_types import AXIS, BALL, FREE, group_sizes


def _quat(rotation: np.ndarray) -> np.ndarray:
    return Rotation.from_matrix(rotation).as_quat()[[3, 0, 1, 2]]


def _add(parent, joint, body, frame: np.ndarray):
    """Add a body whose frame is `frame` in its MuJoCo parent."""
    T2 = np.array(joint.T2, dtype=float)
    xx, yy, zz, xy, yz, xz = body.inertia
    inertia = np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]], dtype=float)
    moments, axes = np.linalg.eigh(T2[:3, :3].T @ inertia @ T2[:3, :3])
    axes[:, 0] *= np.linalg.det(axes)
    twin = parent.add_body(name=body.name, pos=frame[:3, 3], quat=_quat(frame[:3, :3]))
    twin.explicitinertial = True
    twin.mass = body.mass
    twin.ipos = T2[:3, :3].T @ (np.array(body.center_of_mass, dtype=float) - T2[:3, 3])
    twin.iquat = _quat(axes)
    twin.inertia = moments
    if joint.kind.is_free:
        twin.add_freejoint(name=motion_name(joint, 0))
        return twin
    for k, motion in enumerate(joint.kind.motions):
        kind = mujoco.mjtJoint.mjJNT_SLIDE if motion.slides else mujoco.mjtJoint.mjJNT_HINGE
        if motion.group == BALL:
            twin.add_joint(name=motion_name(joint, k), type=mujoco.mjtJoint.mjJNT_BALL)
        else:
            twin.add_joint(name=motion_name(joint, k), type=kind, axis=motion_axis(joint, motion))
    return twin


def motion_name(joint, k: int) -> str:
    """Of the MuJoCo joint that is a joint's motion number k."""
    return f"{joint.name}/{k}"


def mujoco_model(model: Model, gravity=(0.0, 0.0, -9.81)) -> mujoco.MjModel:
    """The tree of a model whose actor stands at the world's origin; passive, without contact."""
    spec = mujoco.MjSpec()
    spec.option.gravity = gravity
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    spec.compiler.balanceinertia = False
    bodies = {body.name: body for body in model.bodies}
    placed = {None: (spec.worldbody, np.eye(4))}
    waiting = list(model.joints)
    while waiting:
        joint = next(joint for joint in waiting if joint.parent in placed)
        waiting.remove(joint)
        parent, parent_T2 = placed[joint.parent]
        frame = np.linalg.inv(parent_T2) @ np.array(joint.T1, dtype=float)
        twin = _add(parent, joint, bodies[joint.child], frame)
        placed[joint.child] = (twin, np.array(joint.T2, dtype=float))
    return spec.compile()


class Twin:
    """The MuJoCo side of a system with one actor: set a state in our layout, read results in our layout."""

    def __init__(self, system: System) -> None:
        (actor,) = system.scenario.actors
        self.model = mujoco_model(actor.model, system.scenario.settings.gravity)
        self.data = mujoco.MjData(self.model)
        self.bodies = [self.model.body(name).id for name in system.body_names]
        moving = {joint.child: joint for joint in actor.model.joints}
        joints = [moving[child] for child in dict.fromkeys(x.split("/", 1)[1] for x in system.moving_names)]
        q, u = [], []
        for name, motion in [(motion_name(j, k), m) for j in joints for k, m in enumerate(j.kind.motions)]:
            joint = self.model.joint(name)
            nq, nu = group_sizes(motion.group)
            q += range(int(joint.qposadr[0]), int(joint.qposadr[0]) + nq)
            u += range(int(joint.dofadr[0]), int(joint.dofadr[0]) + nu)
        self._q, self._u = np.array(q), np.array(u)

    def set_state(self, q: np.ndarray, u: np.ndarray) -> None:
        """Evaluate everything at a state in our layout."""
        self.data.qpos[self._q] = q
        self.data.qvel[self._u] = u
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_rnePostConstraint(self.model, self.data)

    @property
    def u_dot(self) -> np.ndarray:
        return self.data.qacc[self._u].copy()

    @property
    def mass_matrix(self) -> np.ndarray:
        nv = self.model.nv
        columns = np.zeros((nv, nv))
        for column, unit in zip(columns, np.eye(nv), strict=True):
            mujoco.mj_mulM(self.model, self.data, column, unit)
        return columns.T[np.ix_(self._u, self._u)]

    def motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(B, 3) position, velocity, angular velocity, acceleration and angular acceleration at the centres of mass."""
        rows = []
        for body in self.bodies:
            speed, rate = np.zeros(6), np.zeros(6)
            kind = mujoco.mjtObj.mjOBJ_BODY
            mujoco.mj_objectVelocity(self.model, self.data, kind, body, speed, 0)
            mujoco.mj_objectAcceleration(self.model, self.data, kind, body, rate, 0)
            # MuJoCo's accelerations are minus gravity
            acceleration = rate[3:] + self.model.opt.gravity
            rows.append((self.data.xipos[body], speed[3:], speed[:3], acceleration, rate[:3]))
        return tuple(np.array(column) for column in zip(*rows, strict=True))

    def reactions(self) -> tuple[np.ndarray, np.ndarray]:
        """(B, 3) force and (B, 3) moment of the parent on each body, about the body's joint centre."""
        forces, moments = [], []
        for body in self.bodies:
            torque, force = self.data.cfrc_int[body, :3], self.data.cfrc_int[body, 3:]
            reference = self.data.subtree_com[self.model.body_rootid[body]]
            forces.append(force.copy())
            moments.append(torque + np.cross(reference - self.data.xpos[body], force))
        return np.array(forces), np.array(moments)


def with_mixed_joints(model: Model, seed: int, root: str = "free") -> Model:
    """The model with every joint type in it: some ball joints become other joints about any axis; joint frames are
    turned at random so that no axis is special."""
    rng = np.random.default_rng(seed)
    kinds = {
        "kneelJnt": "revolute",
        "kneerJnt": "universal",
        "elbowlJnt": "cylindrical",
        "headJnt": "prismatic",
    }
    kinds |= {"wristlJnt": "fixed", "anklerJnt": "fixed", "elbowrJnt": "planar", "neckJnt": "bushing"}
    kinds |= {"anklelJnt": "gimbal"}
    joints = []
    for joint in model.joints:
        axis = rng.normal(size=3)
        T1, T2 = np.array(joint.T1, dtype=float), np.array(joint.T2, dtype=float)
        T1[:3, :3] = T1[:3, :3] @ Rotation.random(random_state=rng).as_matrix()
        T2[:3, :3] = T2[:3, :3] @ Rotation.random(random_state=rng).as_matrix()
        T2[:3, 3] += rng.normal(scale=0.03, size=3)
        kind = root if joint.parent is None else kinds.get(joint.name, joint.type)
        joints.append(
            replace(
                joint,
                type=kind,
                axis=tuple(float(v) for v in axis / np.linalg.norm(axis)),
                T1=tuple(map(tuple, T1.tolist())),
                T2=tuple(map(tuple, T2.tolist())),
                limits=None,
                cone=None,
                damping=0.0,
                springs=[],
            )
        )
    return replace(model, joints=joints)


def random_state(system: System, seed: int, speed: float = 5.0) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) with random orientations, angles, place and speeds."""
    rng = np.random.default_rng(seed)
    q, u = np.zeros_like(system.q_start), rng.normal(scale=speed, size=len(system.u_start))
    tree = system.tree
    for i, kind in enumerate(tree.group):
        at = tree.q_address[i]
        if kind == AXIS:
            q[at] = rng.uniform(-np.pi, np.pi)
            continue
        if kind == FREE:
            q[at : at + 3] = rng.normal(size=3)
            at += 3
        q[at : at + 4] = Rotation.random(random_state=rng).as_quat()
    return q, u
