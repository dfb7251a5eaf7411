"""From a run that can be replayed to a case that can be defended: signatures, time stamps, case logs, packages.

What a run folder must hold is checked in `analysis.files`; hypotheses against evidence are in `sweeps`.
"""
