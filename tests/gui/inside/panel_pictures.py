"""Every panel in a picture, for people to look at: nothing empty, nothing cut off.

A picture has a name, the panels that are open in it, and what is done before it is taken. All are taken in one Blender,
one after the other.
"""

import itertools
from collections.abc import Callable

import bpy
import drive
from drive import expect, in_window, shot
from scene_state import actors, add_man, choose, clear_scene, look, part

Picture = tuple[str, tuple[str, ...], Callable[[], None]]


PARENTS: dict[str, str] = {}
"""Panel: panel that it is in, or nothing, by the names of their classes."""


def panel_classes() -> list[type]:
    """Panels of the tab, parents before children."""
    found = [
        cls
        for cls in bpy.types.Panel.__subclasses__()
        if getattr(cls, "bl_category", "") == "Mannequin" and cls.__name__.startswith("MANNEQUIN_PT_")
    ]
    if not PARENTS:
        PARENTS.update({cls.__name__: getattr(cls, "bl_parent_id", "") for cls in found})

    def level(name: str) -> int:
        return 1 + level(PARENTS[name]) if PARENTS.get(name) else 0

    return sorted(found, key=lambda cls: level(cls.__name__))


def show_panels(opened: tuple[str, ...]) -> None:
    """Register the panels again, so that those named start open and all others closed.

    Blender remembers by its identifier whether a panel is open, so each time they get new ones.
    """
    classes = panel_classes()
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
    mark = f"_{next(COUNTER)}"
    for cls in classes:
        cls.bl_idname = cls.__name__ + mark
        if PARENTS[cls.__name__]:
            cls.bl_parent_id = PARENTS[cls.__name__] + mark
        closed = cls.__name__.removeprefix("MANNEQUIN_PT_") not in opened
        cls.bl_options = (set(getattr(cls, "bl_options", set())) - {"DEFAULT_CLOSED"}) | (
            {"DEFAULT_CLOSED"} if closed else set()
        )
        bpy.utils.register_class(cls)


COUNTER = itertools.count(1)


def open_tab() -> drive.Story:
    """Open the sidebar at the tab."""
    expect(hasattr(bpy.types.Scene, "mannequin"), "the extension is not enabled")
    _, area = drive.viewport()
    area.spaces.active.show_region_ui = True
    yield from drive.redrawn()
    drive.region_of(area, "UI").active_panel_category = "Mannequin"
    yield from drive.redrawn()


def tell() -> drive.Story:
    """Take every picture of `PICTURES`; no panel is in none of them."""
    pictured = {name for _, opened, _ in (*PICTURES, *AFTER_A_RUN, *AFTER_A_SWEEP) for name in opened}
    there = {cls.__name__.removeprefix("MANNEQUIN_PT_") for cls in panel_classes()}
    expect(there <= pictured, f"no picture shows the panels {sorted(there - pictured)}")
    clear_scene()
    yield from open_tab()
    yield from shot("01-empty")
    add_man()
    yield from shot("02-man")
    yield from take(PICTURES)


def take(pictures: tuple[Picture, ...]) -> drive.Story:
    """Take pictures one after the other."""
    for name, opened, prepare in pictures:
        with in_window():
            prepare()
        show_panels(opened)
        yield from open_tab()
        yield from shot(name)


def nothing() -> None:
    """Nothing to prepare."""


def the_man() -> bpy.types.Object:
    """The actor, in object mode, active."""
    actor = actors()[0]
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    choose(actor)
    return actor


def choose_bone() -> None:
    """The man, a bone of his active."""
    actor = the_man()
    actor.data.bones.active = actor.data.bones["ThighL"]


def choose_ellipsoid() -> None:
    """The skull, with a force curve of its own."""
    choose(part("ELLIPSOID", "forehead"))
    bpy.ops.mannequin.apply_curve_preset(preset="head")


def choose_joint() -> None:
    """A knee."""
    choose(part("JOINT", "knee"))


def let_joint_slide_and_break() -> None:
    """The same joint made one that slides and turns, with a limit of its way, that gives way."""
    bpy.ops.mannequin.set_joint_type(type="cylindrical")
    bpy.ops.mannequin.edit_list(list="joint_breaks", action="ADD")
    joint = joint_of_type("cylindrical")
    joint.use_slide, joint.slide.use_limits = True, True


def joint_of_type(wanted: str) -> bpy.types.PropertyGroup:
    """The first joint of the man that has a type."""
    joints = (bone.mannequin.joint for bone in actors()[0].data.bones)
    return next(joint for joint in joints if joint.type == wanted)


