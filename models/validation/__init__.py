"""Comparisons with published tests: what is simulated, what was published, and whether it lies inside.

Each check builds its scenario from the shipped models, runs it, and returns rows for docs/validation.md (`page`). A row
knows what of the model was set from it (`fitted`) and how sure the published number is (`Source.mark`); only
predictions of numbers that are sure count in the score (`score`). Nothing that a run or Blender needs.
"""
