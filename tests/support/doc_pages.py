"""What the documentation holds: pages, links, headings, and the code in them.

A block of code says by its language what the tests do with it: `bash` and `python` are run, page by page in a folder
of their own; `pycon` is a doctest; `json` must be JSON, or members of an object; `text` is shown only. Lines in a
comment `<!-- setup ... -->` right before a Python block are run first and not shown.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LANGUAGES = {"bash", "python", "pycon", "json", "text", "csv", "diff"}
BLOCK = re.compile(
    r"(?:^<!-- setup\n(?P<setup>.*?)-->\n+)?^```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    code: str


def pages() -> list[Path]:
    """Every page of the documentation, README and CONTRIBUTING included."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name(page: Path) -> str:
    """Name of a page in test reports."""
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    """Fenced blocks of a page, in order."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(m["language"], (m["setup"] or "") + m["code"]) for m in found]


def pages_with(language: str) -> list[Path]:
    """Pages that hold a block of a language."""
    return [page for page in pages() if any(block.language == language for block in blocks(page))]


def without_code(text: str) -> str:
    """A page's text less its blocks and its inline code."""
    return re.sub(r"`[^`\n]*`", "", BLOCK.sub("", text))


def links(page: Path) -> list[str]:
    """Targets of a page's links and pictures that lie in the repository."""
    found = LINK.findall(without_code(page.read_text(encoding="utf-8")))
    return [target for target in found if "://" not in target]


def anchors(page: Path) -> set[str]:
    """What links into a page may end with: its headings, as GitHub writes them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    plain = (heading.replace("`", "").strip().lower().replace(" ", "-") for heading in HEADING.findall(text))
    return {"".join(c for c in heading if c.isalnum() or c in "-_") for heading in plain}
