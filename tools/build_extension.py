"""Build the extension zips, one per platform and Python line, and check them with Blender's own validator.

    python tools/build_extension.py [--platform linux-x64] [--python 3.11] [--output-dir dist] [--no-code]

A zip is the checkout, less what `[build] paths_exclude_pattern` in blender_manifest.toml leaves out, plus unmodified
wheels of requirements/shipped.txt (and of scans.txt where there are wheels) and the shape data of people
(tools/pack_people.py) with its CC0 notice. The wheels are downloaded with pip into .cache/wheels and, like the shape
data, never committed. A zip for the platform of the build also gets the engine's machine code (tools/prepare_code.py),
so that its first use does not wait for the compiler; the others compile at first use. The manifest in the zip gains the
platform, the wheels and the Blender versions that have the Python of the wheels.
"""

import argparse
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEEL_CACHE = ROOT / ".cache" / "wheels"
REQUIREMENTS = ROOT / "requirements" / "shipped.txt"
SCANS = ROOT / "requirements" / "scans.txt"
WITHOUT_SCANS = {"macos-x64"}
"""Platforms for which the libraries of SCANS have no wheels; there, E57 files give a message that says so."""
PEOPLE = ROOT / "models" / "people" / "data"
PREPARED_CACHE = ROOT / ".cache" / "prepared"
PREPARED = Path("engine", "jit", "prepared_code")

# Folders of the checkout that are large, and never part of the product.
NEVER_COPIED = {"out", "build", "dist"}


@dataclass(frozen=True)
class PythonLine:
    """A Python version, and the Blender versions that embed it (the upper end is not included)."""

    version: str
    blender_min: str
    blender_max: str | None
    macos_arm64: str  # the oldest macOS that these Blender versions run on


@dataclass(frozen=True)
class Target:
    """One zip to build: a platform as Blender names it, and a Python line."""

    platform: str
    line: PythonLine

    @property
    def label(self) -> str:
        """The part of the file name that tells this zip from the others."""
        return f"{self.platform}-py{self.line.version.replace('.', '')}"

    @property
    def pip_platforms(self) -> tuple[str, ...]:
        """The platform tags that pip may choose from; Blender itself needs glibc 2.28."""
        return {
            "linux-x64": (
                "manylinux_2_28_x86_64",
                "manylinux_2_27_x86_64",
                "manylinux_2_17_x86_64",
                "manylinux2014_x86_64",
            ),
            "windows-x64": ("win_amd64",),
            # SciPy has no wheel for macOS 11; there, sweeps say so and all else works.
            "macos-arm64": (self.line.macos_arm64, "macosx_12_0_arm64"),
            "macos-x64": ("macosx_11_0_x86_64",),
        }[self.platform]


PYTHON_311 = PythonLine("3.11", "4.2.0", "5.1.0", "macosx_11_0_arm64")
PYTHON_313 = PythonLine("3.13", "5.1.0", None, "macosx_12_0_arm64")

TARGETS = (
    Target("linux-x64", PYTHON_311),
    Target("windows-x64", PYTHON_311),
    Target("macos-arm64", PYTHON_311),
    # The last Blender for Intel Macs is 4.5, so there is no such zip for Python 3.13.
    Target("macos-x64", PYTHON_311),
    Target("linux-x64", PYTHON_313),
    Target("windows-x64", PYTHON_313),
    Target("macos-arm64", PYTHON_313),
)


class BuildError(Exception):
    """A zip cannot be built; the message says why."""


def run(command: list[object], task: str) -> None:
    """Run a command quietly; show what it printed only if it fails."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise BuildError(f"{task} failed:\n{result.stdout}{result.stderr}")


def blender_scripts() -> Path:
    """Return the scripts folder of the installed Blender module, without loading Blender."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        raise BuildError("Blender as a module (bpy) is not installed in this environment")
    return next(Path(spec.origin).parent.glob("*/scripts"))


def extension_tool(*arguments: object) -> list[object]:
    """Return the command that runs Blender's own extension tool; it works with plain Python."""
    tool = blender_scripts() / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    tags = blender_scripts() / "modules" / "_bpy_internal" / "extensions" / "tags.py"
    return [sys.executable, tool, *arguments, f"--valid-tags={tags}"]


def shipped_requirements(target: Target | None = None) -> list[str]:
    """Return the pinned requirements, one `name==version` each: those of every zip, or those of one."""
    files = [REQUIREMENTS]
    if target is not None and target.platform not in WITHOUT_SCANS:
        files.append(SCANS)
    lines = (line.partition("#")[0].strip() for file in files for line in file.read_text().splitlines())
    return [line for line in lines if line]


def wheel_prefix(requirement: str) -> str:
    """Return how the file name of this requirement's wheel begins."""
    name, version = requirement.split("==")
    return f"{re.sub(r'[-_.]+', '_', name)}-{version}-".lower()


def cached_wheel(folder: Path, requirement: str) -> Path | None:
    """Return the wheel of a requirement if it was downloaded before."""
    prefix = wheel_prefix(requirement)
    return next((path for path in folder.glob("*.whl") if path.name.lower().startswith(prefix)), None)


