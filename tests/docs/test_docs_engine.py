"""The rooms of the engine: how many modules there are, on how many floors, and how long a function is."""

import ast
from functools import cache
from pathlib import Path

import grimp

import controller.engine

MOST_MODULES, MOST_FLOORS, LONGEST_FUNCTION, LONGEST_MODULE = 32, 8, 60, 600
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
    assert 3 < max(floors.values()) <= MOST_FLOORS, sorted(floors.items(), key=lambda one: -one[1])


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
