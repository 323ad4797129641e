"""The pages: links lead somewhere, commands are commands, and what is made from the code has what the code has."""

import itertools
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from controller.__main__ import COMMANDS
from controller.__main__ import parser as station_parser
from controller.pit.__main__ import _parser as pit_parser
from controller.pit.database import DatabaseCause
from controller.rulebook.parts.faults import LossCause
from simulators.__main__ import parser as simulators_parser
from tests.docs import connections, manual, who_may_do_what, written
from tests.docs.tables import PageTable
from tests.rounds.form import defined_rounds

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "controller", "drivers", "simulators", "tests")
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
READERS_PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
MOST_LINES = 120
MOST_WORDS_OF_ARCHITECTURE = 1200
FENCED = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
IN_THE_TREE = re.compile(rf"`((?:{'|'.join([*FOLDERS, 'systemd'])})/[^`\s]*)`")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
PARSERS = {"dealer-station-sim": simulators_parser, "dealer-pit": pit_parser}
COMMAND = re.compile(r"^ *(?:\S+/)?(dealer-(?:station(?:-sim)?|pit)) ([^#|>\n]*)", re.MULTILINE)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def test_every_test_that_a_page_names_is_there() -> None:
    modules = "\n".join(module.read_text(encoding="utf-8") for module in (ROOT / "tests").rglob("test_*.py"))
    pages = [page for page in READERS_PAGES if page.parent.name != "law"]  # whose tests hold theirs
    named_tests = {name for page in pages for name in re.findall(r"`(test_\w+)`", page.read_text(encoding="utf-8"))}
    assert len(named_tests) > 50
    rounds = {name for name, _ in defined_rounds(ROOT)}
    assert [name for name in named_tests - rounds if f"def {name}(" not in modules] == []


A_TEST = re.compile(r"`(?:test_\w+|tests/[^`\s]+)`")
OUTSIDE = "Nothing in software"
"""What a claim has in the place of a test where no software can try it."""
CLAIMING = ("guarantees.md", "security.md")


def claims_without_a_test(text: str) -> list[str]:
    """Each row of a table, and each item of a list, that names no test."""
    found = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        lines = section.splitlines()
        rows = [line for before, line in itertools.pairwise(lines) if line.startswith("|") and before.startswith("|")]
        items = re.findall(r"^- .*(?:\n  .*)*", section, re.MULTILINE)
        claims = [row for row in rows if set(row) - set("|- ")] + items
        found += [claim for claim in claims if not A_TEST.search(claim) and OUTSIDE not in claim]
    return found


@pytest.mark.parametrize("page", CLAIMING)
def test_every_claim_of_a_page_names_the_test_that_tries_it(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert claims_without_a_test(text) == []
    assert text.count(OUTSIDE) <= 5, "a claim that has a test names it"


def test_a_claim_without_a_test_is_found() -> None:
    table = "| What | Test |\n| --- | --- |\n| one | `test_one` |\n| two | |\n"
    items = "- three\n  `tests/three.py`\n- four\n  five\n- Nothing in software\n"
    assert claims_without_a_test(f"# Page\n- no\n## A\n{table}\n{items}") == ["| two | |", "- four\n  five"]


@cache
def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page can be linked to, as GitHub makes them."""
    found, times = set[str](), Counter[str]()
    for heading in HEADING.findall(prose(page)):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{name}-{times[name]}" if times[name] else name)
        times[name] += 1
    return found


def dead_links(page: Path) -> Iterator[str]:
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        there = page if not path else page.parent / path
        if (
            path.startswith("/")
            or not there.exists()
            or (anchor and (there.suffix != ".md" or anchor not in anchors(there)))
        ):
            yield target


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """The commands in a page's blocks of code, each with its arguments."""
    for block in FENCED.finditer(page.read_text(encoding="utf-8")):
        for name, arguments in COMMAND.findall(block[0]):
            yield name, shlex.split(arguments)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert list(dead_links(page)) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A page\n## Two words, 2.º\n## Two words, 2.º\n```\n# no heading\n[no](link)\n```\n`[nor](this)`\n"
        "[good](#two-words-2º-1) [good](page.md#a-page) [good](https://example.com/x) ![good](page.md)\n"
        "[a](other.md) [b](#no-heading) [c](/page.md) [d](page.md#gone) [e](#two-words-2º-2)\n",
        encoding="utf-8",
    )
    assert list(dead_links(page)) == ["other.md", "#no-heading", "/page.md", "page.md#gone", "#two-words-2º-2"]


@pytest.mark.parametrize("page", READERS_PAGES, ids=named)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    assert [path for path in IN_THE_TREE.findall(prose(page)) if not any(ROOT.glob(path))] == []


