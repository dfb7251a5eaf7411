"""Panels: layout only. What they show is worked out in `scene`, what buttons do in `operators`.

Modules are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = (
    "preferences",
    "base",
    "menus",
    "curves",
    "checklist",
    "model",
    "person",
    "vehicle",
    "joint",
    "scenario",
    "muscle",
    "environment",
    "simulate",
    "results",
    "sweeps",
    "render",
    "places",
    "evidence",
)
