"""What an example in a docstring prints is what it says."""

import doctest
from operator import attrgetter

import pytest

from tests.docs.examples import examples


@pytest.mark.parametrize("example", [*examples()], ids=attrgetter("name"))
def test_an_example_prints_what_its_docstring_shows(example: doctest.DocTest) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)
