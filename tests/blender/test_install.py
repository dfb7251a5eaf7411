"""The zip as a user meets it: installed into an empty user folder, in a Blender without our libraries."""

import tomllib
import zipfile
from pathlib import Path

import pytest
from blender_process import run_in_blender

SUPPORT = Path(__file__).resolve().parent.parent / "support"
BUNDLED = ("numba", "llvmlite", "PIL", "matplotlib")

INSTALL = """
import importlib.util, os, sys
import bpy

for name in (*{bundled!r}, "mannequin"):
    assert importlib.util.find_spec(name) is None, f"{{name}} is there before the installation"

bpy.ops.extensions.package_install_files(filepath={zip!r}, repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.mannequin" in bpy.context.preferences.addons
user_folder = os.environ["BLENDER_USER_RESOURCES"]
"""


def install_and_run(
    code: str, extension_zip: Path, bare_python: Path, folder: Path, timeout: float = 240.0
) -> str:
    """Install the zip and run code in the same process; return what it printed."""
    install = INSTALL.format(bundled=BUNDLED, zip=str(extension_zip))
    return run_in_blender(install + code, folder, python=bare_python, timeout=timeout)


def test_bundled_wheels_and_operator_work(extension_zip: Path, bare_python: Path, tmp_path: Path) -> None:
    code = f"""
for name in {BUNDLED!r}:
    module = importlib.import_module(name)
    assert module.__file__.startswith(user_folder), module.__file__
import numpy
assert not numpy.__file__.startswith(user_folder), "NumPy must be Blender's own"
import numba
assert numba.njit(lambda x: x + 1)(41) == 42
print(bpy.ops.mannequin.system_check())
"""
    output = install_and_run(code, extension_zip, bare_python, tmp_path)
    assert "FINISHED" in output
    assert "Engine: compiled" in output
    assert "missing" not in output


@pytest.mark.slow
@pytest.mark.timeout(960)
def test_engine_compiles_with_the_bundled_libraries_alone(
    extension_zip: Path, bare_python: Path, tmp_path: Path
) -> None:
    """Compiled from nothing, as at a user's first run; SciPy, which Numba may want, cannot be loaded."""
    code = """
for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
    del sys.modules[name]
sys.modules["scipy"] = None
from bl_ext.user_default.mannequin.engine import jit
jit.warmup()
print("compiled")
"""
    assert "compiled" in install_and_run(code, extension_zip, bare_python, tmp_path, timeout=900.0)


def test_sweeps_find_their_library(extension_zip: Path, bare_python: Path, tmp_path: Path) -> None:
    code = """
from bl_ext.user_default.mannequin.sweeps.availability import missing
from bl_ext.user_default.mannequin.sweeps.design import points
from bl_ext.user_default.mannequin.sweeps.spec import Design, Distribution, Parameter
assert missing() == "", missing()
spread = Distribution("normal", mean=0, sd=1)
print("points", points(Design("sobol", 8), [Parameter("a", "a", spread)]).shape)
"""
    assert "points (8, 1)" in install_and_run(code, extension_zip, bare_python, tmp_path)


def test_disable_and_enable_leave_nothing_behind(
    extension_zip: Path, bare_python: Path, tmp_path: Path
) -> None:
    code = f"""
import addon_utils
sys.path.insert(0, {str(SUPPORT)!r})
from blender_state import TimerWatch, snapshot
name = "bl_ext.user_default.mannequin"
def fail(error):
    raise error
addon_utils.disable(name, default_set=True, handle_error=fail)
clean = snapshot()
assert not any("mannequin" in entry.lower() for entry in clean), [e for e in clean if "mannequin" in e.lower()]
with TimerWatch() as timers:
    addon_utils.enable(name, default_set=True, handle_error=fail)
    assert "operator:mannequin.system_check" in snapshot() - clean
    addon_utils.disable(name, default_set=True, handle_error=fail)
assert snapshot() == clean, sorted(snapshot() ^ clean)
assert not timers.left(), timers.left()
addon_utils.enable(name, default_set=True, handle_error=fail)
print(bpy.ops.mannequin.system_check())
"""
    assert "FINISHED" in install_and_run(code, extension_zip, bare_python, tmp_path)


def test_removed_extension_is_gone(extension_zip: Path, bare_python: Path, tmp_path: Path) -> None:
    code = """
repos = [repo.module for repo in bpy.context.preferences.extensions.repos]
bpy.ops.extensions.package_uninstall(repo_index=repos.index("user_default"), pkg_id="mannequin")
assert "bl_ext.user_default.mannequin" not in bpy.context.preferences.addons
assert not os.path.exists(os.path.join(user_folder, "extensions", "user_default", "mannequin"))
print("gone")
"""
    assert "gone" in install_and_run(code, extension_zip, bare_python, tmp_path)


def test_zip_holds_the_product_and_nothing_else(extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        names = archive.namelist()
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    tops = {name.split("/")[0] for name in names}
    assert {
        "__init__.py",
        "registration.py",
        "engine",
        "scene",
        "operators",
        "panels",
        "LICENSE",
        "wheels",
    } <= tops
    assert not tops & {
        "tests",
        "docs",
        "benchmarks",
        "tools",
        "requirements",
        "out",
        "dist",
        "Makefile",
        "setup.py",
    }
    assert not [name for name in names if name.split("/")[-1].startswith(".") or "__pycache__" in name]
    assert not [wheel for wheel in manifest["wheels"] if "/numpy-" in wheel]
    assert {f"wheels/{Path(wheel).name}" for wheel in manifest["wheels"]} == {
        name for name in names if name.startswith("wheels/")
    }


@pytest.mark.parametrize("key", ["blender_version_min", "platforms", "wheels"])
def test_manifest_in_the_zip_names_its_target(key: str, extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        assert tomllib.loads(archive.read("blender_manifest.toml").decode())[key]
