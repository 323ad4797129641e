"""The page of decisions: every article of each regulation in its row, with its tests or its reason."""

import re

import pytest

from tests.law import page
from tests.law.regulations import REGULATIONS, Regulation

TEXT = (page.ROOT / page.PAGE).read_text(encoding="utf-8")
EACH = pytest.mark.parametrize("regulation", REGULATIONS, ids=[regulation.key for regulation in REGULATIONS])


def test_every_test_the_page_names_exists() -> None:
    defined = page.defined_tests(page.ROOT)
    named = set(page.TESTS_NAMED.findall(TEXT))
    assert named and named <= defined.keys(), named - defined.keys()


@EACH
def test_every_article_has_a_row_and_every_row_its_tests_or_its_reason(regulation: Regulation) -> None:
    tests, modules = page.defined_tests(page.ROOT), page.defined_modules(page.ROOT)
    assert page.mistakes(TEXT, regulation, tests, modules) == []


def test_no_test_names_an_article_where_nobody_looks_for_it() -> None:
    assert page.names_astray(page.defined_tests(page.ROOT)) == []


@EACH
def test_every_regulation_has_its_decisions_and_its_errata(regulation: Regulation) -> None:
    headings = re.findall(r"^### (\w+)", page.section(TEXT, regulation.title), flags=re.MULTILINE)
    assert {"Decisions", "Errata", "Every"} <= set(headings)
