"""Panels of the model: actor, body, ellipsoid, materials, connections."""

import bpy

from ..scene.model.edit_actor import has_dragged_joint
from ..scene.store.actors import active_actor, active_bone, active_of_kind
from .base import (
    ORDER,
    ClosedPanel,
    MannequinPanel,
    draw_buttons,
    draw_list,
    draw_optional,
    draw_properties,
    use_columns,
    values_of,
)
from .curves import draw_curve, draw_optional_curve

FORCE = ("Penetration (m)", "Force (N)")
"""Columns of a force curve."""


class MANNEQUIN_PT_model(MannequinPanel, bpy.types.Panel):
    """Actors: add, import, export, change as a whole."""

    bl_order = ORDER["model"]

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons of the whole model."""
        layout, actor = self.layout, active_actor(context)
        if actor is None:
            layout.operator("mannequin.open_example", icon="FILE_MOVIE")
        layout.operator("mannequin.add_person", icon="USER")
        row = layout.row(align=True)
        row.operator("mannequin.add_vehicle", icon="AUTO")
        row.operator("mannequin.vehicle_from_mesh", text="From Mesh", icon="MESH_DATA")
        row = layout.row(align=True)
        row.operator("mannequin.add_actor", icon="ADD")
        row.operator("mannequin.new_model", icon="FILE_NEW")
        row = layout.row(align=True)
        row.operator("mannequin.import_model", icon="IMPORT")
        row.operator("mannequin.export_model", icon="EXPORT")
        if actor is None:
            layout.label(text="Select an actor, or add one", icon="INFO")
            return
        column = use_columns(layout)
        column.prop(actor, "name", text="Actor")
        column.prop(actor.data.mannequin, "name", text="Model")
        draw_buttons(layout, duplicate_actor="Duplicate", delete_actor="Delete")
        row = layout.row(align=True)
        row.operator("mannequin.scale_actor", text="Scale...")
        row.operator_menu_enum("mannequin.mirror_model", "side", text="Mirror")
        if has_dragged_joint(actor):
            layout.label(text="A joint was moved: update the rig", icon="ERROR")
        layout.operator("mannequin.update_rig", icon="FILE_REFRESH")
        layout.operator("mannequin.toggle_limits", icon="CON_ROTLIMIT")


class MANNEQUIN_PT_body(MannequinPanel, bpy.types.Panel):
    """The active body."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = 0
    needs = staticmethod(active_actor)

    def draw(self, context: bpy.types.Context) -> None:
        """Mass properties, and buttons of bodies."""
        layout, bone = self.layout, active_bone(context)
        draw_buttons(layout, add_body="Add", duplicate_body="Duplicate", delete_body="Delete")
        if bone is None:
            layout.label(text="Select a bone, an ellipsoid or a joint", icon="INFO")
            return
        layout.label(text=bone.name, icon="BONE_DATA")
        if context.object.mannequin.kind == "MESH":
            use_columns(layout).prop(context.object.mannequin.mesh, "path", text="Mesh File")
        draw_buttons(layout, rename_body="Rename...", change_parent="Parent...")
        column = use_columns(layout)
        draw_properties(column, bone.mannequin, ("mass", "center_of_mass", "role", "flesh"))
        draw_inertia(column, bone.mannequin)
        draw_properties(column, bone.mannequin, ("description", "source", "density"))
        layout.label(text="Mass from Density and")
        row = layout.row(align=True)
        for source, text in (("ELLIPSOIDS", "Ellipsoids"), ("MESH", "Selected Mesh")):
            button = row.operator("mannequin.compute_mass", text=text)
            button.source, button.density = source, bone.mannequin.density


def draw_inertia(layout: bpy.types.UILayout, body: bpy.types.PropertyGroup) -> None:
    """The six numbers of the inertia tensor, each under its name."""
    layout.label(text=body.bl_rna.properties["inertia"].name)
    grid = layout.column(align=True)
    grid.use_property_split = False
    for names, first in ((("xx", "yy", "zz"), 0), (("xy", "yz", "xz"), 3)):
        row = grid.row(align=True)
        for k, name in enumerate(names):
            column = row.column(align=True)
            column.label(text=name)
            column.prop(body, "inertia", index=first + k, text="")


