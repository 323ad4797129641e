"""The cost of a key of [rules]: how many rounds differ in money, and each wager's edge before and after. No I/O here.

Outcomes are counted where possible; else random rounds are settled by both readings, on the same cards.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from random import Random

import msgspec
from msgspec import Struct

from controller.certify.accumulated_prize import MOST_CARDS, dealt_aces
from controller.certify.blackjack.by_the_rulebook import BET, lines_by_seat, play_from
from controller.certify.blackjack.simulation import best_strategy
from controller.certify.blackjack.variation import Variation
from controller.certify.jackpot_2025 import tiers_2025
from controller.certify.output import percent
from controller.certify.pot import Winning
from controller.certify.result import Progress, ResultCache
from controller.rulebook.blackjack_21.bets import Backer, SeatBet
from controller.rulebook.blackjack_21.paytable import BACKERS_INSURE, DOUBLES_MORE, THREE_SUITS
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.prize import Winner, award_prize, tier_of
from controller.rulebook.blackjack_21.state import Decided, Insured, RoundState
from controller.rulebook.blackjack_21.waits import CardDue, InsuranceAsked, Over, TurnDue, waits_for
from controller.rulebook.cards import DECK, Card, parse_cards
from controller.rulebook.citations import OtherReading
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.jackpot_award import POT_READINGS, JackpotTerms, award_jackpot
from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.articles import (
    BESIDE_BANKER,
    CASINO_IN_PROPORTION,
    COMMISSION_OF_PLAYERS,
    OVER_THE_ROUND,
)
from controller.rulebook.taiwan_pai_kao.pairs import arrange
from controller.rulebook.taiwan_pai_kao.places import dealing_order, first_place
from controller.rulebook.taiwan_pai_kao.settle import Bank, settle_places
from controller.rulebook.taiwan_pai_kao.tiles import SET
from controller.rulebook.taiwan_pai_kao.wagers import Wager
from controller.system.processes import spread

ROUNDS = 100_000
PART_ROUNDS = 2_000
SMALL = Fraction(1, 10**5)
CHIP, CHIPS = 500, 7
POT = JackpotTerms(
    60_000_000,
    50_000_000,
    dict.fromkeys(RULES_2025.jackpot, 0) | {"royal_flush": 5_000_000, "straight_flush": 1_000_000},
)
DECKS, MOST_CARDS_OF_A_ROUND = 6, 60  # more than one seat and the bank can draw

Moved = tuple[str, int, int]  # a wager, what was staked on it, and what it changed in the money of its owner
RoundDealt = Callable[[Collection[str]], list[Moved]]  # the money of one round by these keys


class CostPart(Struct, frozen=True):
    """A number of rounds of a key, with their own seed."""

    key: str
    rounds: int
    seed: str


class CostTally(Struct):
    """Rounds settled by both readings: how many differ, and the stakes and nets of each reading by wager."""

    rounds: int = 0
    differ: int = 0
    staked: dict[str, list[int]] = {}
    net: dict[str, list[int]] = {}

    def add(self, other: "CostTally") -> None:
        """Adds the result of another part."""
        self.rounds += other.rounds
        self.differ += other.differ
        for sums, more in ((self.staked, other.staked), (self.net, other.net)):
            for wager, by_reading in more.items():
                before = sums.setdefault(wager, [0, 0])
                sums[wager] = [known + more for known, more in zip(before, by_reading, strict=True)]

    def enter(self, decided: list[Moved], chosen: list[Moved]) -> None:
        """Enters one round by both readings."""
        self.rounds += 1
        self.differ += decided != chosen
        for reading, moved in enumerate((decided, chosen)):
            for wager, staked, net in moved:
                self.staked.setdefault(wager, [0, 0])[reading] += staked
                self.net.setdefault(wager, [0, 0])[reading] += net


class ReadingCost(Struct, frozen=True, kw_only=True):
    """What one key costs under what is `assumed`: the share of rounds that differ, and the edge of each wager.

    `rounds` is 0 if every outcome was counted. An edge is None for a reading under which no one makes the wager.
    """

    reading: OtherReading
    assumed: str
    rounds: int
    differ: Fraction
    edges: dict[str, tuple[Fraction | None, Fraction | None]]

    def row(self) -> str:
        """The row of a table in Markdown: key, article, share of the rounds that differ, edges before and after."""
        edges = "; ".join(f"{wager} {_edges(*edges)}" for wager, edges in self.edges.items())
        return f"| `{self.reading.key}` | {self.reading.article} | {_share(self.differ)} | {edges} |"


def _share(share: Fraction) -> str:
    """A share in percent; one that is too small for four decimal places is given as 1 in a number."""
    return f"1 in {round(1 / share)}" if 0 < share < SMALL else percent(float(share))


def _edges(before: Fraction | None, after: Fraction | None) -> str:
    old, new = ("none" if edge is None else percent(float(edge)) for edge in (before, after))
    if before is None or after is None or old != new or before == after:
        return f"{old} → {new}"
    return f"{old} → {new} ({float((after - before) * 100):+.1e} %)"


class CostScenario(Struct, frozen=True):
    """How rounds are dealt to compare two readings; `assumed` describes it in a sentence."""

    assumed: str
    deal: Callable[[Random], RoundDealt]


class CountedScenario(Struct, frozen=True):
    """Every outcome of a round with its chance, to compare two readings; `assumed` describes the assumptions in a
    sentence.
    """

    assumed: str
    outcomes: Callable[[], Iterable[tuple[Fraction, RoundDealt]]]


def cost_of(
    reading: OtherReading, rounds: int, seed: int, progress: Progress, kept: ResultCache, processes: int
) -> ReadingCost:
    """Counts every outcome, or settles so many rounds by both readings.

    The same seed gives the same result, with any number of processes and interruptions.
    """
    if reading.key in COUNTED:
        return _counted(reading, COUNTED[reading.key])
    return _settled(reading, rounds, seed, progress, kept, processes)


def _counted(reading: OtherReading, scenario: CountedScenario) -> ReadingCost:
    differ = Fraction(0)
    sums: dict[str, list[Fraction]] = {}
    for chance, dealt in scenario.outcomes():
        by_reading = dealt(()), dealt((reading.key,))
        differ += chance * (by_reading[0] != by_reading[1])
        for at, moved in enumerate(by_reading):
            for wager, staked, net in moved:
                sums.setdefault(wager, [Fraction(0)] * 4)[at] += chance * staked
                sums[wager][at + 2] -= chance * net
    return ReadingCost(
        reading=reading,
        assumed=scenario.assumed,
        rounds=0,
        differ=differ,
        edges={wager: (_per(of[2], of[0]), _per(of[3], of[1])) for wager, of in sums.items()},
    )


def _settled(
    reading: OtherReading, rounds: int, seed: int, progress: Progress, kept: ResultCache, processes: int
) -> ReadingCost:
    parts = [
        CostPart(reading.key, min(PART_ROUNDS, rounds - first), f"{seed}:{first}")
        for first in range(0, rounds, PART_ROUNDS)
    ]
    whole, missing = CostTally(), []
    for part in parts:
        before = kept.load(_name(part))
        if before is None:
            missing.append(part)
        else:
            whole.add(msgspec.convert(before, CostTally))
    progress.advance(len(parts) - len(missing), len(parts), reading.key)
    for done, (part, tally) in enumerate(spread(settle_part, missing, processes), len(parts) - len(missing) + 1):
        kept.store(_name(part), msgspec.to_builtins(tally))
        whole.add(tally)
        progress.advance(done, len(parts), reading.key)
    edges = {
        wager: (_per(-net[0], whole.staked[wager][0]), _per(-net[1], whole.staked[wager][1]))
        for wager, net in whole.net.items()
    }
    return ReadingCost(
        reading=reading,
        assumed=SETTLED[reading.key].assumed,
        rounds=whole.rounds,
        differ=Fraction(whole.differ, whole.rounds),
        edges=edges,
    )


def _per(lost: int | Fraction, staked: int | Fraction) -> Fraction | None:
    return Fraction(lost) / staked if staked else None


def _name(part: CostPart) -> str:
    return f"cost of {part.key}, {part.rounds} rounds, seed {part.seed}"


def settle_part(part: CostPart) -> CostTally:
    """Deals and settles the rounds of one part."""
    random, tally = Random(f"{part.key} {part.seed}"), CostTally()
    for _ in range(part.rounds):
        dealt = SETTLED[part.key].deal(random)
        tally.enter(dealt(()), dealt((part.key,)))
    return tally


def costs_text(costs: Sequence[ReadingCost]) -> str:
    """The table of docs/law/README.md, with the assumptions for each key."""
    rows = [
        "| Key | Article | Rounds that differ | House edge before → after |",
        "| --- | --- | --- | --- |",
        *(cost.row() for cost in costs),
    ]
    notes = [f"- `{cost.reading.key}`: {cost.assumed} {_how(cost)}" for cost in costs]
    return "\n".join([*rows, "", *notes])


def _how(cost: ReadingCost) -> str:
    return f"{cost.rounds} rounds." if cost.rounds else "Every outcome is counted."


def costs_json(costs: Sequence[ReadingCost]) -> bytes:
    """{key: {article, rounds, differ, edges: {wager: [before, after]}, assumed}}; fractions as text."""
    shown = {
        cost.reading.key: {
            "article": cost.reading.article,
            "rounds": cost.rounds,
            "differ": str(cost.differ),
            "edges": {
                wager: [None if edge is None else str(edge) for edge in edges] for wager, edges in cost.edges.items()
            },
            "assumed": cost.assumed,
        }
        for cost in costs
    }
    return msgspec.json.encode(shown)


# ---- rounds of Taiwan-Pai Kao


def _of_eight_places(capital: int, casino: int = 0, joined: int = 0) -> Callable[[Random], RoundDealt]:
    """Seven places with 100, 200 or 300 each against a banker at place 1; the tiles are dealt as the dice decide."""

    def deal(random: Random) -> RoundDealt:
        stack = random.sample(SET, len(SET))
        dice = [random.randint(1, 6) for _ in range(4)]
        wagers = [Wager(place, "A", 100 * random.randint(1, 3)) for place in range(2, 9)]
        if joined:
            wagers.append(Wager(1, "J", joined))

        def settled(keys: Collection[str]) -> list[Moved]:
            order = dealing_order(first_place(dice, 1, 8, BESIDE_BANKER in keys), 8)
            hands = {place: arrange(stack[4 * turn : 4 * turn + 4]) for turn, place in enumerate(order)}
            answer = settle_places(Bank(1, capital, casino), dice, hands, wagers, keys)
            lines = [line for seat in answer.seats.values() for line in seat.lines or ()]
            against = sum(line.stake for line in lines)
            moved = [("place", line.stake, line.net) for line in lines]
            moved += [("bank", against, answer.bank.net)]
            moved += [("commission", against, -sum(line.commission for line in lines))]
            if answer.bank.casino:
                moved += [("casino", casino, answer.bank.casino.net)]
            return moved + [("joined", line.stake, line.net) for line in answer.bank.joiners or ()]

        return settled

    return deal


SEVEN = "Eight places, seven with a wager of 100, 200 or 300 against a capital of"
PAI_KAO = {
    BESIDE_BANKER: CostScenario(f"{SEVEN} 10 000.", _of_eight_places(10_000)),
    OVER_THE_ROUND: CostScenario(f"{SEVEN} 1 000.", _of_eight_places(1_000)),
    CASINO_IN_PROPORTION: CostScenario(
        f"{SEVEN} 600, with 400 of the casino and 500 of a player behind it.", _of_eight_places(600, 400, 500)
    ),
    COMMISSION_OF_PLAYERS: CostScenario(f"{SEVEN} 10 000.", _of_eight_places(10_000)),
}


# ---- rounds of black-jack


def _with_doubles(random: Random) -> RoundDealt:
    """A seat alone at a fresh shoe of six decks, by the best strategy of either reading."""
    cards = [DECK[place % len(DECK)] for place in random.sample(range(DECKS * len(DECK)), MOST_CARDS_OF_A_ROUND)]

    def settled(keys: Collection[str]) -> list[Moved]:
        rules = Variation(doubles_more=DOUBLES_MORE in keys)
        state, _ = play_from(cards, 1, best_strategy(rules), rules)
        (lines,) = lines_by_seat(state)
        return [("main_game", BET, sum(line.net for line in lines))]

    return settled


def _insurances() -> Iterator[tuple[Fraction, RoundDealt]]:
    """The bank has an open ace, with and without a ten behind it; the backer insures if he may, else no one does."""
    shoe, aces, tens = DECKS * len(DECK), DECKS * 4, DECKS * 16
    for second, ways in (("Kd", tens), ("9d", shoe - 1 - tens)):
        yield Fraction(aces * ways, shoe * (shoe - 1)), partial(_insured_by_the_backer, second)


def _insured_by_the_backer(second: str, keys: Collection[str]) -> list[Moved]:
    seat_bet = SeatBet(seat=1, bet=BET, backers=(Backer("B", BET),))
    state, cards = opened_round([seat_bet], tuple(keys)), iter(parse_cards(f"Tc Ah 9c {second}"))
    while not isinstance(wait := waits_for(state), Over):
        match wait:
            case CardDue():
                state = with_card(state, next(cards))
            case TurnDue():
                state = with_card(state, None)
            case InsuranceAsked(most=(_, most)):
                state = _with_insurance(state, most)
            case _:
                state = with_answer(state, Decided("stand"))
    (lines,) = lines_by_seat(state)
    return [(line.wager, line.stake, line.net) for line in lines if line.wager == "insurance"]


def _with_insurance(state: RoundState, most: int) -> RoundState:
    try:
        return with_answer(state, Insured((0, most)))
    except Refusal:
        return with_answer(state, Insured((0, 0)))


def _first_aces() -> Iterator[tuple[Fraction, RoundDealt]]:
    """The first cards of a seat that is dealt four while they are aces."""
    for cards, chance in dealt_aces(DECKS, MOST_CARDS):
        yield chance, partial(_prize, cards)


def _prize(cards: Sequence[Card], keys: Collection[str]) -> list[Moved]:
    tier, terms = tier_of(cards, keys), JackpotTerms(pot=15_000 * CHIP, minimum=10_000 * CHIP, fixed={})
    awards = award_prize([Winner(1, tier)], CHIP, terms).awards if tier is not None else []
    return [("jackpot", CHIP, sum(award.amount for award in awards) - CHIP)]


# ---- rounds of Fortune 3 Card Poker


def _hits() -> Iterator[tuple[Fraction, RoundDealt]]:
    """The winners of the pot in a round of seven chips."""
    for winners, chance in tiers_2025(RULES_2025, {}).winners(CHIPS).items():
        yield chance, partial(_awards, winners)


def _awards(winners: Winning, keys: Collection[str]) -> list[Moved]:
    paid = award_jackpot(winners, POT, RULES_2025.jackpot, keys)
    return [("jackpot", CHIPS * CHIP, sum(award.amount for award in paid.awards) - CHIPS * CHIP)]


COUNTED = {
    BACKERS_INSURE: CountedScenario(
        "A fresh shoe of six decks; a player who does not insure, and one who bets along and does where he may.",
        _insurances,
    ),
    THREE_SUITS: CountedScenario(
        "A chip at a fresh shoe of six decks, the pot 15 000 chips; a seat is dealt four cards while they are aces.",
        _first_aces,
    ),
    **dict.fromkeys(
        POT_READINGS,
        CountedScenario(
            "Seven chips of 5.00, the pot 600 000.00, fixed amounts of 50 000.00 and 10 000.00; what the house pays "
            "alone is left out.",
            _hits,
        ),
    ),
}
"""The keys of which every outcome can be counted."""

SETTLED = {
    DOUBLES_MORE: CostScenario(
        "One seat at a fresh shoe of six decks, played by the best strategy of either reading.", _with_doubles
    ),
    **PAI_KAO,
}
"""How rounds are dealt to compare readings of the other keys."""

COMPARED = (*SETTLED, *COUNTED)
"""All keys but those that decide only when a round is void."""
