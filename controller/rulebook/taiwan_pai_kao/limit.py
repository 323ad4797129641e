"""How far a round's wagers are settled: commission, and the bank's limit both ways. No I/O here."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

COMMISSION_PERCENT = 5

Result = Literal["win", "lose", "push"]  # for the place, against the banker


class Settled(Struct, frozen=True):
    """How much of one wager changed hands, and what the house takes of it, whichever side won (8.º); minor units."""

    amount: int
    commission: int


def commission_on(won: int) -> int:
    """5 % of what was won, rounded down to the minor unit (8.º).

    >>> commission_on(1990)
    99
    """
    return won * COMMISSION_PERCENT // 100


def settle_in_order(wagers: Iterable[tuple[int, Result]], limit: int) -> tuple[list[Settled], int]:
    """What becomes of each (stake, result) in turn; the bank's net after commission, never beyond the limit (5.º c).

    The bank collects until its gain before commission is the limit, and pays until nothing is left of the limit and its
    gain after commission. The wager that would pass either is settled up to it; a later one may lead back below it.

    >>> settle_in_order([(1000, "win"), (1000, "win")], limit=1500)
    ([Settled(amount=1000, commission=50), Settled(amount=500, commission=25)], -1500)
    """
    settled: list[Settled] = []
    gain = net = 0
    for stake, result in wagers:
        amount = commission = 0
        if result == "lose":
            amount = min(stake, limit - gain)
            commission = commission_on(amount)
            gain += amount
            net += amount - commission
        elif result == "win":
            amount = min(stake, limit + net)
            commission = commission_on(amount)
            gain -= amount
            net -= amount
        settled.append(Settled(amount, commission))
    return settled, net


def share_out(net: int, parts: Sequence[int]) -> list[int]:
    """The bank's net over those who stand behind it, each in turn up to his part (5.º c, e).

    The parts together are at least as much as the net, won or lost.

    >>> share_out(-1200, [1000, 500, 500])
    [-1000, -200, 0]
    """
    shares: list[int] = []
    left = abs(net)
    for part in parts:
        share = min(part, left)
        left -= share
        shares.append(share if net > 0 else -share)
    return shares
