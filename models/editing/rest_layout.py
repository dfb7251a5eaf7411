"""Where bodies, joints and bones stand when every joint is at zero. Plain geometry on specs, without Blender.

All frames are in the actor frame, in metres: a body stands at ``W_child = W_parent T1 inverse(T2)`` and its joint frame
at ``J = W_parent T1 = W_child T2``.

The bone of a body has its head at the joint centre and its axes are those of the joint frame, relabelled: bone y (the
direction a bone is drawn in) is the joint axis nearest to the limb, bone x the axis the joint bends about. Relabelling
is a rotation of the cube, a matrix of 0 and +-1, so turning the bone by a quaternion is turning the joint by the same
quaternion with its components exchanged, exactly. Only a joint whose axis is oblique in its own frame has a
bone turned otherwise: its bone x is that axis.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.spec import Body, Ellipsoid, Joint, Mesh, Model
from ...engine.spec.muscles import WrapSurface
from .errors import EditError

SHORTEST_BONE = 0.05
"""Metres."""


@dataclass
class BodyPlace:
    """A body at rest."""

    body: Body
    joint: Joint | None
    parent: str | None
    frame: np.ndarray
    """(4, 4) body frame in the actor frame."""
    joint_frame: np.ndarray
    """(4, 4) joint frame in the actor frame."""
    bone_axes: np.ndarray
    """(3, 3) rotation from bone axes to joint axes."""
    bone_length: float
    """Metres."""

    @property
    def bone_frame(self) -> np.ndarray:
        """(4, 4) bone at rest in the actor frame."""
        frame = self.joint_frame.copy()
        frame[:3, :3] = frame[:3, :3] @ self.bone_axes
        return frame


def joints_at_rest(places: dict[str, BodyPlace]) -> dict[str, np.ndarray]:
    """(3,) m by the name of a body: where its joint is in the actor frame."""
    return {name: place.joint_frame[:3, 3] for name, place in places.items()}


def lay_out(model: Model) -> dict[str, BodyPlace]:
    """Place of each body by name, parents before children."""
    joints = joint_by_child(model)
    bodies = {body.name: body for body in model.bodies}
    if len(bodies) < len(model.bodies):
        raise EditError(f"model '{model.name}' has two bodies of one name: rename one of them")
    places: dict[str, BodyPlace] = {}
    for name in parents_first(bodies, joints):
        places[name] = place_body(bodies[name], joints.get(name), places)
    for place in places.values():
        orient_bone(place, places)
    return places


def joint_by_child(model: Model) -> dict[str, Joint]:
    """Joint that carries each body."""
    joints: dict[str, Joint] = {}
    names = {body.name for body in model.bodies}
    for joint in model.joints:
        for end in (joint.child, joint.parent):
            if end is not None and end not in names:
                raise EditError(f"joint '{joint.name}' names the body '{end}', which the model does not have")
        if joint.child in joints:
            raise EditError(
                f"body '{joint.child}' is the child of two joints, '{joints[joint.child].name}' and '{joint.name}': "
                "remove one, or tie the bodies by a weld"
            )
        joints[joint.child] = joint
    return joints


def parents_first(bodies: dict[str, Body], joints: dict[str, Joint]) -> list[str]:
    """Body names in an order in which parents precede their children."""
    order: list[str] = []

    def visit(name: str, below: tuple[str, ...]) -> None:
        if name in below:
            raise EditError(f"joints form a loop at body '{name}': change one parent")
        if name in order:
            return
        joint = joints.get(name)
        if joint is not None and joint.parent is not None:
            visit(joint.parent, (*below, name))
        order.append(name)

    for name in bodies:
        visit(name, ())
    return order


def place_body(body: Body, joint: Joint | None, places: dict[str, BodyPlace]) -> BodyPlace:
    """A body at rest; one without a joint stands at the actor's origin."""
    parent = joint.parent if joint else None
    base = places[parent].frame if parent is not None else np.identity(4)
    joint_frame = base @ np.array(joint.T1, dtype=float) if joint else base
    frame = joint_frame @ np.linalg.inv(np.array(joint.T2, dtype=float)) if joint else base
    return BodyPlace(body, joint, parent, frame, joint_frame, np.identity(3), SHORTEST_BONE)


