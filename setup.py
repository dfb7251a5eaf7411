"""Map the repository root to the package `mannequin`, and read its version from the extension manifest.

What can be declared is in pyproject.toml. What has to be computed is here: the list of packages
(so that adding a folder needs no second edit) and the version (so that it is written in one place only).
"""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
PACKAGES = (
    "engine",
    "io_json",
    "interchange",
    "analysis",
    "models",
    "places",
    "sweeps",
    "jobs",
    "viewer",
    "evidence",
    "study",
    "scene",
    "operators",
    "panels",
    "commands",
)


def read_version() -> str:
    """Return the version stated in blender_manifest.toml."""
    with open(ROOT / "blender_manifest.toml", "rb") as file:
        return tomllib.load(file)["version"]


def list_packages() -> list[str]:
    """Return `mannequin` and every package below it that is part of the product."""
    include = [pattern for name in PACKAGES for pattern in (name, f"{name}.*")]
    return ["mannequin", *(f"mannequin.{name}" for name in find_packages(ROOT, include=include))]


setup(
    version=read_version(),
    packages=list_packages(),
    package_dir={"mannequin": "."},
    package_data={
        "mannequin": [
            "blender_manifest.toml",
            "py.typed",
            "*.pyi",
            "**/*.json",
            "**/*.csv",
            "**/*.css",
            "models/pages/*.md",
            "evidence/packages/*.md",
            "**/*.jpg",
            "viewer/page/*",
            "viewer/built/*.js",
        ]
    },
)
