"""What every wager of a complete round is worth: 12.º to 16.º of 2025, 9.º and 10.º of 2008. No I/O here."""

from collections.abc import Collection
from dataclasses import dataclass, field

from .hands import bank_plays, compare, jackpot_hand, six_card_hand, three_card_hand
from .lines import Message, Worth
from .poker_law import Regulation

ANTE_BONUS = {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}  # 13.º 4); 2008: 9.º 8)
PAIR_PLUS = {"straight_flush": 40, "three_of_a_kind": 25, "straight": 5, "flush": 4, "pair": 1}  # 16.º 1; 2008: 10.º
SIX_CARD_BONUS = {  # 16.º 2
    "royal_flush": 500,
    "straight_flush": 100,
    "four_of_a_kind": 50,
    "full_house": 20,
    "flush": 15,
    "straight": 10,
    "three_of_a_kind": 7,
}
COMBINED = ("six_card_bonus", "jackpot")  # whose lines have a combination


@dataclass
class Place:
    """One seat's result; `cards` is None where the hand is never shown (12.º 3)."""

    decision: str | None
    hand: str | None = None
    cards: list[str] | None = None
    lines: list[Worth] = field(default_factory=list)

    @property
    def net(self) -> int:
        return sum(line.net for line in self.lines)


@dataclass
class Settled:
    """The whole round; awards are in the order they are paid."""

    bank: list[str]
    bank_hand: str
    qualifies: bool
    bank_matters: bool  # some wager hangs on the bank's cards, so that they must be shown
    community: list[str] | None
    places: dict[int, Place]
    winners: dict[int, str]


# The lines have the rule that decides them (a key of `Regulation.lines`), until `settle` looks up its citation.


def _won(wager: str, stake: int, times: int, rule: str) -> Worth:
    return Worth(wager, None, stake, "win", f"{times}:1", stake * times, rule)


def _lost(wager: str, stake: int, rule: str) -> Worth:
    return Worth(wager, None, stake, "lose", None, -stake, rule)


def _push(wager: str, stake: int, rule: str) -> Worth:
    return Worth(wager, None, stake, "push", None, 0, rule)


def back(wager: str, stake: int, article: str) -> Worth:
    """The line of a stake that goes back because the round is void by this article."""
    return Worth(wager, None, stake, "void", None, 0, article, more={"combination": None} if wager in COMBINED else {})


def _ante(stake: int, doubled: bool, hand: list[str], bank: list[str], law: Regulation) -> list[Worth]:
    if not doubled:
        return [_lost("ante", stake, "fold")]
    if not bank_plays(bank):
        lines = [_won("ante", stake, 1, "bank below Q"), _push("play", stake, "bank below Q")]
    else:
        against = compare(hand, bank, law.hands)
        if against == "higher":
            lines = [_won(wager, stake, 1, "higher") for wager in ("ante", "play")]
        elif against == "lower":
            lines = [_lost(wager, stake, "lower") for wager in ("ante", "play")]
        else:
            tie = f"tie {three_card_hand(hand)}"
            lines = [_push(wager, stake, tie) for wager in ("ante", "play")]
    name = three_card_hand(hand)
    if name in ANTE_BONUS:
        lines.append(_won("ante_bonus", stake, ANTE_BONUS[name], f"ante_bonus {name}"))
    return lines


def _pair_plus(stake: int, hand: list[str]) -> Worth:
    name = three_card_hand(hand)
    if name in PAIR_PLUS:
        return _won("pair_plus", stake, PAIR_PLUS[name], f"pair_plus {name}")
    return _lost("pair_plus", stake, "pair_plus lost")


def _six_card_bonus(stake: int, hand: list[str], bank: list[str]) -> Worth:
    name = six_card_hand(hand, bank)
    if name is None:
        line = _lost("six_card_bonus", stake, "six_card_bonus lost")
    else:
        line = _won("six_card_bonus", stake, SIX_CARD_BONUS[name], f"six_card_bonus {name}")
    line.more = {"combination": name}
    return line


def obliged(wagers: dict[str, int], law: Regulation) -> bool:
    """Whether this player may not give the hand up: Pair Plus beside the ante (9.º 3) of 2008)."""
    return law.obliged is not None and "ante" in wagers and "pair_plus" in wagers


def settle(
    stakes: dict[int, dict[str, int]],
    chips: Collection[int],
    chip: int,
    hands: dict[str, list[str]],
    decisions: dict[int, str],
    law: Regulation,
) -> Settled:
    """Settle every wager; a jackpot line is with net −chip until the meter has paid (`pay_jackpot`)."""
    bank = hands["bank"]
    community = hands["community"] if chips else None
    places = {}
    winners = {}
    bank_matters = False
    for seat, wagers in stakes.items():
        refused = decisions.get(seat) == "refused" and obliged(wagers, law)  # the ante is lost as a fold's (9.º 2))
        doubled = not refused and (decisions.get(seat) == "play" or obliged(wagers, law))
        folded_for_good = not doubled and seat not in chips and wagers.keys() == {"ante"}
        hand = [] if folded_for_good else hands[f"seat {seat}"]
        place = Place(None)
        if "ante" in wagers:
            place.decision = "play" if doubled else "refused" if refused else "fold"
            place.lines += _ante(wagers["ante"], doubled, hand, bank, law)
        if "pair_plus" in wagers:
            place.lines.append(_pair_plus(wagers["pair_plus"], hand))
        if "six_card_bonus" in wagers:
            place.lines.append(_six_card_bonus(wagers["six_card_bonus"], hand, bank))
        if seat in chips and community is not None:
            name = jackpot_hand(hand, community)
            place.lines.append(_lost("jackpot", chip, "jackpot lost"))
            place.lines[-1].more = {"combination": None}
            if name is not None:
                winners[seat] = name
        if not folded_for_good:
            place.hand, place.cards = three_card_hand(hand), hand
        bank_matters = bank_matters or place.decision == "play" or "six_card_bonus" in wagers
        for line in place.lines:
            line.article = law.lines[line.article]
        places[seat] = place
    return Settled(bank, three_card_hand(bank), bank_plays(bank), bank_matters, community, places, winners)


def pay_jackpot(result: Settled, awards: list[Message], law: Regulation) -> None:
    """Turn the winners' jackpot lines into what the meter paid: net is the award less the chip."""
    for award in awards:
        line = next(line for line in result.places[award["seat"]].lines if line.wager == "jackpot")
        line.outcome, line.net = "win", award["amount"] - line.stake
        line.more = {"combination": award["tier"]}
        line.article = law.lines[f"jackpot {award['tier']}"]
