"""Panels: layout only.

Modules are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = (
    "preferences",
    "base",
    "curves",
    "model",
    "joint",
    "scenario",
    "muscle",
    "environment",
    "simulate",
    "results",
    "sweeps",
    "render",
)
