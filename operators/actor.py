"""Operators on whole actors."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ..scene import files
from ..scene.actors import active_actor
from ..scene.display_meshes import display_meshes_of, load_display_meshes
from ..scene.edit_actor import delete_actor, duplicate_actor, edit_model_of
from ..scene.library_pictures import model_icon
from ..scene.mirror_model import mirror_model
from ..scene.new_actor import new_actor, new_model
from ..scene.read_model import read_model
from ..scene.rig import update_actor
from ..scene.scale_actor import actor_size, scale_actor
from .base import NeedsActor, ShowsActors, select_only

LIBRARY_ITEMS: list[tuple[str, str, str, int, int]] = []
"""Kept here because Blender needs the strings of dynamic items to stay alive."""


def library_items(self: object, context: bpy.types.Context | None) -> list[tuple[str, str, str, int, int]]:
    """Shipped models with their thumbnails as items of an EnumProperty."""
    LIBRARY_ITEMS[:] = [
        (name, name.replace("_", " ").title(), f"Shipped model {name}", model_icon(name), number)
        for number, name in enumerate(files.library_models())
    ]
    return LIBRARY_ITEMS


class MANNEQUIN_OT_add_actor(ShowsActors, bpy.types.Operator):
    """Add an actor from the library.

    bpy.ops.mannequin.add_actor(model="male")"""

    bl_idname = "mannequin.add_actor"
    bl_label = "Add Actor"
    takes_long = True
    bl_description = "Add an actor from the library of models"
    bl_property = "model"

    model: EnumProperty(name="Model", description="Shipped model", items=library_items)
    on_ground: BoolProperty(name="Place on Ground", description="Stand it on z = 0", default=True)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Search the library."""
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Add, place at the 3D cursor, stand on the ground, select."""
        actor = new_actor(self.model, context.scene, self.on_ground)
        select_only(context, actor)
        self.show_actors(context)
        return f"Added '{actor.name}'"


class MANNEQUIN_OT_new_model(ShowsActors, bpy.types.Operator):
    """Start a model from nothing: an actor with one free body.

    bpy.ops.mannequin.new_model(name="pendulum", body="bob")"""

    bl_idname = "mannequin.new_model"
    bl_label = "New Model"
    bl_description = "Start a model from nothing: an actor with one body"

    name: StringProperty(name="Name", description="Name of the model", default="model")
    body: StringProperty(name="Body", description="Name of its first body", default="body")
    fixed: BoolProperty(
        name="Fixed to Ground", description="Fix the first body to the ground; off: it is free"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Build at the 3D cursor, and select."""
        actor = new_model(self.name, self.body, self.fixed, context.scene)
        select_only(context, actor)
        self.show_actors(context)
        return f"Added '{actor.name}'"


class MANNEQUIN_OT_duplicate_actor(NeedsActor, bpy.types.Operator):
    """Copy the actor with all its parts and its skin.

    bpy.ops.mannequin.duplicate_actor()"""

    bl_idname = "mannequin.duplicate_actor"
    bl_label = "Duplicate Actor"
    bl_description = "Copy the actor with all its parts and its skin"

    def run(self, context: bpy.types.Context) -> str:
        """Copy, and select the copy."""
        copy = duplicate_actor(active_actor(context), context.scene)
        select_only(context, copy)
        return f"Added '{copy.name}'"


class MANNEQUIN_OT_delete_actor(NeedsActor, bpy.types.Operator):
    """Remove the actor with all its parts and its skin.

    bpy.ops.mannequin.delete_actor()"""

    bl_idname = "mannequin.delete_actor"
    bl_label = "Delete Actor"
    bl_description = "Remove the actor with all its parts and its skin"

    def run(self, context: bpy.types.Context) -> str:
        """Remove."""
        actor = active_actor(context)
        if actor.mode != "OBJECT":
            select_only(context, actor)
        name = actor.name
        delete_actor(actor)
        return f"Removed '{name}'"


class MANNEQUIN_OT_load_meshes(NeedsActor, bpy.types.Operator):
    """Load the actor's display meshes from the folder of its model.

    bpy.ops.mannequin.load_meshes(directory="/cases/models")"""

    bl_idname = "mannequin.load_meshes"
    bl_label = "Load Display Meshes"
    bl_description = "Load the actor's display meshes (OBJ, STL, PLY) from the folder of its model"

    directory: StringProperty(
        name="Folder",
        description="Folder that the model's mesh files are in; empty: where it came from",
        subtype="DIR_PATH",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the actor has any."""
        if not super().poll(context):
            return False
        if not display_meshes_of(active_actor(context)):
            cls.poll_message_set("The model has no display meshes")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Choose the folder, from the one it came from on."""
        self.directory = active_actor(context).data.mannequin.folder
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Load; what cannot be read is told and stays empty."""
        actor = active_actor(context)
        problems = load_display_meshes(actor, self.directory or actor.data.mannequin.folder)
        for told in problems:
            self.report({"WARNING"}, told)
        return f"Loaded {len(display_meshes_of(actor)) - len(problems)} display meshes"


class MANNEQUIN_OT_update_rig(NeedsActor, bpy.types.Operator):
    """Bring bones in line with joints that were dragged, changed or renamed.

    bpy.ops.mannequin.update_rig()"""

    bl_idname = "mannequin.update_rig"
    bl_label = "Update Rig"
    bl_description = "Bring bones in line with joints that were dragged, changed or renamed"

    def run(self, context: bpy.types.Context) -> None:
        """Read and write back."""
        actor = active_actor(context)
        update_actor(actor, read_model(actor), context.scene)


class MANNEQUIN_OT_scale_actor(NeedsActor, bpy.types.Operator):
    """Scale the whole model to a height and a mass.

    bpy.ops.mannequin.scale_actor(height=1.68, mass=62.0)"""

    bl_idname = "mannequin.scale_actor"
    bl_label = "Scale to Height and Mass"
    bl_description = (
        "Scale the whole model to a height and a mass; inertia, joint torques and contact curves follow"
    )

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

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the size it has."""
        height, self.mass = actor_size(active_actor(context))
        self.height = height or self.height
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Scale."""
        for told in scale_actor(
            active_actor(context), context.scene, self.height, self.mass, self.scale_curves
        ):
            self.report({"WARNING"}, told)
        return f"Scaled to {self.height:.3g} m and {self.mass:.4g} kg"


class MANNEQUIN_OT_mirror_model(NeedsActor, bpy.types.Operator):
    """Make one side of the model the mirror image of the other.

    bpy.ops.mannequin.mirror_model(side="left")"""

    bl_idname = "mannequin.mirror_model"
    bl_label = "Mirror Model"
    bl_description = "Make one side of the model the mirror image of the other"

    side: EnumProperty(
        name="From",
        description="Side that is kept",
        items=[
            ("left", "Left to Right", "Keep the left side"),
            ("right", "Right to Left", "Keep the right side"),
        ],
    )

    def run(self, context: bpy.types.Context) -> str:
        """Mirror."""
        written = edit_model_of(
            active_actor(context), context.scene, lambda model: mirror_model(model, self.side)
        )
        return f"Mirrored {len(written)} bodies"


CLASSES = (
    MANNEQUIN_OT_add_actor,
    MANNEQUIN_OT_new_model,
    MANNEQUIN_OT_duplicate_actor,
    MANNEQUIN_OT_delete_actor,
    MANNEQUIN_OT_load_meshes,
    MANNEQUIN_OT_update_rig,
    MANNEQUIN_OT_scale_actor,
    MANNEQUIN_OT_mirror_model,
)
