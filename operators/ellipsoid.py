"""Operators on ellipsoids."""

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..scene.model import edit_parts
from ..scene.store.actors import active_actor, active_bone, actor_of
from .base import Asks, NeedsBody, NeedsKind, kept_items, select_only


@kept_items
def preset_items() -> list[tuple]:
    """Force curves by body region."""
    names = edit_parts.curve_presets()
    return [(n, n.replace("_", " ").title(), f"Force curve of the {n.replace('_', ' ')}") for n in names]


class NeedsEllipsoid(NeedsKind):
    """Mixin: disabled unless an ellipsoid is active."""

    kind = "ELLIPSOID"


class MANNEQUIN_OT_add_ellipsoid(NeedsBody, bpy.types.Operator):
    """Add an ellipsoid to the body, at its centre of mass or at the 3D cursor.

    bpy.ops.mannequin.add_ellipsoid(name="palm")
    """

    name: StringProperty(description="Name of the ellipsoid; empty: the body's")
    at_cursor: BoolProperty(description="Put it at the 3D cursor")

    def run(self, context: bpy.types.Context) -> str:
        """Add, and select it for moving and scaling."""
        actor, bone = active_actor(context), active_bone(context)
        made = edit_parts.add_ellipsoid(actor, context.scene, bone.name, self.name, self.at_cursor)
        select_only(context, bpy.data.objects[made])
        return f"Added ellipsoid '{made}'"


class MANNEQUIN_OT_duplicate_ellipsoid(NeedsEllipsoid, bpy.types.Operator):
    """Copy the ellipsoid on its body."""

    def run(self, context: bpy.types.Context) -> str:
        """Copy, and select the copy."""
        copy = edit_parts.duplicate_ellipsoid(context.object)
        select_only(context, copy)
        return f"Added ellipsoid '{copy.name}'"


class MANNEQUIN_OT_delete_ellipsoid(NeedsEllipsoid, bpy.types.Operator):
    """Delete the ellipsoid."""

    def run(self, context: bpy.types.Context) -> str:
        """Delete, and make its actor active."""
        obj, actor = context.object, actor_of(context.object)
        name = obj.name
        select_only(context, actor)
        bpy.data.objects.remove(obj)
        return f"Deleted ellipsoid '{name}'"


class MANNEQUIN_OT_rename_ellipsoid(Asks, NeedsEllipsoid, bpy.types.Operator):
    """Rename the ellipsoid.

    bpy.ops.mannequin.rename_ellipsoid(name="palm")
    """

    name: StringProperty(description="New name")

    def begin_with(self, context: bpy.types.Context) -> None:
        self.name = context.object.mannequin.ellipsoid.name

    def run(self, context: bpy.types.Context) -> None:
        edit_parts.rename_part(context.object, self.name)


class MANNEQUIN_OT_reset_ellipsoid_mesh(NeedsEllipsoid, bpy.types.Operator):
    """Restore the ellipsoid's unit sphere after its mesh was edited."""

    def run(self, context: bpy.types.Context) -> None:
        edit_parts.reset_ellipsoid_mesh(context.object)


class MANNEQUIN_OT_apply_curve_preset(NeedsEllipsoid, bpy.types.Operator):
    """Give the selected ellipsoids the force curve of a body region, with its source.

    bpy.ops.mannequin.apply_curve_preset(preset="head")
    """

    bl_property = "preset"

    preset: EnumProperty(name="Region", description="Body region", items=preset_items)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Search the regions."""
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        """Apply to all selected ellipsoids."""
        chosen = {context.object, *(o for o in context.selected_objects if o.mannequin.kind == "ELLIPSOID")}
        for obj in chosen:
            edit_parts.apply_curve_preset(obj, self.preset)
        return f"Gave {len(chosen)} ellipsoids the curve of '{self.preset}'"
