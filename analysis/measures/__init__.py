"""Measures taken from a recording, each with its definition and its validity; see docs/measures.md."""

from .catalogue import evaluate, evaluate_families
from .measure import Measure

__all__ = ["Measure", "evaluate", "evaluate_families"]
