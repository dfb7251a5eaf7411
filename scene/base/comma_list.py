"""Lists that people type into one field."""


def comma_list(text: str) -> list[str]:
    """What stands between commas, without blanks; nothing where nothing stands."""
    return [part.strip() for part in text.split(",") if part.strip()]
