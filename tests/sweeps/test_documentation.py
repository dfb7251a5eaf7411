"""The examples on the page about sweeps are read and run."""

import json
import re
from pathlib import Path

import pytest

from mannequin.commands import build_parser
from mannequin.io_json.marks import Mark, write_marks
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


def test_evidence_with_hypotheses_on_their_page_is_read(tmp_path):
    page = (ROOT / "docs" / "hypotheses.md").read_text(encoding="utf-8")
    evidence, _ = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    write_marks([Mark("lay here", "rest", (1.0, 2.0, 0.0), body="man")], tmp_path / "marks.json")
    (tmp_path / "file.json").write_text(evidence)
    read = read_evidence(tmp_path / "file.json")
    assert [hypothesis.name for hypothesis in read.hypotheses] == ["slow", "fast"]
    assert read.targets[0].position == [1.0, 2.0]


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
