"""The documentation: links lead somewhere, code says what it is, and every command runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import doc_pages
import pytest
from doc_pages import ROOT
from tool_scripts import load_tool

DEMO = load_tool("demo")
PRELUDE = f"""
set -euo pipefail
python() {{ {sys.executable} "$@"; }}
make() {{ command make -n -C {ROOT} "$@" > /dev/null; }}   # the target is there; other tests run it
"""
SHORTER = {
    "--runs 64": "--runs 4",
    "--bake-run 17": "--bake-run 2",
    # So few runs may find nothing that agrees, which is code 1.
    "fit pedestrian_evidence": "fit pedestrian_evidence --runs 16 || test $? -eq 1",
}
"""What would take minutes is made smaller, option by option, before it is run."""


@pytest.mark.parametrize("page", doc_pages.pages(), ids=doc_pages.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in doc_pages.links(page):
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        if path == DEMO.PAGE:  # a sample that `make demo` writes, not under version control
            continue
        assert path.exists(), f"{doc_pages.name(page)}: {link}"
        if anchor:
            assert anchor in doc_pages.anchors(path), f"{doc_pages.name(page)}: {link}"


@pytest.mark.parametrize("page", doc_pages.pages(), ids=doc_pages.name)
def test_every_block_says_what_it_is(page: Path) -> None:
    for block in doc_pages.blocks(page):
        assert block.language in doc_pages.LANGUAGES, f"{doc_pages.name(page)}: {block.code[:80]!r}"
        if block.language == "json":
            json.loads(block.code if block.code.startswith(("{", "[")) else f"{{{block.code}}}")


@pytest.mark.parametrize("page", doc_pages.pages_with("bash"), ids=doc_pages.name)
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_commands_run(page: Path, tmp_path: Path) -> None:
    """All commands of a page, one after the other, in an empty folder."""
    commands = "\n".join(block.code for block in doc_pages.blocks(page) if block.language == "bash")
    script = commands.replace(".venv/bin/python", "python")
    for long, short in SHORTER.items():
        script = script.replace(long, short)
    result = subprocess.run(
        ["bash", "-c", PRELUDE + script],
        cwd=tmp_path,
        env={**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_viewer_links_to_the_sample_of_the_demo(monkeypatch) -> None:
    """And the demo writes it."""
    viewer = ROOT / "docs" / "viewer.md"
    assert DEMO.PAGE in {(viewer.parent / link).resolve() for link in doc_pages.links(viewer)}
    steps = []
    monkeypatch.setattr(DEMO, "run_step", lambda title, step: steps.append(step) or "folder\n")
    assert DEMO.main() == 0
    assert ("view", "folder", "--out", str(DEMO.PAGE)) in steps


def test_every_page_is_in_the_index() -> None:
    """A page that nobody can find is not there."""
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link.partition("#")[0]).resolve() for link in doc_pages.links(index)}
    pages = set((ROOT / "docs").rglob("*.md")) - {index}
    assert not {doc_pages.name(page) for page in pages - listed}


def test_every_picture_is_shown_somewhere() -> None:
    shown = {(p.parent / link).resolve() for p in doc_pages.pages() for link in doc_pages.links(p)}
    pictures = set((ROOT / "docs" / "images").rglob("*.png"))
    assert not {doc_pages.name(picture) for picture in pictures - shown}


def test_the_checks_can_fail(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A `b` C\n\n[x](no.md#a-b-c) and `[not](a-link)`\n\n```\nls\n```\n", encoding="utf-8")
    assert doc_pages.links(page) == ["no.md#a-b-c"]
    assert doc_pages.anchors(page) == {"a-b-c"}
    assert [block.language for block in doc_pages.blocks(page)] == [""]


def test_set_up_of_a_block_is_run_with_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- setup\na = 1\n-->\n```python\nb = a\n```\n", encoding="utf-8")
    assert [block.code for block in doc_pages.blocks(page)] == ["a = 1\nb = a\n"]
