"""2008, 11.º at the live table: what breaks a round, players' cards that are seen, null cards, a failing shuffler."""

import msgspec
import pytest

from controller.engine.decisions.betting import LockIn
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, UnheardCard
from controller.engine.decisions.devices import DeviceSaid, ShufflerGreeted, ShufflerReplaced
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsHeard
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, OpenTable, UseSource
from controller.engine.state.events import ShufflerExchanged
from controller.engine.state.persons import Exposed, Misdealt, ShufflerFailed, ToEmptySeat, VoidRound
from controller.rulebook.events import CardsExposed, CardsNulled, RoundVoided
from controller.rulebook.games import game_of
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.playing import cards
from tests.engine.table_2008 import (
    FROM,
    SHUFFLERS,
    Play2008,
    goes_on,
    hands_shown,
    irregularities_told,
    locked,
    told,
    voided,
)

SOURCES = ["shuffler", "shoe"]
EVERY_SOURCE = pytest.mark.parametrize(("source", "sizes"), FROM)
JAM = DeviceSaid(device="shuffler", what="jam", values={"order": 258})


# ---- 11.º 1): the deal and the number of cards


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("what", ["order", "number"])
@pytest.mark.parametrize("step", ["deal", "count", "decisions", "reveal", "confirm"])
def test_2008_art_11_1_a_misdeal_reported_at_any_step_until_the_confirmation_voids(
    source: str, what: str, step: StepKind
) -> None:
    play = locked(source)
    play.deal_one()
    play.until("decisions" if (step, source) == ("count", "shuffler") else step)
    play.misdealt(what)
    assert voided(play).article == "11.º 1)"
    data = told(play)
    assert (data["outcome"], data["void"]["article"]) == ("void", "11.º 1)")
    assert "jackpot" not in data and "community" not in [one["to"] for one in data["shown_cards"]]


def test_2008_art_11_1_once_a_hand_is_turned_a_supervisor_says_why() -> None:
    play = locked().until("reveal")
    play.reveal_one()
    assert play.would_wait(Misdealt, what="order")
    assert play.refused(Misdealt, "rui", what="order").article == "policy: documented adjustment"
    play.change(Misdealt, "rui", what="number", reason="seen late")
    assert english(voided(play).why) == "a wrong number of cards was dealt: seen late"


@pytest.mark.parametrize("packets", range(4))
@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_2008_art_11_1_a_packet_of_another_number_voids_wherever_it_comes(packets: int, count: int) -> None:
    play = locked()
    for _ in range(packets):
        play.deal_one()
    play.deal_one(count=count)
    assert voided(play).article == "11.º 1)"
    assert play.round.draws == 3 * packets + count


@pytest.mark.parametrize("count", [11, 13])
def test_2008_art_11_1_a_last_count_with_a_card_too_many_or_too_few_voids(count: int) -> None:
    play = locked("shoe").until("count")
    assert play.step.cards == 12
    play.tell_count(count)
    assert voided(play).article == "11.º 1)"


@pytest.mark.parametrize("dealt", [0, 3, 7, 11])
def test_2008_art_11_1_a_count_after_lost_reports_with_more_cards_than_are_due_voids(dealt: int) -> None:
    play = locked("shoe")
    for _ in range(dealt):
        play.deal_one()
    play.hear(ReportsMissed(count=None, gap_cause="reports_lost"))
    play.tell_count(13)
    assert voided(play).article == "11.º 1)"


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_11_1_new_bets_are_laid_and_new_cards_dealt(source: str) -> None:
    play = locked(source)
    play.change(Misdealt, what="order")
    play.say(Confirm)
    assert play.refused(Misdealt, what="order").article == "11.º"
    play.say(CloseClaims)
    assert play.refused(Misdealt, what="order").article == "policy: one step at a time"
    play.say(BeginRound)
    assert play.round.wagers == {} and play.step.kind == ("cut" if source == "shoe" else "shuffle")
    goes_on(play.to_wagers().bet(7, ante=100))


