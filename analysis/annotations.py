"""What labels in a picture say about bodies of a recording, over time: speeds, heights, distances, angles, forces."""

from dataclasses import dataclass

import numpy as np

from ..engine.errors import UserError
from ..engine.runs.recording import Recording

KINDS = {
    "speed": "size of the velocity of a body's centre of mass",
    "height": "of a body's centre of mass above z = 0, with a dimension line",
    "way": "on the ground from where a body's centre of mass started, with a dimension line",
    "distance": "between the centres of mass of two bodies, with a dimension line",
    "angle": "that the joint of a body has turned from its rest position",
    "force": "sum of a body's contact forces, its size",
}
SHOWN_FORCE = 1.0
"""N below which a force has no label."""


class AnnotationError(UserError):
    """A label that cannot be made."""


@dataclass(frozen=True)
class Annotation:
    """A label over the F output times."""

    text: str
    unit: str
    decimals: int
    values: np.ndarray
    """(F,)"""
    anchor: np.ndarray
    """(F, 3) world, m: what it is about"""
    end: np.ndarray | None = None
    """(F, 3) world, m: the other end of a dimension line"""
    shown: np.ndarray | None = None
    """(F,) whether there is something to say; None: always"""


def annotation_of(recording: Recording, asked: str) -> Annotation:
    """The label of KIND:BODY, or distance:BODY:BODY. Where there are several actors a body is ACTOR/BODY.

    Raises AnnotationError.
    """
    kind, *names = (part.strip() for part in asked.split(":"))
    if kind not in KINDS or len(names) != (2 if kind == "distance" else 1):
        raise AnnotationError(
            f"'{asked}' is no label: write speed:head, or another of {', '.join(KINDS)}; distance:head:foot has two"
        )
    bodies = [find_body(recording, name) for name in names]
    place = recording.position[:, bodies[0]]
    label = recording.body_names[bodies[0]]
    if kind == "speed":
        return Annotation(label, "m/s", 1, size_of(recording.velocity[:, bodies[0]]), place)
    if kind == "force":
        force = size_of(recording.contact_force[:, bodies[0]])
        return Annotation(label, "kN", 2, force / 1000.0, place, shown=force > SHOWN_FORCE)
    if kind == "angle":
        joint = int(np.flatnonzero(recording.joint_child == bodies[0])[0])
        turned = np.degrees(size_of(recording.joint_angle[:, joint]))
        return Annotation(recording.joint_names[joint], "degrees", 0, turned, recording.origin(bodies[0]))
    ends = {
        "height": place * (1.0, 1.0, 0.0),
        "way": np.broadcast_to(place[0], place.shape) * (1.0, 1.0, 0.0),
        "distance": recording.position[:, bodies[-1]],
    }
    start = place * (1.0, 1.0, 0.0) if kind == "way" else place
    return Annotation(f"{label} {kind}", "m", 2, size_of(start - ends[kind]), start, ends[kind])


def size_of(vectors: np.ndarray) -> np.ndarray:
    """(F,) sizes of (F, 3) vectors."""
    return np.linalg.norm(vectors, axis=1)


def find_body(recording: Recording, name: str) -> int:
    """Index of a body by BODY or ACTOR/BODY, letter case aside. Raises AnnotationError."""
    actor, _, body = name.rpartition("/")
    found = [
        number
        for number, known in enumerate(recording.body_names)
        if known.lower() == body.lower()
        and actor.lower() in ("", recording.actor_names[recording.body_actor[number]].lower())
    ]
    if not found:
        known = ", ".join(dict.fromkeys(recording.body_names))
        raise AnnotationError(f"there is no body '{name}' to label. There are: {known}")
    return found[0]


def at_times(annotation: Annotation, times: np.ndarray, moments: np.ndarray) -> Annotation:
    """An annotation at other moments (s) than the output times: straight between two."""

    def between(values: np.ndarray) -> np.ndarray:
        columns = values.reshape(len(times), -1)
        made = np.stack([np.interp(moments, times, column) for column in columns.T], axis=1)
        return made.reshape(len(moments), *values.shape[1:])

    return Annotation(
        annotation.text,
        annotation.unit,
        annotation.decimals,
        between(annotation.values),
        between(annotation.anchor),
        None if annotation.end is None else between(annotation.end),
        None if annotation.shown is None else between(annotation.shown.astype(float)) > 0.5,
    )
