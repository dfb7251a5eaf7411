"""The runner of the window tests, as far as it can be checked without a window: verdicts and exit codes."""

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parent / "gui"


def load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """tests/gui/__main__.py, its results in a folder of the test."""
    monkeypatch.syspath_prepend(str(FOLDER))
    load("system", FOLDER / "system.py")
    module = load("window_tests", FOLDER / "__main__.py")
    monkeypatch.setattr(module, "OUT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["tests/gui"])
    yield module
    del sys.modules["system"], sys.modules["window_tests"]


@pytest.fixture
def window(runner: ModuleType):
    window = runner.Window(runner.system.RELEASES[0], Path("/nowhere"))
    window.out.mkdir(parents=True)
    return window


def write_result(window, status: str) -> None:
    result = {"status": status, "message": "the tab is gone", "blender": "4.3.2", "seen": {}}
    (window.out / "panels.json").write_text(json.dumps(result))


def test_chapters_are_found_without_blender(runner) -> None:
    expected = {"panels", "first_fall", "pedestrian", "lost_worker", "lost_blender", "responsiveness"}
    assert expected <= set(runner.chapters())


def test_every_panel_is_in_a_picture(root: Path) -> None:
    """What the chapter of the panels demands, told without a window: a new panel is named in a picture."""
    sources = "".join(path.read_text() for path in (root / "panels").glob("*.py"))
    there = set(re.findall(r"^class MANNEQUIN_PT_(\w+)", sources, re.MULTILINE))
    tree = ast.parse((FOLDER / "inside" / "panel_pictures.py").read_text())
    tables = (node.value for node in tree.body if isinstance(node, ast.AnnAssign) and node.value is not None)
    pictures = [picture for table in tables if isinstance(table, ast.Tuple) for picture in table.elts]
    pictured = {name.value for picture in pictures for name in picture.elts[1].elts}
    assert len(there) > 30 and there == pictured


def test_a_chapter_that_passed_quietly_is_good(runner, window) -> None:
    write_result(window, "passed")
    assert runner.judge(window, "panels", "Info: Added 'male'\nBlender quit\n") == []


def test_a_failed_check_is_reported(runner, window) -> None:
    write_result(window, "failed")
    assert runner.judge(window, "panels", "") == ["the tab is gone"]


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        "Error: Python: 1",
        "rna_uiItemO: unknown operator",
        "Segmentation",
    ],
)
def test_an_error_in_the_console_is_found(runner, window, line) -> None:
    write_result(window, "passed")
    assert runner.judge(window, "panels", f"Info: fine\n{line}\n") == [line]


def test_a_chapter_without_an_end_is_reported(runner, window) -> None:
    (reported,) = runner.judge(window, "panels", "")
    assert "did not come to its end" in reported


def test_a_machine_for_no_window_is_77(runner, monkeypatch, capsys) -> None:
    monkeypatch.setattr(runner.system.os, "geteuid", lambda: 1000)
    assert runner.main() == 77
    assert "no window on this machine: making and entering the Debian with Blender needs root" in (
        capsys.readouterr().out
    )


class Commands:
    """What is run in place of programs: notes every command, and lets those that contain a word fail."""

    def __init__(self, failing: str = "") -> None:
        self.failing, self.run = failing, []

    def __call__(self, command, **_):
        self.run.append(" ".join(command))
        code = 1 if self.failing and self.failing in self.run[-1] else 0
        return subprocess.CompletedProcess(command, code, "", f"{self.failing} is out of order")


@pytest.fixture
def debian_root(runner, monkeypatch):
    """A machine as root, with Debian's tools but for debootstrap; returns what is run on it."""
    commands = Commands()
    monkeypatch.setattr(runner.system.os, "geteuid", lambda: 0)
    monkeypatch.setattr(runner.system, "find", lambda program: None if program == "debootstrap" else program)
    monkeypatch.setattr(runner.system.subprocess, "run", commands)
    return commands


def test_root_installs_what_is_missing(runner, debian_root) -> None:
    runner.system.require_rights_and_tools()
    assert debian_root.run[0] == "apt-get -q update"
    assert debian_root.run[1] == "apt-get -q install -y --no-install-recommends debootstrap"


def test_where_a_window_is_expected_failing_to_make_one_is_a_failure(
    runner, debian_root, monkeypatch, capsys
) -> None:
    debian_root.failing = "apt-get -q install"
    assert runner.main() == 1
    assert "installing debootstrap failed" in capsys.readouterr().err
    debian_root.failing = ""

    def not_made(release):
        raise runner.system.CannotBeMade("debootstrap failed: no such release")

    monkeypatch.setattr(runner.system, "prepare", not_made)
    assert runner.main() == 1
    assert capsys.readouterr().err.count("a window was expected here: debootstrap failed") == 2


