"""A run folder: complete, exact, never half-written, never over another one."""

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from synthetic_run import make_model, make_recording, make_scenario

from mannequin.analysis.files import manifest
from mannequin.analysis.files.recording_file import compare_recordings
from mannequin.analysis.files.run_folder import (
    add_files,
    file_stem,
    read_run,
    scenario_with_own_models,
    write_run,
)
from mannequin.engine.spec import Mesh
from mannequin.io_json import atomic
from mannequin.io_json.errors import FileError

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def write(out, recording=None, scenario=None, **options):
    return write_run(
        scenario or make_scenario(), recording or make_recording(50), out, started=NOON, ended=NOON, **options
    )


def test_files_are_named_by_scenario_and_time(tmp_path):
    folder = write(tmp_path)
    stem = "fall_test_20260301T120000Z"
    assert folder == tmp_path / stem
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert names == sorted([
        "manifest.json", "models/doll.json", f"{stem}_contacts.csv", f"{stem}_energy.csv", f"{stem}_joints.csv",
        f"{stem}_output.csv", f"{stem}_recording.npz", f"{stem}_scenario.json", f"{stem}_summary.txt",
    ])  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == [stem]


def test_reads_back_exactly(tmp_path):
    scenario, recording = make_scenario(friction=0.35), make_recording(50)
    run = read_run(write(tmp_path, recording, scenario))
    assert compare_recordings(recording, run.recording) == {}
    assert run.scenario.settings == scenario.settings
    assert run.scenario.actors[0].model == scenario.actors[0].model
    assert run.scenario.sources == scenario.sources


def test_a_name_that_is_taken_gets_a_number(tmp_path):
    first = write(tmp_path)
    before = {path: path.read_bytes() for path in first.rglob("*") if path.is_file()}
    second, third = write(tmp_path), write(tmp_path)
    assert (second.name, third.name) == (f"{first.name}_2", f"{first.name}_3")
    assert (second / f"{second.name}_output.csv").is_file()
    assert before == {path: path.read_bytes() for path in first.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Fall: 2/3 <a>", "Fall_2_3_a_20260301T120000Z"),
        ("../../etc", "etc_20260301T120000Z"),
        ("", "scenario_20260301T120000Z"),
        ("ä" * 200, "ä" * 80 + "_20260301T120000Z"),
    ],
)
def test_stems_are_safe_names(name, expected):
    assert file_stem(name, NOON) == expected


