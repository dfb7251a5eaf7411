"""The kinematic tree as flat arrays: moving bodies, their joints and inertias, and the authored bodies on them.

A *moving body* is a body with a joint that moves, together with all bodies fixed to it. Its frame is the joint frame on
the child side (T2): origin at the joint centre, so that the joint rotation is the body's rotation relative to the
parent's T1 frame. A joint of several motions has a moving body for each of them, without mass but for the last
(docs/derivations.md, Joints of several motions); those of a joint by functions all have the pose of the last
(docs/derivations.md, Joints by functions of coordinates). Row `n` (one past the last moving body) is the world: it
never moves, and what is added to it has no effect.
"""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..maths.inertia import inertia_matrix, symmetric_matrix, symmetric_six
from ..maths.rotations import cross_matrix, inverse_transform, matrix_from_zyx
from ..spec import Actor, Body, Joint
from ..spec.joint_types import AXIS, CURVE, LETTERS, Motion, group_sizes
from .courses import CoursesBuilder

OnBody = Callable[[int, str, np.ndarray], tuple[int, int, np.ndarray]]
"""(actor, body, position in its frame) to (moving body, authored body, position in the moving frame)."""
OnFrame = Callable[[int, str, np.ndarray], np.ndarray]
"""(actor, body, rotation in its frame) to rotation in the moving frame."""

Tree = namedtuple(
    "Tree",
    [
        "parent",  # (n,) moving body, or n for the world
        "group",  # (n,) FREE, BALL, AXIS or CURVE of `spec.joint_types`, which says their coordinates and speeds
        "q_address",  # (n,) first coordinate
        "u_address",  # (n,) first speed
        "offset",  # (n, 3) joint centre in the parent's moving frame (world frame for roots)
        "rest",  # (n, 9) rotation of the joint frame T1 in the parent's moving frame
        "axis",  # (n, 3) AXIS: unit axis in the moving frame
        "turn",  # (n,) AXIS: rad about the axis per unit of the coordinate; CURVE: 1 where the coordinate is an angle
        "slide",  # (n,) AXIS: m along the axis per unit of the coordinate; CURVE: 1, whatever the coordinate
        "mass",  # (n,)
        "com",  # (n, 3) centre of mass in the moving frame
        "inertia",  # (n, 6) about the joint centre in the moving frame, symmetric (xx, yy, zz, xy, xz, yz)
        "prescribed",  # (n,) 1 where a table moves the joint until it is released
        "courses",  # functions by which CURVE joints move
    ],
)

Authored = namedtuple(
    "Authored",
    [
        "host",  # (b,) moving body that carries it, or n for the world
        "rotation",  # (b, 9) authored frame to moving frame
        "com",  # (b, 3) centre of mass in the moving frame
        "com_local",  # (b, 3) centre of mass in the authored frame
        "mass",  # (b,)
        "inertia",  # (b, 6) about the centre of mass in the authored frame
        "parent",  # (b,) authored parent body, or -1
        "joint_centre",  # (b, 3) centre of the joint to the parent, in the moving frame
        "joint_rotation",  # (b, 9) child joint frame (T2) to moving frame
        "moving_joint",  # (b,) the moving body of the last motion of its joint, or -1 for a fixed joint
        "motions",  # (b,) how many motions its joint has; their moving bodies end with `moving_joint`
        "inward",  # (b,) all bodies, children before their parents
    ],
)


@dataclass
class _Placed:
    """An authored body on its way into the arrays: where its frame sits in its host's moving frame."""

    host: int
    transform: np.ndarray
    """(4, 4) authored frame to moving frame (to world for the world host)."""


@dataclass
class _Moving:
    """A moving body being assembled."""

    parent: int
    motion: Motion
    offset: np.ndarray
    rest: np.ndarray
    axis: np.ndarray
    prescribed: bool
    mass: float = 0.0
    moment: np.ndarray | None = None
    inertia: np.ndarray | None = None


def inertia_about_com(tree: Tree, body: int) -> np.ndarray:
    """(3, 3) inertia of a moving body about its centre of mass, in the moving frame."""
    cross = cross_matrix(tree.com[body])
    return symmetric_matrix(tree.inertia[body]) + tree.mass[body] * (cross @ cross)


