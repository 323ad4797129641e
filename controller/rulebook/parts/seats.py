"""The seats of a table. No I/O here."""

import msgspec


class Seats(msgspec.Struct, frozen=True):
    """The possible numbers of seats; `expected` is the text of the error about another number, with the article."""

    numbers: range
    expected: str
