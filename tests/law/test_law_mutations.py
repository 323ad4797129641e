"""The written lists of broken rules: the real ones are right, and each mistake in a small one is reported."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.law import break_rules, mutations, page
from tests.law.mutations import Mutation, list_mistakes, read_lists
from tests.law.regulations import FORTUNE_3_2025, REGULATIONS, Row

TESTS = {
    "test_double": ["tests/rulebook/test_pure.py"],
    "test_twice": ["tests/rulebook/test_pure.py"],
    "test_three": ["tests/engine/test_live.py"],
}
RULE = "DOUBLE = 2\n\n\ndef double(ante: int) -> int:\n    return ante * DOUBLE\n"
ROWS = {
    "1.º": Row("1.º", (("1",),), "double", named=["test_double", "test_twice"]),
    "2.º": Row("2.º", (("2",),), "a table", reason="equipment"),
    "3.º": Row("3.º", (("3",),), "three", named=["test_three"]),
}
GOOD = Mutation("1.º", "controller/rule.py", "ante * DOUBLE", "ante", ("test_double",))
OTHER = Mutation("3.º", "controller/rule.py", "DOUBLE = 2", "DOUBLE = 3", ("test_three",))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "controller").mkdir()
    (tmp_path / "controller" / "rule.py").write_text(RULE, "utf-8")
    return tmp_path


def mistakes(root: Path, *listed: Mutation, tests: Mapping[str, list[str]] = TESTS) -> list[str]:
    """The mistakes, without the mutation that each begins with."""
    return [mistake.rpartition("': ")[2] for mistake in list_mistakes(ROWS, listed, tests, root, FORTUNE_3_2025)]


def changed(**changes: Any) -> Mutation:
    fields = {name: getattr(GOOD, name) for name in Mutation.__struct_fields__}
    return Mutation(**(fields | changes))


def test_the_written_lists_have_no_mistake_and_fit_the_code_as_it_is() -> None:
    laws, wrong = break_rules.read_law(page.ROOT)
    assert wrong == []
    assert [law.regulation for law in laws] == list(REGULATIONS)
    assert all(law.mutations for law in laws)


def test_a_good_list_has_no_mistake(root: Path) -> None:
    assert mistakes(root, GOOD, OTHER) == []
    assert mistakes(root, GOOD, OTHER, changed(old="DOUBLE", new="TWICE", count=2)) == []


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        ({"row": "4.º"}, "there is no such row"),
        ({"tests": ()}, "no test is named"),
        ({"tests": ("test_2008_double",)}, "test_2008_double is a test of another regulation"),
        ({"file": "controller/rules.py"}, "there is no such module of the controller"),
        ({"file": "tests/../controller/rule.py"}, "there is no such module of the controller"),
        ({"old": "ante * TWO"}, "the old text is 0 times in the file, not 1"),
        ({"old": "DOUBLE"}, "the old text is 2 times in the file, not 1"),
        ({"old": "ante * TWO", "count": 0}, "the old text is 0 times in the file, not 0"),
        ({"count": 2}, "the old text is 1 times in the file, not 2"),
        ({"new": "ante * DOUBLE"}, "nothing is changed"),
        ({"new": "ante *"}, "the broken file is no Python: invalid syntax"),
    ],
)
def test_a_mutation_that_breaks_no_rule_of_a_row_is_a_mistake(root: Path, change: dict[str, Any], mistake: str) -> None:
    assert mistake in mistakes(root, GOOD, changed(**change), OTHER)


def test_a_mutation_written_twice_is_a_mistake(root: Path) -> None:
    assert mistakes(root, GOOD, GOOD, OTHER) == ["is written twice"]
    assert mistakes(root, GOOD, OTHER, changed(row="3.º", tests=("test_three",))) == []


def test_a_row_with_tests_that_nothing_breaks_is_a_mistake(root: Path) -> None:
    assert mistakes(root, OTHER) == ["1.º: no mutation breaks it"]


def test_a_row_that_tests_of_the_table_name_is_broken_for_one_of_them(root: Path) -> None:
    pure = changed(row="3.º", tests=("test_double",))
    assert mistakes(root, GOOD, pure) == ["3.º: no mutation breaks it at the live table"]
    assert mistakes(root, GOOD, pure, OTHER) == []
    assert mistakes(root, GOOD) == ["3.º: no mutation breaks it"]


def test_a_mutation_for_which_drawn_tests_alone_are_named_is_a_mistake(root: Path) -> None:
    listed = [
        GOOD,
        changed(new="0", tests=("test_twice",)),
        changed(new="1", tests=("test_double", "test_twice")),
        OTHER,
    ]
    found = list(list_mistakes(ROWS, listed, TESTS, root, FORTUNE_3_2025, {"test_twice"}))
    assert found == [f"{listed[1].shown()}: drawn tests alone are named"]


@pytest.mark.parametrize(
    "text",
    [
        'regulation = "2025"\n[[mutation]]\nrow = "1.º"\n',
        'regulation = "2025"\n[[mutation]]\nrow = 1\nfile = "a"\nold = "b"\nnew = "c"\ntests = []\n',
        'regulation = "2025"\nrows = []\n',
        "mutation = []\n",
        "regulation = \n",
    ],
)
def test_a_list_of_another_form_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "mutations_toy.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"^mutations_toy\.toml: "):
        read_lists(tmp_path)


def test_lists_of_a_regulation_are_taken_together(tmp_path: Path) -> None:
    for name, row in (("a", "1.º"), ("b", "2.º")):
        text = f'regulation = "2025"\n[[mutation]]\nrow = "{row}"\nfile = "f"\nold = "o"\n'
        (tmp_path / f"mutations_{name}.toml").write_text(text + 'new = "n"\ntests = ["test_x"]\n', "utf-8")
    lists = read_lists(tmp_path)
    regulation = REGULATIONS[0]
    assert [mutation.row for mutation in mutations.mutations_of(lists, regulation)] == ["1.º", "2.º"]
    assert mutations.mutations_of(lists, REGULATIONS[1]) == ()
