"""Verify names what was changed, and compares a second simulation."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.files import manifest, verify
from mannequin.analysis.files.run_folder import add_files, write_run
from mannequin.io_json.errors import FileError
from mannequin.io_json.model_json import write_model
from mannequin.io_json.scenario_json import write_scenario

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    return write_run(make_scenario(), make_recording(30), tmp_path / "out", started=NOW, ended=NOW)


@pytest.fixture
def second(monkeypatch):
    """What the second simulation gives, in place of the engine."""
    recording = make_recording(30)
    monkeypatch.setattr(verify, "simulate_again", lambda scenario, first, progress: recording)
    return recording


def test_an_untouched_run_matches(folder, second):
    found = verify.verify_run(folder)
    assert found.is_sound and found.replay == "identical" and found.notes == []
    assert found.files == 9
    assert found.run_id == manifest.read(folder)["sha256"][:8]


def test_one_changed_byte_in_any_file_is_named(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 9
    for path in files:
        good = path.read_bytes()
        changed = bytearray(good)
        changed[len(good) // 2] ^= 1
        path.write_bytes(changed)
        found = verify.verify_run(folder)
        path.write_bytes(good)
        assert not found.is_sound and found.replay == "not made"
        assert len(found.problems) == 1
        assert path.relative_to(folder).as_posix() in found.problems[0]
    assert verify.verify_run(folder, replay=False).is_sound


def test_a_missing_file_is_named(folder):
    (folder / f"{folder.name}_energy.csv").unlink()
    (problem,) = verify.verify_run(folder, replay=False).problems
    assert problem == f"{folder.name}_energy.csv: is missing"


def test_files_added_later_are_checked_too(folder):
    (report,) = add_files(folder, "report", {"report.html": b"<p>right</p>"})
    assert verify.verify_run(folder, replay=False).is_sound
    report.write_bytes(b"<p>wrong</p>")
    (problem,) = verify.verify_run(folder, replay=False).problems
    assert report.name in problem
    report.write_bytes(b"<p>right</p>")
    digests = folder / f"{folder.name}_report.sha256"
    good = digests.read_bytes()
    for position in range(len(good)):
        changed = bytearray(good)
        changed[position] ^= 1
        digests.write_bytes(changed)
        assert not verify.verify_run(folder, replay=False).is_sound, f"byte {position} was not noticed"


def test_lists_of_digests_may_not_lead_out_of_the_folder(folder):
    for name in ("../secret", "/etc/passwd", "plots/../../x", "C:\\x"):
        (folder / "x.sha256").write_text(f"{'0' * 64}  {name}\n")
        assert "is no digest" in verify.verify_run(folder, replay=False).problems[0]


def test_files_added_in_a_folder_are_covered(folder):
    (path,) = add_files(folder, "plots", {"plots/a.png": b"png"})
    found = verify.verify_run(folder, replay=False)
    assert found.is_sound and found.notes == []
    path.write_bytes(b"gnp")
    assert "plots/a.png" in verify.verify_run(folder, replay=False).problems[0]


def test_a_foreign_file_is_a_note(folder):
    (folder / "notes.txt").write_text("mine")
    found = verify.verify_run(folder, replay=False)
    assert found.is_sound and "notes.txt" in found.notes[0]


def test_no_run_folder_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"manifest\.json"):
        verify.verify_run(tmp_path)


def test_a_changed_input_is_a_note(tmp_path, second):
    source = tmp_path / "scenario.json"
    source.write_text("one")
    folder = write_run(
        make_scenario(), make_recording(30), tmp_path / "out", started=NOW, ended=NOW, inputs=[source]
    )
    source.write_text("two")
    found = verify.verify_run(folder)
    assert found.is_sound and "scenario.json" in found.notes[0]


def test_a_model_that_is_another_today_is_a_note(tmp_path, second):
    """A scenario names its model, which is another one with a newer library: the run is what its folder holds."""
    scenario = make_scenario()
    (actor,) = scenario.actors
    model, named = tmp_path / "own.json", tmp_path / "scenario.json"
    write_model(actor.model, model)
    write_scenario(replace(scenario, actors=[replace(actor, model_reference="own.json")]), named)
    folder = write_run(
        scenario, make_recording(30), tmp_path / "out", started=NOW, ended=NOW, inputs=[named, model]
    )
    assert verify.verify_run(folder).is_sound
    write_model(replace(actor.model, description="Another"), model)
    found = verify.verify_run(folder)
    assert found.is_sound and found.replay == "identical"
    (note,) = found.notes
    assert note.startswith("../../own.json") and "changed since the run" in note


def test_another_result_on_the_same_platform_is_a_mismatch(folder, second):
    second.position[12, 1, 0] = np.nextafter(second.position[12, 1, 0], 9.0)
    found = verify.verify_run(folder)
    assert found.replay == "differs"
    assert "position" in found.problems[0]


@pytest.fixture
def other_code(monkeypatch):
    """This machine has other machine code than the run."""
    monkeypatch.setattr(verify, "_has_other_code", lambda content: True)


def test_other_code_is_allowed_the_tolerance_where_the_digest_was_noted(
    folder, second, other_code, monkeypatch
):
    facts = manifest.platform_facts()
    monkeypatch.setattr(manifest, "platform_facts", lambda: {**facts, "processor": "another"})
    digest = manifest.read(folder)["sha256"]
    second.position *= 1.0 + 1e-9
    found = verify.verify_run(folder, expect=digest)
    assert found.is_sound and found.is_authentic
    assert found.replay == "equal within 1e-09 of the largest value"
    assert "platform.processor" in found.notes[0] and "another" in found.notes[0]
    second.velocity[5] *= 1.01
    found = verify.verify_run(folder, expect=digest)
    assert found.replay == "differs"
    assert [problem.split(":")[1].strip() for problem in found.problems] == ["position", "velocity"]


def test_no_tolerance_without_a_digest_from_elsewhere(folder, second, other_code):
    second.position *= 1.0 + 1e-9
    found = verify.verify_run(folder)
    assert found.replay == "differs" and "--expect" in found.problems[0]


def test_no_tolerance_for_the_same_code_under_another_name(folder, second, monkeypatch):
    facts = manifest.platform_facts()
    monkeypatch.setattr(manifest, "platform_facts", lambda: {**facts, "processor": "another"})
    second.position *= 1.0 + 1e-9
    assert verify.verify_run(folder, expect=manifest.read(folder)["sha256"]).replay == "differs"


def test_another_digest_than_the_noted_one(folder, second):
    (problem,) = verify.verify_run(folder, expect="ab" * 32).problems
    assert problem.startswith("manifest.json: has the digest") and "ab" * 32 in problem
    digest = manifest.read(folder)["sha256"]
    assert verify.verify_run(folder, expect=digest[:32].upper()).is_authentic
    for short in (digest[:8], digest[:31], "x" * 64, digest + "0"):
        with pytest.raises(FileError, match="no digest to hold a run against"):
            verify.verify_run(folder, expect=short)


def test_tolerance_covers_contact_events_and_nan(folder, second, other_code):
    digest = manifest.read(folder)["sha256"]
    second.contacts["peak_force"] *= 1 + 1e-7
    assert verify.verify_run(folder, expect=digest).replay.startswith("equal within")
    second.contacts["end"][0] = np.nan
    assert verify.verify_run(folder, expect=digest).replay == "differs"
