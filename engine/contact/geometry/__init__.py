"""Where ellipsoids touch each other and the surfaces of the scene: gaps, normals and contact points, no forces."""
