"""Which body is a head, and how its axes lie.

`Scenario.outputs` may name it; where it does not, the body of each actor whose role or name says so is taken
(`engine.spec.body_roles`). Keys of `outputs`:

    "head"          body name, "actor/body", or a list of these
    "head_forward"  direction of the face in the head's body frame, default (1, 0, 0)
    "head_up"       direction of the crown in the head's body frame, default (0, 0, 1)

Head axes are those of SAE J211: x forward, y to the right, z down.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...engine.spec.body_roles import role_body
from ...engine.spec.joint_types import joint_type
from ...engine.spec.names import part_label


class HeadError(ValueError):
    """`Scenario.outputs` names a head that is not there, or axes that are none."""


@dataclass(frozen=True)
class Head:
    """A head in a recording."""

    actor: str
    body: str
    body_index: int
    joint_index: int | None
    """The joint whose child is the head; None for a head without one."""
    axes: np.ndarray
    """(3, 3) rows are the J211 axes in the body frame."""
    chosen: str
    """How it was found, for the reader of the report."""

    @property
    def subject(self) -> str:
        """Label "actor / body", for `Measure.subject`."""
        return part_label(self.actor, self.body)


def find_heads(scenario: Scenario, recording: Recording) -> list[Head]:
    """The heads of all actors, in the order of the bodies; HeadError where `outputs` names one that is not there."""
    named = scenario.outputs.get("head")
    axes = head_axes(scenario)
    if named is None:
        found = [(actor.name, role_body(actor.model, "head")) for actor in scenario.actors]
        bodies = sorted(recording.body_index(actor, body.name) for actor, body in found if body is not None)
        chosen = "by its name or role"
    else:
        names = [named] if isinstance(named, str) else list(named)
        bodies = sorted({i for name in names for i in _matches(recording, str(name))})
        chosen = "named in the scenario's outputs"
    return [_head(recording, body, axes, chosen) for body in bodies]


def _matches(recording: Recording, name: str) -> list[int]:
    actor, slash, body = name.partition("/")
    found = [
        i
        for i, body_name in enumerate(recording.body_names)
        if body_name == name or (slash and body_name == body and _actor_of(recording, i) == actor)
    ]
    if not found:
        raise HeadError(
            f"outputs.head names '{name}', and no actor has such a body; write body or actor/body"
        )
    return found


def _actor_of(recording: Recording, body: int) -> str:
    return recording.actor_names[recording.body_actor[body]]


def _head(recording: Recording, body: int, axes: np.ndarray, chosen: str) -> Head:
    joints = np.flatnonzero(np.asarray(recording.joint_child) == body)
    held = len(joints) and not joint_type(recording.joint_types[joints[0]]).is_free
    joint = int(joints[0]) if held else None
    return Head(_actor_of(recording, body), recording.body_names[body], body, joint, axes, chosen)


def head_axes(scenario: Scenario) -> np.ndarray:
    """(3, 3) rows: J211 axes in the head's body frame (x forward, y right, z down)."""
    try:
        forward = np.array(scenario.outputs.get("head_forward", (1.0, 0.0, 0.0)), dtype=float).reshape(3)
        up = np.array(scenario.outputs.get("head_up", (0.0, 0.0, 1.0)), dtype=float).reshape(3)
    except (TypeError, ValueError):
        raise HeadError("outputs.head_forward and outputs.head_up must each be three numbers") from None
    right = np.cross(forward, up)
    if not np.all(np.isfinite(right)) or np.linalg.norm(right) < 1e-9:
        raise HeadError("outputs.head_forward and outputs.head_up must be two different directions")
    right /= np.linalg.norm(right)
    forward = forward / np.linalg.norm(forward)
    return np.array([forward, right, np.cross(forward, right)])
