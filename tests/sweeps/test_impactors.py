"""Headforms and legforms on the grid of a vehicle, against a flat plate of the same curve; the library of classes."""

import numpy as np
import pytest
from headforms import headform, hic15, shot_settings

from mannequin.__main__ import main
from mannequin.analysis.measures.wrap_around import places_on_tape, skin_of, wrap_around_distance
from mannequin.engine import run
from mannequin.engine.spec import Actor, Obstacle, Scenario, Vehicle
from mannequin.io_json.errors import FileError
from mannequin.models.library import load_model
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.published import FACTS, MEMORY, RANGES, READ, lines, value_of
from mannequin.models.vehicles.road_vehicle import build_vehicle
from mannequin.sweeps.impactors import FORMS, headform_shots, legform_shots, surface_of

SPEED = 40.0 / 3.6


@pytest.fixture(scope="module")
def saloon():
    return build_vehicle("saloon")


@pytest.fixture(scope="module")
def shots(saloon):
    return {(shot.wrap_around_m, shot.across_m): shot for shot in headform_shots(saloon, 0.4, SPEED)}


def plate_hic(material, mass, speed):
    """HIC15 of a ball of this mass that meets a flat plate of a curve head-on."""
    ball = Actor("headform", headform(mass=mass), position=(0.0, 0.0, 0.0925), velocity=(0.0, 0.0, -speed))
    plate = Obstacle("plate", "plane", material=material)
    return hic15(run(Scenario("plate", [ball], [plate], settings=shot_settings())))


@pytest.mark.parametrize(("tape", "form"), [(1.4, "child"), (1.8, "adult")])
def test_shot_is_that_on_a_plate_at_the_speed_across_the_surface(saloon, shots, tape, form):
    """Without friction only the speed along the normal is taken up."""
    mass, angle = FORMS[form]
    _, normal = places_on_tape(surface_of(saloon), 0.0, [tape])[0]
    flight = np.array([-np.cos(np.radians(angle)), 0.0, -np.sin(np.radians(angle))])
    bonnet = next(m for m in saloon.materials if m.name == "bonnet")
    shot = shots[tape, 0.0]
    assert (shot.form, shot.zone) == (form, "bonnet")
    assert shot.hic15 == pytest.approx(plate_hic(bonnet, mass, -SPEED * float(flight @ normal)), rel=0.1)


def test_grid_is_the_same_on_both_sides_and_places_are_where_they_should_be(saloon, shots):
    skin = skin_of(surface_of(saloon))
    assert {tape for tape, _ in shots} == {1.0, 1.4, 1.8}
    for (tape, across), shot in shots.items():
        assert shot.hic15 == pytest.approx(shots[tape, -across].hic15, rel=1e-3)
        place, normal = places_on_tape(surface_of(saloon), across, [tape])[0]
        assert wrap_around_distance(skin, place) == pytest.approx(tape, abs=0.02)
        assert place[1] == pytest.approx(across, abs=0.021) and normal[2] > 0.5


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(set(CLASSES) - {"saloon"}))
def test_every_class_can_be_checked_and_gives_the_value_of_a_plate(kind):
    """A coarse grid: on any class every shot is that on a plate of the zone's curve at the speed across the surface,
    within 15 %; the legform meets the front."""
    model = build_vehicle(kind)
    shots = list(headform_shots(model, 0.55, SPEED))
    assert {shot.form for shot in shots} == {"child", "adult"}
    zones = {zone.name: zone.material for zone in surface_of(model).zones}
    for shot in shots:
        mass, angle = FORMS[shot.form]
        _, normal = places_on_tape(surface_of(model), shot.across_m, [shot.wrap_around_m])[0]
        across = SPEED * (np.cos(np.radians(angle)) * normal[0] + np.sin(np.radians(angle)) * normal[2])
        material = next(m for m in model.materials if m.name == zones[shot.zone])
        assert shot.hic15 == pytest.approx(plate_hic(material, mass, across), rel=0.15), shot
    assert all(shot.acceleration_g > 50.0 for shot in legform_shots(model, 1.0))


def test_legform_meets_the_bumper(saloon):
    """The bumper's curve gives it 100 to 200 g and a knee that bends, the same on both sides."""
    right, middle, left = legform_shots(saloon, 0.6)
    assert (right.across_m, middle.across_m, left.across_m) == (-0.6, 0.0, 0.6)
    assert right.bending_degrees == pytest.approx(left.bending_degrees, rel=0.02)
    assert 50.0 < middle.acceleration_g < 400.0 and middle.bending_degrees > 5.0


def test_command(tmp_path, capsys):
    table, picture = tmp_path / "grid.csv", tmp_path / "grid.png"
    assert (
        main(
            ["vehicle", "headform", "saloon", "--step", "0.7", "--csv", str(table), "--picture", str(picture)]
        )
        == 0
    )
    assert "HIC15 up to 1000" in capsys.readouterr().out
    rows = table.read_text().splitlines()
    assert rows[0].startswith("wrap_around_m,across_m,form,zone,hic15") and len(rows) > 3
    assert picture.stat().st_size > 3000
    for bad in (["vehicle", "headform"], ["vehicle", "legform", "saloon", "--step", "9"]):
        assert main(bad) == 2
    with pytest.raises(FileError, match="no contact mesh"):
        surface_of(load_model("male"))
    assert main(["vehicle", "classes"]) == 0
    assert "from memory" in capsys.readouterr().out


def test_library_marks_every_number_and_says_what_is_outside():
    entries = [entry for ranges in RANGES.values() for entry in ranges]
    assert {entry.mark for entry in entries} | {fact.mark for fact in FACTS} == {READ, MEMORY}
    names = {entry.name for entry in entries} - {"mass"}
    assert names <= set(Vehicle.__dataclass_fields__)
    outside = [
        kind for kind, ranges in RANGES.items() if any(not r.holds(value_of(kind, r.name)) for r in ranges)
    ]
    assert sum("ours is outside" in line for line in lines()) >= len(outside) > 0
