"""The page of a run: complete, the same each time, checked against the recording, and nothing from anywhere."""

import json
import re
import shutil
from datetime import UTC, datetime

import numpy as np
import pytest
from page_blocks import decode
from synthetic_run import make_recording, make_scenario

from mannequin import __main__ as program
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.io_json.errors import FileError
from mannequin.viewer import content, write
from mannequin.viewer.cameras import Camera
from mannequin.viewer.surfaces import obstacle_mesh, triangulated

NOW = datetime(2026, 3, 1, tzinfo=UTC)
EVIL = "</script><script>alert('x')</script> & \"quoted\" 💥"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    scenario = make_scenario()
    scenario.description = EVIL
    folder = write_run(scenario, make_recording(), tmp_path_factory.mktemp("out"), started=NOW, ended=NOW)
    return read_run(folder)


@pytest.fixture(scope="module")
def page(run):
    return write.page_bytes([content.shown_run(run)]).decode("utf-8")


def test_the_motion_in_the_page_is_that_of_the_recording(run):
    built = content.build_content([content.shown_run(run)])
    entry = built["runs"][0]
    positions = decode(built["blocks"][entry["positions"]])
    quaternions = decode(built["blocks"][entry["quaternions"]])
    for body in range(len(run.recording.body_names)):
        assert np.abs(positions[:, body] - run.recording.origin(body)).max() < 1e-4
    assert np.abs(quaternions - run.recording.quaternion).max() < 1e-4


def test_the_same_run_gives_the_same_bytes(run, page):
    assert write.page_bytes([content.shown_run(run)]).decode("utf-8") == page


def test_names_stay_text(page):
    assert "<script>alert" not in page
    data = page.partition(write.DATA_OPENS)[2].partition(write.DATA_CLOSES)[0]
    assert json.loads(data)["runs"][0]["description"] == EVIL


