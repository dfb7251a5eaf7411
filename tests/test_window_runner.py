"""The runner of the window tests, as far as it can be checked without a window: verdicts and exit codes."""

import importlib.util
import json
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
    assert {"panels", "first_fall", "pedestrian", "responsiveness"} <= set(runner.chapters())


def test_a_chapter_that_passed_quietly_is_good(runner, window) -> None:
    write_result(window, "passed")
    assert runner.judge(window, "panels", "Info: Added 'male'\nBlender quit\n") == []


def test_a_failed_check_is_told(runner, window) -> None:
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


def test_a_chapter_without_an_end_is_told(runner, window) -> None:
    (told,) = runner.judge(window, "panels", "")
    assert "did not come to its end" in told


def test_no_blender_at_all_is_77_and_one_of_two_is_tested(runner, monkeypatch, capsys) -> None:
    def refuse(release):
        raise runner.system.CannotBeHad("no root")

    monkeypatch.setattr(runner.system, "prepare", refuse)
    assert runner.main() == 77
    assert capsys.readouterr().out.count("cannot be had here: no root") == 2

    def only_the_first(release):
        return Path("/nowhere") if release.blender == "4.3" else refuse(release)

    monkeypatch.setattr(runner.system, "prepare", only_the_first)
    monkeypatch.setattr(runner, "test_window", lambda *_: [])
    assert runner.main() == 0
    monkeypatch.setattr(runner, "test_window", lambda *_: ["panels: wrong"])
    assert runner.main() == 1


def test_without_root_it_says_so(runner, monkeypatch) -> None:
    monkeypatch.setattr(runner.system.os, "geteuid", lambda: 1000)
    with pytest.raises(runner.system.CannotBeHad, match="root"):
        runner.system.require_rights_and_tools()


def test_newer_libraries_replace_shipped_ones(runner) -> None:
    shipped = {line.split("==")[0] for line in runner.load_build_tool().shipped_requirements()}
    assert set(runner.NEWER["3.14"]) <= shipped


@pytest.mark.parametrize(("verdicts", "expected"), [(["failed", "passed"], 0), (["failed", "failed"], 1)])
def test_a_failed_chapter_is_told_once_more_and_said_so(
    runner, window, monkeypatch: pytest.MonkeyPatch, capsys, verdicts: list[str], expected: int
) -> None:
    left = list(verdicts)

    def tell(*_: object) -> str:
        write_result(window, left.pop(0))
        return ""

    monkeypatch.setattr(runner, "tell_chapter", tell)
    assert len(runner.test_window(window, ["panels"], is_ready=True)) == expected
    assert "failed and is told once more" in capsys.readouterr().out and not left
