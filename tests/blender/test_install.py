"""The zip as a user meets it: installed into an empty user folder, in a Blender without our libraries."""

import os
import shutil
import tomllib
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
from blender_process import run_in_blender
from tool_scripts import load_tool

from mannequin.engine import run
from mannequin.models.scenarios.library import SCENARIOS

SUPPORT = Path(__file__).resolve().parent.parent / "support"
BUNDLED = ("numba", "llvmlite", "PIL", "matplotlib")

NAME = "bl_ext.user_default.mannequin"
INSTALL = """
import importlib.util, os, sys
import bpy

for name in (*{bundled!r}, "mannequin"):
    assert importlib.util.find_spec(name) is None, f"{{name}} is there before the installation"

bpy.ops.extensions.package_install_files(filepath={zip!r}, repo="user_default", enable_on_install=True)
assert {extension!r} in bpy.context.preferences.addons
user_folder = os.environ["BLENDER_USER_RESOURCES"]
"""
USE = f"""
for name in {BUNDLED!r}:
    module = importlib.import_module(name)
    assert module.__file__.startswith(user_folder), module.__file__
import numpy
assert not numpy.__file__.startswith(user_folder), "NumPy must be Blender's own"
import numba
assert numba.njit(lambda x: x + 1)(41) == 42
print(bpy.ops.mannequin.system_check())
"""
START = f"""
import os, sys
import bpy
import addon_utils

def fail(error):
    raise error

name = {NAME!r}
addon_utils.enable(name, default_set=True, handle_error=fail)
user_folder = os.environ["BLENDER_USER_RESOURCES"]
"""


@dataclass(frozen=True)
class Installed:
    """The zip, installed once: what its first session printed, and the user folder that it left behind."""

    printed: str
    user_folder: Path
    python: Path

    def run(self, code: str, folder: Path, timeout: float = 240.0, prepared: Path | None = None) -> str:
        """Run code in another session, with the extension enabled, on a copy of the user folder (by links).

        prepared: folder with the engine's machine code, as a zip may have it.
        """
        shutil.copytree(self.user_folder, folder / "blender_user", copy_function=os.link)
        if prepared is not None:
            (jit,) = folder.glob("blender_user/**/mannequin/engine/jit")
            shutil.copytree(prepared, jit / "prepared_code")
        environment = {"MANNEQUIN_CACHE_DIR": str(folder / "cache")} if prepared else {}
        return run_in_blender(
            START + code, folder, python=self.python, environment=environment, timeout=timeout
        )


@pytest.fixture(scope="module")
def installed(extension_zip: Path, bare_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The zip, installed into an empty user folder and used at once."""
    folder = tmp_path_factory.mktemp("installed")
    install = INSTALL.format(bundled=BUNDLED, zip=str(extension_zip), extension=NAME)
    printed = run_in_blender(install + USE, folder, python=bare_python)
    return Installed(printed, folder / "blender_user", bare_python)


@pytest.mark.long
def test_bundled_wheels_and_operator_work(installed: Installed) -> None:
    assert "FINISHED" in installed.printed
    assert "Engine: compiled" in installed.printed
    assert "missing" not in installed.printed


@pytest.mark.slow
@pytest.mark.zip
@pytest.mark.timeout(960)
def test_engine_compiles_with_the_bundled_libraries_alone(installed: Installed, tmp_path: Path) -> None:
    """Compiled from nothing, as at a user's first run; SciPy, which Numba may want, cannot be loaded."""
    code = """
for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
    del sys.modules[name]
sys.modules["scipy"] = None
from bl_ext.user_default.mannequin.engine.jit import decorators as jit
from bl_ext.user_default.mannequin.engine.runs.warmup import warmup
warmup()
print("compiled")
"""
    assert "compiled" in installed.run(code, tmp_path, timeout=900.0)


@pytest.mark.slow
@pytest.mark.zip
@pytest.mark.timeout(960)
def test_with_prepared_code_the_first_run_compiles_nothing(installed: Installed, tmp_path: Path) -> None:
    """In Blender, with an empty cache: Numba is not even imported, and a fall is that of the engine compiled here."""
    build_extension = load_tool("build_extension")
    prepared = build_extension.prepared_code(build_extension.TARGETS[0])
    if prepared is None:
        pytest.skip("code is prepared on Linux, for x86-64")
    code = """
from bl_ext.user_default.mannequin.analysis.files.number_text import rows_as_text
from bl_ext.user_default.mannequin.engine import run
from bl_ext.user_default.mannequin.models.scenarios.library import SCENARIOS
from hashlib import sha256
import numpy as np
scenario = SCENARIOS["fall_standing"]()
scenario.settings.duration = 0.3
print("fall", sha256(run(scenario).position.tobytes()).hexdigest(), rows_as_text(np.array([[0.1]])).strip())
assert "numba" not in sys.modules
print(bpy.ops.mannequin.system_check())
"""
    printed = installed.run(code, tmp_path, prepared=prepared)
    assert not list(tmp_path.rglob("engine-*/*.code")), "nothing was compiled"
    scenario = SCENARIOS["fall_standing"]()
    scenario.settings.duration = 0.3
    assert f"fall {sha256(run(scenario).position.tobytes()).hexdigest()} 0.1" in printed
    assert "machine code came with the extension" in printed


@pytest.mark.long
def test_sweeps_find_their_library(installed: Installed, tmp_path: Path) -> None:
    code = """
from bl_ext.user_default.mannequin.sweeps.availability import missing
from bl_ext.user_default.mannequin.sweeps.design import points
from bl_ext.user_default.mannequin.sweeps.spec import Design, Distribution, Parameter
assert missing() == "", missing()
spread = Distribution("normal", mean=0, sd=1)
print("points", points(Design("sobol", 8), [Parameter("a", "a", spread)]).shape)
"""
    assert "points (8, 1)" in installed.run(code, tmp_path)


@pytest.mark.long
def test_disable_and_enable_leave_nothing_behind(installed: Installed, tmp_path: Path) -> None:
    code = f"""
sys.path.insert(0, {str(SUPPORT)!r})
from blender_state import TimerWatch, snapshot
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
    assert "FINISHED" in installed.run(code, tmp_path)


@pytest.mark.long
def test_removed_extension_is_gone(installed: Installed, tmp_path: Path) -> None:
    code = """
repos = [repo.module for repo in bpy.context.preferences.extensions.repos]
bpy.ops.extensions.package_uninstall(repo_index=repos.index("user_default"), pkg_id="mannequin")
assert "bl_ext.user_default.mannequin" not in bpy.context.preferences.addons
assert not os.path.exists(os.path.join(user_folder, "extensions", "user_default", "mannequin"))
print("gone")
"""
    assert "gone" in installed.run(code, tmp_path)


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
    assert {f"models/people/data/{name}" for name in ("people.npz", "LICENSE.md")} <= set(names)


@pytest.mark.parametrize("key", ["blender_version_min", "platforms", "wheels"])
def test_manifest_in_the_zip_names_its_target(key: str, extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        assert tomllib.loads(archive.read("blender_manifest.toml").decode())[key]
