"""The real place in Blender: matched cameras with their pictures, scans, witnesses, marks. What is computed without
Blender is in the layer `places`."""