class MANNEQUIN_PT_ellipsoid(MannequinPanel, bpy.types.Panel):
    """The active ellipsoid."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = 2
    needs = staticmethod(active_bone)

    def draw(self, context: bpy.types.Context) -> None:
        """Size, material and source."""
        layout, obj = self.layout, context.object
        draw_buttons(layout, add_ellipsoid="Add", duplicate_ellipsoid="Duplicate", delete_ellipsoid="Delete")
        if obj is None or obj.mannequin.kind != "ELLIPSOID":
            layout.label(text="Select an ellipsoid to edit it", icon="INFO")
            return
        row = layout.row(align=True)
        row.label(text=obj.name, icon="MESH_UVSPHERE")
        row.operator("mannequin.rename_ellipsoid", text="Rename...")
        column = use_columns(layout)
        column.prop(obj, "scale", text="Semi-Axes")
        column.prop(obj, "dimensions")
        column.prop(obj.mannequin.ellipsoid, "material")
        column.prop(obj.mannequin.ellipsoid, "source")
        layout.operator("mannequin.reset_ellipsoid_mesh")


class MANNEQUIN_PT_force_curve(MannequinPanel, bpy.types.Panel):
    """Force curve of the active ellipsoid."""

    bl_parent_id = "MANNEQUIN_PT_ellipsoid"
    needs = staticmethod(lambda context: active_of_kind(context, "ELLIPSOID"))

    def draw(self, context: bpy.types.Context) -> None:
        """Points beside a live plot."""
        layout, group = self.layout, context.object.mannequin.ellipsoid
        layout.operator("mannequin.apply_curve_preset", icon="PRESET")
        if not group.force_curve:
            layout.label(text="None: its material's is used", icon="INFO")
        unloading = group.unload_curve if group.use_unload_curve else ()
        draw_curve(layout, group, "force_curve", "force_curve", FORCE, ("m", "N"), beside=unloading)
        layout.prop(group, "use_unload_curve")
        if group.use_unload_curve:
            draw_list(layout, group, "unload_curve", "unload_curve", "MANNEQUIN_UL_rows", rows=4)


class NeedsActorPanel(ClosedPanel):
    """Mixin of sub-panels of the model that are shown while an actor is active."""

    bl_parent_id = "MANNEQUIN_PT_model"
    needs = staticmethod(active_actor)


class MANNEQUIN_PT_materials(NeedsActorPanel, bpy.types.Panel):
    """Contact materials of the model."""

    bl_label = "Contact Materials"
    bl_order = 3

    def draw(self, context: bpy.types.Context) -> None:
        """List, and the active material."""
        group = active_actor(context).data.mannequin
        material = draw_list(self.layout, group, "materials", "materials")
        if material is None:
            return
        draw_material(use_columns(self.layout), material)
        if material.law == "curve":
            self.layout.label(text="Loading")
            unloading = material.unloading if material.use_unloading else ()
            draw_curve(self.layout, material, "loading", "material_loading", FORCE, ("m", "N"), unloading)
            if material.use_unloading:
                self.layout.label(text="Unloading")
                draw_list(
                    self.layout, material, "unloading", "material_unloading", "MANNEQUIN_UL_rows", rows=4
                )
            self.layout.label(text="Factor over Touch Speed (m/s)")
            draw_list(self.layout, material, "rate_factors", "material_rates", "MANNEQUIN_UL_rows", rows=2)


def draw_material(layout: bpy.types.UILayout, material: bpy.types.PropertyGroup) -> None:
    """Properties of a contact material that its law uses."""
    layout.prop(material, "law")
    if material.law == "curve":
        layout.prop(material, "use_unloading")
    draw_properties(layout, material, filter(material.counts, values_of(material)))
    draw_properties(layout, material, ("static_friction", "dynamic_friction", "viscous_friction", "source"))


class MANNEQUIN_PT_connections(NeedsActorPanel, bpy.types.Panel):
    """Springs, belts, welds, couplers and wheels inside the model."""

    bl_order = 4

    def draw(self, context: bpy.types.Context) -> None:
        """A list of each, and its active item."""
        group = active_actor(context).data.mannequin
        for attribute in ("springs", "belts", "welds", "couplers", "wheels"):
            self.layout.label(text=attribute.title())
            item = draw_list(self.layout, group, attribute, attribute, rows=2)
            if item is not None:
                draw_connection(use_columns(self.layout), item)
                draw_inner_list(self.layout, item, "spring_curve", "belt_points")


def draw_connection(
    layout: bpy.types.UILayout, item: bpy.types.PropertyGroup, with_actor: bool = False
) -> None:
    """Properties of a spring, belt, weld or coupler, and the points it ties."""
    draw_properties(layout, item)
    points = [("Start", item.start), ("End", item.end)] if hasattr(item, "start") else []
    points += [(f"Point {k + 1}", part.point) for k, part in enumerate(getattr(item, "path", ()))]
    for text, point in points:
        column = layout.column(heading=text)
        if with_actor:
            column.prop(point, "actor", text="Actor")
        column.prop(point, "body", text="Body")
        column.prop(point, "position", text="Position")


def draw_inner_list(
    layout: bpy.types.UILayout, item: bpy.types.PropertyGroup, curve_list: str, belt_list: str
) -> None:
    """Force curve of a spring, or the points of a belt."""
    if item.bl_rna.identifier == "MannequinSpringDamper" and curve_list:
        draw_optional_curve(layout, item, "curve", curve_list, ("Extension (m)", "Force (N)"), ("m", "N"))
    elif item.bl_rna.identifier == "MannequinBelt":
        draw_list(layout, item, "path", belt_list, "MANNEQUIN_UL_belt")


class MANNEQUIN_PT_contact_pairs(NeedsActorPanel, bpy.types.Panel):
    """Pairs of bodies that never touch, or touch although they are close in the tree."""

    bl_label = "Self-Contact Pairs"
    bl_order = 5

    def draw(self, context: bpy.types.Context) -> None:
        """Excluded pairs, then included ones."""
        group = active_actor(context).data.mannequin
        self.layout.label(text="Excluded")
        draw_list(self.layout, group, "contact_exclude", "contact_exclude")
        self.layout.label(text="Included")
        draw_list(self.layout, group, "contact_include", "contact_include")


class MANNEQUIN_PT_model_details(NeedsActorPanel, bpy.types.Panel):
    """Name, version and source of the model."""

    bl_label = "Details"
    bl_order = 6

    def draw(self, context: bpy.types.Context) -> None:
        """Properties of the model."""
        group = active_actor(context).data.mannequin
        column = use_columns(self.layout)
        draw_properties(column, group, ("description", "version", "citation", "sex"))
        draw_optional(column, group, "height")
        column.prop(group, "folder")
        column.prop(active_actor(context).mannequin.actor, "model_reference")
        self.layout.operator("mannequin.load_meshes", icon="MESH_DATA")
