"""Names that are unique within a model: a taken one gets a number after a dot, the way Blender numbers objects."""

import re

NUMBER_SUFFIX = re.compile(r"\.\d{3,}$")


def without_number(name: str) -> str:
    """Name without the number that made it unique."""
    return NUMBER_SUFFIX.sub("", name)


def unique_name(wanted: str, taken: set[str]) -> str:
    """Name that is not taken: the wanted one, or with the first free number."""
    number, name = 0, wanted
    while name in taken:
        number += 1
        name = f"{without_number(wanted)}.{number:03d}"
    return name
