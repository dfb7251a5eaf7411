"""MuJoCo's XML (MJCF), written. What is carried over: docs/formats/mujoco.md.

There is no reader: a model is edited here and tried there.
"""

from .write import mjcf, write_mjcf
