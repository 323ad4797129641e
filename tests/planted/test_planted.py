"""The list of planted defects: each text is in its file, and each test that notices is there."""

from msgspec.structs import replace

from tests.planted.__main__ import Defect, mistakes, read_list


def test_each_defect_can_be_planted_and_names_a_test_that_is_there() -> None:
    assert mistakes(read_list()) == []


def test_a_mistake_of_the_list_is_named() -> None:
    own, name = "tests/planted/test_planted.py", "test_a_mistake_of_the_list_is_named"
    good = Defect(own, f"def {name}", "def other", f"{own}::{name}")
    changes = ({"file": "none.py"}, {"old": "defect"}, {"new": good.old}, {"test": f"{own}::no"})
    assert [len(mistakes([replace(good, **change)])) for change in changes] == [1, 1, 1, 1]
    assert mistakes([good]) == [] and len(mistakes([good, good])) == 2
