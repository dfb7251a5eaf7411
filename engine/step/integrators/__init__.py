"""One step of time, by several methods. Each is a compiled function with the same arguments (see `loop`).

How a state is moved along its coordinates is in `bodies.coordinates`.
"""
