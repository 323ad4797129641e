"""The written list of broken rules: what is changed in which file, and the tests that must notice."""

import ast
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

import msgspec

from tests.law.regulations import Regulation, Row, family_of

LISTS = Path(__file__).parent
PURE_TESTS = ("tests/rulebook/", "tests/certify/")


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule broken: in `file`, `old` becomes `new` wherever it is, which is `count` times.

    `row` is the row of the rule as `articles_*.toml` writes it; every one of `tests` must fail.
    """

    row: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    count: int = 1

    def shown(self) -> str:
        """One line for a person: the rule, the place and the change."""
        return f"{self.row}: {self.file}: {' '.join(self.old.split())!r} → {' '.join(self.new.split())!r}"


class MutationList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file: the regulation by its key, and its broken rules."""

    regulation: str
    mutation: tuple[Mutation, ...]


def read_lists(folder: Path = LISTS) -> tuple[MutationList, ...]:
    """Every `mutations_*.toml` of a folder, by name; ValueError for one that is not such a list."""
    found = []
    for path in sorted(folder.glob("mutations_*.toml")):
        try:
            found.append(msgspec.convert(tomllib.loads(path.read_text("utf-8")), MutationList))
        except (ValueError, msgspec.ValidationError) as mistake:
            raise ValueError(f"{path.name}: {mistake}") from None
    return tuple(found)


def mutations_of(lists: Iterable[MutationList], regulation: Regulation) -> tuple[Mutation, ...]:
    """The broken rules of a regulation, in the order written."""
    return tuple(row for found in lists if found.regulation == regulation.key for row in found.mutation)


def list_mistakes(
    rows: Mapping[str, Row],
    mutations: Collection[Mutation],
    tests: Mapping[str, Sequence[str]],
    root: Path,
    regulation: Regulation,
    drawn: Set[str] = frozenset(),
) -> Iterator[str]:
    """What is wrong with the list of a regulation; `rows` are those of its table by article, `tests` where each is.

    A row that tests of the live table name is broken for one of them too. What a `drawn` test finds depends on the
    seed, so every mutation names an example as well.
    """
    for mutation in mutations:
        if mutation.tests and all(test in drawn for test in mutation.tests):
            yield f"{mutation.shown()}: drawn tests alone are named"
        yield from (
            f"{mutation.shown()}: {mistake}" for mistake in _mutation_mistakes(rows, mutation, root, regulation)
        )
    seen: set[tuple[str, ...]] = set()
    for mutation in mutations:
        change = (mutation.row, mutation.file, mutation.old, mutation.new)
        if change in seen:
            yield f"{mutation.shown()}: is written twice"
        seen.add(change)
    for article, row in rows.items():
        noticing = [test for mutation in mutations if mutation.row == article for test in mutation.tests]
        if row.tests and not noticing:
            yield f"{article}: no mutation breaks it"
        elif _at_the_table(row.named, tests) and not _at_the_table(noticing, tests):
            yield f"{article}: no mutation breaks it at the live table"


def _at_the_table(names: Iterable[str], tests: Mapping[str, Sequence[str]]) -> bool:
    return any(not where.startswith(PURE_TESTS) for name in names for where in tests.get(name, ()))


def _mutation_mistakes(
    rows: Mapping[str, Row], mutation: Mutation, root: Path, regulation: Regulation
) -> Iterator[str]:
    if mutation.row not in rows:
        yield "there is no such row"
    elif not mutation.tests:
        yield "no test is named"
    for test in mutation.tests:
        if family_of(test).opening != regulation.opening:
            yield f"{test} is a test of another regulation"
    path = root / mutation.file
    if not (mutation.file.startswith("controller/") and mutation.file.endswith(".py") and path.is_file()):
        yield "there is no such module of the controller"
        return
    yield from text_mistakes(path, mutation.old, mutation.new, mutation.count)


def text_mistakes(path: Path, old: str, new: str, count: int = 1) -> Iterator[str]:
    """Why a text that is in a module so many times cannot become another there."""
    text = path.read_text("utf-8")
    if text.count(old) != count or not old or not count:
        yield f"the old text is {text.count(old)} times in the file, not {count}"
    elif old == new:
        yield "nothing is changed"
    else:
        try:
            ast.parse(text.replace(old, new))
        except SyntaxError as mistake:
            yield f"the broken file is no Python: {mistake.msg}"
