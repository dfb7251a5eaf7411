"""Models in other programs' files: Hyfydy, OpenSim and MuJoCo. No Blender."""
