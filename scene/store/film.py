"""Property group of the film."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...jobs.film_choices import CAMERAS, GROUNDS, PRESETS, STAGES
from ..base.blender_version import BLEND_RELATIVE
from .callbacks import search

FORMATS = [
    ("MP4", "MP4", "Film, H.264"),
    ("PNG", "PNG Sequence", "One picture per frame"),
    ("GIF", "GIF", "Animated picture for web pages"),
]


class MannequinFilm(bpy.types.PropertyGroup):
    """How the motion is filmed: view, quality, file, and what the overlay shows."""

    case: StringProperty(name="Case", description="Case number, burnt into the film")
    camera: EnumProperty(name="Camera", description="View of the film", items=CAMERAS)
    preset: EnumProperty(name="Quality", description="How the film is rendered", items=PRESETS)
    stage: EnumProperty(name="Stage", description="Light, sky and ground of the film", items=STAGES)
    ground: EnumProperty(
        name="Ground",
        description="What the ground looks like; friction and stiffness are set with the scenario",
        items=GROUNDS,
    )
    subject: StringProperty(
        name="Follow",
        description="Actor that cameras are fitted to; empty: all people",
        search=search("film subjects"),
    )
    replay: FloatProperty(
        name="Replay",
        description="How many times slower than true the hardest impact is shown again at the end, from near; 0: "
        "it is not",
        min=0.0,
        soft_max=50.0,
        max=1000.0,
    )
    format: EnumProperty(name="Output", description="Kind of file", items=FORMATS)
    width: IntProperty(name="Width", description="Pixels", default=960, min=64, soft_max=3840)
    height: IntProperty(name="Height", description="Pixels", default=540, min=64, soft_max=2160)
    output: StringProperty(
        name="File",
        description="Where the film goes; // is the folder of this file",
        default="//film.mp4",
        subtype="FILE_PATH",
        options=BLEND_RELATIVE,
    )
    overlay: BoolProperty(
        name="Overlay",
        description="Show case, run, time, speed and a scale bar in the film",
        default=True,
    )
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
