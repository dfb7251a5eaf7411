"""What is seen of a person: skin, clothes, hair and things, as one mesh with weights, cut once on the base body.

Plain geometry, for Blender (`scene/people`) and for the viewer. No materials, no rig of Blender.
"""
