"""Zones of a contact mesh as faces of an object: seen in colours, painted with Blender's own tools, taken back.

Each zone is a material slot of the object, named like the zone. So a face is put into a zone as it is given a material:
in Edit Mode, with *Assign to Zone* or with Blender's own Assign. The model has them once they are taken.
"""

import colorsys
import dataclasses

import bmesh
import bpy
import numpy as np

from ...engine.spec import Body, Model
from ...models.vehicles.crush import skin_points
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.edit_actor import edit_model_of
from ..model.read import read_model
from ..rig.objects import attach, place_part, remove_object
from ..store.actors import body_bones, rest_frame
from .materials import material

ZONES = "mannequin_zones"
"""On the object that shows the zones of an actor."""
MATERIALS = "mannequin_zone_materials"
"""On that object: contact materials of the zones, one a line, for panels."""
LIFT = 0.004
"""m by which the faces lie outside what is touched, so that they are seen over the skin."""


def zone_color(number: int, count: int) -> tuple[float, float, float, float]:
    """Colours around the circle, every second one darker."""
    red, green, blue = colorsys.hsv_to_rgb(number / max(1, count), 0.75, 0.9 if number % 2 else 0.55)
    return red, green, blue, 1.0


def carrier_of(model: Model) -> Body:
    """The body of a model that carries a contact mesh."""
    for body in model.bodies:
        if body.surface is not None:
            return body
    raise SceneError(f"model '{model.name}' has no contact mesh: add a vehicle by its class, or from a mesh")


def zones_of(actor: bpy.types.Object | None) -> bpy.types.Object | None:
    """The object that shows the zones of an actor."""
    return next((child for child in actor.children if child.get(ZONES)), None) if actor else None


def show_zones(actor: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """New object with a face for each triangle of the contact mesh, in the colour of its zone."""
    hide_zones(actor)
    body = carrier_of(read_model(actor))
    surface, units = body.surface, units_of(scene)
    lifted = dataclasses.replace(surface, depth=tuple(np.array(surface.depth, dtype=float) + LIFT))
    mesh = bpy.data.meshes.new(f"{actor.name} Zones")
    points = skin_points(lifted) / units.metres
    mesh.from_pydata(points.tolist(), [], [tuple(map(int, t)) for t in surface.triangles])
    for number, zone in enumerate(surface.zones):
        mesh.materials.append(material(f"Zone {zone.name}", zone_color(number, len(surface.zones)), 0.8))
    mesh.polygons.foreach_set("material_index", np.array(surface.zone_of, dtype=np.int32))
    obj = bpy.data.objects.new(f"{actor.name} Zones", mesh)
    for collection in actor.users_collection:
        collection.objects.link(obj)
    obj[ZONES], obj.hide_render = True, True
    obj[MATERIALS] = "\n".join(zone.material for zone in surface.zones)
    bone = next(bone for bone in body_bones(actor.data) if bone.name == body.name)
    attach(obj, actor, bone.name)
    place_part(obj, rest_frame(bone), (units.metres,) * 3, units)
    mesh.update()
    return obj


def hide_zones(actor: bpy.types.Object) -> bool:
    """Remove the object that shows the zones; whether there was one."""
    obj = zones_of(actor)
    if obj is None:
        return False
    remove_object(obj)
    return True


def is_zones(obj: bpy.types.Object | None) -> bool:
    """Whether an object shows zones."""
    return obj is not None and bool(obj.get(ZONES))


def assign_zone(obj: bpy.types.Object, number: int) -> int:
    """Put the selected faces of an object in Edit Mode into a zone; how many they were."""
    geometry = bmesh.from_edit_mesh(obj.data)
    chosen = [face for face in geometry.faces if face.select]
    if not chosen:
        raise SceneError("no face is selected: select those that belong to the zone")
    for face in chosen:
        face.material_index = number
    bmesh.update_edit_mesh(obj.data)
    return len(chosen)


def painted_zones(actor: bpy.types.Object, body: Body) -> tuple[int, ...]:
    """Number of the zone of each triangle as the faces of the object show it."""
    obj = zones_of(actor)
    if obj is None:
        raise SceneError(f"the zones of '{actor.name}' are not shown: press Show Zones first")
    obj.update_from_editmode()
    faces = obj.data.polygons
    numbers = np.empty(len(faces), dtype=np.int32)
    faces.foreach_get("material_index", numbers)
    corners = [sorted(face.vertices) for face in faces]
    if corners != [sorted(map(int, t)) for t in body.surface.triangles]:
        raise SceneError(
            f"faces of '{obj.name}' were added, cut or removed: undo that, or press Show Zones again"
        )
    if len(numbers) and numbers.max() >= len(body.surface.zones):
        raise SceneError(
            f"a face of '{obj.name}' has a material that is no zone: use the first {len(body.surface.zones)}"
        )
    return tuple(int(number) for number in numbers)


def take_zones(actor: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """Give the model the zones that the faces show; how many triangles have another zone than before."""

    def change(model: Model) -> int:
        body = carrier_of(model)
        found = painted_zones(actor, body)
        changed = int(np.sum(np.array(found) != np.array(body.surface.zone_of)))
        body.surface = dataclasses.replace(body.surface, zone_of=found)
        return changed

    return edit_model_of(actor, scene, change)


def set_zone_material(actor: bpy.types.Object, scene: bpy.types.Scene, zone: int, name: str) -> str:
    """Give a zone another contact material of the model; the zone's name."""

    def change(model: Model) -> str:
        body = carrier_of(model)
        if name not in {known.name for known in model.materials}:
            raise SceneError(f"the model has no contact material '{name}': add it first")
        zones = list(body.surface.zones)
        if not 0 <= zone < len(zones):
            raise SceneError(f"there is no zone {zone + 1}")
        zones[zone] = dataclasses.replace(zones[zone], material=name)
        body.surface = dataclasses.replace(body.surface, zones=zones)
        obj = zones_of(actor)
        if obj is not None:
            obj[MATERIALS] = "\n".join(item.material for item in zones)
        return zones[zone].name

    return edit_model_of(actor, scene, change)


def material_of_zone(actor: bpy.types.Object, number: int) -> bpy.types.PropertyGroup | None:
    """Contact material of a zone, by its number; None where the zones are not shown or the material is gone."""
    obj = zones_of(actor)
    names = str(obj.get(MATERIALS, "")).split("\n") if obj else []
    if number >= len(names):
        return None
    return actor.data.mannequin.materials.get(names[number])


def open_curve(actor: bpy.types.Object, number: int) -> str:
    """Make the contact material of a zone the active one, whose curve its panel shows and edits; its name."""
    group = actor.data.mannequin
    found = material_of_zone(actor, number)
    if found is None:
        raise SceneError("the zone has no contact material: give it one")
    group.materials_index = next(i for i, item in enumerate(group.materials) if item.name == found.name)
    return found.name
