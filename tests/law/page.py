"""The page of decisions: its tables of articles, and what is wrong with them."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.law.citations import Reference, read_articles, read_name
from tests.law.regulations import REGULATIONS, Regulation

ROOT = Path(__file__).parents[2]
PAGE = Path("controller/rulebook/README.md")
HEADER = ["Article", "Held by", "Test, or why no software can"]
NO_SOFTWARE = "–"
LIVE = "live"
NOT_YET = "not yet"
# The referee is another program, and the soaks are no part of `make test`: neither can hold a row.
NO_WITNESSES = ("tests/referee", "tests/soak")
TESTS_NAMED = re.compile(r"`(test_\w+)`")


@dataclass(frozen=True)
class Row:
    """One row of a table of articles; `references` is what its first cell cites."""

    article: str
    held_by: str
    told: str
    references: tuple[Reference, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests it names, in its order."""
        return tuple(TESTS_NAMED.findall(self.told))


def section(page: str, title: str) -> str:
    """What stands under a regulation's heading, until the next of the same kind; ValueError unless there is one."""
    found = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        raise ValueError(f"the page has {len(found)} sections {title!r}")
    return str(found[0])


def read_rows(page: str, regulation: Regulation) -> tuple[Row, ...]:
    """The rows of a regulation's table of articles; ValueError names a row that cannot be read."""
    table = section(page, regulation.title).partition("### Every article\n")[2]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    if not lines or lines[0] != HEADER:
        raise ValueError(f"{regulation.title} has no table of {' | '.join(HEADER)}")
    return tuple(_row(cells) for cells in lines[2:])


def _row(cells: list[str]) -> Row:
    if len(cells) != len(HEADER) or not all(cells):
        raise ValueError(f"a row has an empty cell, or not three: {cells}")
    return Row(cells[0], cells[1], cells[2], read_articles(cells[0]))


def defined_tests(root: Path) -> dict[str, list[str]]:
    """Every test that can hold a row, by name: the files it stands in, as "tests/…"."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        where = path.relative_to(root).as_posix()
        if not where.startswith(NO_WITNESSES):
            for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), flags=re.MULTILINE):
                found.setdefault(name, []).append(where)
    return found


def defined_modules(root: Path) -> set[str]:
    """The names of all modules of the controller, such as "settle.py", also with their folder: "config/file.py"."""
    paths = list((root / "controller").rglob("*.py"))
    return {path.name for path in paths} | {f"{path.parent.name}/{path.name}" for path in paths}


def mistakes(
    page: str, regulation: Regulation, tests: Mapping[str, Collection[str]], modules: Collection[str]
) -> list[str]:
    """What is wrong with a regulation's table of articles, one line for each mistake."""
    try:
        rows = read_rows(page, regulation)
    except ValueError as mistake:
        return [str(mistake)]
    return [
        *_articles_missing_or_repeated(rows, regulation),
        *(mistake for row in rows for mistake in _row_mistakes(row, regulation, tests, modules)),
        *_tests_astray(rows, regulation, tests),
    ]


def _articles_missing_or_repeated(rows: Collection[Row], regulation: Regulation) -> Iterator[str]:
    cited = [reference for row in rows for reference in row.references]
    for reference in sorted(set(cited) - regulation.known):
        yield f"{shown(reference)} is cited, and the regulation does not have it"
    for reference in sorted({reference for reference in cited if cited.count(reference) > 1}):
        yield f"{shown(reference)} has more than one row"
    for leaf in regulation.leaves:
        if not any(leaf[: len(reference)] == reference for reference in cited):
            yield f"{shown(leaf)} has no row"


def _row_mistakes(
    row: Row, regulation: Regulation, tests: Mapping[str, Collection[str]], modules: Collection[str]
) -> Iterator[str]:
    if (".º" in row.article) != regulation.opening.endswith("_art_") and not row.article[0].isupper():
        yield f"{row.article}: an article of {regulation.title} is not written so"
    reason = TESTS_NAMED.sub("", row.told).strip(" ,;.")
    for name in row.tests:
        if len(tests.get(name, ())) != 1:
            yield f"{row.article}: {name} stands in {len(tests.get(name, ()))} places"
        if family_of(name).opening != regulation.opening:
            yield f"{row.article}: {name} is a test of another regulation"
    for module in re.findall(r"`([\w/]+\.py)`", row.held_by):
        if module not in modules:
            yield f"{row.article}: there is no module {module}"
    if NOT_YET in row.told and regulation.done:
        yield f"{row.article}: {NOT_YET}, though the game is done"
    elif not row.tests and not reason:
        yield f"{row.article}: neither a test nor a reason"
    elif row.tests and row.held_by == NO_SOFTWARE:
        yield f"{row.article}: a test, and nothing that holds it"
    elif not row.tests and row.held_by != NO_SOFTWARE and NOT_YET not in row.told:
        yield f"{row.article}: held by {row.held_by}, and no test shows it"


def regulation_of(name: str) -> Regulation | None:
    """The regulation whose article the name of a test names, if it names one."""
    return next((regulation for regulation in REGULATIONS if name.startswith(regulation.opening)), None)


def family_of(name: str) -> Regulation:
    """The regulation whose tests are named so: `test_2008_…`, `test_fortune_8_…`, and of 2025 all the rest."""
    families = {
        regulation.opening.rpartition("_")[0].rpartition("_")[0] + "_": regulation for regulation in REGULATIONS
    }
    return families[max((family for family in families if name.startswith(family)), key=len)]


def names_astray(tests: Collection[str]) -> list[str]:
    """The tests that name an article elsewhere than where it is looked for."""
    return [name for name in sorted(tests) if re.search(r"_(art|rule)_\d", name) and regulation_of(name) is None]


def _tests_astray(rows: Collection[Row], regulation: Regulation, tests: Collection[str]) -> Iterator[str]:
    for name in sorted(tests):
        owner = regulation_of(name)
        if owner and owner.opening == regulation.opening:
            try:
                references = read_name(name, regulation.opening, regulation.known)
            except ValueError as mistake:
                yield str(mistake)
                continue
            homes = {tuple(row.article for row in rows_of(rows, reference)) for reference in references}
            for articles in sorted(homes):
                if not any(name in row.tests for row in rows if row.article in articles):
                    yield f"{name} is not in the row {' or '.join(articles)}"


def rows_of(rows: Collection[Row], reference: Reference) -> list[Row]:
    """The rows of an article: those that cite it or what is nearest around it, else those inside it."""
    around = [(len(cited), row) for row in rows for cited in row.references if reference[: len(cited)] == cited]
    nearest = max((length for length, _ in around), default=0)
    inside = [row for row in rows if any(cited[: len(reference)] == reference for cited in row.references)]
    return [row for length, row in around if length == nearest] if around else inside


def shown(reference: Reference) -> str:
    """A reference for the eye of whoever mends the page: "13 4 1"."""
    return " ".join(reference)
