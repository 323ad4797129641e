"""The page of columns has each column of an export and of a return as the code has it."""

from tests.docs import columns


def test_the_page_has_the_columns_of_the_code() -> None:
    assert columns.PAGE.read_text(encoding="utf-8") == columns.page(), "run make pages"
    assert "`win` (int64, minor units of `currency`)" in columns.page() and "| `gaps` | Messages" in columns.page()
