"""The set-up and build scripts: what can be checked of them without installing anything."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tool_scripts import TOOLS, load_tool

setup_env = load_tool("setup_env")
build_extension = load_tool("build_extension")


def test_second_set_up_does_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / ".venv"
    folder.mkdir()
    calls = []
    monkeypatch.setattr(setup_env, "fingerprint", lambda name: "same")
    monkeypatch.setattr(setup_env, "ENVIRONMENTS", {"blender-4.5": (str(folder), "3.11")})
    monkeypatch.setattr(setup_env, "install_system_libraries", lambda: calls.append("libraries"))
    monkeypatch.setattr(setup_env, "find_python", lambda line: sys.executable)
    monkeypatch.setattr(setup_env, "install_packages", lambda *_: calls.append("packages"))
    setup_env.set_up("blender-4.5")
    setup_env.set_up("blender-4.5")
    assert calls == ["libraries", "packages"]


def test_fingerprint_follows_included_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "setup.py").touch()
    (tmp_path / "requirements" / "x.txt").write_text("-r y.txt\n")
    (tmp_path / "requirements" / "y.txt").write_text("a==1\n")
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    before = setup_env.fingerprint("x")
    (tmp_path / "requirements" / "y.txt").write_text("a==2\n")
    assert setup_env.fingerprint("x") != before


def test_pinned_requirements_are_found_once_in_included_files_too(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("# a==0 of old\n-r y.txt\nb==2\n")
    (tmp_path / "y.txt").write_text("a==1\nc>=3\nb==2\n")
    assert setup_env.pinned(tmp_path / "x.txt") == ["b==2", "a==1"]


def test_what_is_done_beside_each_other_fails_when_one_fails() -> None:
    ended = []

    def refuse() -> None:
        raise setup_env.SetupError("no")

    with pytest.raises(setup_env.SetupError, match="no"):
        setup_env.beside_each_other((refuse,), (ended.append, 1))
    assert ended == [1]


def test_without_root_set_up_stops_with_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup_env, "missing_packages", lambda: ["libsm6"])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(setup_env.SetupError, match="sudo .*apt-get install.* libsm6"):
        setup_env.install_system_libraries()


def test_missing_python_has_its_own_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup_env, "installed_pythons", lambda line: iter(()))
    monkeypatch.setattr(setup_env, "get_python_with_uv", lambda line: None)
    with pytest.raises(setup_env.SetupError, match="MANNEQUIN_PYTHON_313") as error:
        setup_env.find_python("3.13")
    assert error.value.exit_code == setup_env.EXIT_NO_PYTHON


def test_python_that_does_not_run_is_not_taken(tmp_path: Path) -> None:
    broken = tmp_path / "python3.11"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    assert not setup_env.answers_to(str(broken), "3.11")
    assert not setup_env.answers_to(str(tmp_path / "absent"), "3.11")


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ("ERROR: No matching distribution found for opensim==4.6", setup_env.EXIT_NO_WHEEL),
        ("ERROR: Could not install packages due to an OSError", setup_env.EXIT_FAILED),
    ],
)
def test_a_missing_wheel_has_an_exit_code_of_its_own(told: str, code: int, capfd) -> None:
    """CI leaves out what there is no wheel for, and fails on everything else."""
    script = f"import sys; print({told!r}, file=sys.stderr); sys.exit(1)"
    with pytest.raises(setup_env.SetupError) as caught:
        setup_env.install_requirements([sys.executable, "-c", script], None)
    assert caught.value.exit_code == code and told in capfd.readouterr().err


def test_set_up_script_is_valid_for_old_pythons() -> None:
    """It runs on whatever Python the machine has, so it must compile for 3.8."""
    import ast

    ast.parse((TOOLS / "setup_env.py").read_text(), feature_version=(3, 8))


@pytest.mark.parametrize("target", build_extension.TARGETS, ids=lambda target: target.label)
def test_release_manifest(target: object, root: Path) -> None:
    wheels = [Path("/somewhere/a-1-py3-none-any.whl")]
    text = build_extension.release_manifest((root / "blender_manifest.toml").read_text(), target, wheels)
    manifest = tomllib.loads(text)
    assert manifest["platforms"] == [target.platform]
    assert manifest["wheels"] == ["./wheels/a-1-py3-none-any.whl"]
    assert manifest["blender_version_min"] == target.line.blender_min
    assert manifest.get("blender_version_max") == target.line.blender_max


def test_numpy_is_never_shipped() -> None:
    names = {requirement.split("==")[0] for requirement in build_extension.shipped_requirements()}
    assert "numpy" not in names
    assert {"numba", "llvmlite", "pillow", "matplotlib"} <= names


def test_shipped_wheels_bring_all_they_need() -> None:
    """Everything that a shipped library requires is shipped too, NumPy aside."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    target = build_extension.TARGETS[0]
    shipped = {line.split("==")[0] for line in build_extension.shipped_requirements(target)}
    for name in shipped:
        for requirement in map(Requirement, requires(name) or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                assert requirement.name.lower() in shipped | {"numpy"}, f"{name} needs {requirement.name}"


def test_scans_are_shipped_where_there_are_wheels() -> None:
    for target in build_extension.TARGETS:
        names = {line.split("==")[0] for line in build_extension.shipped_requirements(target)}
        assert {"laspy", "lazrs"} <= names
        assert ("pye57" in names) == (target.platform != "macos-x64")


def test_make_alone_lists_the_targets(root: Path) -> None:
    listing = subprocess.run(["make", "-s"], cwd=root, capture_output=True, text=True, check=True).stdout
    for target in ("demo", "test", "extension", "bench", "gui-test", "examples", "docs", "lint", "clean"):
        assert f"make {target} " in listing