def test_2008_art_11_1_nothing_is_misdealt_before_the_bets_are_closed() -> None:
    play = Play2008().to_wagers().bet(1, ante=100)
    assert play.refused(Misdealt, what="order").article == "11.º 1)"


@pytest.mark.parametrize("step", ["deal", "decisions", "reveal", "confirm"])
def test_2008_a_void_round_is_over_for_every_report(step: StepKind) -> None:
    play = locked()
    play.deal_one()
    play.until(step).misdealt("order")
    assert play.refused(Exposed, to="bank", which=(1,)).article == "11.º"
    assert play.refused(Exposed, to="seat 1").article == "11.º"
    assert play.refused(ToEmptySeat, meant_for="seat 1", seat=5).article == "11.º"
    assert play.refused(ShufflerFailed).article == "11.º"
    assert play.refused(VoidRound, "rui", reason="again").article == "11.º"
    assert not any(isinstance(event, RoundVoided) for event in play.hear(JAM))


def test_2008_a_supervisor_breaks_a_round_off() -> None:
    play = locked()
    assert play.refused(VoidRound, reason="x").article == "policy: roles"
    play.say(VoidRound, "rui", reason="power cut")
    assert voided(play).article == "policy: supervisor's void"


# ---- 11.º 2): players' cards (those of the bank: test_engine_2008_left_out.py)


