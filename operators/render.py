"""Operators of the film: skin, own character, set-up, two runs side by side, render."""

import math
from pathlib import Path

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ..scene.base.errors import USER_ERRORS
from ..scene.film import background
from ..scene.film.produce import (
    estimate_film,
    film_of_scene,
    lacks_cameras,
    open_beside,
    prepare_as_shown,
    render_film,
    require_motion,
    setup_render,
)
from ..scene.film.shots import propose
from ..scene.film.side_by_side import is_side_by_side
from ..scene.motion.bake import playing_action
from ..scene.people.change import skin_for
from ..scene.rig.own_rigs import character_rigs_of
from ..scene.rig.skins import SKIN, remove_skin
from ..scene.show.character import POOR, bind_character
from ..scene.show.character_motion import bake_characters
from ..scene.show.own_character import armature_to_drive, chosen_armature, follow_actor
from ..scene.show.skin import is_person
from ..scene.store.actors import active_actor, actors_of
from .base import NO_ACTOR, MannequinOperator, NeedsActor


class MANNEQUIN_OT_make_skin(NeedsActor, bpy.types.Operator):
    """Give the actor its skin: of a person the dressed body, of others a smooth surface made from the ellipsoids."""

    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        skin = skin_for(active_actor(context), context.scene)
        return f"{len(skin.data.vertices)} vertices"


class MANNEQUIN_OT_remove_skin(NeedsActor, bpy.types.Operator):
    """Remove the actor's surface, or the copy of your character; one that follows with its own armature is put back
    as it was; the ellipsoids are rendered again."""

    def run(self, context: bpy.types.Context) -> None:
        remove_skin(active_actor(context))


class MANNEQUIN_OT_bind_character(NeedsActor, bpy.types.Operator):
    """Bind your own character to the actor (select its meshes or its armature, then the actor): a character with an
    armature keeps its rig and weights and follows; of other meshes copies are fitted and weighted to the actor's bones.

    bpy.context.view_layer.objects.active = bpy.data.objects["male"]
    bpy.data.objects["Hero"].select_set(True)
    bpy.ops.mannequin.bind_character()
    """

    takes_long = True

    drive: EnumProperty(
        description="What of the character follows the actor",
        items=[
            (
                "AUTO",
                "Automatic",
                "Its own armature where it has one with the bones of a person, else new weights",
            ),
            (
                "CONSTRAINTS",
                "Own Armature",
                "Its own armature, by constraints: live, and free to be added to",
            ),
            ("KEYFRAMES", "Own Armature, Keyframes", "Its own armature, by keyframes on its own bones"),
            ("WEIGHTS", "New Weights", "Copies of its meshes, weighted to the actor's bones"),
        ],
    )

    needs = (
        (
            lambda context: bool(own_meshes(context))
            or chosen_armature(context.selected_objects) is not None,
            "Select the meshes or the armature of your character, then the actor with Shift",
        ),
    )

    def run(self, context: bpy.types.Context) -> str | None:
        actor, meshes = active_actor(context), own_meshes(context)
        armature = armature_to_drive(actor, context.selected_objects, self.drive)
        if armature is not None:
            return self.drive_armature(context, actor, armature)
        return self.bind_meshes(context, actor, meshes)

    def drive_armature(
        self, context: bpy.types.Context, actor: bpy.types.Object, armature: bpy.types.Object
    ) -> str:
        """Let the character's own armature follow."""
        scale = follow_actor(actor, armature, context.scene, self.drive == "KEYFRAMES")
        found = armature.mannequin.skeleton
        return f"'{armature.name}' follows, bones by {found.convention or 'your list'}, scaled by {scale:.4g}"

    def bind_meshes(
        self, context: bpy.types.Context, actor: bpy.types.Object, meshes: list[bpy.types.Object]
    ) -> str | None:
        """Fit and weight copies of the meshes."""
        copies, stand = bind_character(actor, meshes, context.scene)
        arms = f"arms spread by {math.degrees(stand.arms):.0f} degrees, " if is_person(actor) else ""
        facing = math.degrees(math.atan2(stand.turn[1, 0], stand.turn[0, 0]))
        message = (
            f"Bound {', '.join(copy.name for copy in copies)}: scaled by {stand.scale:.4g}, turned by {facing:.0f} "
            f"degrees, {arms}{100.0 * stand.off:.1f} cm off on average"
        )
        if stand.off > POOR:
            asked = "is it a person standing upright?" if is_person(actor) else "is it this kind of vehicle?"
            self.report({"WARNING"}, f"{message}. It fits poorly: {asked}")
            return None
        return message


