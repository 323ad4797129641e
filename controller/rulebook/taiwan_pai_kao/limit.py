"""How much of a round's wagers is settled: commission, and the bank's limit both ways. No I/O here."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from controller.rulebook.taiwan_pai_kao.articles import COMMISSION_OF_PLAYERS, OVER_THE_ROUND

COMMISSION_PERCENT = 5

Result = Literal["win", "lose", "push"]  # for the place, against the banker


class Settled(Struct, frozen=True):
    """The part of one wager that was settled, and the commission of the house from it, whichever side won (8.º); minor
    units.
    """

    amount: int
    commission: int


def commission_on(won: int) -> int:
    """The commission: 5 % of the win, rounded down to the minor unit (8.º).

    >>> commission_on(1990)
    99
    """
    return won * COMMISSION_PERCENT // 100


def settle_in_order(
    wagers: Iterable[tuple[int, Result]], limit: int, rules: Collection[str] = ()
) -> tuple[list[Settled], int]:
    """Settles each (stake, result) in turn; also returns the bank's net after commission, within its limit (5.º c).

    The bank collects until its gain before commission is the limit, and pays until nothing is left of the limit and its
    gain after commission. A wager that would pass a limit is settled up to it; a later one may lead back below it.
    `rules` are the keys of other readings: the limit applies to the whole round, or the bank pays no commission.

    >>> settle_in_order([(1000, "win"), (1000, "win")], limit=1500)
    ([Settled(amount=1000, commission=50), Settled(amount=500, commission=25)], -1500)
    """
    of_bank = COMMISSION_OF_PLAYERS not in rules
    if OVER_THE_ROUND in rules:
        return _settle_over_the_round(list(wagers), limit, of_bank)
    settled: list[Settled] = []
    gain = net = 0
    for stake, result in wagers:
        amount = 0
        if result == "lose":
            amount = min(stake, limit - gain)
            gain += amount
        elif result == "win":
            amount = min(stake, limit + net)
            gain -= amount
        settled.append(_settled(amount, result, of_bank))
        net += _to_the_bank(settled[-1], result)
    return settled, net


def _settle_over_the_round(
    wagers: Sequence[tuple[int, Result]], limit: int, of_bank: bool
) -> tuple[list[Settled], int]:
    """Every wager in full; where the bank's net then passes the limit, the last wagers of the side that wins are cut.

    Its net is after commission both ways: what it would have before might be beyond the limit whatever is cut.
    """
    settled = [_settled(0 if result == "push" else stake, result, of_bank) for stake, result in wagers]
    net = sum(_to_the_bank(line, result) for line, (_, result) in zip(settled, wagers, strict=True))
    cut: Result = "lose" if net > 0 else "win"
    for turn, (_, result) in reversed(list(enumerate(wagers))):
        if abs(net) <= limit:
            break
        if result == cut:
            moved = _to_the_bank(settled[turn], result)
            left = max(abs(moved) - (abs(net) - limit), 0)
            before_commission = left * 100 // (100 - COMMISSION_PERCENT) if cut == "lose" and of_bank else left
            settled[turn] = _settled(before_commission, result, of_bank)
            net += _to_the_bank(settled[turn], result) - moved
    return settled, net


def _settled(amount: int, result: Result, of_bank: bool) -> Settled:
    return Settled(amount, commission_on(amount) if result == "win" or of_bank else 0)


def _to_the_bank(settled: Settled, result: Result) -> int:
    """The change in the bank's money by a settled wager, after the commission that the bank pays."""
    return {"lose": settled.amount - settled.commission, "win": -settled.amount, "push": 0}[result]


def share_out(net: int, parts: Sequence[int]) -> list[int]:
    """Distributes the bank's net over those who back it, each in turn up to their part (5.º c, e).

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


def share_with_casino(net: int, capital: int, casino: int, joined: Sequence[int]) -> list[int]:
    """The other reading of 5.º e): banker and casino are one bank, and share its net in proportion; the joiners follow.

    The banker gets an indivisible rest.

    >>> share_with_casino(-1700, 1000, 500, [300, 200])
    [-1000, -500, -200, 0]
    """
    both, *others = share_out(net, [capital + casino, *joined])
    of_casino = abs(both) * casino // (capital + casino)
    own = abs(both) - of_casino
    return [own, of_casino, *others] if net > 0 else [-own, -of_casino, *others]