def test_the_manifest_lists_every_file_and_parameter(tmp_path):
    source = tmp_path / "input.json"
    source.write_text("{}")
    folder = write(tmp_path / "out", inputs=[source], overrides={"friction": 0.4}, host={"blender": "4.5.0"})
    content = json.loads((folder / "manifest.json").read_text())
    for entry in content["outputs"]:
        data = (folder / entry["path"]).read_bytes()
        assert (entry["sha256"], entry["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {entry["path"] for entry in content["outputs"]} == files - {"manifest.json"}
    assert content["inputs"][0]["sha256"] == hashlib.sha256(b"{}").hexdigest()
    assert content["parameters"]["settings"]["max_speed"] == 500.0
    assert content["parameters"]["actors"][0]["model"]["bodies"][1]["mass"] == 4.5
    assert content["versions"]["blender"] == "4.5.0" and content["versions"]["numpy"] == np.__version__
    assert content["started"] == "2026-03-01T12:00:00.000Z"
    assert content["warnings"] == ["a <warning> & its text"]


def test_any_changed_byte_of_the_manifest_is_noticed(tmp_path):
    folder = write(tmp_path)
    path = folder / "manifest.json"
    good = path.read_bytes()
    for position in range(0, len(good), max(1, len(good) // 150)):
        changed = bytearray(good)
        changed[position] ^= 1
        path.write_bytes(changed)
        with pytest.raises(FileError, match="manifest.json"):
            manifest.read(folder)
    path.write_bytes(good + b"\n")
    with pytest.raises(FileError, match="manifest.json"):
        manifest.read(folder)
    path.write_bytes(good)
    assert manifest.read(folder)["run"] == folder.name


def test_infinite_and_array_parameters_have_a_spelling():
    reported = manifest.plain({"a": float("inf"), "b": np.arange(3.0), "c": (np.float64(1.5), None)})
    assert reported["a"] == "inf" and reported["c"] == [1.5, None]
    assert reported["b"]["sha256"] == hashlib.sha256(np.arange(3.0).tobytes()).hexdigest()


def test_actors_share_a_model_file_only_when_it_is_the_same():
    scenario = make_scenario()
    other = make_model()
    other.bodies[0].mass = 99.0
    actor = scenario.actors[0]
    scenario.actors = [actor, type(actor)("twin", make_model()), type(actor)("heavy", other)]
    names = [actor.model_reference for actor in scenario_with_own_models(scenario).actors]
    assert names == ["models/doll.json", "models/doll.json", "models/doll_2.json"]
    assert scenario.actors[0].model_reference == ""


def test_added_files_have_their_digests_beside_them(tmp_path):
    folder = write(tmp_path)
    (path,) = add_files(folder, "report", {"report.html": b"<p>"})
    assert path.name == f"{folder.name}_report.html"
    line = (folder / f"{folder.name}_report.sha256").read_text()
    assert line == f"{hashlib.sha256(b'<p>').hexdigest()}  {path.name}\n"


# ---------------------------------------------------------------- when writing fails


@pytest.mark.parametrize("fail_at", range(10))
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_full_disk_leaves_nothing_and_is_said(tmp_path, monkeypatch, fail_at, number):
    """Whichever file the disk fills up at, nothing is left under any name."""
    calls = []

    def limited(handle):
        calls.append(handle)
        if len(calls) > fail_at:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic.os, "fsync", limited)
    with pytest.raises(FileError) as caught:
        write(tmp_path)
    assert os.strerror(number) in str(caught.value)
    assert str(tmp_path / "fall_test_20260301T120000Z") in str(caught.value)
    assert ".partial" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_a_folder_that_may_not_be_written_is_named(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    if os.access(locked, os.W_OK):  # root may write anywhere: take a place where nobody can make a folder
        locked = Path("/proc/mannequin-test")
    with pytest.raises(FileError) as caught:
        write(locked)
    assert str(locked) in str(caught.value) and "Choose a folder" in str(caught.value)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FileError, match="out"):
        write(tmp_path / "out")


def test_what_killed_runs_left_is_removed_after_a_day(tmp_path):
    old, fresh = tmp_path / ".a.partial", tmp_path / ".b.partial"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "half.csv").write_text("1,")
    os.utime(old, (0, time.time() - 90_000))
    write(tmp_path)
    assert fresh.is_dir() and not old.exists()


def test_an_input_that_vanished_is_named(tmp_path):
    with pytest.raises(FileError, match=r"gone\.json"):
        write(tmp_path / "out", inputs=[tmp_path / "gone.json"])
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="mounting a small disk needs Linux and root"
)
@pytest.mark.parametrize(("size", "is_kept"), [("600k", True), ("24k", False)])
def test_a_disk_that_is_really_full(tmp_path, size, is_kept):
    """What fits is kept as a run that was stopped; where nothing fits there is an error, and nothing is left."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("this system does not allow mounting")
    try:
        if not is_kept:
            with pytest.raises(FileError, match="No space left"):
                write(disk, make_recording(2000))
            assert list(disk.iterdir()) == []
            return
        run = read_run(write(disk, make_recording(2000)))
        assert run.recording.status == run.manifest["status"] == "stopped"
        assert 10 < run.recording.frames < 2000 and "of 2,000 output times" in run.recording.message
        assert list(disk.iterdir()) == [run.folder]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


KILL_SCRIPT = """
import sys
sys.path.insert(0, sys.argv[2])
from datetime import UTC, datetime
from synthetic_run import make_recording, make_scenario
from mannequin.analysis.files.run_folder import write_run
scenario, recording = make_scenario(), make_recording(400)
print("ready", flush=True)
while True:
    now = datetime.now(UTC)
    write_run(scenario, recording, sys.argv[1], started=now, ended=now)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_sigkill_at_any_moment_leaves_only_whole_runs(tmp_path, root):
    """Killed at random moments of writing, every folder with a final name is complete and matches its digests."""
    rng = np.random.default_rng(11)
    partial = 0
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", KILL_SCRIPT, str(tmp_path / "out"), str(root / "tests" / "support")],
            stdout=subprocess.PIPE,
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0.02, 0.35))
        process.kill()
        process.wait()
        process.stdout.close()
    for folder in (tmp_path / "out").iterdir():
        if folder.name.startswith("."):
            partial += 1
            continue
        content = manifest.read(folder)
        for entry in content["outputs"]:
            assert manifest.sha256_of_file(folder / entry["path"]) == entry["sha256"]
        read_run(folder)
    assert partial > 0, "no run was killed while it was being written: the test has shown nothing"


