"""OpenSim model files (.osim), read. What is carried over: docs/formats/opensim.md.

There is no writer.
"""

from .read import read_osim
