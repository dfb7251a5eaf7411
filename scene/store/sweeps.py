"""Property groups of sweeps: the inputs that are varied, the design, and what came out."""

import bpy
from bpy.props import (
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ...engine.spec.description import COMMON
from ...sweeps.spec import DESIGNS, DISTRIBUTIONS, MODES
from .callbacks import search, update
from .groups import enum_items

SPREADS = [
    (kind, label, DISTRIBUTIONS.meanings[kind])
    for kind, label in (("uniform", "Uniform"), ("triangular", "Triangular"), ("truncated_normal", "Normal"))
]
WAYS = enum_items(MODES, set="Is", add="Plus", multiply="Times")
KINDS = enum_items(DESIGNS, sobol="Sobol Points", saltelli="Sobol Indices", one_at_a_time="One at a Time")


def suggest_measures(group: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    """Measures of the sweep that is shown, for the search field."""
    return [name for name in group.measures.split("\n") if name and typed.lower() in name.lower()]


class MannequinSweepInput(bpy.types.PropertyGroup):
    """An input that is varied."""

    name: StringProperty(description="What it is called in the table and the report")
    address: StringProperty(
        name="Input",
        description="What is varied, such as actors.man.speed, settings.friction or actors.man.mass",
        search=search("sweep inputs"),
        search_options={"SUGGESTION"},
    )
    spread: EnumProperty(description="How the values are spread", items=SPREADS)
    mode: EnumProperty(name="Value", description="What the spread is of", items=WAYS)
    low: FloatProperty(
        name="Lowest", description="In the unit of the input (SI; angles in degrees)", precision=4
    )
    high: FloatProperty(
        name="Highest",
        description="In the unit of the input (SI; angles in degrees)",
        default=1.0,
        precision=4,
    )
    middle: FloatProperty(description="Most likely value", default=0.5, precision=4)
    deviation: FloatProperty(
        description="Standard deviation of the bell curve", default=0.25, min=1e-9, precision=4
    )
    source: StringProperty(description=COMMON["source"].meaning)


class MannequinSweepRun(bpy.types.PropertyGroup):
    """One run of the sweep that is shown."""

    run: IntProperty(description="Number of the run")
    value: StringProperty(description="Value of the chosen measure")
    inputs: StringProperty(description="What was put in")


class MannequinSweep(bpy.types.PropertyGroup):
    """A sweep of this scene, and the results of one."""

    inputs: CollectionProperty(type=MannequinSweepInput, description="Inputs that are varied")
    inputs_index: IntProperty(name="Active Input", description="Active input")
    design: EnumProperty(description="Which values are run", items=KINDS)
    runs: IntProperty(description="Number of runs", default=100, min=1, soft_max=10000)
    seed: IntProperty(description="The same seed gives the same values", default=1, min=0)
    folder: StringProperty(description="Folder of the sweep that is shown", subtype="DIR_PATH")
    summary: StringProperty(description="Main figures of the sweep, a line each")
    measures: StringProperty(description="Measures of the sweep, a line each", options={"HIDDEN"})
    measure: StringProperty(
        description="Measure by which the runs are listed, and by which ghosts are chosen",
        search=suggest_measures,
        update=update("measure of a sweep"),
    )
    found: CollectionProperty(
        type=MannequinSweepRun, name="Runs", description="Runs, the largest value first"
    )
    found_index: IntProperty(name="Active Run", description="Active run")
    share: FloatProperty(
        description="Share of the runs that envelopes and ellipses hold",
        default=0.9,
        min=0.05,
        max=1.0,
        subtype="FACTOR",
    )
    ghosts: IntProperty(
        description="Runs shown as ghosts, over the percentiles of the measure", default=5, min=1, max=50
    )