def let_joint_follow_functions() -> None:
    """The same joint made one that turns and shifts by one coordinate."""
    joint = joint_of_type("cylindrical")
    joint.use_slide = False
    for motion in ("turn", "shift"):
        function = joint.functions.add()
        function.motion, function.coordinate = motion, "flexion"
    joint.type = "custom"


def pose() -> None:
    """The joint as it was, and the man in Pose Mode."""
    joint = joint_of_type("custom")
    joint.type, joint.use_slide = "cylindrical", True
    joint.functions.clear()
    the_man()
    bpy.ops.object.mode_set(mode="POSE")


def add_connections() -> None:
    """A spring and a pair of bodies."""
    the_man()
    bpy.ops.mannequin.edit_list(list="springs", action="ADD")
    bpy.ops.mannequin.edit_list(list="contact_exclude", action="ADD")


def add_wrap_surface() -> None:
    """A cylinder at the knee."""
    choose_bone()
    bpy.ops.mannequin.add_wrap_surface(shape="cylinder")


def add_muscle() -> None:
    """A muscle, with a rule for its excitation."""
    choose_bone()
    bpy.ops.mannequin.edit_list(list="excitation_rules", action="ADD")
    bpy.ops.mannequin.add_muscle()


def give_start() -> None:
    """Velocity and pulses."""
    actor = the_man()
    bpy.ops.mannequin.set_velocity(mode="HEADING", speed=3.0, heading=0.0)
    expect(abs(actor.mannequin.actor.velocity[0] - 3.0) < 1e-6, "the velocity was not set")
    bpy.ops.mannequin.edit_list(list="torque_pulses", action="ADD")
    bpy.ops.mannequin.edit_list(list="force_pulses", action="ADD")


def add_sensor() -> None:
    """A sensor besides the usual ones."""
    the_man()
    bpy.ops.mannequin.edit_list(list="sensors", action="ADD")


def give_response() -> None:
    """A person who reacts to the fall."""
    the_man().mannequin.actor.use_response = True


def let_walk() -> None:
    """Another man, walking; the first one's knee is no longer one to walk with."""
    the_man()
    bpy.ops.mannequin.add_actor(model="male")
    bpy.context.view_layer.objects.active.location.x = 2.0
    bpy.ops.mannequin.let_walk()


def add_driver() -> None:
    """A saloon on suspensions that brakes."""
    bpy.ops.mannequin.add_vehicle(kind="saloon", with_look=False, sprung=True)
    group = bpy.context.view_layer.objects.active.mannequin.actor
    group.use_drive, group.drive.use_speed, group.drive.use_braking = True, True, True


def choose_skeleton() -> None:
    """An armature of another program, its bones found by their names."""
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    armature.data.bones[0].name = "Hips"
    bpy.ops.mannequin.map_skeleton()


def add_evidence() -> None:
    """A hypothesis, and where the man came to rest."""
    the_man()
    bpy.ops.mannequin.edit_list(list="hypotheses", action="ADD")
    bpy.ops.mannequin.edit_list(list="evidence", action="ADD")


def add_shots() -> None:
    """A list of shots of the run."""
    bpy.ops.mannequin.propose_shots()


def show_evidence_result() -> None:
    """Words as a comparison of hypotheses leaves them."""
    group = bpy.context.scene.mannequin.evidence
    group.folder = "//evidence"
    group.summary = "Likelihood ratio of 'pushed' against 'tripped': 12 (5 to 31)"


def mark_points() -> None:
    """Two objects to be marked in a photograph."""
    for x in (0.0, 1.0):
        bpy.ops.object.empty_add(location=(x, 1.0, 0.0))
        bpy.ops.mannequin.add_camera_points()


def add_person() -> None:
    """A woman made to measure, beside the man."""
    bpy.ops.mannequin.add_person(sex=0.0, age=71.0, height=1.63, mass=58.0, upper="jumper", hair="bob")
    bpy.context.view_layer.objects.active.location.x = -1.2
    show_overlays(False)
    drive.viewport()[1].spaces.active.shading.color_type = "MATERIAL"
    look(from_the_side=True)


def add_vehicle() -> None:
    """A saloon at 52 km/h that brakes, ahead of the people; the check-list is open."""
    bpy.ops.mannequin.add_vehicle(kind="saloon")
    car = bpy.context.view_layer.objects.active
    car.location.x = -6.0
    car.mannequin.actor.speed = 52.0
    bpy.ops.mannequin.brake(deceleration=0.7)


