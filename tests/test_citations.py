"""Citations lead somewhere: sections of docs/derivations.md that code names exist, and nothing else is cited by a code.

A citation is written "docs/derivations.md, <heading>". What tests need is in the checkout.
"""

import re
import subprocess
from pathlib import Path

import doc_pages
import pytest
from doc_pages import ROOT

PAGE = ROOT / "docs" / "derivations.md"
CITATION = re.compile(r"docs/derivations\.md(?P<rest>,? ?.{0,60})")
BARE = re.compile(r"\b[ODV][0-9]{1,2}\b|\b[Rr]eference(?:\.md)?,? [A-Z]?[0-9]|\breference\.md\b")
"""Codes of a list that is not in the repository, such as a letter and a number, or numbered sections of a "reference".
"""
OUTSIDE = re.compile(r"[\"' (/](?:\.\./)+shared\b|/work/|[\"']shared/")
THIS = Path(__file__).name


def sources(*folders: str) -> list[Path]:
    """Python files under version control, in these folders or in all."""
    found = subprocess.run(
        ["git", "ls-files", *(f"{folder}/*.py" for folder in folders or ["*"])],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return [ROOT / name for name in found if (ROOT / name).exists() and Path(name).name != THIS]


def on_one_line(text: str) -> str:
    """A file's text with the line breaks of docstrings and comments taken out."""
    return re.sub(r"\s*\n\s*(?:# )?", " ", text)


def headings() -> list[str]:
    """Headings of the page, longest first."""
    text = doc_pages.BLOCK.sub("", PAGE.read_text(encoding="utf-8"))
    return sorted(doc_pages.HEADING.findall(text), key=len, reverse=True)


def wrong_citations(text: str, known: list[str]) -> list[str]:
    """Citations in a text that name no heading of the page."""
    wrong = []
    for citation in CITATION.finditer(on_one_line(text)):
        rest = citation["rest"]
        if not any(re.match(rf", {re.escape(heading)}(?!\w)", rest) for heading in known):
            wrong.append(citation[0])
    return wrong


def test_sections_that_are_named_exist() -> None:
    known = headings()
    wrong = {
        path.relative_to(ROOT): found
        for path in sources()
        if (found := wrong_citations(path.read_text(encoding="utf-8"), known))
    }
    assert not wrong


def test_many_sections_are_named() -> None:
    """The check above would pass if its pattern found nothing."""
    named = sum(len(CITATION.findall(on_one_line(path.read_text(encoding="utf-8")))) for path in sources())
    assert named > 60


def test_no_code_of_a_list_that_is_not_here() -> None:
    pages = [ROOT / "CHANGELOG.md", *doc_pages.pages()]
    texts = {path: path.read_text(encoding="utf-8") for path in [*sources(), *pages]}
    assert not {
        path.relative_to(ROOT): found for path, text in texts.items() if (found := BARE.findall(text))
    }


def test_tests_name_no_folder_outside_the_checkout() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sources("tests")}
    assert not {
        path.relative_to(ROOT): found for path, text in texts.items() if (found := OUTSIDE.findall(text))
    }


@pytest.mark.parametrize(
    "text",
    [
        '"""See docs/derivations.md, No such section."""',
        '"""See docs/derivations.md."""',
        "# docs/derivations.md, Hysteresi",
    ],
)
def test_a_wrong_citation_is_found(text: str) -> None:
    assert wrong_citations(text, ["Hysteresis", "Power laws"])


@pytest.mark.parametrize(
    "text",
    [
        '"""(docs/derivations.md, Hysteresis)."""',
        '"""See docs/derivations.md,\n    Power laws, for more."""',
        "# docs/derivations.md, Power\n# laws",
    ],
)
def test_a_right_citation_is_not(text: str) -> None:
    assert not wrong_citations(text, ["Hysteresis", "Power laws"])


@pytest.mark.parametrize("text", ["V11: a rod", "(reference 1.3)", "reference.md O17", "Reference H12"])
def test_a_bare_code_is_found(text: str) -> None:
    assert BARE.search(text)


@pytest.mark.parametrize(
    "text", ['Path("/work/shared/x")', '"../shared/x"', '"../../shared"', '"shared/interop"']
)
def test_a_folder_outside_is_found(text: str) -> None:
    assert OUTSIDE.search(text)
