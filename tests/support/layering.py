"""The rules of the house as tables, and the check that reads a source file's syntax tree against them.

Layers are the top-level packages of the product, rooms the folders in them. Imports go one way only:

    panels, operators -> scene -> sweeps -> places -> jobs -> analysis, models, interchange -> io_json -> engine

`commands` may use everything below `scene`: Blender works for it in processes of its own. The modules at the root may
use everything, but load Blender inside functions only.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

BLENDER_MODULES = {
    "bpy",
    "bpy_extras",
    "bmesh",
    "mathutils",
    "gpu",
    "gpu_extras",
    "blf",
    "idprop",
    "aud",
    "bl_ui",
}

# What only some layers may import: everything else works where these cannot be loaded.
SWEEP_LIBRARIES = {"scipy", "pyarrow", "dask", "distributed"}
PLACE_LIBRARIES = {"scipy", "laspy", "lazrs", "pye57"}

# Where Blender may be imported.
NOWHERE, IN_FUNCTIONS, ANYWHERE = "nowhere", "inside functions only", "anywhere"


@dataclass(frozen=True)
class Layer:
    """What one layer may import: other layers of ours, and Blender."""

    imports: frozenset[str]
    blender: str
    libraries: frozenset[str] = frozenset()


def layer(imports: str, blender: str, libraries: Iterable[str] = ()) -> Layer:
    """Write a row of the table."""
    return Layer(frozenset(imports.split()), blender, frozenset(libraries))


BELOW_SCENE = "engine io_json interchange analysis models places sweeps jobs viewer evidence"
ALL = f"{BELOW_SCENE} study scene operators panels commands registration"
ROOT_LAYER = "(root)"

# layer             may import                             Blender
LAYERS = {
    "engine": layer("", NOWHERE),
    "io_json": layer("engine", NOWHERE),
    "interchange": layer("engine io_json", NOWHERE),
    "analysis": layer("engine io_json", NOWHERE),
    "models": layer("engine io_json", NOWHERE),
    "jobs": layer("engine io_json analysis", NOWHERE),
    "places": layer("engine io_json analysis models jobs", NOWHERE, PLACE_LIBRARIES),
    "sweeps": layer("engine io_json analysis models places jobs", NOWHERE, SWEEP_LIBRARIES),
    "viewer": layer("engine io_json analysis models places", NOWHERE),
    "evidence": layer("engine io_json analysis models places jobs sweeps viewer", NOWHERE),
    "study": layer("engine io_json interchange analysis models sweeps", NOWHERE),
    "scene": layer(BELOW_SCENE, ANYWHERE),
    "operators": layer("scene models.editing", ANYWHERE),
    "panels": layer("scene analysis.muscles", ANYWHERE),
    "commands": layer(f"{BELOW_SCENE} study", NOWHERE),
    ROOT_LAYER: layer(ALL, IN_FUNCTIONS),
}

# Rooms of a layer, each with the rooms of the same layer that it may import. "*" is any other module in the layer's
# own folder. The layer's __init__ may import them all, and no room imports it.
FORCES = "errors jit maths spec bodies"
ROOMS: dict[str, dict[str, str]] = {
    "engine": {
        "errors": "",
        "jit": "",
        "maths": "jit",
        "spec": "errors maths",
        "bodies": "errors jit maths spec",
        "joints": FORCES,
        "contact": FORCES,
        "connections": FORCES,
        "muscles": FORCES,
        "responses": f"{FORCES} joints contact muscles",
        "driving": f"{FORCES} joints contact connections",
        "step": f"{FORCES} joints contact connections muscles responses driving",
        "build": f"{FORCES} joints contact connections muscles responses driving step",
        "runs": f"{FORCES} joints contact connections muscles responses driving step build",
    },
    "interchange": {
        "common": "",
        "hyfydy": "common",
        "opensim": "common",
        "mujoco": "common",
        "motions": "common",
        "dispatch": "common hyfydy opensim mujoco",
    },
    "analysis": {
        "*": "",
        "measures": "*",
        "files": "* measures",
        "plots": "* measures files",
        "muscles": "* plots",
        "pages": "* measures files plots",
    },
    "models": {
        "parts": "",
        "people": "parts",
        "editing": "parts people",
        "vehicles": "parts editing",
        "library": "people vehicles",
        "scenarios": "parts people vehicles library",
        "pages": "parts people editing vehicles library scenarios",
        "validation": "parts people editing vehicles library scenarios pages",
    },
    "places": {
        "*": "",
        "camera": "*",
        "scans": "*",
        "sight": "*",
        "ground_pictures": "* camera",
    },
    "sweeps": {"*": "", "fit": "*", "hypotheses": "* fit", "served": "* fit hypotheses"},
    "evidence": {"signing": "", "cases": "", "packages": "signing cases"},
    "scene": {
        "base": "",
        "store": "base",
        "rig": "base store",
        "muscles": "base store rig",
        "model": "base store rig muscles",
        "scenario": "base store rig muscles model",
        "motion": "base store rig muscles model scenario",
        "show": "base store rig muscles model scenario motion",
        "people": "base store rig muscles model scenario motion show",
        "run": "base store rig muscles model scenario motion show people",
        "film": "base store rig muscles model scenario motion show people run",
        "places": "base store rig muscles model scenario motion show people run film",
        "evidence": "base store rig muscles model scenario motion show people run film places",
        "assets": "base store rig muscles model scenario motion show people run film places evidence",
    },
}
PACKAGE = "__init__"
"""The room of what a layer itself offers."""

# Rooms that other layers leave alone.
PRIVATE = {"engine.step": "it is compiled code; ask engine.runs"}

# Names whose use is forbidden everywhere in the product, and what to do instead.
FORBIDDEN_CALLS = {
    "eval": "parse the input",
    "exec": "call a function",
    "compile": "no code is made from text",
    "__import__": "import at the top, or importlib.import_module with a fixed list",
}
FORBIDDEN_MODULES = {
    "pickle": "a pickle from a file can run code; write JSON or CSV",
    "cPickle": "a pickle from a file can run code; write JSON or CSV",
    "dill": "a pickle from a file can run code; write JSON or CSV",
    "shelve": "a shelf is a pickle",
    "marshal": "write JSON or CSV",
}
ALLOWED_MODULES = {"engine/jit/cache.py": {"pickle"}}
"""Compiled code is kept as Numba writes it: in files of this user alone, whose checksum is verified before."""


def layer_of(path: Path) -> str:
    """Return the layer of a file, given its path relative to the package's root."""
    return path.parts[0] if len(path.parts) > 1 else ROOT_LAYER


