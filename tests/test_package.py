"""The package as a whole: it imports without Blender, states its version once, and answers on the command line."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import mannequin
from mannequin import commands
from mannequin.__main__ import main

BLOCK_BLENDER = """
import sys
for name in ("bpy", "mathutils", "bmesh", "gpu"):
    sys.modules[name] = None  # importing it now raises ImportError
"""


def manifest_version(root: Path) -> str:
    return tomllib.loads((root / "blender_manifest.toml").read_text())["version"]


def run_python(code: str, folder: Path) -> subprocess.CompletedProcess:
    """Run code in a new interpreter, in a folder that is not the checkout."""
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)


def test_package_is_this_checkout(root: Path) -> None:
    assert Path(mannequin.__file__).resolve().parent == root


def test_version_comes_from_the_manifest(root: Path) -> None:
    assert mannequin.__version__ == manifest_version(root)


def test_unknown_attribute_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = mannequin.no_such_name


@pytest.mark.parametrize("name", ["engine", "io_json", "analysis", "models", "commands"])
def test_imports_without_blender(name: str, root: Path, tmp_path: Path) -> None:
    if not (root / name / "__init__.py").exists():
        pytest.skip(f"{name} is not there yet")
    result = run_python(f"{BLOCK_BLENDER}\nimport mannequin.{name}", tmp_path)
    assert result.returncode == 0, result.stderr


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom mannequin.__main__ import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'numba', 'matplotlib', 'PIL', 'bpy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    result = run_python(code, tmp_path)
    assert result.returncode == 0, result.stderr
    assert "exit codes" in result.stdout


def test_module_runs_from_any_folder(root: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "mannequin", "--version"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == f"mannequin {manifest_version(root)}"


def test_wrong_command_is_a_usage_error(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["no-such-command"])
    assert stop.value.code == commands.EXIT_USAGE
    assert "no-such-command" in capsys.readouterr().err


def test_ctrl_c_has_its_own_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("mannequin.commands.warmup.run", interrupt)
    assert main(["warmup"]) == commands.EXIT_INTERRUPTED


def test_every_command_follows_the_protocol() -> None:
    for command in commands.load_commands():
        assert command.NAME and command.SUMMARY
        assert callable(command.add_arguments) and callable(command.run)


def test_every_command_module_is_listed(root: Path) -> None:
    """A command that nobody put into the list would never be found."""
    modules = {path.stem for path in (root / "commands").glob("*.py")} - {"__init__"}
    unlisted = {name for name in modules if "NAME =" in (root / "commands" / f"{name}.py").read_text()}
    assert unlisted == set(commands.COMMAND_MODULES)
