"""What the tests of file formats share."""

from pathlib import Path

import pytest


@pytest.fixture
def everything() -> Path:
    """A Hyfydy file with every component and property of the manual."""
    return Path(__file__).resolve().parent / "everything.hfd"
