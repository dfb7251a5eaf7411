"""Changes to any model on its spec alone: edit, mirror, lay out at rest, weigh, scale. No Blender, no files.

Building a model from published tables is the work of `people` and `vehicles`.
"""
