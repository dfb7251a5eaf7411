"""The layering holds in every source file, and each rule is shown able to fail."""

import ast
from pathlib import Path

import layering
import pytest


def test_product_keeps_the_rules(root: Path) -> None:
    found = [
        breach
        for path in layering.product_files(root)
        for breach in layering.breaches((root / path).read_text(), path)
    ]
    assert not found, "\n".join(found)


# file the snippet pretends to be, the snippet, part of the message
BAD = [
    ("engine/a.py", "import bpy", "nowhere"),
    ("engine/a.py", "from mathutils import Vector", "nowhere"),
    ("engine/deep/a.py", "def f():\n    import bpy", "nowhere"),
    ("io_json/a.py", "import bpy.types", "nowhere"),
    ("analysis/a.py", "import bmesh", "nowhere"),
    ("models/a.py", "import gpu", "nowhere"),
    ("interchange/hyfydy/a.py", "import bpy", "nowhere"),
    ("interchange/hyfydy/a.py", "from ...models import library", "interchange may not import models"),
    ("io_json/a.py", "from ..interchange import read_model", "io_json may not import interchange"),
    ("sweeps/a.py", "import bpy", "nowhere"),
    ("engine/a.py", "from scipy import stats", "only sweeps"),
    ("scene/a.py", "def f():\n    import scipy.stats", "only sweeps"),
    ("commands/a.py", "import distributed", "only sweeps"),
    ("sweeps/a.py", "from ..commands import run", "sweeps may not import commands"),
    ("analysis/a.py", "from ..sweeps import plan", "analysis may not import sweeps"),
    ("commands/render.py", "import bpy", "nowhere"),
    (
        "commands/render.py",
        "def run(args):\n    from ..scene.film import produce",
        "commands may not import scene",
    ),
    ("jobs/a.py", "import bpy", "nowhere"),
    ("jobs/a.py", "from ..scene.film import produce", "jobs may not import scene"),
    ("jobs/a.py", "from ..sweeps import pool", "jobs may not import sweeps"),
    ("registration.py", "import bpy", "inside functions only"),
    ("engine/a.py", "from ..io_json import load", "engine may not import io_json"),
    ("engine/deep/a.py", "from ...scene import bake", "engine may not import scene"),
    ("engine/a.py", "from .. import analysis", "engine may not import analysis"),
    ("io_json/a.py", "from ..models import catalogue", "io_json may not import models"),
    ("io_json/a.py", "from ..scene import bake", "io_json may not import scene"),
    ("analysis/a.py", "from ..models import catalogue", "analysis may not import models"),
    ("models/a.py", "from ..analysis import report", "models may not import analysis"),
    ("scene/a.py", "from ..operators import run", "scene may not import operators"),
    ("scene/a.py", "from ..commands import run", "scene may not import commands"),
    ("operators/a.py", "from ..engine import simulate", "operators may not import engine"),
    ("operators/a.py", "def f():\n    from ..io_json import load", "operators may not import io_json"),
    ("panels/a.py", "from ..engine.spec import Body", "panels may not import engine"),
    ("panels/a.py", "from ..operators import run", "panels may not import operators"),
    ("commands/a.py", "from ..operators import run", "commands may not import operators"),
    ("engine/maths/a.py", "from ..spec import Body", "engine.maths may not import engine.spec"),
    (
        "engine/contact/a.py",
        "from ..joints.rows import add_along",
        "engine.contact may not import engine.joints",
    ),
    (
        "engine/step/a.py",
        "def f():\n    from ..build.system import System",
        "engine.step may not import engine.build",
    ),
    (
        "engine/bodies/a.py",
        "if TYPE_CHECKING:\n    from ..build.system import System",
        "engine.bodies may not",
    ),
    ("engine/spec/validation/a.py", "from ...runs import batch", "engine.spec may not import engine.runs"),
    ("engine/joints/a.py", "from .. import Body", "engine.joints may not import engine.__init__"),
    ("scene/store/a.py", "from ..film.readouts import f", "scene.store may not import scene.film"),
    ("scene/base/a.py", "from .. import show", "scene.base may not import scene.show"),
    ("scene/motion/a.py", "from ..show.traces.marks import f", "scene.motion may not import scene.show"),
    ("analysis/subjects.py", "from .measures.head import f", "analysis.* may not import analysis.measures"),
    ("analysis/files/a.py", "from ..pages import report", "analysis.files may not import analysis.pages"),
    ("models/parts/a.py", "from ..people import human", "models.parts may not import models.people"),
    (
        "models/vehicles/a.py",
        "from ..library import load_model",
        "models.vehicles may not import models.library",
    ),
    (
        "interchange/common/a.py",
        "from ..dispatch import f",
        "interchange.common may not import interchange.dispatch",
    ),
    ("sweeps/plan.py", "from .fit.plan import FitPlan", "sweeps.* may not import sweeps.fit"),
    ("analysis/a.py", "from ..engine.step.energy import TERMS", "analysis may not import engine.step"),
    ("operators/a.py", "from ..models import library", "operators may not import models"),
    ("panels/a.py", "from ..analysis.files import run_folder", "panels may not import analysis"),
    ("scene/a.py", "import mannequin", "relative import"),
    ("engine/a.py", "from mannequin.engine import spec", "relative import"),
    ("io_json/a.py", "import pickle", "can run code"),
    ("engine/jit/a.py", "import pickle", "can run code"),
    ("io_json/a.py", "from pickle import load", "can run code"),
    ("io_json/a.py", "eval('1')", "eval()"),
    ("scene/a.py", "exec('1')", "exec()"),
    ("analysis/a.py", "import numpy as np\nnp.load('x', allow_pickle=True)", "allow_pickle"),
    ("scene/a.py", "import sys\nsys.path.insert(0, '.')", "sys.path"),
    ("scene/a.py", "from sys import path", "sys.path"),
    ("engine/a.py", "@compiled\ndef f(a, b):\n    return a @ b", "needs SciPy"),
    ("engine/a.py", "@compiled\ndef f(a, b):\n    a @= b", "needs SciPy"),
    ("engine/a.py", "@late(2, 1)\ndef f(a, b, t):\n    a @= b", "needs SciPy"),
    ("engine/a.py", "@compiled\ndef f(a, b):\n    return np.dot(a, b)", "needs SciPy"),
    ("engine/a.py", "@compiled\ndef f(a, b):\n    return np.linalg.solve(a, b)", "needs SciPy"),
]