@EVERY_SOURCE
@pytest.mark.parametrize("step", ["deal", "count", "decisions", "reveal"])
@pytest.mark.parametrize("seen", [{1: 1}, {1: 3}, {1: 2, 2: 1}, {1: 3, 2: 3, 3: 3}])
def test_2008_art_11_2_of_players_cards_any_number_may_be_seen(
    source: str, sizes: tuple[int, ...], step: StepKind, seen: dict[int, int]
) -> None:
    play = locked(source, sizes)
    play.deal_one()
    play.until("decisions" if (step, source) == ("count", "shuffler") else step)
    before = play.step
    for seat, count in seen.items():
        assert play.change(Exposed, to=f"seat {seat}", count=count) == (CardsExposed(to=f"seat {seat}", count=count),)
    assert play.step == before
    goes_on(play)
    assert irregularities_told(play) == [
        {"kind": "exposed", "to": f"seat {seat}", "article": "11.º 2)", "count": count} for seat, count in seen.items()
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_11_2_as_many_cards_can_be_seen_as_a_place_gets_and_no_more(source: str) -> None:
    play = locked(source)
    for place, count in (("seat 1", 4), ("seat 1", 0), ("seat 1", -1), ("seat 5", 1), ("community", 1), ("discard", 1)):
        assert play.refused(Exposed, to=place, count=count).article == "11.º 2)"
    play.change(Exposed, to="seat 1", count=2)
    play.change(Exposed, to="seat 1")
    assert play.refused(Exposed, to="seat 1").article == "11.º 2)"
    goes_on(play)


def test_2008_art_11_2_what_is_seen_once_the_hands_are_turned_is_no_irregularity() -> None:
    play = locked().until("reveal")
    play.reveal_one()
    assert play.refused(Exposed, to="seat 1").article == "11.º 2)"


# ---- 11.º 3): cards at a seat without a bet


@EVERY_SOURCE
@pytest.mark.parametrize("dealt", range(1, 13))
@pytest.mark.parametrize("later", [0, 1, 2])
def test_2008_art_11_3_cards_at_a_seat_without_a_bet_are_null_and_the_round_goes_on(
    source: str, sizes: tuple[int, ...], dealt: int, later: int
) -> None:
    play = locked(source, sizes)
    meant_for = ""
    while play.at("deal") and dealt:
        meant_for, dealt = play.step.to[-1], dealt - 1
        play.deal_one()
    for _ in range(later):
        if play.at("deal") and play.step.to[-1] != meant_for:
            play.deal_one()
    events = play.astray(meant_for, 5)
    assert isinstance(events[0], CardsNulled) and (events[0].seat, len(events)) == (5, 1)
    assert play.at("deal")
    goes_on(play)
    [null] = [one for one in game_of(play.round).placed(play.round) if one.dealt.null is not None]
    assert set(null.to) == {"seat 5"} and play.round.draws == 12 + len(null.to)
    assert irregularities_told(play) == [{"kind": "empty_seat", "to": "seat 5", "article": "11.º 3)"}]
    hidden = {card for packet in play.felt if packet.to[0] == "null" for card in packet.cards}
    assert not hidden & set(cards(" ".join(hands_shown(play).values())))


def test_2008_art_11_3_only_a_seat_without_a_bet_is_an_empty_one() -> None:
    play = locked()
    assert play.refused(ToEmptySeat, meant_for="seat 1", seat=5).article == "11.º 3)"  # no card yet
    play.deal_one()
    for seat in (1, 2, 3):
        assert play.refused(ToEmptySeat, meant_for="seat 1", seat=seat).article == "11.º 3)"
    assert play.refused(ToEmptySeat, meant_for="seat 2", seat=5).article == "11.º 3)"
    for seat in (0, 8):
        assert play.refused(ToEmptySeat, meant_for="seat 1", seat=seat).article == "2.º 1"
    play.until("decisions").decisions()
    assert play.refused(ToEmptySeat, meant_for="seat 1", seat=5).article == "11.º 3)"


def test_2008_art_11_3_null_cards_are_counted_with_the_others() -> None:
    play = locked("shoe")
    play.deal_one()
    play.astray("seat 1", 7)
    play.until("count")
    assert play.step.cards == 13
    play.tell_count(13)
    goes_on(play)


@pytest.mark.parametrize("sizes", SHUFFLERS)
def test_2008_art_11_1_null_cards_do_not_stop_a_misdeal_from_voiding(sizes: tuple[int, ...]) -> None:
    play = locked(sizes=sizes)
    play.deal_one()
    play.astray("seat 1", 5)
    play.change(Misdealt, what="order")
    assert voided(play).article == "11.º 1)"
    assert [one["article"] for one in irregularities_told(play)] == ["11.º 3)"]


@pytest.mark.parametrize("sizes", SHUFFLERS)
def test_2008_art_11_1_a_packet_of_another_size_that_is_out_already_cannot_move_up(sizes: tuple[int, ...]) -> None:
    play = locked(sizes=sizes)
    for _ in range(4):
        play.deal_one()
    play.leave_out(1)
    play.deal_one()  # the bank's card, with one or two for the rack
    play.astray("seat 3", 5)
    play.deal_one()  # seat 3's three
    assert play.at("decisions")
    if sizes == (3,):
        play.astray("bank", 6)
        goes_on(play)
        return
    play.change(ToEmptySeat, meant_for="bank", seat=6)  # where two are due three lie
    assert voided(play).article == "11.º 1)"


# ---- 11.º 4): the shuffler fails


def fail(play: Play2008, how: str) -> None:
    """The shuffler fails while dealing."""
    match how:
        case "jam":
            play.hear(JAM)
        case "restart":
            play.hear(ShufflerGreeted(boot=play.table.shuffler_boot + 1, last_order=0))
        case _:
            play.change(ShufflerFailed)


@pytest.mark.parametrize("how", ["jam", "restart", "report"])
@pytest.mark.parametrize("packets", range(4))
def test_2008_art_11_4_a_shuffler_that_fails_while_dealing_voids_and_no_round_begins_from_it(
    how: str, packets: int
) -> None:
    play = Play2008()
    play.hear(ShufflerGreeted(boot=1, last_order=0))
    play.to_wagers().bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).lock()
    for _ in range(packets):
        play.deal_one()
    fail(play, how)
    assert voided(play).article == "11.º 4)" and play.table.shuffler_failures == 1
    play.hear(DeviceSaid(device="shuffler", what="cleared"))
    play.until("begin")
    refusal = play.refused(BeginRound)
    assert (refusal.who, refusal.article) == ("shuffler", "11.º 4)")
    projection = msgspec.json.decode(play.projection())
    assert "11.º 4)" in projection["step"]["prompt"]["en"] and "11.º 4)" in projection["step"]["prompt"]["pt"]
    assert play.standing() == ["shuffler-failed"]


