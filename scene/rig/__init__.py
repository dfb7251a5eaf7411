"""The rig of an actor as Blender has it: objects on bones, the pose of the bones, skins that are worn.

Placing and reading them, whatever they stand for. What a model says of them is in `model` and `muscles`.
"""
