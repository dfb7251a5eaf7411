"""The table of joint types: a new type is one entry, an unknown one is refused everywhere, and the guide is true."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import toy_joints
from layering import product_files
from worked_examples import listed_files

from mannequin.engine import Actor, Body, EngineError, Joint, Model, Scenario, compile_system, run, validate
from mannequin.engine.bodies.posture import body_poses
from mannequin.engine.bodies.tree import TreeBuilder, coordinate_counts
from mannequin.engine.spec.joint_types import (
    AXIS,
    CURVE,
    FREE,
    JOINT_TYPES,
    SIZES,
    JointType,
    Motion,
    group_sizes,
    joint_type,
)
from mannequin.interchange.hyfydy.write import write_hfd
from mannequin.interchange.mujoco.write import write_mjcf
from mannequin.io_json.errors import FileError
from mannequin.io_json.model_json import read_model, write_model
from mannequin.models.editing.edit import EditError, set_joint_type
from mannequin.models.editing.rest_layout import lay_out

GUIDE = "A joint type"


def test_a_new_type_is_an_entry_of_the_table(tmp_path, root):
    """A copy of the package with two more entries in the table and nothing else changed runs and stores them."""
    package = tmp_path / "mannequin"
    for part in ("engine", "io_json"):
        shutil.copytree(root / part, package / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("__init__.py", "blender_manifest.toml"):
        shutil.copy(root / part, package / part)
    table = package / "engine" / "spec" / "joint_types.py"
    table.write_text(table.read_text(encoding="utf-8") + toy_joints.ENTRIES, encoding="utf-8")
    environment = os.environ | {"MANNEQUIN_INTERPRETED": "1", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, str(root / "tests/support/toy_joints.py"), str(tmp_path)]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_compiled_engine_runs_motions_it_has_no_type_for():
    """What a type means to compiled code is data: a hinge with a pitch is a screw."""
    system = compile_system(toy_joints.falling("revolute"))
    tree = system.tree._replace(slide=np.array([toy_joints.PITCH]))
    toy_joints.check_screw(run(replace(system, arrays=system.arrays._replace(tree=tree))))


def model_of(kind: str) -> Model:
    body = Body("body", 1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    return Model("model", [body], [Joint("joint", kind, None, "body")])


REFUSALS = {
    "compile": lambda model, folder: compile_system(Scenario("s", [Actor("a", model)])),
    "tree": lambda model, folder: TreeBuilder().add_actor(0, Actor("a", model)),
    "posture": lambda model, folder: body_poses(model),
    "layout": lambda model, folder: lay_out(model),
    "write": lambda model, folder: write_model(model, folder / "model.json"),
    "mujoco": lambda model, folder: write_mjcf(model, folder / "model.xml"),
    "hyfydy": lambda model, folder: write_hfd(model, folder / "model.hfd"),
    "edit": lambda model, folder: set_joint_type(model_of("free"), "body", "wobbly"),
}


@pytest.mark.parametrize("where", REFUSALS)
def test_unknown_type_is_refused(where, tmp_path):
    with pytest.raises((EngineError, FileError, EditError), match="wobbly"):
        REFUSALS[where](model_of("wobbly"), tmp_path)


def test_unknown_type_is_refused_by_validate_and_in_files(tmp_path):
    found = validate(Scenario("s", [Actor("a", model_of("wobbly"))]))
    assert any("unknown type 'wobbly'" in str(issue) for issue in found)
    write_model(model_of("free"), tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text().replace('"free"', '"wobbly"')
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(FileError, match="wobbly"):
        read_model(tmp_path / "model.json")


@pytest.mark.parametrize("write", [write_mjcf, write_hfd])
def test_writers_refuse_a_type_they_do_not_name(write, monkeypatch, tmp_path):
    """A type of the table that the other program has no joint for."""
    screw = JointType("toy_screw", "Screw", (Motion(AXIS, turn=1.0, slide=toy_joints.PITCH),))
    monkeypatch.setitem(JOINT_TYPES, "toy_screw", screw)
    with pytest.raises(FileError, match="toy_screw"):
        write(model_of("toy_screw"), tmp_path / "model")


def test_unknown_group_never_reaches_the_kernels():
    system = compile_system(Scenario("s", [Actor("a", model_of("revolute"))]))
    wrong = system.tree._replace(group=np.array([9]))
    with pytest.raises(EngineError, match="9 is no group"):
        coordinate_counts(wrong)
    with pytest.raises(EngineError):
        group_sizes(-1)


def test_every_type_has_a_known_group_and_its_own_name():
    for name, kind in JOINT_TYPES.items():
        assert joint_type(name) is kind and kind.name == name and kind.description
        assert {motion.group for motion in kind.motions} <= set(SIZES)
        assert len(set(kind.motions)) == len(kind.motions) == len({m.axes for m in kind.motions})
        for motion in kind.motions:
            assert (motion.group in (AXIS, CURVE)) == (motion.turn != 0.0 or motion.slide != 0.0)


def test_what_turns_comes_after_what_slides():
    """Breaks by the size of the moment rely on it."""
    for kind in JOINT_TYPES.values():
        turns = [motion.turns for motion in kind.motions if motion.group != FREE]
        assert turns == sorted(turns)


# ---------------------------------------------------------------- the guide


def authored(tree: ast.Module) -> set[ast.AST]:
    """What stands in calls that make a joint, and in docstrings: a joint of some type, not a rule about the type."""
    calls = [
        n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] == "Joint"
    ]
    return {inner for call in calls for inner in ast.walk(call)}


def names_types(source: str) -> bool:
    tree = ast.parse(source)
    made = authored(tree)
    return any(
        isinstance(node, ast.Constant) and node.value in ("spherical", "revolute") and node not in made
        for node in ast.walk(tree)
    )


def naming_files(root: Path) -> Iterator[str]:
    """Sources of the product that know joint types by name. What builds people, vehicles and scenarios may."""
    for path in product_files(root):
        builds = path.parts[:-1] in {("models", room) for room in ("people", "vehicles", "scenarios")}
        if not builds and names_types((root / path).read_text(encoding="utf-8")):
            yield path.as_posix()


def test_the_guide_lists_the_files_that_know_joint_types(root):
    listed = listed_files(GUIDE)
    assert len(listed) <= 6 and all((root / name).is_file() for name in listed)
    assert sorted(listed) == sorted(naming_files(root))


def test_the_rule_can_fail():
    assert names_types('if joint.type == "revolute":\n    pass')
    assert not names_types('joint = Joint("hinge", "revolute", None, "bob")')
