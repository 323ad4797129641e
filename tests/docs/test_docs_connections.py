"""The page of alarms has the causes of every connection, with the sentences that are shown."""

from typing import get_args

from controller.pit.causes import DatabaseCause
from controller.rulebook.parts.faults import LossCause
from tests.docs import connections

GENERAL = {"unknown"}  # where nothing of the table is known


def test_the_page_of_alarms_has_the_table_of_connections() -> None:
    assert connections.TABLE.on_page() == [connections.table()], "run make pages"


def test_every_cause_is_in_it() -> None:
    reports = [*connections.reports()]
    of_the_pit = {cause for connection, cause, _ in reports if connection == connections.DATABASE}
    assert of_the_pit == set(get_args(DatabaseCause))
    of_a_table = {cause for connection, cause, _ in reports if connection != connections.DATABASE}
    assert of_a_table == set(get_args(LossCause)) - GENERAL
