"""From an index in a recording to the spec it was made from."""

from __future__ import annotations

from ..engine.runs.recording import Recording
from ..engine.spec import Body, Joint, Scenario


def body_specs(scenario: Scenario, recording: Recording) -> list[Body]:
    """The spec of every body of a recording, in its order."""
    specs = {(actor.name, body.name): body for actor in scenario.actors for body in actor.model.bodies}
    return [
        specs[recording.actor_names[actor], name]
        for actor, name in zip(recording.body_actor, recording.body_names, strict=True)
    ]


def joint_specs(scenario: Scenario, recording: Recording) -> list[Joint]:
    """The spec of every joint of a recording, in its order."""
    specs = {(actor.name, joint.name): joint for actor in scenario.actors for joint in actor.model.joints}
    return [
        specs[recording.actor_names[actor], name]
        for actor, name in zip(recording.joint_actor, recording.joint_names, strict=True)
    ]


def carrying_bodies(scenario: Scenario, recording: Recording) -> list[int]:
    """For each body of a recording the one that it is fixed to, over any number of fixed joints; itself where it is on
    a joint that moves."""
    joints = joint_specs(scenario, recording)
    actors = [recording.actor_names[actor] for actor in recording.body_actor]

    def carrier(body: int) -> int:
        joint = joints[body]
        if joint.parent is None or joint.kind.moves:
            return body
        return carrier(recording.body_index(actors[body], joint.parent))

    return [carrier(body) for body in range(len(recording.body_names))]
