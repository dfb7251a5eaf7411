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
REPEAT = Path(__file__).with_name("repeat.md").read_text(encoding="utf-8")


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
