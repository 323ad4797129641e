"""A game is made of parts, the engine of few rooms, and examples in docstrings print what they show."""

import ast
import doctest
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import grimp
import pytest

import controller.engine
from tests.docs import house

ROOTS = ("controller", "drivers", "simulators")
PROMPT = ">>> "


def examples() -> Iterator[doctest.DocTest]:
    """Every docstring with examples, by the name of what it describes."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for root in ROOTS:
        for path in sorted((house.HOUSE / root).rglob("*.py")):
            if PROMPT in path.read_text():
                name = ".".join(path.relative_to(house.HOUSE).with_suffix("").parts).removesuffix(".__init__")
                yield from (found for found in finder.find(import_module(name), name) if found.examples)


AT_MOST = {
    "attributes of Game": 6,
    "reads of them in shared code": 38,
    "conditions in shared code on an attribute of a game, a part or a flag of the terms": 10,
    "names of games in shared code": 0,
    "flags of the game read on the page": 0,
}


def test_every_figure_has_a_limit() -> None:
    assert house.figures().keys() == AT_MOST.keys()


@pytest.mark.parametrize("name", AT_MOST)
def test_a_figure_is_within_its_limit(name: str) -> None:
    found = house.figures()[name]
    assert len(found) <= AT_MOST[name], found


EXAMPLES_AT_LEAST = 110
BEGINNINGS = (
    "controller.rulebook", "controller.config", "controller.engine.decisions.deciders", "controller.toml",
    "drivers.adu218", "drivers.alpha", "drivers.angel_eye", "drivers.numato", "drivers.shuffler_link",
)  # fmt: skip
"""Where a newcomer begins to read."""


def test_docstrings_have_examples_where_a_newcomer_begins() -> None:
    names = [example.name for example in examples()]
    assert len(names) >= EXAMPLES_AT_LEAST
    assert not [room for room in BEGINNINGS if not any(name.startswith(room) for name in names)]


ROOMS = sorted(path.parent for root in ROOTS for path in (house.HOUSE / root).rglob("__init__.py"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(house.HOUSE).as_posix())
def test_a_room_opens_with_what_it_is_for_what_it_may_not_import_and_where_to_begin(room: Path) -> None:
    words = " ".join((ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or "").split())
    begin = re.search(r"Begin with `([\w./]+)`", words)
    assert begin is not None and (room / begin[1]).exists()
    contracts = re.findall(r"`([\w-]+)`", " ".join(re.findall(r"contracts? `[^.,:;)]+", words)))
    package = room.relative_to(house.HOUSE).as_posix().replace("/", ".")
    assert contracts and all(house.is_bound(package, contract) for contract in contracts), contracts


# ---- The rooms of the engine: how many modules there are, on how many floors, and how long a function is.


MOST_MODULES, MOST_FLOORS, LONGEST_FUNCTION, LONGEST_MODULE = 33, 9, 60, 560
ROOT = Path(next(iter(controller.engine.__path__)))
MODULES = {
    f"controller.engine.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}": path
    for path in sorted(ROOT.rglob("*.py"))
    if path.name != "__init__.py"
}
IMPORTS = grimp.build_graph("controller", cache_dir=None)


@cache
def floor(module: str) -> int:
    """How many modules are in the longest chain of imports from here."""
    below = IMPORTS.find_modules_directly_imported_by(module) & MODULES.keys()
    return 1 + max(map(floor, below), default=0)


def test_the_engine_has_few_modules_on_few_floors() -> None:
    floors = {module: floor(module) for module in MODULES}
    assert len(floors) <= MOST_MODULES, sorted(floors)
    assert 3 < max(floors.values()) <= MOST_FLOORS, sorted(floors.items(), key=lambda floor: -floor[1])


def test_a_module_and_a_function_of_the_engine_are_read_in_one_go() -> None:
    sources = {module: path.read_text(encoding="utf-8") for module, path in MODULES.items()}
    assert [module for module, text in sources.items() if text.count("\n") > LONGEST_MODULE] == []
    long = [
        f"{module}.{node.name}"
        for module, text in sources.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize("example", [*examples()], ids=attrgetter("name"))
def test_an_example_prints_what_its_docstring_shows(example: doctest.DocTest) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)
