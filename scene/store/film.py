"""Property group of the film."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ...jobs.film_choices import CAMERAS, COMPARISONS, FORMATS, GROUNDS, PRESETS, SHOTS, STAGES
from ..base.blender_version import BLEND_RELATIVE
from .callbacks import search
from .groups import SECONDS


class MannequinShot(bpy.types.PropertyGroup):
    """A shot of a film."""

    kind: EnumProperty(name="View", description="What the camera sees", items=SHOTS)
    camera: StringProperty(
        description="The scene's camera that is used: a witness's, a matched one, your own",
        search=search("cameras"),
    )
    subject: StringProperty(
        name="Follow",
        description="Actor that the camera is fitted to; empty: as the film",
        search=search("film subjects"),
    )
    contact: StringProperty(
        name="Impact",
        description="What is shown from near; empty: the first impact between two actors",
        search=search("impacts"),
    )
    start: FloatProperty(name="From", description="Simulated time at which it begins", min=0.0, **SECONDS)
    end: FloatProperty(
        name="To", description="Simulated time at which it ends; 0: with the motion", min=0.0, **SECONDS
    )
    slowness: FloatProperty(
        name="Slow Motion",
        description="How many times slower than true",
        default=1.0,
        min=0.01,
        soft_max=100.0,
    )
    ease: FloatProperty(
        description="Time of film over which the speed goes from true to slow, and back at the end",
        min=0.0,
        **SECONDS,
    )
    hold: FloatProperty(description="Time of film that the last picture stands still", min=0.0, **SECONDS)
    orbit: FloatProperty(
        description="Angle (degrees) by which the camera goes round its subject, from first to last",
        soft_min=-180.0,
        soft_max=180.0,
        min=-720.0,
        max=720.0,
    )
    lens: FloatProperty(
        description="Focal length in mm, at 36 mm of film", default=50.0, min=1.0, soft_max=200.0
    )
    f_stop: FloatProperty(
        name="F-Stop",
        description="Smaller blurs more of what is nearer or farther than the subject; 0: all is sharp",
        min=0.0,
        soft_max=22.0,
        max=128.0,
    )
    title: StringProperty(description="Text at the upper left of the picture")


class MannequinFilm(bpy.types.PropertyGroup):
    """How the motion is filmed: view, quality, file, and what the overlay shows."""

    case: StringProperty(description="Case number, burnt into the film")
    camera: EnumProperty(description="View of the film", items=CAMERAS)
    preset: EnumProperty(name="Quality", description="How the film is rendered", items=PRESETS)
    stage: EnumProperty(description="Light, sky and ground of the film", items=STAGES)
    ground: EnumProperty(
        description="What the ground looks like; friction and stiffness are set with the scenario",
        items=GROUNDS,
    )
    subject: StringProperty(
        name="Follow",
        description="Actor that cameras are fitted to; empty: all people",
        search=search("film subjects"),
    )
    replay: FloatProperty(
        description="How many times slower than true the hardest impact is shown again at the end, from near; 0: "
        "it is not",
        min=0.0,
        soft_max=50.0,
        max=1000.0,
    )
    use_shots: BoolProperty(
        name="Shots", description="Make the film of the shots of the list, instead of one view of the motion"
    )
    shots: CollectionProperty(type=MannequinShot, description="Shots of the film in their order")
    shots_index: IntProperty(name="Active Shot", description="Active shot")
    rate: FloatProperty(
        name="Frame Rate",
        description="Frames per second of the film; 0: the scene's. Between its keyframes the motion is straight",
        min=0.0,
        soft_max=240.0,
        max=1000.0,
    )
    motion_blur: BoolProperty(
        description="Blur what moves, by what passes in half the time between two pictures, also in slow motion"
    )
    format: EnumProperty(name="Output", description="Kind of file", items=FORMATS)
    width: IntProperty(description="Pixels", default=960, min=64, soft_max=3840)
    height: IntProperty(description="Pixels", default=540, min=64, soft_max=2160)
    output: StringProperty(
        name="File",
        description="Where the film goes; // is the folder of this file",
        default="//film.mp4",
        subtype="FILE_PATH",
        options=BLEND_RELATIVE,
    )
    compare: EnumProperty(
        name="Two Runs", description="How this scene shows two runs in one picture", items=COMPARISONS
    )
    wipe: FloatProperty(
        name="Wipe At",
        description="Share of the picture's width at which the two runs meet; 0: the line goes across during the film",
        default=0.5,
        min=0.0,
        max=1.0,
    )
    inset: StringProperty(
        name="Second Camera",
        description="Camera of a small view at the lower left: side, front, top, three_quarter, tracking, close, "
        "or one of the scene's; empty: none",
        search=search("cameras"),
    )
    plot: StringProperty(
        description="Time series that a small plot at the lower right shows; empty: none",
        search=search("readouts"),
    )
    labels: StringProperty(
        description="Values attached to bodies, with commas between: speed:head, height:head, way:pelvis, "
        "angle:ShankL, force:head, distance:head:FootL; with several actors man/head"
    )
    transparent: BoolProperty(
        description="Without sky and ground, for laying pictures over others; PNG and OpenEXR sequences only"
    )
    sheet: BoolProperty(
        name="Contact Sheet", description="Also write one picture with twelve moments of the film beside it"
    )
    keep_frames: BoolProperty(
        description="Keep the pictures in a folder beside the film: a render that was cut off goes on with them"
    )
    estimate: StringProperty(description="How long the film takes", options={"HIDDEN"})
    overlay: BoolProperty(description="Show case, run, time, speed and a scale bar in the film", default=True)
    readout: StringProperty(
        name="Read-Out",
        description="Time series whose value the overlay shows as it changes; empty: none",
        search=search("readouts"),
    )
    second_readout: StringProperty(
        name="Read-Out 2",
        description="Another time series whose value the overlay shows; empty: none",
        search=search("readouts"),
    )
