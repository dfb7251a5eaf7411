"""A package `tiny` of two small kernels around a copy of `engine/jit`: compiles in a second, in a cache of its own."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

from mannequin.engine import jit

CALLEE = """
from ..jit.decorators import compiled

@compiled
def weighted(x):
    return 2.5 * x
"""
CALLER = """
from collections import namedtuple

from .deep.callee import weighted
from .jit.decorators import compiled
from .jit.late import late

Work = namedtuple("Work", ["numbers", "result"])

@compiled
def total(a):
    result = 0.0
    for i in range(len(a)):
        result += weighted(a[i])
    return result

@late(bundles=1, floats=1)
def put_total(work, factor):
    work.result[0] = factor * total(work.numbers)
"""
SCRIPT = """
import logging
logging.basicConfig(format="%(message)s")
import numpy as np
from tiny.jit import decorators as jit
from tiny.caller import total
value = total(np.ones(3))
hits = sum(total.entry.stats.cache_hits.values()) if jit.IS_COMPILED else -1
print(value.hex(), hits, *jit.code_digests().values() or ["-"])
print(jit.chosen() if jit.IS_COMPILED else None)
"""
BY_ADDRESS = """
import logging
logging.basicConfig(format="%(message)s")
import numpy as np
from tiny.jit import decorators as jit
from tiny.jit.stand_ins import when_compiled
from tiny.caller import Work, put_total
work = Work(np.ones(3), np.zeros(1))
compiled = []
with when_compiled(lambda: compiled.append(1)):
    put_total(work, 1.0)
hits = int(not compiled) if jit.IS_COMPILED else -1
print(work.result[0].hex(), hits, *jit.code_digests().values() or ["-"])
print(jit.chosen() if jit.IS_COMPILED else None)
"""


class Answer(NamedTuple):
    """What a process of the package did."""

    value: float
    """Of total(ones(3)): 7.5"""
    hits: int
    """Entries loaded from the cache (by address: 1 if nothing was compiled); -1 if interpreted"""
    code: str
    """Digest of the machine code"""
    folder: str
    """Of the cache"""
    errors: str
    """What it wrote to standard error"""


class TinyEngine:
    """The package in a folder, with a caller and, in a sub-folder, its callee."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "code" / "tiny"
        self.cache = folder / "cache"
        shutil.copytree(
            Path(jit.__file__).parent, self.package / "jit", ignore=shutil.ignore_patterns("__pycache__")
        )
        (self.package / "deep").mkdir()
        for name in ("__init__.py", "deep/__init__.py"):
            (self.package / name).write_text("")
        (self.package / "caller.py").write_text(textwrap.dedent(CALLER))
        self.callee = self.package / "deep" / "callee.py"
        self.callee.write_text(textwrap.dedent(CALLEE))

    def start(self, before: str = "", script: str = SCRIPT, **environment: str) -> subprocess.Popen:
        """A new process that calls `total` (or does another script); `before` is run first."""
        variables = {
            "PYTHONPATH": str(self.package.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MANNEQUIN_CACHE_DIR": str(self.cache),
            "MANNEQUIN_INTERPRETED": "",
            "XDG_CACHE_HOME": str(self.folder / "xdg"),
            "LOCALAPPDATA": str(self.folder / "xdg"),
            "HOME": str(self.folder / "home"),
        }
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(before) + script],
            env=os.environ | variables | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, before: str = "", script: str = SCRIPT, **environment: str) -> Answer:
        """What such a process does."""
        return answer(self.start(before, script, **environment))

    def entry(self) -> Path:
        """The one file of compiled code in the cache."""
        (path,) = self.cache.glob("engine-*/*.code")
        return path


def answer(process: subprocess.Popen) -> Answer:
    """Wait for a process and read what it printed."""
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    first, folder = out.splitlines()
    value, hits, code = first.split()
    return Answer(float.fromhex(value), int(hits), code, folder, errors)
