"""How far the house is from a game made of parts: figures counted in the source text.

`python -m tests.docs.house` prints them, with where each was found if any argument is given.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.words.reasons_given import modules, walked

HOUSE = Path(__file__).parents[2]
RULEBOOK = HOUSE / "controller" / "rulebook"
PAGE = HOUSE / "controller" / "console" / "page"
GAME_FOLDERS = tuple(sorted(folder.name for folder in RULEBOOK.iterdir() if (folder / "live.py").exists()))
GAME_IDS = ("fortune-3-card-poker-2025", "fortune-3-card-poker-2008", "fortune-8", "blackjack-21", "taiwan-pai-kao")
PARTS = RULEBOOK / "parts"
# Where games are listed or computed by name, and nothing is decided.
REGISTRIES = ("rulebook/games.py", "certify/", "console/page/felts/", "rulebook/round_file.py", "rulebook/ranking.py")
# A kind of play has modules of its own, which the import contract "registry" names.
_CONTRACTS = tomllib.loads((HOUSE / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
[_CONTRACT] = (contract for contract in _CONTRACTS if contract["id"] == "registry")
OF_A_PLAY = {ignored.partition(" ")[0].replace(".", "/") + ".py" for ignored in _CONTRACT["ignore_imports"]}
PART_NAMES = ("deck", "source", "betting", "prize", "session", "seats")
FLAGS_OF_TERMS = ("shared", "manual", "reader")

Found = tuple[Path, int, str]


def attributes_of_game() -> list[str]:
    """The data of a `Game` beside its parts."""
    return [name for name in _fields(RULEBOOK / "game.py", "Game") if name not in PART_NAMES]


def attributes_of_parts() -> list[str]:
    """The data of the parts."""
    return [name for path in sorted(PARTS.glob("*.py")) for name in _fields(path)]


def reads_in_shared_code() -> list[Found]:
    """Where shared code reads an attribute of a game or of one of its parts."""
    names = {*attributes_of_game(), *attributes_of_parts()} - {"id", "legal_status", "citations", "moments"}
    return [
        (path, node.lineno, ast.unparse(node))
        for path, tree in _shared()
        for node in walked(tree)
        if isinstance(node, ast.Attribute) and node.attr in names and _is_game(node.value)
    ]


def decided_by_attributes() -> list[Found]:
    """The conditions in shared code that ask for an attribute of a game, of its parts or for a flag of its terms."""
    names = {*attributes_of_game(), *attributes_of_parts()} - {"moments"}
    found: dict[tuple[Path, int], str] = {}
    for path, tree in _shared():
        for part in (tree, *(node for node in walked(tree) if isinstance(node, ast.FunctionDef))):
            aliases = _aliases(part, names) if isinstance(part, ast.FunctionDef) else set()
            if part is not tree and not aliases:
                continue
            for test in _conditions(part):
                if any(
                    _is_asked(node, names) or (isinstance(node, ast.Name) and node.id in aliases)
                    for node in ast.walk(test)
                ):
                    found[path, test.lineno] = ast.unparse(test)
    return [(path, line, text) for (path, line), text in found.items()]


def _is_asked(node: ast.AST, names: set[str]) -> bool:
    """Whether a node is an attribute of a game or of a part, or a flag of the terms."""
    if not isinstance(node, ast.Attribute):
        return False
    return (node.attr in FLAGS_OF_TERMS and _ends(node.value, "terms")) or (node.attr in names and _is_game(node.value))


def _aliases(function: ast.FunctionDef, names: set[str]) -> set[str]:
    """The local names that a function gives to such attributes."""
    return {
        target.id
        for node in walked(function)
        if isinstance(node, ast.Assign) and _is_asked(node.value, names)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def names_of_games() -> list[Found]:
    """Where shared code names a game: by its id, or by what it imports."""
    found: list[Found] = []
    for path, tree in _shared():
        docstrings = {id(node.value) for node in walked(tree) if isinstance(node, ast.Expr)}
        for node in walked(tree):
            if isinstance(node, ast.ImportFrom) and any(f".{folder}." in f"{node.module}." for folder in GAME_FOLDERS):
                found.append((path, node.lineno, node.module or ""))
            elif isinstance(node, ast.Constant) and id(node) not in docstrings and isinstance(node.value, str):
                found += [(path, node.lineno, name) for name in GAME_IDS if name in node.value]
    for path in _scripts():
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found += [(path, number, name) for name in GAME_IDS if f'"{name}"' in line]
    return found


def flags_on_page() -> list[Found]:
    """Where a script of the page asks for a flag of its game."""
    return [
        (path, number, match)
        for path in _scripts()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for match in re.findall(r"\bhas\.\w+|\b\w+(?= ?[},].*= (?:station\.)?setting\.has\b)", line)
    ]


@cache
def _shared() -> list[tuple[Path, ast.Module]]:
    found = []
    for inside, tree in modules():
        path = HOUSE / "controller" / inside
        own = f"controller/{inside}" in OF_A_PLAY or any(f"rulebook/{folder}/" in inside for folder in GAME_FOLDERS)
        if not own and PARTS not in path.parents and not inside.startswith(REGISTRIES):
            found.append((path, tree))
    return found


def _scripts() -> Iterator[Path]:
    for path in sorted(PAGE.rglob("*.js")):
        if "vendor" not in path.parts and path.parent.name != "felts":
            yield path


def _fields(path: Path, only: str | None = None) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef) and only in (None, node.name):
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    yield line.target.id
                elif isinstance(line, ast.Assign):
                    yield from (target.id for target in line.targets if isinstance(target, ast.Name))


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    for node in walked(tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                yield test
            case ast.comprehension(ifs=ifs):
                yield from ifs
            case ast.Match(subject=subject, cases=cases):
                yield subject
                yield from (case.guard for case in cases if case.guard is not None)
            case ast.Return(value=ast.Compare() as test):
                yield test
            case ast.BoolOp() | ast.Call(func=ast.Name(id="bool")):
                yield node


def _is_game(node: ast.expr) -> bool:
    """Whether an expression is a game or a part of one."""
    match node:
        case ast.Name(id=name):
            return name in ("game", "citations")
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name == "game"
        case ast.Attribute(value=of, attr="game"):
            return _ends(of, "course")
        case ast.Attribute(value=of, attr=name) if name in (*PART_NAMES, "citations"):
            return _is_game(of)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("game_of", "game_at", "packet_game_of")
        case ast.Subscript(value=ast.Name(id="GAMES")):
            return True
        case _:
            return False


def _ends(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def is_bound(package: str, contract: str) -> bool:
    """Whether an import contract is about a package. Raises StopIteration where there is no such contract."""
    terms = next(own for own in _CONTRACTS if own["id"] == contract)
    names = {
        name for key in ("source_modules", "forbidden_modules", "modules", "containers") for name in terms.get(key, ())
    }
    names |= {terms["container"]} if "container" in terms else set()
    layers = {name for layer in terms.get("layers", ()) for name in re.findall(r"[\w.]+", layer)}
    names |= {f"{container}.{name}" for container in terms.get("containers", ()) for name in layers} or layers
    names = {name.partition("*")[0].rstrip(".") for name in names}
    return any(f"{package}.".startswith(f"{name}.") or name.startswith(f"{package}.") for name in names)


@cache
def figures() -> dict[str, list[Found] | list[str]]:
    """Every figure, with what was counted."""
    return {
        "attributes of Game": attributes_of_game(),
        "reads of them in shared code": reads_in_shared_code(),
        "conditions in shared code on an attribute of a game, a part or a flag of the terms": decided_by_attributes(),
        "names of games in shared code": names_of_games(),
        "flags of the game read on the page": flags_on_page(),
    }


if __name__ == "__main__":
    for name, found in figures().items():
        files = {item[0] for item in found if isinstance(item, tuple)}
        print(f"{len(found):4} {name}{f', in {len(files)} files' if files else ''}")
        for place in found if sys.argv[1:] else ():
            print(
                f"       {place}"
                if isinstance(place, str)
                else f"       {place[0].relative_to(HOUSE)}:{place[1]}: {place[2]}"
            )
