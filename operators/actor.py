"""Operators on whole actors."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ..models.editing.mirror import mirror_model
from ..scene.base.errors import USER_ERRORS, SceneError
from ..scene.model.build import update_actor
from ..scene.model.display_meshes import display_meshes_of, load_display_meshes
from ..scene.model.edit_actor import delete_actor, duplicate_actor
from ..scene.model.library_pictures import list_models, model_icon
from ..scene.model.read import read_model
from ..scene.model.scale import actor_size, scale_actor
from ..scene.scenario.actor_start import write_person
from ..scene.scenario.change_vehicle import to_class, to_meshes
from ..scene.scenario.free_place import give_way, put_before
from ..scene.scenario.new_actor import new_actor, new_model
from ..scene.scenario.new_vehicle import (
    DIMENSIONS,
    dimensions_of,
    has_suspension,
    new_vehicle,
    vehicle_items,
)
from ..scene.scenario.own_vehicle import (
    UNIT_ITEMS,
    chosen_meshes,
    direction_items,
    proposed_axes,
    vehicle_from_meshes,
)
from ..scene.scenario.riders import add_rider, is_ridden, put_on, rider_items, selected_rider
from ..scene.scenario.speed import has_wheels
from ..scene.show.skin import make_skin
from ..scene.store.actors import active_actor, actor_of
from .base import PLACES, Asks, NeedsActor, Placed, ShowsActors, kept_items, select_only

NOT_RIDDEN = "Nobody rides the actor: select a two-wheeler or a wheelchair of Add Vehicle"
OWN_MESH = "own_mesh"


@kept_items
def library_items() -> list[tuple]:
    """Shipped models with their thumbnails."""
    return [
        (name, name.replace("_", " ").title(), f"Shipped model {name}", model_icon(name), number)
        for number, name in enumerate(list_models())
    ]


def own_meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected meshes that are no part of an actor."""
    return [obj for obj in chosen_meshes(context) if actor_of(obj) is None and obj.mannequin.kind == "NONE"]


class MANNEQUIN_OT_add_actor(Placed, ShowsActors, bpy.types.Operator):
    """Add an actor from the library of models.

    bpy.ops.mannequin.add_actor(model="male")
    """

    takes_long = True
    bl_property = "model"

    model: EnumProperty(description="Shipped model", items=library_items)
    on_ground: BoolProperty(name="Place on Ground", description="Stand it on z = 0", default=True)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Search the library."""
        self.place = "CLEAR"
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Add, stand on the ground at the 3D cursor or clear of what is there, select."""
        actor = new_actor(self.model, context.scene, self.on_ground)
        if self.place == "CLEAR":
            give_way(actor, context.scene)
        return self.added(context, actor)


