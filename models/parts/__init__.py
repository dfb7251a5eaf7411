"""What models are put together from: rigid pieces, frames, contact materials, plain shapes, places of bodies.

No model is built here.
"""
