"""Touch: which surfaces are near, where they meet, how hard they push and rub, and the log of it.

Before a run `compile` turns specs into arrays (`materials`, `laws`, `curves` and `series` make the force curves); in
every step `near`, `detect`, `respond` and `history` work on them. Pure geometry is in `geometry`. What an overlap at
the start means for a scenario is decided in `build`.
"""
