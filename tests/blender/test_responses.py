"""A person's response in Blender: built, changed, read back, shown in its panel and marked in the film."""

import numpy as np
import pytest
from panel_layout import draw_all


@pytest.fixture
def scene_with_response(blender):
    from mannequin.models.scenarios.active import trip_reach
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    build_scenario(trip_reach(), scene)
    return scene, blender.data.objects["man"]


def test_a_response_is_built_changed_and_read_back(blender, scene_with_response):
    from mannequin.engine import Response
    from mannequin.scene.scenario.scenario import read_scenario

    scene, man = scene_with_response
    assert read_scenario(scene).actors[0].response == Response("adult", arming="touch")
    group = man.mannequin.actor
    group.response.preset = "elderly"
    group.response.use_latency, group.response.latency = True, 0.25
    group.response.use_knock_out, group.response.knock_out = True, 120.0
    changed = read_scenario(scene).actors[0].response
    assert changed == Response("elderly", arming="touch", latency=0.25, knock_out=120.0)
    group.use_response = False
    assert read_scenario(scene).actors[0].response is None


def test_its_panel_shows_every_number(blender, scene_with_response):
    _, man = scene_with_response
    blender.context.view_layer.objects.active = man
    drawn = set(draw_all(blender))
    shown = set(man.mannequin.actor.response.bl_rna.properties.keys()) - {"rna_type", "name", "original"}
    assert shown <= drawn and "use_response" in drawn


def test_phases_are_marked_where_the_pelvis_is(blender, scene_with_response):
    from responses_seen import events_of

    from mannequin.engine import run
    from mannequin.scene.scenario.scenario import read_scenario
    from mannequin.scene.show.traces.marks import response_events

    scene, _ = scene_with_response
    scenario = read_scenario(scene)
    scenario.settings.duration = 0.3
    recording = run(scenario)
    marks = dict(response_events(recording))
    times = events_of(recording, "man")
    assert set(marks) == {f"man {phase}" for phase in times} and "man responds" in marks
    pelvis = recording.body_index("man", "pelvis")
    for phase, time in times.items():
        mark = marks[f"man {phase}"]
        assert mark["peak_time"] == time and mark["body_b"] == pelvis
        place = [np.interp(time, recording.times, column) for column in recording.position[:, pelvis].T]
        np.testing.assert_allclose(mark["point"], place, atol=2e-3)


def test_a_shove_is_a_pulse_of_its_impulse(blender, scene_with_response):
    """The half sine's area, 2/pi of peak times duration, along the heading; a body that is not there is told."""
    from mannequin.scene.scenario.scenario import read_scenario

    scene, man = scene_with_response
    blender.context.view_layer.objects.active = man
    done = blender.ops.mannequin.shove(impulse=45.0, contact_time=0.15, start=0.3, heading=120.0)
    assert done == {"FINISHED"}
    (pulse,) = read_scenario(scene).actors[0].force_pulses
    area = np.array(pulse.peak) * pulse.duration * 2.0 / np.pi
    np.testing.assert_allclose(area, (45.0 * np.cos(2.0944), 45.0 * np.sin(2.0944), 0.0), atol=0.01)
    assert pulse.body == "UpperBack" and pulse.start == pytest.approx(0.3)
    with pytest.raises(RuntimeError, match="no body 'tail' to be shoved"):
        blender.ops.mannequin.shove(body="tail")


def test_a_hand_grips_what_is_at_its_palm(blender):
    """The hand of the shipped pair, and a wrist's bearer too far away; a rail where nobody else is selected."""
    from mannequin.models.scenarios.active import hand_in_hand
    from mannequin.scene.scenario.scenario import build_scenario, read_scenario

    scene, shipped = blender.context.scene, hand_in_hand()
    woman, child = build_scenario(shipped, scene)
    scene.mannequin.welds.clear()
    for obj in (woman, child):
        obj.select_set(True)
    blender.context.view_layer.objects.active = woman
    child.location.z += 0.14  # the shipped child's hand hangs 0.14 m lower, on an arm
    assert blender.ops.mannequin.grip(hand="RIGHT", force=200.0) == {"FINISHED"}
    (weld,) = read_scenario(scene).welds
    assert (weld.start.actor, weld.start.body, weld.end.actor) == ("woman", "HandR", "child")
    assert weld.end.body in ("HandL", "ForearmL") and weld.break_force == 200.0
    with pytest.raises(RuntimeError, match="HandL of 'woman' is .* m from .*bring the palm there"):
        blender.ops.mannequin.grip(hand="LEFT")
    child.select_set(False)
    assert blender.ops.mannequin.grip(hand="LEFT") == {"FINISHED"}
    rail = read_scenario(scene).welds[1]
    assert rail.name == "Grip.001" and rail.end.actor is None and rail.end.body is None
