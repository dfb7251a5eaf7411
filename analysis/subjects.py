"""Bodies and joints of a recording: by name, and the specs that they were made from."""

from collections.abc import Sequence

from ..engine.runs.recording import Recording
from ..engine.spec import Body, Joint, Scenario
from ..io_json.errors import FileError


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


def find_subjects(recording: Recording, names: Sequence[str]) -> tuple[list[int], list[int]]:
    """Indices of the bodies and of the joints with these names, "actor/name" or just the name in every actor."""
    bodies, joints = [], []
    for wanted in names:
        found_bodies = _matching(wanted, recording.body_names, recording.body_actor, recording.actor_names)
        found_joints = _matching(wanted, recording.joint_names, recording.joint_actor, recording.actor_names)
        if not found_bodies and not found_joints:
            known = ", ".join(dict.fromkeys([*recording.body_names, *recording.joint_names]))
            raise FileError(f"no body or joint is named '{wanted}'", remedy=f"There are: {known}")
        bodies += found_bodies
        joints += found_joints
    return list(dict.fromkeys(bodies)), list(dict.fromkeys(joints))


def _matching(
    wanted: str, names: Sequence[str], actors: Sequence[int], actor_names: Sequence[str]
) -> list[int]:
    wanted = wanted.lower()
    return [
        index
        for index, name in enumerate(names)
        if wanted in (name.lower(), f"{actor_names[actors[index]]}/{name}".lower())
    ]
