"""Operators from animation into simulation and back: other programs' skeletons, motion capture, blending."""

from collections.abc import Iterator
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ..scene.motion import approach
from ..scene.motion.bake import is_baked, playing_action
from ..scene.motion.blend_back import blend_back
from ..scene.motion.import_motion import import_motion
from ..scene.motion.retarget import Carried, retarget
from ..scene.rig.skeletons import chosen_skeleton, is_skeleton, map_armature
from ..scene.scenario.acts import GRIP, HANDS, SHOVE, SHOVE_TIME, add_grip, add_shove
from ..scene.scenario.recorder import load_recorder
from ..scene.scenario.walk import let_walk
from ..scene.show.character_motion import refresh_characters
from ..scene.store.actors import active_actor, actors_of
from .base import Asks, MannequinOperator, NeedsActor, select_only


class MANNEQUIN_OT_take_motion(NeedsActor, bpy.types.Operator):
    """Use the pose and velocities of the animation at the current frame as the start, and keep the frames before it.

    bpy.context.scene.frame_set(20)
    bpy.ops.mannequin.take_motion()
    """

    bl_label = "Take Motion at Frame"

    goes_on: BoolProperty(
        description="Follow the animation in the simulation too, until the first touch of another actor or an "
        "obstacle: by the person's own strength where there is a response, else carried"
    )

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        arming = actor.mannequin.actor.response.arming
        kept = approach.take_motion(actor, context.scene, self.goes_on)
        before = f"; the {kept} frames before it stay" if kept else ""
        waits = (
            "; the response waits for the release" if actor.mannequin.actor.response.arming != arming else ""
        )
        return f"Took pose and velocity of frame {context.scene.frame_current}{before}{waits}"


class MANNEQUIN_OT_let_walk(NeedsActor, bpy.types.Operator):
    """Give the person pose, rates and motors of a moment of a walk or a run, as Gait says, until something touches it.

    gait = bpy.context.object.mannequin.actor.gait
    gait.manner, gait.speed, gait.phase = "run", 3.2, 0.6
    bpy.ops.mannequin.let_walk()
    """

    bl_label = "Let Walk or Run"

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        let_walk(actor, context.scene)
        gait = actor.mannequin.actor.gait
        return f"{actor.name} {gait.manner}s at {gait.speed:.3g} m/s"


class MANNEQUIN_OT_shove(NeedsActor, Asks, bpy.types.Operator):
    """Push the person: an impulse that hands give within a contact time, as a force pulse that can be edited.

    bpy.ops.mannequin.shove(impulse=40.0, contact_time=0.2, start=0.5, heading=0.0)
    """

    impulse: FloatProperty(
        name="Impulse (N s)",
        description="Force times time: 40 N s give a man of 80 kg 0.5 m/s; two hands of an adult 60 (assumed)",
        default=SHOVE,
        min=0.0,
        soft_max=200.0,
    )
    contact_time: FloatProperty(
        name="Contact Time (s)",
        description="How long the hands push; 0.2 s is assumed",
        default=SHOVE_TIME,
        min=0.005,
        soft_max=1.0,
    )
    start: FloatProperty(name="Start (s)", description="Time at which the push begins", default=0.5, min=0.0)
    heading: FloatProperty(
        name="Heading (degrees)",
        description="Where to the person is pushed, from the world's x towards y",
        soft_min=-180.0,
        soft_max=180.0,
    )
    body: StringProperty(description="Body that is pushed; empty: the upper back")

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        add_shove(actor, self.impulse, self.contact_time, self.start, self.heading, self.body)
        return f"{actor.name} is shoved by {self.impulse:.3g} N s at {self.start:.3g} s"


class MANNEQUIN_OT_grip(NeedsActor, Asks, bpy.types.Operator):
    """Let a hand of the active person hold the other selected actor where its palm is, such as a wrist or a bar, until
    a force; with no other actor selected it holds something that stands still.

    bpy.ops.mannequin.grip(hand="LEFT", force=400.0)
    """

    hand: EnumProperty(
        description="Which hand holds",
        items=[(side, side.title(), f"The {side.lower()} hand") for side in HANDS],
        default="RIGHT",
    )
    force: FloatProperty(
        name="Lets Go At (N)",
        description="Force at which the hand lets go; one adult hand holds some 400 N, a child's less (assumed)",
        default=GRIP,
        min=0.0,
        soft_max=1000.0,
    )
    body: StringProperty(description="Body of the other actor that is held; empty: the nearest")

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        others = [obj for obj in actors_of(context.scene) if obj.select_get() and obj is not actor]
        other = others[0] if others else None
        what = add_grip(actor, other, context.scene, self.hand, self.force, self.body)
        return f"The {self.hand.lower()} hand of {actor.name} holds {what} and lets go at {self.force:.4g} N"


