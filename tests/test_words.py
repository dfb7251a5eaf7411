"""Words of the product: docstrings say something, and quaint words stay out of names, docstrings and messages."""

import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path

import pytest
from doc_pages import ROOT

QUAINT = re.compile(
    r"\btold\b|\bculprits?\b|\b[Oo]utlook\b|\bmend(?:s|ed)?\b|\b(?:be|is|was) had\b|\bat a glance\b|\bglance\("
    r"|\ba word (?:where|on)\b|\bcame of (?:it|the)\b|\bwhat became of\b|\bafresh\b|\banew\b"
    r"|\breckon\w*\b|\bfor want of\b|\blooks? on\b"
)
"""What to write instead: reported, the object of a finding, a prediction, correct, available, a note, the result,
again, take into account, for lack of, watch."""
LEAST_WORDS = 3


def product_files() -> list[Path]:
    """Python files under version control that are no tests."""
    names = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return [ROOT / name for name in names if not name.startswith("tests/") and (ROOT / name).exists()]


def short_docstrings(source: str) -> list[str]:
    """Names of the functions and classes whose docstring has fewer than three words."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    found = [
        (node.name, ast.get_docstring(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, kinds)
    ]
    return [name for name, text in found if text is not None and len(text.split()) < LEAST_WORDS]


def quaint_words(source: str) -> list[str]:
    """Quaint words in the names, strings and comments of a file."""
    if not QUAINT.search(source):
        return []
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [word for token in tokens for word in QUAINT.findall(token.string)]


@pytest.mark.parametrize("check", [short_docstrings, quaint_words])
def test_product(check) -> None:
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in product_files()}
    assert not {path: found for path, text in texts.items() if (found := check(text))}


def test_documentation() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    texts = {page.relative_to(ROOT): page.read_text(encoding="utf-8") for page in pages}
    assert not {page: found for page, text in texts.items() if (found := QUAINT.findall(text))}


def handmade_labels(source: str) -> list[str]:
    """Labels as "man / Head" that a file puts together itself; `part_label` does."""
    return re.findall(r"\} / \{", source)


def test_labels_of_parts_are_made_in_one_place() -> None:
    others = {
        "analysis/files/mme.py",
        "engine/runs/recording.py",
        "benchmarks/report.py",
    }  # of channels and counts
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in product_files()}
    assert not [name for name, text in texts.items() if name not in others and handmade_labels(text)]
    assert handmade_labels('f"{actor} / {body}"')


def test_the_checks_can_fail() -> None:
    assert short_docstrings('def run():\n    """Run."""\n') == ["run"]
    assert not short_docstrings('def run():\n    """Run the scenario."""\n')
    assert quaint_words('told = "it cannot be had"  # made anew\n') == ["told", "be had", "anew"]
    assert not quaint_words('message = "it is not available"  # repeated\n')


def test_a_glossary_explains_the_words() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    words = re.findall(r"^\| ([\w-]+) \|", page, re.MULTILINE)[1:]
    assert {
        "spec",
        "System",
        "State",
        "Recording",
        "kernel",
        "bundle",
        "room",
        "actor",
        "job",
        "bake",
    } <= set(words)
    assert len(words) == len(set(words))
