"""Every reason that the live table may refuse something for, read out of the sources: holes stand for what varies."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "controller"
FOLDERS = ("engine", "rulebook")
HOLE = "{}"


def reasons() -> dict[str, str]:
    """The reasons as patterns, each with the place of one of its refusals."""
    return _found(_of)


def concerned() -> dict[str, str]:
    """What refusals concern, where it is always named alike, each with the place of one of them."""
    return _found(_whose)


def _found(of: Callable[[ast.Module], Iterator[tuple[str, int]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for text, line in of(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(text, f"{path.relative_to(ROOT.parent)}:{line}")
    return found


def _whose(module: ast.Module) -> Iterator[tuple[str, int]]:
    for call in ast.walk(module):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal":
            match call.args:
                case [ast.Constant(value=str(who)), *_]:
                    yield who, call.lineno


def _of(module: ast.Module) -> Iterator[tuple[str, int]]:
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = _texts_by_name(function)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("Refusal", "Why"):
                at = 1 if call.func.id == "Refusal" else 0
                for text in _texts(call.args[at] if len(call.args) > at else call.keywords[0].value, named):
                    yield text, call.lineno


def _texts_by_name(function: ast.FunctionDef) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).extend(_texts(node.value, {}))
    return named


def _texts(value: ast.expr, named: dict[str, list[str]]) -> list[str]:
    match value:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in parts)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_texts(body, named), *_texts(orelse, named)]
        case ast.Name(id=name):
            return named.get(name, [])
        case _:
            return []
