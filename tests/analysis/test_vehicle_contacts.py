"""Wrap-around distances by closed forms and by the generator's own tape; what a run says of vehicles' contacts."""

import math

import numpy as np
import pytest
from headforms import RADIUS, SPEED, headform, shot_settings

from mannequin.analysis.measures.catalogue import WITHOUT_SENSORS, evaluate_families
from mannequin.analysis.measures.vehicle_contacts import find_strikes, vehicle_measures
from mannequin.analysis.measures.wrap_around import skin_of, wrap_around_distance
from mannequin.analysis.plots.throw_chart import plot_throw_of_run, thrown
from mannequin.engine import run
from mannequin.engine.spec import Actor, ContactMesh, ContactZone, Scenario
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.form.surface import make_form
from mannequin.models.vehicles.road_vehicle import build_vehicle


def extruded(profile):
    """Closed mesh of a side view of (x, z) corners, counter-clockwise seen from the left, 2 m wide."""
    count = len(profile)
    points = [(x, y, z) for y in (-1.0, 1.0) for x, z in profile]
    faces = []
    for k in range(count):
        after = (k + 1) % count
        faces += [(k, after, count + after), (k, count + after, count + k)]
    faces += [(0, k + 1, k) for k in range(1, count - 1)]
    faces += [(count, count + k, count + k + 1) for k in range(1, count - 1)]
    depth = [0.0] * len(points)
    return ContactMesh(points, faces, [ContactZone("all", "a")], [0] * len(faces), depth)


STEP = [(0.0, 0.2), (0.0, 1.6), (-0.8, 1.6), (-1.6, 0.8), (-2.0, 0.8), (-2.0, 0.2)]
"""Mirrored below: a nose 0.8 m high and 0.4 m deep before a screen of 45 degrees and a roof."""
NOSE = [(-x, z) for x, z in STEP]


@pytest.mark.parametrize(
    ("x", "z", "expected"),
    [
        (2.0, 0.5, 0.5),  # front face: its height
        (1.7, 0.8, 0.8 + 0.3),  # on the bonnet
        # on the screen: the tape bridges the corner between bonnet and screen, straight from the leading edge
        (1.2, 1.2, 0.8 + math.hypot(0.8, 0.4)),
        (0.8, 1.6, 0.8 + math.hypot(1.2, 0.8)),
        (0.3, 1.6, 0.8 + math.hypot(1.2, 0.8) + 0.5),  # on the roof
    ],
)
def test_tape_over_a_nose_of_straight_pieces(x, z, expected):
    skin = skin_of(extruded(NOSE))
    assert wrap_around_distance(skin, np.array([x, 0.3, z])) == pytest.approx(expected, abs=1e-6)
    assert math.isnan(wrap_around_distance(skin, np.array([x, 3.0, z])))


def test_place_under_an_overhang_is_reached_from_below():
    """A truck's front that leans forward: the bumper 0.3 m behind the cab's edge above it."""
    skin = skin_of(extruded([(0.0, 0.4), (1.7, 0.4), (2.0, 1.5), (0.0, 1.5)]))
    low = wrap_around_distance(skin, np.array([1.75, 0.0, 0.4 + 1.1 * 0.05 / 0.3]))
    assert low == pytest.approx(math.hypot(0.25, 0.4 + 1.1 * 0.05 / 0.3), abs=0.01)


@pytest.mark.parametrize("y", [0.0, 0.5])
def test_tape_of_a_generated_vehicle_is_that_of_its_surface(y, kind="saloon"):
    """The generator's tape is worked out from the function of the surface, ours from the contact mesh."""
    form = make_form(CLASSES[kind])
    skin = skin_of(build_vehicle(kind).bodies[0].surface)
    for distance in (0.7, 1.0, 1.5, 2.0):
        x, z = form.wrap_around(y, distance)
        assert wrap_around_distance(skin, np.array([x, y, z])) == pytest.approx(distance, abs=0.025)


@pytest.fixture(scope="module")
def struck():
    """A headform that strikes the bonnet of a saloon from above at 40 km/h, 0.2 m left of its middle."""
    model = build_vehicle("saloon")
    ball = headform()
    ball.bodies[0].name = ball.joints[0].child = "head"
    place = (1.5, 0.2, 0.0)
    form = make_form(CLASSES["saloon"])
    z = np.linspace(1.2, 0.4, 3000)
    height = z[int(np.argmax(form.filled(np.full_like(z, place[0]), np.full_like(z, place[1]), z) < 0.0))]
    head = Actor("head", ball, position=(1.5, 0.2, height + RADIUS + 0.03), velocity=(0.0, 0.0, -SPEED))
    scenario = Scenario("shot", [Actor("car", model), head], settings=shot_settings())
    return scenario, run(scenario), (1.5, 0.2, float(height)), form


def test_strike_knows_its_zone_and_place(struck):
    scenario, recording, (x, y, z), form = struck
    (strike,) = find_strikes(scenario, recording)
    assert strike.zone == "bonnet"
    assert strike.place[:2] == pytest.approx((x, y), abs=0.03)
    tape = form.tape(y)
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(tape, axis=0).T))])
    expected = np.interp(-x, -tape[:, 0], steps)
    assert strike.tape == pytest.approx(expected, abs=0.04)


def test_measures_of_the_head_and_the_zone(struck):
    scenario, recording, _, _ = struck
    measures = {(m.name, m.subject): m for m in vehicle_measures(scenario, recording)}
    event = recording.contacts[0]
    speed = measures["head impact speed", "head / head"]
    # the ball flies straight down at 40 km/h on a car that stands: that is the relative speed of the surfaces
    assert speed.value == pytest.approx(SPEED, rel=1e-3)
    assert measures["head impact time", "head / head"].value == 0.0, "the head is what touches first"
    place = measures["head wrap-around distance", "head / head"]
    assert (
        place.details["grid"].endswith("200 mm left") and place.details["zone"] == "car / car_body / bonnet"
    )
    zone = measures["zone peak force", "car / car_body / bonnet"]
    assert zone.value == event["peak_force"] and zone.details["struck_by"] == "head / head"
    assert measures["wrap-around distance", "head / head, bonnet"].value == place.value
    assert {name for name, _ in measures} <= set(WITHOUT_SENSORS)
    assert "Vehicle" in evaluate_families(scenario, recording)


def test_throw_of_whom_a_vehicle_struck_is_drawn_with_the_published_bounds():
    """A ball before a saloon at 18 km/h: speed of the car at the touch, and the ball's way, read off the recording."""
    model = build_vehicle("saloon")
    front = model.vehicle.front
    ball = Actor("man", headform(), position=(front + RADIUS + 0.05, 0.0, 0.5))
    car = Actor("car", model, velocity=(5.0, 0.0, 0.0))
    scenario = Scenario("push", [car, ball], settings=shot_settings())
    recording = run(scenario)
    speeds, distances = thrown(scenario, recording)
    body = recording.body_index("man", "headform")
    way = recording.position[-1, body] - recording.position[0, body]
    assert speeds == pytest.approx([5.0], rel=1e-6)
    assert distances == pytest.approx([math.hypot(way[0], way[1])], rel=1e-6)
    texts = [
        text.get_text() for text in plot_throw_of_run(scenario, recording).axes[0].get_legend().get_texts()
    ]
    assert any("Searle" in text for text in texts) and sum("Toor" in text for text in texts) == 2
    alone = Scenario("alone", [ball], settings=shot_settings())
    assert plot_throw_of_run(alone, run(alone)) is None
