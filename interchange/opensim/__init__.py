"""OpenSim model files (.osim), read. What is carried over: docs/formats/opensim.md."""

from .read import read_osim

__all__ = ["read_osim"]
