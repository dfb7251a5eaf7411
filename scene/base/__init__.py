"""What every other room of `scene` stands on: units, errors, labels, and what differs between Blender versions.

Nothing here knows an actor, a scenario or a run.
"""