def actor_transform(actor: Actor) -> np.ndarray:
    """(4, 4) actor frame to world."""
    transform = np.eye(4)
    transform[:3, :3] = matrix_from_zyx(actor.orientation)
    transform[:3, 3] = actor.position
    return transform


def motion_axis(joint: Joint, motion: Motion) -> np.ndarray:
    """(3,) unit axis of a motion of a joint in its joint frame; zero where it has none."""
    if motion.group != AXIS:
        return np.zeros(3)
    if motion.letter:
        return np.eye(3)[LETTERS.index(motion.letter)]
    return np.array(joint.axis, dtype=float)


def motion_bodies(last: int, joint: Joint) -> range:
    """Moving bodies of the motions of a joint, from that of its last one."""
    return range(last - len(joint.kind.motions) + 1, last + 1)


def joints_from_root(joints: list[Joint]) -> list[Joint]:
    """Joints ordered so that a parent's joint comes before its children's (breadth first, file order within)."""
    children: dict[str | None, list[Joint]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint)
    ordered, queue = [], list(children.get(None, []))
    while queue:
        joint = queue.pop(0)
        ordered.append(joint)
        queue.extend(children.get(joint.child, []))
    return ordered


class TreeBuilder:
    """Collects the actors of a scenario into `Tree` and `Authored` arrays."""

    def __init__(self) -> None:
        self._moving: list[_Moving] = []
        self._courses = CoursesBuilder()
        self._rows: list[dict] = []
        self.body_index: dict[tuple[int, str], int] = {}
        """(actor index, body name) to authored body."""
        self.moving_joint: dict[tuple[int, str], int] = {}
        """(actor index, joint name) to the moving body of its last motion, for joints that move."""
        self.moving_specs: list[tuple[int, Joint]] = []
        """Per moving body: actor index and joint spec."""
        self.moving_motions: list[Motion] = []
        """Per moving body: which motion of the joint it makes."""
        self.child_joint: list[tuple[int, Joint]] = []
        """Per authored body: actor index and the joint that carries it."""

    def add_actor(self, index: int, actor: Actor) -> None:
        """Add all bodies of one actor, in the order of its model's body list."""
        placed: dict[str, _Placed] = {}
        own_moving: dict[str, int] = {}
        prescribed = {motion.joint for motion in actor.prescribed}
        joints = joints_from_root(actor.model.joints)
        for joint in joints:
            own_moving[joint.child] = self._add_joint(index, actor, joint, placed, joint.name in prescribed
                                                      or (joint.parent is None and None in prescribed))  # fmt: skip
        joint_of = {joint.child: joint for joint in joints}
        first = len(self._rows)
        order = {body.name: first + k for k, body in enumerate(actor.model.bodies)}
        for body in actor.model.bodies:
            joint = joint_of[body.name]
            self.body_index[index, body.name] = order[body.name]
            self.child_joint.append((index, joint))
            parent = -1 if joint.parent is None else order[joint.parent]
            self._add_body(body, joint, placed[body.name], parent, own_moving[body.name])

    def _add_joint(
        self, index: int, actor: Actor, joint: Joint, placed: dict[str, _Placed], prescribed: bool
    ) -> int:
        """Place the child of a joint; return its moving body, or -1 where the joint is fixed."""
        T1 = np.array(joint.T1, dtype=float)
        T2 = np.array(joint.T2, dtype=float)
        if joint.parent is None:
            parent_host, base = -1, actor_transform(actor)
        else:
            parent_host, base = placed[joint.parent].host, placed[joint.parent].transform
        frame = base @ T1
        if not joint.kind.moves:
            placed[joint.child] = _Placed(parent_host, frame @ inverse_transform(T2))
            return -1
        for motion in joint.kind.motions:
            self._moving.append(
                _Moving(
                    parent=parent_host,
                    motion=motion,
                    offset=frame[:3, 3],
                    rest=frame[:3, :3],
                    axis=motion_axis(joint, motion),
                    prescribed=prescribed,
                    moment=np.zeros(3),
                    inertia=np.zeros((3, 3)),
                )
            )
            self.moving_specs.append((index, joint))
            self.moving_motions.append(motion)
            self._courses.add(joint, motion)
            parent_host, frame = len(self._moving) - 1, np.eye(4)
        placed[joint.child] = _Placed(parent_host, inverse_transform(T2))
        self.moving_joint[index, joint.name] = parent_host
        return parent_host

    def moving_of(self, actor: int, joint: str, axis: str) -> int | None:
        """Moving body of the motion of a joint that has an axis of this name; None where there is none."""
        last = self.moving_joint.get((actor, joint))
        if last is None:
            return None
        kind = self.moving_specs[last][1].kind
        found = kind.motion_of(axis)
        return None if found is None else last - len(kind.motions) + 1 + found

    def _add_body(self, body: Body, joint: Joint, place: _Placed, parent: int, moving_joint: int) -> None:
        rotation, origin = place.transform[:3, :3], place.transform[:3, 3]
        local_com = np.array(body.center_of_mass, dtype=float)
        com = rotation @ local_com + origin
        inertia = inertia_matrix(body.inertia)
        T2 = np.array(joint.T2, dtype=float)
        if place.host >= 0:
            host = self._moving[place.host]
            host.mass += body.mass
            host.moment += body.mass * com
            cross = cross_matrix(com)
            # parallel axes: about the joint centre, -m [c]x[c]x = m (c.c E - c c')
            host.inertia += rotation @ inertia @ rotation.T - body.mass * (cross @ cross)
        self._rows.append(
            {
                "host": place.host,
                "rotation": rotation.ravel(),
                "com": com,
                "com_local": local_com,
                "mass": float(body.mass),
                "inertia": symmetric_six(inertia),
                "parent": parent,
                "joint_centre": rotation @ T2[:3, 3] + origin,
                "joint_rotation": (rotation @ T2[:3, :3]).ravel(),
                "moving_joint": moving_joint,
                "motions": len(joint.kind.motions),
            }
        )

    def finish(self) -> tuple[Tree, Authored]:
        """The arrays; moving bodies in an order in which parents come first."""
        n = len(self._moving)
        sizes = np.array([group_sizes(m.motion.group) for m in self._moving], dtype=np.int64).reshape(n, 2)
        addresses = np.cumsum(sizes, axis=0) - sizes

        def stack(values: list, width: int) -> np.ndarray:
            return np.ascontiguousarray(np.array(values, dtype=float).reshape(n, width))

        tree = Tree(
            parent=np.array([m.parent if m.parent >= 0 else n for m in self._moving], dtype=np.int64),
            group=np.array([m.motion.group for m in self._moving], dtype=np.int64),
            q_address=np.ascontiguousarray(addresses[:, 0]),
            u_address=np.ascontiguousarray(addresses[:, 1]),
            offset=stack([m.offset for m in self._moving], 3),
            rest=stack([m.rest.ravel() for m in self._moving], 9),
            axis=stack([m.axis for m in self._moving], 3),
            turn=np.array([m.motion.turn for m in self._moving], dtype=float),
            slide=np.array(
                [1.0 if m.motion.group == CURVE else m.motion.slide for m in self._moving], dtype=float
            ),
            mass=np.array([m.mass for m in self._moving], dtype=float),
            com=stack([m.moment / m.mass if m.mass else m.moment for m in self._moving], 3),
            inertia=stack([symmetric_six(m.inertia) for m in self._moving], 6),
            prescribed=np.array([m.prescribed for m in self._moving], dtype=np.int64),
            courses=self._courses.finish(),
        )
        columns = {name: np.array([row[name] for row in self._rows]) for name in self._rows[0]}
        columns["inward"] = inward_order(columns["parent"])
        columns["host"] = np.where(columns["host"] < 0, n, columns["host"])
        return tree, Authored(**{name: np.ascontiguousarray(column) for name, column in columns.items()})


def inward_order(parent: np.ndarray) -> np.ndarray:
    """(b,) bodies by falling depth, so that children come before their parents; parent -1 is a root."""
    depth = np.zeros(len(parent), dtype=np.int64)
    for body in range(len(parent)):
        ancestor = parent[body]
        while ancestor >= 0:
            depth[body] += 1
            ancestor = parent[ancestor]
    return np.argsort(-depth, kind="stable").astype(np.int64)


def coordinate_counts(tree: Tree) -> tuple[int, int]:
    """(number of coordinates q, number of speeds u)."""
    sizes = [group_sizes(int(group)) for group in tree.group]
    return sum(nq for nq, _ in sizes), sum(nu for _, nu in sizes)
