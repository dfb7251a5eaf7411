"""What operators share: tooltips from docstrings, errors as reports, and the reason why a button is disabled."""

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..scene.base.errors import USER_ERRORS
from ..scene.model.edit_actor import edit_model_of
from ..scene.run.case_log import log_step
from ..scene.store.actors import active_actor, active_bone, actors_of

Need = tuple[Callable[[bpy.types.Context], bool], str]
"""A condition, and what to tell the user where it does not hold."""
Result = TypeVar("Result")
NO_ACTOR = "The scene has no actor: add one, or import a model"
SMALL_WORDS = {"and", "at", "by", "in", "of", "on", "to"}


def first_sentence(text: str) -> str:
    """The first sentence of a text, on one line, with its full stop."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.match(r".*?\.(?=\s|$)|.*", paragraph)[0]


class MannequinOperator:
    """Mixin: `run` does the work and returns the text to report; user errors are reported, others are raised.

    Its identifier and, unless it says otherwise, its label are those of its class: MANNEQUIN_OT_add_body is
    mannequin.add_body, "Add Body". Its tooltip is the first sentence of its docstring. A file browser shows files with
    its `filename_ext`, unless it has a `filter_glob` of its own.
    """

    bl_options = {"REGISTER", "UNDO"}
    needs: tuple[Need, ...] = ()
    """What must hold for the operator to be enabled, besides what its base classes need."""
    takes_long = False
    """Whether it may take more than a fifth of a second: the pointer then shows that Blender is busy."""

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        if issubclass(cls, bpy.types.Operator):
            name = cls.__name__.removeprefix("MANNEQUIN_OT_")
            cls.bl_idname = f"mannequin.{name}"
            if not hasattr(cls, "bl_label"):
                cls.bl_label = " ".join(w if w in SMALL_WORDS else w.title() for w in name.split("_"))
            cls.bl_description = first_sentence(inspect.getdoc(cls)).rstrip(".")
            if "filter_glob" not in cls.__annotations__ and getattr(cls, "filename_ext", ""):
                cls.__annotations__["filter_glob"] = StringProperty(
                    default=f"*{cls.filename_ext}", options={"HIDDEN"}
                )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether all needs are met, those of base classes first; if not, the disabled button says what is missing."""
        for base in reversed(cls.__mro__):
            for is_met, missing in base.__dict__.get("needs", ()):
                if not is_met(context):
                    cls.poll_message_set(missing)
                    return False
        return True

    def run(self, context: bpy.types.Context) -> str | None:
        """Do the work and return the text to report."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run, and report the result."""
        window = context.window if self.takes_long and not bpy.app.background else None
        if window is not None:
            window.cursor_modal_set("WAIT")
        try:
            message = self.run(context)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            if window is not None:
                window.cursor_modal_restore()
        if message:
            self.report({"INFO"}, message)
        self.log(context.scene, message)
        return {"FINISHED"}

    def log(self, scene: bpy.types.Scene, message: str | None) -> None:
        """Enter what was done into the log of the case, where this file lies in one."""
        name = self.bl_idname.rpartition(".")[2].removeprefix("MANNEQUIN_OT_")
        warning = log_step(scene, name, self.bl_label, message or "", self.as_keywords())
        if warning:
            self.report({"WARNING"}, warning)


class ShowsActors(MannequinOperator):
    """Mixin of operators that bring actors into the scene."""

    parent_lines: BoolProperty(
        description="Draw Blender's dotted lines from the parts of actors to their armature in this viewport",
        options={"SKIP_SAVE"},
    )

    def show_actors(self, context: bpy.types.Context, warnings: Sequence[str] = ()) -> None:
        """Switch the parent lines of the viewport the operator runs in, and report what cannot be shown.

        An actor has a line per part, all to one point; drawn, they cover it. The switch is the viewport's own; it is
        also in the panel of the last operation and in Mannequin > View.
        """
        space = context.space_data
        if space is not None and space.type == "VIEW_3D":
            space.overlay.show_relationship_lines = self.parent_lines
        for warning in warnings:
            self.report({"WARNING"}, warning)

    def added(self, context: bpy.types.Context, actor: bpy.types.Object, warnings: Sequence[str] = ()) -> str:
        """Select a new actor and show it; returns the text to report."""
        select_only(context, actor)
        self.show_actors(context, warnings)
        return f"Added '{actor.name}'"


def kept_items(items: Callable[[], Iterable[tuple]]) -> Callable[[Any, Any], list[tuple]]:
    """Items of an EnumProperty that are made when they are asked for, and kept: Blender needs their strings alive."""
    kept: list[tuple] = []

    def give(self: object, context: bpy.types.Context | None) -> list[tuple]:
        kept[:] = items()
        return kept

    return give


