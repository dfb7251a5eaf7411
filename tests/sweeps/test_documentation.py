"""The examples on the page about sweeps are read and run."""

import json
import re
from pathlib import Path

import pytest

from mannequin.commands import build_parser
from mannequin.sweeps.fit.spec import TARGETS, read_evidence
from mannequin.sweeps.inputs import DERIVED
from mannequin.sweeps.spec import DESIGNS, DISTRIBUTIONS, read_sweep

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_files_on_the_page_are_read(tmp_path):
    sweep, evidence = blocks("json")
    for text, read in ((sweep, read_sweep), (evidence, read_evidence)):
        (tmp_path / "file.json").write_text(text)
        assert read(tmp_path / "file.json").name == json.loads(text)["name"]


def test_everything_there_is_is_on_the_page():
    for name in (*DISTRIBUTIONS, *DESIGNS, *TARGETS):
        assert f"`{name}`" in PAGE, name
    for word in DERIVED:
        assert f"`actors.man.{word}`" in PAGE, word


def test_commands_on_the_page_are_understood():
    parser = build_parser("0")
    lines = [line for line in PAGE.splitlines() if line.startswith("python -m mannequin ")]
    assert len(lines) >= 4
    for line in lines:
        parser.parse_args(line.removeprefix("python -m mannequin ").split())


@pytest.mark.slow
def test_python_on_the_page_runs(tmp_path):
    (code,) = blocks("python")
    code = (
        code.replace("models/", f"{ROOT}/models/")
        .replace("runs = 8", "runs = 2")
        .replace('"out"', repr(str(tmp_path)))
    )
    namespace = {}
    exec(code, namespace)
    assert (namespace["folder"] / "report.html").exists()
