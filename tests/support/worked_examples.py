"""The worked examples of CONTRIBUTING: their list of files, and their changes made in a copy of the package."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NOT_SHIPPED = (
    "tests",
    "docs",
    "benchmarks",
    ".git",
    ".venv*",
    ".cache",
    ".ci",
    "__pycache__",
    "*.egg-info",
    "dist",
)


def section(guide: str) -> str:
    """Text of the section with this heading, without those below it."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return page.split(f"### {guide}\n")[1].split("\n## ")[0].split("\n### ")[0]


def listed_files(guide: str) -> list[str]:
    """Files that the numbered steps of a section name."""
    steps = "\n".join(re.findall(r"^\d\. .*(?:\n   .*)*", section(guide), re.MULTILINE))
    return re.findall(r"`([\w/]+\.py)`", steps)


def changes(guide: str) -> dict[str, list[tuple[str, str]]]:
    """File to its changes (what is there, what takes its place), of the diff in a section."""
    found: dict[str, list[tuple[str, str]]] = {}
    diff = re.search(r"```diff\n(.*?)```", section(guide), re.DOTALL)[1]
    for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        name, *hunks = part.split("\n@@\n")
        found[name] = [(kept(hunk, " -"), kept(hunk, " +")) for hunk in hunks]
    return found


def kept(hunk: str, marks: str) -> str:
    """Lines of a hunk that bear one of the marks, without them; an empty line is one that stays."""
    lines = (line or " " for line in hunk.splitlines())
    return "".join(f"{line[1:]}\n" for line in lines if line[0] in marks)


def copy_with_changes(folder: Path, guide: str, parts: Iterable[str] = ("",)) -> Path:
    """The package in a folder with the changes of a section made; `parts`: folders of it that are needed."""
    copy = folder / "mannequin"
    for part in parts:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns(*NOT_SHIPPED))
    for name in ("__init__.py", "blender_manifest.toml"):
        shutil.copy(ROOT / name, copy / name)
    for name, hunks in changes(guide).items():
        path = copy / name
        source = path.read_text(encoding="utf-8") if path.exists() else ""
        for before, after in hunks:
            assert not (before or source) or source.count(before) == 1, f"{name} has no such place:\n{before}"
            source = source.replace(before, after) if before else after
        path.write_text(source, encoding="utf-8")
    return copy
