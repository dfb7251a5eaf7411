"""MuJoCo's XML (MJCF), read and written. What is carried over: docs/formats/mujoco.md.

Physics of MuJoCo itself is not here: `benchmarks` and the tests run it beside ours.
"""

from .read import read_mjcf
from .write import mjcf, write_mjcf
