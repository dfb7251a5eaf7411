"""Property groups of evidence: what was found, hypotheses with their unknowns, and what came out."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...engine.spec.description import COMMON
from ...sweeps.fit.spec import TARGETS
from .callbacks import search
from .groups import enum_items
from .sweeps import MannequinSweepInput

KINDS = enum_items(
    TARGETS,
    rest_position="Rest Position",
    rest_orientation="Rest Orientation",
    contact_mark="Mark",
    throw_distance="Throw Distance",
    video_points="Image Point",
    measure="Number",
)


class MannequinTarget(bpy.types.PropertyGroup):
    """Something that was found, and how far off a run may be and still agree with it."""

    name: StringProperty(description="What it is called in files and reports")
    use: BoolProperty(description="Hold runs against it", default=True)
    kind: EnumProperty(description="What was found", items=KINDS)
    object: PointerProperty(
        type=bpy.types.Object,
        description="Mark or empty that is where it was found; tied to a bone: on that body; under a camera: "
        "where it is seen in its picture",
    )
    body: StringProperty(
        description="Who lay there, was seen, or made the mark, as actor or actor/body; empty: as the mark says",
        search=search("evidence bodies"),
        search_options={"SUGGESTION"},
    )
    on: StringProperty(
        description="Obstacle that bears the mark; empty: the ground. An object tied to a bone is on its body",
        search=search("evidence surfaces"),
        search_options={"SUGGESTION"},
    )
    tolerance: FloatProperty(
        description="Largest deviation that still agrees: in metres, degrees, pixels or the number's unit; in "
        "ellipses of a mark",
        default=1.0,
        min=1e-9,
        precision=4,
    )
    use_height: BoolProperty(
        name="Height Too", description="The height of the empty counts, not its place on the ground alone"
    )
    time: FloatProperty(
        name="Time (s)", description="Second of the run at which it is seen in the picture", precision=4
    )
    use_point: BoolProperty(description="A point of the body was seen, and not its centre of mass")
    point: FloatVectorProperty(
        name="Point (m)", description="Point that was seen, in the body's frame", size=3, precision=4
    )
    value: FloatProperty(description="Number that was found", precision=4)
    measure: StringProperty(
        description="Measure of a run that the number is of",
        search=search("evidence measures"),
        search_options={"SUGGESTION"},
    )
    quantity: StringProperty(description="Measure of an imported file, as JSON", options={"HIDDEN"})
    source: StringProperty(description=COMMON["source"].meaning)


class MannequinHypothesis(bpy.types.PropertyGroup):
    """What may have happened: unknowns with their ranges."""

    name: StringProperty(description="What it is called in files and reports")
    inputs: CollectionProperty(
        type=MannequinSweepInput, name="Unknowns", description="Inputs that are not known, with their ranges"
    )
    inputs_index: IntProperty(name="Active Unknown", description="Active unknown")


class MannequinAgreeingRun(bpy.types.PropertyGroup):
    """A run that agrees with the evidence."""

    run: IntProperty(description="Number of the run")
    folder: StringProperty(description="Fit or sweep that the run is of", options={"HIDDEN"})
    hypothesis: StringProperty(description="Hypothesis that the run is of")
    inputs: StringProperty(description="What was put in")


class MannequinEvidence(bpy.types.PropertyGroup):
    """Evidence of this scene, hypotheses, and what came out."""

    targets: CollectionProperty(type=MannequinTarget, name="Evidence", description="What was found")
    targets_index: IntProperty(name="Active Evidence", description="Active piece of evidence")
    hypotheses: CollectionProperty(type=MannequinHypothesis, description="What may have happened")
    hypotheses_index: IntProperty(
        name="Active Hypothesis", description="Active hypothesis, whose unknowns are fitted"
    )
    runs: IntProperty(
        name="Most Runs", description="Runs of a fit at most", default=600, min=20, soft_max=10000
    )
    samples: IntProperty(
        name="Agreeing Starts",
        description="Starts that agree with the evidence, wanted of a fit",
        default=100,
        min=1,
        soft_max=1000,
    )
    seed: IntProperty(description="The same seed gives the same runs", default=1, min=0)
    compared: IntProperty(
        name="Runs Each", description="Runs of each hypothesis", default=200, min=20, soft_max=10000
    )
    folder: StringProperty(description="Folder of the fit or comparison that is shown", subtype="DIR_PATH")
    summary: StringProperty(description="What came out, a line each")
    found: CollectionProperty(
        type=MannequinAgreeingRun, name="Agreeing Runs", description="Runs that agree, the best first"
    )
    found_index: IntProperty(name="Active Run", description="Active run")