def test_systems_can_be_made_ahead(runner, debian_root, monkeypatch) -> None:
    made = []
    monkeypatch.setattr(runner.system, "prepare", lambda release: made.append(release.name))
    monkeypatch.setattr(sys, "argv", ["tests/gui", "--prepare"])
    assert runner.main() == 0 and made == ["trixie", "sid"]


def test_displays_are_apart(runner) -> None:
    """Two windows at once: their servers share the sockets of this machine."""
    assert len({release.display for release in runner.system.RELEASES}) == len(runner.system.RELEASES)


def test_without_namespaces_it_is_no_machine_for_a_window(runner, debian_root) -> None:
    debian_root.failing = "unshare"
    assert runner.main() == 77


def test_every_blender_is_tested_and_one_that_fails_fails_all(runner, debian_root, monkeypatch) -> None:
    monkeypatch.setattr(runner.system, "prepare", lambda release: Path("/nowhere"))
    monkeypatch.setattr(runner, "make_ready", lambda window: [])
    tested = []

    def passes(window, chapters):
        tested.extend((window.release.blender, chapter) for chapter in chapters)
        return []

    monkeypatch.setattr(runner, "test_window", passes)
    assert runner.main() == 0
    assert sorted(tested) == [
        (blender, name) for blender in ("4.3", "5.2") for name in sorted(runner.chapters())
    ]
    # what measures times is told last, when nothing else goes on
    assert tested[-2:] == [("4.3", "responsiveness"), ("5.2", "responsiveness")]
    monkeypatch.setattr(
        runner, "test_window", lambda window, *_: ["wrong"] if window.release.blender == "5.2" else []
    )
    assert runner.main() == 1


class TestLimits:
    """Time limits that know how busy the machine is, by a clock of the test."""

    def limit(self, runner, busy: float):
        self.now = 100.0
        return runner.Limit(900.0, lambda: busy, lambda: self.now)

    @pytest.mark.parametrize(("busy", "seconds"), [(1.0, 900), (2.5, 2250), (8.0, 7200)])
    def test_a_limit_is_as_much_longer_as_the_machine_is_busy(self, runner, busy, seconds) -> None:
        limit = self.limit(runner, busy)
        for _ in range(seconds - 1):
            self.now += 1.0
            assert not limit.is_over()
        self.now += 1.001
        assert limit.is_over()
        assert str(limit).startswith(f"{seconds} s, which count as 900 s")

    @pytest.mark.parametrize(("load", "busy"), [(0.1, 1.0), (4.0, 1.0), (10.0, 2.5), (400.0, 8.0)])
    def test_busy_is_processes_by_cores(self, runner, monkeypatch, load, busy) -> None:
        patience = sys.modules["inside.patience"]
        monkeypatch.setattr(patience.os, "getloadavg", lambda: (load, 0.0, 0.0))
        monkeypatch.setattr(patience.os, "cpu_count", lambda: 4)
        assert patience.busyness() == busy

    def test_a_command_that_takes_too_long_is_ended_and_what_it_printed_is_kept(self, runner) -> None:
        script = "import time; print('begun', flush=True); time.sleep(100)"
        told = runner.output_of([sys.executable, "-c", script], runner.Limit(0.5))
        assert told.startswith("begun") and "Error: not done after" in told
        assert runner.output_of([sys.executable, "-c", "print('done')"], runner.Limit(60.0)) == "done\n"


def test_newer_libraries_replace_shipped_ones(runner) -> None:
    shipped = {line.split("==")[0] for line in runner.load_build_tool().shipped_requirements()}
    assert set(runner.NEWER["3.14"]) <= shipped


@pytest.mark.parametrize(("verdicts", "expected"), [(["failed", "passed"], 0), (["failed", "failed"], 1)])
def test_a_failed_chapter_is_run_once_more_and_reported(
    runner, window, monkeypatch: pytest.MonkeyPatch, capsys, verdicts: list[str], expected: int
) -> None:
    left = list(verdicts)

    def tell(*_: object) -> str:
        write_result(window, left.pop(0))
        return ""

    monkeypatch.setattr(runner, "tell_chapter", tell)
    assert len(runner.test_window(window, ["panels"])) == expected
    assert "failed and is run once more" in capsys.readouterr().out and not left