def rewrite_manifest(folder: Path, change) -> None:
    """Change the manifest and give it a valid digest, as somebody would who wants to deceive."""
    content = json.loads((folder / manifest.FILE_NAME).read_bytes())
    change(content)
    (folder / manifest.FILE_NAME).write_bytes(manifest.dumps(content))


@pytest.mark.parametrize(
    "stem", ["../outside/x", "/tmp/x", "..", "a/b", "a\\b", "c:x", "nul", "", "x\0y", 7, None]
)
def test_a_run_name_never_leads_out_of_the_folder(tmp_path, stem):
    folder = write(tmp_path / "out")
    (tmp_path / "outside").mkdir()
    rewrite_manifest(folder, lambda content: content.update(run=stem))
    before = sorted(tmp_path.rglob("*"))
    for use in (read_run, lambda folder: add_files(folder, "report", {"report.html": b"x"})):
        with pytest.raises(FileError, match="manifest.json"):
            use(folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_outputs_of_a_manifest_stay_in_the_folder(tmp_path):
    folder = write(tmp_path)
    rewrite_manifest(folder, lambda content: content["outputs"][0].update(path="../../etc/passwd"))
    with pytest.raises(FileError, match="/outputs/0/path"):
        manifest.read(folder)


def test_added_names_stay_in_the_folder(tmp_path):
    folder = write(tmp_path / "out")
    with pytest.raises(FileError, match="leads out"):
        add_files(folder, "plots", {"../plots/x.png": b"x"})


WRONG_KINDS = [
    (name, value)
    for name, kind in sorted(manifest.MEMBERS.items())
    for value in (None, True, [[1]], {"a": {}})
    if name != "sha256" and (value is True or not isinstance(value, kind))
]


@pytest.mark.parametrize("name, value", WRONG_KINDS)
def test_a_manifest_with_a_member_of_the_wrong_kind_is_refused(tmp_path, name, value):
    folder = write(tmp_path)
    rewrite_manifest(folder, lambda content: content.update({name: value}))
    with pytest.raises(FileError, match=f"/{name}"):
        manifest.read(folder)


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b"null", b"[]", b'{"format": "mannequin-run"}', b"\xff", b"NaN"]
)
def test_a_file_that_is_no_manifest_is_refused(tmp_path, data):
    (tmp_path / manifest.FILE_NAME).write_bytes(data)
    with pytest.raises(FileError):
        manifest.read(tmp_path)


def test_no_absolute_path_is_in_a_manifest(tmp_path):
    """The folder of a user never shows, wherever the files are."""
    home, elsewhere = tmp_path / "home" / "alice", tmp_path / "elsewhere"
    home.mkdir(parents=True)
    (home / "case.json").write_text("{}")
    near = manifest.read(write(home / "out", inputs=[home / "case.json"]))
    far = manifest.read(write(elsewhere / "out", inputs=[home / "case.json", Path(manifest.__file__)]))
    assert near["inputs"][0]["path"] == "../../case.json"
    assert [entry["path"] for entry in far["inputs"]] == ["case.json", "mannequin/analysis/files/manifest.py"]
    assert "alice" not in json.dumps([near, far]) and str(tmp_path) not in json.dumps([near, far])


@pytest.mark.parametrize("place", ["/home/alice/case/", "C:\\\\Users\\\\alice\\\\", "//server/alice/"])
def test_files_that_a_scenario_names_by_absolute_paths_are_named_without_them(tmp_path, place):
    scenario = make_scenario()
    scenario.actors[0].model_reference = f"{place}man.json"
    body = scenario.actors[0].model.bodies[0]
    body.meshes = [Mesh(path=f"{place}skin.obj")]
    content = manifest.build(
        "x",
        scenario,
        make_recording(),
        started=datetime.now(UTC),
        ended=datetime.now(UTC),
        overrides={"obstacles.wall.path": f"{place}wall.stl", "friction": 0.5},
    )
    assert content["parameters"]["actors"][0]["model_reference"] == "man.json"
    assert content["overrides"] == {"obstacles.wall.path": "wall.stl", "friction": 0.5}
    assert "skin.obj" in json.dumps(content) and "alice" not in json.dumps(content)
