"""Tests in a real Blender window: `make gui-test`.

    python tests/gui [--blender 4.3] [--prepare] [chapters]

For each of two Blenders: makes (once) a Debian that has it, installs the extension zip there as a user would, opens the
window on a display without a screen, lets `inside/story.py` work it, and judges: the story's own checks, and every
error in the console. The Blenders are tested side by side, save for the chapters that measure times. A chapter that
fails is run a second time, and reported to have failed once: events reach a window on a busy machine in an order that
nobody can promise. Screenshots, consoles and results stay in out/gui/<Blender>.

Exit codes: 0 passed; 1 failed, also where a window is expected and could not be made (a Debian machine, as root, that
allows namespaces); 77 not run, because this is no such machine.
"""

import argparse
import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import system
from inside.patience import Limit

ROOT = system.ROOT
OUT = ROOT / "out" / "gui"
TESTS = Path(__file__).resolve().parent / "inside"
ENVIRONMENT = {
    "HOME": "/gui/user",
    "BLENDER_USER_RESOURCES": "/gui/user/blender",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "MANNEQUIN_CACHE_DIR": "/gui/engine",
    "GUI_OUT": "/gui/out",
    "PYTHONPATH": "/gui/tests",
    "PYTHONUNBUFFERED": "1",
}
SCREEN = (1440, 1400)
DEADLINE = 900.0
"""Seconds of a quiet machine for a chapter (see `inside/patience.py`); the chapter itself gives up earlier on anything
it waits for."""
WRONG = re.compile(
    r"Traceback|\bError\b(?!: Not freed memory)|^rna_|exception|MemoryError|AddressSanitizer|Segmentation",
    re.MULTILINE,
)
"""What must not be in a console. Blender itself ends a session in which its search pop-up was used with a note on some
hundred bytes that it has not freed."""
ALONE = ("responsiveness",)
"""Chapters that measure how long the interface is held up: one window at a time."""
EXIT_NOT_HERE = 77
NEWER = {"3.14": {"numba": "0.68.1", "llvmlite": "0.50.0", "contourpy": "1.3.3", "scipy": "1.18.1"}}
"""Versions of shipped libraries for Pythons that the shipped ones are too old for."""


@dataclass(frozen=True)
class Window:
    """A Blender to open a window of: its system, and the folders that it sees."""

    release: system.Release
    debian: Path

    @property
    def out(self) -> Path:
        """Pictures, consoles and results."""
        return OUT / self.release.blender

    @property
    def user(self) -> Path:
        """Blender's user folder: new for every run."""
        return system.CACHE / f"user-{self.release.name}"

    @property
    def folders(self) -> dict[str, Path]:
        """Paths in the system, and what is seen there; compiled code is kept from run to run."""
        engine = system.CACHE / f"engine-{self.release.name}"
        return {"/gui/out": self.out, "/gui/tests": TESTS, "/gui/user": self.user, "/gui/engine": engine}

    def run(self, *command: str, timeout: float, **settings: str) -> str:
        """Run a command in the system and return what it printed, both streams."""
        whole = system.inside(self.debian, command, ENVIRONMENT | settings, self.folders)
        return output_of(whole, Limit(timeout))


def output_of(command: list[str], limit: Limit) -> str:
    """Run a command and return what it printed, both streams; end it where its time is up."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while True:
        try:
            return process.communicate(timeout=1.0)[0]
        except subprocess.TimeoutExpired:
            if limit.is_over():
                process.kill()
                return f"{process.communicate()[0]}\nError: not done after {limit}\n"


def load_build_tool() -> ModuleType:
    """Load tools/build_extension.py, which is not part of the package."""
    path = ROOT / "tools" / "build_extension.py"
    spec = importlib.util.spec_from_file_location("build_extension", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up here
    spec.loader.exec_module(module)
    return module


def build_zip(release: system.Release) -> Path:
    """Build the zip with wheels for Debian's Python, which no official Blender of that version has."""
    tool = load_build_tool()
    newer = NEWER.get(release.python, {})
    pairs = (line.split("==") for line in tool.shipped_requirements())
    requirements = [f"{name}=={newer.get(name, version)}" for name, version in pairs]
    line = tool.PythonLine(release.python, "4.2.0", None, tool.PYTHON_313.macos_arm64)
    return tool.build(tool.Target("linux-x64", line), system.CACHE / "dist", requirements)


def install(window: Window, package: Path) -> str:
    """Install and enable the zip with Blender's own command."""
    shutil.copy(package, window.user / package.name)
    arguments = ("--command", "extension", "install-file", "-r", "user_default", "-e")
    return window.run("blender", *arguments, f"/gui/user/{package.name}", timeout=300.0)


