"""Actors: a model as an armature with its objects, built, read back and edited.

Changes that need no Blender are in `models.editing`. Muscles are built and read in their own room, edited here.
"""
