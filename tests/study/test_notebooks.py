"""The notebooks of the documentation run from top to bottom, and print what their texts say."""

import contextlib
import io
import json
from pathlib import Path

import pytest

import mannequin

FOLDER = Path(mannequin.__file__).parent / "docs" / "notebooks"


def told(name: str, folder, monkeypatch) -> tuple[str, dict]:
    """What the cells of a notebook print, each run in turn in an empty folder, and the names they leave."""
    monkeypatch.chdir(folder)
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for number, cell in enumerate(cells):
            if cell["cell_type"] == "code":
                assert not cell["outputs"], "outputs are not committed: they are what a run prints"
                exec(compile("".join(cell["source"]), f"{name}[{number}]", "exec"), names)
    return printed.getvalue(), names


def numbers(line: str) -> list[float]:
    """The numbers of a line of print."""
    found = []
    for word in line.replace(";", " ").replace(",", " ").split():
        with contextlib.suppress(ValueError):
            found.append(float(word))
    return found


@pytest.mark.slow
def test_fall_with_tone(tmp_path, monkeypatch):
    text, names = told("fall_with_tone", tmp_path, monkeypatch)
    assert text.count("HIC15") == 3
    (height,) = [line for line in text.splitlines() if "head falls" in line]
    first, last = numbers(height)
    assert first > 1.2 and 0.0 < last < 0.4, "from standing to lying"


def test_muscle_arm(tmp_path, monkeypatch):
    text, names = told("muscle_arm", tmp_path, monkeypatch)
    difference, force = (numbers(line)[0] for line in text.splitlines())
    assert difference < 0.1, "micrometres"
    assert 50.0 < force < 900.0


@pytest.mark.long
def test_fit_to_evidence(tmp_path, monkeypatch):
    text, names = told("fit_to_evidence", tmp_path, monkeypatch)
    simulated, closed = numbers(text.splitlines()[0])
    assert simulated == pytest.approx(closed, rel=0.01)
    low, high, expected_low, expected_high = numbers(text.splitlines()[-1])
    assert low >= expected_low - 0.1 and high <= expected_high + 0.1
    assert "known only together" in text


def test_each_notebook_is_run():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == {
        "fall_with_tone",
        "muscle_arm",
        "fit_to_evidence",
    }
