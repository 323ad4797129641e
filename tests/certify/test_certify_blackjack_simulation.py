"""The main game simulated: as the rulebook plays and pays it, with an honest interval, the same however it is run."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from controller.certify.blackjack import simulation
from controller.certify.blackjack.by_the_rulebook import play_round
from controller.certify.blackjack.dealing import BEHIND_THE_WARNING_CARD, SimulatedSeats, cards_of, dealing_for
from controller.certify.blackjack.infinite_deck import InfiniteDeck
from controller.certify.blackjack.main_game import MAIN_TABLE, SEED, certify_main_game, estimate, infinite_deck
from controller.certify.blackjack.simulation import (
    Disagreement,
    SimulationPart,
    SimulationTally,
    best_strategy,
    play_part,
    simulate_seat,
)
from controller.certify.result import Unkept, Unwatched
from controller.rulebook.blackjack_21 import points, settle
from controller.rulebook.cards import DECK, parse_cards
from controller.rulebook.refusal import Refusal
from controller.statistics.odds import known_odds
from tests.certify.known_odds import ROUNDS, TABLES, simulated
from tests.with_words import with_words

ENDLESS = SimulatedSeats(source="endless")
EVERY_ROUND = 1


@pytest.fixture
def nothing_settled() -> None:
    """No class of outcome is known from an earlier test."""
    simulation._settled_so_far.cache_clear()


@pytest.mark.parametrize(
    ("table", "rounds"),
    [
        (MAIN_TABLE, 1000),
        (ENDLESS, 500),
        (SimulatedSeats(source="shoe", decks=4, seats=3), 500),
        (SimulatedSeats(source="shoe", decks=6), 500),
        pytest.param(MAIN_TABLE, 20_000, marks=pytest.mark.soak),
    ],
    ids=lambda value: value.name if isinstance(value, SimulatedSeats) else None,
)
def test_certify_blackjack_plays_and_pays_as_the_rulebook_in_every_round(table: SimulatedSeats, rounds: int) -> None:
    tally = play_part(SimulationPart(table, 7, 0, rounds), EVERY_ROUND)
    assert tally.compared >= rounds // table.seats
    assert tally.rounds >= rounds and tally.void == 0


def test_certify_blackjack_a_class_pays_what_its_rounds_are_paid_one_by_one(nothing_settled: None) -> None:
    by_class = play_part(SimulationPart(MAIN_TABLE, 3, 0, 1000), 10**9)
    simulation._settled_so_far.cache_clear()
    one_by_one = play_part(SimulationPart(MAIN_TABLE, 3, 0, 1000), EVERY_ROUND)
    assert by_class.compared < 300 < one_by_one.compared
    assert (by_class.net, by_class.outcomes, by_class.special) == (
        one_by_one.net,
        one_by_one.outcomes,
        one_by_one.special,
    )


def test_certify_blackjack_stops_where_the_settlement_pays_otherwise(
    monkeypatch: pytest.MonkeyPatch, nothing_settled: None
) -> None:
    play_part(SimulationPart(MAIN_TABLE, 1, 0, 500))
    monkeypatch.setattr(settle, "_lost", lambda rule: settle.Fate("lose", -1, None, rule))
    with pytest.raises(Disagreement, match="a seat nets"):
        play_part(SimulationPart(MAIN_TABLE, 1, 0, 500), EVERY_ROUND)


def test_certify_blackjack_stops_where_the_rulebook_plays_otherwise(
    monkeypatch: pytest.MonkeyPatch, nothing_settled: None
) -> None:
    play_part(SimulationPart(MAIN_TABLE, 1, 0, 1))
    monkeypatch.setattr(points, "BANK_STANDS_FROM", 16)
    with pytest.raises(Disagreement, match="the rulebook deals 1 cards fewer"):
        play_part(SimulationPart(MAIN_TABLE, 1, 0, 500), EVERY_ROUND)


def test_certify_blackjack_simulated_on_an_endless_deck_agrees_with_the_exact_edge() -> None:
    tally = play_part(SimulationPart(ENDLESS, 1, 0, 60_000))
    found = estimate(tally)
    exact = float(InfiniteDeck().edge())
    assert found.interval[0] < exact < found.interval[1]
    assert 0.008 < found.within < 0.01
    prize = infinite_deck().further["special_prize"]
    assert isinstance(prize, str)
    expected = float(Fraction(prize))
    assert tally.special / 2 / tally.rounds == pytest.approx(expected, abs=4 * sqrt(3 * expected / tally.rounds))


def test_certify_blackjack_the_same_seed_gives_the_same_tally_however_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "PART_ROUNDS", 400)
    whole = simulate_seat(MAIN_TABLE, 1000, 5, Unwatched(), Unkept(), 1)
    assert (whole.rounds, whole.stretches) == (1000, 1000)
    kept = Unkept()
    played: list[int] = []

    def stopped(part: SimulationPart) -> SimulationTally:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(part.number)
        return play_part(part)

    monkeypatch.setattr(simulation, "play_part", stopped)
    with pytest.raises(KeyboardInterrupt):
        simulate_seat(MAIN_TABLE, 1000, 5, Unwatched(), kept, 1)
    played.clear()
    again = simulate_seat(MAIN_TABLE, 1000, 5, Unwatched(), kept, 1)
    assert played == [2]
    assert (again.net, again.outcomes, again.net_by_net) == (whole.net, whole.outcomes, whole.net_by_net)
    played.clear()
    assert simulate_seat(MAIN_TABLE, 800, 6, Unwatched(), Unkept(), 1).outcomes != whole.outcomes


def test_certify_blackjack_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "PART_ROUNDS", 50)
    progress: list[tuple[int, int, str]] = []

    class Watched:
        def advance(self, done: int, total: int, what: str) -> None:
            progress.append((done, total, what))

    simulate_seat(MAIN_TABLE, 101, 1, Watched(), Unkept(), 1)
    assert progress == [(done, 3, MAIN_TABLE.name) for done in range(4)]


def test_certify_blackjack_interval_of_single_rounds_is_that_of_a_mean() -> None:
    nets = [-2, -2, 2, 3, 0, -1, 2, -4, 2, -2]  # in halves of the bet
    ones = len(nets)
    tally = SimulationTally(
        rounds=ones,
        net=sum(nets),
        stretches=ones,
        net_by_net=sum(net * net for net in nets),
        net_by_rounds=sum(nets),
        rounds_by_rounds=ones,
    )
    found = estimate(tally)
    mean = sum(nets) / 2 / ones
    error = sqrt(sum((net / 2 - mean) ** 2 for net in nets) / (ones - 1) / ones)
    assert found.edge == pytest.approx(-mean)
    assert found.within == pytest.approx(1.959964 * error)


def test_certify_blackjack_seats_that_win_together_count_as_one_observation() -> None:
    alone = SimulationTally(rounds=4, net=2, stretches=4, net_by_net=16 + 4, net_by_rounds=2, rounds_by_rounds=4)
    of_seven = SimulationTally(
        rounds=28, net=14, stretches=4, net_by_net=49 * 20, net_by_rounds=49 * 2, rounds_by_rounds=49 * 4
    )
    assert estimate(of_seven) == estimate(alone)


def test_certify_blackjack_a_shuffler_deals_from_all_its_cards_in_every_round() -> None:
    dealing = dealing_for(SimulatedSeats(source="shuffler", decks=4), Random(1))
    for _ in range(2):
        assert dealing.begin_round()
        drawn = [dealing.draw() for _ in range(4 * 52)]
        assert set(Counter(drawn).values()) == {4} and len(set(drawn)) == 52
        with pytest.raises(IndexError):
            dealing.draw()


@pytest.mark.parametrize(("seats", "behind"), [(7, BEHIND_THE_WARNING_CARD), (1, 6 * 26)])
def test_certify_blackjack_a_shoe_ends_with_the_round_in_which_its_warning_card_comes(seats: int, behind: int) -> None:
    """One card is burned (10); a warning card that comes just before a round lets that round be played (9, 11)."""
    dealing = dealing_for(SimulatedSeats(source="shoe", decks=6, seats=seats), Random(1))
    assert dealing.begin_round()
    before = 6 * 52 - 1 - behind
    drawn = [dealing.draw() for _ in range(before)]
    assert not dealing.begin_round() and dealing.drawn == []
    drawn.append(dealing.draw())
    assert dealing.begin_round()
    assert len(drawn) == before + 1 and max(Counter(drawn).values()) <= 6


def test_certify_blackjack_a_round_that_the_shoe_cannot_finish_is_void() -> None:
    table = SimulatedSeats(source="shoe", decks=4, seats=3)

    class Short:
        """Every second shoe has five cards: not enough for three seats."""

        def __init__(self) -> None:
            self.drawn: list[int] = []
            self._rounds = 0

        def begin_round(self) -> bool:
            self.drawn.clear()
            self._rounds += 1
            return True

        def draw(self) -> int:
            if self._rounds % 2 == 0 and len(self.drawn) == 5:
                raise IndexError
            self.drawn.append((self._rounds * 31 + len(self.drawn) * 17) % 52)
            return self.drawn[-1]

    session = simulation._Session(SimulationPart(table, 1, 0, 30), Short(), {})
    tally = session.played(EVERY_ROUND)
    assert (tally.rounds, tally.stretches, tally.void) == (30, 10, 9)
    assert sum(tally.outcomes.values()) == 30


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (SimulatedSeats(source="endless", decks=6), "an endless deck has no number of decks, not 6"),
        (SimulatedSeats(source="shoe", decks=8), "a shoe has 4 or 6 decks, not 8"),
        (SimulatedSeats(source="shuffler"), "a shuffler has 4 or 6 decks, not None"),
    ],
)
def test_certify_blackjack_refuses_a_table_that_cannot_be(table: SimulatedSeats, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        dealing_for(table, Random(1))


def test_certify_blackjack_the_rulebook_takes_exactly_the_cards_of_a_round() -> None:
    cards = parse_cards("Ts 6s 9d Th 5c")  # 19 stands, the bank's 16 draws a five
    strategy = best_strategy()
    assert play_round(cards, 1, strategy).bank == parse_cards("6s Th 5c")
    with pytest.raises(ValueError, match="deals bank a card more than 4"):
        play_round(cards[:4], 1, strategy)
    with pytest.raises(ValueError, match="deals 1 cards fewer than 6"):
        play_round((*cards, DECK[0]), 1, strategy)
    assert cards_of([0, 51]) == parse_cards("2c As")


def test_certify_blackjack_too_few_rounds_have_no_interval() -> None:
    with pytest.raises(
        Refusal, check=with_words("rounds: must be at least 1000, not 999: fewer have no fair interval")
    ):
        certify_main_game(rounds=999)


def test_certify_blackjack_main_game_says_how_it_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "PART_ROUNDS", 1000)
    simulated, exact = certify_main_game(rounds=2000, seed=9, others=(ENDLESS,))(Unwatched(), Unkept(), 1)
    assert (simulated.wager, simulated.method, simulated.house_edge) == ("main_game", "simulated", None)
    assert sum(row.chance for row in simulated.odds) == 1
    assert simulated.edge == pytest.approx(-float(sum(row.chance * (row.net or 0) for row in simulated.odds)))
    assert simulated.edge is not None and simulated.interval is not None
    assert simulated.interval[0] < simulated.edge < simulated.interval[1]
    assert isinstance(simulated.variance, float) and 1 < simulated.variance < 1.5
    assert any(
        "2 000 rounds at a shuffler of 6 decks, 1 seat, seed 9; 95 % confidence" in note for note in simulated.notes
    )
    assert simulated.further["strategy"] == best_strategy().rows()
    assert (exact.method, exact.house_edge) == ("exact", InfiniteDeck().edge())
    assert exact.edge == float(InfiniteDeck().edge())


def test_the_statistics_know_the_main_game_of_every_table_by_the_regulations_readings() -> None:
    kept = [row for row in known_odds()["blackjack-21"] if row.wager == "main_game"]
    assert [(row.source, row.decks) for row in kept] == [(table.source, table.decks) for table in TABLES]
    exact = infinite_deck(beside_simulated=True).edge or 0
    for row in kept:
        assert (row.rounds, row.seed) == (ROUNDS, SEED)
        assert abs(float(row.edge) - exact) < 0.006  # what a whole deck before every card makes of it
        low, high = map(float, row.interval or ())
        assert (low + high) / 2 == pytest.approx(float(row.edge), abs=0.000002)
        # The seats of a round hang together.
        assert 0.99 < (high - low) / (2 * 1.96 * sqrt(float(row.variance) / ROUNDS)) < 2


def test_what_the_statistics_know_is_what_the_simulation_says() -> None:
    tally = simulate_seat(MAIN_TABLE, 2000, 9, Unwatched(), Unkept(), 1)
    [account, _] = certify_main_game(rounds=2000, seed=9, others=())(Unwatched(), Unkept(), 1)
    figures = simulated(MAIN_TABLE, tally)
    assert account.edge is not None and account.interval is not None and account.variance is not None
    assert (figures.edge, figures.variance) == (f"{account.edge:.6f}", f"{float(account.variance):.6f}")
    assert figures.interval == tuple(f"{end:.6f}" for end in account.interval)
