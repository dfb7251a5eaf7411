"""The package for the other side: complete, checked where it is, and sound in a bare environment."""

import json
import os
import subprocess
import sys
import zipfile
from datetime import UTC, datetime

import pytest
from ball_drop import make_drop

from mannequin.__main__ import main
from mannequin.analysis.files.run_folder import write_run
from mannequin.commands import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE
from mannequin.engine.runs.simulation import run as simulate
from mannequin.evidence.cases.case import add_exhibit, new_case
from mannequin.evidence.packages.check import verify_package
from mannequin.evidence.packages.disclose import disclose, dumps

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A case with an exhibit, a film and a run of the engine, disclosed; path and digest."""
    place = tmp_path_factory.mktemp("disclosed")
    case = new_case(place / "case", "17", "A. Expert", "A ball")
    (case.folder / "evidence").mkdir()
    (case.folder / "evidence" / "photo.jpg").write_bytes(b"jpeg")
    add_exhibit(case, case.folder / "evidence" / "photo.jpg", "E1", "photograph")
    scenario = make_drop(duration=0.02)
    write_run(scenario, simulate(scenario), case.folder / "runs", started=NOW, ended=NOW)
    (case.folder / "film.mp4").write_bytes(b"film")
    return place / "case.zip", disclose(case.folder, place / "case.zip")


def changed(package, tmp_path, edit):
    """A copy of the package whose entries went through `edit`; its list of files and its digest are made again."""
    with zipfile.ZipFile(package[0]) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    edit(entries)
    path = tmp_path / "changed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def test_everything_is_in_it(package):
    with zipfile.ZipFile(package[0]) as archive:
        names = archive.namelist()
        content = json.loads(archive.read("disclosure.json"))
    for name in (
        "LICENSE",
        "REPEAT.md",
        "case/case.json",
        "case/log.jsonl",
        "program/mannequin/__main__.py",
        "program/requirements.txt",
    ):
        assert name in names, name
    assert list(content["exhibits"]) == ["E1"] and list(content["films"]) == ["case/film.mp4"]
    assert len(content["runs"]) == 1 and content["versions"]["engine_sources"]
    assert not any("__pycache__" in name or name.startswith("program/mannequin/tests") for name in names)


def test_it_verifies_where_it_is(package, capsys):
    assert main(["verify", str(package[0]), "--expect", package[1]]) == EXIT_OK
    out = capsys.readouterr().out
    assert "second simulation identical" in out and package[1] in out
    assert main(["verify", str(package[0]), "--no-replay", "--expect", "ab" * 32]) == EXIT_MISMATCH
    assert main(["verify", str(package[0]), "--expect", "abc"]) == EXIT_USAGE


def test_the_same_case_gives_the_same_bytes(package, tmp_path):
    assert disclose(package[0].parent / "case", tmp_path / "again.zip") == package[1]
    assert (tmp_path / "again.zip").read_bytes() == package[0].read_bytes()


@pytest.mark.parametrize("name", ["case/evidence/photo.jpg", "case/film.mp4", "case/log.jsonl", "REPEAT.md"])
def test_a_changed_file_is_named(package, tmp_path, name):
    path = changed(package, tmp_path, lambda entries: entries.update({name: entries[name] + b" "}))
    assert verify_package(path, replay=False).problems == [
        f"{name}: has been changed since the package was made"
    ]


def test_files_left_out_or_put_in_are_named(package, tmp_path):
    def edit(entries):
        del entries["case/film.mp4"]
        entries["case/more.txt"] = b"x"

    problems = verify_package(changed(package, tmp_path, edit), replay=False).problems
    assert problems == ["case/film.mp4: is missing", "case/more.txt: is in the package, but not listed"]


def test_a_forger_who_lists_everything_anew_meets_log_run_and_digest(package, tmp_path):
    """Table and list are changed alike; the run itself still tells, and so does the noted digest."""
    import hashlib

    def edit(entries):
        name = next(name for name in entries if name.endswith("_contacts.csv"))
        entries[name] = entries[name].replace(b"0.00", b"0.01", 1)
        content = json.loads(entries["disclosure.json"])
        for entry in content["files"]:
            data = entries[entry["path"]]
            entry.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        entries["disclosure.json"] = dumps(content)

    path = changed(package, tmp_path, edit)
    assert any(
        "_contacts.csv: has been changed" in problem
        for problem in verify_package(path, replay=False).problems
    )
    assert "it should be" in verify_package(path, replay=False, expect=package[1]).problems[0]


def test_names_that_lead_out_are_refused(package, tmp_path):
    path = changed(package, tmp_path, lambda entries: entries.update({"../evil": b"x"}))
    assert any("leads out" in problem for problem in verify_package(path, replay=False).problems)


@pytest.mark.long
def test_it_verifies_in_a_bare_environment_with_the_program_inside(package, tmp_path):
    """Nothing of this checkout: the program is taken out of the package, and no variable of this session is there."""
    with zipfile.ZipFile(package[0]) as archive:
        archive.extractall(tmp_path / "unpacked")
    program = tmp_path / "unpacked" / "program"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(program)}
    where = subprocess.run(
        [sys.executable, "-c", "import mannequin; print(mannequin.__file__)"],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(program))
    done = subprocess.run(
        [sys.executable, "-m", "mannequin", "verify", str(package[0]), "--no-replay", "--expect", package[1]],
        env=environment, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == EXIT_OK, done.stdout + done.stderr


@pytest.mark.slow
def test_the_program_inside_simulates_the_same_again(package, tmp_path):
    with zipfile.ZipFile(package[0]) as archive:
        archive.extractall(tmp_path / "unpacked")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": str(tmp_path / "unpacked" / "program"),
        "MANNEQUIN_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "mannequin", "verify", str(package[0])],
        env=environment, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == EXIT_OK and "second simulation identical" in done.stdout, (
        done.stdout + done.stderr
    )
