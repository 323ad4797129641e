"""The examples in docstrings: every `>>>` in the product, with what it must print.

`python -m tests.docs.examples` prints how many each folder has.
"""

import doctest
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from tests.docs.house import HOUSE

ROOTS = ("controller", "drivers", "simulators")
PROMPT = ">>> "


def examples() -> Iterator[doctest.DocTest]:
    """Every docstring with examples, by the name of what it describes."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for root in ROOTS:
        for path in sorted((HOUSE / root).rglob("*.py")):
            if PROMPT in path.read_text():
                name = ".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")
                yield from (found for found in finder.find(import_module(name), name) if found.examples)


if __name__ == "__main__":
    for room, number in Counter(".".join(test.name.split(".")[:2]) for test in examples()).most_common():
        print(f"{number:4} {room}")
