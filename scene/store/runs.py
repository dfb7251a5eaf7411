"""Property groups of runs: where they are written, how their motion is baked, what came out, what is shown of it."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ...engine.contact.event_members import EVENT
from ..base import activity
from ..base.blender_version import BLEND_RELATIVE
from .groups import SECONDS


class MannequinRuns(bpy.types.PropertyGroup):
    """Where run folders are written, and how far a simulation has come."""

    folder: StringProperty(
        name="Runs Folder",
        description="Where run folders are written; // is the folder of this file",
        default="//runs",
        subtype="DIR_PATH",
        options=BLEND_RELATIVE,
    )
    follow: BoolProperty(
        name="Follow in Viewport", description="Show the motion as it is computed", default=True
    )
    what_if_figure: BoolProperty(
        name="Figure",
        description="Show people and vehicles themselves at a moment of the preview, over the scene",
        default=True,
    )
    what_if_moment: FloatProperty(
        name="Moment",
        description="Share of the previewed time at which the figure is shown",
        subtype="PERCENTAGE",
        default=100.0,
        min=0.0,
        max=100.0,
        precision=1,
        step=100,
    )
    activity: StringProperty(
        description="What is running; empty where nothing is", get=lambda self: activity.CURRENT.text
    )
    progress: FloatProperty(
        description="Share that is done",
        subtype="FACTOR",
        min=0.0,
        max=1.0,
        get=lambda self: activity.CURRENT.share,
    )


class MannequinBake(bpy.types.PropertyGroup):
    """How the motion of a run becomes keyframes."""

    every_sample: BoolProperty(description="One keyframe per output sample at sub-frames; off: one per frame")
    series: BoolProperty(
        name="Time Series",
        description="Also animate custom properties of the armature with forces, speeds and accelerations, for the "
        "graph editor",
        default=True,
    )
    fit_timeline: BoolProperty(description="End the scene with the motion", default=True)
    slowness: FloatProperty(
        name="Slow Motion",
        description="How many times slower than true the film plays; 1 is true speed",
        default=1.0,
        min=0.01,
        soft_min=1.0,
        soft_max=100.0,
    )
    use_slow_range: BoolProperty(
        name="Slow Range", description="Show a part of the motion slower than the rest"
    )
    slow_start: FloatProperty(name="From", description="Simulated time", min=0.0, **SECONDS)
    slow_end: FloatProperty(name="To", description="Simulated time", default=0.5, min=0.0, **SECONDS)
    slow_factor: FloatProperty(
        name="Factor", description="How many times slower than true", default=10.0, min=0.01
    )
    more_slow: StringProperty(
        name="More Ranges",
        description="Further ranges as from:to:factor in simulated seconds, with commas, such as 0.4:0.6:10, 1:1.2:4",
    )


class MannequinMeasureRow(bpy.types.PropertyGroup):
    """One measure of the last run."""

    name: StringProperty(name="Measure", description="Name of the measure")
    subject: StringProperty(description="What was measured")
    family: StringProperty(description="What it is listed under in the report")
    text: StringProperty(name="Value", description="Value with its unit")
    is_available: BoolProperty(name="Available", description="Whether the run has such a value")
    value: FloatProperty(name="Number", description="Value in its unit")
    unit: StringProperty(description="Unit of the value; empty: a pure number")
    definition: StringProperty(description="How the measure is defined")
    validity: StringProperty(description="What the number may and may not be used for")
    remarks: StringProperty(description="What is to be read with the value")
    flags: StringProperty(description="Why the value lies beyond its range of trust; empty: it does not")


class MannequinContactRow(bpy.types.PropertyGroup):
    """One impact of the last run: contacts of the same two bodies that follow each other closely."""

    name: StringProperty(name="Impact", description="What struck what")
    surfaces: StringProperty(description="Which surfaces touched, and their shares of the impulse")
    time: FloatProperty(description=EVENT["start"].meaning, **SECONDS)
    peak_time: FloatProperty(description=EVENT["peak_time"].meaning, **SECONDS)
    peak_force: FloatProperty(name="Peak Force (N)", description=EVENT["joined_force"].meaning)
    approach_speed: FloatProperty(
        name="Approach (m/s)", description="Speed of the two surfaces towards each other at the touch"
    )
    between: BoolProperty(name="Between Actors", description="Whether one actor struck another")


class MannequinResults(bpy.types.PropertyGroup):
    """What came out of the last run."""

    run: StringProperty(description="Run id")
    folder: StringProperty(name="Run Folder", description="Folder of the run", subtype="DIR_PATH")
    status: StringProperty(description="How the run ended")
    measures: CollectionProperty(type=MannequinMeasureRow, description="Measures")
    measures_index: IntProperty(name="Active Measure", description="Active measure")
    contacts: CollectionProperty(type=MannequinContactRow, description="Contacts by time")
    contacts_index: IntProperty(name="Active Contact", description="Active contact")


class MannequinTraces(bpy.types.PropertyGroup):
    """What is shown of a run as objects in the scene: force arrows, paths, ghosts, contact marks."""

    arrow_length: FloatProperty(
        name="Arrow (m/kN)",
        description="Metres of a force arrow per kilonewton",
        default=0.25,
        min=0.001,
        soft_max=5.0,
    )
    path_bodies: StringProperty(
        name="Bodies",
        description="Bodies whose path is shown, with commas, such as head, pelvis; empty: each actor's centre of mass",
    )
    ghost_count: IntProperty(
        name="Count", description="Ghosts, evenly over the run", default=5, min=1, soft_max=20
    )
    ghost_times: StringProperty(
        name="Times (s)",
        description="When the ghosts are, in simulated seconds with commas, such as 0.1, 0.25; empty: evenly",
    )
    ghost_actors: StringProperty(
        name="Actors",
        description="Actors that have ghosts, with commas; empty: all",
    )
    ghost_bodies: StringProperty(
        name="Bodies",
        description="Bodies shown, by their contact surfaces, with commas, such as head; empty: whole actors",
    )
    mark_force: FloatProperty(
        name="From (N)",
        description="Smallest peak force that gets a contact mark",
        default=1000.0,
        min=0.0,
        soft_max=10000.0,
    )
