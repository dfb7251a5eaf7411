"""Muscles and wrap surfaces of an actor, built and read back.

They are edited in `model`, with the rest of an actor, and their moment arms are plotted in `show`.
"""
