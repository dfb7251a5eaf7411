"""Straps of belts, tubes of springs and ropes, pins of welds, rods of impactors: for the picture only.

Each is a curve whose points ride on bones by hooks, as the run has them: straight from point to point.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Actor, Point
from ..base.blender_version import choose
from ..base.errors import USER_ERRORS
from ..base.units import Units, units_of
from ..muscles.build import hook_point
from ..rig.skins import skins_of
from ..scenario.scenario import read_scenario, scenario_names
from ..show.materials import material
from ..show.skin import is_person
from ..store.actors import rest_frame
from .nodes import Drawing, Socket
from .parts import add_part, parts_of

PART = "strap"
WEBBING = 0.046
"""Metres: width of a seat belt (ordinary webbing is 46 to 48 mm; assumed)."""
STEP, LIFT = 0.02, 0.006
"""Metres along a strap from one of its points to the next, and that it lies above the skin."""
RADII = {"spring": 0.012, "rope": 0.006, "rod": 0.02, "weld": 0.015}
"""Metres: chosen by eye (assumed)."""
ROD, PIN = 0.7, 0.05
"""Metres: lengths of the rod that is drawn behind an impactor, and of the pin of a weld (assumed)."""
COLORS = {
    "belt": (0.05, 0.055, 0.065, 1.0),
    "spring": (0.35, 0.36, 0.38, 1.0),
    "rope": (0.55, 0.42, 0.22, 1.0),
    "rod": (0.55, 0.56, 0.58, 1.0),
    "weld": (0.28, 0.29, 0.31, 1.0),
}


@dataclass(frozen=True)
class Tie:
    """Something that ties bodies together."""

    name: str
    kind: str
    points: tuple[Point, ...]
    owner: str
    """Actor whose model has it; empty for the scenario"""


def ties_of(scene: bpy.types.Scene, people: Container[str]) -> Iterator[Tie]:
    """Belts, springs and welds of the scenario and of its actors, and rods of impactors. Where a weld is the grip of
    one of the people, who are given by name, there is no pin."""
    scenario = read_scenario(scene)
    for owner, group in (("", scenario), *((actor.name, actor.model) for actor in scenario.actors)):
        for belt in group.belts:
            yield Tie(belt.name, "belt", tuple(belt.points), owner)
        for spring in group.springs:
            yield Tie(
                spring.name, "rope" if spring.tension_only else "spring", (spring.start, spring.end), owner
            )
        for weld in group.welds:
            if not any((point.actor or owner) in people for point in (weld.start, weld.end)):
                yield Tie(weld.name, "weld", pin_of(weld.start), owner)
    for actor in scenario.actors:
        yield from rods_of(actor)


def pin_of(point: Point) -> tuple[Point, Point]:
    """Ends of the pin of a weld, which stays with the first of its two points where it breaks."""
    x, y, z = point.position
    return tuple(replace(point, position=(x, y, z + end)) for end in (-PIN / 2.0, PIN / 2.0))


def rods_of(actor: Actor) -> Iterator[Tie]:
    """The rod of an impactor that is thrown as a free mass: behind its face, so that it is seen where clothes hide
    that."""
    speed = float(np.linalg.norm(actor.velocity))
    for body in actor.model.bodies:
        if body.name == "impactor" and speed > 0.0:
            back = -ROD / speed * matrix_from_zyx(actor.orientation).T @ np.array(actor.velocity)
            ends = (Point((0.0, 0.0, 0.0), body.name, actor.name), Point(tuple(back), body.name, actor.name))
            yield Tie(f"{actor.name} rod", "rod", ends, actor.name)


def add_straps(scene: bpy.types.Scene) -> None:
    """Draw what ties bodies together, unless it is drawn already; a scene that cannot be read has none."""
    if parts_of(scene, PART):
        return
    objects = {name: scene.objects[obj] for obj, name in scenario_names(scene).items()}
    people = {name for name, obj in objects.items() if obj.type == "ARMATURE" and is_person(obj)}
    try:
        ties = list(ties_of(scene, people))
    except USER_ERRORS:
        return
    for tie in ties:
        add_strap(scene, tie, objects, units_of(scene))


def add_strap(
    scene: bpy.types.Scene, tie: Tie, objects: dict[str, bpy.types.Object], units: Units
) -> bpy.types.Object:
    """One curve; `objects` are actors and obstacles by their names in the scenario."""
    curve = bpy.data.curves.new(tie.name, "CURVE")
    curve.dimensions, curve.twist_mode = "3D", "Z_UP"
    curve.bevel_depth = RADII.get(tie.kind, 0.0) / units.metres
    curve.bevel_resolution = 2
    curve.materials.append(material(f"Mannequin {tie.kind.title()}", COLORS[tie.kind], 0.7))
    spline = curve.splines.new("POLY")
    spline.points.add(len(tie.points) - 1)
    obj = add_part(scene, bpy.data.objects.new(tie.name, curve), PART)
    obj.hide_select = True
    for number, point in enumerate(tie.points):
        carrier = objects.get(point.actor or tie.owner)
        spline.points[number].co = (*ride(obj, number, point, carrier, objects, units), 1.0)
    if tie.kind == "belt":
        wearers = {objects.get(point.actor or tie.owner) for point in tie.points if point.body is not None}
        skins = [skin for wearer in wearers if wearer is not None for skin in skins_of(wearer)]
        obj.modifiers.new("Webbing", "NODES").node_group = webbing(skins, curve.materials[0], units)
    return obj


def webbing(skins: list[bpy.types.Object], look: bpy.types.Material, units: Units) -> bpy.types.NodeTree:
    """Nodes that make a flat strap of a belt's line: off the skins where it would run inside them, and flat on them."""
    made = Drawing("Mannequin Webbing")
    resample = made.node("GeometryNodeResampleCurve")
    choose(resample, "mode", "Mode", "LENGTH")
    made.put(resample.inputs["Curve"], made.own_geometry())
    made.put(resample.inputs["Length"], STEP / units.metres)
    line = resample.outputs[0]
    if skins:
        line = laid_on(made, line, [surface_of(made, skin) for skin in skins], units)
    half = 0.5 * WEBBING / units.metres
    profile = made.node("GeometryNodeCurvePrimitiveLine", (0.0, -half, 0.0), (0.0, half, 0.0)).outputs[0]
    strap = made.node("GeometryNodeCurveToMesh", line, profile).outputs[0]
    made.output(made.painted(strap, look))
    return made.tree


