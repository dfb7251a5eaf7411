"""A user's mesh as a vehicle: axes, wheels, outer shell, contact mesh with zones. Plain geometry, without Blender.

A scan or a bought model: any triangles. What is drawn is the mesh itself; what is touched is fitted to it.
"""
