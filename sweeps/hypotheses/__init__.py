"""Hypotheses side by side: sweeps of each against the same evidence, their likelihood ratio and what would tell them
apart."""
