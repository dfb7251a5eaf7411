"""People and dummies: published tables, and the code that builds models from them.

Vehicles and what is common to both (mass properties, contact materials of bodies, frames) are not here.
"""
