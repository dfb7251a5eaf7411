"""Plots of a run as pictures inside the file, shown in an image editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...analysis.files.run_folder import Run
from ..base.errors import SceneError
from ..scenario.scenario import scenario_names
from ..store.actors import active_actor, active_bone
from .playhead import keep_time_axis
from .results import last_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_RUN = {"timeline": "Contact Timeline", "energy": "Energy"}
OF_BODY = {
    "acceleration": "Acceleration",
    "velocity": "Velocity",
    "position": "Position",
    "angular_velocity": "Angular Velocity",
    "angular_acceleration": "Angular Acceleration",
    "contact_force": "Contact Force",
    "contact_torque": "Contact Torque",
}
OF_JOINT = {"joint_angle": "Joint Angle"}
PLOTS = OF_RUN | OF_BODY | OF_JOINT
"""Label by kind; those of a body and of its joint are of the active one."""


def plot_image(scene: bpy.types.Scene, kind: str, body: str = "") -> bpy.types.Image:
    """Picture of a plot of the last run, packed into the file. `body` is "actor/body", for kinds that need one."""
    run = last_run(scene)
    if run.recording.frames == 0:
        raise SceneError("the run has no output to plot: simulate again")
    figure, subject = draw(run, kind, body)
    image = packed_image(f"{run.stem} {subject}{label_of(kind)}", figure)
    keep_time_axis(image, figure)
    return image


def label_of(kind: str) -> str:
    """A kind as people write it."""
    return kind.replace("_", " ")


def draw(run: Run, kind: str, body: str) -> tuple[Figure, str]:
    """Figure of a kind, and the name of what it shows with a space behind it."""
    from ...analysis.plots import figures as plots

    if kind == "timeline":
        if not len(run.recording.contacts):
            raise SceneError("nothing touched anything in this run: there is no contact to show")
        return plots.plot_timeline(run.recording), ""
    if kind == "energy":
        return plots.plot_energy(run.recording), ""
    number = body_number(run, body)
    subject = f"{run.recording.body_names[number]} "
    if kind == "joint_angle":
        return plots.plot_joint(run.scenario, run.recording, number), subject
    return plots.plot_motion(run.scenario, run.recording, number, label_of(kind)), subject


def body_number(run: Run, body: str) -> int:
    """Index of "actor/body", or without a name of the first body worth a plot. A body and its joint have one number."""
    from ...analysis.plots.highlights import plotted_bodies

    if not body:
        return plotted_bodies(run.scenario, run.recording)[0]
    actor, _, name = body.rpartition("/")
    try:
        return run.recording.body_index(actor, name)
    except KeyError:
        raise SceneError(
            f"the run has no body '{body}': choose a body of an actor that was simulated"
        ) from None


def active_body(context: bpy.types.Context) -> str:
    """ "actor/body" of what is active, or nothing."""
    bone, actor = active_bone(context), active_actor(context)
    if bone is None or actor is None:
        return ""
    return f"{scenario_names(context.scene)[actor.name]}/{bone.name}"


def packed_image(name: str, figure: Figure) -> bpy.types.Image:
    """Picture of a figure, inside the file; one of the same name is replaced."""
    from ...analysis.plots.figures import png_bytes

    return packed_picture(name, png_bytes(figure))


def packed_picture(name: str, data: bytes) -> bpy.types.Image:
    """Picture of the bytes of a picture file, inside the file; one of the same name is replaced."""
    image = bpy.data.images.get(name) or bpy.data.images.new(name, 1, 1)
    image.pack(data=data, data_len=len(data))
    image.source = "FILE"
    image.buffers_free()  # an earlier picture of this name is read again
    image.use_fake_user = True
    return image


def show_image(context: bpy.types.Context, image: bpy.types.Image) -> None:
    """Show a picture in an image editor: one that is open, or a new window; nowhere where Blender has no window."""
    if bpy.app.background or context.window is None:
        return
    area = next((a for a in context.screen.areas if a.type == "IMAGE_EDITOR"), None)
    if area is None:
        known = set(context.window_manager.windows)
        bpy.ops.wm.window_new()
        window = next(w for w in context.window_manager.windows if w not in known)
        area = window.screen.areas[0]
        area.type = "IMAGE_EDITOR"
    area.spaces.active.image = image
