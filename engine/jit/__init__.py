"""Compiling: decorators, arrays handed over as bundles, kernels linked as one whole, kernels compiled late, the cache.

The only room that knows Numba, and what of it is private. Without it the same sources run interpreted.
"""
