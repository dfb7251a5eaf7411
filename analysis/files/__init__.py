"""The files of a run: recording, tables, summary, manifest; written whole, read back, verified.

What a measure means is in `measures`; what is drawn or written for a reader is in `plots` and `pages`.
"""
