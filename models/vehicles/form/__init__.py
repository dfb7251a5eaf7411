"""The surface of a road vehicle, generated from its class and dimensions: what is drawn and what is touched.

One function f(x, y, z), negative inside, is lofted from a side view, a plan and a section (`surface`). It is meshed and
cut exactly along the outlines of glass, doors, lamps and grille (`meshing`, `panels`); what is not sheet metal is added
(`parts`, `wheel`, `lettering`). Plain geometry, NumPy only.
"""
