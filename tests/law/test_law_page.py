"""The pages of the law: what is written of articles good and bad, and that each page has what it has to have."""

import ast
import re
from pathlib import Path

import pytest

from controller.rulebook.games import GAMES
from tests.law import page, versions
from tests.law.mutations import Mutation
from tests.law.regulations import FORTUNE_8, REGULATIONS, Regulation, Row, family_of, regulation_of
from tests.words.reasons_given import modules, walked

TOY = Regulation("toy", "Toy", "toy.md", "toy", "test_2008_art_", "1.º 1), 2)\n2.º\n3.º 1, 2")
ORDERS = {"1.º 1)": "the ante is doubled", "1.º 2)": "no whistling", "2.º": "two cards", "3.º 1, 2": "three cards"}
REASONS = {"1.º 2)": "out of the station's sight", "2.º": "the house's"}
TESTS = {
    name: ["tests/engine/test_toy.py"]
    for name in ("test_2008_art_1_1_one", "test_2008_art_2_two", "test_2008_art_3_1_and_3_2_three", "test_2008_money")
}
BROKEN = Mutation("1.º 1)", "controller/engine/toy.py", "old", "new", ("test_2008_money",))


def rows_with(
    changes: dict[str, str | None] | None = None,
    reasons: dict[str, str] | None = None,
    tests: dict[str, list[str]] | None = None,
    cited: dict[tuple[str, ...], set[str]] | None = None,
) -> tuple[page.Words, tuple[Row, ...]]:
    """The good articles with these changed, added, or (None) left out, and these tests added."""
    orders = {article: order for article, order in (ORDERS | (changes or {})).items() if order is not None}
    words = page.Words("toy", orders, REASONS if reasons is None else reasons)
    return words, page.read_rows(words, TOY, [BROKEN], TESTS | (tests or {}), cited)


def found(
    changes: dict[str, str | None] | None = None,
    reasons: dict[str, str] | None = None,
    tests: dict[str, list[str]] | None = None,
) -> list[str]:
    words, rows = rows_with(changes, reasons, tests)
    return page.mistakes(words, rows, TOY, TESTS | (tests or {}))


def named_for(article: str, *new: str) -> tuple[str, ...]:
    _, rows = rows_with(tests={name: ["tests/engine/test_toy.py"] for name in new})
    return next(row.tests for row in rows if row.article == article)


def test_good_articles_have_no_mistake() -> None:
    assert found() == []


def test_an_article_without_a_row_is_a_mistake() -> None:
    assert found({"1.º 2)": None}, {}) == ["1 2 has no row"]
    assert found({"3.º 1, 2": None, "3.º 1": "three cards"}) == ["3 2 has no row"]
    assert found({"2.º": None}, {"1.º 2)": "unseen"}) == ["2 has no row", "test_2008_art_2_two is in no row"]


def test_an_article_the_regulation_does_not_have_is_a_mistake() -> None:
    assert found({"4.º": "four cards"}, REASONS | {"4.º": "equipment"}) == [
        "4 is cited, and the regulation does not have it"
    ]


def test_an_article_in_two_rows_is_a_mistake() -> None:
    changes: dict[str, str | None] = {"1.º 1), 2)": "both"}
    assert found(changes, REASONS | {"1.º 1), 2)": "equipment"})[:2] == [
        "1 1 has more than one row",
        "1 2 has more than one row",
    ]


def test_a_row_around_others_is_none() -> None:
    assert found({"1.º": "all of it"}, REASONS | {"1.º": "the items have rows of their own"}) == []


