"""Every reason to refuse something or to void a round, read out of the sources: holes stand for what varies."""

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
    """What refusals concern as patterns, where it stands in the source, each with the place of one of them."""
    return _found(_whose)


def _found(of: Callable[[ast.Module], Iterator[tuple[str, int]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for text, line in of(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(text, f"{path.relative_to(ROOT.parent)}:{line}")
    return found


def _whose(module: ast.Module) -> Iterator[tuple[str, int]]:
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = _texts_by_name(function)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal":
                for who in _texts(call.args[0], named):
                    yield who, call.lineno


def _of(module: ast.Module) -> Iterator[tuple[str, int]]:
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = _texts_by_name(function)
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                for reason in _reasons(call.func.id, call):
                    for text in _texts(reason, named):
                        yield text, call.lineno


def _reasons(name: str, call: ast.Call) -> list[ast.expr]:
    """Where a call has its reason: of a refusal, of an answer that is not legal, or of a round that becomes void."""
    match name, call.args:
        case "Refusal", [_, reason, *_]:
            return [reason]
        case "Why", _:
            return [call.args[0] if call.args else call.keywords[0].value]
        case "void", [_, _, reason]:
            return [reason]
        case "Exposure", [_, ast.Tuple(elts=[_, reason])]:
            return [reason]
        case _:
            return []


def _texts_by_name(function: ast.FunctionDef) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named.setdefault(name, []).extend(_texts(value, {}))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name):
                        named.setdefault(target.id, []).extend(_texts(value, {}))
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
