"""The import graph has no cycle, its picture and its page are current, and every room says what it is for."""

import ast
from pathlib import Path

import layering
import pytest
from tool_scripts import load_tool

graph = load_tool("import_graph")


def test_no_module_reaches_itself() -> None:
    """Imports inside functions and for type checking count."""
    assert graph.cycles(graph.module_graph()) == []


def test_no_room_reaches_itself() -> None:
    assert graph.cycles(graph.room_graph()) == []


def test_picture_is_current() -> None:
    assert graph.PICTURE.read_text(encoding="utf-8") == graph.picture(), (
        "run tools/import_graph.py, look at the picture"
    )


def write(root: Path, files: dict[str, str]) -> None:
    """Files of a small product."""
    for name, source in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        for folder in (path.parent, path.parent.parent):
            (folder / "__init__.py").touch()


LAZY = {
    "engine/maths/a.py": "def f():\n    from ..spec.b import g",
    "engine/spec/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..maths import a",
}


def test_cycle_is_found(tmp_path: Path) -> None:
    write(tmp_path, LAZY)
    assert graph.cycles(graph.module_graph(tmp_path)) == [["engine.maths.a", "engine.spec.b"]]
    assert graph.cycles(graph.room_graph(tmp_path)) == [[("engine", "maths"), ("engine", "spec")]]


def test_cycle_of_rooms_without_a_cycle_of_modules_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"engine/maths/a.py": "from ..spec import b", "engine/spec/c.py": "from ..maths import d",
                     "engine/spec/b.py": "", "engine/maths/d.py": ""})  # fmt: skip
    assert graph.cycles(graph.module_graph(tmp_path)) == []
    assert graph.cycles(graph.room_graph(tmp_path)) == [[("engine", "maths"), ("engine", "spec")]]


def test_picture_shows_a_new_import(tmp_path: Path) -> None:
    write(tmp_path, {"engine/maths/a.py": "", "engine/spec/b.py": ""})
    before = graph.picture(tmp_path)
    write(tmp_path, {"engine/spec/b.py": "from ..maths import a"})
    assert before != graph.picture(tmp_path)


def test_reduction_leaves_out_what_follows() -> None:
    whole = {"a": {"b", "c", "d"}, "b": {"c"}, "c": {"d"}, "d": set()}
    assert graph.reduced(whole) == {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": set()}


def folders(root: Path) -> list[tuple[str, str]]:
    """(layer, room) of every folder in a layer."""
    return sorted(
        (layer, path.parent.name)
        for layer in layering.LAYERS
        for path in (root / layer).glob("*/__init__.py")
    )


def test_every_folder_has_its_rule(root: Path) -> None:
    missing = [
        f"{layer}/{room}" for layer, room in folders(root) if room not in layering.ROOMS.get(layer, {})
    ]
    assert not missing, f"name them in ROOMS of tests/support/layering.py: {missing}"


@pytest.mark.parametrize("layer", layering.ROOMS)
def test_rules_allow_no_cycle(layer: str) -> None:
    """A room may import only rooms that stand above it in the table."""
    above: list[str] = []
    for room, allowed in layering.ROOMS[layer].items():
        assert set(allowed.split()) <= set(above), f"{layer}.{room}"
        above.append(room)


def test_every_package_says_what_it_is_for(root: Path) -> None:
    packages = [path for path in layering.product_files(root) if path.name == "__init__.py"]
    silent = [
        str(path)
        for path in packages
        if len(ast.get_docstring(ast.parse((root / path).read_text())) or "") < 100
    ]
    assert not silent, silent


def test_the_page_names_every_room(root: Path) -> None:
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    missing = [f"{layer}/{room}" for layer, room in folders(root) if f"`{room}/`" not in page]
    missing += [
        layer for layer in layering.LAYERS if layer != layering.ROOT_LAYER and f"`{layer}/`" not in page
    ]
    assert not missing, missing
