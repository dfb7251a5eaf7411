"""The reference pages say what the code says, and leave nothing out."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RENEW = "run .venv/bin/python tools/build_reference.py"


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("build_reference", ROOT / "tools" / "build_reference.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up here
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def only_on_one_blender(blender):
    if blender.app.version[:2] != (4, 5):
        pytest.skip(
            "the pages are made with Blender 4.5; other versions describe their own properties otherwise"
        )


@pytest.mark.parametrize("name", ["panels.md", "operators.md", "properties.md", "commands.md"])
def test_page_is_up_to_date(blender, reference, name):
    assert set(reference.PAGES) == {path.name for path in (ROOT / "docs" / "reference").glob("*.md")}
    page = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert reference.PAGES[name]() == page, f"docs/reference/{name} is out of date: {RENEW}"


def test_page_of_scenarios_is_up_to_date(blender, reference):
    page = reference.SCENARIOS.read_text(encoding="utf-8")
    assert reference.scenario_page() == page, f"docs/scenarios.md is out of date: {RENEW}"


def test_every_operator_and_panel_is_there(blender, reference):
    import mannequin.registration

    operators = (ROOT / "docs" / "reference" / "operators.md").read_text(encoding="utf-8")
    panels = (ROOT / "docs" / "reference" / "panels.md").read_text(encoding="utf-8")
    count = 0
    for module in mannequin.registration.listed_modules():
        for cls in mannequin.registration.classes_of(module):
            if issubclass(cls, blender.types.Operator):
                assert f"bpy.ops.{cls.bl_idname}(" in operators, cls
                count += 1
            elif issubclass(cls, blender.types.Panel):
                assert f" {reference.panel_path(cls)}\n" in panels, cls
    assert count > 50


def test_page_follows_a_changed_tooltip(blender, reference, monkeypatch):
    """The comparison above can fail."""
    before = reference.property_page()
    monkeypatch.setattr(reference, "value_text", lambda prop: "something else")
    assert reference.property_page() != before
    assert "World velocity of the root body" in before


def test_reasons_of_a_grey_button(blender, reference):
    from mannequin.operators.simulate import MANNEQUIN_OT_simulate

    assert "The scene has no actor: add one, or import a model" in reference.reasons(MANNEQUIN_OT_simulate)
