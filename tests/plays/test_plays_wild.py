"""Anything in any order, in every game: money conserved, no card known too soon, a way out, and a referee agrees."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulebook.cards import Card
from controller.rulebook.games import GAMES
from tests.disputes.rounds import bundles
from tests.high_card.rules import HighCard
from tests.plays.informed import COURSES, Corrections, Course, Tally, correct, play_round
from tests.plays.tables import played
from tests.plays.wild import KINDS
from tests.referee.bundle.verify import verify

EACH_GAME = pytest.mark.parametrize("game", [*GAMES, HighCard.id])
NEVER_TAKEN = {  # at a table of its own pot and of the newest act, whose journal is the newest and has lost nothing
    "AcceptPit", "ActsDone", "ApproveParameters", "ApproveRegulation", "BeginEpoch", "CompareGrant",
    "SetAside", "SettleOnPaper", "Vouch",
}  # fmt: skip

SELDOM_TAKEN = {  # which these few tables may not come to
    "CardReplaced", "ConfirmHit", "DiceNull", "EvenMoney", "Extracted", "InformInspection", "JamCleared", "DeclineAll",
    "PassBank", "PrintSlip", "ReportTilesMoved", "UnaskedCard", "WitnessCards",
}  # fmt: skip
OF_FEW_TABLES = {"Acknowledge", "CorrectDecision", "Insure", "NoBets", "ToEmptySeat", "UseSource"}


@pytest.fixture
def a_game_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HighCard.id, HighCard())


@pytest.mark.usefixtures("a_game_more")
@EACH_GAME
def test_whatever_happens_money_is_conserved_no_card_is_known_too_soon_and_there_is_a_way_out(game: str) -> None:
    @settings(max_examples=settings().max_examples // 8)
    @given(st.integers(0, 2**32), st.integers(50, 100))
    def holds(seed: int, things: int) -> None:
        table = played(game, seed, things)
        table.unread.clear()
        while not table.at("wagers"):
            table.usual()
        table.bet_something()
        table.to_rest()
        assert len(table.entries) == table.table.version
        table.is_decided_again_as_it_was()
        if game != HighCard.id:
            found = [verify(bundle) for bundle in bundles(table.events)]
            assert [verdict["wrong"] for verdict in found if verdict["wrong"]] == []

    holds()


@pytest.mark.usefixtures("a_game_more")
@EACH_GAME
def test_art_18_3_unshown_cards_changed_about_change_no_byte_that_anybody_can_read(game: str) -> None:
    @settings(max_examples=settings().max_examples // 8)
    @given(st.integers(0, 2**32), st.integers(20, 60), st.integers(0, 2**32))
    def holds(seed: int, things: int, other: int) -> None:
        table = played(game, seed, things)
        named = {name.decode() for channel in table.channels for name in table.named.findall(channel)}
        fixed = named | set(table.reserve)

        def changed_about(cards: list[Card]) -> list[Card]:
            fixed.update(card for card, times in Counter(cards).items() if times > table.copies(card))
            hidden = [card for card in cards if card not in fixed]
            Random(other).shuffle(hidden)
            others = iter(hidden)
            return [card if card in fixed else next(others) for card in cards]

        assert played(game, seed, things, changed_about).channels == table.channels

    holds()


@pytest.mark.usefixtures("a_game_more")
@pytest.mark.parametrize(
    ("tables", "seldom"),
    [(5, SELDOM_TAKEN | OF_FEW_TABLES), pytest.param(14, SELDOM_TAKEN, marks=pytest.mark.soak)],
    ids=["few tables", "many tables"],
)
def test_every_input_is_tried_and_taken_where_it_can_be(tables: int, seldom: set[str]) -> None:
    tried: Counter[tuple[str, bool]] = Counter()
    for game in GAMES:
        for seed in range(tables):
            for (kind, taken), times in played(game, seed).tried.items():
                tried[kind.__name__, taken] += times
    names = {kind.__name__ for kind in KINDS}
    assert NEVER_TAKEN <= {name for name in names if not tried[name, True]} <= NEVER_TAKEN | seldom
    assert all(tried[name, False] for name in NEVER_TAKEN)


EACH_COURSE = pytest.mark.parametrize("course", COURSES, ids=[course.game for course in COURSES])


@EACH_COURSE
def test_no_dealer_alone_betters_a_result_and_no_one_alone_makes_an_informed_bet(course: type[Course]) -> None:
    tally = Tally()
    for seed in range(30):
        play_round(course, seed, tally)
    assert tally.rounds > 15 and tally.at_once > 5 and tally.waited > 5 and tally.approved > 1


@EACH_COURSE
def test_each_slip_is_corrected_at_whatever_step_it_is_noticed(course: type[Course]) -> None:
    tally = Corrections()
    for seed in range(30):
        correct(course, seed, tally)
    assert tally.refused == {} and tally.slips > 10 and tally.by_supervisor > 1
