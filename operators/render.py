"""Operators of the film: set-up, skin, render."""

import bpy

from ..scene.actors import active_actor
from ..scene.film.cameras import camera_of
from ..scene.film.presets import apply_render_preset
from ..scene.film.produce import film_of_scene, render_film, set_up_film
from ..scene.skin import make_skin, remove_skin
from .base import NeedsActor, NeedsScenario


class MANNEQUIN_OT_make_skin(NeedsActor, bpy.types.Operator):
    """Give the actor a smooth surface made of its ellipsoids.

    bpy.ops.mannequin.make_skin()"""

    bl_idname = "mannequin.make_skin"
    bl_label = "Make Skin"
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
    bl_description = "Remove the actor's surface; its ellipsoids are rendered again"

    def run(self, context: bpy.types.Context) -> None:
        """Remove."""
        remove_skin(active_actor(context))


class MANNEQUIN_OT_set_up_film(NeedsScenario, bpy.types.Operator):
    """Add ground, grid, sun, sky, skins and cameras.

    bpy.ops.mannequin.set_up_film()"""

    bl_idname = "mannequin.set_up_film"
    bl_label = "Set Up Film"
    bl_description = (
        "Add ground with a metre grid, sun, sky, skins and cameras for the motion; replaces an earlier set-up"
    )

    def run(self, context: bpy.types.Context) -> None:
        """Set up."""
        scene, film = context.scene, context.scene.mannequin.film
        set_up_film(scene, film.width, film.height)
        apply_render_preset(scene, film.preset)
        scene.camera = camera_of(scene, film.camera)


class MANNEQUIN_OT_render_film(NeedsScenario, bpy.types.Operator):
    """Render the film with its overlay and write the file.

    bpy.context.scene.mannequin.film.output = "/tmp/film.mp4"
    bpy.ops.mannequin.render_film()"""

    bl_idname = "mannequin.render_film"
    bl_label = "Render Film"
    bl_description = "Render every frame, burn the overlay in and write the film. Blender is busy meanwhile"
    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> str:
        """Render."""
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


CLASSES = (
    MANNEQUIN_OT_make_skin,
    MANNEQUIN_OT_remove_skin,
    MANNEQUIN_OT_set_up_film,
    MANNEQUIN_OT_render_film,
)
