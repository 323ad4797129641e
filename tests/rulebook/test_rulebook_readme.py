"""The page of decisions names every article of the 2025 regulation, and only tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "controller" / "rulebook" / "README.md").read_text(encoding="utf-8")


def test_every_test_the_page_names_exists() -> None:
    defined = {
        name for path in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named and named <= defined, named - defined


def test_every_article_of_2025_has_a_row() -> None:
    first_cells = re.findall(r"^\| ([^|]+) \|", PAGE.partition("### Every article")[2], flags=re.MULTILINE)
    articles = {int(number) for cell in first_cells for number in re.findall(r"(\d+)\.º", cell)}
    assert articles == set(range(1, 19))
