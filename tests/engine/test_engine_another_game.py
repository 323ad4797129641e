"""A game more is its own rules and its place in the registry: everything shared plays it as it is."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.hands import UnaskedCard
from controller.engine.decisions.link import CompareGrant
from controller.engine.decisions.session import CloseClaims
from controller.engine.decisions.tiles import ReportTilesMoved, TilesDealt
from controller.engine.state.applied import fold
from controller.engine.state.persons import CorrectDice, CorrectWager, Exposed, PersonInput
from controller.engine.state.table import Table
from controller.queries.history import played
from controller.rulebook.games import GAMES
from controller.words import english
from tests.engine.playing import Play, stacked
from tests.engine.reported import open_cards, seat_of
from tests.high_card.rules import HighCard


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Three seats have bet 100, 200 and 300; a king, a seven and a five come against the bank's seven."""
    monkeypatch.setitem(GAMES, HighCard.id, HighCard())
    deck = stacked("Kh", "7d", "5s", "7c")
    play = Play(deck, game=HighCard.id, source="shoe", additional=(), packet_sizes=(), chip=0).to_wagers()
    for seat in (1, 2, 3):
        play.bet(seat, high=100 * seat)
    play.lock()
    return play


def test_a_game_more_is_played_to_the_message_of_its_round(table: Play) -> None:
    report = table.until("claims").report
    assert open_cards(report) == {"seat 1": "Kh", "seat 2": "7d", "seat 3": "5s", "bank": "7c"}
    assert {of.seat: of.net for of in report.seats} == {1: 100, 2: 0, 3: -300}
    assert (report.outcome, table.round.void, report.irregularities) == ("settled", None, ())


def test_a_game_more_is_corrected_voided_and_read_back_as_any_other(table: Play) -> None:
    table.until("confirm")
    table.change(CorrectWager, seat=3, wager="high", amount=500, player=None, reason="counted again")
    assert seat_of(table.report, 3).net == -500
    kept = msgspec.json.encode(table.table)
    assert msgspec.json.decode(kept, type=Table) == table.table == fold(Table(), table.events)
    table.until("claims").say(CloseClaims)
    table.to_wagers().bet(1, high=100).lock()
    table.change(Exposed, to="seat 1", count=1, which=())
    table.until("claims")
    void = table.round.void
    assert void is not None and (void.article, english(void.why)) == ("1", "a card was seen")


def test_a_game_more_has_its_history(table: Play) -> None:
    table.until("claims")
    rounds = played(("", event) for event, _ in table.entries)
    assert [round.round.id for round in rounds] == [1]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (TilesDealt, {}),
        (UnaskedCard, {"seen": True}),
        (CorrectDice, {"dice": (1, 2, 3, 4), "reason": "misread"}),
        (ReportTilesMoved, {"by": "bank"}),
    ],
)
def test_an_input_of_another_game_is_refused_and_changes_nothing(
    table: Play, kind: type[PersonInput], fields: dict[str, Any]
) -> None:
    assert table.at("deal")
    assert table.refused(kind, **fields).reason.code == "not_in_this_game"


def test_a_grant_cannot_be_compared_at_a_table_of_no_linked_pot(table: Play) -> None:
    refusal = table.refused(CompareGrant, "rui", second="ana", claim="1", amount=100, reason="compared")
    assert refusal.reason.code == "nothing_doubted"
