"""The law and the engine remember nothing beside their values: their modules hold constants, and no function writes."""

import ast
import importlib.util
import inspect
import pkgutil
import sys
from abc import ABC
from collections.abc import Iterator, Mapping
from enum import EnumType
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import msgspec
import pytest

from controller import engine, rulebook

pytestmark = pytest.mark.long

MODULES = sorted(
    found.name
    for package in (rulebook, engine)
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
)
PLAIN = (type(None), int, str, bytes, Fraction, range, ModuleType, BuiltinFunctionType, msgspec.UnsetType)
WRITES = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "reverse", "setdefault", "sort", "update",
}  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def hidden_state(module: ModuleType) -> list[str]:
    """What a module could remember from one call to the next, by name or by line."""
    named = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    found = [name for name, value in named.items() if not is_constant(value) or value == {}]
    return found + [f"line {line}" for line in written(ast.parse(inspect.getsource(module)), frozenset())]


def is_constant(value: Any) -> bool:
    """Whether nothing can be kept in it. A table of constants is one, as long as no function writes to it."""
    match value:
        case tuple() | frozenset():
            return all(map(is_constant, value))
        case Mapping():
            return all(map(is_constant, value)) and all(map(is_constant, value.values()))
        case partial():
            return all(map(is_constant, (value.func, value.args, value.keywords)))
        case MethodType():
            return is_constant(value.__self__)
        case FunctionType():
            return all(is_constant(kept) for kept in vars(value).values())
        case EnumType():
            return True
        case type():
            own = {name: kept for name, kept in vars(value).items() if not name.startswith("__")}
            return not any(isinstance(kept, list | dict | set) for kept in own.values())
        case msgspec.Struct():
            return value.__struct_config__.frozen and all(
                is_constant(getattr(value, f)) for f in value.__struct_fields__
            )
        case _ if isinstance(value, PLAIN) or type(value).__module__ in ("typing", "types", "collections.abc"):
            return True
        case _:
            return hasattr(value, "__dict__") and is_constant(vars(value)) and not keeps(type(value))  # type: ignore[arg-type]


@cache
def keeps(kind: type) -> bool:
    """Whether a method writes to its object after it was made."""
    for part in kind.__mro__:
        if part in (object, ABC):
            continue
        if part.__module__.partition(".")[0] not in ("controller", "invented"):
            return True
        [written_as] = ast.parse(dedent(inspect.getsource(part))).body
        methods = [node for node in ast.walk(written_as) if isinstance(node, ast.FunctionDef)]
        for method in methods:
            self = frozenset(argument.arg for argument in method.args.args[:1])
            if method.name != "__init__" and any(written(method, frozenset(), strange=self)):
                return True
    return False


def written(node: ast.AST, own: frozenset[str], strange: frozenset[str] = frozenset()) -> Iterator[int]:
    """Lines at which a function writes to what is not its own, or a default argument remembers.

    What is `strange` is never its own.
    """
    if isinstance(node, Function):
        own = (own | own_names(node)) - strange
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call):
                yield default.lineno
    if isinstance(node, ast.Global):
        yield node.lineno
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        target: ast.AST | None = node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
        target = node.func.value
    else:
        target = None
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    if isinstance(target, ast.Name) and target.id not in own:
        yield target.lineno
    for child in ast.iter_child_nodes(node):
        yield from written(child, own, strange=strange)


def own_names(function: Function) -> frozenset[str]:
    """A function's parameters, and what it gives a name to."""
    names = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case (
                ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
            ):
                names.add(name)
    return frozenset(names)


@pytest.mark.parametrize("name", MODULES)
def test_no_module_of_law_and_engine_remembers_anything(name: str) -> None:
    assert hidden_state(import_module(name)) == []


REMEMBERS = {
    "a list": "seen = []",
    "a set": "seen = {1}",
    "an empty table": "LAST = {}",
    "a table that a function writes to": "TABLE = {1: 2}\n\ndef f(x):\n    TABLE[x] = 1",
    "a table that a function adds to": "TABLE = {1: (2,)}\n\ndef f(x):\n    TABLE.setdefault(x, ())",
    "a global": "last = 0\n\ndef f(x):\n    global last\n    last = x",
    "a function's attribute": "def f(x):\n    f.last = x",
    "a class's attribute": "class A:\n    pass\n\ndef f(x):\n    A.last = x",
    "a class's list": "class A:\n    seen = []",
    "a cached function": "from functools import lru_cache\n\n@lru_cache\ndef f(x):\n    return x",
    "a counter": "from itertools import count\nNUMBERS = count()",
    "an object that keeps": "class A:\n    def f(self, x):\n        self.x = x\n\nONE = A()",
    "a method of one": "class A:\n    def f(self, x):\n        self.x = x\n\nONE = A().f",
    "a value that changes": "import msgspec\n\nclass A(msgspec.Struct):\n    x: int = 0\n\nONE = A()",
    "a default argument": "def f(x, seen={}):\n    return seen",
}  # fmt: skip
REMEMBERS_NOTHING = """
from msgspec import Struct

TABLE = {"a": (1, 2), "b": (3,)}

class Value(Struct, frozen=True):
    x: dict[int, int] = {}

class Rules:
    def __init__(self, x):
        self.x = x

    def answers(self, cards):
        kept = {}
        for card in cards:
            kept[card] = self.x
        cards.pop()
        return kept

RULES = Rules((1, 2))
ANSWERS = RULES.answers
"""


def invented(folder: Path, text: str) -> ModuleType:
    path = folder / "invented.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("invented", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["invented"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("text", REMEMBERS.values(), ids=REMEMBERS.keys())
def test_a_module_that_remembers_is_noticed(tmp_path: Path, text: str) -> None:
    assert hidden_state(invented(tmp_path, text))


def test_a_module_of_constants_is_not(tmp_path: Path) -> None:
    assert hidden_state(invented(tmp_path, REMEMBERS_NOTHING)) == []