def show_zones() -> None:
    """Zones of the vehicle's contact mesh in their colours."""
    bpy.ops.mannequin.show_zones()


def find_faults() -> None:
    """A body without mass, found and selected."""
    body = next(bone for bone in the_man().data.bones if bone.mannequin.is_body)
    mass, body.mannequin.mass = body.mannequin.mass, 0.0
    bpy.ops.mannequin.validate()
    expect(len(bpy.context.scene.mannequin.issues) > 0, "a body without mass was not found")
    bpy.ops.mannequin.select_finding(index=0)
    body.mannequin.mass = mass


def add_surroundings() -> None:
    """An obstacle, a pair of surfaces, all overlays."""
    the_man()
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(1.0, 0.0, 0.25))
    bpy.ops.mannequin.add_obstacle(shape="box")
    bpy.ops.mannequin.edit_list(list="pairs", action="ADD")
    bpy.ops.mannequin.color_ellipsoids(by="MATERIAL")
    show_overlays(True)
    look()


def show_overlays(wanted: bool) -> None:
    """Switch everything that is drawn over the viewport on or off."""
    for name in ("velocities", "centers_of_mass", "joint_axes", "joint_limits", "excluded_pairs"):
        setattr(bpy.context.scene.mannequin.overlays, name, wanted)


def show_traces() -> None:
    """What the run left, as objects."""
    for kind in ("forces", "paths", "ghosts", "marks"):
        bpy.ops.mannequin.toggle_trace(kind=kind)
    look(from_the_side=True)


PICTURES: tuple[Picture, ...] = (
    ("03-body", ("model", "body"), choose_bone),
    ("04-ellipsoid-force-curve", ("model", "ellipsoid", "force_curve"), choose_ellipsoid),
    ("05-joint", ("model", "joint", "joint_limits", "joint_cone"), choose_joint),
    ("06-joint-resistance", ("model", "joint", "joint_friction", "joint_springs", "joint_motor"), nothing),
    ("26-joint-slide-breaks", ("model", "joint", "joint_slide", "joint_breaks"), let_joint_slide_and_break),
    ("36-joint-functions", ("model", "joint", "joint_functions"), let_joint_follow_functions),
    ("07-pose-mode", ("model", "joint"), pose),
    ("08-materials", ("model", "materials"), the_man),
    ("09-connections", ("model", "connections"), add_connections),
    ("18-pairs-details", ("model", "contact_pairs", "model_details"), nothing),
    ("10-wrap-surface", ("model", "wrap_surface"), add_wrap_surface),
    ("11-muscle", ("model", "muscle", "muscle_path"), add_muscle),
    ("19-muscle-curves", ("model", "muscle", "muscle_unit", "muscle_excitation"), nothing),
    ("12-muscle-excitation", ("scenario", "excitations", "velocity"), the_man),
    ("13-start", ("scenario", "velocity", "pulses"), give_start),
    ("14-tone", ("scenario", "tone", "scenario_connections"), choose_bone),
    ("27-sensors", ("scenario", "sensors"), add_sensor),
    ("29-response", ("scenario", "response"), give_response),
    ("31-gait-animation", ("scenario", "gait", "animation"), let_walk),
    ("34-driver", ("scenario", "driver"), add_driver),
    ("32-evidence", ("simulate", "evidence"), add_evidence),
    ("15-settings", ("scenario", "settings", "settings_more"), nothing),
    ("16-findings", ("scenario", "validation"), find_faults),
    ("17-environment", ("environment", "obstacle", "pairs", "view"), add_surroundings),
    ("30-place", ("place", "camera_match"), mark_points),
    ("28-person", ("model", "person"), add_person),
    ("35-vehicle", ("checklist", "model", "vehicle"), add_vehicle),
    ("37-zones", ("model", "vehicle", "zones"), show_zones),
    ("33-skeleton", ("scenario", "skeleton"), choose_skeleton),
)
AFTER_A_RUN: tuple[Picture, ...] = (
    ("20-simulate-bake", ("simulate", "bake", "results"), nothing),
    ("21-results", ("results", "measures", "contacts"), nothing),
    ("22-traces", ("results", "plots", "traces"), show_traces),
    ("23-render", ("render", "shots"), add_shots),
)
AFTER_A_SWEEP: tuple[Picture, ...] = (
    ("24-sweep", ("simulate", "sweep", "what_if"), nothing),
    ("25-sweep-results", ("results", "sweep_results", "evidence_results"), show_evidence_result),
)
