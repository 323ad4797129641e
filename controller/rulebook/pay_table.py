"""The payments of a table for each hand, as its regulation lists them. No I/O here."""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.rulebook.units import Minor


class PayRow(Struct, frozen=True, kw_only=True):
    """One row: the payment of `wager` under `article`: `odds` ("40:1"), a `percent` of a pot, or an `amount`.

    `name` is the key of the hand's words, empty where the wager pays in one way alone. `amount` is in minor units, and
    for a part of a pot it is the least.
    """

    wager: str
    name: str = ""
    odds: str | None = None
    percent: int = 0
    amount: Minor | None = None
    article: str


def rows_at_odds(wager: str, paid: Iterable[tuple[str, int, str]]) -> tuple[PayRow, ...]:
    """The rows of a wager: for each hand the key of its words, its odds to one, and its article."""
    return tuple(PayRow(wager=wager, name=name, odds=f"{to_one}:1", article=article) for name, to_one, article in paid)


def with_fixed(rows: Iterable[PayRow], fixed: Mapping[str, Minor]) -> tuple[PayRow, ...]:
    """The same, a pot's rows with the amounts that the house fixes, by hand."""
    return tuple(
        replace(row, amount=fixed[hand])
        if row.wager == "jackpot" and (hand := row.name.removeprefix("hand.")) in fixed
        else row
        for row in rows
    )
