"""The page in a real browser: what it draws is what the recording says, and it asks for nothing."""

import csv
from datetime import UTC, datetime

import numpy as np
import pytest
from browser import open_page, wait_until

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.engine import run as simulate
from mannequin.io_json.resolve import resolve_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.viewer import write
from mannequin.viewer.content import shown_run
from mannequin.viewer.live import LivePage

NOW = datetime(2026, 3, 1, tzinfo=UTC)
EVIL = "<img src=x onerror=document.title='hit'>'\"💥"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A real fall, short, with a hostile name and description."""
    scenario = read_scenario(resolve_model("fall_standing", None))
    scenario.settings.duration = 0.9
    scenario.actors[0].name = EVIL
    scenario.description = EVIL
    recording = simulate(scenario)
    return read_run(write_run(scenario, recording, tmp_path_factory.mktemp("out"), started=NOW, ended=NOW))


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "case.html"
    path.write_bytes(write.page_bytes([shown_run(run)], EVIL))
    return path


@pytest.fixture(scope="module")
def page(file):
    with open_page() as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        yield page


def test_it_asks_for_nothing_and_complains_of_nothing(page, file):
    assert page.requests == [file.as_uri()]
    assert page.problems == []


def test_hostile_names_stay_text(page):
    assert page.text_content("#case") == EVIL
    assert page.title() == EVIL
    assert page.query_selector("img[src=x]") is None


def test_bodies_are_where_the_recording_has_them(page, run):
    recording = run.recording
    names = page.evaluate("mannequin.names")
    for time in np.linspace(0.05, 0.85, 5):
        page.evaluate(f"mannequin.go({time})")
        for body in range(0, 20, 2):
            exact = [np.interp(time, recording.times, recording.origin(body)[:, k]) for k in range(3)]
            drawn = page.evaluate("name => mannequin.position(name)", names[body])
            assert np.abs(np.subtract(drawn, exact)).max() < 1e-3


def test_curves_agree_with_the_table(page, run):
    """Speed of the head as in output.csv."""
    path = next(run.folder.glob("*output.csv"))
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    head = run.recording.body_names.index("head")
    speed = np.array(
        page.evaluate("name => mannequin.curve('speed', name)", page.evaluate("mannequin.names")[head])
    )
    columns = [
        name for name in rows[0] if "head" in name.lower() and name.endswith(("_VelX", "_VelY", "_VelZ"))
    ]
    assert len(columns) == 3, list(rows[0])[:40]
    exact = np.linalg.norm([[float(row[name]) for name in columns] for row in rows], axis=1)
    np.testing.assert_allclose(speed, exact, rtol=2e-4, atol=1e-6)


def test_contacts_agree_with_the_table(page, run):
    """Every cell of every row, as contacts.csv has it."""
    path = next(run.folder.glob("*contacts.csv"))
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    page.click("#tab-contacts")
    shown = page.eval_on_selector_all(
        "#contacts tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert len(shown) == len(rows) > 0
    for cells, row in zip(shown, rows, strict=True):
        assert float(cells[0]) == pytest.approx(float(row["start_s"]), abs=5.1e-5)
        assert row["body_a"] in cells[1]
        assert row["ellipsoid_a"] in cells[1]
        assert (row["body_b"] or row["surface_b"]) in cells[2]
        assert float(cells[3]) == pytest.approx(float(row["approach_speed_m/s"]), rel=6e-4, abs=5e-6)
        assert float(cells[4]) == pytest.approx(float(row["peak_force_N"]), rel=6e-4)


def test_it_plays_and_scrubs_and_goes_to_a_contact(page, run):
    page.evaluate("mannequin.go(0)")
    page.click("button[title^=Play]")
    wait_until(page, "mannequin.time() > 0.02")
    page.click("button[title^=Play]")
    page.click("#tab-contacts")
    page.click("#contacts tbody tr >> nth=0")
    assert page.evaluate("mannequin.time()") == pytest.approx(run.recording.contacts["start"][0], abs=1e-6)
    rows = page.query_selector_all("#contacts tbody tr")
    assert len(rows) == len(run.recording.contacts)
    page.fill("input[type=range]", "5000")
    assert page.evaluate("mannequin.time()") == pytest.approx(0.45, abs=1e-3)
    assert page.text_content("#time") == "0.450 s"


def test_keys_step_by_milliseconds(page):
    page.evaluate("mannequin.go(0.3)")
    page.focus("#view")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("mannequin.time()") == pytest.approx(0.001)


def test_something_is_drawn(page, tmp_path):
    """The picture has the colours of ground and of a person, not of an empty canvas."""
    from PIL import Image

    page.evaluate("mannequin.view('Side')")
    page.wait_for_timeout(1500)
    page.locator("#view").screenshot(path=str(tmp_path / "view.png"))
    colors = Image.open(tmp_path / "view.png").convert("RGB").getcolors(1 << 24)
    assert len(colors) > 500
    assert page.evaluate("mannequin.triangles()") > 10_000


@pytest.mark.parametrize("kind", ["data", "script"])
def test_a_page_altered_by_hand_says_so_or_stays_dead(file, tmp_path, kind):
    """Data that is not what was written is announced; a changed script is refused by the page's own policy."""
    text = file.read_text(encoding="utf-8")
    end = text.rindex("</script>")
    altered = {
        "data": text.replace('"peak_force":', '"peak_force":9', 1),
        "script": text[:end] + ";document.title='hit'" + text[end:],
    }[kind]
    path = tmp_path / "altered.html"
    path.write_text(altered, encoding="utf-8")
    with open_page() as page:
        page.goto(path.as_uri())
        if kind == "data":
            page.wait_for_selector("[role=alert]")
            assert "altered" in page.text_content("[role=alert]")
        else:
            page.wait_for_timeout(500)
            assert page.evaluate("document.body.dataset.ready") is None
            assert page.title() != "hit" and any("Content Security" in text for text in page.problems)


def test_without_webgl_tables_are_there_and_a_message(file, run):
    with open_page(webgl=False) as page:
        page.goto(file.as_uri())
        page.wait_for_selector("[role=alert]")
        assert "WebGL" in page.text_content("[role=alert]")
        assert len(page.query_selector_all("#contacts tbody tr")) == len(run.recording.contacts)


def test_a_live_page_grows_with_the_run(run):
    import dataclasses

    recording = run.recording
    arrays = {field.name: getattr(recording, field.name) for field in dataclasses.fields(recording)}
    cut = {name: a[:100] for name, a in arrays.items() if np.shape(a)[:1] == (recording.frames,)}
    begun = dataclasses.replace(recording, **cut, contacts=recording.contacts[:0])
    live = LivePage(run.scenario, begun)
    try:
        with open_page() as page:
            page.goto(live.address)
            page.wait_for_selector("body[data-ready]")
            live.show(recording, 1.0, "The run has ended: completed.")
            wait_until(page, "document.querySelector('[role=status]').textContent.includes('ended')")
            page.evaluate("mannequin.go(99)")
            assert page.evaluate("mannequin.time()") == pytest.approx(recording.times[-1])
            assert page.problems == []
            assert all(address.startswith(live.address) for address in page.requests)
    finally:
        live.close()
