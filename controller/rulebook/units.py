"""The units of numbers in the law, the journal and the messages. No I/O here."""

from typing import Annotated

from msgspec import Meta

IN_MONEY = "In minor units of the currency."
IN_TEN_THOUSANDTHS = "In 1/10 000 of a minor unit of the currency."
_IN_BASIS_POINTS = "In basis points."
_IN_MILLISECONDS = "In milliseconds."
_IN_SECONDS = "In seconds."
UNITS = (IN_MONEY, IN_TEN_THOUSANDTHS, _IN_BASIS_POINTS, _IN_MILLISECONDS, _IN_SECONDS)

Minor = Annotated[int, Meta(description=IN_MONEY)]
"""An amount of money."""
TenThousandths = Annotated[int, Meta(description=IN_TEN_THOUSANDTHS)]
"""An amount of money, in the unit in which a rate in basis points leaves no remainder."""
BasisPoints = Annotated[int, Meta(description=_IN_BASIS_POINTS)]
Milliseconds = Annotated[int, Meta(description=_IN_MILLISECONDS)]
Seconds = Annotated[int, Meta(description=_IN_SECONDS)]
