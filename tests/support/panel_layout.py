"""A stand-in for Blender's layout: panels are drawn without a window, and every property, operator and icon they give
it is checked and noted."""

from functools import partial
from types import SimpleNamespace


class Button:
    """Stand-in for the properties of an operator button: only what the operator has can be set."""

    def __init__(self, rna):
        object.__setattr__(self, "rna", rna)

    def __setattr__(self, name, value):
        prop = self.rna.properties[name]  # KeyError: the operator has no such property
        if prop.type == "ENUM" and prop.enum_items:
            assert value in prop.enum_items.keys(), (name, value)


class Layout:
    """Stand-in for a layout."""

    def __init__(self, bpy, drawn, icons):
        object.__setattr__(self, "bpy", bpy)
        object.__setattr__(self, "drawn", drawn)
        object.__setattr__(self, "icons", icons)

    def __setattr__(self, name, value):
        assert name in (
            "active",
            "enabled",
            "use_property_split",
            "use_property_decorate",
            "alignment",
            "scale_y",
            "operator_context",
        ), name

    def row(self, align=False, heading=""):
        return self

    def column(self, align=False, heading=""):
        return self

    def split(self, factor=0.0, align=False):
        assert 0.0 <= factor <= 1.0
        return self

    def box(self):
        return self

    def check_icon(self, icon):
        assert icon in self.icons, icon

    def prop(self, data, name, text=None, emboss=True, icon="NONE", index=-1):
        assert name in data.bl_rna.properties, (data, name)
        assert index < 0 or index < data.bl_rna.properties[name].array_length
        getattr(data, name)
        self.check_icon(icon)
        self.drawn.append(name)
        self.drawn.append((data.bl_rna.identifier, name))

    def label(self, text="", icon="NONE"):
        assert isinstance(text, str)
        self.check_icon(icon)

    def operator(self, name, text=None, icon="NONE", depress=False):
        self.check_icon(icon)
        group, operator = name.split(".")
        rna = getattr(getattr(self.bpy.ops, group), operator).get_rna_type()
        self.drawn.append(name)
        return Button(rna)

    def operator_menu_enum(self, name, prop, text=None, icon="NONE"):
        button = self.operator(name, icon=icon)
        assert button.rna.properties[prop].type == "ENUM"

    def menu(self, name, icon="NONE"):
        assert hasattr(self.bpy.types, name), name
        self.check_icon(icon)
        self.drawn.append(name)

    def separator(self):
        pass

    def template_list(self, ui_list, key, owner, attribute, index_owner, index, rows=3):
        assert hasattr(self.bpy.types, ui_list)
        assert owner.bl_rna.properties[attribute].type == "COLLECTION"
        assert index_owner.bl_rna.properties[index].type == "INT"
        cls = getattr(self.bpy.types, ui_list)
        shown = SimpleNamespace(draw_row=partial(cls.draw_row, None))  # Blender alone can make a list
        for k, item in enumerate(getattr(owner, attribute)):
            cls.draw_item(shown, self.bpy.context, self, owner, item, 0, owner, index, k)

    def template_icon(self, icon_value, scale):
        pass


def panels():
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".panels." in m.__name__]
    return [
        c
        for m in modules
        for c in mannequin.registration.classes_of(m)
        if c.__name__.startswith("MANNEQUIN_PT_") and in_tab(c)
    ]


def in_tab(cls):
    return getattr(cls, "bl_category", "") == "Mannequin"


def draw_all(bpy):
    """Draw every panel that shows itself; returns the names of what was drawn: properties, by themselves and with the
    type they belong to, and operators."""
    icons = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys()
    drawn = []
    for cls in panels():
        if not hasattr(cls, "poll") or cls.poll(bpy.context):
            panel = SimpleNamespace(
                layout=Layout(bpy, drawn, set(icons)),
                **{name: getattr(cls, name) for name in ("part", "names") if hasattr(cls, name)},
            )
            if "draw_header" in dir(cls) and hasattr(cls, "part"):
                cls.draw_header(panel, bpy.context)
            cls.draw(panel, bpy.context)
    return drawn
