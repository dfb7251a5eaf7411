"""Pages of the documentation that are printed from the models: tables, pictures, comparisons with published tests.

Nothing that a run or Blender needs.
"""
