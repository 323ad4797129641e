"""The page of budgets has each kind of input and alarm as the code has it."""

from tests.docs import budgets


def test_the_page_has_the_budgets_of_the_code() -> None:
    assert budgets.TABLE.on_page() == [budgets.table()], "run make pages"
