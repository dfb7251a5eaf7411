"""`from __future__ import annotations` stands only where an annotation needs it (CONTRIBUTING, House rules)."""

import ast
import builtins
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
POSTPONED = "from __future__ import annotations"
READ_AS_TEXT = {"engine/runs/recording.py"}
"""Files whose annotations are read as the text they are (`analysis.files.recording_file`)."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def known_from(tree: ast.Module) -> dict[str, int]:
    """Name of the module to the line after which it may be used; what is imported for type checking only is none."""
    found: dict[str, int] = dict.fromkeys(dir(builtins), 0)
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Import | ast.ImportFrom):
                for alias in part.names:
                    found.setdefault((alias.asname or alias.name).split(".")[0], node.lineno)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.setdefault(part.id, node.end_lineno)
        if isinstance(node, Function | ast.ClassDef):
            found.setdefault(node.name, node.end_lineno)
    return found


def annotations(node: ast.AST, line: int = 0) -> Iterator[tuple[ast.expr, int]]:
    """Each annotation that is evaluated, with the line at which that happens: for a class, where it begins."""
    for part in ast.iter_child_nodes(node):
        at = line or getattr(part, "lineno", 0)
        if isinstance(part, Function):
            given = [*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs]
            given += [one for one in (part.args.vararg, part.args.kwarg) if one]
            yield from ((one.annotation, at) for one in given if one.annotation)
            if part.returns:
                yield part.returns, at
        elif isinstance(part, ast.AnnAssign) and not isinstance(node, Function):
            yield part.annotation, at
        yield from annotations(part, at if isinstance(part, Function | ast.ClassDef) else line)


def needs_postponing(source: str) -> bool:
    """Whether an annotation names what is defined later, or for type checking only."""
    tree = ast.parse(source)
    known = known_from(tree)
    names = (
        (name.id, at)
        for found, at in annotations(tree)
        for name in ast.walk(found)
        if isinstance(name, ast.Name)
    )
    return any(known.get(name, 10**9) >= at for name, at in names)


def test_the_rule_can_fail():
    later = f"{POSTPONED}\n\ndef f(x: Late) -> int: ...\n\nclass Late: ...\n"
    own = f"{POSTPONED}\n\nclass Own:\n    def f(self) -> Own: ...\n"
    checked = f"{POSTPONED}\nif TYPE_CHECKING:\n    from x import Y\n\ndef f(y: Y): ...\n"
    assert all(map(needs_postponing, (later, own, checked)))
    assert not needs_postponing(
        f"{POSTPONED}\nimport numpy as np\n\ndef f(x: np.ndarray | None) -> float: ...\n"
    )


def test_annotations_are_postponed_only_where_they_must_be():
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        source = (ROOT / name).read_text(encoding="utf-8")
        if name.startswith("tests/") or name in READ_AS_TEXT or f"\n{POSTPONED}" not in source:
            continue
        assert needs_postponing(source), f"{name}: nothing needs the postponed annotations"
