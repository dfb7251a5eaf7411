"""From the scene to a run and back: simulate, what-if, sweeps, reports.

How the work is done in another process is in `jobs`; what is drawn of a run in `show` and `motion`.
"""
