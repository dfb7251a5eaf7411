"""Skeletons of other programs beside the bodies of people: which bone is which body, and what its rest pose means.

Bones are found by the names of common programs (`names`), trunk and neck by how the limbs hang together (`trunk`),
and where names say nothing by the shape of the tree (`shape`). `rest_match` says how far each body of a person is
turned in the skeleton's rest pose, whatever that is. Plain arithmetic on names and places; Blender's armatures are
read in `scene`.
"""