def surface_of(made: Drawing, skin: bpy.types.Object) -> Socket:
    """The surface of a skin in the strap's space."""
    info = made.node("GeometryNodeObjectInfo", skin)
    info.transform_space = "RELATIVE"
    return info.outputs["Geometry"]


def laid_on(made: Drawing, line: Socket, surfaces: list[Socket], units: Units) -> Socket:
    """A line brought out of surfaces, its normals those of the surface it lies on."""
    body, place = made.together(*surfaces), made.node("GeometryNodeInputPosition").outputs[0]
    nearest = sampled(made, body, place, place)
    normal = sampled(made, body, made.node("GeometryNodeInputNormal").outputs[0], place)
    above = made.vector("DOT_PRODUCT", made.vector("SUBTRACT", place, nearest), normal)
    moved = made.node("GeometryNodeSetPosition")
    made.put(moved.inputs["Geometry"], line)
    made.put(moved.inputs["Selection"], made.is_at_least(LIFT / units.metres, above))
    lifted = made.vector("SCALE", normal, scale=LIFT / units.metres)
    made.put(moved.inputs["Position"], made.vector("ADD", nearest, lifted))
    turned = made.node("GeometryNodeSetCurveNormal")
    choose(turned, "mode", "Mode", "FREE")
    made.put(turned.inputs["Curve"], moved.outputs[0])
    made.put(turned.inputs["Normal"], normal)
    return turned.outputs[0]


def sampled(made: Drawing, body: Socket, value: Socket, place: Socket) -> Socket:
    """A vector of a surface, where it is nearest to a place."""
    node = made.node("GeometryNodeSampleNearestSurface")
    node.data_type = "FLOAT_VECTOR"
    made.put(node.inputs["Mesh"], body)
    made.put(node.inputs["Value"], value)
    made.put(node.inputs["Sample Position"], place)
    return node.outputs["Value"]


def ride(
    obj: bpy.types.Object,
    number: int,
    point: Point,
    actor: bpy.types.Object | None,
    objects: dict[str, bpy.types.Object],
    units: Units,
) -> tuple[float, ...]:
    """Where a point of a curve is in the frame of what carries it, and the hook that lets it ride there."""
    place = np.array([*point.position, 1.0])
    if point.body is None:
        return tuple(place[:3] / units.metres)
    bone = actor.data.bones.get(point.body) if actor is not None and actor.type == "ARMATURE" else None
    if bone is not None:
        hook_point(obj, actor, number, bone.name)
        return tuple((rest_frame(bone) @ place)[:3] / units.metres)
    carrier = objects.get(point.body, actor)
    if carrier is not None:  # an obstacle
        hook = obj.modifiers.new(f"Point {number}", "HOOK")
        hook.object = carrier
        hook.vertex_indices_set([number])
    return tuple(place[:3] / units.metres)
