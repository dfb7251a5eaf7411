"""From a valid scenario to what runs: the frozen `System`, the `State` it starts from, and overlaps at the start.

It puts together what `bodies`, `joints`, `contact`, `connections` and `muscles` compile in their own rooms. Nothing
here is compiled by Numba or called during a run.
"""
