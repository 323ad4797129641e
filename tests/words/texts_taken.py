"""Every place in the sources that takes a text from a part of the catalogues: its key, and what fills its holes."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.words.reasons_given import HOLE, Function, calls, modules, texts, walked

PART_AT = {"in_every_language": 0, "in_language": 1}
SIGN = "on_the_sign", "sign_pages"


class Taken(NamedTuple):
    """One place: the part, the key with HOLE for what is composed, and the names of the values."""

    where: str
    part: str
    key: str
    values: frozenset[str]


@cache
def taken() -> tuple[Taken, ...]:
    return tuple(_taken())


def _taken() -> Iterator[Taken]:
    for path, tree in modules():
        short = dict(_short_names(tree))
        for function, name, call in calls(tree):
            yield from _of(call, name, short, function, f"{path}:{call.lineno}")


def _short_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """`texts = partial(in_every_language, "prompts")` is how a part with many texts is read."""
    for node in walked(tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=function), *args]),
            ) if function in PART_AT:
                yield name, ast.literal_eval(args[PART_AT[function]])


def _of(call: ast.Call, name: str, short: dict[str, str], function: Function, where: str) -> Iterator[Taken]:
    if name in short:
        part, key = short[name], call.args[0]
    elif name == SIGN[0]:
        part, key = SIGN[1], call.args[0]
    elif name in PART_AT and function.name not in (*PART_AT, SIGN[0]):
        part, key = ast.literal_eval(call.args[PART_AT[name]]), call.args[PART_AT[name] + 1]
    else:
        return
    for text in _keys(key, function):
        yield Taken(where, part, text, frozenset(keyword.arg or "**" for keyword in call.keywords))


def _keys(key: ast.expr, function: Function) -> list[str]:
    if isinstance(key, ast.IfExp):
        return [*_keys(key.body, function), *_keys(key.orelse, function)]
    return list(texts(key, function)) or [HOLE]