def download_wheels(target: Target, requirements: list[str]) -> list[Path]:
    """Return the wheels of one target, downloading those that the cache does not have."""
    folder = WHEEL_CACHE / target.label
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in requirements if cached_wheel(folder, name) is None]
    if missing:
        platforms = [f"--platform={tag}" for tag in target.pip_platforms]
        pip = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:"]
        options = [f"--python-version={target.line.version}", "--implementation=cp", f"--dest={folder}"]
        run([*pip, *options, *platforms, *missing], f"downloading the wheels for {target.label}")
    wheels = [cached_wheel(folder, name) for name in requirements]
    return sorted(wheel for wheel in wheels if wheel is not None)


def release_manifest(text: str, target: Target, wheels: list[Path]) -> str:
    """Return the manifest with the lines that belong to one zip in place of `blender_version_min`."""
    lines = [f'blender_version_min = "{target.line.blender_min}"']
    if target.line.blender_max:
        lines.append(f'blender_version_max = "{target.line.blender_max}"')
    lines.append(f'platforms = ["{target.platform}"]')
    lines += ["wheels = [", *(f'  "./wheels/{wheel.name}",' for wheel in wheels), "]"]
    changed, count = re.subn(r"^blender_version_min = .*$", "\n".join(lines), text, flags=re.MULTILINE)
    if count != 1:
        raise BuildError("blender_manifest.toml must state blender_version_min exactly once")
    return changed


def ignored(folder: str, names: list[str]) -> set[str]:
    """Tell copytree what to leave out: hidden files, compiled files, and large folders at the top."""
    top = NEVER_COPIED if Path(folder) == ROOT else set()
    return {name for name in names if name.startswith(".") or name == "__pycache__" or name in top}


def check_people() -> None:
    """Stop where the shape data of people or its notice is missing: a zip without it would lack people."""
    missing = [name for name in ("people.npz", "LICENSE.md") if not (PEOPLE / name).is_file()]
    if missing:
        raise BuildError(f"{PEOPLE / missing[0]} is missing; run tools/pack_people.py first")


def prepared_code(target: Target) -> Path | None:
    """The folder with the engine's machine code for a target, made where there is none; None for other platforms."""
    if target.platform != "linux-x64" or sys.platform != "linux" or platform.machine() != "x86_64":
        return None
    from mannequin.engine.jit.cache_folder import NUMBA_VERSION, sources_digest

    folder = PREPARED_CACHE / f"{sources_digest()[:16]}-numba-{NUMBA_VERSION}"
    if not (folder / "PLATFORM.txt").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, ROOT / "tools" / "prepare_code.py", folder], "preparing machine code")
    return folder


def stage(target: Target, wheels: list[Path], prepared: Path | None, folder: Path) -> None:
    """Lay out in `folder` what Blender's build command then packs."""
    shutil.copytree(ROOT, folder, ignore=ignored)
    shutil.rmtree(folder / PREPARED, ignore_errors=True)
    if prepared is not None:
        shutil.copytree(prepared, folder / PREPARED)
    manifest = folder / "blender_manifest.toml"
    manifest.write_text(release_manifest(manifest.read_text(), target, wheels))
    (folder / "wheels").mkdir()
    for wheel in wheels:
        shutil.copy(wheel, folder / "wheels" / wheel.name)


def build(
    target: Target, output_dir: Path, requirements: list[str] | None = None, prepared: Path | None = None
) -> Path:
    """Build and validate one zip, and return its path.

    requirements: in place of the shipped ones if given. prepared: folder with the engine's machine code to put in.
    """
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text())["version"]
    output = output_dir / f"mannequin-{version}-{target.label}.zip"
    output_dir.mkdir(parents=True, exist_ok=True)
    check_people()
    wheels = download_wheels(target, requirements or shipped_requirements(target))
    with tempfile.TemporaryDirectory(prefix="mannequin-build-") as temporary:
        source = Path(temporary) / "mannequin"
        stage(target, wheels, prepared, source)
        paths = [f"--source-dir={source}", f"--output-filepath={output}"]
        run(extension_tool("build", *paths), f"building {output.name}")
    run(extension_tool("validate", output), f"validating {output.name}")
    return output


def selected(platform: str | None, python: str | None) -> list[Target]:
    """Return the targets that the arguments ask for."""
    return [
        target
        for target in TARGETS
        if platform in (None, target.platform) and python in (None, target.line.version)
    ]


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Build and validate the extension zips.")
    parser.add_argument("--platform", choices=sorted({target.platform for target in TARGETS}))
    parser.add_argument("--python", choices=sorted({target.line.version for target in TARGETS}))
    parser.add_argument("--output-dir", type=Path, default=ROOT / "dist")
    parser.add_argument("--no-code", action="store_true", help="leave the engine's machine code out")
    return parser.parse_args()


def main() -> int:
    """Build the zips that were asked for, all by default, and print their sizes."""
    arguments = parse_arguments()
    targets = selected(arguments.platform, arguments.python)
    if not targets:
        print("extension: there is no such zip", file=sys.stderr)
        return 2
    try:
        for target in targets:
            prepared = None if arguments.no_code else prepared_code(target)
            path = build(target, arguments.output_dir, prepared=prepared)
            first_use = "code prepared" if prepared else "compiles at first use"
            size = f"{os.path.getsize(path) / 1e6:7.1f} MB"
            print(f"{size}  valid  {first_use}  {os.path.relpath(path)}", flush=True)
    except BuildError as error:
        print(f"extension: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
