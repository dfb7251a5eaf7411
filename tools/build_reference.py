"""Write docs/reference and docs/scenarios.md from the code: every panel, operator, property, command, scenario.

    .venv/bin/python tools/build_reference.py

Run it after a change to a panel, an operator, a property or a command; a test says when it is due. Texts are those that
Blender shows (names and tooltips) and those that --help prints. What a panel shows is found by drawing it into a layout
that only takes notes, in each of the situations a user meets.
"""

from __future__ import annotations

import inspect
import os
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
SCENARIOS = FOLDER.parent / "scenarios.md"
NOTE = "<!-- Made by tools/build_reference.py from the code; edit the code, not this page. -->"
OWNER_WORDS = {
    "Scene": "`scene.mannequin`: the scenario",
    "Object": "`object.mannequin`: what an object is",
    "Armature": "`armature.mannequin`: the model",
    "Bone": "`bone.mannequin`: a body with its joint",
    "PoseBone": "`pose_bone.mannequin`: how a joint starts",
}
UNITS = {
    "ROTATION": "rad (shown in degrees)",
    "TIME_ABSOLUTE": "s",
    "TIME": "frames",
    "LENGTH": "Blender units",
}


@dataclass
class Notes:
    """What a panel showed: properties and operators in their order, each once."""

    properties: dict[tuple[str, str], Any] = field(default_factory=dict)
    operators: dict[str, None] = field(default_factory=dict)


class NotingLayout:
    """Layout that takes notes of the properties and operators it is given, and is its own row and column."""

    def __init__(self, notes: Notes) -> None:
        object.__setattr__(self, "notes", notes)

    def __setattr__(self, name: str, value: object) -> None:
        """Everything may be set; nothing comes of it."""

    def __getattr__(self, name: str) -> Any:
        """Whatever else a layout can do gives a layout."""
        return lambda *args, **kwargs: self

    def panel(self, *args: object, **kwargs: object) -> tuple[NotingLayout, NotingLayout]:
        """Header and body of a panel inside a panel."""
        return self, self

    def prop(self, data: Any, name: str, **kwargs: object) -> None:
        """A property; the names that Blender itself gives its data explain themselves."""
        about = data.bl_rna.properties[name]
        if not about.description.startswith("Unique"):
            self.notes.properties.setdefault((data.bl_rna.identifier, name), about)

    prop_search = prop_menu_enum = prop

    def operator(self, name: str, **kwargs: object) -> SimpleNamespace:
        """Note a button by its operator."""
        self.notes.operators.setdefault(name)
        return SimpleNamespace()

    def operator_menu_enum(self, name: str, prop: str, **kwargs: object) -> SimpleNamespace:
        """A menu of buttons."""
        return self.operator(name)

    def template_list(
        self, ui_list: str, key: str, owner: Any, attribute: str, *rest: Any, **kw: Any
    ) -> None:
        """A list: the property that holds it, and what its lines show."""
        import bpy

        self.prop(owner, attribute)
        for item in list(getattr(owner, attribute))[:1]:
            getattr(bpy.types, ui_list).draw_row(None, self, item, 0)


def own_classes(package: str) -> list[type]:
    """Classes of one of the registered packages, in registration order."""
    from mannequin import registration

    modules = [m for m in registration.listed_modules() if m.__name__.split(".")[-2] == package]
    return [cls for module in modules for cls in registration.classes_of(module)]


def panel_classes() -> list[type]:
    """Panels of the tab, each followed by its sub-panels, in the order on screen."""
    import bpy

    found = [c for c in own_classes("panels") if issubclass(c, bpy.types.Panel)]

    def below(parent: str) -> Iterator[type]:
        children = [c for c in found if getattr(c, "bl_parent_id", "") == parent]
        for cls in sorted(children, key=lambda c: getattr(c, "bl_order", 0)):
            yield cls
            yield from below(cls.__name__)

    return list(below(""))


def situations() -> Iterator[None]:
    """Bring about, one after the other, what a user meets: nothing, an actor, its parts, an obstacle, a person, a
    run."""
    import bpy

    ops, scene = bpy.ops.mannequin, bpy.context.scene
    yield
    ops.add_actor(model="male")
    actor = bpy.context.view_layer.objects.active
    yield
    ops.add_ready_made(obstacle="stair")
    for name in ("springs", "belts", "welds", "couplers", "materials", "contact_exclude", "torque_pulses"):
        bpy.context.view_layer.objects.active = actor
        ops.edit_list(list=name, action="ADD")
    for name in ("force_pulses", "pairs", "scenario_springs"):
        ops.edit_list(list=name, action="ADD")
    scene.mannequin.settings.integrator = "variable_step"
    scene.mannequin.bake.use_slow_range = True
    for kind, name in (("ELLIPSOID", ""), ("JOINT", "hip"), ("JOINT", "sternum"), ("OBSTACLE", "")):
        found = (o for o in bpy.data.objects if o.mannequin.kind == kind and o.name.startswith(name))
        bpy.context.view_layer.objects.active = next(found)
        yield
    ops.validate()
    bpy.context.view_layer.objects.active = actor
    yield
    ops.add_person(name="person")
    yield
    yield from after_a_run()


