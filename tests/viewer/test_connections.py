"""Belts, springs, welds and muscles in the page, and parts that are animated and not simulated."""

import dataclasses

import numpy as np
import pytest
from ball_run import DURATION, ball_place, ball_run, ball_scenario
from browser import open_page
from synthetic_run import make_recording, make_scenario

from mannequin.engine.runs.break_event import BREAK_EVENT
from mannequin.engine.spec import (
    Belt,
    Muscle,
    Obstacle,
    PathPoint,
    Point,
    PrescribedMotion,
    SpringDamper,
    Weld,
)
from mannequin.viewer import write
from mannequin.viewer.animated import animated_parts
from mannequin.viewer.connections import WORLD, connection_lines
from mannequin.viewer.content import shown_run


@pytest.fixture
def scenario():
    """One of each kind; the spring is the model's, the others the scenario's."""
    made = make_scenario()
    model = made.actors[0].model
    model.springs = [
        SpringDamper("cord", Point((0.0, 0.0, 0.1), "pelvis"), Point((0.0, 0.0, 2.0)), stiffness=10.0)
    ]
    model.muscles = [
        Muscle(
            "neck",
            (PathPoint("pelvis", (0.0, 0.0, 0.1)), PathPoint("Head", (0.01, 0.0, 0.0))),
            max_isometric_force=100.0,
            optimal_fibre_length=0.1,
            tendon_slack_length=0.1,
        )
    ]
    band = [
        Point((0.0, 0.3, 1.0)),
        Point((0.1, 0.0, 0.0), "pelvis", "man"),
        Point((0.0, 0.0, 0.1), "Head", "man"),
    ]
    made.belts = [Belt("belt", band, [False, True, False], stiffness=5e4)]
    made.welds = [
        Weld("grip", Point((0.0, 0.0, 0.0), "hand", "man"), Point((1.0, 0.0, 1.0)), release_time=0.12)
    ]
    return made


def test_lines_run_through_the_points_that_the_author_gave(scenario):
    lines = {line["name"]: line for line in connection_lines(scenario, make_recording())}
    assert [line["kind"] for line in lines.values()] == ["springs", "belts", "welds", "muscles"]
    assert lines["cord"]["points"] == [[0, 0.0, 0.0, 0.1], [WORLD, 0.0, 0.0, 2.0]]
    assert lines["belt"]["points"] == [[WORLD, 0.0, 0.3, 1.0], [0, 0.1, 0.0, 0.0], [1, 0.0, 0.0, 0.1]]
    assert lines["neck"]["points"][1] == [1, 0.01, 0.0, 0.0]


def test_a_connection_ends_when_it_gives_way_or_is_let_go(scenario):
    broken = np.zeros(1, dtype=BREAK_EVENT)
    broken["time"], broken["joint"], broken["connection"] = 0.07, -1, 1  # springs, then belts, then welds
    recording = dataclasses.replace(make_recording(), breaks=broken)
    ends = {line["name"]: line["until"] for line in connection_lines(scenario, recording)}
    assert ends == {"cord": None, "belt": pytest.approx(0.07), "grip": 0.12, "neck": None}


def test_nothing_is_animated_unless_a_table_says_so():
    assert animated_parts(make_scenario(), make_recording()) == []


def test_tables_are_animation_until_they_let_go():
    scenario = make_scenario()
    scenario.obstacles = [Obstacle("door", "box", motion=((0.05, 0.0, 0.0, 0.0), (0.1, 0.5, 0.0, 0.0)))]
    rows = ((0.0, 1.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0))
    scenario.actors[0].prescribed = [
        PrescribedMotion(None, rows),
        PrescribedMotion("elbow", rows, release_time=0.02),
        PrescribedMotion("neck", rows, release_at_contact=True),
    ]
    recording = make_recording()
    assert [(part["from"], part["to"], part["what"]) for part in animated_parts(scenario, recording)] == [
        (0.05, 0.1, "obstacle door"),
        (0.0, pytest.approx(recording.times[-1]), "man"),
        (0.0, 0.02, "man / elbow"),
        (0.0, pytest.approx(recording.contacts["start"].min()), "man / neck"),
    ]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A ball on a slack rope that is let go of nothing, and a box that somebody animated."""
    folder = tmp_path_factory.mktemp("rope")
    scenario = ball_scenario()
    rope = SpringDamper(
        "rope",
        Point((0.0, 0.0, 0.05), "ball", "ball"),
        Point((0.0, 0.0, 2.0)),
        stiffness=1.0,
        rest_length=9.0,
        tension_only=True,
    )
    scenario.springs = [rope]
    far = Obstacle("lorry", "box", half_size=(0.2, 0.2, 0.2), position=(0.0, 8.0, 0.0))
    far.motion = ((0.1, 0.0, 0.0, 0.0), (0.3, 1.0, 0.0, 0.0))
    scenario.obstacles = [far]
    path = folder / "case.html"
    path.write_bytes(write.page_bytes([shown_run(ball_run(folder / "runs", scenario))]))
    with open_page() as page:
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        yield page


def test_the_page_draws_the_rope_between_its_ends(page):
    for time in (0.0, 0.25, DURATION):
        page.evaluate(f"mannequin.go({time})")
        start, end = page.evaluate("mannequin.connection('rope')")
        assert np.abs(np.subtract(start, ball_place(time) + (0.0, 0.0, 0.05))).max() < 1e-3
        assert end == pytest.approx((0.0, 0.0, 2.0), abs=1e-6)
    assert page.locator(".choice", has_text="Belts").count() == 1


@pytest.mark.parametrize(("time", "said"), [(0.05, False), (0.2, True), (0.4, False)])
def test_the_page_says_what_is_animated_while_it_is(page, time, said):
    page.evaluate(f"mannequin.go({time})")
    assert page.text_content("#animated") == ("Animated, not simulated: obstacle lorry" if said else "")
    assert "obstacle lorry: 0.100 s to 0.300 s" in page.text_content("#about")
