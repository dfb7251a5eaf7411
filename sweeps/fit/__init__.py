"""Fit to evidence: not the one best run, but the set of starts that agree with what was found.

Distributions, journal and pools of runs are those of the sweeps.
"""
