"""Properties, operators and panels can each be imported first: none relies on another imported before it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ALONE = """
import importlib, os, sys
import bpy, numpy
import mannequin.engine.spec
kept = set(sys.modules)
failed = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = repr(error)
    for other in set(sys.modules) - kept:
        if other.startswith("mannequin."):
            del sys.modules[other]
print(failed)
sys.stdout.flush()
os._exit(1 if failed else 0)
"""


def modules() -> list[str]:
    """Modules of the properties and of what uses them first."""
    files = [
        path
        for layer in ("scene/store", "operators", "panels")
        for path in sorted((ROOT / layer).rglob("*.py"))
    ]
    names = [".".join(("mannequin", *path.relative_to(ROOT).with_suffix("").parts)) for path in files]
    return [name.removesuffix(".__init__") for name in names]


@pytest.mark.long
def test_each_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE, *modules()], capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
