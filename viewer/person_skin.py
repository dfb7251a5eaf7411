"""The dressed skin of a person in the page: one mesh whose vertices follow several bodies."""

from typing import Any

import numpy as np

from ..engine.spec import Actor
from ..models.editing.rest_layout import joints_at_rest, lay_out
from ..models.people.base_mesh import is_available
from ..models.people.look.carriers import both_sides, carried_weights
from ..models.people.look.figure import Figure, Outfit, figure_of
from ..models.people.look.template import load_template
from ..models.people.person_model import make_person
from ..models.people.stand_in import Picture, picture_on
from ..models.people.standing import BodyFrame
from ..models.people.worn import worn_things
from .encoding import Blocks
from .surfaces import Meshes, frame_rows, triangulated

HOLDS = 4
"""Bodies that a vertex follows, at most."""
COLORS = {
    "skin": "#d3a285",
    "lower": "#31353f",
    "shoes": "#2f2822",
    "hair": "#4a3728",
    "brow": "#4a3728",
    "lash": "#2a1f18",
    "iris": "#4c5a62",
    "eye": "#efefec",
    "teeth": "#e8e4da",
    "tongue": "#a9605c",
}
"""Finish to its colour in the page; what is worn above has that of the actor, all else is dark."""
OTHER = "#2b2b2d"


def person_skin(
    actor: Actor, first_body: int, color: str, meshes: Meshes, blocks: Blocks
) -> dict[str, Any] | None:
    """The skin of an actor that is a person, or of who stands in for one of the library's people; None for others, and
    where the shape data is not installed."""
    picture = picture_of(actor) if is_available() else None
    number = {body.name: first_body + k for k, body in enumerate(actor.model.bodies)}
    if picture is None or not set(picture[1]) <= set(number):
        return None
    shape, frames = picture
    template = load_template()
    worn = () if actor.person is None else worn_things(actor.person)
    figure = figure_of(template, Outfit(extras=worn))
    bodies = tuple(frames)
    held = carried_weights(template, figure.weights, bodies)
    strongest = np.argsort(-held, axis=1, kind="stable")[:, :HOLDS]
    shares = np.take_along_axis(held, strongest, axis=1)
    triangles, groups = by_finish(figure)
    return {
        "mesh": meshes.add(figure.placed(template, shape.vertices), triangles),
        "bodies": [number[name] for name in bodies],
        "rest": rest_frames(frames, actor),
        "indices": blocks.plain(strongest, "uint8"),
        "weights": blocks.plain(np.round(255.0 * shares / shares.sum(axis=1, keepdims=True)), "uint8"),
        "groups": groups,
        "finishes": [
            {"color": color if name == "upper" else COLORS.get(name, OTHER)} for name in figure.finishes
        ],
    }


def picture_of(actor: Actor) -> Picture | None:
    """Shape of the person that an actor is or that stands in for it, and the frames of its bodies; None: neither."""
    if actor.person is None:
        return picture_on(actor.model, joints_at_rest(lay_out(actor.model)))
    made = make_person(actor.person)
    return None if made.shape is None else (made.shape, both_sides(made.frames))


def by_finish(figure: Figure) -> tuple[np.ndarray, list[list[int]]]:
    """(m, 3) triangles sorted by finish, and for each finish its first index, count of indices and number."""
    parts = [
        triangulated([face for face, finish in zip(figure.faces, figure.finish, strict=True) if finish == k])
        for k in range(len(figure.finishes))
    ]
    ends = np.cumsum([3 * len(part) for part in parts])
    groups = [
        [int(end) - 3 * len(part), 3 * len(part), k]
        for k, (part, end) in enumerate(zip(parts, ends, strict=True))
    ]
    return np.concatenate(parts), groups


def rest_frames(frames: dict[str, BodyFrame], actor: Actor) -> list[list[float]]:
    """Rows of each body's frame in the pose of the mesh: a vertex there, seen from it, is where the body has it."""
    places = lay_out(actor.model)
    rows = []
    for name, frame in frames.items():
        to_standing = np.eye(4)
        to_standing[:3, :3] = frame.turn
        to_standing[:3, 3] = frame.origin - frame.turn @ frame.joint
        rows.append(frame_rows(np.linalg.inv(to_standing) @ places[name].frame))
    return rows
