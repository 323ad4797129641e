"""The page of decisions names every article of each regulation, and only tests that exist."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "controller" / "rulebook" / "README.md").read_text(encoding="utf-8")
# The title of each regulation's section, its number of articles, and what the names of its own tests begin with.
REGULATIONS = [
    ("Fortune 3 Card Poker, 2025", 18, "test_"),
    ("Fortune 3 Card Poker, 2008", 11, "test_2008_"),
    ("Fortune 8", 9, "test_fortune_8_"),
]


def section(title: str) -> str:
    """What stands under a regulation's heading, until the next of the same kind."""
    found = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert len(found) == 1, title
    return str(found[0])


def rows(title: str) -> list[list[str]]:
    """The rows of a regulation's table of articles: article, held by, test or why not."""
    table = section(title).partition("### Every article")[2]
    lines = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in cells] for cells in lines[2:]]


def test_every_test_the_page_names_exists() -> None:
    defined = {
        name for path in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named and named <= defined, named - defined


@pytest.mark.parametrize(("title", "articles", "tests"), REGULATIONS, ids=[title for title, _, _ in REGULATIONS])
def test_every_article_of_each_regulation_has_a_row(title: str, articles: int, tests: str) -> None:
    numbers = {int(number) for cells in rows(title) for number in re.findall(r"(\d+)\.º", cells[0])}
    assert numbers == set(range(1, articles + 1))


@pytest.mark.parametrize(("title", "articles", "tests"), REGULATIONS, ids=[title for title, _, _ in REGULATIONS])
def test_every_row_names_tests_of_its_own_regulation_or_says_why_none_can_be(
    title: str, articles: int, tests: str
) -> None:
    for cells in rows(title):
        assert len(cells) == 3 and all(cells), cells
        assert all(name.startswith(tests) for name in re.findall(r"`(test_\w+)`", cells[2])), cells


@pytest.mark.parametrize("title", [title for title, _, _ in REGULATIONS])
def test_every_regulation_has_its_decisions_and_its_errata(title: str) -> None:
    headings = re.findall(r"^### (\w+)", section(title), flags=re.MULTILINE)
    assert {"Decisions", "Errata", "Every"} <= set(headings)
