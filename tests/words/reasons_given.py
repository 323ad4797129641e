"""Every place in the sources that gives a reason: its codes, what it says fills the holes, and whom it concerns."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import NamedTuple

import controller
from controller.rulebook.refusal import ReasonCode

ROOT = Path(controller.__file__).parent
HOLE = "{}"
Function = ast.FunctionDef | ast.AsyncFunctionDef
CODE_AT = {"Refusal": 1, "because": 0, "why": 0}
HANDED_ON = (
    "rulebook/refusal.py",
    "rulebook/steps.py",
    "engine/decisions/decision.py",
    "rulebook/blackjack_21/table_state.py",
    "engine/decisions/cards.py",
)
"""Where a reason that was given elsewhere is handed on, as well or alone."""


class Given(NamedTuple):
    """One place: `codes` by their names, the names of the values, and whom it concerns, where a refusal says so."""

    where: str
    codes: tuple[str, ...]
    values: frozenset[str]
    concerns: tuple[str, ...]


def codes() -> dict[str, ReasonCode]:
    """Every code there is, by the name of its list and its own."""
    for package in ("certify", "engine", "floor", "queries", "rulebook"):
        folder = import_module(f"controller.{package}")
        for found in walk_packages(folder.__path__, f"{folder.__name__}."):
            import_module(found.name)
    return {f"{kind.__name__}.{code.name}": code for kind in ReasonCode.__subclasses__() for code in kind}


@cache
def parsed(text: str) -> ast.Module:
    """A text as a tree that is kept, for all that look at it; do not change it."""
    return ast.parse(text)


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Every module of the controller, by its path."""
    paths = sorted(ROOT.rglob("*.py"))
    return tuple((path.relative_to(ROOT).as_posix(), parsed(path.read_text(encoding="utf-8"))) for path in paths)


@cache
def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Every node of a tree that is kept, as `ast.walk` finds them: once for all that look."""
    return tuple(ast.walk(tree))


@cache
def calls(tree: ast.Module) -> tuple[tuple[Function, str, ast.Call], ...]:
    """Every call inside a function that calls something by a plain name: the function, that name and the call."""
    return tuple(
        (function, call.func.id, call)
        for function in walked(tree)
        if isinstance(function, Function)
        for call in walked(function)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    )


@cache
def given() -> tuple[Given, ...]:
    return tuple(
        _of(call, name, function, f"{path}:{call.lineno}")
        for path, tree in modules()
        for function, name, call in calls(tree)
        if name in CODE_AT
    )


def _of(call: ast.Call, name: str, function: Function, where: str) -> Given:
    at = CODE_AT[name]
    named = tuple(_codes(call.args[at], function)) if len(call.args) > at else ()
    concerns = tuple(texts(call.args[0], function)) if name == "Refusal" else ()
    return Given(where, named, frozenset(keyword.arg or "**" for keyword in call.keywords), concerns)


def _codes(value: ast.expr, function: Function) -> Iterator[str]:
    match value:
        case ast.Attribute(value=ast.Name(id=name), attr=code):
            yield f"{name}.{code}"
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_codes(body, function), *_codes(orelse, function))
        case ast.Name(id=name):
            for assigned in _assigned(name, function):
                yield from _codes(assigned, function)


def texts(value: ast.expr, function: Function) -> Iterator[str]:
    """What it may say, with HOLE where a value comes in."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*texts(body, function), *texts(orelse, function))
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in parts)
        case ast.Name(id=name):
            for assigned in _assigned(name, function):
                yield from texts(assigned, function)


def _assigned(name: str, function: Function) -> Iterator[ast.expr]:
    for node in walked(function):
        if isinstance(node, ast.Assign):
            yield from _bound(name, node.targets[0], node.value)


def _bound(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    """What the name is bound to where the target is assigned the value."""
    match target, value:
        case ast.Name(id=found), _ if found == name:
            yield value
        case ast.Tuple(), ast.IfExp(body=body, orelse=orelse):
            yield from (*_bound(name, target, body), *_bound(name, target, orelse))
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for bound, other in zip(targets, values, strict=False):
                yield from _bound(name, bound, other)
