"""The program itself, as it goes into a package: the files that a stranger needs to repeat what was done."""

from collections.abc import Iterator
from pathlib import Path

from ...analysis.files.manifest import platform_facts, versions
from ...analysis.files.run_folder import PACKAGE

LAYERS = (
    "engine", "io_json", "interchange", "analysis", "models", "jobs", "sweeps", "viewer", "evidence", "scene",
    "operators", "panels", "commands",
)  # fmt: skip
ENDINGS = (".py", ".json", ".toml", ".csv", ".js", ".css", ".html", ".txt", ".md", ".npz")
TOP = (
    "__init__.py",
    "__main__.py",
    "registration.py",
    "blender_manifest.toml",
    "LICENSE",
    "pyproject.toml",
    "setup.py",
)
REQUIREMENTS = "requirements/shipped.txt"
REPEAT = """# How to repeat everything on a clean machine

1. Install Python {python} and the libraries listed in `program/requirements.txt` (exact versions):
   `python -m pip install numpy=={numpy} -r program/requirements.txt`
2. Unpack this zip. The program is in `program/mannequin`; nothing needs to be installed:
   `cd program` and `python -m mannequin --version`
3. Check the package as it is, without unpacking by hand: `python -m mannequin verify PACKAGE.zip --expect DIGEST`,
   with the digest that was noted when the package was made. Every run is simulated again and every file made again.
4. Single steps: `python -m mannequin verify case/runs/RUN`, `python -m mannequin case verify case`,
   `python -m mannequin report case/runs/RUN`.

The package was made with Mannequin {mannequin} (engine sources {engine_sources}) on {system} {machine}, processor
{processor}. The log in `case/log.jsonl` says what was done, by whom and when. With other machine code results may
differ in their last digits; `verify` then prints by how much.
"""


def program_files() -> Iterator[tuple[str, Path]]:
    """Names in the package and paths of the program's own files."""
    for name in TOP:
        if (PACKAGE / name).is_file():
            yield f"program/mannequin/{name}", PACKAGE / name
    for layer in LAYERS:
        for path in sorted((PACKAGE / layer).rglob("*")):
            if path.is_file() and path.suffix in ENDINGS and "__pycache__" not in path.parts:
                yield f"program/mannequin/{path.relative_to(PACKAGE).as_posix()}", path
    if (PACKAGE / REQUIREMENTS).is_file():
        yield "program/requirements.txt", PACKAGE / REQUIREMENTS
    if (PACKAGE / "LICENSE").is_file():
        yield "LICENSE", PACKAGE / "LICENSE"


def repeat_text() -> str:
    """How to repeat everything."""
    facts = {**versions(), **platform_facts()}
    return REPEAT.format(**facts)
