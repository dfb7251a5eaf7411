"""Two model files of OpenMBD, unchanged (MIT licence beside them)."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "io" / "openmbd"
MALE = FOLDER / "openmbd_male.json"
FILES = sorted(FOLDER.glob("*.json"))
