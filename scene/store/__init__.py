"""What is saved in a .blend file: property groups on Blender's data, their lists and presets, and migrations.

Declarations and copying only; what a property means to the engine is decided where it is read.
"""

# groups of which the others are made: each is found by the spec it holds (`groups.GROUPS`), so these come first
from . import basics, connections, model, muscles
