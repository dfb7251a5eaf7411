"""Operators on baked motion: bake a run again, import a run, make skins."""

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper

from ..scene.bake import play
from ..scene.errors import SceneError
from ..scene.results import last_run
from ..scene.simulate import bake_run, open_run
from .base import MannequinOperator, NeedsActor, NeedsScenario


class MANNEQUIN_OT_bake(NeedsScenario, bpy.types.Operator):
    """Bake the last run again, at another frame rate, first frame or slow motion.

    bpy.context.scene.mannequin.film.slowness = 4.0
    bpy.ops.mannequin.bake()"""

    bl_idname = "mannequin.bake"
    bl_label = "Bake Again"
    bl_description = "Bake the last run again with the frame rate, first frame and slow motion set now"
    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        """Bake."""
        actions = bake_run(last_run(context.scene), context.scene)
        return f"Baked {', '.join(action.name for action in actions)}"


class MANNEQUIN_OT_open_run(MannequinOperator, ImportHelper, bpy.types.Operator):
    """Show a run folder: its scenario, its motion and its results.

    bpy.ops.mannequin.open_run(filepath="out/fall_standing_20260101T120000Z/manifest.json")"""

    bl_idname = "mannequin.open_run"
    bl_label = "Open Run"
    bl_description = (
        "Add the actors and obstacles of a run, with its motion and results; choose its manifest.json"
    )
    takes_long = True

    filename_ext = ".json"
    filter_glob: StringProperty(default="manifest.json", options={"HIDDEN"})

    def run(self, context: bpy.types.Context) -> str:
        """Open."""
        from pathlib import Path

        run = open_run(Path(self.filepath).parent, context.scene)
        return f"Opened run {run.stem}"


class MANNEQUIN_OT_play_run(NeedsActor, bpy.types.Operator):
    """Let another baked motion move the actor.

    bpy.ops.mannequin.play_run(action="fall_20260101T120000Z man")"""

    bl_idname = "mannequin.play_run"
    bl_label = "Play Run"
    bl_description = "Let the baked motion of an earlier run move the actor"

    action: StringProperty(name="Action", description="Name of a baked action")

    def run(self, context: bpy.types.Context) -> None:
        """Play."""
        from ..scene.actors import active_actor
        from ..scene.bake import RUN, is_baked
        from ..scene.bake_muscles import play_muscles

        action = bpy.data.actions.get(self.action)
        if not is_baked(action):
            raise SceneError(f"'{self.action}' is no baked motion")
        actor = active_actor(context)
        play(actor, action)
        play_muscles(actor, action[RUN])
        actor.mannequin.actor.baked_action = action


CLASSES = (MANNEQUIN_OT_bake, MANNEQUIN_OT_open_run, MANNEQUIN_OT_play_run)