PLACES = [
    ("CURSOR", "3D Cursor", "At the 3D cursor, whatever is there"),
    ("CLEAR", "Clear of Others", "At the 3D cursor, or beside what stands there"),
]
"""Where something new is put."""


class Placed:
    """Mixin of operators that add an actor: buttons put it clear of what is there, scripts at the cursor."""

    place: EnumProperty(description="Where it is put", items=PLACES, default="CURSOR", options={"SKIP_SAVE"})


class NeedsActor(MannequinOperator):
    """Mixin: disabled unless an actor is active, or is the only one, and not in edit mode."""

    needs = (
        (lambda context: active_actor(context) is not None, "Select an actor, or add one"),
        (lambda context: active_actor(context).mode != "EDIT", "Leave Edit Mode first"),
    )

    def edit(self, context: bpy.types.Context, change: Callable[[Any], Result]) -> Result:
        """Change the actor's model, and bring the actor in line with it."""
        return edit_model_of(active_actor(context), context.scene, change)


class NeedsScenario(MannequinOperator):
    """Mixin: disabled unless the scene has an actor."""

    needs = ((lambda context: bool(actors_of(context.scene)), NO_ACTOR),)


class NeedsBody(NeedsActor):
    """Mixin: disabled unless a body is active: its bone, one of its ellipsoids, or its joint."""

    needs = (
        (
            lambda context: active_bone(context) is not None,
            "Select a bone of the actor, an ellipsoid or a joint",
        ),
    )


def is_of_kind(obj: bpy.types.Object | None, kind: str) -> bool:
    """Whether an object is there and of a kind."""
    return obj is not None and obj.mannequin.kind == kind


class NeedsKind(MannequinOperator):
    """Mixin: disabled unless the active object is of a kind."""

    kind = ""
    label = ""
    """Name of the kind in messages; empty: the kind itself."""

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        if "kind" in cls.__dict__:
            kind, label = cls.kind, cls.label or cls.kind.lower()
            article = "an" if label[0] in "aeo" else "a"
            own = (lambda context: is_of_kind(context.object, kind), f"Select {article} {label}")
            cls.needs = (own, *cls.__dict__.get("needs", ()))


class Asks(MannequinOperator):
    """Mixin: a dialog asks for the properties first."""

    def begin_with(self, context: bpy.types.Context) -> None:
        """Set the properties that the dialog begins with, where they depend on what is active."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.begin_with(context)
        return context.window_manager.invoke_props_dialog(self)


class AsksForFolder(MannequinOperator):
    """Mixin: asks for its `directory` in a window."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @property
    def target(self) -> Path:
        """The chosen folder."""
        return Path(bpy.path.abspath(self.directory))


class ReadsFile(ShowsActors, ImportHelper):
    """Mixin of operators that read a file of actors: chosen in a browser, dropped, or named by a script."""

    filepath: StringProperty(
        name="File", description="File to read", subtype="FILE_PATH", options={"SKIP_SAVE"}
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Run at once for a dropped file, else ask for one."""
        if self.filepath:
            return self.execute(context)
        return super().invoke(context, event)


class WritesModel(NeedsActor, ExportHelper):
    """Mixin of operators that write the actor's model to a file."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Propose the model's name."""
        self.filepath = f"{active_actor(context).data.mannequin.name or 'model'}{self.filename_ext}"
        return super().invoke(context, event)


class DropsOnViewport:
    """Mixin of file handlers."""

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Accept files dropped on a 3D viewport or the outliner."""
        return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}


def select_only(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make an object the active and only selected one."""
    if context.view_layer.objects.active is not None and context.view_layer.objects.active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in context.view_layer.objects:
        if other.select_get():
            other.select_set(False)
    if obj.name in context.view_layer.objects:
        obj.select_set(True)
        context.view_layer.objects.active = obj


def file_menus(
    imports: dict[str, str], exports: dict[str, str]
) -> tuple[Callable[[], None], Callable[[], None]]:
    """(register, unregister) of entries in File > Import and File > Export; operators by name, with their texts."""

    def draw_import(self: bpy.types.Menu, context: bpy.types.Context) -> None:
        for name, text in imports.items():
            self.layout.operator(f"mannequin.{name}", text=text)

    def draw_export(self: bpy.types.Menu, context: bpy.types.Context) -> None:
        for name, text in exports.items():
            self.layout.operator(f"mannequin.{name}", text=text)

    def register() -> None:
        bpy.types.TOPBAR_MT_file_import.append(draw_import)
        bpy.types.TOPBAR_MT_file_export.append(draw_export)

    def unregister() -> None:
        bpy.types.TOPBAR_MT_file_export.remove(draw_export)
        bpy.types.TOPBAR_MT_file_import.remove(draw_import)

    return register, unregister
