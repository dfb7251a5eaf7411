"""How a part of an actor is called: in files and arguments by its path, to people by its label."""


def part_path(*names: str) -> str:
    """Name of a part in files, arguments and messages, from the actor inward: "man/Head", "man/Head/skull"."""
    return "/".join(names)


def part_label(*names: str) -> str:
    """The same in tables, plots and reports: "man / Head"."""
    return " / ".join(names)
