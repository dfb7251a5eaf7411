"""Operators of the film: skin, own character, set-up, two runs side by side, render."""

import math
from pathlib import Path

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper

from ..scene.actors import active_actor, actors_of
from ..scene.bake import playing_action
from ..scene.character import POOR, bind_character
from ..scene.errors import USER_ERRORS
from ..scene.film import background
from ..scene.film.produce import (
    film_of_scene,
    open_beside,
    prepare_as_shown,
    render_film,
    require_motion,
    setup_render,
)
from ..scene.film.side_by_side import is_side_by_side
from ..scene.skin import SKIN, make_skin, remove_skin
from .base import MannequinOperator, NeedsActor


class MANNEQUIN_OT_make_skin(NeedsActor, bpy.types.Operator):
    """Give the actor a smooth surface made of its ellipsoids.

    bpy.ops.mannequin.make_skin()"""

    bl_idname = "mannequin.make_skin"
    bl_label = "Make Skin"
    takes_long = True
    bl_description = "Give the actor a smooth closed surface made of its ellipsoids, bound to its bones"

    def run(self, context: bpy.types.Context) -> str:
        """Make."""
        skin = make_skin(active_actor(context), context.scene)
        return f"{len(skin.data.vertices)} vertices"


class MANNEQUIN_OT_remove_skin(NeedsActor, bpy.types.Operator):
    """Remove the actor's surface; its ellipsoids are rendered again.

    bpy.ops.mannequin.remove_skin()"""

    bl_idname = "mannequin.remove_skin"
    bl_label = "Remove Skin"
    bl_description = (
        "Remove the actor's surface, or the copy of your character; its ellipsoids are rendered again"
    )

    def run(self, context: bpy.types.Context) -> None:
        """Remove."""
        remove_skin(active_actor(context))


