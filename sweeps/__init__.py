"""Many runs of one scenario: what the ranges of its inputs do to its results, and which inputs fit the evidence.

The only layer that needs SciPy. `availability.missing()` says what is not there; the engine never asks. Evidence and
the search for what agrees with it are in `fit`; one run at a time is the engine's.
"""
