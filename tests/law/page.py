"""The pages of the regulations: `python -m tests.law.page` writes their tables of every article.

What an article orders, or why no software can hold it, is written by hand in `articles_*.toml`. Where it is decided and
which tests notice is read from the lists of broken rules, the names of the tests and the citations in the controller.
"""

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from tests.law import versions
from tests.law.citations import Reference, read_articles, read_name
from tests.law.cited import cited_in
from tests.law.mutations import Mutation, mutations_of, read_lists
from tests.law.regulations import REGULATIONS, Regulation, Row, regulation_of
from tests.rounds.form import defined_rounds

ROOT = Path(__file__).parents[2]
LISTS = Path(__file__).parent
PAGES = Path("docs/law")
MARK = "<!-- What follows is written by `make pages`. -->\n"
HEADER = (
    "| Article | What it orders | Decided in | Tests that notice, or why no software can |\n| --- | --- | --- | --- |\n"
)
# The referee is another program, and the soaks are no part of `make test`: neither can hold a row.
NO_WITNESSES = ("tests/referee", "tests/soak")
DRAWN = re.compile(r"^@given\b(?:(?!^(?:async )?def ).)*^(?:async )?def (test_\w+)", re.MULTILINE | re.DOTALL)


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is written by hand of a regulation's articles, by row: what they order, and why no software can hold it."""

    regulation: str
    orders: dict[str, str]
    reasons: dict[str, str] = {}


def read_words(folder: Path = LISTS) -> dict[str, Words]:
    """Every `articles_*.toml` of a folder, by the key of its regulation; ValueError for one that is not such a list."""
    found = {}
    for path in sorted(folder.glob("articles_*.toml")):
        try:
            words = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Words)
        except (ValueError, msgspec.ValidationError) as mistake:
            raise ValueError(f"{path.name}: {mistake}") from None
        found[words.regulation] = words
    return found


def defined_tests(root: Path) -> dict[str, list[str]]:
    """Every test that can hold a row, by name: the files it is in, as "tests/…". Rounds of files are tests too."""
    found: dict[str, list[str]] = {}
    for name, where in defined_rounds(root):
        found.setdefault(name, []).append(where)
    for path in sorted((root / "tests").rglob("test_*.py")):
        where = path.relative_to(root).as_posix()
        if not where.startswith(NO_WITNESSES):
            for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), flags=re.MULTILINE):
                found.setdefault(name, []).append(where)
    return found


def drawn_tests(root: Path) -> frozenset[str]:
    """Every test to which hypothesis gives examples, by name."""
    found: set[str] = set()
    for path in (root / "tests").rglob("test_*.py"):
        found |= set(DRAWN.findall(path.read_text("utf-8")))
    return frozenset(found)


def read_rows(
    words: Words,
    regulation: Regulation,
    broken: Collection[Mutation],
    tests: Mapping[str, Collection[str]],
    cited: Mapping[Reference, Collection[str]] | None = None,
) -> tuple[Row, ...]:
    """The rows of a regulation's table; ValueError for an article that cannot be read.

    A test that names a whole article is in those rows of it for which a broken rule names it; if there are none, in
    all that have a test of their own.
    """
    rows = [
        Row(article, read_articles(article), orders, words.reasons.get(article, ""))
        for article, orders in words.orders.items()
    ]
    places: dict[str, dict[str, set[str]]] = {row.article: defaultdict(set) for row in rows}
    for rule in broken:
        if rule.row in places:
            places[rule.row]["noticing"] |= set(rule.tests)
            places[rule.row]["decided"].add(rule.file)
    wider: list[tuple[str, list[str]]] = []
    for name, references in _read_names(tests, regulation):
        for reference in references:
            homes = [row.article for row in rows_of(rows, reference)]
            if len(homes) == 1:
                places[homes[0]]["named"].add(name)
            elif not any(name in places[article]["noticing"] for article in homes):
                wider.append((name, homes))
    tested = {article for article, found in places.items() if found["noticing"] or found["named"]}
    for name, homes in wider:
        for article in tested.intersection(homes):
            places[article]["wider"].add(name)
    for reference, files in (cited or {}).items():
        homes = [row.article for row in rows_of(rows, reference)]
        if len(homes) == 1:
            places[homes[0]]["cited"] |= set(files) - places[homes[0]]["decided"]

    def in_order(name: str) -> tuple[str, ...]:
        return (*tests.get(name, ()), name)

    def rulebook_first(file: str) -> tuple[bool, str]:
        return not file.startswith("controller/rulebook/"), file

    for row in rows:
        found = places[row.article]
        row.noticing, row.named, row.wider = (
            sorted(found[kind], key=in_order) for kind in ("noticing", "named", "wider")
        )
        row.decided, row.cited = (sorted(found[kind], key=rulebook_first) for kind in ("decided", "cited"))
    return tuple(rows)


def _read_names(tests: Collection[str], regulation: Regulation) -> Iterator[tuple[str, tuple[Reference, ...]]]:
    """The tests that name articles of a regulation, with the articles; what cannot be read is one of `mistakes`."""
    for name in tests:
        if name.startswith(regulation.opening):
            try:
                yield name, read_name(name, regulation.opening, regulation.known)
            except ValueError:
                continue