def failed_round(how: str = "report") -> Play2008:
    """A round in which the shuffler failed, until the next would begin."""
    play = locked()
    play.deal_one()
    fail(play, how)
    play.until("begin")
    return play


def test_2008_art_11_4_the_shoe_may_be_used_instead_and_the_shuffler_waits_to_be_replaced() -> None:
    play = failed_round()
    play.say(UseSource, source="shoe")
    assert play.refused(UseSource, source="shuffler").article == "11.º 4)"
    goes_on(play.to_wagers().bet(1, ante=100))
    play.until("begin")
    assert play.refused(UseSource, source="shuffler").article == "11.º 4)"
    play.until("cut")
    assert play.refused(UseSource, source="shuffler").article == "11.º 4)"
    play.until("wagers").bet(1, ante=100)
    play.until("begin").say(ShufflerReplaced, "rui")
    play.say(UseSource, source="shuffler")
    goes_on(play.to_wagers().bet(1, ante=100))
    assert play.round.terms.source == "shuffler"


def test_2008_art_11_4_a_supervisor_says_that_it_was_replaced() -> None:
    play = failed_round()
    assert play.refused(ShufflerReplaced).article == "policy: roles"
    assert play.say(ShufflerReplaced, "rui") == (ShufflerExchanged(actor="rui"),)
    assert play.table.shuffler_failures == 0 and "shuffler-failed" not in play.standing()
    goes_on(play.to_wagers().bet(1, ante=100))
    play.until("begin").to_wagers().bet(1, ante=100).lock()
    play.change(ShufflerFailed)
    play.until("begin")
    assert play.refused(BeginRound).article == "11.º 4)"  # the other one has failed too


def test_2008_art_11_4_neither_closing_the_table_nor_a_greeting_replaces_it() -> None:
    play = failed_round()
    play.say(CloseTable)
    play.hear(ShufflerGreeted(boot=7, last_order=0))
    play.say(OpenTable)
    assert play.refused(BeginRound).article == "11.º 4)"


def test_2008_art_11_4_the_failure_belongs_to_the_deal_of_the_shuffler() -> None:
    play = Play2008().to_wagers().bet(1, ante=100)
    play.hear(JAM)
    assert play.refused(ShufflerFailed).article == "11.º 4)"
    play.say(LockIn)
    play.hear(DeviceSaid(device="shuffler", what="cleared"))
    play.until("decisions")
    assert play.hear(JAM) and play.refused(ShufflerFailed).article == "11.º 4)"
    goes_on(play)
    shoe = locked("shoe")
    assert shoe.refused(ShufflerFailed).article == "11.º 4)"
    shoe.hear(JAM)
    shoe.hear(ShufflerGreeted(boot=9, last_order=0))
    goes_on(shoe)
    assert shoe.table.shuffler_failures == 0


def test_2008_art_11_4_the_packets_of_the_shuffler_are_waited_for() -> None:
    assert locked().refused(UnheardCard).article == "11.º 4)"


def test_2008_a_deck_that_is_found_wrong_while_it_is_dealt_voids_and_is_made_whole() -> None:
    play = locked()
    play.deal_one()
    play.hear(DeckChecked(found=51, missing=1, duplicated=0))
    assert voided(play).article == "policy: complete deck" and play.table.shuffler_failures == 0
    goes_on(play.until("begin").to_wagers().bet(1, ante=100))


# ---- cards of a deal that goes on


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_7_a_card_nobody_waits_for_is_told_and_changes_no_round(source: str) -> None:
    play = locked(source)
    before = play.round
    for wrong in (
        CardsHeard(source="shuffler", cards=cards("As Ks Qs"), order=257),
        CardsHeard(source="shoe" if source == "shuffler" else "shuffler", cards=cards("As")),
    ):
        play.hear(wrong)
    assert play.round == before
    goes_on(play)
