"""Operators: thin. Each reads the scene, calls one function of `scene`, and reports the result.

Modules are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = (
    "system_check",
    "import_export",
    "interchange",
    "examples",
    "actor",
    "zones",
    "person",
    "body",
    "ellipsoid",
    "joint",
    "muscle",
    "lists",
    "scenario",
    "motion",
    "drag_velocity",
    "environment",
    "assets",
    "view",
    "simulate",
    "what_if",
    "bake",
    "results",
    "sweeps",
    "render",
    "places",
    "evidence",
)
