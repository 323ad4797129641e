"""The page of inputs has who may do what when as the table of deciders has it."""

from tests.docs import who_may_do_what


def test_the_page_of_inputs_has_the_table_of_the_deciders() -> None:
    assert who_may_do_what.WHO_MAY.on_page() == [who_may_do_what.table()], "run make pages"


def test_the_page_of_inputs_has_the_fields_of_each_and_what_it_means() -> None:
    assert who_may_do_what.FIELDS.on_page() == [who_may_do_what.fields()], "run make pages"
