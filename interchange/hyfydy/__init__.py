"""Hyfydy model files (.hfd), read and written. Format: docs/formats/hyfydy.md."""

from .read import read_hfd
from .write import write_hfd

__all__ = ["read_hfd", "write_hfd"]
