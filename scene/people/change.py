"""Add people to a scene, and change them later with pose and scenario kept.

One value, `Person`, gives the body model and the shape that the picture is made of; so the joints of both coincide.
"""

from dataclasses import replace
from functools import lru_cache

import bpy
import numpy as np
from mathutils import Vector

from ...engine.spec.person import LOAD_PLACES as PLACES
from ...engine.spec.person import Person
from ...models.editing.rest_layout import joints_at_rest, lay_out
from ...models.people.base_mesh import is_available
from ...models.people.look.carriers import both_sides
from ...models.people.look.figure import figure_of
from ...models.people.look.template import load_template
from ...models.people.person_model import PersonModel, furnished, make_person
from ...models.people.shape import Shape, solve
from ...models.people.stand_in import Picture, picture_on
from ...models.people.standing import BodyFrame
from ...models.people.worn import THINGS, worn_things
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.build import build_actor, update_actor
from ..model.read import read_model
from ..rig.skins import remove_skin, render_parts, skin_rigs_of, skins_of
from ..scenario import actor_start
from ..scenario.start_motion import place_on_ground
from ..show.skin import make_skin
from ..store import callbacks, fields
from ..store.actors import is_actor, units_of_actor
from ..store.person import Look, MannequinLook
from .rig import Motion, carry, make_rig, write_bones
from .surface import new_surface, outfit_of, write_faces, write_materials

LOAD_PLACES = PLACES.meanings
"""Where a person can carry something, with its meaning."""
MISSING = "The data of people is missing: in a checkout run 'make setup', in Blender install the released extension zip"


def built(person: Person) -> PersonModel:
    """Model and shape of a person; what nobody is, is refused."""
    if not is_available():
        raise SceneError(MISSING)
    try:
        return kept_model(person)
    except ValueError as error:
        raise SceneError(str(error)) from error


@lru_cache(maxsize=8)
def kept_model(person: Person) -> PersonModel:
    """Model and shape of a person, kept for a redo and for the next look; nobody may change them."""
    return make_person(person)


@lru_cache(maxsize=8)
def points_of(person: Person) -> np.ndarray:
    """(rows, 3) points of the template on a person, m."""
    return solve(person).vertices


def is_person(actor: bpy.types.Object | None) -> bool:
    """Whether an actor's model follows from a person."""
    return actor is not None and actor.data.mannequin.use_person


def has_data() -> bool:
    """Whether the data of people is installed."""
    return is_available()


def person_with(actor: bpy.types.Object | None, **values: float) -> Person:
    """A person of some size; what else is known of an actor, such as measures of a tape, is kept."""
    values = {name: fields.shortest(value) for name, value in values.items()}
    return replace(person_of(actor), **values) if actor is not None else Person(**values)


def worn_masses(actor: bpy.types.Object | None, look: Look) -> dict[str, float]:
    """Masses (kg) of helmet, glasses and rucksack as a look has them: the actor's own, where it wears the thing with a
    mass already, or the usual one."""
    known = None if actor is None else person_of(actor)
    return {
        name: ((getattr(known, name) if known else 0.0) or thing.mass) if getattr(look, name) else 0.0
        for name, thing in THINGS.items()
    }


def person_of(actor: bpy.types.Object) -> Person:
    """Who an actor is."""
    person = actor_start.read_person(actor)
    if person is None:
        raise SceneError(
            f"actor '{actor.name}' is no person made by Add Person: its model cannot be changed as one"
        )
    return person


def new_person(
    person: Person,
    scene: bpy.types.Scene,
    look: Look | None = None,
    name: str = "",
    on_ground: bool = True,
    at: Vector | None = None,
) -> tuple[bpy.types.Object, tuple[str, ...]]:
    """A person as an actor at a place (the 3D cursor where none is given), with skin and clothes, and notes on what
    could not be met."""
    made = built(person)
    actor = build_actor(made.model, scene, name)
    actor.location = scene.cursor.location if at is None else at
    keep_person(actor, person, look)
    dress(actor, made.shape, both_sides(made.frames), scene)
    bpy.context.view_layer.update()
    if on_ground:
        place_on_ground(actor, scene, model=made.model)
    return actor, made.shape.notes


