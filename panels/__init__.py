"""Panels: layout only.

Modules are named here, in registration order; see registration.py.
"""

MODULES: tuple[str, ...] = ("preferences",)