def room_of(layer: str, parts: tuple[str, ...]) -> str:
    """Return the room of a module in a layer, given its path below the layer; empty where the layer has no rooms."""
    rooms = ROOMS.get(layer, {})
    if not rooms or not parts:
        return PACKAGE if rooms else ""
    return parts[0] if parts[0] in rooms else "*" if "*" in rooms else PACKAGE


def imported_rooms(node: ast.ImportFrom, path: Path) -> Iterator[tuple[str, str]]:
    """Yield the layers and rooms that a relative import reaches."""
    folder = path.parent.parts
    base = folder[: len(folder) - (node.level - 1)]
    parts = (*base, *(node.module.split(".") if node.module else ()))
    for alias in node.names:
        layer, *below = (*parts, alias.name)
        is_name = len(parts) == 1 and alias.name not in ROOMS.get(layer, {}) and not alias.name.islower()
        yield layer, room_of(layer, () if is_name else tuple(below))


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
CHECKED = (*FUNCTION, ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
"""Kinds of nodes that a rule is about."""


def nodes_of(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Yield every node that a rule is about, and whether it belongs to a function."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_function = waiting.pop()
        if isinstance(node, CHECKED):
            yield node, in_function
            in_function = in_function or isinstance(node, FUNCTION)
        waiting += [(child, in_function) for child in ast.iter_child_nodes(node)]


def check_absolute_import(name: str, where: str, path: Path, allowed: Layer) -> Iterator[str]:
    """Check one module that a file imports by its full name."""
    top = name.split(".")[0]
    if top == "mannequin":
        yield "import of the package by name; Blender loads it under another one: use a relative import"
    if top in FORBIDDEN_MODULES and top not in ALLOWED_MODULES.get(path.as_posix(), ()):
        yield f"import of {top}: {FORBIDDEN_MODULES[top]}"
    if top in SWEEP_LIBRARIES | PLACE_LIBRARIES and top not in allowed.libraries:
        owner = "sweeps" if top in SWEEP_LIBRARIES else "places"
        yield f"import of {top}: only {owner} may need it"
    if top in BLENDER_MODULES and allowed.blender != ANYWHERE and where not in allowed.blender:
        yield f"import of {top}: Blender may be imported here {allowed.blender}"


def check_relative_import(node: ast.ImportFrom, path: Path, allowed: Layer) -> Iterator[str]:
    """Check one relative import against the tables."""
    own = layer_of(path)
    below = path.relative_to(own).with_suffix("").parts if own in LAYERS and own != ROOT_LAYER else ()
    own_room = room_of(own, () if below == (PACKAGE,) else below)
    for layer, room in dict.fromkeys(imported_rooms(node, path)):
        name = f"{layer}.{room}"
        if layer == own and room != own_room and own_room != PACKAGE:
            if room not in ROOMS[own][own_room].split():
                yield f"{own}.{own_room} may not import {name}"
        elif layer != own and layer in LAYERS:
            if not {layer, name} & allowed.imports:
                yield f"{own} may not import {layer}"
            elif name in PRIVATE:
                yield f"{own} may not import {name}: {PRIVATE[name]}"


def check_import(node: ast.AST, path: Path, in_function: bool) -> Iterator[str]:
    """Check an import statement."""
    allowed = LAYERS.get(layer_of(path), LAYERS[ROOT_LAYER])
    where = "inside functions" if in_function else "at the top"
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from check_absolute_import(alias.name, where, path, allowed)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield from check_absolute_import(node.module or "", where, path, allowed)
    elif isinstance(node, ast.ImportFrom):
        yield from check_relative_import(node, path, allowed)


def check_call(node: ast.AST) -> Iterator[str]:
    """Check a call: nothing that turns text or an untrusted file into running code."""
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
        yield f"{node.func.id}(): {FORBIDDEN_CALLS[node.func.id]}"
    for keyword in node.keywords:
        if keyword.arg == "allow_pickle" and not (
            isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        ):
            yield "allow_pickle: a pickle from a file can run code"


def check_sys_path(node: ast.AST) -> Iterator[str]:
    """Check that sys.path is left alone."""
    is_attribute = isinstance(node, ast.Attribute) and node.attr == "path"
    if is_attribute and isinstance(node.value, ast.Name) and node.value.id == "sys":
        yield "sys.path: Blender and pip set it, the product does not touch it"
    if (
        isinstance(node, ast.ImportFrom)
        and node.module == "sys"
        and any(a.name == "path" for a in node.names)
    ):
        yield "sys.path: Blender and pip set it, the product does not touch it"


def is_compiled(function: ast.AST) -> bool:
    """Tell whether a function is handed to Numba: @compiled, @inlined, @spliced, @late(...)."""
    names = [
        decorator.func if isinstance(decorator, ast.Call) else decorator
        for decorator in getattr(function, "decorator_list", ())
    ]
    return any(
        isinstance(name, ast.Name) and name.id in ("compiled", "inlined", "spliced", "late") for name in names
    )


def check_compiled(function: ast.AST) -> Iterator[str]:
    """Check that compiled code needs no SciPy: Numba wants it for matrix products and np.linalg.

    The engine must run where SciPy cannot be loaded; the development environment has it, so nothing else would notice.
    """
    if not is_compiled(function):
        return
    for node in ast.walk(function):
        product = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult)
        named = isinstance(node, ast.Attribute) and node.attr in ("dot", "vdot", "matmul", "linalg")
        if product or named:
            yield f"line {node.lineno}: linear algebra in compiled code needs SciPy, which the engine does without"


def breaches(source: str, path: Path) -> list[str]:
    """Return every breach in a source file as `path:line: what`; `path` is relative to the package's root."""
    found = []
    for node, in_function in nodes_of(ast.parse(source)):
        problems = [
            *check_import(node, path, in_function),
            *check_call(node),
            *check_sys_path(node),
            *check_compiled(node),
        ]
        found += [f"{path}:{node.lineno}: {problem}" for problem in problems]
    return found


def product_files(root: Path) -> list[Path]:
    """Return the sources of the product, relative to the package's root."""
    at_root = [path for path in root.glob("*.py") if path.name != "setup.py"]
    in_layers = [path for name in LAYERS for path in (root / name).rglob("*.py")]
    return sorted(path.relative_to(root) for path in (*at_root, *in_layers))