def after_a_run() -> Iterator[None]:
    """A short run with its results."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    ops, scene = bpy.ops.mannequin, bpy.context.scene
    ops.add_actor(model="male")
    with tempfile.TemporaryDirectory() as folder:
        scene.mannequin.runs.folder = folder
        scene.mannequin.settings.duration = 0.05
        ops.simulate()
        yield


def notes_of_panels() -> dict[type, Notes]:
    """What every panel showed in any situation."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    notes = {cls: Notes() for cls in panel_classes()}
    for _ in situations():
        for cls, note in notes.items():
            if not hasattr(cls, "poll") or cls.poll(bpy.context):
                draw(cls, note)
    return notes


def draw(cls: type, note: Notes) -> None:
    """Draw a panel, header and body, into a layout that takes notes."""
    import bpy

    # A panel's own attributes and helpers, without Blender's class that cannot be made by hand.
    own = {n: getattr(cls, n) for n in dir(cls) if not n.startswith(("__", "bl_", "draw"))}
    panel = SimpleNamespace(layout=NotingLayout(note), **own)
    for part in ("draw_header", "draw"):
        if callable(getattr(cls, part, None)) and any(part in c.__dict__ for c in cls.__mro__[:-2]):
            getattr(cls, part)(panel, bpy.context)


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Markdown table; nothing where there are no rows."""
    if not rows:
        return ""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def operator_rna(idname: str) -> Any:
    """Blender's description of an operator."""
    import bpy

    group, name = idname.split(".")
    return getattr(getattr(bpy.ops, group), name).get_rna_type()


def panel_page() -> str:
    """Every panel with what it shows."""
    parts = [
        NOTE,
        "# Panels",
        "All are in the sidebar of the 3D viewport (key N), tab **Mannequin**. A panel that has nothing to show for "
        "what is selected is hidden. Buttons are described on the page [Operators](operators.md), properties on "
        "the page [Properties](properties.md).",
    ]
    for cls, note in notes_of_panels().items():
        level = "##" if not getattr(cls, "bl_parent_id", "") else "###"
        parts.append(f"{level} {panel_path(cls)}")
        parts.append(first_line(cls))
        buttons = [operator_rna(name) for name in note.operators if name.startswith("mannequin.")]
        rows = [(f"[{b.name}](operators.md#{anchor(b.name)})", cell(b.description)) for b in buttons]
        parts.append(table(("button", "does"), rows))
        shown = [p for p in note.properties.values() if p.description and not p.is_hidden]
        parts.append(
            table(("value", "is"), [(p.name, cell(p.description.partition(". Warning")[0])) for p in shown])
        )
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def anchor(heading: str) -> str:
    """What a link to a heading ends with."""
    return "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def panel_path(cls: type) -> str:
    """Labels of a panel and of those it is in: Model > Joint."""
    import bpy

    parent = getattr(bpy.types, getattr(cls, "bl_parent_id", ""), None)
    return f"{panel_path(parent)} > {cls.bl_label}" if parent else (cls.bl_label or "Preferences")


def first_line(thing: Any) -> str:
    """First line of a docstring."""
    return inspect.getdoc(thing).splitlines()[0]


def reasons(cls: type) -> list[str]:
    """Why a button is disabled: what its operator and its base classes need."""
    found = [missing for base in reversed(cls.__mro__) for _, missing in base.__dict__.get("needs", ())]
    return list(dict.fromkeys(found))


def operator_page() -> str:
    """Every operator with its options."""
    import bpy

    parts = [
        NOTE,
        "# Operators",
        "They are buttons of the panels, and for scripts functions under `bpy.ops.mannequin`. With Developer Extras on "
        "(Preferences, Interface) *Edit > Operator Search* finds them by name. Where a button is disabled, its tooltip "
        "says why; the reasons are listed here too.",
    ]
    for cls in own_classes("operators"):
        if not issubclass(cls, bpy.types.Operator):
            continue
        rna = operator_rna(cls.bl_idname)
        parts += [f"## {rna.name}", rna.description + ("" if rna.description.endswith(".") else ".")]
        example = inspect.getdoc(cls).partition("\n\n")[2]
        parts.append(f"```text\n{example or f'bpy.ops.{cls.bl_idname}()'}\n```")
        rows = [
            (f"`{p.identifier}`", cell(p.name), cell(p.description), cell(value_text(p)))
            for p in rna.properties
            if p.identifier != "rna_type" and not p.is_hidden and p.description
        ]
        parts.append(table(("option", "label", "is", "default"), rows))
        why = reasons(cls)
        parts.append(f"When it is disabled, it says: {' / '.join(why)}." if why else "")
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def value_text(prop: Any) -> str:
    """Default of a property, with its choices where it has any."""
    if prop.type == "ENUM":
        items = [f"`{item.identifier}` {item.name}" for item in prop.enum_items_static]
        return f"one of {', '.join(items)}; `{prop.default}`" if items else "depends on the scene"
    if prop.type == "FLOAT":
        values = list(prop.default_array) if prop.is_array else [prop.default]
        text = ", ".join(f"{value:.6g}" for value in values)
        return f"{text} {UNITS.get(prop.unit, '')}".strip()
    if prop.type == "BOOLEAN" and not prop.is_array:
        return "on" if prop.default else "off"
    if prop.type == "STRING":
        return f'"{prop.default}"' if prop.default else "empty"
    if prop.type in {"POINTER", "COLLECTION"}:
        kind = prop.fixed_type.identifier
        word = "list of " if prop.type == "COLLECTION" else ""
        return f"{word}[{kind}](#{kind.lower()})" if kind.startswith("Mannequin") else f"{word}{kind}"
    return str(prop.default)


