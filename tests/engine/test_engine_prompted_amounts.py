"""Amounts in prompts are written in units of the currency, as on the felt."""

import pytest

from controller.engine.shown.prompts import asked
from controller.rulebook.steps import Step


@pytest.mark.parametrize(("exponent", "shown"), [(0, "1,050"), (2, "10.50"), (3, "1.050")])
def test_an_amount_asked_for_is_written_in_units_of_the_currency(exponent: int, shown: str) -> None:
    step = Step(id="1/insurance/2", kind="ask", question="insurance", seat=2, most=(1050,))
    assert [shown in text for text in asked(step, exponent).values()] == [True, True, True]
