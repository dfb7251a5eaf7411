"""Panels without a window: each is drawn into a stand-in layout that checks every property, operator and icon it is
given, in every situation a user meets. How they look is checked in a real window (tests/gui)."""

import pytest
from authoring import full_scenario
from panel_layout import draw_all, panels

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
    from mannequin.scene.scenario.scenario import build_scenario

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
    assert ("mannequin.select_finding" in drawn) == validated


def test_panels_stand_in_the_order_of_work(blender):
    tops = sorted((c for c in panels() if not hasattr(c, "bl_parent_id")), key=lambda c: c.bl_order)
    labels = [c.bl_label for c in tops]
    wanted = [
        "Check-List",
        "Model",
        "Scenario",
        "Environment",
        "Simulate",
        "Results",
        "Render",
        "Place",
        "View",
    ]
    assert [label for label in wanted if label in labels] == labels
    assert labels[:3] == wanted[:3]


def test_every_setting_can_be_reached(blender):
    """What no panel shows cannot be changed by a user."""
    from mannequin.scene.scenario.scenario import build_scenario

    build_scenario(full_scenario(), blender.context.scene)
    blender.context.view_layer.objects.active = blender.data.objects["victim"]
    blender.context.scene.mannequin.settings.integrator = "variable_step"
    drawn = set(draw_all(blender))
    settings = blender.context.scene.mannequin.settings.bl_rna.properties.keys()
    assert set(settings) - {"rna_type", "name", "original"} <= drawn


def test_plot_of_a_curve():
    """The highest point of the curve is at the top right of the plot, the corner of the axes bottom left."""
    import numpy as np

    from mannequin.scene.show.curve_plot import COLORS, MARGIN, SIZE, plot

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

    from mannequin.scene.show.curve_plot import COLORS, MARGIN, SIZE, plot, series_of

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
    from mannequin.scene.store import fields
    from mannequin.scene.store.groups import GROUPS

    blender.types.Scene.test_motor = blender.props.PointerProperty(type=GROUPS[Motor])
    fields.write_group(blender.context.scene.test_motor, Motor(target_over_time=tuple(rows)))
