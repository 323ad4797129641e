"""The pages of the regulations: their tables are as written, and each has decisions and errata whose tests exist."""

import ast
import re

import pytest

from controller.rulebook.games import GAMES
from tests.law import page, versions
from tests.law.regulations import REGULATIONS, Regulation

INDEX = page.ROOT / page.PAGES / "README.md"
EACH = pytest.mark.parametrize("regulation", REGULATIONS, ids=[regulation.key for regulation in REGULATIONS])


def test_the_tables_of_every_article_are_as_make_pages_writes_them() -> None:
    stale = [path.name for path, text in page.read_pages().items() if path.read_text("utf-8") != text]
    assert stale == [], "run make pages"


@EACH
def test_a_regulation_has_its_page_with_decisions_and_errata_whose_tests_exist(regulation: Regulation) -> None:
    text = (page.ROOT / page.PAGES / regulation.page).read_text("utf-8")
    assert text.startswith(f"# {regulation.title}\n")
    assert {"Decisions", "Errata", "Every"} <= set(re.findall(r"^## (\w+)", text, flags=re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", text))
    assert named and named <= page.defined_tests(page.ROOT).keys()
    assert f"]({regulation.page})" in INDEX.read_text("utf-8")


def test_every_key_of_rules_is_in_the_table_and_among_the_errata_of_its_game_with_its_article() -> None:
    readings = INDEX.read_text("utf-8").partition("### What a key costs")[0]
    table = re.findall(r"^\| `(\w+)` \| .*?\) (.+?) \|", readings, flags=re.MULTILINE)
    assert table == [(reading.key, reading.article) for game in GAMES.values() for reading in game.other_readings]
    for game in GAMES.values():
        rows = (page.ROOT / page.PAGES / f"{game.id}.md").read_text("utf-8").splitlines()
        for reading in game.other_readings:
            assert any(f"`{reading.key}`" in row and reading.article in row.split("|")[1] for row in rows), reading.key


def test_every_policy_that_the_code_cites_is_in_the_table_and_no_other() -> None:
    table = set(re.findall(r"`policy: ([^`]+)`", INDEX.read_text("utf-8").partition("\nWhat the table does")[0]))
    words = (page.ROOT / "controller" / "words" / "en.json").read_text("utf-8")
    cited = set(re.findall(r"\(policy: ([a-z' ]+)", words))
    for path in (page.ROOT / "controller").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                cited |= set(re.findall(r"(?:^|\()policy: ([a-z' ]+)", node.value))
    assert cited - {"nothing is wanted of it now"} == table


def test_no_test_names_an_article_where_no_one_looks_for_it() -> None:
    assert page.names_astray(page.defined_tests(page.ROOT)) == []


def test_the_index_has_every_version_with_its_days_and_what_is_assumed_of_them() -> None:
    text = INDEX.read_text("utf-8")
    for game in GAMES.values():
        for version in game.legal_status.validity.versions:
            [row] = [line for line in text.splitlines() if line.startswith(f"| `{game.id}` | {version.act}")]
            days = {name: getattr(version, name) or "not known" for name in ("signed", "published", "in_force")}
            for name, day in days.items():
                italic = day != "not known" and name in version.assumed
                assert (f"| *{day}* |" if italic else f"| {day} |") in row
            assert f"- {version.key}: {version.note}\n" in text
    with pytest.raises(ValueError, match="lacks the line"):
        versions.written(text.replace(versions.END, ""))
