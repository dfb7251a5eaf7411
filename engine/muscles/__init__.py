"""Muscles in a run: paths over bodies and around surfaces, Hill-type units along them, activation and excitation.

Compiled only for scenarios that have muscles (see `jit.late`).
"""
