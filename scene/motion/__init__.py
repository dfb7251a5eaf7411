"""A recording as keyframes: bones, muscles, obstacles, and time series as custom properties.

Arrows, ghosts and other marks of a run are in `show`.
"""
