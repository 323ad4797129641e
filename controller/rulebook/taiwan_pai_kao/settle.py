"""The settlement of every wager of a round of Taiwan-Pai Kao, line by line, with its article. No I/O here."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import UNSET, Struct

from controller.rulebook.report import Outcome
from controller.rulebook.taiwan_pai_kao.articles import (
    BESIDE_BANKER,
    CAPITAL,
    CASINO_IN_PROPORTION,
    COMPARED,
    GAME,
    JOINED,
)
from controller.rulebook.taiwan_pai_kao.limit import Result, Settled, settle_in_order, share_out, share_with_casino
from controller.rulebook.taiwan_pai_kao.pairs import TileHand
from controller.rulebook.taiwan_pai_kao.places import first_place, settling_order
from controller.rulebook.taiwan_pai_kao.settlement import (
    PaiKaoSettlement,
    SettledBanker,
    SettledCasino,
    SettledPlace,
    WagerLine,
    answer_pair,
)
from controller.rulebook.taiwan_pai_kao.wagers import Wager


class Bank(Struct, frozen=True):
    """The banker's place, his capital on the table and the casino's share beside it (5.º c, e); minor units."""

    place: int
    capital: int
    casino: int = 0


def compare(hand: TileHand, banker: TileHand) -> Result:
    """The place against the banker, front with front and rear with rear (6.º c, 9.º a).

    Both higher wins, one higher and one equal wins; one each way is a tie, and so are two equal.

    >>> from controller.rulebook.taiwan_pai_kao.pairs import arrange
    >>> compare(arrange(["6-6", "6-6", "4-2", "2-1"]), arrange(["1-1", "1-1", "5-4", "4-1"]))
    'win'
    """
    pairs = ((hand.front, banker.front), (hand.rear, banker.rear))
    ahead = sum((own.rank < other.rank) - (own.rank > other.rank) for own, other in pairs)
    return "win" if ahead > 0 else "lose" if ahead < 0 else "push"


def settle_places(
    bank: Bank,
    dice: Sequence[int],
    hands: Mapping[int, TileHand],
    wagers: Sequence[Wager],
    rules: Collection[str] = (),
) -> PaiKaoSettlement:
    """Settles wagers that check_wager has let pass on the hands of all places, the banker's too (6.º to 8.º).

    Places are settled in the order of the dice (2.º b), a place's wagers as they were placed; nothing else depends on
    the order of `wagers`. Those on the banker's place share his result after him and the casino (5.º e). `rules` are
    the keys of the readings that the house chose.
    """
    first = first_place(dice, bank.place, len(hands), BESIDE_BANKER in rules)
    order = settling_order(first, bank.place, len(hands))
    results = {place: compare(hands[place], hands[bank.place]) for place in order}
    joiners = [wager for wager in wagers if wager.place == bank.place]
    in_turn = [wager for place in order for wager in wagers if wager.place == place]

    behind = [bank.capital, bank.casino, *(joiner.amount for joiner in joiners)]
    settled, net = settle_in_order(((wager.amount, results[wager.place]) for wager in in_turn), sum(behind), rules)
    shares = (
        share_with_casino(net, bank.capital, bank.casino, behind[2:])
        if CASINO_IN_PROPORTION in rules
        else share_out(net, behind)
    )
    lines: dict[int, list[WagerLine]] = {place: [] for place in order}
    limited = False
    for wager, done in zip(in_turn, settled, strict=True):
        cut = results[wager.place] != "push" and done.amount < wager.amount
        lines[wager.place].append(_line(wager, results[wager.place], done, CAPITAL if cut else COMPARED))
        limited = limited or cut

    return PaiKaoSettlement(
        game=GAME,
        outcome="settled",
        first_place=first,
        order=order,
        seats={
            str(place): _banker_place(hand) if place == bank.place else _place(hand, results[place], lines[place])
            for place, hand in sorted(hands.items())
        },
        banker=_banker(bank, joiners, shares, limited),
    )


def void_places(bank: Bank | None, wagers: Sequence[Wager], article: str) -> PaiKaoSettlement:
    """The answer for a round that is void under `article`: every wager is taken back.

    Before someone has taken the bank, the bank is None and no wager exists.
    """
    if bank is None:
        return PaiKaoSettlement(game=GAME, outcome="void", seats={})
    lines: dict[int, list[WagerLine]] = {}
    for wager in sorted(wagers, key=lambda wager: wager.place):
        lines.setdefault(wager.place, []).append(_unmoved(wager, bank, article))
    joiners = lines.pop(bank.place, [])
    return PaiKaoSettlement(
        game=GAME,
        outcome="void",
        seats={str(place): SettledPlace(net=0, lines=own) for place, own in lines.items()},
        banker=SettledBanker(
            place=bank.place,
            net=0,
            limited=False,
            casino=SettledCasino(bank.casino, 0, article) if bank.casino else UNSET,
            joiners=joiners or UNSET,
        ),
    )


def _line(wager: Wager, result: Result, done: Settled, article: str) -> WagerLine:
    net = {"win": done.amount - done.commission, "lose": -done.amount, "push": 0}[result]
    return WagerLine(
        wager="place",
        player=wager.player,
        stake=wager.amount,
        outcome=result,
        net=net,
        commission=done.commission,
        article=article,
    )


def _unmoved(wager: Wager, bank: Bank, article: str) -> WagerLine:
    return WagerLine(
        wager="bank" if wager.place == bank.place else "place",
        player=wager.player,
        stake=wager.amount,
        outcome="void",
        net=0,
        commission=0,
        article=article,
    )


def _banker_place(hand: TileHand) -> SettledPlace:
    return SettledPlace(front=answer_pair(hand.front), rear=answer_pair(hand.rear), rearranged=hand.rearranged)


def _place(hand: TileHand, result: Result, lines: list[WagerLine]) -> SettledPlace:
    return SettledPlace(
        front=answer_pair(hand.front),
        rear=answer_pair(hand.rear),
        rearranged=hand.rearranged,
        outcome=result,
        net=sum(line.net for line in lines),
        lines=lines,
    )


def _banker(bank: Bank, joiners: Sequence[Wager], shares: Sequence[int], limited: bool) -> SettledBanker:
    own, casino, *others = shares
    return SettledBanker(
        place=bank.place,
        net=own,
        limited=limited,
        casino=SettledCasino(bank.casino, casino, JOINED) if bank.casino else UNSET,
        joiners=[_joined(joiner, share) for joiner, share in zip(joiners, others, strict=True)] or UNSET,
    )


def _joined(joiner: Wager, share: int) -> WagerLine:
    outcome: Outcome = "win" if share > 0 else "lose" if share < 0 else "push"
    return WagerLine(
        wager="bank",
        player=joiner.player,
        stake=joiner.amount,
        outcome=outcome,
        net=share,
        commission=0,
        article=JOINED,
    )
