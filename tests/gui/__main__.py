"""Tests in a real Blender window: `make gui-test`.

    python tests/gui [chapters]

Makes (once) a Debian with Blender, installs the extension zip there as a user would, opens the window on a display
without a screen, lets `inside/story.py` work it, and judges: the story's own checks, and every error in the console.
Screenshots, console and result stay in out/gui. Exit codes: 0 passed, 1 failed, 77 cannot be had on this machine.
"""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import own_symbols
import system

ROOT = system.ROOT
OUT = ROOT / "out" / "gui"
TESTS = Path(__file__).resolve().parent / "inside"
USER = system.CACHE / "user"
"""Blender's user folder: new for every run."""
ENGINE = system.CACHE / "engine"
"""Compiled code; kept, in a folder named after the engine's sources."""
FOLDERS = {"/gui/out": OUT, "/gui/tests": TESTS, "/gui/user": USER, "/gui/engine": ENGINE}
ENVIRONMENT = {
    "HOME": "/gui/user",
    "BLENDER_USER_RESOURCES": "/gui/user/blender",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "MANNEQUIN_CACHE_DIR": "/gui/engine",
    # Compiled even though Mesa's LLVM is in the process: the compiler of the zip under test keeps to itself.
    "MANNEQUIN_INTERPRETED": "0",
    "GUI_OUT": "/gui/out",
    "PYTHONPATH": "/gui/tests",
    "PYTHONUNBUFFERED": "1",
}
SCREEN = (1440, 1400)
DEADLINE = 400.0
"""Seconds for a chapter; the chapter itself gives up earlier on anything it waits for."""
WRONG = re.compile(
    r"Traceback|\bError\b|^rna_|exception|MemoryError|AddressSanitizer|Segmentation", re.MULTILINE
)
EXIT_CANNOT_BE_HAD = 77


def load_build_tool() -> ModuleType:
    """Load tools/build_extension.py, which is not part of the package."""
    path = ROOT / "tools" / "build_extension.py"
    spec = importlib.util.spec_from_file_location("build_extension", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up here
    spec.loader.exec_module(module)
    return module


def build_zip() -> Path:
    """Build the zip with wheels for Debian's Python, which no official Blender of that version has."""
    tool = load_build_tool()
    plain = tool.download_wheels

    def wheels(target: object) -> list[Path]:
        folder = system.CACHE / "wheels"
        folder.mkdir(parents=True, exist_ok=True)
        library = "llvmlite/binding/libllvmlite.so"
        return [
            own_symbols.patched_wheel(wheel, library, folder) if wheel.name.startswith("llvmlite") else wheel
            for wheel in plain(target)
        ]

    tool.download_wheels = wheels
    line = tool.PythonLine("3.13", "4.2.0", None, tool.PYTHON_313.macos_arm64)
    return tool.build(tool.Target("linux-x64", line), system.CACHE / "dist")


def in_debian(debian: Path, *command: str, timeout: float, **settings: str) -> str:
    """Run a command in the system and return what it printed, both streams."""
    whole = system.inside(debian, command, ENVIRONMENT | settings, FOLDERS)
    try:
        result = subprocess.run(
            whole, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired as late:
        return f"{(late.stdout or b'').decode()}\nError: not done after {timeout:.0f} s\n"
    return result.stdout


def install(debian: Path, package: Path) -> str:
    """Install and enable the zip with Blender's own command."""
    shutil.copy(package, USER / package.name)
    arguments = ("--command", "extension", "install-file", "-r", "user_default", "-e")
    return in_debian(debian, "blender", *arguments, f"/gui/user/{package.name}", timeout=300.0)


def tell_chapter(debian: Path, chapter: str) -> str:
    """Open a window and run one chapter of the story to its end; return the console."""
    width, height = SCREEN
    display = ("xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24 +extension GLX")
    blender = ("blender", "--python-use-system-env", "-setaudio", "None", "--window-geometry", "0", "0")
    script = (str(width), str(height), "--python-exit-code", "1", "--python", "/gui/tests/story.py")
    console = in_debian(debian, *display, *blender, *script, timeout=DEADLINE, GUI_CHAPTER=chapter)
    (OUT / f"{chapter}.txt").write_text(console)
    return console


def chapters() -> list[str]:
    """Names of the chapters, read from the story's table without loading Blender."""
    tree = ast.parse((TESTS / "story.py").read_text())
    table = next(
        node.value for node in tree.body if isinstance(node, ast.AnnAssign) and node.target.id == "CHAPTERS"
    )
    return [key.value for key in table.keys]


def judge(chapter: str, console: str) -> list[str]:
    """Return what went wrong in a chapter: its own checks, and errors in the console."""
    wrong = [line for line in console.splitlines() if WRONG.search(line)]
    path = OUT / f"{chapter}.json"
    if not path.exists():
        return [*wrong, f"the chapter did not come to its end; see {os.path.relpath(OUT)}/{chapter}.txt"]
    result = json.loads(path.read_text())
    print(
        f"gui-test: Blender {result['blender']}: {chapter} {result['status']} {result['seen'] or ''}",
        flush=True,
    )
    return wrong if result["status"] == "passed" else [*wrong, result["message"]]


def main() -> int:
    """Prepare, install, tell the story, judge."""
    try:
        debian = system.prepare()
    except system.CannotBeHad as error:
        print(f"gui-test: cannot be had here: {error}")
        return EXIT_CANNOT_BE_HAD
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.rmtree(USER, ignore_errors=True)
    for folder in FOLDERS.values():
        folder.mkdir(parents=True, exist_ok=True)
    console = install(debian, build_zip())
    wrong = [line for line in console.splitlines() if WRONG.search(line)]
    for chapter in sys.argv[1:] or chapters():
        found = judge(chapter, tell_chapter(debian, chapter))
        wrong += [f"{chapter}: {line}" for line in found]
    for line in wrong:
        print(f"gui-test: {line}", file=sys.stderr)
    print(f"gui-test: {len(list(OUT.glob('*.png')))} pictures in {os.path.relpath(OUT)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
