"""Moment arms of an actor's muscle over a joint's range of motion, as a plot inside the file.

The simulation process computes and draws it, so that Blender does not wait for a compiler.
"""

import bpy

from ...engine.spec import Model
from ...jobs.engine import shared_worker
from ..base.errors import SceneError
from ..base.labels import label_of
from ..base.scene_job import SceneJob
from ..model.read import read_model
from ..muscles.read import point_bodies
from ..store.actors import actor_of
from .result_plots import packed_picture


class MomentArmPlot(SceneJob):
    """A plot that is being computed; at the end, `finish`."""

    def __init__(self, muscle: bpy.types.Object, joint: str, axis: str) -> None:
        model = read_model(actor_of(muscle))
        joint, name = joint or crossed_joint(muscle, model), label_of(muscle, muscle.mannequin.muscle)
        self.name = f"{name} about {joint} {axis}"
        self.job = shared_worker().draw_moment_arms(model, name, joint, axis)

    def finish(self) -> bpy.types.Image:
        """The plot as a picture inside the file; raises the reason where there is none."""
        picture = self.job.result()
        try:
            return packed_picture(self.name, picture.read_bytes())
        finally:
            picture.unlink()


def crossed_joint(muscle: bpy.types.Object, model: Model) -> str:
    """Joint of the body that the last point of a muscle rides on."""
    body = point_bodies(muscle, actor_of(muscle))[-1]
    joint = next((j for j in model.joints if j.child == body and j.kind.turns), None)
    if joint is None:
        raise SceneError(f"body '{body}' has no joint that turns: name the joint")
    return joint.name
