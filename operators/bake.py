"""Operators on baked motion: bake a run again, import a run, make skins."""

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper

from ..scene.base.errors import SceneError
from ..scene.motion.bake import play
from ..scene.run.simulate import bake_run, open_run
from ..scene.show.results import last_run
from .base import MannequinOperator, NeedsActor, NeedsScenario


class MANNEQUIN_OT_bake(NeedsScenario, bpy.types.Operator):
    """Bake the last run again with the frame rate, first frame and slow motion set now.

    bpy.context.scene.mannequin.bake.slowness = 4.0
    bpy.ops.mannequin.bake()
    """

    bl_label = "Bake Again"
    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        actions = bake_run(last_run(context.scene), context.scene)
        return f"Baked {', '.join(action.name for action in actions)}"


class MANNEQUIN_OT_open_run(MannequinOperator, ImportHelper, bpy.types.Operator):
    """Add the actors and obstacles of a run, with its motion and results; choose its manifest.json.

    bpy.ops.mannequin.open_run(filepath="out/fall_standing_20260101T120000Z/manifest.json")
    """

    takes_long = True

    filename_ext = ".json"
    filter_glob: StringProperty(default="manifest.json", options={"HIDDEN"})

    def run(self, context: bpy.types.Context) -> str:
        from pathlib import Path

        run = open_run(Path(self.filepath).parent, context.scene)
        return f"Opened run {run.stem}"


class MANNEQUIN_OT_play_run(NeedsActor, bpy.types.Operator):
    """Play the baked motion of an earlier run on the actor.

    bpy.ops.mannequin.play_run(action="fall_20260101T120000Z man")
    """

    action: StringProperty(description="Name of a baked action")

    def run(self, context: bpy.types.Context) -> None:
        from ..scene.motion.bake import RUN, is_baked
        from ..scene.motion.bake_muscles import play_muscles
        from ..scene.store.actors import active_actor

        action = bpy.data.actions.get(self.action)
        if not is_baked(action):
            raise SceneError(f"'{self.action}' is no baked motion")
        actor = active_actor(context)
        play(actor, action)
        play_muscles(actor, action[RUN])
        actor.mannequin.actor.baked_action = action
