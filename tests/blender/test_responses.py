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
    from mannequin.engine import run
    from mannequin.engine.runs.responses import events_of
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
