"""MuJoCo's XML (MJCF), written. What is carried over: docs/formats/mujoco.md."""

from .write import mjcf, write_mjcf

__all__ = ["mjcf", "write_mjcf"]
