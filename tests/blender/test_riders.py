"""Two-wheelers in Blender: added, drawn on their bones, read back as they were, and ridden by who is selected."""

import pytest

from mannequin.models.vehicles.light.build import build_light_vehicle
from mannequin.models.vehicles.light.kinds import LIGHT_VEHICLES


@pytest.fixture
def ops(blender):
    return blender.ops.mannequin


def added(blender, ops, **values):
    ops.add_vehicle(**values)
    return blender.context.view_layer.objects.active


def test_a_scooter_is_added_drawn_and_read_back(blender, ops):
    """Every body carries its own piece; what is read is what the kind and a dimension given make."""
    from dataclasses import replace

    from mannequin.scene.model.read import read_model

    actor = added(blender, ops, kind="scooter", seat_height=0.75, length=9.0)
    skins = {child.parent_bone for child in actor.children if child.get("mannequin_skin")}
    assert skins == {"frame", "fork", "front_wheel", "rear_wheel"}
    expected = build_light_vehicle(replace(LIGHT_VEHICLES["scooter"], seat_height=0.75))
    assert read_model(actor) == expected


@pytest.mark.long
def test_the_selected_person_is_put_on_and_held(blender, ops):
    """Person selected, vehicle active: pose and holds are those of the function, once, however often it is asked."""
    from mannequin.models.library import load_model
    from mannequin.models.scenarios.riding import mount
    from mannequin.scene.scenario.scenario import read_scenario

    ops.add_actor(model="male")
    person = blender.context.view_layer.objects.active
    vehicle = added(blender, ops, kind="city_bicycle", with_look=False)
    person.select_set(True)
    for _ in range(2):
        assert ops.add_rider() == {"FINISHED"}
        scenario = read_scenario(blender.context.scene)
        assert len(scenario.actors) == 2 and len(scenario.welds) == 5
    bike = next(actor for actor in scenario.actors if actor.model.light_vehicle is not None)
    rider = next(actor for actor in scenario.actors if actor is not bike)
    assert rider.model == load_model("male")
    again = mount(rider, bike)
    assert rider.joint_angles["kneelJnt"] == pytest.approx(again.rider.joint_angles["kneelJnt"], abs=1e-3)
    assert {weld.break_force for weld in scenario.welds} == {weld.break_force for weld in again.welds}
    assert {point.actor for weld in scenario.welds for point in (weld.start, weld.end)} == {
        rider.name,
        bike.name,
    }
    assert vehicle.name and "mannequin.add_rider" in drawn(blender)


def drawn(blender):
    from panel_layout import draw_all

    return draw_all(blender)


@pytest.mark.long
def test_a_new_rider_where_nobody_is_selected_and_none_for_a_car(blender, ops):
    vehicle = added(blender, ops, kind="child_bicycle", with_look=False)
    assert ops.add_rider(model="child_6") == {"FINISHED"}
    assert len(blender.context.scene.mannequin.welds) == 5
    assert vehicle is not None
    added(blender, ops, kind="pram", with_look=False)
    with pytest.raises(RuntimeError, match="nobody rides"):
        ops.add_rider()
