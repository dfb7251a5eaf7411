"""The report: complete, escaped, self-contained, and silent in a real browser."""

import dataclasses
import re
import shutil
import subprocess
from datetime import UTC, datetime
from html.parser import HTMLParser

import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.pages import report
from mannequin.analysis.pages.blocks import to_html
from mannequin.analysis.pages.limitations import LIMITATIONS
from mannequin.analysis.pages.paged import to_pdf
from mannequin.analysis.pages.provenance import find_source, list_inputs
from mannequin.analysis.pages.step_check import Difference, StepCheck, compare, refined_scenario

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
PER_FRAME = {
    "times", "position", "quaternion", "velocity", "angular_velocity", "acceleration", "angular_acceleration",
    "contact_force", "contact_torque", "joint_angle", "joint_rate", "reaction_force", "reaction_moment", "energy",
}  # fmt: skip
EVIL = "<script>alert('x')</script> & \"quoted\""


class Reader(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(self.words)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    scenario, recording = make_scenario(), make_recording(101)
    scenario.description = EVIL
    scenario.name = "a <b> test"
    scenario.actors[0].model.notes = [EVIL]
    recording.warnings = [EVIL]
    folder = write_run(
        scenario,
        recording,
        tmp_path_factory.mktemp("out"),
        started=NOW,
        ended=NOW,
        overrides={"friction": 0.5},
    )
    return read_run(folder)


@pytest.fixture(scope="module")
def document(run):
    check = StepCheck(
        "time step 0.0001 s against 5e-05 s",
        tuple(compare(run.scenario, run.recording, run.recording)),
        "completed",
    )
    return report.build_document(run, check)


@pytest.fixture(scope="module")
def html(document):
    return to_html(document)


def test_text_from_files_is_escaped(html):
    reader = Reader(html)
    assert "script" not in reader.tags and reader.open == []
    assert EVIL in reader.text
    assert "A <b> test" in reader.text


def test_nothing_comes_from_outside_the_file(html):
    sources = [value for name, value in Reader(html).attributes if name in ("src", "href", "action", "data")]
    assert sources and all(value.startswith(("data:image/png;base64,", "#")) for value in sources)
    assert not re.search(r"url\(|@import|https?://", html)


def test_everything_a_reader_needs_is_there(html, run):
    text = Reader(html).text
    for title in ("What was asked", "What was assumed", "What happened", "Results", "Inputs that matter", "Conclusion",
                  "All parameters and their sources", "Timeline of contacts", "Measures and their definitions", "Plots",
                  "Numerical quality", "Step check", "Limitations", "HIC15", "BrIC", "Nij"):  # fmt: skip
        assert title in text, title
    for entry in run.manifest["outputs"]:
        assert entry["sha256"] in text
    assert run.manifest["sha256"] in text and run.manifest["sha256"][:8] in text
    for limitation in LIMITATIONS:
        assert limitation in text
    assert "friction = 0.5" in text
    assert html.count("data:image/png") >= 12


def test_assumed_inputs_come_first():
    inputs = list_inputs(make_scenario())
    flags = [entry.is_assumed for entry in inputs]
    assert flags == sorted(flags, reverse=True) and 0 < sum(flags) < len(flags)
    velocity = next(entry for entry in inputs if entry.name == "actors.man.velocity")
    assert velocity.source == "video, camera 2"
    friction = next(entry for entry in inputs if entry.name == "settings.friction")
    assert friction.is_assumed and friction.origin == "default value"
    assert next(e for e in inputs if e.name == "actors.man.position").origin == "given without a source"


def test_every_setting_is_listed(html):
    text = Reader(html).text
    for name in vars(make_scenario().settings):
        assert f"settings.{name}" in text


def test_a_source_covers_what_belongs_to_it():
    assert find_source({"actors.0": "police sketch"}, "actors.0.velocity") == "police sketch"
    assert find_source({"actors.0": "sketch", "actors.0.velocity": "video"}, "actors.0.velocity") == "video"
    assert find_source({"actors.1": "sketch"}, "actors.0.velocity") == ""


def test_a_check_that_was_not_made_is_said(run, no_curves):
    assert "step check not made" in Reader(report.build_report(run)).text


def test_a_run_that_stopped_early_says_so_at_the_top(run, no_curves):
    run.recording.status, run.recording.message = "diverged", "At 0.1 s <head> became too fast."
    try:
        text = Reader(report.build_report(run)).text
    finally:
        run.recording.status, run.recording.message = "completed", ""
    assert "did not complete: diverged. At 0.1 s <head> became too fast." in text[:6000]


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_a_run_that_hardly_began_has_a_report(tmp_path, frames):
    recording = make_recording(3)
    for field in dataclasses.fields(recording):
        value = getattr(recording, field.name)
        if isinstance(value, np.ndarray) and field.name in PER_FRAME:
            setattr(recording, field.name, value[:frames])
    recording.contacts = recording.contacts[:0]
    recording.status, recording.message = "diverged", "At 0.0000 s it went wrong."
    run = read_run(write_run(make_scenario(), recording, tmp_path, started=NOW, ended=NOW))
    assert run.recording.frames == frames
    assert "diverged" in Reader(report.build_report(run)).text


def test_refined_scenarios():
    scenario = make_scenario(time_step=2e-4)
    finer, change = refined_scenario(scenario)
    assert finer.settings.time_step == 1e-4 and scenario.settings.time_step == 2e-4 and "0.0002" in change
    finer, change = refined_scenario(make_scenario(integrator="variable_step"))
    assert finer.settings.tolerance == pytest.approx(1e-7) and finer.settings.time_step == 1e-4


def test_step_check_lists_what_changed():
    scenario, one, two = make_scenario(), make_recording(101), make_recording(101)
    two.contacts["peak_force"] *= 1.1
    two.position[:, :, 2] += 0.01
    reported = {(d.name, d.subject): d for d in compare(scenario, one, two)}
    assert reported["peak contact force", "man / Head"].relative == pytest.approx(0.1 / 1.1)
    z = reported["centre of mass at the end, z", "man"]
    assert z.refined - z.value == pytest.approx(0.01)
    assert Difference("a", "b", "", 0.0, 0.0).relative == 0.0


def browse(path, *options):
    """Load a page in a headless browser; returns its error output, where console messages are."""
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        *options,
    ]
    done = subprocess.run([*command, path.as_uri()], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_browser_opens_it_without_a_console_message(tmp_path, html):
    good, bad = tmp_path / "report.html", tmp_path / "bad.html"
    good.write_text(html, encoding="utf-8")
    bad.write_text('<meta charset="utf-8"><script>console.error("seen")</script>', encoding="utf-8")
    assert "CONSOLE" in browse(bad, "--dump-dom").stderr, (
        "console messages are not seen, the test shows nothing"
    )
    shot = tmp_path / "shot.png"
    done = browse(good, "--dump-dom", f"--screenshot={shot}", "--window-size=1100,3000")
    assert "CONSOLE" not in done.stderr
    assert "Numerical quality" in done.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_it_prints_to_pdf(tmp_path, html):
    page, pdf = tmp_path / "report.html", tmp_path / "report.pdf"
    page.write_text(html, encoding="utf-8")
    browse(page, f"--print-to-pdf={pdf}")
    assert pdf.read_bytes().startswith(b"%PDF") and pdf.stat().st_size > 100_000


def test_the_order_is_that_of_an_expert(html):
    """What was asked, assumed and happened comes before any table of values; internals come last."""
    places = [html.index(f'<section id="{name}"') for name in (
        "asked", "assumed", "happened", "results", "inputs", "conclusion", "method", "quality", "limits", "measures",
        "parameters", "files")]  # fmt: skip
    assert places == sorted(places)
    assert "in the words of the examiner" in html and "(not written)" in html


def test_numbers_are_written_as_people_write_them():
    from mannequin.analysis.pages.wording import digits, percent, plain_name, quantity

    assert quantity(56620.0, "N") == "56.6 kN" and quantity(432.1, "N") == "432 N"
    assert quantity(6720.3) == "6,720" and quantity(11.111, "m/s") == "11.1 m/s (40 km/h)"
    assert quantity(0.0123, "m") == "12 mm" and quantity(10.94, "m") == "10.9 m"
    assert digits(0.0) == "0" and digits(0.00123456) == "0.00123" and percent(0.0004) == "under 0.1 %"
    assert plain_name("LowerLegRight") == "lower leg right" and plain_name("shank_r") == "right shank"


def test_court_settings_list_what_is_missing_first(run, no_curves):
    options = report.Options(court=True)
    text = Reader(report.build_report(run, options=options)).text
    missing = report.missing_origins(run, options)
    assert (
        text.index("This report is not complete") < text.index("The question, in the words")
        and missing[0] in text
    )
    assert any("position of man" in line for line in missing)
    assert any("velocity of man" in line and "does not say whether" in line for line in missing)


def test_inputs_come_by_their_influence(run):
    shares = {"actors.man.position.2": 0.9, "friction": 0.3, "actors.man.velocity.0": 0.01}
    options = report.Options(court=True, influence=shares)
    missing = report.missing_origins(run, options)
    assert [line.partition(" (")[0] for line in missing] == ["position of man", "friction"]


@pytest.mark.long
def test_the_paged_document_has_pages_contents_and_the_same_bytes(document):
    data = to_pdf(document)
    assert data.startswith(b"%PDF") and data == to_pdf(document)
    assert data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") >= 5


def test_the_examiners_words_stand_in_their_places(run, no_curves):
    words = {"question": "Did he fall or was he pushed?", "conclusion": "He fell."}
    html = report.build_report(run, options=report.Options(texts=words)).partition("<body>")[2]
    assert html.index("Did he fall or was he pushed?") < html.index('id="assumed"')
    assert html.index("He fell.") > html.index('id="results"')
