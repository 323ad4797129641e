"""Pages that are made from the code: each has what the code has."""

from typing import get_args

from controller.pit.causes import DatabaseCause
from controller.rulebook.parts.faults import LossCause
from tests.docs import budgets, columns, connections, kit, who_may_do_what

GENERAL = {"unknown"}  # where nothing of the table is known


def test_the_page_of_alarms_has_the_table_of_connections() -> None:
    assert connections.TABLE.on_page() == [connections.table()], "run make pages"


def test_every_cause_is_in_it() -> None:
    reports = [*connections.reports()]
    of_the_pit = {cause for connection, cause, _ in reports if connection == connections.DATABASE}
    assert of_the_pit == set(get_args(DatabaseCause))
    of_a_table = {cause for connection, cause, _ in reports if connection != connections.DATABASE}
    assert of_a_table == set(get_args(LossCause)) - GENERAL


# ---- The page of inputs has who may do what when as the table of deciders has it.


def test_the_page_of_inputs_has_the_table_of_the_deciders() -> None:
    assert who_may_do_what.WHO_MAY.on_page() == [who_may_do_what.table()], "run make pages"


def test_the_page_of_inputs_has_the_fields_of_each_and_what_it_means() -> None:
    assert who_may_do_what.FIELDS.on_page() == [who_may_do_what.fields()], "run make pages"


# ---- The page of budgets has each kind of input and alarm as the code has it.


def test_the_page_has_the_budgets_of_the_code() -> None:
    assert budgets.TABLE.on_page() == [budgets.table()], "run make pages"


# ---- The page of columns has each column of an export and of a return as the code has it.


def test_the_page_has_the_columns_of_the_code() -> None:
    assert columns.PAGE.read_text(encoding="utf-8") == columns.page(), "run make pages"
    assert "`win` (int64, minor units of `currency`)" in columns.page() and "| `gaps` | Messages" in columns.page()


# ---- The page of the compatibility kit has each assertion as the code has it.


def test_the_page_has_the_assertions_of_the_code() -> None:
    for table in kit.TABLES:
        assert table.on_page() == [table.from_code()], "run make pages"
