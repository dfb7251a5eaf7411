"""Operators on bodies."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, StringProperty

from ..models.editing import edit as edit_model
from ..scene.base.errors import SceneError
from ..scene.model import edit_parts
from ..scene.model.edit_actor import rename_body
from ..scene.store.actors import active_actor, active_bone
from .base import Asks, NeedsActor, NeedsBody


def search_bodies(self: object, context: bpy.types.Context, edit_text: str) -> list[str]:
    """Names of the actor's bodies."""
    actor = active_actor(context)
    return [b.name for b in actor.data.bones if b.mannequin.is_body and edit_text.lower() in b.name.lower()]


class MANNEQUIN_OT_add_body(Asks, NeedsActor, bpy.types.Operator):
    """Add a body with an ellipsoid, joined to a parent body at the 3D cursor or at a point.

    bpy.ops.mannequin.add_body(name="tail", parent="pelvis", joint_type="revolute", position=(-0.1, 0, 1))
    """

    name: StringProperty(description="Name of the body", default="body")
    parent: StringProperty(description="Body it is joined to; empty: the active one", search=search_bodies)
    joint_type: EnumProperty(name="Joint", description="Type of its joint", items=edit_parts.LIMB_ITEMS)
    at_cursor: BoolProperty(description="Put it at the 3D cursor")
    position: FloatVectorProperty(
        name="Position (m)", description="Place in the actor at rest, where not at the cursor", subtype="XYZ"
    )

    def begin_with(self, context: bpy.types.Context) -> None:
        """The active body and the cursor."""
        bone = active_bone(context)
        self.parent = bone.name if bone else ""
        self.at_cursor = True

    def run(self, context: bpy.types.Context) -> str:
        actor, bone = active_actor(context), active_bone(context)
        parent = self.parent or (bone.name if bone else None)
        point = edit_parts.cursor_in_actor(actor, context.scene) if self.at_cursor else self.position
        kind = self.joint_type if parent else ""
        name = edit_parts.add_body(actor, context.scene, self.name, parent, kind, point)
        actor.data.bones.active = actor.data.bones[name]
        return f"Added body '{name}'"


class MANNEQUIN_OT_duplicate_body(NeedsBody, bpy.types.Operator):
    """Copy the body with its ellipsoids and its joint.

    bpy.ops.mannequin.duplicate_body(shift=(0, 0.2, 0))
    """

    shift: FloatVectorProperty(
        name="Shift (m)", description="Shift of the copy in the actor", default=(0.0, 0.1, 0.0), subtype="XYZ"
    )

    def run(self, context: bpy.types.Context) -> str:
        actor, name = active_actor(context), active_bone(context).name
        made = self.edit(context, lambda model: edit_model.duplicate_body(model, name, self.shift).name)
        actor.data.bones.active = actor.data.bones[made]
        return f"Added body '{made}'"


class MANNEQUIN_OT_delete_body(NeedsBody, bpy.types.Operator):
    """Delete the body, its ellipsoids and its joint; its children are joined to its parent."""

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and keep the actor active."""
        actor, name = active_actor(context), active_bone(context).name
        if sum(bone.mannequin.is_body for bone in actor.data.bones) == 1:
            self.report({"WARNING"}, "The model has no body left")
        context.view_layer.objects.active = actor
        self.edit(context, lambda model: edit_model.remove_body(model, name))
        return f"Deleted body '{name}'"


class MANNEQUIN_OT_rename_body(Asks, NeedsBody, bpy.types.Operator):
    """Rename the body and every reference to it.

    bpy.ops.mannequin.rename_body(name="left_hand")
    """

    name: StringProperty(description="New name")

    def begin_with(self, context: bpy.types.Context) -> None:
        self.name = active_bone(context).name

    def run(self, context: bpy.types.Context) -> str:
        old = active_bone(context).name
        rename_body(active_actor(context), old, self.name)
        return f"Renamed '{old}' to '{self.name}'"


class MANNEQUIN_OT_change_parent(Asks, NeedsBody, bpy.types.Operator):
    """Join the body to another parent without moving it.

    bpy.ops.mannequin.change_parent(parent="pelvis")
    """

    parent: StringProperty(description="New parent body; empty: the ground", search=search_bodies)

    def run(self, context: bpy.types.Context) -> str:
        name = active_bone(context).name
        actor, parent = active_actor(context), self.parent or None
        if parent is not None and parent not in actor.data.bones:
            raise SceneError(f"'{actor.name}' has no body '{parent}'")
        self.edit(context, lambda model: edit_model.set_parent(model, name, parent))
        return f"'{name}' is joined to {parent or 'the ground'}"


class MANNEQUIN_OT_compute_mass(NeedsBody, bpy.types.Operator):
    """Compute mass, centre of mass and inertia from a density and the ellipsoids or a closed mesh.

    bpy.ops.mannequin.compute_mass(source="ELLIPSOIDS", density=1000.0)
    """

    bl_label = "Compute Mass Properties"

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
