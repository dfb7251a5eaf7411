"""What is saved in a .blend file: property groups on Blender's data, their lists and presets, and migrations.

Declarations and copying only; what a property means to the engine is decided where it is read.
"""
