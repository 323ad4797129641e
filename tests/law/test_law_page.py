"""What the check of the page says of small bad pages: each mistake by itself, and nothing of a good one."""

import pytest

from tests.law import page
from tests.law.regulations import FORTUNE_8, REGULATIONS, Regulation

TOY = Regulation("toy", "Toy", "test_2008_art_", True, "1.º 1), 2)\n2.º\n3.º 1, 2")
GOOD = {
    "1.º 1)": ("`settle.py`", "`test_2008_art_1_1_one`, `test_2008_money`"),
    "1.º 2)": ("–", "out of the station's sight"),
    "2.º": ("live", "`test_2008_art_2_two`; who watches is the house's"),
    "3.º 1, 2": ("`settle.py`", "`test_2008_art_3_1_and_3_2_three`"),
}
TESTS = {
    name: ["tests/test_toy.py"]
    for name in ("test_2008_art_1_1_one", "test_2008_art_2_two", "test_2008_art_3_1_and_3_2_three", "test_2008_money")
}


def written(rows: dict[str, tuple[str, str]]) -> str:
    table = "".join(f"| {article} | {held} | {told} |\n" for article, (held, told) in rows.items())
    return (
        "# Page\n\n## Toy\n\nText.\n\n### Every article\n\n| Article | Held by | Test, or why no software can |\n"
        f"| --- | --- | --- |\n{table}\n## Another\n\n| 9.º | no row of the toy | at all |\n"
    )


def found(
    changes: dict[str, tuple[str, str] | None] | None = None,
    tests: dict[str, list[str]] | None = None,
    regulation: Regulation = TOY,
) -> list[str]:
    """The mistakes of the good page with these rows changed, added, or (None) left out, and these tests added."""
    rows = {article: row for article, row in (GOOD | (changes or {})).items() if row}
    return page.mistakes(written(rows), regulation, TESTS | (tests or {}), {"settle.py"})


def test_a_good_page_has_no_mistake() -> None:
    assert found() == []


def test_an_article_without_a_row_is_a_mistake() -> None:
    assert found({"1.º 2)": None}) == ["1 2 has no row"]
    gone = ["test_2008_art_3_1_and_3_2_three is not in the row 3.º 1, 2"]
    assert found({"3.º 1, 2": ("–", "equipment")}) == gone
    assert found({"3.º 1, 2": None, "3.º 1": GOOD["3.º 1, 2"]}) == [
        "3 2 has no row",
        "test_2008_art_3_1_and_3_2_three is not in the row ",
    ]


def test_an_article_the_regulation_does_not_have_is_a_mistake() -> None:
    assert found({"4.º": ("–", "equipment")}) == ["4 is cited, and the regulation does not have it"]


def test_an_article_in_two_rows_is_a_mistake() -> None:
    assert found({"1.º 1), 2)": ("–", "equipment")})[:2] == ["1 1 has more than one row", "1 2 has more than one row"]


def test_a_row_around_others_is_none() -> None:
    assert found({"1.º": ("–", "the items have rows of their own")}) == []


@pytest.mark.parametrize("told", ["", " ", "| more"])
def test_a_row_without_its_three_cells_is_a_mistake(told: str) -> None:
    (mistake,) = found({"1.º 2)": ("–", told)})
    assert mistake.startswith("a row has an empty cell, or not three")


@pytest.mark.parametrize("article", ["1) 2)", "art. 1.º", "1.º 2) to 1)"])
def test_a_cell_that_cannot_be_read_is_a_mistake(article: str) -> None:
    assert len(found({article: ("–", "equipment")})) == 1


def test_an_article_written_as_another_country_writes_it_is_a_mistake() -> None:
    assert "2: an article of Toy is not written so" in found({"2.º": None, "2": GOOD["2.º"]})


def test_a_row_that_nothing_holds_must_say_why() -> None:
    assert found({"1.º 2)": ("–", "; .")}) == ["1.º 2): neither a test nor a reason"]


def test_a_row_that_something_holds_must_name_a_test() -> None:
    assert found({"1.º 2)": ("`settle.py`", "it does so")}) == ["1.º 2): held by `settle.py`, and no test shows it"]


def test_a_test_of_what_nothing_holds_is_a_mistake() -> None:
    assert found({"1.º 2)": ("–", "`test_2008_money`")}) == ["1.º 2): a test, and nothing that holds it"]


@pytest.mark.parametrize("module", ["setle.py", "config/settle.py"])
def test_a_module_that_does_not_exist_is_a_mistake(module: str) -> None:
    assert found({"1.º 2)": (f"`{module}`", "`test_2008_money`")}) == [f"1.º 2): there is no module {module}"]


def test_a_test_that_does_not_exist_or_stands_twice_is_a_mistake() -> None:
    assert found({"1.º 2)": ("live", "`test_2008_gone`")}) == ["1.º 2): test_2008_gone stands in 0 places"]
    twice = {"test_2008_money": ["tests/test_one.py", "tests/test_two.py"]}
    assert found(tests=twice) == ["1.º 1): test_2008_money stands in 2 places"]


