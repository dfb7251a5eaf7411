"""MuJoCo's XML (MJCF), read and written. What is carried over: docs/formats/mujoco.md."""

from .read import read_mjcf
from .write import mjcf, write_mjcf
