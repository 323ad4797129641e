"""The seats of a table. No I/O here."""

import msgspec


class Seats(msgspec.Struct, frozen=True):
    """How many seats a table may have; `expected` says so, with the article, where there is another number."""

    numbers: range
    expected: str
