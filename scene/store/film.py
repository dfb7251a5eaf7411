"""Property group of the film."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ..base.blender_version import BLEND_RELATIVE
from .callbacks import search

CAMERAS = [
    ("side", "Side", "From the actors' right, at hip height"),
    ("front", "Front", "Against the direction of motion"),
    ("top", "Top", "From above"),
    ("three_quarter", "Three-Quarter", "From the front right, a little above"),
    ("tracking", "Tracking", "From the side, following the actor"),
]
PRESETS = [
    ("draft", "Draft", "Workbench: a second or so per frame"),
    ("presentation", "Presentation", "EEVEE: soft light and shadows; wants a graphics card"),
    ("final", "Final", "Cycles with denoising: the best picture, minutes per frame"),
]
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
