"""Panels without a window: each is drawn into a stand-in layout that checks every property, operator and icon it is
given, in every situation a user meets. How they look is checked in a real window (tests/gui)."""

from types import SimpleNamespace

import pytest
from authoring import full_scenario


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

    def label(self, text="", icon="NONE"):
        assert isinstance(text, str)
        self.check_icon(icon)

    def operator(self, name, text=None, icon="NONE"):
        self.check_icon(icon)
        group, operator = name.split(".")
        rna = getattr(getattr(self.bpy.ops, group), operator).get_rna_type()
        self.drawn.append(name)
        return Button(rna)

    def operator_menu_enum(self, name, prop, text=None, icon="NONE"):
        button = self.operator(name, icon=icon)
        assert button.rna.properties[prop].type == "ENUM"

    def template_list(self, ui_list, key, owner, attribute, index_owner, index, rows=3):
        assert hasattr(self.bpy.types, ui_list)
        assert owner.bl_rna.properties[attribute].type == "COLLECTION"
        assert index_owner.bl_rna.properties[index].type == "INT"
        cls = getattr(self.bpy.types, ui_list)
        for k, item in enumerate(getattr(owner, attribute)):
            cls.draw_item(None, self.bpy.context, self, owner, item, 0, owner, index, k)

    def template_icon(self, icon_value, scale):
        pass


def panels():
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".panels." in m.__name__]
    return [c for m in modules for c in m.CLASSES if c.__name__.startswith("MANNEQUIN_PT_") and in_tab(c)]


def in_tab(cls):
    return getattr(cls, "bl_category", "") == "Mannequin"


def draw_all(bpy):
    """Draw every panel that shows itself; returns what was drawn."""
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


SITUATIONS = {
    "empty scene": "",
    "actor": "victim",
    "ellipsoid": "thigh_part_1",
    "joint": "hip",
    "obstacle": "kerb",
    "revolute": "knee",
    "muscle": "rectus",
    "wrap surface": "knee cap",
}


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("validated", [False, True])
def test_every_panel_draws(blender, situation, validated):
    from mannequin.scene.scenario import build_scenario

    name = SITUATIONS[situation]
    if name:
        build_scenario(full_scenario(), blender.context.scene)
        blender.context.view_layer.objects.active = blender.data.objects[name]
        if validated:
            blender.data.objects["victim"].data.bones["foot"].mannequin.mass = 0
    if validated:
        blender.ops.mannequin.validate()
    drawn = draw_all(blender)
    assert "mannequin.add_actor" in drawn
    expected = {
        "actor": "velocity",
        "ellipsoid": "force_curve",
        "joint": "lower",
        "obstacle": "shape",
        "revolute": "damping",
        "muscle": "optimal_fibre_length",
        "wrap surface": "use_length",
    }
    if situation == "ellipsoid":
        assert {"x", "y", "material"} <= set(drawn)
    elif name:
        assert expected[situation] in drawn
    assert ("mannequin.select_culprit" in drawn) == validated


def test_panels_stand_in_the_order_of_work(blender):
    tops = sorted((c for c in panels() if not hasattr(c, "bl_parent_id")), key=lambda c: c.bl_order)
    labels = [c.bl_label for c in tops]
    wanted = ["Model", "Scenario", "Environment", "Simulate", "Results", "Render", "View"]
    assert [label for label in wanted if label in labels] == labels
    assert labels[:3] == wanted[:3]


def test_every_setting_can_be_reached(blender):
    """What no panel shows cannot be changed by a user."""
    from mannequin.scene.scenario import build_scenario

    build_scenario(full_scenario(), blender.context.scene)
    blender.context.view_layer.objects.active = blender.data.objects["victim"]
    blender.context.scene.mannequin.settings.integrator = "variable_step"
    drawn = set(draw_all(blender))
    settings = blender.context.scene.mannequin.settings.bl_rna.properties.keys()
    assert set(settings) - {"rna_type", "name", "original"} <= drawn


def test_plot_of_a_curve():
    """The highest point of the curve is at the top right of the plot, the corner of the axes bottom left."""
    import numpy as np

    from mannequin.scene.curve_plot import COLORS, MARGIN, SIZE, plot

    picture = plot([[(0, 0), (0.05, 20000), (0.1, 10000)]], ("m", "N"))
    assert picture.shape == (SIZE, SIZE, 4)
    blue = np.argwhere(np.abs(picture - np.array(COLORS[0]) / 255).max(axis=2) < 0.01)
    left, top, right, below = MARGIN
    assert abs(blue[:, 0].min() - (top - 3)) <= 1  # three pixels of the dot above the top
    middle = (left + SIZE - right) / 2
    at_top = blue[blue[:, 0] == blue[:, 0].min()][:, 1]
    assert abs(at_top.mean() - middle) <= 1.5
    assert abs(blue[:, 1].max() - (SIZE - right + 3)) <= 1


def test_plot_of_a_table_with_negative_numbers(blender):
    """Two columns over time, one below zero: the zero line lies between them in the ratio of their ends."""
    import numpy as np

    from mannequin.scene.curve_plot import COLORS, MARGIN, SIZE, plot, series_of

    build_table(blender, [(0.0, -10.0, 0.0, 0.0), (1.0, -10.0, 0.0, 30.0)])
    motor = blender.context.scene.test_motor
    series = series_of(motor.target_over_time)
    assert [curve[-1] for curve in series] == [(1.0, -10.0), (1.0, 0.0), (1.0, 30.0)]
    picture = plot(series, ("s", "°"))
    left, top, right, below = MARGIN
    first = np.argwhere(np.abs(picture - np.array(COLORS[0]) / 255).max(axis=2) < 0.01)
    assert abs(first[:, 0].max() - (SIZE - below + 3)) <= 1  # the lowest curve lies along the lower edge
    zero = np.argwhere(np.abs(picture - np.array(COLORS[1]) / 255).max(axis=2) < 0.01)
    expected = SIZE - below - (SIZE - top - below) * 10 / 40
    assert abs(np.median(zero[:, 0]) - expected) <= 1.5
    del blender.types.Scene.test_motor


def build_table(blender, rows):
    from mannequin.engine.spec import Motor
    from mannequin.scene import fields
    from mannequin.scene.properties_model import MannequinMotor

    blender.types.Scene.test_motor = blender.props.PointerProperty(type=MannequinMotor)
    fields.write_group(blender.context.scene.test_motor, Motor(target_over_time=tuple(rows)))