def rows_of(rows: Collection[Row], reference: Reference) -> list[Row]:
    """The rows of an article: those that cite it or what is nearest around it, else those inside it."""
    around = [(len(cited), row) for row in rows for cited in row.references if reference[: len(cited)] == cited]
    nearest = max((length for length, _ in around), default=0)
    inside = [row for row in rows if any(cited[: len(reference)] == reference for cited in row.references)]
    return [row for length, row in around if length == nearest] if around else inside


def mistakes(
    words: Words, rows: Collection[Row], regulation: Regulation, tests: Mapping[str, Collection[str]]
) -> list[str]:
    """What is wrong with a regulation's articles, one line for each mistake."""
    return [
        *_articles_missing_or_repeated(rows, regulation),
        *(f"{article}: a reason, and no row" for article in words.reasons if article not in words.orders),
        *(mistake for row in rows for mistake in _row_mistakes(row, regulation, tests)),
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


def _row_mistakes(row: Row, regulation: Regulation, tests: Mapping[str, Collection[str]]) -> Iterator[str]:
    if (".º" in row.article) != regulation.opening.endswith("_art_") and not row.article[0].isupper():
        yield f"{row.article}: an article of {regulation.title} is not written so"
    if not row.orders.strip():
        yield f"{row.article}: what it orders is missing"
    for name in row.tests:
        if len(tests.get(name, ())) != 1:
            yield f"{row.article}: {name} is in {len(tests.get(name, ()))} places"
    if not row.tests and not row.reason.strip():
        yield f"{row.article}: neither a test nor a reason"


def _tests_astray(rows: Collection[Row], regulation: Regulation, tests: Collection[str]) -> Iterator[str]:
    tested = {name for row in rows for name in row.tests}
    for name in sorted(tests):
        if name.startswith(regulation.opening):
            try:
                read_name(name, regulation.opening, regulation.known)
            except ValueError as mistake:
                yield str(mistake)
                continue
            if name not in tested:
                yield f"{name} is in no row"


def names_astray(tests: Collection[str]) -> list[str]:
    """The tests that name an article elsewhere than where it is looked for."""
    return [name for name in sorted(tests) if re.search(r"_(art|rule)_\d", name) and regulation_of(name) is None]


def shown(reference: Reference) -> str:
    """A reference for a person who corrects the list: "13 4 1"."""
    return " ".join(reference)


def table(rows: Collection[Row], tests: Mapping[str, Collection[str]]) -> str:
    """The table of every article, and the links of its files."""
    links: dict[str, str] = {}

    def link(file: str) -> str:
        name = file.removeprefix("tests/rounds/") if file.endswith(".toml") else file.rpartition("/")[2]
        label = name if file.startswith("tests/") else file.removeprefix("controller/")
        links[label] = file
        return f"[{label}]"

    def grouped(names: Collection[str]) -> list[str]:
        files = {name: next(iter(tests.get(name, ())), "") for name in names}
        return [
            f"{', '.join(f'`{name}`' for name in names if files[name] == file)} in {link(file)}"
            for file in dict.fromkeys(files.values())
        ]

    lines = []
    for row in rows:
        places = [", ".join(map(link, row.decided))] if row.decided else []
        places += [f"cited in {', '.join(map(link, row.cited))}"] if row.cited else []
        also = grouped(row.tests[len(row.noticing) :])
        parts = [*grouped(row.noticing), *(f"also {test}" for test in also[:1]), *also[1:]]
        parts += [row.reason] if row.reason else []
        lines.append(f"| {row.article} | {row.orders} | {'; '.join(places) or '–'} | {'; '.join(parts)} |\n")
    defined = "".join(f"[{label}]: ../../{file}\n" for label, file in sorted(links.items()))
    return f"{HEADER}{''.join(lines)}\n{defined}"


def written(page: str, rows: Collection[Row], tests: Mapping[str, Collection[str]]) -> str:
    """A page with its table as it is now; what is above the mark is written by hand."""
    above, mark, _ = page.partition(MARK)
    if not mark:
        raise ValueError(f"the page has no line {MARK.strip()}")
    return f"{above}{mark}\n{table(rows, tests)}"


def read_pages(
    root: Path = ROOT, folder: Path = LISTS, regulations: Sequence[Regulation] = REGULATIONS
) -> dict[Path, str]:
    """Every page of a regulation, and their index, as they should be."""
    words, lists, tests, cited = read_words(folder), read_lists(folder), defined_tests(root), cited_in(root)
    index = root / PAGES / versions.INDEX
    found = {index: versions.written(index.read_text("utf-8"))}
    for regulation in regulations:
        broken = mutations_of(lists, regulation)
        known = words.get(regulation.key, Words(regulation.key, {}))
        rows = read_rows(known, regulation, broken, tests, cited[regulation.key])
        path = root / PAGES / regulation.page
        found[path] = written(path.read_text("utf-8"), rows, tests)
    return found


def main() -> int:
    """Writes the pages that are not as they should be; the exit code."""
    try:
        pages = read_pages()
    except ValueError as mistake:
        print(mistake, file=sys.stderr)
        return 2
    for path, text in pages.items():
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
