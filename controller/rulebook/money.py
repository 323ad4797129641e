"""The unit of money in the law, the journal and the messages. No I/O here."""

from typing import Annotated

from msgspec import Meta

IN_MONEY = "In minor units of the currency."
Minor = Annotated[int, Meta(description=IN_MONEY)]
"""An amount of money."""
