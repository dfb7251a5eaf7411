"""Measures taken from a recording, each with its definition and its validity; see docs/measures.md.

Numbers only: how they are written or drawn is decided in `files`, `plots` and `pages`.
"""

from .catalogue import evaluate, evaluate_families
from .measure import Measure