def change_person(
    actor: bpy.types.Object, person: Person, scene: bpy.types.Scene, look: Look | None = None
) -> tuple[str, ...]:
    """Make an actor another person: its joint angles, place, start and all that refers to its bodies stay.

    A standing actor stays on the ground: its origin is between its feet. Muscles, and legs that break, stay too, as
    strong as the new person's. Returns notes on what could not be met.
    """
    person_of(actor)
    made = built(person)
    update_actor(actor, furnished(made, read_model(actor)), scene)
    keep_person(actor, person, look)
    dress(actor, made.shape, both_sides(made.frames), scene)
    render_parts(actor, False)
    return made.shape.notes


def carry_load(actor: bpy.types.Object, mass: float, place: str, scene: bpy.types.Scene) -> tuple[str, ...]:
    """Let a person carry a mass (kg) at a place of `LOAD_PLACES`, or nothing; returns notes as `change_person`."""
    person = replace(person_of(actor), load=fields.shortest(mass), load_place=place)
    return change_person(actor, person, scene)


def keep_person(actor: bpy.types.Object, person: Person, look: Look | None) -> None:
    """Keep who an actor is and, where given, how it looks."""
    actor_start.write_person(actor, person)
    if look is None:
        return
    callbacks.given.pop("look", None)
    try:
        copy_look(look, actor.data.mannequin.look)
    finally:
        register()


def copy_look(source: Look, target: MannequinLook) -> None:
    """Copy clothes, hair and colours."""
    for name in Look.__annotations__:
        setattr(target, name, getattr(source, name))


def dress(
    actor: bpy.types.Object, shape: Shape, frames: dict[str, BodyFrame], scene: bpy.types.Scene
) -> bpy.types.Object:
    """Rig and skin of a shape whose bodies stand as `frames` say, made or brought in line; returns the skin."""
    template, units = load_template(), units_of(scene)
    rigs = skin_rigs_of(actor)
    if not rigs:
        remove_skin(actor)
    rig = rigs[0] if rigs else make_rig(actor)
    write_bones(rig, template, shape.vertices, {body: frame.joint for body, frame in frames.items()}, units)
    carry(rig, actor, {body: motion(frame) for body, frame in frames.items()}, units)
    found = skins_of(actor)
    skin = found[0] if found else new_surface(actor, rig)
    wear(actor, skin, shape.vertices, units.metres)
    return skin


def skin_for(actor: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """A new skin for an actor: its own picture where it is a person, that of somebody of its size where it is one of
    the library's people, else a surface about its ellipsoids."""
    picture = picture_for(actor) if has_data() else None
    if picture is None:
        return make_skin(actor, scene)
    remove_skin(actor)
    return dress(actor, *picture, scene)


def picture_for(actor: bpy.types.Object) -> Picture | None:
    """The picture of the person that an actor is, or that stands in for it; None: neither."""
    if is_person(actor):
        made = built(person_of(actor))
        return made.shape, both_sides(made.frames)
    model = read_model(actor)
    return picture_on(model, joints_at_rest(lay_out(model)))


def motion(frame: BodyFrame) -> Motion:
    """Motion of a body from the mesh's pose to the actor's rest."""
    return frame.turn, frame.origin - frame.turn @ frame.joint


def wear(actor: bpy.types.Object, skin: bpy.types.Object, points: np.ndarray, metres: float) -> None:
    """Give a skin the clothes of the actor's look."""
    template, look = load_template(), actor.data.mannequin.look
    person = actor_start.read_person(actor)
    figure = figure_of(template, outfit_of(look, () if person is None else worn_things(person)))
    write_faces(skin, figure, template, points, metres)
    write_materials(skin, figure, look)


def look_changed(armature: bpy.types.ID | None) -> None:
    """Show a look that was changed in a panel, on every actor of the armature that wears a person's skin."""
    if (
        not isinstance(armature, bpy.types.Armature)
        or not armature.mannequin.use_person
        or not is_available()
    ):
        return
    for actor in bpy.data.objects:
        if is_actor(actor) and actor.data == armature and skin_rigs_of(actor):
            for skin in skins_of(actor):
                wear(actor, skin, points_of(person_of(actor)), units_of_actor(actor).metres)


register, unregister = callbacks.answered({"look": look_changed})
