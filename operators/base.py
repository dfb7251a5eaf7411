"""What operators share: errors become reports, and buttons say why they are off."""

from collections.abc import Sequence

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..scene.actors import active_actor, active_bone, actors_of
from ..scene.errors import USER_ERRORS


class MannequinOperator:
    """Mixin: `run` does the work and returns what to tell; an error of ours is shown as it is, no other is caught."""

    bl_options = {"REGISTER", "UNDO"}
    takes_long = False
    """Whether it may take more than a fifth of a second: the pointer then shows that Blender is at work."""

    def run(self, context: bpy.types.Context) -> str | None:
        """Do it; the returned text is reported."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run, and report what came of it."""
        window = context.window if self.takes_long and not bpy.app.background else None
        if window is not None:
            window.cursor_modal_set("WAIT")
        try:
            told = self.run(context)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            if window is not None:
                window.cursor_modal_restore()
        if told:
            self.report({"INFO"}, told)
        return {"FINISHED"}


class ShowsActors(MannequinOperator):
    """Mixin of operators that bring actors into the scene."""

    parent_lines: BoolProperty(
        name="Parent Lines",
        description="Draw Blender's dotted lines from the parts of actors to their armature in this viewport",
        options={"SKIP_SAVE"},
    )

    def show_actors(self, context: bpy.types.Context, warnings: Sequence[str] = ()) -> None:
        """Switch the parent lines of the viewport the operator runs in, and tell of what cannot be shown.

        An actor has a line per part, all to one point; drawn, they cover it. The switch is the viewport's own, told
        in the panel of the last operation and in Mannequin > View."""
        space = context.space_data
        if space is not None and space.type == "VIEW_3D":
            space.overlay.show_relationship_lines = self.parent_lines
        for told in warnings:
            self.report({"WARNING"}, told)


class NeedsActor(MannequinOperator):
    """Mixin: off unless an actor is meant."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an actor is active, or the only one, and not in edit mode."""
        actor = active_actor(context)
        if actor is None:
            cls.poll_message_set("Select an actor, or add one")
            return False
        if actor.mode == "EDIT":
            cls.poll_message_set("Leave Edit Mode first")
            return False
        return True


class NeedsScenario(MannequinOperator):
    """Mixin: off unless the scene has an actor."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an actor."""
        if not actors_of(context.scene):
            cls.poll_message_set("The scene has no actor: add one, or import a model")
            return False
        return True


class NeedsBody(NeedsActor):
    """Mixin: off unless a body is meant: its bone, or one of its ellipsoids, or its joint is active."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a body is active."""
        if not super().poll(context):
            return False
        if active_bone(context) is None:
            cls.poll_message_set("Select a bone of the actor, an ellipsoid or a joint")
            return False
        return True


class NeedsKind(NeedsActor):
    """Mixin: off unless the active object is of a kind."""

    kind = ""
    label = ""
    """What the tooltip calls it; empty: as the kind."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is of the kind."""
        obj = context.object
        if obj is None or obj.mannequin.kind != cls.kind:
            label = cls.label or cls.kind.lower()
            cls.poll_message_set(f"Select an {label}" if label[0] in "eao" else f"Select a {label}")
            return False
        return True


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


CLASSES = ()
