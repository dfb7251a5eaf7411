"""The example in the docstring of every operator, which the pages of the documentation show, runs as it stands."""

import inspect
import textwrap

import pytest
from operator_examples import BEFORE, ELSEWHERE


def operators(bpy):
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".operators." in m.__name__]
    return [
        c for m in modules for c in mannequin.registration.classes_of(m) if issubclass(c, bpy.types.Operator)
    ]


def name_of(operator):
    return operator.bl_idname.split(".")[1]


def example_of(operator):
    """Lines of the docstring from the first that names Blender on; empty for an operator without options."""
    lines = inspect.getdoc(operator).splitlines()
    first = next((k for k, line in enumerate(lines) if line.startswith("bpy.")), len(lines))
    return textwrap.dedent("\n".join(lines[first:])) or f"bpy.ops.{operator.bl_idname}()"


def set_stage(blender):
    """A new scene with the man, his hand active; returns what examples and preparations may use."""
    import scene_state

    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    blender.ops.mannequin.add_actor(model="male")
    scene_state.activate("male", "HandL")
    return vars(scene_state) | {"bpy": blender, "ops": blender.ops.mannequin}


def write_files(folder):
    """The files that examples name."""
    from authoring import full_scenario

    from mannequin.io_json.scenario_json import write_scenario
    from mannequin.models.library import library_path

    (folder / "male.json").write_bytes(library_path("male").read_bytes())
    (folder / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    write_scenario(full_scenario(), folder / "fall.json")


@pytest.mark.long
def test_every_example_runs(blender, tmp_path, monkeypatch):
    """One after the other, each in a new scene."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for operator in operators(blender):
        name = name_of(operator)
        if name in ELSEWHERE:
            continue
        names = set_stage(blender)
        exec(BEFORE.get(name, ""), names)
        *first, last = example_of(operator).splitlines()
        exec("\n".join(first), names)
        assert eval(last, names) == {"FINISHED"}, (name, example_of(operator))


def test_lists_of_examples_name_operators(blender):
    names = {name_of(operator) for operator in operators(blender)}
    assert set(BEFORE) | set(ELSEWHERE) <= names
    assert not set(BEFORE) & set(ELSEWHERE)


def test_every_operator_has_an_example_of_its_own(blender):
    for operator in operators(blender):
        assert f"bpy.ops.{operator.bl_idname}(" in example_of(operator), operator.bl_idname
