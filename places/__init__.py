"""The real place: cameras that match a photograph, scans, witnesses, marks, pictures on the ground. Without Blender.

What is drawn of it in Blender is in `scene/places`.
"""
