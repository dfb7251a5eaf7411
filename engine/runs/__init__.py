"""Runs as Python sees them: simulations, batches, and the recording that is left. No compiled function here.

Also what can be asked of a scenario without a run: accelerations, the lowest point, muscle paths.
"""
