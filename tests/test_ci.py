"""Continuous integration (`.ci/run`): one verdict of all steps, and nothing is left out in silence."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

STEPS = ("lint", "test", "test-slow", "blender-5.2", "pytest-5.2", "opensim", "pytest-opensim", "window")
SCRIPT = """#!/bin/sh
# Ends with the code that CODES has for this step.
step="{step}"
echo "step $step"
for pair in $CODES; do [ "${{pair%%=*}}" = "$step" ] && exit "${{pair#*=}}"; done
exit 0
"""


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """A checkout in which every program that CI calls is a script that says which step it is."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(root / ".ci" / "run", tmp_path / ".ci")
    programs = {
        "bin/make": "$1",
        "bin/python3": "$2",
        ".venv/bin/python": "window",
        ".venv-5.2/bin/python": "pytest-5.2",
        ".venv-opensim/bin/python": "pytest-opensim",
    }
    for name, step in programs.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SCRIPT.format(step=step))
        path.chmod(0o755)
    return tmp_path


def run(checkout: Path, codes: str) -> subprocess.CompletedProcess:
    """CI where the steps in `codes` ("window=77 test=1") end with these codes and all others well."""
    # without the folders of programs for root: a machine that has no debootstrap yet
    variables = {"PATH": f"{checkout / 'bin'}:/usr/bin:/bin", "CODES": codes}
    return subprocess.run(
        ["bash", ".ci/run"], cwd=checkout, capture_output=True, text=True, env=os.environ | variables
    )


def test_every_step_is_run(checkout: Path) -> None:
    done = run(checkout, "")
    assert done.returncode == 0 and "NOT RUN" not in done.stdout
    for step in STEPS:
        assert f"step {step}\n" in done.stdout


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_fails_all_and_the_others_are_run(checkout: Path, step: str) -> None:
    done = run(checkout, f"{step}=1")
    assert done.returncode == 1 and done.stderr.count("FAILED") == 1
    assert "step lint\n" in done.stdout and "step window\n" in done.stdout


@pytest.mark.parametrize(
    ("codes", "left_out"),
    [
        ("window=77", "tests in a real Blender window, because there can be none"),
        ("blender-5.2=3", "Blender tests on 5.2 LTS, because this machine has no suitable Python"),
        ("blender-5.2=4", "Blender tests on 5.2 LTS, because a requirement has no wheel"),
        ("opensim=4", "comparison with OpenSim, because a requirement has no wheel"),
    ],
)
def test_what_cannot_be_run_is_said_at_the_end(checkout: Path, codes: str, left_out: str) -> None:
    done = run(checkout, codes)
    assert done.returncode == 0
    assert left_out in done.stdout.splitlines()[-1] and done.stdout.splitlines()[-1].startswith(
        "NOT RUN: the"
    )
