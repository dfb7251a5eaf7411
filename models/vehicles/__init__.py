"""Car, bicycle and seat with their contact materials, and the surfaces (wheels, tubes, shells) they are drawn with.

Plain geometry, without Blender.
"""
