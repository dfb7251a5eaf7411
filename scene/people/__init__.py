"""The picture of a person: skin, clothes, hair and rig, made from the same shape as the body model, and carried by it.

Geometry that needs no Blender is here too, as only the picture needs it. What a person measures and weighs is in
`models.people`; the rig of the simulated bodies is in `model`.
"""
