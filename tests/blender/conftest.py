"""Fixtures for tests with Blender.

`blender` is Blender inside the test process, for most tests. Tests that may crash or disturb it use
`blender_process.run_in_blender` instead.
"""

import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def registered_blender(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Blender in this process, with the extension registered and an empty user folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLENDER_USER_RESOURCES", str(tmp_path_factory.mktemp("blender_user")))
        import bpy
    import mannequin

    mannequin.register()
    return bpy


@pytest.fixture
def blender(registered_blender: ModuleType) -> ModuleType:
    """Blender in this process, with an empty file open; returns the module bpy."""
    registered_blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return registered_blender


@pytest.fixture
def quick_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    """The render preset "draft" with one sample of a pixel in place of five, and skins as they are in the viewport,
    where they are not divided: a tenth of the time for a frame."""
    from mannequin.scene.film import presets

    whole = presets.set_draft

    def set_draft(scene: object) -> None:
        whole(scene)
        scene.display.render_aa = "OFF"
        scene.render.use_simplify, scene.render.simplify_subdivision_render = True, 0

    monkeypatch.setattr(presets, "set_draft", set_draft)


@pytest.fixture(scope="session")
def extension_zip(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension zip for this machine and for the Python of this Blender, built now."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("the install test builds the linux-x64 zip")
    folder = tmp_path_factory.mktemp("dist")
    line = f"{sys.version_info.major}.{sys.version_info.minor}"
    command = [
        sys.executable,
        root / "tools" / "build_extension.py",
        "--no-code",
        "--platform=linux-x64",
        f"--python={line}",
    ]
    result = subprocess.run([*command, f"--output-dir={folder}"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return next(folder.glob("*.zip"))


def required_distributions(name: str) -> set[str]:
    """Return a distribution and everything it requires, as far as it is installed here."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        found.add(current)
        for requirement in distribution(current).requires or ():
            if "extra ==" in requirement:
                continue
            required = "".join(
                char if char.isalnum() or char in "-_." else " " for char in requirement
            ).split()[0]
            try:
                distribution(required)
            except PackageNotFoundError:  # needed on another platform or Python only
                continue
            waiting.append(required)
    return found


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has Blender and what Blender needs, and nothing else: no Numba, Pillow, Matplotlib or mannequin.

    Links to the installed files instead of a second copy, which would take more than a gigabyte.
    """
    folder = tmp_path_factory.mktemp("bare") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site_packages = next(folder.glob("lib/python*/site-packages"))
    for name in required_distributions("bpy"):
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or () if file.parts[0] != ".."}:
            source = Path(str(installed.locate_file(top)))
            if source.exists() and not (site_packages / top).exists():
                (site_packages / top).symlink_to(source)
    return folder / "bin" / "python"
