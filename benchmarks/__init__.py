"""Benchmarks: `make bench`, or `python -m mannequin.benchmarks`. What was measured is on docs/performance.md."""
