"""The page of the compatibility kit has each assertion as the code has it."""

from tests.docs import kit


def test_the_page_has_the_assertions_of_the_code() -> None:
    for table in kit.TABLES:
        assert table.on_page() == [table.from_code()], "run make pages"