def test_a_test_of_another_regulation_is_a_mistake() -> None:
    others = {"test_fortune_8_money": ["tests/test_8.py"], "test_money": ["tests/test_2025.py"]}
    for name in others:
        wrong = [f"1.º 2): {name} is a test of another regulation"]
        assert found({"1.º 2)": ("live", f"`{name}`")}, tests=others) == wrong


def test_a_test_that_names_an_article_must_be_in_its_row() -> None:
    new = {"test_2008_art_1_2_new": ["tests/test_toy.py"]}
    assert found(tests=new) == ["test_2008_art_1_2_new is not in the row 1.º 2)"]
    elsewhere = {"2.º": ("live", "`test_2008_art_2_two`, `test_2008_art_1_2_new`")}
    assert found(dict(elsewhere), tests=new) == ["test_2008_art_1_2_new is not in the row 1.º 2)"]
    assert found({"1.º 2)": ("live", "`test_2008_art_1_2_new`")}, tests=new) == []


def test_a_test_that_names_several_articles_must_be_in_the_row_of_each() -> None:
    new = {"test_2008_art_1_1_and_2_new": ["tests/test_toy.py"]}
    one = {"1.º 1)": ("live", "`test_2008_art_1_1_one`, `test_2008_art_1_1_and_2_new`")}
    assert found(dict(one), tests=new) == ["test_2008_art_1_1_and_2_new is not in the row 2.º"]
    both = one | {"2.º": ("live", "`test_2008_art_2_two`, `test_2008_art_1_1_and_2_new`")}
    assert found(dict(both), tests=new) == []


def test_the_row_nearest_to_an_article_is_its_row_and_a_whole_article_may_be_in_any_row_of_it() -> None:
    around = {"1.º": ("live", "`test_2008_art_1_1_one`, `test_2008_money`"), "1.º 1)": ("–", "equipment")}
    assert found(dict(around)) == ["test_2008_art_1_1_one is not in the row 1.º 1)"]
    whole = {"test_2008_art_1_whole": ["tests/test_toy.py"]}
    assert found(tests=whole) == ["test_2008_art_1_whole is not in the row 1.º 1) or 1.º 2)"]
    assert found({"1.º 2)": ("live", "`test_2008_art_1_whole`")}, tests=whole) == []
    assert found({"1.º": ("live", "`test_2008_money`")}, tests=whole) == ["test_2008_art_1_whole is not in the row 1.º"]


def test_a_test_that_names_an_article_there_is_not_is_a_mistake() -> None:
    (mistake,) = found(tests={"test_2008_art_9_new": ["tests/test_toy.py"]})
    assert mistake.startswith("test_2008_art_9_new names ")


def test_a_done_regulation_has_no_row_that_says_not_yet() -> None:
    unwritten: dict[str, tuple[str, str] | None] = {"1.º 2)": ("–", "not yet: the live table")}
    partly: dict[str, tuple[str, str] | None] = {"2.º": ("live", "`test_2008_art_2_two`; the rest: not yet")}
    assert found(unwritten) == ["1.º 2): not yet, though the game is done"]
    assert found(partly) == ["2.º: not yet, though the game is done"]
    undone = Regulation("toy", "Toy", "test_2008_art_", False, TOY.text)
    assert found(unwritten, regulation=undone) == found(partly, regulation=undone) == []


def test_a_page_without_the_section_or_its_table_is_a_mistake() -> None:
    assert page.mistakes("# Page\n", TOY, TESTS, {"settle.py"}) == ["the page has 0 sections 'Toy'"]
    twice = written(GOOD) + written(GOOD)
    assert page.mistakes(twice, TOY, TESTS, {"settle.py"}) == ["the page has 2 sections 'Toy'"]
    other = written(GOOD).replace("| Article |", "| Paragraph |")
    assert page.mistakes(other, TOY, TESTS, {"settle.py"}) == [
        "Toy has no table of Article | Held by | Test, or why no software can"
    ]


def test_a_name_belongs_to_one_regulation() -> None:
    openings = {regulation.opening: regulation for regulation in REGULATIONS}
    assert len(openings) == len(REGULATIONS)
    for opening, regulation in openings.items():
        assert page.regulation_of(opening + "1_a_rule") is page.family_of(opening + "1_a_rule") is regulation
    assert page.family_of("test_fortune_8_a_box") is FORTUNE_8 and page.regulation_of("test_fortune_8_a_box") is None
    assert page.family_of("test_a_chip").key == "2025"


def test_a_name_that_hides_its_article_is_found() -> None:
    hidden = ["test_a_fold_art_12_2", "test_3008_art_9_1_a_double"]
    assert page.names_astray([*TESTS, *hidden, "test_the_start_1_is_none"]) == sorted(hidden)


def test_only_tests_of_the_station_itself_are_witnesses() -> None:
    where = {file.rpartition("/")[0] for files in page.defined_tests(page.ROOT).values() for file in files}
    assert "tests/rulebook" in where and "tests/engine" in where
    assert not where & {"tests/referee", "tests/soak"}
