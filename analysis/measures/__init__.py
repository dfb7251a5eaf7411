"""Measures taken from a recording, each with its definition and its validity; see docs/measures.md."""

from .catalogue import evaluate
from .measure import Measure

__all__ = ["Measure", "evaluate"]