def test_the_readme_is_short_and_leads_to_every_page_below_docs() -> None:
    readme = ROOT / "README.md"
    assert len(readme.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    linked = {(ROOT / target).resolve() for target in LINK.findall(prose(readme))}
    first = {page for page in READERS_PAGES if page.parent.name == "docs" or page.name == "README.md"} - {readme}
    assert {named(page) for page in first - linked} == set()


@pytest.mark.parametrize("page", READERS_PAGES, ids=named)
def test_every_command_of_a_page_is_one(page: Path) -> None:
    for name, arguments in commands(page):
        parser = station_parser(arguments) if name == "dealer-station" else PARSERS[name]()
        parser.parse_args(arguments)


def test_every_make_target_of_a_page_is_one() -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = {
        target
        for page in READERS_PAGES
        for target in re.findall(r"(?:^|`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert asked and asked <= targets


def test_the_page_on_the_architecture_is_short() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split()) <= MOST_WORDS_OF_ARCHITECTURE


FOR_WHOM = re.compile(r"# .+\n\n(?:A|An) (?:tutorial|how-to|reference|explanation)\b.* (?:for|of) ")
NO_SUCH_PAGES = {"README.md", "CHANGELOG.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "law"], ids=named)
def test_the_first_line_of_a_page_has_its_kind_and_its_reader(page: Path) -> None:
    assert named(page) in NO_SUCH_PAGES or FOR_WHOM.match(page.read_text(encoding="utf-8"))


TABLES = (
    connections.TABLE,
    who_may_do_what.WHO_MAY,
    who_may_do_what.FIELDS,
    written.ALARMS_TABLE,
    written.BUDGETS_TABLE,
    *written.ASSERTIONS_TABLES,
)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.header.splitlines()[0])
def test_a_table_of_a_page_is_as_the_code_has_it(table: PageTable) -> None:
    assert table.on_page() == [table.from_code()], "run make pages"


GENERAL = {"unknown"}  # where nothing of the table is known


def test_every_cause_is_in_the_table_of_connections() -> None:
    reports = [*connections.reports()]
    of_the_pit = {cause for connection, cause, _ in reports if connection == connections.DATABASE}
    assert of_the_pit == set(get_args(DatabaseCause))
    of_a_table = {cause for connection, cause, _ in reports if connection != connections.DATABASE}
    assert of_a_table == set(get_args(LossCause)) - GENERAL


def test_the_page_has_the_columns_of_the_code() -> None:
    assert written.COLUMNS_PAGE.read_text(encoding="utf-8") == written.columns_page(), "run make pages"
    assert (
        "`win` (int64, minor units of `currency`)" in written.columns_page()
        and "| `gaps` | Messages" in written.columns_page()
    )


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("share")
    manual.write(folder)
    return folder


def test_every_command_has_a_page_with_its_options(share: Path) -> None:
    pages = {path.name: path.read_text() for path in (share / "man" / "man1").iterdir()}
    assert {f"dealer-station-{name}.1" for name in COMMANDS} < set(pages)
    assert {"dealer-station.1", "dealer-station-sim.1", "dealer-station-sim-bench.1"} < set(pages)
    assert r"\fB\-\-url http://HOST:PORT\fR" in pages["dealer-station-watch.1"]
    assert r"\fB\-\-seal\-key FILE\fR" in pages["dealer-station-audit.1"], "of a command of a command"
    assert ".SH COMMANDS\n.TP\n\\fBrun\\fR\nrun the station of a table\n" in pages["dealer-station.1"]


def test_no_line_of_a_page_is_taken_for_a_request_that_is_none(share: Path) -> None:
    ours = re.compile(r"\.(TH|SH|TP|PP|nf|fi)\b")
    for path in (share / "man" / "man1").iterdir():
        wrong = [line for line in path.read_text().splitlines() if line[:1] in (".", "'") and not ours.match(line)]
        assert not wrong, path.name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["wat"], {"watch"}), (["simulate", "--spe"], {"--speed"}), (["audit", "rou"], {"rounds"}),
        (["simulate", "--game", "fortune-8"], {"fortune-8"}), (["rank", "tai"], {"taiwan-pai-kao"}),
    ],
)  # fmt: skip
def test_bash_completes_commands_options_and_games(share: Path, typed: list[str], meant: set[str]) -> None:
    script = (
        'source "$0"; COMP_WORDS=(dealer-station "$@"); COMP_CWORD=$#; _shtab_dealer_station; echo "${COMPREPLY[@]}"'
    )
    completion = share / "bash-completion" / "completions" / "dealer-station"
    completed = subprocess.run(
        ["bash", "-c", script, str(completion), *typed], capture_output=True, text=True, check=True
    )
    assert set(completed.stdout.split()) - {"-h", "--help"} == meant


@pytest.mark.parametrize(
    "place", ["zsh/site-functions/_dealer-station", "fish/vendor_completions.d/dealer-station.fish"]
)
def test_the_other_shells_have_the_same_commands(share: Path, place: str) -> None:
    text = (share / place).read_text()
    assert not [name for name in COMMANDS if name not in text]
