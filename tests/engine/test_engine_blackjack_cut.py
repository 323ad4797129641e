"""Black-jack/21 at the table, 5 to 12, 53 to 58: whose turn it is to cut, the warning card, what is done by hand."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.decisions.cards import Cut, PassCut, UnreportedCard
from controller.engine.decisions.devices import CutCard
from controller.engine.decisions.hands import PlaceWarningCard
from controller.engine.decisions.session import ActsDone, BeginRound, CloseTable, NoBets, OpenTable
from controller.engine.state.events import ActsRecorded
from controller.queries.history import played
from controller.rulebook.events import CardSource, DeckCut
from controller.rulebook.games import GAMES
from controller.rulebook.refusal import Refusal
from tests.engine.hands import WARNING_CARD, Hands


def at_cut() -> Hands:
    return Hands().until("cut")


def pass_on(play: Hands, *seats: int, vacant: bool = False) -> Hands:
    for seat in seats:
        play.say(PassCut, seat=seat, vacant=vacant)
    return play


def cuts(play: Hands, by: str) -> Hands:
    """This seat cuts, a round is dealt, the warning card comes out, and the next shoe is to be cut."""
    play.say(Cut, by=by)
    play.to_deal(1)
    play.receive(WARNING_CARD)
    return play.settled().until("cut")


# ---- 8: whose turn it is


def with_inspectors(play: Hands) -> Hands:
    people = {**play.settings.people, "ivo": "inspector", "eva": "inspector"}
    play.settings = replace(play.settings, people=people)
    return play


def test_blackjack_rule_8_the_table_inspector_who_cuts_is_recorded_by_name() -> None:
    play = pass_on(with_inspectors(at_cut()), 1, 2, 3, 4, 5, 6, 7)
    for name in ("", "ana", "rui", "zoe"):
        assert play.refused(Cut, by="bank", name=name).article == "8"
    play.say(Cut, by="bank", name="eva")
    assert play.events[-1] == DeckCut(by="bank", name="eva")


def test_blackjack_rule_8_the_table_inspector_says_so_himself_and_nothing_else() -> None:
    play = pass_on(with_inspectors(at_cut()), 1, 2, 3, 4, 5, 6, 7)
    for kind, fields in ((PassCut, {"seat": 1, "vacant": False}), (UnreportedCard, {})):
        assert refused_for(play, kind, "ivo", **fields) == "policy: roles"
    cut = Cut(input_id="x", step_id=play.step.id, actor="ivo", by="bank")
    play.check(cut)
    play.receive(cut)
    assert play.events[-1] == DeckCut(by="bank", name="ivo")


def test_blackjack_rule_8_a_player_who_cuts_and_a_table_without_inspectors_have_no_name() -> None:
    play = with_inspectors(at_cut())
    assert play.refused(Cut, by="seat 1", name="ivo").article == "8"
    play.say(Cut, by="seat 1")
    assert play.events[-1] == DeckCut(by="seat 1")
    play = pass_on(at_cut(), 1, 2, 3, 4, 5, 6, 7)
    assert play.refused(Cut, by="bank", name="ana").article == "8"
    play.say(Cut, by="bank")
    assert play.events[-1] == DeckCut(by="bank", name=None)


def refused_for(play: Hands, kind: type[Any], actor: str, **fields: object) -> str | None:
    with pytest.raises(Refusal) as refusal:
        play.check(kind(input_id="x", step_id=play.step.id, actor=actor, **fields))
    return refusal.value.article


def test_a_round_without_play_counts_in_no_figures_and_the_next_has_a_number_of_its_own() -> None:
    play = Hands().to_deal(1).settled().until("wagers")
    play.say(NoBets)
    play.to_deal(1).settled().until("claims")
    assert play.round.id == 3
    found = played(("", event) for event in play.events)
    assert [past.round.id for past in found] == [1, 3]


def test_blackjack_rule_8_a_table_of_six_seats_goes_round_six() -> None:
    play = pass_on(Hands(seats=6).until("cut"), 1, 2, 3, 4, 5, 6)
    assert play.step.seat is None


# ---- 9 and 11: the warning card


def drawn_to(left: int, place: str = "end") -> Hands:
    """A shoe of which so many cards are left between two rounds; all but those of one round are taken as drawn."""
    play = Hands().until("warning")
    play.say(PlaceWarningCard, place=place)
    play.to_deal(1).settled().until("begin")
    play.table = replace(play.table, shoe=replace(play.table.shoe, drawn=208 - left))
    return play


def test_blackjack_rule_11_a_warning_card_that_was_not_reported_is_missed_by_the_count_of_the_cards() -> None:
    play = Hands().until("warning")
    play.say(PlaceWarningCard, place="end")
    while play.table.shoe.left > 40:
        play.to_deal(1, 2, 3, 4, 5, 6, 7) if play.at("begin", "wagers") else play.proceed()
    assert play.overdue() == []
    while play.table.shoe.left > 39:
        play.to_deal(1) if play.at("begin", "wagers") else play.proceed()
    assert len(play.overdue()) == 1
    is_reported = play.overdue()[0]
    assert "39 cards are left" in is_reported and "(11)" in is_reported
    play.say(CutCard)
    assert play.overdue() == [] and play.notices() == []
    (play if play.at("begin") or play.round.locked else play.to_deal(1)).until("begin").say(BeginRound)
    assert play.overdue() == []


def test_blackjack_rule_9_in_the_middle_it_is_overdue_sooner() -> None:
    assert drawn_to(94, "middle").overdue() == [] and len(drawn_to(93, "middle").overdue()) == 1


@pytest.mark.parametrize(("left", "is_reported"), [(61, True), (60, False), (40, False), (39, True)])
def test_blackjack_rule_9_a_warning_card_that_was_elsewhere_is_reported(left: int, is_reported: bool) -> None:
    play = drawn_to(left)
    play.receive(WARNING_CARD)
    assert ("warning_card_misplaced" in play.notices()) is is_reported and play.notices()[-1] == "cut_card"
    assert not is_reported or f"was {left} cards from the end" in str(play.public()["notices"])


@pytest.mark.parametrize(("seats", "first"), [((1,), "middle"), ((1, 4), "end")])
def test_blackjack_rule_9_where_one_seat_alone_bet_the_middle_is_offered_first(
    seats: tuple[int, ...], first: str
) -> None:
    play = Hands().until("warning")
    assert play.step.legal == ("end", "middle")  # no one has bet before
    play.to_wagers()
    for seat in seats:
        play.place_bet(seat, 200)
    play.settled().until("begin").say(ActsDone, acts=("deck_replaced",))
    play.until("warning")
    assert play.step.legal[0] == first
    assert ("One seat alone bet" in play.prompt["en"]) == (first == "middle")
    play.say(PlaceWarningCard, place="end")  # a hint: who plays now, the dealer sees


# ---- Black-jack/21 at the table, 5, 7, 53, 55, 58: what is done with the cards by hand is ticked and holds nothing up.


BOTH = pytest.mark.parametrize("source", ["shoe", "shuffler"])


def tick(play: Hands, actor: str, *acts: str) -> None:
    done = ActsDone(input_id=f"{actor} {acts}", step_id="table", actor=actor, acts=acts)
    play.check(done)
    play.receive(done)


@BOTH
def test_blackjack_rule_7_and_53_dealer_and_inspector_tick_that_the_cards_were_shown(source: CardSource) -> None:
    play = with_inspectors(Hands(source=source))
    assert play.at("open") and play.public()["acts"] == {}
    tick(play, "ana", "cards_shown")
    tick(play, "ivo", "cards_shown", "cards_mixed")
    assert play.events[-1] == ActsRecorded(acts=("cards_shown", "cards_mixed"), actor="ivo", role="inspector")
    assert play.public().get("acts") == {"cards_shown": ["ana", "ivo"], "cards_mixed": ["ivo"]}
    assert play.refused(ActsDone, acts=("cards_shown",)).article == "policy: one step at a time"
    play.until("begin")
    assert play.public().get("acts") == {"cards_shown": ["ana", "ivo"], "cards_mixed": ["ivo"]}
    assert b"events/acts_done" in b"".join(play.channels)


@BOTH
def test_blackjack_rule_55_and_58_the_acts_of_closing_are_those_of_this_session(source: CardSource) -> None:
    play = Hands(source=source)
    tick(play, "ana", "cards_shown")
    play.to_deal(1).settled().until("begin")
    tick(play, "ana", "cards_discarded")
    play.say(CloseTable)
    assert play.public().get("acts") == {"cards_discarded": ["ana"]}
    tick(play, "rui", "cards_ordered", "cards_discarded")
    play.until("open")
    assert play.public().get("acts") == {"cards_discarded": ["ana", "rui"], "cards_ordered": ["rui"]}
    tick(play, "ana", "cards_shown")
    play.say(OpenTable)
    assert play.public().get("acts") == {"cards_shown": ["ana"]}


def test_blackjack_rule_5_a_deck_is_replaced_again_and_each_time_is_on_record() -> None:
    play = Hands().to_deal(1)
    tick(play, "rui", "deck_replaced")
    play.settled().until("begin")
    tick(play, "rui", "deck_replaced")
    assert play.public()["acts"]["deck_replaced"] == ["rui", "rui"]


@pytest.mark.parametrize(
    "acts", [(), ("cards_eaten",), ("cards_shown", "cards_shown"), (*GAMES["blackjack-21"].session.acts, "")]
)
def test_blackjack_nothing_else_is_ticked(acts: tuple[str, ...]) -> None:
    assert Hands().refused(ActsDone, acts=acts).article == "policy: one step at a time"


def test_blackjack_a_technician_ticks_nothing() -> None:
    play = Hands()
    people = {**play.settings.people, "tec": "technician"}
    play.settings = play.settings.__class__(play.settings.terms, people, play.settings.sources)
    with pytest.raises(Refusal) as refusal:
        tick(play, "tec", "cards_shown")
    assert refusal.value.article == "policy: roles"