class MANNEQUIN_OT_bind_character(NeedsActor, bpy.types.Operator):
    """Let the actor carry your own character: its selected meshes are copied, aligned and weighted.

    bpy.context.view_layer.objects.active = bpy.data.objects["male"]
    bpy.data.objects["Hero"].select_set(True)
    bpy.ops.mannequin.bind_character()"""

    bl_idname = "mannequin.bind_character"
    bl_label = "Bind Character"
    takes_long = True
    bl_description = (
        "Let the actor carry your own character: copies of the selected meshes are brought to the actor's size, place, "
        "facing and rest pose and weighted to its bones; the originals are hidden. Select the meshes, then the actor"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an actor and a mesh of somebody's own are meant."""
        if not super().poll(context):
            return False
        if not own_meshes(context):
            cls.poll_message_set("Select the meshes of your character, then the actor with Shift")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Bind."""
        actor = active_actor(context)
        copies, stand = bind_character(actor, own_meshes(context), context.scene)
        facing = math.degrees(math.atan2(stand.turn[1, 0], stand.turn[0, 0]))
        told = (
            f"Bound {', '.join(copy.name for copy in copies)}: scaled by {stand.scale:.4g}, turned by {facing:.0f} "
            f"degrees, arms spread by {math.degrees(stand.arms):.0f} degrees, {100.0 * stand.off:.1f} cm off on average"
        )
        if stand.off > POOR:
            self.report({"WARNING"}, f"{told}. It fits poorly: is it a person standing upright?")
            return None
        return told


def own_meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected meshes that have nothing to do with Mannequin yet."""
    return [
        obj
        for obj in context.selected_objects
        if obj.type == "MESH" and obj.mannequin.kind == "NONE" and not obj.get(SKIN)
    ]


class NeedsMotion(MannequinOperator):
    """Mixin: off unless there is something to film."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene has an actor, or shows two that have."""
        if not actors_of(context.scene) and not is_side_by_side(context.scene):
            cls.poll_message_set("The scene has no actor: add one, or import a model")
            return False
        return True


class MANNEQUIN_OT_setup_render(NeedsMotion, bpy.types.Operator):
    """Add ground, grid, sun, sky, skins, cameras and the overlay.

    bpy.ops.mannequin.setup_render()"""

    bl_idname = "mannequin.setup_render"
    bl_label = "Set Up Render"
    takes_long = True
    bl_description = (
        "Add ground with a metre grid, sun, sky, skins, cameras and the overlay for the motion; replaces an earlier "
        "set-up. Afterwards Blender's own Render Animation renders the same film"
    )

    def run(self, context: bpy.types.Context) -> str | None:
        """Set up."""
        scene, film = context.scene, context.scene.mannequin.film
        setup_render(scene, film.width, film.height)
        return prepare_as_shown(scene)


class MANNEQUIN_OT_side_by_side(MannequinOperator, ImportHelper, bpy.types.Operator):
    """Show another run beside this one, in step: in one picture under one clock.

    bpy.ops.mannequin.side_by_side(filepath="out/slip_20260101T120000Z/manifest.json", titles="Fall | Slip")"""

    bl_idname = "mannequin.side_by_side"
    bl_label = "Side by Side"
    takes_long = True
    bl_description = (
        "Show another run beside this scene's, in step, in one picture under one clock. Choose the other run's "
        "manifest.json; a new scene holds both halves"
    )

    filename_ext = ".json"
    filter_glob: StringProperty(default="manifest.json", options={"HIDDEN"})
    titles: StringProperty(
        name="Titles",
        description="Of the left and the right half, with | between; empty: the scenarios' names",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether this scene plays a run."""
        if not any(map(playing_action, actors_of(context.scene))):
            cls.poll_message_set("Simulate, or open a run: this scene is the left half")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Open the other run in a scene of its own, and show both."""
        both = open_beside(context.scene, Path(self.filepath).parent, parted(self.titles))
        context.window.scene = both
        return f"Scene '{both.name}' shows both; press Render Film there"


def parted(titles: str) -> tuple[str, str]:
    """The titles of both halves."""
    left, _, right = titles.partition("|")
    return left.strip(), right.strip()


class MANNEQUIN_OT_render_film(NeedsMotion, bpy.types.Operator):
    """Render the film with its overlay and write the file.

    bpy.context.scene.mannequin.film.output = "/tmp/film.mp4"
    bpy.ops.mannequin.render_film()"""

    bl_idname = "mannequin.render_film"
    bl_label = "Render Film"
    bl_description = (
        "Render every frame with the overlay and write the film. A second Blender without a window does it, from a "
        "copy of the file as it is now; go on working meanwhile"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to film, and no film being rendered."""
        if background.current() is not None:
            cls.poll_message_set("A film is being rendered: wait, or cancel it")
            return False
        return super().poll(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Render beside Blender; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            film = film_of_scene(context.scene)
            if film.overlay:
                require_motion(context.scene)
            background.start(context.scene, film)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Rendering {film.target.name} in the background")
        return {"FINISHED"}

    def run(self, context: bpy.types.Context) -> str:
        """Render here and now, for scripts and background mode."""
        manager = context.window_manager
        manager.progress_begin(0, 100)
        try:
            path = render_film(
                context.scene,
                film_of_scene(context.scene),
                lambda done, total: manager.progress_update(100.0 * done / total),
            )
        finally:
            manager.progress_end()
        return f"Wrote {path}"


class MANNEQUIN_OT_cancel_render(MannequinOperator, bpy.types.Operator):
    """Cancel the film that is being rendered in the background.

    bpy.ops.mannequin.cancel_render()"""

    bl_idname = "mannequin.cancel_render"
    bl_label = "Cancel Render"
    bl_description = "Cancel the film that is being rendered in the background; nothing half-written is left"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a film is being rendered."""
        if background.current() is None:
            cls.poll_message_set("No film is being rendered")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Cancel."""
        background.cancel()
        return "Render cancelled"


CLASSES = (
    MANNEQUIN_OT_make_skin,
    MANNEQUIN_OT_remove_skin,
    MANNEQUIN_OT_bind_character,
    MANNEQUIN_OT_setup_render,
    MANNEQUIN_OT_side_by_side,
    MANNEQUIN_OT_render_film,
    MANNEQUIN_OT_cancel_render,
)


def register() -> None:
    """Renders are started by the operator."""


def unregister() -> None:
    """No render outlives the extension."""
    background.stop()
