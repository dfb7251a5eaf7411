"""Plots of a recording: figures, their files, and which bodies are worth one.

The only room that draws with Matplotlib for a reader; pages and sweeps take its figures.
"""
