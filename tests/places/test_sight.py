"""What a witness sees of spheres and people behind walls, against plane geometry."""

import math

import numpy as np
import pytest

from mannequin.__main__ import main
from mannequin.engine import run
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Model, Obstacle, Scenario, Settings
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import write_scenario
from mannequin.places.sight.strip import csv_text, write_strip
from mannequin.places.sight.visibility import sight_of
from mannequin.places.sight.witness import Witness, in_view, read_witness

RADIUS, FAR = 0.3, 10.0
EYE = Witness("neighbour", (0.0, 0.0, 1.0))


def ball(name, place, velocity=(0.0, 0.0, 0.0)) -> Actor:
    """A ball without weight."""
    surface = Ellipsoid("skin", (RADIUS, RADIUS, RADIUS))
    body = Body("ball", 1.0, (0.036, 0.036, 0.036, 0, 0, 0), (0.0, 0.0, 0.0), ellipsoids=[surface])
    return Actor(
        name, Model("ball", [body], [Joint("root", "free", None, "ball")]), position=place, velocity=velocity
    )


def scene(obstacles=(), actors=(), velocity=(0.0, 0.0, 0.0)) -> tuple[Scenario, object]:
    settings = Settings(duration=0.2, time_step=1e-3, output_step=0.05, gravity=(0.0, 0.0, 0.0), ground=False)
    balls = [ball("seen", (FAR, 0.0, 1.0), velocity), *actors]
    scenario = Scenario("balls", balls, list(obstacles), settings=settings)
    return scenario, run(scenario)


def share(obstacles=(), actors=(), witness=EYE):
    scenario, recording = scene(obstacles, actors)
    return sight_of(scenario, recording, witness, samples=4000).share[0, 0]


def above_a_line(height: float) -> float:
    """Share of the ball's outline above a level edge that is seen at `height` (m) over its middle, at its distance."""
    apparent = RADIUS * FAR / math.sqrt(FAR**2 - RADIUS**2)
    d = height / apparent
    return (math.acos(d) - d * math.sqrt(1.0 - d * d)) / math.pi


def wall(top: float, shape="box") -> Obstacle:
    """A wall half way whose top is at a height over the eye's level."""
    if shape == "box":
        return Obstacle("wall", "box", (5.0, 0.0, 1.0 + top - 1.0), half_size=(1e-4, 5.0, 1.0))
    corners = [(5.0, -5.0, top - 1.0), (5.0, 5.0, top - 1.0), (5.0, 5.0, 1.0 + top), (5.0, -5.0, 1.0 + top)]
    return Obstacle("wall", "mesh", vertices=corners, triangles=[(0, 1, 2), (0, 2, 3)])


@pytest.mark.parametrize("shape", ["box", "mesh"])
@pytest.mark.parametrize("top", [-0.1, 0.0, 0.05, 0.12])
def test_share_above_a_wall(top, shape):
    assert share([wall(top, shape)]) == pytest.approx(above_a_line(2.0 * top), abs=0.012)


def test_nothing_between_and_all_between():
    assert share() == 1.0
    assert share([wall(0.5)]) == 0.0


def test_pole_hides_a_strip():
    """A capsule of radius 2 cm half way hides 8 cm of the ball's middle."""
    pole = Obstacle("pole", "capsule", (5.0, 0.0, 1.0), half_size=(0.02, 0.02, 3.0))
    apparent = RADIUS * FAR / math.sqrt(FAR**2 - RADIUS**2)
    x = 0.04 / apparent
    strip = 2.0 * (math.asin(x) + x * math.sqrt(1 - x * x)) / math.pi
    assert share([pole]) == pytest.approx(1.0 - strip, abs=0.012)


def test_another_actor_hides_and_is_seen():
    """A ball of the same size half way hides all; it is seen itself."""
    scenario, recording = scene(actors=[ball("near", (5.0, 0.0, 1.0))])
    sight = sight_of(scenario, recording, EYE)
    assert sight.names == ("seen/ball", "near/ball")
    assert sight.share[0].tolist() == [0.0, 1.0]
    # solid angle of a sphere: 2 pi (1 - cos a)
    angle = 2 * math.pi * (1 - math.sqrt(1 - (RADIUS / 5.0) ** 2))
    assert sight.weight[0, 1] == pytest.approx(angle, rel=0.02)


def test_ball_comes_out_from_behind_a_wall():
    """It moves up at 1 m/s behind a wall level with its middle: the share grows as plane geometry says."""
    scenario, recording = scene([wall(0.0)], velocity=(0.0, 0.0, 1.0))
    sight = sight_of(scenario, recording, EYE, samples=4000)
    expected = [above_a_line(-t) for t in sight.times]
    assert np.allclose(sight.share[:, 0], expected, atol=0.015)
    assert np.all(np.diff(sight.share[:, 0]) > 0)


def test_field_of_view():
    ahead = Witness("a", (0.0, 0.0, 1.0), (10.0, 0.0, 1.0), across=90.0, up=60.0)
    points = np.array([[5, 4.9, 1], [5, 5.1, 1], [5, 0, 1 + 2.8], [5, 0, 1 + 3.0], [-5, 0, 1]])
    assert in_view(ahead, points).tolist() == [True, False, True, False, False]
    assert share(witness=Witness("b", (0.0, 0.0, 1.0), (-1.0, 0.0, 1.0))) == 0.0


def test_table_and_strip(tmp_path):
    scenario, recording = scene([wall(0.0)])
    sight = sight_of(scenario, recording, EYE)
    lines = csv_text(sight).splitlines()
    assert lines[0] == "time_s,seen,seen/ball" and len(lines) == 1 + len(sight.times)
    assert float(lines[1].split(",")[1]) == pytest.approx(0.5, abs=0.05)
    write_strip(tmp_path / "strip.png", sight)
    assert (tmp_path / "strip.png").stat().st_size > 3000


def test_command(tmp_path, capsys):
    scenario, _ = scene([wall(0.0)])
    write_scenario(scenario, tmp_path / "balls.json")
    assert main(["run", str(tmp_path / "balls.json"), "--out", str(tmp_path / "out")]) == 0
    folder = next((tmp_path / "out").iterdir())
    capsys.readouterr()
    csv, strip = tmp_path / "seen.csv", tmp_path / "seen.png"
    assert (
        main(["witness", str(folder), "--eye", "0", "0", "1", "--csv", str(csv), "--strip", str(strip)]) == 0
    )
    assert "seen/ball" in capsys.readouterr().out and csv.exists() and strip.exists()
    assert main(["witness", str(folder)]) == 2


@pytest.mark.parametrize(
    ("changes", "message"), [('"across": 0', "no angle"), ('"looks_at": [1, 2, 3]', "where the eye is")]
)
def test_bad_witness(tmp_path, changes, message):
    path = tmp_path / "witness.json"
    path.write_text(
        f'{{"format": "mannequin-witness", "format_version": 1, "name": "a", "eye": [1, 2, 3], {changes}}}'
    )
    with pytest.raises(FileError, match=message):
        read_witness(path)
