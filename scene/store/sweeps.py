"""Property groups of sweeps: the inputs that are varied, the design, and what came out."""

import bpy
from bpy.props import (
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from .property_basics import source_property

SPREADS = [
    ("uniform", "Uniform", "Every value from the lowest to the highest is as likely"),
    ("triangular", "Triangular", "The middle is the most likely, the ends are not"),
    ("truncated_normal", "Normal", "Bell curve about the middle, cut off at the lowest and the highest"),
]
MODES = [
    ("set", "Is", "The value itself is spread"),
    ("add", "Plus", "The spread is added to the scene's value"),
    ("multiply", "Times", "The scene's value is multiplied by the spread"),
]
DESIGNS = [
    ("latin_hypercube", "Latin Hypercube", "Spread evenly over every input: for percentiles"),
    ("sobol", "Sobol Points", "Spread evenly over all inputs together; the number of runs is a power of two"),
    ("saltelli", "Sobol Indices", "Shares of the variance: runs times inputs plus two; a power of two"),
    ("grid", "Grid", "Every combination of five values of each input"),
    ("one_at_a_time", "One at a Time", "Each input at its low and high end, the others in the middle"),
]


def suggest_addresses(group: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    """Inputs of the scene, for the search field."""
    from .sweeps import suggested_addresses  # properties are registered before what uses them

    return [address for address in suggested_addresses(context.scene) if typed.lower() in address.lower()]


def suggest_measures(group: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    """Measures of the sweep that is shown, for the search field."""
    return [name for name in group.measures.split("\n") if name and typed.lower() in name.lower()]


def sort_again(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Another measure is chosen: the list is in its order."""
    from .sweeps import fill_list

    fill_list(context.scene)


class MannequinSweepInput(bpy.types.PropertyGroup):
    """An input that is varied."""

    name: StringProperty(name="Name", description="What it is called in the table and the report")
    address: StringProperty(
        name="Input",
        description="What is varied, such as actors.man.speed, settings.friction or actors.man.mass",
        search=suggest_addresses,
        search_options={"SUGGESTION"},
    )
    spread: EnumProperty(name="Spread", description="How the values are spread", items=SPREADS)
    mode: EnumProperty(name="Value", description="What the spread is of", items=MODES)
    low: FloatProperty(
        name="Lowest", description="In the unit of the input (SI; angles in degrees)", precision=4
    )
    high: FloatProperty(
        name="Highest",
        description="In the unit of the input (SI; angles in degrees)",
        default=1.0,
        precision=4,
    )
    middle: FloatProperty(name="Middle", description="Most likely value", default=0.5, precision=4)
    deviation: FloatProperty(
        name="Deviation",
        description="Standard deviation of the bell curve",
        default=0.25,
        min=1e-9,
        precision=4,
    )
    source: source_property()


class MannequinSweepRun(bpy.types.PropertyGroup):
    """One run of the sweep that is shown."""

    run: IntProperty(name="Run", description="Number of the run")
    value: StringProperty(name="Value", description="Value of the chosen measure")
    inputs: StringProperty(name="Inputs", description="What was put in")


class MannequinSweep(bpy.types.PropertyGroup):
    """A sweep of this scene, and the results of one."""

    inputs: CollectionProperty(type=MannequinSweepInput, name="Inputs", description="Inputs that are varied")
    inputs_index: IntProperty(name="Active Input", description="Active input")
    design: EnumProperty(name="Design", description="Which values are run", items=DESIGNS)
    runs: IntProperty(name="Runs", description="Number of runs", default=100, min=1, soft_max=10000)
    seed: IntProperty(name="Seed", description="The same seed gives the same values", default=1, min=0)
    folder: StringProperty(name="Folder", description="Folder of the sweep that is shown", subtype="DIR_PATH")
    summary: StringProperty(name="Summary", description="Main figures of the sweep, a line each")
    measures: StringProperty(
        name="Measures", description="Measures of the sweep, a line each", options={"HIDDEN"}
    )
    measure: StringProperty(
        name="Measure",
        description="Measure by which the runs are listed, and by which ghosts are chosen",
        search=suggest_measures,
        update=sort_again,
    )
    found: CollectionProperty(
        type=MannequinSweepRun, name="Runs", description="Runs, the largest value first"
    )
    found_index: IntProperty(name="Active Run", description="Active run")
    share: FloatProperty(
        name="Share",
        description="Share of the runs that envelopes and ellipses hold",
        default=0.9,
        min=0.05,
        max=1.0,
        subtype="FACTOR",
    )
    ghosts: IntProperty(
        name="Ghosts",
        description="Runs shown as ghosts, over the percentiles of the measure",
        default=5,
        min=1,
        max=50,
    )


CLASSES = (MannequinSweepInput, MannequinSweepRun, MannequinSweep)
