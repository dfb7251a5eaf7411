"""The words of scripts and notebooks: what they give is what the layers below give."""

import importlib

import numpy as np
import pytest

import mannequin as mq
from mannequin.engine import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings
from mannequin.engine.errors import UserError
from mannequin.io_json.errors import FileError
from mannequin.study import tables

SKIN = Ellipsoid("skin", (0.1, 0.1, 0.1), force_curve=((0, 0), (0.01, 2000)))
BALL = Body("<b>all", 2.0, (0.008, 0.008, 0.008, 0, 0, 0), ellipsoids=[SKIN])
MODEL = Model("ball", [BALL], [Joint("root", "free", None, "<b>all")])


@pytest.fixture(scope="module")
def drop():
    """Free fall from 0.6 m for 0.3 s, which ends 59 mm above the ground."""
    settings = Settings(duration=0.3, output_step=0.01)
    return mq.run(Scenario("drop", [Actor("<i>t", MODEL, position=(0, 0, 0.6))], settings=settings))


def test_shipped_things_load_by_name_and_show_themselves_in_one_line():
    man, fall = mq.load("male"), mq.load("fall_standing")
    assert isinstance(man, Model) and isinstance(fall, Scenario)
    for thing in (man, fall):
        assert "\n" not in repr(thing) and len(repr(thing)) < 200
    assert "male" in repr(man) and "fall_standing" in repr(fall)


def test_unknown_names_are_refused_with_a_remedy():
    with pytest.raises(UserError, match="there is no such model or scenario"):
        mq.load("nobody_ships_this")
    with pytest.raises(FileError, match="the sex 'x' is not known"):
        mq.person("x", 40, 1.7, 70)


def test_values_are_set_by_address_and_settings_by_name(drop):
    moon = mq.run(
        drop.scenario, {"actors.0.velocity": np.array([1.0, 0.0, 0.0])}, gravity=(0, 0, -1.62), duration=0.2
    )
    x, _, z = moon.recording.position[-1, 0]
    assert (x, z) == pytest.approx((0.2, 0.6 - 0.5 * 1.62 * 0.2**2), abs=1e-4)
    assert drop.scenario.settings.duration == 0.3, "the scenario given stays as it is"


def test_model_alone_stands_on_the_ground():
    result = mq.run(MODEL, duration=0.01)
    assert result.recording.position[0, 0, 2] == pytest.approx(0.1, abs=1e-9)


def test_table_of_pandas_has_every_number_under_its_name(drop):
    table, recording = drop.to_pandas(), drop.recording
    assert table.index.name == "time" and np.array_equal(table.index, recording.times)
    assert np.array_equal(table["<i>t / <b>all"]["velocity"]["z"], recording.velocity[:, 0, 2])
    assert np.array_equal(table["<i>t / <b>all"]["quaternion"]["w"], recording.quaternion[:, 0, 0])
    fallen = 0.6 - table["<i>t / <b>all"]["position"]["z"].iloc[-1]
    assert fallen == pytest.approx(0.5 * 9.81 * 0.3**2, rel=1e-3)


def test_data_set_of_xarray_has_names_and_units(drop):
    data, recording = drop.to_xarray(), drop.recording
    assert data["velocity"].attrs["units"] == "m/s"
    assert np.array_equal(data["velocity"].sel(body="<i>t / <b>all", axis="z"), recording.velocity[:, 0, 2])
    assert np.array_equal(data["energy"], recording.energy)
    assert float(data["energy"].sel(energy_term="kinetic").isel(time=-1)) == pytest.approx(
        0.5 * 2.0 * (9.81 * 0.3) ** 2, rel=1e-3
    )


def test_without_pandas_one_clear_error(drop, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(tables.importlib, "import_module", missing)
    with pytest.raises(FileError, match="pandas is not installed"):
        drop.to_pandas()
    with pytest.raises(FileError, match="xarray is not installed"):
        drop.to_xarray()


def test_result_in_a_notebook_has_a_table_and_a_picture_and_trusts_no_name(drop):
    page = drop._repr_html_()
    assert "<table>" in page and "data:image/png;base64," in page
    assert "<i>t" not in page and "&lt;i&gt;t" in page


def test_measures_are_found_by_name_or_the_error_lists_them(drop):
    assert drop.measure("throw distance").subject == "<i>t"
    with pytest.raises(FileError, match="there is no measure 'HIC99'") as caught:
        drop.measure("HIC99")
    assert "throw distance" in str(caught.value)
    names = drop.measures_table()
    assert list(names.columns) == ["measure", "subject", "value", "unit", "remarks"] and len(names) == len(
        drop.measures
    )


def test_run_is_saved_and_opened_again(drop, tmp_path):
    again = mq.open_run(drop.save(tmp_path))
    assert np.array_equal(again.recording.position, drop.recording.position)
    assert again.scenario.name == "drop"


def test_stub_and_package_offer_the_same_names():
    from pathlib import Path

    stub = Path(mq.__file__).with_name("__init__.pyi").read_text()
    stated = {line.split()[3] for line in stub.splitlines() if line.startswith("from .study import")}
    assert stated == set(mq.STUDY) and set(mq.STUDY) <= set(dir(mq))
    study = importlib.import_module("mannequin.study")
    assert all(getattr(mq, name) is getattr(study, name) for name in mq.STUDY)
