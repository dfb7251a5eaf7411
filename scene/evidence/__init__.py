"""Evidence in the scene: what was found as objects, fits and hypotheses from it, what came out.

Marks themselves are in `scenario`, cameras of photographs in `places`.
"""
