"""Fortune 3 Card Poker's ante with its double and bonus, and Pair Plus, exactly. No I/O here."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, islice
from math import comb

from msgspec import Struct

from controller.certify.combinations import classes_of_sets
from controller.certify.result import Certified, OutcomeOdds, Plain, exact
from controller.rulebook.cards import DECK, Card, rank_of
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.fortune_3_card_poker.wagers import DECISIONS
from controller.rulebook.settlement import Line
from controller.rulebook.three_card import STRONGEST_FIRST, rank_three

Three = tuple[Card, ...]
Strategy = Callable[[Three], str | None]  # "play", "fold", or None for whatever is worth more

BANKS = comb(49, 3)  # against three known cards
HANDS = comb(52, 3)
UNIT = 1  # every stake: no bet of this game is paid with a fraction of it


Outcomes = tuple[tuple[int, Sequence[Line]], ...]  # how many banks, and the lines against one of them


class Matchup(Struct, frozen=True):
    """A class of hands: an example, how many there are, and the result of each decision against every bank.

    The banks are distinguished by whether they play and by whether they are higher, equal or lower.
    """

    hand: Three
    ways: int
    outcomes: Mapping[str, Outcomes]


class DecidedHands(Struct, frozen=True):
    """A class of hands with its decision and its outcomes."""

    hand: Three
    ways: int
    decision: str
    outcomes: Outcomes


class _Banks:
    """The banks of a deck by rank, and how many are left of each kind when three cards are a player's."""

    def __init__(self, rules: Rules) -> None:
        self._plays: dict[Three, bool] = {hand: bank_plays(hand, rules) for hand in combinations(DECK, 3)}
        self._order = rules.order
        ranked = sorted((rank_three(hand, rules.order).rank, hand) for hand in self._plays)
        self._ranked = {plays: [hand for hand in ranked if self._plays[hand[1]] == plays] for plays in (True, False)}
        self._last = ranked[-1][0]
        holding: dict[tuple[Card, ...], dict[bool, list[int]]] = {}
        for rank, hand in ranked:
            plays = self._plays[hand]
            for size in range(3):
                for cards in combinations(hand, size):
                    if cards not in holding:
                        holding[cards] = {True: [0] * (self._last + 1), False: [0] * (self._last + 1)}
                    holding[cards][plays][rank] += 1
        # How many banks with these cards are of a rank or stronger, apart for those that play and those that do not.
        self._down_to = {
            cards: {plays: list(accumulate(counts[plays])) for plays in counts} for cards, counts in holding.items()
        }

    def against(self, hand: Three) -> Iterator[tuple[int, Three]]:
        own = rank_three(hand, self._order).rank
        sides = ((0, own - 1), (own - 1, own), (own, self._last))
        for plays in (True, False):
            for after, until in sides:
                count = self._left(hand, plays, after, until)
                if count:
                    yield count, self._one(hand, plays, after, until)

    def _left(self, hand: Three, plays: bool, after: int, until: int) -> int:
        """For ranks from after + 1 to until: the number of banks that contain none of the hand's cards (inclusion and
        exclusion).
        """
        in_deck_order = tuple(sorted(hand, key=DECK.index))
        count = 0
        for size in range(3):
            for cards in combinations(in_deck_order, size):
                down_to = self._down_to[cards][plays]
                count += (-1) ** size * (down_to[until] - down_to[after])
        return count - (plays == self._plays[in_deck_order] and after < rank_three(hand, self._order).rank <= until)

    def _one(self, hand: Three, plays: bool, after: int, until: int) -> Three:
        ranked = self._ranked[plays]
        first = bisect_left(ranked, after + 1, key=lambda of: of[0])
        return next(bank for _, bank in islice(ranked, first, None) if not set(bank) & set(hand))


def matchups(rules: Rules) -> list[Matchup]:
    """Every class of hands settled against the banks: all 22 100 hands, 18 424 banks against each."""
    banks = _Banks(rules)
    found = []
    for hand, ways in classes_of_sets(3):
        against = list(banks.against(hand))
        outcomes = {
            decision: tuple((count, _lines(hand, bank, decision, rules)) for count, bank in against)
            for decision in DECISIONS
        }
        found.append(Matchup(hand, ways, outcomes))
    return found


def decide_hands(met: Sequence[Matchup], strategy: Strategy) -> list[DecidedHands]:
    """Decides every class of hands by a strategy; where the strategy leaves it open, takes the decision that is worth
    more.
    """
    decided = []
    for hands in met:
        decision = strategy(hands.hand) or max(
            DECISIONS, key=lambda wished: sum(count * _net(lines) for count, lines in hands.outcomes[wished])
        )
        decided.append(DecidedHands(hands.hand, hands.ways, decision, hands.outcomes[decision]))
    return decided


def _lines(hand: Three, bank: Three, decision: str | None, rules: Rules, wager: str = "ante") -> list[Line]:
    return settle({1: SeatRound({wager: UNIT}, decision, hand)}, bank, None, None, rules).seats["1"].lines


