"""Small mathematics that every room uses: vectors as tuples for compiled code; rotations, inertias, curves over arrays.

Nothing here knows a body or a spec.
"""
