"""What the tests of files share."""

from pathlib import Path

import pytest

OPENMBD = Path(__file__).resolve().parent / "openmbd"


@pytest.fixture(scope="session")
def openmbd() -> Path:
    """Folder with two model files of OpenMBD, unchanged (MIT licence beside them)."""
    return OPENMBD