def _net(lines: Sequence[Line]) -> int:
    return sum(line.net for line in lines)


def as_best(hand: Three) -> None:
    """The best play: the decision that is worth more."""
    return None


def always(hand: Three) -> str:
    """Play every hand, as a player who is obliged to, or who does not look at the cards."""
    return "play"


def as_the_bank(rules: Rules) -> Strategy:
    """A strategy that plays the hands with which the bank would play."""
    return lambda hand: "play" if bank_plays(hand, rules) else "fold"


def certify_ante(rules: Rules) -> list[Certified]:
    """The ante under the best play, and under the obligation to play with Pair Plus (2008: 9.º 3))."""
    met = matchups(rules)
    others = {
        "play_every_hand": _edge(decide_hands(met, always)),
        "play_what_the_bank_plays": _edge(decide_hands(met, as_the_bank(rules))),
    }
    best = decide_hands(met, as_best)

    def rank(hand: Three) -> int:
        return rank_three(hand, rules.order).rank

    weakest = max((hands for hands in best if hands.decision == "play"), key=lambda hands: rank(hands.hand)).hand
    strongest = [rank(hands.hand) for hands in best if hands.decision == "fold"]
    plays = Fraction(sum(hands.ways for hands in best if hands.decision == "play"), HANDS)
    edge = _edge(best)
    further: dict[str, Plain] = {
        "hands_played": str(plays),
        "element_of_risk": str(edge / (1 + plays)),
        "element_of_risk_decimal": round(float(edge / (1 + plays)), 6),
        "other_strategies": {name: str(other) for name, other in others.items()},
    }
    shown = "-".join(sorted((card[0] for card in weakest), key=lambda face: -rank_of(Card(face + "c"))))
    if not strongest or rank(weakest) < min(strongest):
        how = f"play {shown} or better, fold the rest"
    else:
        how = "play where it is worth more, hand by hand: no single hand parts the two"
    notes = [
        f"Best play: {how}. The edge counts ante, double and ante bonus, per ante.",
        f"{float(plays) * 100:.2f} % of the hands are played; per unit put at risk the edge is "
        f"{float(edge / (1 + plays)) * 100:.2f} %.",
        f"Every hand played: {float(others['play_every_hand']) * 100:.2f} %; played as the bank plays: "
        f"{float(others['play_what_the_bank_plays']) * 100:.2f} %.",
    ]
    found = [exact("ante", _odds(best), notes, further)]
    if rules.articles.obliged_to_play:
        obliged = decide_hands(met, always)
        note = f"Beside Pair Plus the player is obliged to play ({rules.articles.obliged_to_play})."
        risk: dict[str, Plain] = {"element_of_risk": str(_edge(obliged) / 2)}
        found.append(exact("ante_obliged_to_play", _odds(obliged), [note], risk))
    return found


def _edge(decided: Sequence[DecidedHands]) -> Fraction:
    won = sum(
        decided_hands.ways * count * _net(lines) for decided_hands in decided for count, lines in decided_hands.outcomes
    )
    return Fraction(-won, HANDS * BANKS * UNIT)


def _odds(decided: Sequence[DecidedHands]) -> list[OutcomeOdds]:
    found: Counter[tuple[str, int]] = Counter()
    for decided_hands in decided:
        for count, lines in decided_hands.outcomes:
            found[_described(decided_hands, lines), _net(lines)] += decided_hands.ways * count
    rows = [
        OutcomeOdds(outcome=outcome, chance=Fraction(count, HANDS * BANKS), net=Fraction(net, UNIT))
        for (outcome, net), count in found.items()
    ]
    return sorted(rows, key=lambda row: (-(row.net or 0), row.chance))


def _described(decided: DecidedHands, lines: Sequence[Line]) -> str:
    """The outcome in words, out of the lines alone: ante, double, bonus."""
    if decided.decision == "fold":
        return "fold"
    by_wager = {line.wager: line for line in lines}
    words = {
        ("win", "push"): "bank does not play",
        ("win", "win"): "higher than the bank",
        ("push", "push"): "equal to the bank",
        ("lose", "lose"): "lower than the bank",
    }
    text = words[by_wager["ante"].outcome, by_wager["play"].outcome]
    if "ante_bonus" in by_wager:
        text += f", {rank_three(decided.hand).name.replace('_', ' ')} {by_wager['ante_bonus'].odds}"
    return text


def certify_pair_plus(rules: Rules) -> Certified:
    """Pair Plus: all 22 100 hands."""
    found: Counter[tuple[str, int]] = Counter()
    for hand, ways in classes_of_sets(3):
        bank = tuple(card for card in DECK if card not in hand)[:3]
        found[rank_three(hand).name, _net(_lines(hand, bank, None, rules, "pair_plus"))] += ways
    rows = [
        OutcomeOdds(outcome=name, chance=Fraction(found[name, net], HANDS), net=Fraction(net, UNIT))
        for name, net in sorted(found, key=lambda row: STRONGEST_FIRST.index(row[0]))
    ]
    return exact("pair_plus", rows)