def test_the_policy_allows_nothing_from_elsewhere(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src &#x27;none&#x27;;")
    assert "http" not in policy and "unsafe" not in policy and "*" not in policy
    assert not re.search(r"<(?:link|iframe|object|embed)\b|\bsrc=[\"']?(?:http|//)", page)


def test_the_page_of_the_run_matches(run, tmp_path):
    path = tmp_path / "case.html"
    path.write_bytes(write.page_bytes([content.shown_run(run)], "Case 17"))
    assert write.differences(path, [content.shown_run(run)]) == []


def nudged(text):
    """The page with one digit changed in the base64 text of the positions of its first run."""
    entry = json.loads(text.partition(write.DATA_OPENS)[2].partition(write.DATA_CLOSES)[0])
    data = entry["blocks"][entry["runs"][0]["positions"]]["data"]
    middle = len(data) // 2
    other = "A" if data[middle] != "A" else "B"
    return text.replace(data, data[:middle] + other + data[middle + 1 :], 1)


def swapped(old, new):
    """What replaces a text once."""

    def change(text):
        assert old in text
        return text.replace(old, new, 1)

    return change


ALTERATIONS = {
    "run id": (swapped('"run_id":"', '"run_id":"0'), "runs/0/run_id"),
    "force": (swapped('"peak_force":', '"peak_force":1'), "runs/0/contacts"),
    "measure": (swapped('"measures":[', '"measures":[{},'), "runs/0/measures"),
    "input": (swapped('"assumed":true', '"assumed":false'), "runs/0/inputs"),
    "animated": (swapped('"animated":[]', '"animated":[1]'), "runs/0/animated"),
    "label": (swapped('"label":"fall test"', '"label":"fact"'), "runs/0/label"),
    "number": (swapped('"format_version":1', '"format_version":1.5'), "format_version"),
    "addition": (swapped('"format":', '"extra":1,"format":'), "extra"),
    "a digit of the motion": (nudged, "blocks"),
    "caption": (
        swapped("Simulation, not recorded footage</strong>", "Recorded footage</strong>"),
        "around its data",
    ),
    "digest": (swapped('class="digest">manifest ', 'class="digest">manifest 0'), "around its data"),
    "script": (swapped("</script>\n</body>", ";0</script>\n</body>"), "around its data"),
    "style": (swapped("</style>", "#mark{display:none}</style>"), "around its data"),
    "policy": (swapped("default-src &#x27;none&#x27;", "default-src *"), "around its data"),
    "end": (lambda text: text + "<!-- -->", "around its data"),
}


@pytest.mark.parametrize("kind", ALTERATIONS)
def test_an_altered_page_is_seen(run, page, tmp_path, kind):
    alter, named = ALTERATIONS[kind]
    path = tmp_path / "case.html"
    path.write_text(alter(page), encoding="utf-8")
    assert any(named in line for line in write.differences(path, [content.shown_run(run)]))


def test_a_page_in_the_run_folder_is_verified(run, tmp_path, capsys):
    """Any change to it shows, in a copy of the folder; the digest that is kept of it alone would do."""
    folder = tmp_path / run.folder.name
    shutil.copytree(run.folder, folder)
    path = write.write_page(read_run(folder))
    assert program.main(["verify", str(folder), "--no-replay"]) == 0
    kept = path.read_text(encoding="utf-8")
    for alter in (
        nudged,
        swapped("recorded footage", "a recorded footage"),
        swapped("</style>", " </style>"),
    ):
        path.write_text(alter(kept), encoding="utf-8")
        assert program.main(["verify", str(folder), "--no-replay"]) == 3
        assert path.name in capsys.readouterr().out


def test_a_file_that_is_no_page_is_refused(run, tmp_path):
    path = tmp_path / "other.html"
    path.write_text("<html></html>")
    with pytest.raises(FileError, match="no page"):
        write.differences(path, [content.shown_run(run)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"cameras":[', '"camera":['),
        ('"cameras":[', '"cameras":7,"others":['),
        ('"cameras":[', '"cameras":[7,'),
        ('"position":[', '"position":7,"place":['),
        ('"title":"', '"title":7,"name":"'),
        ('"runs":[', '"runs":[[],'),
        ('"runs":[', '"runs":7,"others":['),
    ],
)
def test_a_page_of_other_kinds_of_members_is_refused_or_seen(run, tmp_path, old, new):
    camera = Camera("Witness", (0.0, 1.0, 2.0), (1.0, 0.0, 0.0, 0.0), 900.0, (640.0, 480.0))
    path, shown = tmp_path / "case.html", content.shown_run(run)
    text = write.page_bytes([shown], "Case 17", [camera]).decode("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    try:
        assert write.differences(path, [shown])
    except FileError as error:
        assert error.message and error.remedy


def test_a_long_motion_is_thinned_and_says_so(run, monkeypatch):
    monkeypatch.setattr(content, "MOST_PLACES", 10 * len(run.recording.body_names))
    frames = content.shown_frames(run.recording)
    assert len(frames) <= 12 and frames[0] == 0 and frames[-1] == run.recording.frames - 1
    assert "thinned" in content.build_content([content.shown_run(run)])["runs"][0]["sampling"]


def test_two_runs_of_one_scenario_are_told_apart(run):
    labels = [entry["label"] for entry in content.build_content(2 * [content.shown_run(run)])["runs"]]
    assert all("(" in label for label in labels)


def test_the_code_is_missing_with_a_remedy(run, monkeypatch, tmp_path):
    monkeypatch.setattr(write, "BUNDLE", tmp_path / "viewer.js")
    with pytest.raises(FileError, match="build_viewer"):
        write.page_bytes([content.shown_run(run)])


@pytest.mark.parametrize("shape", ["plane", "box", "capsule"])
def test_obstacles_face_outward(shape):
    """The volume under outward faces is positive, and that of a box and a capsule is the closed form."""
    from mannequin.engine.spec import Obstacle

    half = (0.3, 0.3, 0.5)
    points, faces = obstacle_mesh(Obstacle("o", shape, half_size=half))
    a, b, c = (points[triangulated(faces)[:, k]] for k in range(3))
    volume = float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
    if shape == "plane":
        assert np.cross(b - a, c - a)[:, 2].min() > 0.0
    elif shape == "box":
        assert volume == pytest.approx(8 * 0.3 * 0.3 * 0.5)
    else:
        exact = np.pi * 0.3**2 * 1.0 + 4.0 / 3.0 * np.pi * 0.3**3
        assert volume == pytest.approx(exact, rel=0.04)


def test_the_command_writes_checks_and_verifies(run, tmp_path, capsys):
    out = tmp_path / "case.html"
    assert program.main(["view", str(run.folder), "--out", str(out), "--title", "Case 17"]) == 0
    assert program.main(["view", str(run.folder), "--check", str(out)]) == 0
    out.write_text(out.read_text(encoding="utf-8").replace("Simulation, not", "Truly", 1), encoding="utf-8")
    assert program.main(["view", str(run.folder), "--check", str(out)]) == 3
    assert program.main(["view", str(tmp_path / "nothing")]) == 2
    assert program.main(["view", str(run.folder), str(run.folder)]) == 2