class MANNEQUIN_OT_load_recorder(NeedsActor, ImportHelper, bpy.types.Operator):
    """Let the driver follow the record of an event data recorder, a CSV table with the columns named here.

    bpy.ops.mannequin.load_recorder(filepath="recorder.csv", time="Time (s)", speed="Speed (km/h)")
    """

    filename_ext = ".csv"
    time: StringProperty(description="Name of the column of time, in s", default="Time (s)")
    speed: StringProperty(description="Name of the column of speed", default="Speed (km/h)")
    steering: StringProperty(description="Name of the column of the steering angle, in degrees; empty: none")
    unit: EnumProperty(
        description="Unit of the speed",
        items=[
            ("km/h", "km/h", "Kilometres per hour"),
            ("mph", "mph", "Miles per hour"),
            ("m/s", "m/s", "SI"),
        ],
    )
    ratio: FloatProperty(
        name="Steering Ratio",
        description="Angle of the steering wheel over that of the front wheels; negative where the right is positive",
        default=15.0,
    )

    def run(self, context: bpy.types.Context) -> str:
        columns = {"time": self.time, "speed": self.speed, "steering": self.steering}
        actor = active_actor(context)
        count = load_recorder(actor, Path(self.filepath), columns, self.unit, self.ratio)
        return f"The driver of {actor.name} follows {count} rows"


class MANNEQUIN_OT_map_skeleton(MannequinOperator, bpy.types.Operator):
    """Find which bones of the active armature stand for which bodies of a person, by their names or the shape of the
    tree.

    bpy.context.view_layer.objects.active = bpy.data.objects["Armature"]
    bpy.ops.mannequin.map_skeleton()
    """

    needs = ((lambda context: is_skeleton(context.object), "Select an armature of another program"),)

    def run(self, context: bpy.types.Context) -> str | None:
        armature = context.object
        found = map_armature(armature)
        if not found:
            self.report({"WARNING"}, "No bone is known by its name or its place: name the bones in the list")
            return None
        return f"Found {len(found)} bones by {armature.mannequin.skeleton.convention}"


class MANNEQUIN_OT_retarget_motion(NeedsActor, bpy.types.Operator):
    """Give the actor the motion of another armature (select that one, then the actor): whatever moves it, action,
    strips, constraints or capture.

    bpy.data.objects["Armature"].select_set(True)
    bpy.ops.mannequin.retarget_motion()
    """

    takes_long = True

    scale: FloatProperty(
        description="Of the way; 0 takes the ratio of the lengths of the legs", min=0.0, soft_max=10.0
    )
    on_ground: BoolProperty(
        description="Raise or lower all of it so that the lowest point of all frames is at z = 0",
        default=True,
    )

    needs = (
        (
            lambda context: chosen_skeleton(context) is not None,
            "Select the armature that moves, then the actor with Shift",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        actor, scene = active_actor(context), context.scene
        done = retarget(actor, chosen_skeleton(context), scene, self.scale, self.on_ground)
        refresh_characters(scene)
        return carried_text(done)


def carried_text(done: Carried) -> str:
    """The result of carrying a motion over, for the status bar."""
    return (
        f"'{done.action.name}': frames {done.first} to {done.last}, way times {done.scale:.3g}, raised by "
        f"{1000.0 * done.lift:.0f} mm"
    )


class MANNEQUIN_OT_import_motion(NeedsActor, ImportHelper, bpy.types.Operator):
    """Import motion capture (BVH, FBX) by Blender's own importer and give its motion to the actor, from where it
    stands.

    bpy.ops.mannequin.import_motion(filepath="walk.bvh")
    """

    takes_long = True

    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh;*.fbx", options={"HIDDEN"})

    def run(self, context: bpy.types.Context) -> str:
        """Import, map, carry over; the actor is active afterwards."""
        actor = active_actor(context)
        armature, done = import_motion(Path(self.filepath), actor, context.scene)
        refresh_characters(context.scene)
        select_only(context, actor)
        return f"Bones by {armature.mannequin.skeleton.convention}; {carried_text(done)}"


def animations(self: bpy.types.Operator, context: bpy.types.Context, text: str) -> Iterator[str]:
    """Names of actions that no simulation wrote."""
    return (action.name for action in bpy.data.actions if not is_baked(action))


class MANNEQUIN_OT_blend_into_animation(Asks, NeedsActor, bpy.types.Operator):
    """Let an animation of the actor take over after the last simulated frame; film and report call these frames
    animated.

    bpy.ops.mannequin.blend_into_animation(animation="getting up", frames=12)
    """

    animation: StringProperty(description="Action of the actor that takes over", search=animations)
    begin: IntProperty(
        name="From", description="Frame of the animation that follows the last simulated one", default=1
    )
    frames: IntProperty(
        description="Over which the one turns into the other", default=12, min=1, soft_max=100
    )

    needs = (
        (lambda context: playing_action(active_actor(context)) is not None, "Simulate, or open a run first"),
        (
            lambda context: any(not is_baked(action) for action in bpy.data.actions),
            "There is no animation: import or make one of this actor",
        ),
    )

    def begin_with(self, context: bpy.types.Context) -> None:
        self.animation = self.animation or next(animations(self, context, ""), "")

    def run(self, context: bpy.types.Context) -> str:
        first, last = blend_back(
            active_actor(context), context.scene, self.animation, float(self.begin), self.frames
        )
        refresh_characters(context.scene)
        return f"Frames {first} to {last} are animated, not simulated"
