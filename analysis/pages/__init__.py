"""The report of a run, and the pieces of it: pages, drawings, provenance, the check of the time step.

Reports of sweeps and fits are put together from the same pieces, in `sweeps`.
"""
