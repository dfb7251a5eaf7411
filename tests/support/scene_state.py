"""What a scene says, for comparing before and after; and what a person does to one, for tests of undo and files.

Runs in processes of its own with Blender, so it needs only Blender and the extension.
"""

import bpy
from authoring import typed


def actor(name: str = "full") -> bpy.types.Object:
    """Armature of an actor."""
    return bpy.data.objects[name]


def activate(name: str, bone: str = "") -> None:
    """Make an object active, and a bone of it."""
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    if bone:
        bones = bpy.data.objects[name].data.bones
        bones.active = bones[bone]


def select(name: str) -> None:
    """Make an object the active and only selected one."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name == name)
    activate(name)


def ellipsoid_of(body: str, name: str = "male") -> str:
    """Name of the first ellipsoid of a body."""
    parts = [child for child in actor(name).children if child.parent_bone == body]
    return next(part.name for part in parts if part.mannequin.kind == "ELLIPSOID")


def give_mesh(body: str, name: str = "male") -> None:
    """Let a body have the display mesh "part.obj"."""
    from mannequin.engine.spec import Mesh
    from mannequin.scene.model.edit_actor import edit_model_of

    def change(model: object) -> None:
        next(b for b in model.bodies if b.name == body).meshes.append(Mesh("part.obj"))

    edit_model_of(actor(name), bpy.context.scene, change)


def plain(scenario: object) -> object:
    """Structure of a scenario with the types of its numbers, arrays as lists."""
    for obstacle in scenario.obstacles:
        if obstacle.vertices is not None:
            obstacle.vertices = [[float(x) for x in row] for row in obstacle.vertices]
            obstacle.triangles = [[int(x) for x in row] for row in obstacle.triangles]
    return typed(scenario)


def state() -> dict[str, object]:
    """Everything operators change: the scenario as it reads, and what is seen of it."""
    from mannequin.scene.scenario.scenario import read_scenario

    scene, objects = bpy.context.scene, bpy.data.objects
    try:
        scenario = plain(read_scenario(scene))
    except Exception as error:
        scenario = str(error)
    marked = scene.mannequin.camera_match.points
    return {
        "camera points": [(point.object.name, tuple(point.pixel)) for point in marked],
        "materials": {
            o.name: [slot.name for slot in o.material_slots]
            for o in scene.objects
            if o.type == "MESH" and o.mannequin.kind == "NONE"
        },
        "scenario": scenario,
        "objects": sorted((o.name, o.mannequin.kind, o.parent_bone, o.hide_render) for o in objects),
        "colors": sorted((o.name, tuple(o.color)) for o in objects),
        "geometry": sorted((o.name, len(o.data.vertices)) for o in objects if o.type == "MESH"),
        "heads": [
            [tuple(round(x, 5) for x in bone.head_local) for bone in armature.bones]
            for armature in bpy.data.armatures
        ],
        "collections": sorted(collection.name for collection in bpy.data.collections),
        "issues": [issue.message for issue in scene.mannequin.issues],
        "selected": sorted(o.name for o in bpy.context.view_layer.objects if o.select_get()),
        "kept starts": [o.mannequin.actor.start for o in objects],
        "skeletons": {o.name: [(r.name, r.bone) for r in o.mannequin.skeleton.bones] for o in objects},
        "actions": sorted((action.name, tuple(action.frame_range)) for action in bpy.data.actions),
    }


def difference(first: dict[str, object], second: dict[str, object]) -> list[tuple]:
    """Parts in which two states differ."""
    return [(key, first[key], second[key]) for key in first if first[key] != second[key]]


def spoil_mesh() -> None:
    """Edit the mesh of the active ellipsoid so that it is none any more."""
    obj = bpy.context.view_layer.objects.active
    obj.data = obj.data.copy()
    obj.data.vertices[5].co *= 3


def slide(obj: bpy.types.Object) -> None:
    """Animate an object along y."""
    for frame in range(1, 30):
        obj.location.y = frame / 10
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)


def bake_by_hand(name: str = "full") -> None:
    """As a bake does: keep the start of the actor, then let an action move it."""
    from mannequin.scene.base.units import units_of
    from mannequin.scene.rig.pose import keep_start, read_start

    start = read_start(actor(name), units_of(bpy.context.scene))
    slide(actor(name))
    keep_start(actor(name), start, actor(name).animation_data.action)
    bpy.context.scene.frame_set(20)


def bake_over_animation(name: str) -> None:
    """`bake_by_hand` of an actor with an animation of its own, "getting up"; its action says of which run it is."""
    slide(actor(name))
    actor(name).animation_data.action.name = "getting up"
    actor(name).animation_data.action = None
    bake_by_hand(name)
    for frame in (1, 20):
        for bone in actor(name).pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    actor(name).animation_data.action["mannequin_run"] = "by hand"


def foreign_rig(name: str, with_actor: str = "") -> None:
    """An armature of another program, selected, with an actor that may be made with it active."""
    from foreign_rigs import make_rig

    if with_actor:
        bpy.ops.mannequin.add_actor(model=with_actor)
    make_rig(bpy, "Mixamo", 90.0)[0].name = name
    bpy.data.objects[name].select_set(True)
    if with_actor:
        activate(with_actor)


def write_bvh(path: str) -> None:
    """Some frames of a walk."""
    from pathlib import Path

    from bvh_files import walking_bvh

    walking_bvh(Path(path), 0.2)


def write_marks(path: str) -> None:
    """A file with one mark."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            '{"format": "mannequin-marks", "format_version": 1, "marks": [{"name": "shoe", "kind": "other", '
            '"position": [1, 2, 0]}]}'
        )


def write_plan(path: str) -> None:
    """A small grey picture."""
    from PIL import Image

    Image.new("RGB", (200, 100), (90, 90, 90)).save(path)


def write_osim(path: str) -> None:
    """A small OpenSim model."""
    body = "<Body name='rod'><mass>1</mass><inertia>1 1 1 0 0 0</inertia></Body>"
    ends = "<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/rod</socket_child_frame>"
    joint = f"<PinJoint name='pin'>{ends}<coordinates><Coordinate name='q'/></coordinates></PinJoint>"
    sets = f"<BodySet><objects>{body}</objects></BodySet><JointSet><objects>{joint}</objects></JointSet>"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<OpenSimDocument Version='40000'><Model name='rod'>{sets}</Model></OpenSimDocument>")