class MANNEQUIN_OT_add_vehicle(Placed, ShowsActors, bpy.types.Operator):
    """Add a vehicle by its class and dimensions, with its look: car, van, truck, bus, two-wheeler, wheelchair, pram.

    bpy.ops.mannequin.add_vehicle(kind="suv", edge_height=0.95)
    """

    takes_long = True

    kind: EnumProperty(name="Class", description="Class of the vehicle", items=vehicle_items())
    mass: FloatProperty(
        name="Mass (kg)", description="Mass of the whole vehicle; 0: that of the class", min=0.0
    )
    plate: StringProperty(description="Text on the number plates")
    sprung: BoolProperty(
        name="Suspension",
        description="On springs, dampers and tyres, so that a driver can brake and steer it; off: rigid, on its tyres",
    )
    with_look: BoolProperty(name="Look", description="Draw its panels, glass, lamps and wheels", default=True)
    place: EnumProperty(
        description="Where it is put",
        items=[
            *PLACES,
            ("BEFORE", "Before the Active Actor", "Drives at the active actor, from some way off"),
        ],
        default="CURSOR",
        options={"SKIP_SAVE"},
    )
    distance: FloatProperty(
        name="Distance (m)",
        description="From its front to the actor that it drives at",
        default=3.0,
        min=0.0,
        soft_max=50.0,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for class and dimensions; where somebody is selected, it is to drive at them."""
        self.place = "CLEAR" if active_actor(context) is None else "BEFORE"
        return context.window_manager.invoke_props_dialog(self, width=360)

    def draw(self, context: bpy.types.Context) -> None:
        """Class, and the values that a vehicle of it has."""
        self.layout.use_property_split = True
        choices = ("sprung", "with_look") if has_suspension(self.kind) else ("with_look",)
        where = ("place", "distance") if self.place == "BEFORE" else ("place",)
        for name in ("kind", *where, "mass", "plate", *choices, *dimensions_of(self.kind)):
            self.layout.prop(self, name)

    def run(self, context: bpy.types.Context) -> str:
        """Build on the ground, draw, put in its place, and select."""
        target = active_actor(context)
        if self.place == "BEFORE" and target is None:
            raise SceneError("nobody is selected to drive at: select an actor, or choose another Place")
        given = {name: getattr(self, name) for name in DIMENSIONS}
        actor = new_vehicle(self.kind, context.scene, given, self.mass, plate=self.plate, sprung=self.sprung)
        if self.with_look:
            make_skin(actor, context.scene)
        if self.place == "BEFORE":
            put_before(actor, target, self.distance, context.scene)
        elif self.place == "CLEAR":
            give_way(actor, context.scene)
        return self.added(context, actor)


class MANNEQUIN_OT_vehicle_from_mesh(ShowsActors, bpy.types.Operator):
    """Make a vehicle of the selected meshes: wheels parted, contact mesh fitted, drawn as it is.

    bpy.ops.mannequin.vehicle_from_mesh(forward="+x", up="+z", mass=1480)
    """

    takes_long = True
    needs = ((lambda context: bool(chosen_meshes(context)), "Select the meshes of one vehicle"),)

    forward: EnumProperty(description="Which way the vehicle looks; confirm", items=direction_items())
    up: EnumProperty(description="Which way is up; confirm", items=direction_items(), default="+z")
    unit: EnumProperty(
        description="What one metre of the scene is on the vehicle; m where it was imported to scale",
        items=UNIT_ITEMS,
        default="m",
    )
    kind: EnumProperty(
        name="Class",
        description="Class of the vehicle, for mass, zones and crush",
        items=[("guess", "By Its Shape", "Guessed from its dimensions"), *vehicle_items()],
    )
    mass: FloatProperty(
        name="Mass (kg)", description="Mass of the whole vehicle; 0: that of the class", min=0.0
    )
    sprung: BoolProperty(name="Suspension", description="On springs, dampers and tyres")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Propose axes and unit, and have them confirmed."""
        try:
            found = proposed_axes(chosen_meshes(context), context.scene)
            self.forward, self.up, self.unit = found.forward, found.up, found.unit
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Fit, build at the 3D cursor, draw, and select."""
        axes = (self.unit, self.forward, self.up)
        kind = "" if self.kind == "guess" else self.kind
        actor, fitted = vehicle_from_meshes(
            chosen_meshes(context), context.scene, axes, kind, self.mass, self.sprung
        )
        return f"{self.added(context, actor)}. {fitted.lines()[-1]}"


class MANNEQUIN_OT_change_vehicle(Asks, NeedsActor, ShowsActors, bpy.types.Operator):
    """Make the vehicle one of another class, or your own from the meshes that are selected too.

    Place, speed and brakes are kept.

    bpy.ops.mannequin.change_vehicle(kind="suv")
    """

    takes_long = True
    needs = ((lambda context: has_wheels(active_actor(context)), "The actor is no vehicle: use Add Vehicle"),)

    kind: EnumProperty(
        name="Class",
        description="What it becomes",
        items=[
            (OWN_MESH, "Own Mesh", "The selected meshes, fitted as by Vehicle From Mesh"),
            *vehicle_items(),
        ],
        default="saloon",
    )
    mass: FloatProperty(
        name="Mass (kg)", description="Mass of the whole vehicle; 0: that of the class", min=0.0
    )
    sprung: BoolProperty(name="Suspension", description="On springs, dampers and tyres")

    def begin_with(self, context: bpy.types.Context) -> None:
        self.sprung = len(active_actor(context).data.mannequin.wheels) > 0
        self.kind = OWN_MESH if own_meshes(context) else self.kind

    def run(self, context: bpy.types.Context) -> str:
        actor, meshes, note = active_actor(context), own_meshes(context), ""
        if self.kind != OWN_MESH:
            to_class(actor, self.kind, context.scene, self.mass, self.sprung)
            make_skin(actor, context.scene)
        elif not meshes:
            raise SceneError("no mesh is selected: select those of your vehicle too, with Shift")
        else:
            note = f". {to_meshes(actor, meshes, context.scene, self.mass, self.sprung)}"
        self.show_actors(context)
        return f"Changed '{actor.name}'{note}"


for _name, _about in DIMENSIONS.items():
    MANNEQUIN_OT_add_vehicle.__annotations__[_name] = FloatProperty(
        name=f"{_about.label} ({_about.unit})",
        description=f"{_about.meaning}; 0: that of the class",
        min=0.0,
        default=0.0,
    )


class MANNEQUIN_OT_add_rider(ShowsActors, NeedsActor, bpy.types.Operator):
    """Put the person that is selected too, or a new one, on the active two-wheeler or into the wheelchair.

    Hands, seat and feet are held by pins that break at a share of the body weight.

    bpy.ops.mannequin.add_rider(model="male")
    """

    needs = ((lambda context: is_ridden(active_actor(context)), NOT_RIDDEN),)
    takes_long = True

    model: EnumProperty(
        description="Shipped model of a new rider, where nobody is selected", items=rider_items()
    )

    def run(self, context: bpy.types.Context) -> str:
        """Seat the selected actor, or add one."""
        vehicle = active_actor(context)
        rider = selected_rider(context, vehicle)
        if rider is None:
            rider, note = add_rider(vehicle, context.scene, self.model)
        else:
            note = put_on(rider, vehicle, context.scene)
        self.show_actors(context)
        return note


class MANNEQUIN_OT_new_model(ShowsActors, bpy.types.Operator):
    """Start a model from nothing: an actor with one body.

    bpy.ops.mannequin.new_model(name="pendulum", body="bob")
    """

    name: StringProperty(description="Name of the model", default="model")
    body: StringProperty(description="Name of its first body", default="body")
    fixed: BoolProperty(
        name="Fixed to Ground", description="Fix the first body to the ground; off: it is free"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Build at the 3D cursor, and select."""
        actor = new_model(self.name, self.body, self.fixed, context.scene)
        return self.added(context, actor)


class MANNEQUIN_OT_duplicate_actor(NeedsActor, bpy.types.Operator):
    """Copy the actor with all its parts and its skin."""

    def run(self, context: bpy.types.Context) -> str:
        """Copy, and select the copy."""
        copy = duplicate_actor(active_actor(context), context.scene)
        select_only(context, copy)
        return f"Added '{copy.name}'"


class MANNEQUIN_OT_delete_actor(NeedsActor, bpy.types.Operator):
    """Remove the actor with all its parts and its skin."""

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        if actor.mode != "OBJECT":
            select_only(context, actor)
        name = actor.name
        delete_actor(actor)
        return f"Removed '{name}'"


class MANNEQUIN_OT_load_meshes(NeedsActor, bpy.types.Operator):
    """Load the actor's display meshes (OBJ, STL, PLY) from the folder of its model.

    bpy.ops.mannequin.load_meshes(directory="/cases/models")
    """

    bl_label = "Load Display Meshes"

    directory: StringProperty(
        name="Folder",
        description="Folder that the model's mesh files are in; empty: where it came from",
        subtype="DIR_PATH",
    )

    needs = (
        (lambda context: bool(display_meshes_of(active_actor(context))), "The model has no display meshes"),
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Choose the folder, from the one it came from on."""
        self.directory = active_actor(context).data.mannequin.folder
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Load; a mesh that cannot be read is reported and stays empty."""
        actor = active_actor(context)
        problems = load_display_meshes(actor, self.directory or actor.data.mannequin.folder)
        for problem in problems:
            self.report({"WARNING"}, problem)
        return f"Loaded {len(display_meshes_of(actor)) - len(problems)} display meshes"


class MANNEQUIN_OT_update_rig(NeedsActor, bpy.types.Operator):
    """Bring bones in line with joints that were dragged, changed or renamed."""

    def run(self, context: bpy.types.Context) -> None:
        """Read and write back."""
        actor = active_actor(context)
        update_actor(actor, read_model(actor), context.scene)


class MANNEQUIN_OT_scale_actor(Asks, NeedsActor, bpy.types.Operator):
    """Scale the whole model to a height and a mass; inertia, joint torques and contact curves follow.

    bpy.ops.mannequin.scale_actor(height=1.68, mass=62.0)
    """

    bl_label = "Scale to Height and Mass"

    height: FloatProperty(
        name="Height (m)", description="Stature wanted", default=1.75, soft_min=0.3, soft_max=3.0
    )
    mass: FloatProperty(
        name="Mass (kg)", description="Mass wanted", default=75.0, soft_min=1.0, soft_max=500.0
    )
    scale_curves: BoolProperty(
        name="Scale Contact Curves",
        description="Scale depth and force of the contact curves too",
        default=True,
    )

    def begin_with(self, context: bpy.types.Context) -> None:
        height, self.mass = actor_size(active_actor(context))
        self.height = height or self.height

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        for warning in scale_actor(actor, context.scene, self.height, self.mass, self.scale_curves):
            self.report({"WARNING"}, warning)
        write_person(actor, None)  # a scaled model is not what the person's is
        return f"Scaled to {self.height:.3g} m and {self.mass:.4g} kg"


class MANNEQUIN_OT_mirror_model(NeedsActor, bpy.types.Operator):
    """Make one side of the model the mirror image of the other.

    bpy.ops.mannequin.mirror_model(side="left")
    """

    side: EnumProperty(
        name="From",
        description="Side that is kept",
        items=[
            ("left", "Left to Right", "Keep the left side"),
            ("right", "Right to Left", "Keep the right side"),
        ],
    )

    def run(self, context: bpy.types.Context) -> str:
        written = self.edit(context, lambda model: mirror_model(model, self.side))
        return f"Mirrored {len(written)} bodies"