def orient_bone(place: BodyPlace, places: dict[str, BodyPlace]) -> None:
    """Choose the axes and the length of a body's bone."""
    reach = np.linalg.inv(place.joint_frame) @ np.append(limb_end(place, places), 1.0)
    axis = None
    if place.joint is not None and place.joint.kind.has_axis:
        axis = np.array(place.joint.axis, dtype=float)
        axis = axis / np.linalg.norm(axis)
    place.bone_axes = choose_bone_axes(reach[:3], axis)
    place.bone_length = max(float(place.bone_axes[:, 1] @ reach[:3]), SHORTEST_BONE)


def limb_end(place: BodyPlace, places: dict[str, BodyPlace]) -> np.ndarray:
    """(3,) point of the actor frame that a body's bone should reach for."""
    start = place.joint_frame[:3, 3]
    ends = [p.joint_frame[:3, 3] for p in places.values() if p.parent == place.body.name]
    ends = [end for end in ends if np.linalg.norm(end - start) > SHORTEST_BONE]
    if ends:
        return np.mean(ends, axis=0)
    centres = [ellipsoid.position for ellipsoid in place.body.ellipsoids] or [place.body.center_of_mass]
    centre = place.frame[:3, :3] @ np.mean(np.array(centres, dtype=float), axis=0) + place.frame[:3, 3]
    return start + 2.0 * (centre - start)


def choose_bone_axes(reach: np.ndarray, joint_axis: np.ndarray | None) -> np.ndarray:
    """(3, 3) bone axes as columns in the joint frame, for a limb that reaches to `reach` of the joint frame."""
    if joint_axis is None:
        y = nearest_axis(reach, forbidden=None)
        x = unit_axis(1) if abs(y[1]) < 0.5 else unit_axis(0)
    elif is_frame_axis(joint_axis):
        x = np.round(joint_axis)
        y = nearest_axis(reach, forbidden=x)
    else:
        x = joint_axis
        y = perpendicular(reach, x)
    return np.column_stack([x, y, np.cross(x, y)])


def unit_axis(index: int, sign: float = 1.0) -> np.ndarray:
    """(3,) unit vector along a frame axis."""
    axis = np.zeros(3)
    axis[index] = sign
    return axis


def is_frame_axis(axis: np.ndarray) -> bool:
    """Whether a unit vector lies along x, y or z."""
    return bool(np.max(np.abs(axis)) > 1.0 - 1e-12)


def nearest_axis(direction: np.ndarray, forbidden: np.ndarray | None) -> np.ndarray:
    """(3,) frame axis nearest to a direction (z where there is none), other than the forbidden one."""
    sizes = np.abs(direction) + np.array([0.0, 0.0, 1e-9])
    if forbidden is not None:
        sizes = np.where(np.abs(forbidden) > 0.5, -1.0, sizes)
    index = int(np.argmax(sizes))
    return unit_axis(index, -1.0 if direction[index] < 0.0 else 1.0)


def perpendicular(direction: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """(3,) unit vector across `axis`, as near to `direction` as can be."""
    across = direction - axis * (axis @ direction)
    if np.linalg.norm(across) < 1e-6:
        across = np.cross(axis, unit_axis(int(np.argmin(np.abs(axis)))))
    return across / np.linalg.norm(across)


def part_frame(part: Ellipsoid | Mesh | WrapSurface) -> np.ndarray:
    """(4, 4) frame of an ellipsoid, a display mesh or a wrap surface in its body, metres."""
    frame = np.identity(4)
    frame[:3, :3] = np.array(part.orientation, dtype=float)
    frame[:3, 3] = part.position
    return frame
