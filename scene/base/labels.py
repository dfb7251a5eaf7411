"""Names of authored things, kept in step with what people see in the outliner.

Blender makes object names unique in the whole file by adding ".001"; two men in one scene both have a head. A thing
therefore keeps its own name beside the object name it was given. As long as the object still has that name (whatever
the number after it), its own name stands; an object that was renamed by a person gives it a new name.
"""

from typing import Any

from ...models.editing.names import without_number


def label_of(owner: Any, group: Any) -> str:
    """Own name of the thing an object stands for."""
    if group.name and without_number(owner.name) == without_number(group.handle_name):
        return group.name
    return without_number(owner.name)


def set_label(owner: Any, group: Any, name: str) -> None:
    """Name a thing and its object; the object may get a number."""
    if not (group.name == name and group.handle_name and without_number(owner.name) == without_number(name)):
        owner.name = name
    group.name = name
    group.handle_name = owner.name
