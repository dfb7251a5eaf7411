"""Operators on bodies."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, StringProperty

from ..scene import edit_model, edit_parts
from ..scene.actors import active_actor, active_bone
from ..scene.edit_actor import edit_model_of, rename_body
from ..scene.errors import SceneError
from .base import NeedsActor, NeedsBody

JOINT_ITEMS = [
    ("spherical", "Spherical", "Turns about all axes"),
    ("revolute", "Revolute", "Turns about one axis"),
    ("fixed", "Fixed", "Does not move"),
]


def search_bodies(self: object, context: bpy.types.Context, edit_text: str) -> list[str]:
    """Names of the actor's bodies."""
    actor = active_actor(context)
    return [b.name for b in actor.data.bones if b.mannequin.is_body and edit_text.lower() in b.name.lower()]


class MANNEQUIN_OT_add_body(NeedsActor, bpy.types.Operator):
    """Add a body with an ellipsoid, joined to a parent body.

    bpy.ops.mannequin.add_body(name="tail", parent="pelvis", joint_type="revolute", position=(-0.1, 0, 1))"""

    bl_idname = "mannequin.add_body"
    bl_label = "Add Body"
    bl_description = "Add a body with an ellipsoid, joined to a parent body at the 3D cursor or at a point"

    name: StringProperty(name="Name", description="Name of the body", default="body")
    parent: StringProperty(
        name="Parent", description="Body it is joined to; empty: the active one", search=search_bodies
    )
    joint_type: EnumProperty(name="Joint", description="Type of its joint", items=JOINT_ITEMS)
    at_cursor: BoolProperty(name="At Cursor", description="Put it at the 3D cursor", default=False)
    position: FloatVectorProperty(
        name="Position (m)", description="Place in the actor at rest, where not at the cursor", subtype="XYZ"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the active body and the cursor."""
        bone = active_bone(context)
        self.parent = bone.name if bone else ""
        self.at_cursor = True
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Add."""
        actor, bone = active_actor(context), active_bone(context)
        parent = self.parent or (bone.name if bone else None)
        point = edit_parts.cursor_in_actor(actor, context.scene) if self.at_cursor else self.position
        kind = self.joint_type if parent else "free"
        name = edit_parts.add_body(actor, context.scene, self.name, parent, kind, point)
        actor.data.bones.active = actor.data.bones[name]
        return f"Added body '{name}'"


class MANNEQUIN_OT_duplicate_body(NeedsBody, bpy.types.Operator):
    """Copy the body with its ellipsoids and its joint.

    bpy.ops.mannequin.duplicate_body(shift=(0, 0.2, 0))"""

    bl_idname = "mannequin.duplicate_body"
    bl_label = "Duplicate Body"
    bl_description = "Copy the body with its ellipsoids and its joint"

    shift: FloatVectorProperty(
        name="Shift (m)", description="Shift of the copy in the actor", default=(0.0, 0.1, 0.0), subtype="XYZ"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Copy."""
        actor, name = active_actor(context), active_bone(context).name
        made = edit_model_of(
            actor, context.scene, lambda model: edit_model.duplicate_body(model, name, self.shift).name
        )
        actor.data.bones.active = actor.data.bones[made]
        return f"Added body '{made}'"


class MANNEQUIN_OT_delete_body(NeedsBody, bpy.types.Operator):
    """Delete the body; its children hang on its parent.

    bpy.ops.mannequin.delete_body()"""

    bl_idname = "mannequin.delete_body"
    bl_label = "Delete Body"
    bl_description = "Delete the body, its ellipsoids and its joint; its children hang on its parent"

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and keep the actor active."""
        actor, name = active_actor(context), active_bone(context).name
        if sum(bone.mannequin.is_body for bone in actor.data.bones) == 1:
            self.report({"WARNING"}, "The model has no body left")
        context.view_layer.objects.active = actor
        edit_model_of(actor, context.scene, lambda model: edit_model.remove_body(model, name))
        return f"Deleted body '{name}'"


class MANNEQUIN_OT_rename_body(NeedsBody, bpy.types.Operator):
    """Rename the body; what refers to it follows.

    bpy.ops.mannequin.rename_body(name="left_hand")"""

    bl_idname = "mannequin.rename_body"
    bl_label = "Rename Body"
    bl_description = "Rename the body; what refers to it follows"

    name: StringProperty(name="Name", description="New name")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the name it has."""
        self.name = active_bone(context).name
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Rename."""
        old = active_bone(context).name
        rename_body(active_actor(context), old, self.name)
        return f"Renamed '{old}' to '{self.name}'"


class MANNEQUIN_OT_change_parent(NeedsBody, bpy.types.Operator):
    """Hang the body on another one without moving it.

    bpy.ops.mannequin.change_parent(parent="pelvis")"""

    bl_idname = "mannequin.change_parent"
    bl_label = "Change Parent"
    bl_description = "Hang the body on another one without moving it"

    parent: StringProperty(
        name="Parent", description="Body to hang on; empty: the ground", search=search_bodies
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask."""
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> str:
        """Change."""
        name = active_bone(context).name
        actor, parent = active_actor(context), self.parent or None
        if parent is not None and parent not in actor.data.bones:
            raise SceneError(f"'{actor.name}' has no body '{parent}'")
        edit_model_of(actor, context.scene, lambda model: edit_model.set_parent(model, name, parent))
        return f"'{name}' hangs on {parent or 'the ground'}"


class MANNEQUIN_OT_compute_mass(NeedsBody, bpy.types.Operator):
    """Compute mass, centre of mass and inertia from a density.

    bpy.ops.mannequin.compute_mass(source="ELLIPSOIDS", density=1000.0)"""

    bl_idname = "mannequin.compute_mass"
    bl_label = "Compute Mass Properties"
    bl_description = (
        "Compute mass, centre of mass and inertia from a density and the ellipsoids or a closed mesh"
    )

    source: EnumProperty(
        name="From",
        description="Shape that is filled",
        items=[
            ("ELLIPSOIDS", "Ellipsoids", "All ellipsoids of the body; overlaps count twice"),
            ("MESH", "Selected Mesh", "The selected mesh, which must be closed"),
        ],
    )
    density: FloatProperty(name="Density (kg/m³)", description="Density", default=1000.0, soft_min=0.0)

    def run(self, context: bpy.types.Context) -> str:
        """Compute."""
        actor, name = active_actor(context), active_bone(context).name
        if self.source == "ELLIPSOIDS":
            mass = edit_parts.compute_from_ellipsoids(actor, context.scene, name, self.density)
        else:
            meshes = [
                o for o in context.selected_objects if o.type == "MESH" and o.mannequin.kind != "ELLIPSOID"
            ]
            if len(meshes) != 1:
                raise SceneError("Select one mesh besides the body")
            mass = edit_parts.compute_from_mesh(actor, context.scene, name, self.density, meshes[0])
        return f"'{name}' has {mass:.4g} kg"


CLASSES = (
    MANNEQUIN_OT_add_body,
    MANNEQUIN_OT_duplicate_body,
    MANNEQUIN_OT_delete_body,
    MANNEQUIN_OT_rename_body,
    MANNEQUIN_OT_change_parent,
    MANNEQUIN_OT_compute_mass,
)