def property_page() -> str:
    """Every property group, reached from the data that holds it."""
    from mannequin.scene.store import properties

    parts = [
        NOTE,
        "# Properties",
        "Where they hang, and what each holds. Numbers are SI; angles are radians for scripts and degrees on screen. A "
        "switch `use_x` says whether the optional value `x` is given. Properties that only keep books are left out.",
        "\n".join(
            f"- {OWNER_WORDS[owner.__name__]}: [{group.__name__}](#{group.__name__.lower()})"
            for owner, group in properties.OWNERS
        ),
    ]
    for group in reachable([group for _, group in properties.OWNERS]):
        parts += [f"## {group.__name__}", first_line(group)]
        rows = [
            (f"`{p.identifier}`", cell(p.name), cell(p.description), cell(value_text(p)))
            for p in group.bl_rna.properties
            if p.identifier not in ("rna_type", *bookkeeping(group))
        ]
        parts.append(table(("property", "label", "is", "default"), rows))
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def bookkeeping(group: type) -> list[str]:
    """Properties that no person edits: hidden ones, the active line of a list, a name that nothing uses."""
    return [
        p.identifier
        for p in group.bl_rna.properties
        if p.is_hidden or p.identifier.endswith(("_index", "_uid")) or p.description.startswith("Unique")
    ]


def reachable(groups: list[type]) -> list[type]:
    """Property groups and all groups inside them, each once, parents first."""
    import bpy

    found: dict[str, type] = {}
    waiting = list(groups)
    while waiting:
        group = waiting.pop(0)
        if group.__name__ in found:
            continue
        found[group.__name__] = group
        inner = [
            p.fixed_type.identifier for p in group.bl_rna.properties if p.type in {"POINTER", "COLLECTION"}
        ]
        named = [bpy.types.PropertyGroup.bl_rna_get_subclass_py(name) for name in inner]
        waiting += [cls for cls in named if cls is not None]
    return list(found.values())


def command_page() -> str:
    """What --help prints, for every command."""
    import mannequin
    from mannequin.commands import COMMAND_MODULES, build_parser

    os.environ["COLUMNS"] = "100"
    parser = build_parser(mannequin.__version__)
    commands = next(a for a in parser._subparsers._group_actions).choices
    assert len(commands) == len(COMMAND_MODULES)
    parts = [
        NOTE,
        "# Commands",
        "`python -m mannequin COMMAND`, with the Python of the environment (`.venv/bin/python` in a checkout).",
    ]
    for name, command in commands.items():
        parts += [f"## {name}", f"```text\n{command.format_help().strip()}\n```"]
    parts += ["## Exit codes", f"```text\n{textwrap.dedent(parser.epilog)}\n```"]
    return "\n\n".join(parts) + "\n"


def scenario_page() -> str:
    """Every shipped scenario with its own words and its picture."""
    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.models.library import list_scenarios

    parts = [
        NOTE,
        "# The scenarios that are shipped",
        "Run one by its name (`python -m mannequin run fall_standing`), or open it in Blender: *Add > Mannequin >\n"
        "Example*, *File > New > Mannequin Example*, or the button of the empty panel. Each states its assumptions\n"
        "and sources. Pictures are by `tools/scenario_stills.py`, at the moment that tells the story.",
    ]
    for path in list_scenarios():
        scenario = read_scenario(path)
        text = f"{scenario.description} {scenario.settings.duration:g} s."
        parts += [f"## {path.stem}", text, f"![{path.stem}](images/scenarios/{path.stem}.png)"]
    return "\n\n".join(parts) + "\n"


PAGES = {
    "panels.md": panel_page,
    "operators.md": operator_page,
    "properties.md": property_page,
    "commands.md": command_page,
}


def main() -> None:
    """Write every page."""
    import mannequin
    from mannequin.io_json.atomic import write_text

    mannequin.register()
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = {FOLDER / name: make for name, make in PAGES.items()} | {SCENARIOS: scenario_page}
    for path, make in pages.items():
        write_text(path, make())
        print(path)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