@pytest.mark.parametrize("article", ["1) 2)", "art. 1.º", "1.º 2) to 1)"])
def test_an_article_that_cannot_be_read_is_refused(article: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be read|counts from|names no article|is no part"):
        rows_with({article: "whatever"})


def test_an_article_written_as_another_country_writes_it_is_a_mistake() -> None:
    assert "2: an article of Toy is not written so" in found({"2.º": None, "2": "two cards"}, {"1.º 2)": "unseen"})


def test_an_article_that_has_neither_a_test_nor_a_reason_is_a_mistake() -> None:
    assert found(reasons={}) == ["1.º 2): neither a test nor a reason"]
    assert found(reasons={"1.º 2)": " "}) == ["1.º 2): neither a test nor a reason"]


def test_an_article_of_which_nothing_is_written_is_a_mistake() -> None:
    assert found({"2.º": " "}) == ["2.º: what it orders is missing"]


def test_a_reason_of_no_row_is_a_mistake() -> None:
    assert found(reasons=REASONS | {"1.º 3)": "equipment"}) == ["1.º 3): a reason, and no row"]


def test_a_test_that_does_not_exist_or_is_there_twice_is_a_mistake() -> None:
    twice = {"test_2008_money": ["tests/test_one.py", "tests/test_two.py"]}
    assert found(tests=twice) == ["1.º 1): test_2008_money is in 2 places"]
    words, rows = rows_with()
    missing = {name: files for name, files in TESTS.items() if name != "test_2008_money"}
    assert page.mistakes(words, rows, TOY, missing) == ["1.º 1): test_2008_money is in 0 places"]


def test_a_test_is_in_the_row_of_each_article_that_it_names() -> None:
    assert named_for("1.º 1)") == ("test_2008_money", "test_2008_art_1_1_one")
    assert named_for("1.º 2)", "test_2008_art_1_2_new") == ("test_2008_art_1_2_new",)
    assert "test_2008_art_1_1_and_2_new" in named_for("1.º 1)", "test_2008_art_1_1_and_2_new")
    assert "test_2008_art_1_1_and_2_new" in named_for("2.º", "test_2008_art_1_1_and_2_new")
    assert named_for("3.º 1, 2", "test_2008_art_3_1_new") == (
        "test_2008_art_3_1_and_3_2_three",
        "test_2008_art_3_1_new",
    )


def test_a_test_of_a_whole_article_is_in_the_rows_inside_it_that_have_tests() -> None:
    whole = "test_2008_art_1_whole"
    assert whole in named_for("1.º 1)", whole) and whole not in named_for("1.º 2)", whole)
    assert whole in named_for("1.º 2)", whole, "test_2008_art_1_2_new")


def test_a_test_of_a_whole_article_that_a_broken_rule_names_is_there_alone() -> None:
    name = "test_2008_art_1_whole"
    tests = TESTS | {name: ["tests/test_toy.py"], "test_2008_art_1_2_new": ["tests/test_toy.py"]}
    broken = [BROKEN, Mutation("1.º 2)", "controller/engine/toy.py", "old", "new", (name,))]
    rows = page.read_rows(page.Words("toy", ORDERS), TOY, broken, tests)
    assert [row.article for row in rows if name in row.tests] == ["1.º 2)"]


def test_a_test_that_names_an_article_there_is_not_is_a_mistake() -> None:
    (mistake,) = found(tests={"test_2008_art_9_new": ["tests/test_toy.py"]})
    assert mistake.startswith("test_2008_art_9_new names ")


def test_what_is_written_of_an_article() -> None:
    cited = {("1", "1"): {"controller/engine/toy.py", "controller/rulebook/toy.py"}, ("2",): {"controller/config.py"}}
    _, rows = rows_with(cited=cited)
    above = f"# Toy\n\nBy hand.\n\n{page.MARK}"
    text = page.written(f"{above}\nan old table\n", rows, TESTS)
    assert text == page.written(text, rows, TESTS) and text.startswith(f"{above}\n{page.HEADER}")
    assert text.removeprefix(f"{above}\n{page.HEADER}").splitlines() == [
        "| 1.º 1) | the ante is doubled | [engine/toy.py]; cited in [rulebook/toy.py] | "
        "`test_2008_money` in [test_toy.py]; also `test_2008_art_1_1_one` in [test_toy.py] |",
        "| 1.º 2) | no whistling | – | out of the station's sight |",
        "| 2.º | two cards | cited in [config.py] | also `test_2008_art_2_two` in [test_toy.py]; the house's |",
        "| 3.º 1, 2 | three cards | – | also `test_2008_art_3_1_and_3_2_three` in [test_toy.py] |",
        "",
        "[config.py]: ../../controller/config.py",
        "[engine/toy.py]: ../../controller/engine/toy.py",
        "[rulebook/toy.py]: ../../controller/rulebook/toy.py",
        "[test_toy.py]: ../../tests/engine/test_toy.py",
    ]
    with pytest.raises(ValueError, match="no line"):
        page.written("# Toy\n", rows, TESTS)


@pytest.mark.parametrize(
    "text", ["orders = {}", 'regulation = "toy"\norders = {"1.º" = 1}', 'regulation = "toy"\nrows = []', "regulation ="]
)
def test_articles_of_another_form_are_refused_by_their_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "articles_toy.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"^articles_toy\.toml: "):
        page.read_words(tmp_path)


def test_a_name_belongs_to_one_regulation() -> None:
    openings = {regulation.opening: regulation for regulation in REGULATIONS}
    assert len(openings) == len(REGULATIONS)
    for opening, regulation in openings.items():
        assert regulation_of(opening + "1_a_rule") is family_of(opening + "1_a_rule") is regulation
    assert family_of("test_fortune_8_a_box") is FORTUNE_8 and regulation_of("test_fortune_8_a_box") is None
    assert family_of("test_a_chip").key == "2025"


def test_a_name_that_hides_its_article_is_found() -> None:
    hidden = ["test_a_fold_art_12_2", "test_3008_art_9_1_a_double"]
    assert page.names_astray([*TESTS, *hidden, "test_the_start_1_is_none"]) == sorted(hidden)


def test_only_tests_of_the_station_itself_are_witnesses() -> None:
    where = {file.rpartition("/")[0] for files in page.defined_tests(page.ROOT).values() for file in files}
    assert "tests/rulebook" in where and "tests/engine" in where
    assert not where & {"tests/referee", "tests/soak"}


# ---- The pages of the regulations: their tables are as written, and each has decisions and errata whose tests exist.


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
    for _, tree in modules():
        for node in walked(tree):
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
