"""Every Python script of the documentation runs, in a Blender of its own, page by page."""

from pathlib import Path

import doc_pages
import pytest
from blender_process import run_in_blender

PRELUDE = "import mannequin\nmannequin.register()\n"
"""Blender starts with an empty file, as a user has who deleted the cube."""
EMPTY = "import bpy\nbpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)\n"


@pytest.mark.parametrize("page", doc_pages.pages_with("python"), ids=doc_pages.name)
@pytest.mark.slow
def test_scripts_run(page: Path, tmp_path: Path) -> None:
    scripts = [block.code for block in doc_pages.blocks(page) if block.language == "python"]
    # Blender takes relative paths from PWD
    run_in_blender(
        PRELUDE + "".join(EMPTY + script for script in scripts), tmp_path, environment={"PWD": str(tmp_path)}
    )
