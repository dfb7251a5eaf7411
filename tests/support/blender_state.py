"""A picture of everything an extension can leave behind in Blender, to compare before and after.

This file is also run inside other processes, so it needs only Blender.
"""

import bpy


def draw_functions() -> set[str]:
    """Return the menu, header and panel entries that were appended to or prepended to, with their number."""
    entries = set()
    for name in dir(bpy.types):
        draw = getattr(getattr(bpy.types, name, None), "draw", None)
        for function in getattr(draw, "_draw_funcs", ()):
            if not function.__module__.startswith(
                "bl_ui."
            ):  # Blender's own, listed once a menu has been added to
                entries.add(f"draw:{name}:{function.__module__}.{function.__qualname__}")
    return entries


def handlers() -> set[str]:
    """Return the application handlers."""
    entries = set()
    for name in dir(bpy.app.handlers):
        functions = getattr(bpy.app.handlers, name)
        if isinstance(functions, list):
            entries.update(
                f"handler:{name}:{function.__module__}.{function.__name__}" for function in functions
            )
    return entries


def properties() -> set[str]:
    """Return the properties of every type of data-block and of the window manager."""
    entries = set()
    for name in dir(bpy.types):
        rna = getattr(getattr(bpy.types, name, None), "bl_rna", None)
        if rna is not None:
            entries.update(f"property:{name}.{key}" for key in rna.properties.keys())
    return entries


def key_maps() -> set[str]:
    """Return the key map items that extensions added."""
    config = bpy.context.window_manager.keyconfigs.addon
    if config is None:
        return set()
    return {f"key:{keymap.name}:{item.idname}" for keymap in config.keymaps for item in keymap.keymap_items}


def classes() -> set[str]:
    """Return the registered types, and the Python classes that Blender keeps under its own base classes."""
    entries = {f"type:{name}" for name in dir(bpy.types)}
    bases = (bpy.types.Operator, bpy.types.Panel, bpy.types.PropertyGroup, bpy.types.AddonPreferences)
    for base in (*bases, bpy.types.Menu, bpy.types.UIList, bpy.types.Gizmo, bpy.types.FileHandler):
        entries.update(f"class:{cls.__name__}" for cls in base.__subclasses__() if cls.is_registered)
    return entries


def operators() -> set[str]:
    """Return the operators by their Python name."""
    return {f"operator:{group}.{name}" for group in dir(bpy.ops) for name in dir(getattr(bpy.ops, group))}


def snapshot() -> set[str]:
    """Return everything above; timers cannot be listed and are watched with `TimerWatch`."""
    # properties() goes first: looking at a type makes Blender create its Python class, which classes() then counts.
    return properties() | classes() | operators() | handlers() | draw_functions() | key_maps()


class TimerWatch:
    """Note every timer that is registered while this is active, and tell which are left."""

    def __init__(self) -> None:
        self.functions = []

    def __enter__(self) -> "TimerWatch":
        self._register = bpy.app.timers.register
        bpy.app.timers.register = self._note
        return self

    def _note(self, function, **options):
        self.functions.append(function)
        return self._register(function, **options)

    def __exit__(self, *_: object) -> None:
        bpy.app.timers.register = self._register

    def left(self) -> list[str]:
        """Return the names of the timers that are still registered."""
        return [function.__name__ for function in self.functions if bpy.app.timers.is_registered(function)]
