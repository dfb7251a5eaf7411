"""The worked example of CONTRIBUTING, a contact law: made in a copy of the package and used there."""

import os
import subprocess
import sys

import pytest
from worked_examples import ROOT, changes, copy_with_changes, listed_files

from mannequin.engine.contact.laws import LAWS
from mannequin.engine.spec.model import CONTACT_LAWS, LAW_VALUES

GUIDE = "A contact law"
USE = """
import math, runpy, sys
from dataclasses import replace
from pathlib import Path
import mannequin
from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings, run, validate
from mannequin.io_json import model_json

E = 0.6
material = Material("rubber", law="flores", stiffness=1e6, exponent=1.5, restitution=E)
ball = Body("ball", 1.0, (0.004, 0.004, 0.004, 0, 0, 0), ellipsoids=[Ellipsoid("skin", (0.1,) * 3, material="rubber")])
model = Model("ball", [ball], [Joint("root", "free", None, "ball")], [material])
model = model_json.loads(model_json.dumps(model))
settings = Settings(duration=0.012, time_step=1e-5, output_step=1e-3, gravity=(0, 0, 0), friction=0.0)
actor = Actor("ball", model, position=(0, 0, 0.1001), velocity=(0, 0, -3.0))
scenario = Scenario("drop", [actor], settings=settings)
assert not [issue for issue in validate(scenario) if issue.severity == "error"]
found = run(scenario).velocity[-1, 0, 2] / 3.0

# leaving speed over approach speed: root of y (1 + r) = ln((1 + y) / (1 - r y)), docs/derivations.md, Restitution
y, low, high = 8 * (1 - E) / (5 * E), 0.0, 0.999999 * min(1.0, 5 * E / (8 * (1 - E)))
for _ in range(200):
    r = 0.5 * (low + high)
    low, high = (r, high) if y * (1 + r) > math.log((1 + y) / (1 - r * y)) else (low, r)
assert abs(found - r) < 2e-3, (found, r)
assert abs(r - E) > 0.01, "else this could be another law"

material.restitution = 0.0
wrong = replace(scenario, actors=[replace(actor, model=replace(model, materials=[material]))])
assert any("restitution" in str(issue) for issue in validate(wrong)), "the value is checked with this law"
schema = runpy.run_path(sys.argv[1])["model_schema"]()
assert "flores" in schema["$defs"]["Material"]["properties"]["law"]["enum"]
print(mannequin.__file__)
"""


def used_in(folder) -> subprocess.CompletedProcess:
    environment = os.environ | {"MANNEQUIN_INTERPRETED": "1", "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", USE, str(ROOT / "docs" / "formats" / "generate.py")]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def test_the_list_names_the_files_that_are_changed():
    assert listed_files(GUIDE) == list(changes(GUIDE))


def test_the_example_works_with_these_changes_and_no_others(tmp_path):
    copy_with_changes(tmp_path, GUIDE, ("engine", "io_json"))
    done = used_in(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))


def test_without_them_it_does_not(tmp_path):
    (tmp_path / "mannequin").symlink_to(ROOT)
    assert "flores" in used_in(tmp_path).stderr


@pytest.mark.parametrize("table", [LAWS, LAW_VALUES])
def test_every_law_is_in_every_table(table):
    assert list(table) == list(CONTACT_LAWS)
