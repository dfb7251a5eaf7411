"""Scans: point clouds read piece by piece and thinned, the ground from them, and meshes of other programs."""
