"""Where ellipsoids touch each other and the surfaces of the scene: gaps, normals and contact points, no forces.

Shapes and numbers only: nothing here knows a body, a material or a run.
"""