class MANNEQUIN_OT_bake_character(NeedsActor, bpy.types.Operator):
    """Write the motion of your character as keyframes on its own bones, or let constraints move it again.

    bpy.ops.mannequin.bake_character(keyframes=True)
    """

    takes_long = True

    keyframes: BoolProperty(description="Off: the bones follow live, by constraints", default=True)

    needs = (
        (
            lambda context: bool(character_rigs_of(active_actor(context))),
            "Bind a character that has its own armature first",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        done = bake_characters(active_actor(context), context.scene, self.keyframes)
        how = "has keyframes" if self.keyframes else "follows by constraints"
        return f"'{done[0].name}' {how}"


def own_meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected meshes that have nothing to do with Mannequin yet."""
    return [
        obj
        for obj in context.selected_objects
        if obj.type == "MESH" and obj.mannequin.kind == "NONE" and not obj.get(SKIN)
    ]


class NeedsMotion(MannequinOperator):
    """Mixin: disabled unless there is something to film."""

    needs = ((lambda context: actors_of(context.scene) or is_side_by_side(context.scene), NO_ACTOR),)


class MANNEQUIN_OT_setup_render(NeedsMotion, bpy.types.Operator):
    """Add ground with a metre grid, sun, sky, skins, cameras and the overlay for the motion, in place of an earlier
    set-up; Blender's own Render Animation then renders the same film."""

    bl_label = "Set Up Render"
    takes_long = True

    def run(self, context: bpy.types.Context) -> str | None:
        scene, film = context.scene, context.scene.mannequin.film
        setup_render(scene, film.width, film.height)
        return prepare_as_shown(scene)


class MANNEQUIN_OT_propose_shots(MannequinOperator, bpy.types.Operator):
    """Fill the list with shots for the motion: wide and side as it goes, the first impact between actors from near, and
    the hardest one slowly again."""

    needs = (
        (
            lambda context: any(map(playing_action, actors_of(context.scene))),
            "Simulate, or open a run: shots are chosen by its impacts",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"{propose(context.scene)} shots; edit them, then press Render Film"


class MANNEQUIN_OT_side_by_side(MannequinOperator, ImportHelper, bpy.types.Operator):
    """Show another run, chosen by its manifest.json, beside this scene's in a new scene: in step, in one picture, under
    one clock.

    bpy.ops.mannequin.side_by_side(filepath="out/slip_20260101T120000Z/manifest.json", titles="Fall | Slip")
    """

    takes_long = True

    filename_ext = ".json"
    filter_glob: StringProperty(default="manifest.json", options={"HIDDEN"})
    titles: StringProperty(
        description="Of the left and the right half, with | between; empty: the scenarios' names"
    )

    needs = (
        (
            lambda context: any(map(playing_action, actors_of(context.scene))),
            "Simulate, or open a run: this scene is the left half",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        """Open the other run in a scene of its own, and show both."""
        both = open_beside(context.scene, Path(self.filepath).parent, split_titles(self.titles))
        context.window.scene = both
        return f"Scene '{both.name}' shows both; press Render Film there"


def split_titles(titles: str) -> tuple[str, str]:
    """The titles of both halves."""
    left, _, right = titles.partition("|")
    return left.strip(), right.strip()


def set_up_once(scene: bpy.types.Scene) -> None:
    """Set up the film where nobody has, as a step of its own to undo: it is seen as the panel says, and not through the
    camera that the file began with."""
    if lacks_cameras(scene):
        scene.camera = None
        bpy.ops.mannequin.setup_render("EXEC_DEFAULT", True)


class MANNEQUIN_OT_render_film(NeedsMotion, bpy.types.Operator):
    """Render every frame with the overlay and write the film, in a second Blender without a window and from a copy of
    the file as it is now, so that you can go on working.

    A scene that is not set up for it is set up first.

    bpy.context.scene.mannequin.film.output = "/tmp/film.mp4"
    bpy.ops.mannequin.render_film()
    """

    bl_options = {"REGISTER"}

    needs = ((lambda context: background.current() is None, "A film is being rendered: wait, or cancel it"),)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Render beside Blender; without a window at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            film = film_of_scene(context.scene)
            if film.overlay:
                require_motion(context.scene)
            set_up_once(context.scene)
            background.start(context.scene, film)
        except USER_ERRORS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Rendering {film.target.name} in the background")
        return {"FINISHED"}

    def run(self, context: bpy.types.Context) -> str:
        """Render here and now, for scripts and background mode."""
        manager = context.window_manager
        set_up_once(context.scene)
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


class MANNEQUIN_OT_estimate_film(NeedsMotion, bpy.types.Operator):
    """Render one or two pictures of the film here and now, and tell how long the whole film would take."""

    bl_options = {"REGISTER"}
    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        film = context.scene.mannequin.film
        film.estimate = estimate_film(context.scene, film_of_scene(context.scene)).text
        return film.estimate


class MANNEQUIN_OT_cancel_render(MannequinOperator, bpy.types.Operator):
    """Cancel the film that is being rendered in the background; no partial file is left."""

    bl_options = {"REGISTER"}

    needs = ((lambda context: background.current() is not None, "No film is being rendered"),)

    def run(self, context: bpy.types.Context) -> str:
        background.cancel()
        return "Render cancelled"


def unregister() -> None:
    """No render outlives the extension."""
    background.stop()
