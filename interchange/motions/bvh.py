"""Motion of an actor as a BVH skeleton, for any program that animates.

Every body is a joint of the skeleton, at the centre of the joint that carries it, in its authored axes turned so that y
is up, as is the custom in BVH. Angles are Z, Y, X in degrees (R = Rz Ry Rx), lengths in centimetres unless `scale` says
otherwise. BVH joints do not slide: what a joint slid is left out.
"""

import os

import numpy as np

from ...engine.maths.rotations import zyx_from_matrix
from ...engine.runs.recording import Recording
from ...engine.spec import Joint, Model
from ...io_json.atomic import write_text
from ...io_json.errors import FileError
from ..common.axes import Z_UP_FROM_Y_UP

CENTIMETRES = 100.0
TO_Y_UP = Z_UP_FROM_Y_UP.T
"""Axes with z up to axes with y up."""
ANGLES = "Zrotation Yrotation Xrotation"
PLACE = "Xposition Yposition Zposition"


class _Skeleton:
    """The hierarchy of a model, as it is written."""

    def __init__(self, model: Model, scale: float) -> None:
        self._scale = scale
        self._joints = {joint.child: joint for joint in model.joints}
        self._centres = {body.name: body.center_of_mass for body in model.bodies}
        self._children: dict[str | None, list[str]] = {}
        for joint in model.joints:
            self._children.setdefault(joint.parent, []).append(joint.child)
        roots = self._children.get(None, [])
        if len(roots) != 1:
            raise FileError(
                f"'{model.name}' has {len(roots)} roots", remedy="BVH holds one skeleton with one root"
            )
        self.order: list[str] = []
        """Bodies in the order of their channels."""
        self.lines = ["HIERARCHY", *self._node(roots[0], "")]

    def parent(self, name: str) -> str | None:
        """The body that carries a body."""
        return self._joints[name].parent

    def _node(self, name: str, indent: str) -> list[str]:
        """Lines of a joint and of all that it carries."""
        self.order.append(name)
        joint, inner = self._joints[name], indent + "  "
        if joint.parent is None:
            head, offset, channels = "ROOT", np.zeros(3), f"6 {PLACE} {ANGLES}"
        else:
            head, channels = "JOINT", f"3 {ANGLES}"
            offset = _translation(joint.T1) - _translation(self._joints[joint.parent].T2)
        lines = [f"{indent}{head} {'_'.join(name.split())}", f"{indent}{{"]
        lines += [self._offset(offset, inner), f"{inner}CHANNELS {channels}"]
        for child in self._children.get(name, []):
            lines += self._node(child, inner)
        if name not in self._children:
            tip = np.array(self._centres[name]) - _translation(joint.T2)
            lines += [f"{inner}End Site", f"{inner}{{", self._offset(tip, inner + "  "), f"{inner}}}"]
        return [*lines, f"{indent}}}"]

    def _offset(self, offset: np.ndarray, indent: str) -> str:
        """Where a joint is in its parent's axes."""
        return f"{indent}OFFSET " + " ".join(f"{value:.6f}" for value in self._scale * TO_Y_UP @ offset)


def bvh_text(recording: Recording, model: Model, actor: str, scale: float = CENTIMETRES) -> str:
    """The motion of an actor at the output times, evenly spaced. scale: BVH's unit per m. Raises FileError."""
    if recording.frames < 2:
        raise FileError(f"the recording of '{actor}' has no motion", remedy="Simulate further")
    skeleton = _Skeleton(model, scale)
    turns = {
        name: TO_Y_UP @ recording.rotation(recording.body_index(actor, name)) @ TO_Y_UP.T
        for name in skeleton.order
    }
    columns = [scale * _root_path(recording, model, actor) @ TO_Y_UP.T]
    for name in skeleton.order:
        parent = skeleton.parent(name)
        local = turns[name] if parent is None else turns[parent].swapaxes(1, 2) @ turns[name]
        columns.append(np.array([zyx_from_matrix(each) for each in local]))
    step = float(recording.times[-1] - recording.times[0]) / (recording.frames - 1)
    motion = ["MOTION", f"Frames: {recording.frames}", f"Frame Time: {step:.9g}"]
    rows = (" ".join(f"{value:.6f}" for value in row) for row in np.hstack(columns))
    return "\n".join([*skeleton.lines, *motion, *rows, ""])


def _root_path(recording: Recording, model: Model, actor: str) -> np.ndarray:
    """(F, 3) world path of the centre of the root's joint, m."""
    root: Joint = next(joint for joint in model.joints if joint.parent is None)
    body = recording.body_index(actor, root.child)
    return recording.origin(body) + recording.rotation(body) @ _translation(root.T2)


def _translation(transform: tuple) -> np.ndarray:
    return np.array(transform, dtype=float)[:3, 3]


def write_bvh(
    recording: Recording, model: Model, actor: str, path: str | os.PathLike, scale: float = CENTIMETRES
) -> None:
    """Write the motion of an actor as BVH, whole or not at all. Raises FileError."""
    write_text(path, bvh_text(recording, model, actor, scale))
