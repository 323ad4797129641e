"""The jackpot of Fortune 3 Card Poker 2025: odds of its tiers, and how many win them in one round. No I/O here."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, prod

from controller.certify.combinations import NOTHING, CombinationCount
from controller.certify.pot import PotTerms, Tiers, Winning
from controller.rulebook.cards import DECK, Card, parse_cards
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.jackpot_award import Award, JackpotTerms, award_jackpot

Three = frozenset[Card]


def tiers_2025(rules: Rules, counted: Mapping[str, CombinationCount], readings: Collection[str] = ()) -> Tiers:
    """The tiers from the combinations in five cards: the player's three and the two community cards (15.º 1)."""
    sets = sum(combination.sets for combination in counted.values())
    chances: dict[str, Fraction] = {}
    for name, combination in counted.items():
        tier = _tier_won(rules, combination) if name != NOTHING else None
        if tier is not None:
            chances[tier] = chances.get(tier, Fraction(0)) + Fraction(combination.sets, sets)

    def award(winners: Winning, terms: PotTerms, pot: int) -> list[Award]:
        return award_jackpot(winners, _terms(terms, pot), rules.jackpot, readings).awards

    return Tiers(
        chances=chances,
        whole_pot=next(name for name, tier in rules.jackpot.items() if tier.percent == 100),
        shares={name: Fraction(tier.percent, 100) for name, tier in rules.jackpot.items() if 0 < tier.percent < 100},
        from_pot={},
        from_house=tuple(name for name, tier in rules.jackpot.items() if tier.percent == 0),
        award=award,
        winners=lambda chips: _winners(rules, chips),
        notes=(
            "The player's three cards and the two community cards: exact.",
            "Several winners in one round are exact too: hands are dealt from one deck and share the community cards.",
        ),
    )


def _terms(terms: PotTerms, pot: int) -> JackpotTerms:
    return JackpotTerms(pot=pot, minimum=terms.minimum, fixed=dict(terms.fixed))


def _tier_won(rules: Rules, combination: CombinationCount) -> str | None:
    """The tier that one set wins at the table, its first three cards the player's."""
    five = parse_cards(combination.example)
    bank = tuple(card for card in DECK if card not in five)[:3]
    seat = SeatRound({"pair_plus": 1, "jackpot": 1}, None, five[:3])
    terms = JackpotTerms(pot=1000, minimum=1000, fixed=dict.fromkeys(rules.jackpot, 1))
    paid = settle({1: seat}, bank, five[3:], terms, rules).jackpot
    return paid.awards[0].tier if paid and paid.awards else None


def _winners(rules: Rules, chips: int) -> dict[Winning, Fraction]:
    """The chance of every set of winners that the pot pays, in a round of so many chips, from no one upwards.

    Exact: only two community cards of one suit leave a straight flush open, and three more cards of that suit make
    it. The joint factorial moments are counted over disjoint threes, and turned into chances.
    """
    names = [name for name, tier in rules.jackpot.items() if tier.percent]
    moments: dict[tuple[int, ...], Fraction] = {}
    suit = [card for card in DECK if card[1] == DECK[0][1]]
    for community in combinations(suit, 2):
        threes: dict[str, list[Three]] = {name: [] for name in names}
        for three in combinations([card for card in suit if card not in community], 3):
            tier = best_combination((*three, *community))
            if tier in threes:
                threes[tier].append(frozenset(three))
        for winners, ways in _disjoint(threes, names).items():
            count = sum(winners)
            if count <= chips:
                dealt = prod(comb(50 - 3 * hand, 3) for hand in range(count))
                seats = factorial(chips) // factorial(chips - count)
                chance = Fraction(4 * ways * seats, comb(52, 2) * dealt)
                moments[winners] = moments.get(winners, Fraction(0)) + chance
    moments[(0,) * len(names)] = Fraction(1)
    chances = {}
    for winners in moments:
        chance = sum(
            (
                (-1) ** (sum(more) - sum(winners)) * prod(map(comb, more, winners)) * moment
                for more, moment in moments.items()
                if all(m >= w for m, w in zip(more, winners, strict=True))
            ),
            Fraction(0),
        )
        if chance:
            in_turn = [name for name, count in zip(names, winners, strict=True) for _ in range(count)]
            chances[tuple(enumerate(in_turn, 1))] = chance
    return chances


def _disjoint(threes: Mapping[str, list[Three]], names: list[str]) -> dict[tuple[int, ...], int]:
    """For each number of threes by tier: the number of sets of disjoint threes, without the empty set."""
    every = [(place, three) for place, name in enumerate(names) for three in threes[name]]
    found: dict[tuple[int, ...], int] = {}

    def extend(after: int, taken: Three, winners: tuple[int, ...]) -> None:
        for index in range(after, len(every)):
            place, three = every[index]
            if not taken & three:
                more = tuple(count + (at == place) for at, count in enumerate(winners))
                found[more] = found.get(more, 0) + 1
                extend(index + 1, taken | three, more)

    extend(0, frozenset(), (0,) * len(names))
    return found
