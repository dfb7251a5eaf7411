"""What the tests of files share."""

from pathlib import Path

import openmbd_files
import pytest


@pytest.fixture(scope="session")
def openmbd() -> Path:
    """Folder of OpenMBD's model files."""
    return openmbd_files.FOLDER
