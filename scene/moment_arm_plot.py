"""Moment arms of an actor's muscle over a joint's range of motion, as a plot inside the file.

The command `moment-arms` computes and draws it in a process of its own, so that Blender does not wait for a compiler.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import bpy

from ..engine.spec import Model
from ..io_json.model_json import write_model
from .actors import actor_of
from .errors import SceneError
from .labels import label_of
from .read_model import read_model
from .read_muscles import point_bodies
from .result_plots import packed_picture
from .worker import environment, python


class MomentArmPlot:
    """A plot in the making: `tick` until it is true, then `finish`; or `cancel`."""

    text, share, warning = "Computing moment arms", 0.0, ""

    def __init__(self, muscle: bpy.types.Object, joint: str, axis: str) -> None:
        model = read_model(actor_of(muscle))
        joint, name = joint or crossed_joint(muscle, model), label_of(muscle, muscle.mannequin.muscle)
        self.name = f"{name} about {joint} {axis}"
        self._folder = tempfile.TemporaryDirectory(prefix="mannequin-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        write_model(model, folder / "model.json")
        self._picture, self._said = folder / "moment_arms.png", open(folder / "said.txt", "w+b")
        command = [
            python(),
            "-m",
            "mannequin",
            "moment-arms",
            str(folder / "model.json"),
            "--joint",
            f"{joint}:{axis}",
        ]
        command += ["--muscle", escaped(name), "--plot", str(self._picture)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._said, stderr=subprocess.STDOUT, env=environment()
        )

    def tick(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def wait(self) -> None:
        """Wait for the end."""
        self._process.wait()

    def cancel(self) -> None:
        """Stop, and leave nothing."""
        self._process.kill()
        self._process.wait()
        self._close()

    def finish(self) -> bpy.types.Image:
        """The plot as a picture inside the file. Raises SceneError in the command's words."""
        try:
            if self._process.returncode != 0:
                self._said.seek(0)
                lines = self._said.read().decode(errors="replace").strip().splitlines()
                raise SceneError(lines[-1].removeprefix("moment-arms: ") if lines else "the command failed")
            return packed_picture(self.name, self._picture.read_bytes())
        finally:
            self._close()

    def _close(self) -> None:
        self._said.close()
        self._folder.cleanup()


def crossed_joint(muscle: bpy.types.Object, model: Model) -> str:
    """Joint of the body that the last point of a muscle rides on."""
    body = point_bodies(muscle, actor_of(muscle))[-1]
    joint = next((j for j in model.joints if j.child == body and j.type in ("revolute", "spherical")), None)
    if joint is None:
        raise SceneError(f"body '{body}' has no joint that turns: name the joint")
    return joint.name


def escaped(name: str) -> str:
    """A name as a pattern that fits itself alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
