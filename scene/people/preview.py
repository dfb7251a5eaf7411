"""A person shown while its sliders move: the shape only, without rig and body model, in the pose of the mesh."""

import bpy
from mathutils import Vector

from ...engine.spec.person import Person
from ...models.people.look.figure import figure_of
from ...models.people.look.template import load_template
from ...models.people.shape import solve
from ..base.errors import SceneError
from ..base.units import units_of
from ..rig.skins import skins_of
from ..store.person import MannequinLook
from .surface import outfit_of, write_faces, write_materials, write_points

NAME = "Mannequin Person Preview"


def show_preview(
    person: Person,
    look: MannequinLook,
    scene: bpy.types.Scene,
    actor: bpy.types.Object | None = None,
    at: Vector | None = None,
) -> bpy.types.Object:
    """Show a person at a place (the 3D cursor where none is given), or in the place of an actor that is to change; its
    skin is hidden so long."""
    template, metres = load_template(), units_of(scene).metres
    try:
        shape = solve(person)
    except ValueError as error:
        raise SceneError(str(error)) from error
    figure = figure_of(template, outfit_of(look))
    obj = bpy.data.objects.get(NAME)
    if obj is None:
        obj = bpy.data.objects.new(NAME, bpy.data.meshes.new(NAME))
        scene.collection.objects.link(obj)
        obj.hide_select = obj.hide_render = True
    if len(obj.data.polygons) == len(figure.faces) and len(obj.data.vertices) == len(figure.rest):
        write_points(obj, figure, template, shape.vertices, metres)
    else:
        write_faces(obj, figure, template, shape.vertices, metres)
    write_materials(obj, figure, look)
    obj.matrix_world = actor.matrix_world if actor is not None else obj.matrix_world
    if actor is None:
        obj.location = scene.cursor.location if at is None else at
    for skin in skins_of(actor) if actor is not None else ():
        skin.hide_set(True)
    return obj


def end_preview(actor: bpy.types.Object | None = None) -> None:
    """Remove what was shown, and show the skin of the actor again."""
    obj = bpy.data.objects.get(NAME)
    if obj is not None:
        mesh = obj.data
        bpy.data.objects.remove(obj)
        bpy.data.meshes.remove(mesh)
    for skin in skins_of(actor) if actor is not None else ():
        skin.hide_set(False)