def tell_chapter(window: Window, chapter: str) -> str:
    """Open a window and run one chapter of the story to its end; return the console."""
    (window.out / f"{chapter}.json").unlink(missing_ok=True)
    width, height = SCREEN
    number = str(window.release.display)
    display = ("xvfb-run", "-n", number, "-a", "-s", f"-screen 0 {width}x{height}x24 +extension GLX")
    blender = ("blender", "--python-use-system-env", "-setaudio", "None", "--window-geometry", "0", "0")
    script = (str(width), str(height), "--python-exit-code", "1", "--python", "/gui/tests/story.py")
    console = window.run(*display, *blender, *script, timeout=DEADLINE, GUI_CHAPTER=chapter)
    (window.out / f"{chapter}.txt").write_text(console)
    return console


def chapters() -> list[str]:
    """Names of the chapters, read from the story's table without loading Blender."""
    tree = ast.parse((TESTS / "story.py").read_text())
    table = next(
        node.value for node in tree.body if isinstance(node, ast.AnnAssign) and node.target.id == "CHAPTERS"
    )
    return [key.value for key in table.keys]


def judge(window: Window, chapter: str, console: str) -> list[str]:
    """Return what went wrong in a chapter: its own checks, and errors in the console."""
    wrong = [line for line in console.splitlines() if WRONG.search(line)]
    path = window.out / f"{chapter}.json"
    if not path.exists():
        return [
            *wrong,
            f"the chapter did not come to its end; see {os.path.relpath(window.out)}/{chapter}.txt",
        ]
    result = json.loads(path.read_text())
    print(f"gui-test: Blender {result['blender']}: {chapter} {result['status']}", flush=True)
    for what, value in result["seen"].items():
        print(f"gui-test:     {what}: {value}", flush=True)
    return wrong if result["status"] == "passed" else [*wrong, result["message"]]


def make_ready(window: Window) -> list[str]:
    """Empty the folders, build the zip and install it; returns what went wrong."""
    for folder in (window.out, window.user):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in window.folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    console = install(window, build_zip(window.release))
    return [f"install: {line}" for line in console.splitlines() if WRONG.search(line)]


def window_of(release: system.Release, wrong: list[str]) -> Window | None:
    """Make a system with this Blender if need be; where that fails, `wrong` gets a line."""
    try:
        return Window(release, system.prepare(release))
    except system.CannotBeMade as error:
        wrong += labelled(release, [f"a window was expected here: {error}"])
        return None


def test_window(window: Window, chosen: list[str]) -> list[str]:
    """Tell chapters, and return everything that went wrong."""
    wrong = []
    for chapter in chosen:
        found = judge(window, chapter, tell_chapter(window, chapter))
        if found:
            for line in found:
                again = f"{chapter} failed and is run once more: {line}"
                print(f"gui-test: Blender {window.release.blender}: {again}", flush=True)
            found = judge(window, chapter, tell_chapter(window, chapter))
        wrong += [f"{chapter}: {line}" for line in found]
    return wrong


def test_releases(releases: list[system.Release], chosen: list[str], is_ready: bool) -> list[str]:
    """Make each Blender ready, then test all of them; returns everything that went wrong."""
    wrong: list[str] = []
    windows = []
    for window in filter(None, [window_of(release, wrong) for release in releases]):
        wrong += [] if is_ready else labelled(window.release, make_ready(window))
        windows.append(window)
    together = [chapter for chapter in chosen if chapter not in ALONE]
    with ThreadPoolExecutor() as pool:
        wrong += tell_each(windows, together, pool.map)
    wrong += tell_each(windows, [chapter for chapter in chosen if chapter in ALONE], map)
    for window in windows:
        print(f"gui-test: {len(list(window.out.glob('*.png')))} pictures in {os.path.relpath(window.out)}")
    return wrong


def tell_each(windows: list[Window], chosen: list[str], each: Callable) -> list[str]:
    """Tell the same chapters in every window, at once or one after the other as `each` (a map) does."""
    found = each(lambda window: labelled(window.release, test_window(window, chosen)), windows)
    return [line for lines in found for line in lines]


def labelled(release: system.Release, wrong: list[str]) -> list[str]:
    """What went wrong, with the Blender that it went wrong in."""
    return [f"Blender {release.blender}: {line}" for line in wrong]


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="tests/gui", description="Test the extension in real windows.")
    versions = [release.blender for release in system.RELEASES]
    parser.add_argument("--blender", choices=versions, help="only this Blender")
    parser.add_argument("--again", action="store_true", help="with the extension that the last run installed")
    parser.add_argument("--prepare", action="store_true", help="only make the Debians, and test nothing")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help=f"of {', '.join(chapters())}")
    return parser.parse_args()


def main() -> int:
    """Test each Blender."""
    arguments = parse_arguments()
    try:
        system.require_rights_and_tools()
    except system.NotHere as error:
        print(f"gui-test: there can be no window on this machine: {error}", flush=True)
        return EXIT_NOT_HERE
    except system.CannotBeMade as error:
        print(f"gui-test: {error}", file=sys.stderr)
        return 1
    releases = [release for release in system.RELEASES if arguments.blender in (None, release.blender)]
    wrong: list[str] = []
    if arguments.prepare:
        for release in releases:
            window_of(release, wrong)
    else:
        wrong = test_releases(releases, arguments.chapters or chapters(), arguments.again)
    for line in wrong:
        print(f"gui-test: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