GOOD = [
    ("engine/jit/cache.py", "import pickle"),
    ("engine/deep/a.py", "from ..spec import Body\nfrom . import b\nimport numpy as np"),
    ("io_json/a.py", "from ..engine.spec import ModelSpec"),
    ("models/a.py", "from ..io_json import load"),
    ("interchange/hyfydy/a.py", "from ...io_json.errors import FileError\nfrom ..common.axes import z_up"),
    ("scene/a.py", "import bpy\nfrom ..analysis import report\nfrom ..engine import simulate"),
    ("operators/a.py", "import bpy\nfrom ..scene.bake import bake\nfrom .base import Base"),
    ("commands/render.py", "def run(args):\n    from ..jobs.film import RenderWorker"),
    ("__init__.py", "def register():\n    from .registration import register_all"),
    ("analysis/a.py", "import numpy as np\nnp.load('x', allow_pickle=False)"),
    ("engine/a.py", "def f(a, b):\n    return a @ b"),
    ("io_json/a.py", "import re\nre.compile('a')"),
    ("sweeps/a.py", "from scipy import stats\nfrom ..analysis import plots"),
    ("engine/__init__.py", "from .runs.batch import run_many\nfrom .spec import Body"),
    (
        "engine/runs/a.py",
        "from ..step.loop import advance\nfrom ..errors import EngineError\nfrom . import b",
    ),
    (
        "analysis/files/a.py",
        "from ..subjects import f\nfrom .. import resample\nfrom ..measures import evaluate",
    ),
    ("sweeps/fit/a.py", "from ..plan import Plan"),
    ("operators/a.py", "from ..models.editing import edit"),
    ("scene/show/traces/a.py", "from ...motion.bake import f\nfrom ..materials import paint"),
]


@pytest.mark.parametrize(("path", "source", "message"), BAD)
def test_breach_is_found(path: str, source: str, message: str) -> None:
    found = layering.breaches(source, Path(path))
    assert len(found) == 1, found
    assert message in found[0]


@pytest.mark.parametrize(("path", "source"), GOOD)
def test_proper_code_passes(path: str, source: str) -> None:
    assert layering.breaches(source, Path(path)) == []


def public_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Return the functions and methods that other modules may call."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    nodes = [node for body in bodies for node in body]
    return [node for node in nodes if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]


def lacks_hints(function: ast.FunctionDef) -> bool:
    """Tell whether a parameter or the result has no type."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    named = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return function.returns is None or any(argument.annotation is None for argument in named)


def test_public_functions_have_type_hints(root: Path) -> None:
    lacking = [
        f"{path}:{function.lineno}: {function.name}"
        for path in layering.product_files(root)
        for function in public_functions(ast.parse((root / path).read_text()))
        if not layering.is_compiled(function) and lacks_hints(function)
    ]
    assert not lacking, "\n".join(lacking)


def test_missing_hint_is_found() -> None:
    functions = public_functions(ast.parse("def f(a): ...\ndef g(a: int) -> int: ...\ndef _h(a): ..."))
    assert [function.name for function in functions if lacks_hints(function)] == ["f"]
