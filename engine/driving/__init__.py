"""Vehicles that are driven: tyres that grip by slip and load, drivers who brake, steer and follow a speed or a path.

Compiled only for scenarios whose models have wheels or whose actors have a drive (see `jit.late`). Tyres give contacts
with the road their force along the road; everything else of those contacts is of the room `contact`. Drivers write
commands of motors and joint torques and nothing else. What a person authors is `spec.drive`.
"""
