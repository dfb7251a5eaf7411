"""Muscles looked at without a run: moment arms, and force over length and velocity.

What muscles do in a run is recorded by the engine and plotted in `plots`.
"""
