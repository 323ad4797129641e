"""Art. 17.º at the live table: what breaks a round, what is borne, and what a broken one does with its money."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.devices import DeviceSaid, ShufflerGreeted, ShufflerReplaced
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, UseSource
from controller.engine.state.events import DealerTold, ShufflerExchanged
from controller.engine.state.jackpot import ContributionReturned
from controller.engine.state.persons import Exposed, Misdealt, ShufflerFailed, VoidRound
from controller.rulebook.events import CardsExposed, RoundSettled, RoundVoided
from controller.rulebook.packets import packets_of
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.playing import Play, stacked_for

JAM = DeviceSaid(device="shuffler", what="jam", values={"order": 258})
HANDS = ("2s 5s 9s", "7h 7d 6c", "Qd 9c 4h", "3c Ks 7s")  # seat 1 wins a jackpot; seat 2, bank, community


def locked(source: str = "shuffler", **changed: Any) -> Play:
    """Seat 1 with ante and chip, seat 2 with all three bets and a chip; no more bets."""
    play = Play(stacked_for(source, *HANDS), source=source, **changed).to_wagers()
    play.bet(1, ante=100).bet(2, ante=100, pair_plus=200, six_card_bonus=300).chips(1, 2)
    play.lock()
    return play


def voided(play: Play) -> RoundVoided:
    """Why the round is void, with everything that any void has in common."""
    assert play.round.void is not None, "the round goes on"
    events = [event for event, _ in play.entries]
    [why] = [event for event in events if isinstance(event, RoundVoided)]
    settled = [event.settlement for event in events if isinstance(event, RoundSettled)][-1]
    lines = [line for seat in settled.seats.values() for line in seat.lines]
    assert settled.outcome == "void" and settled.dealer and settled.dealer.hand is None
    assert [line.wager for line in lines] == ["ante", "jackpot", "ante", "pair_plus", "six_card_bonus", "jackpot"]
    assert {(line.outcome, line.net, line.article) for line in lines} == {("void", 0, why.article)}
    assert all(seat.net == 0 and seat.hand is None for seat in settled.seats.values())
    assert play.step.id == "1/confirm/void" and play.meter.hits == ()
    carries = why.article in ("17.º 1 1)", "17.º 2")
    assert why.carried == ((1, 2) if carries else ())
    assert [line.carried for line in lines if line.wager == "jackpot"] == [carries] * 2
    assert play.meter.chips_counted == (2 if carries else 0)
    assert (play.meter.contributions_e4 == play.meter.returned_e4) is not carries
    assert settled.jackpot and (settled.jackpot.pot_before, settled.jackpot.pot_after) == (600_700, play.meter.pot)
    return why


def goes_on(play: Play) -> None:
    """The round is played to its end and is not void."""
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    assert play.round.settlement.outcome == "settled"


# ---- 17.º 1 1): order and number of the cards


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
@pytest.mark.parametrize("what", ["order", "number"])
@pytest.mark.parametrize("step", ["deal", "count", "decisions", "reveal", "confirm"])
def test_art_17_1_1_a_misdeal_reported_at_any_step_until_the_confirmation_voids(
    source: str, what: str, step: StepKind
) -> None:
    play = locked(source)
    play.deal_one()
    if step == "count" and source == "shuffler":
        step = "decisions"
    play.until(step)
    if step == "confirm":
        assert play.meter.hits  # the settlement is withdrawn with all that it won
    play.misdealt(what)
    assert voided(play).article == "17.º 1 1)"


@pytest.mark.parametrize("shown", [1, 2, 3])
def test_art_17_1_1_between_two_hands_that_are_turned(shown: int) -> None:
    play = locked().until("reveal")
    for _ in range(shown):
        play.reveal_one()
    play.misdealt("number")
    assert voided(play).article == "17.º 1 1)"


def test_art_17_1_1_once_a_hand_is_turned_a_supervisor_says_why_the_deal_was_broken() -> None:
    play = locked().until("reveal")
    play.reveal_one()
    while True:
        assert play.would_wait(Misdealt, what="order")
        assert play.refused(Misdealt, "rui", what="order").article == "policy: documented adjustment"
        if play.at("confirm"):
            break
        play.reveal_one()
    play.change(Misdealt, "rui", what="order", reason="seat 2 was passed over")
    assert english(voided(play).why) == "the order of the deal was broken: seat 2 was passed over"


def test_art_17_1_1_a_hand_that_is_turned_is_enough_where_no_player_decides() -> None:
    play = Play().to_wagers().bet(5, pair_plus=100)
    play.lock()
    play.until("reveal")
    assert not play.would_wait(Misdealt, what="order")
    play.reveal_one()
    assert play.would_wait(Misdealt, what="order")


def test_art_17_1_1_a_misdeal_needs_a_deal_and_a_round_that_is_not_confirmed() -> None:
    open_bets = Play().to_wagers().bet(1, ante=100)
    assert open_bets.refused(Misdealt, what="order").article == "17.º 1 1)"
    told_before_the_source = locked()
    told_before_the_source.change(Misdealt, what="order")
    assert voided(told_before_the_source).article == "17.º 1 1)"
    play = locked()
    play.to_settled().say(Confirm)
    assert play.refused(Misdealt, what="order").article == "17.º"
    play.clear()
    assert play.refused(Misdealt, what="order").article == "policy: one step at a time"


@pytest.mark.parametrize("packets", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_art_17_1_1_a_packet_of_another_number_voids_wherever_it_comes(packets: int, count: int) -> None:
    play = locked()
    for _ in range(packets):
        play.deal_one()
    play.deal_one(count=count)
    assert voided(play).article == "17.º 1 1)"
    assert play.round.draws == 3 * packets + count  # what left the machine goes back into it


@pytest.mark.parametrize("count", [1, 3])
def test_art_17_1_1_two_community_cards_are_two(count: int) -> None:
    play = locked(packet_sizes=(2, 3))
    for _ in range(3):
        play.deal_one()
    play.deal_one(count=count)
    assert voided(play).article == "17.º 1 1)"


# ---- 17.º 1 2), 3), 4 1): cards that were seen


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
@pytest.mark.parametrize("step", ["deal", "decisions"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_art_17_1_2_a_card_of_the_bank_that_is_seen_voids(source: str, step: StepKind, count: int) -> None:
    play = locked(source)
    while play.step.to[-1] != "community":
        play.deal_one()
    play.until(step)
    events = play.change(Exposed, to="bank", count=count)
    assert events[0] == CardsExposed(to="bank", count=count)
    assert voided(play).article == "17.º 1 2)"


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_art_17_1_as_many_cards_can_be_seen_as_a_place_gets_in_the_deal_and_no_more(source: str) -> None:
    play = locked(source)
    for place, count in (("seat 1", 4), ("seat 1", 0), ("seat 1", -1), ("seat 5", 1), ("bank", 4), ("community", 3)):
        assert play.refused(Exposed, to=place, count=count).article == "17.º 1"
    play.change(Exposed, to="community", count=2)
    assert play.refused(Exposed, to="community").article == "17.º 1"
    open_bets = Play().to_wagers().bet(1, ante=100)
    assert open_bets.refused(Exposed, to="seat 1").article == "17.º 1"


def test_art_17_1_what_the_dealer_saw_may_be_told_before_its_source_tells_of_it() -> None:
    play = locked()
    play.change(Exposed, to="seat 2")
    assert play.round.void is None
    play.change(Exposed, to="bank")
    assert voided(play).article == "17.º 1 2)"


@pytest.mark.parametrize(
    "seen", [[("seat 1", 2)], [("seat 1", 3)], [("seat 1", 1), ("seat 1", 1)], [("seat 1", 1), ("seat 2", 1)]]
)
def test_art_17_1_3_more_than_one_card_of_players_over_the_whole_deal_voids(seen: list[tuple[str, int]]) -> None:
    play = locked()
    play.deal_one()
    for place, count in seen:
        if place == "seat 2":
            play.deal_one()
        assert play.round.void is None
        play.change(Exposed, to=place, count=count)
    assert voided(play).article == "17.º 1 3)"


BY_PLAYER = ("exposed_cards_by_player",)


def test_art_17_1_3_by_the_other_reading_one_card_of_each_player_changes_nothing() -> None:
    play = locked(rules=BY_PLAYER).until("decisions")
    play.change(Exposed, to="seat 1")
    play.change(Exposed, to="seat 2")
    goes_on(play)
    assert irregularities_told(play) == [("exposed", f"seat {seat}", "17.º 4 1)") for seat in (1, 2)]
    assert message_of(play)["rules"] == list(BY_PLAYER)


def test_art_17_1_3_both_readings_settle_a_round_that_is_played_alike() -> None:
    decided, chosen = (locked(rules=rules).until("decisions") for rules in ((), BY_PLAYER))
    for play in (decided, chosen):
        play.change(Exposed, to="seat 1")
        goes_on(play)
    assert chosen.round.settlement == decided.round.settlement


@pytest.mark.parametrize("seen", [[("seat 1", 2)], [("seat 2", 1), ("seat 1", 1), ("seat 1", 1)]])
def test_art_17_1_3_by_the_other_reading_two_cards_of_one_player_void(seen: list[tuple[str, int]]) -> None:
    play = locked(rules=BY_PLAYER).until("decisions")
    for place, count in seen:
        assert play.round.void is None
        play.change(Exposed, to=place, count=count)
    why = voided(play)
    assert why.article == "17.º 1 3)" and english(why.why) == "2 cards of players were seen while they were dealt"
    assert set(irregularities_told(play)) == {
        ("exposed", place, "17.º 1 3)" if place == "seat 1" else "17.º 4 1)") for place, _ in seen
    }


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
@pytest.mark.parametrize("step", ["deal", "count", "decisions"])
def test_art_17_4_1_one_card_of_a_player_that_is_seen_changes_nothing(source: str, step: StepKind) -> None:
    play = locked(source)
    play.deal_one()
    play.until("decisions" if step == "count" and source == "shuffler" else step)
    before = play.step
    assert play.change(Exposed, to="seat 1") == (CardsExposed(to="seat 1", count=1),)
    assert play.step == before and packets_of(play.round).exposed == {"seat 1": 1}
    goes_on(play)
    assert irregularities_told(play) == [("exposed", "seat 1", "17.º 4 1)")]


def test_art_17_1_community_cards_that_are_seen_change_nothing() -> None:
    play = locked().until("decisions")
    play.change(Exposed, to="community", count=2)
    play.change(Exposed, to="seat 2")
    goes_on(play)
    assert [kind for kind, _, _ in irregularities_told(play)] == ["exposed", "exposed"]


def test_art_17_1_what_is_seen_once_the_hands_are_turned_is_no_irregularity() -> None:
    play = locked().until("reveal")
    play.reveal_one()
    assert play.refused(Exposed, to="seat 1").article == "17.º 1"


def irregularities_told(play: Play) -> list[tuple[str, str, str]]:
    """What the message of the confirmed round says of its irregularities."""
    play.until("claims")
    return [(one["kind"], one["to"], one["article"]) for one in message_of(play)["irregularities"]]


def message_of(play: Play) -> dict[str, Any]:
    """The message of the confirmed round."""
    [message] = [channel for channel in play.channels if channel.startswith(b"dealer/site/t1/rounds ")]
    content: dict[str, Any] = msgspec.json.decode(message.partition(b" ")[2])["data"]
    return content


# ---- 17.º 2: the shuffler fails


def greeted(boot: int) -> ShufflerGreeted:
    return ShufflerGreeted(boot=boot, last_order=0)


def fail(play: Play, how: str) -> None:
    """The shuffler fails while dealing."""
    match how:
        case "jam":
            play.hear(JAM)
        case "restart":
            play.hear(greeted(play.table.shuffler_boot + 1))
        case _:
            play.change(ShufflerFailed)


@pytest.mark.parametrize("how", ["jam", "restart", "report"])
@pytest.mark.parametrize("packets", [0, 1, 3])
def test_art_17_2_a_shuffler_that_fails_while_dealing_voids_at_once(how: str, packets: int) -> None:
    play = Play(stacked_for("shuffler", *HANDS))
    play.hear(greeted(1))
    play.to_wagers().bet(1, ante=100).bet(2, ante=100, pair_plus=200, six_card_bonus=300).chips(1, 2)
    play.lock()
    for _ in range(packets):
        play.deal_one()
    fail(play, how)
    assert voided(play).article == "17.º 2"
    assert play.table.shuffler_failures == 1
    play.until("begin").sweep().go_on()
    assert play.step.kind == "shuffle"  # volta a baralhar


def test_art_17_2_the_failure_belongs_to_the_deal_of_the_shuffler() -> None:
    play = locked()
    assert play.to_settled().refused(ShufflerFailed).article == "17.º 2"
    assert play.hear(JAM) and play.round.void is None
    shoe = locked("shoe")
    assert shoe.refused(ShufflerFailed).article == "17.º 2"
    shoe.hear(JAM)
    shoe.hear(greeted(9))
    goes_on(shoe)


def failed_round(play: Play) -> Play:
    """A round in which the shuffler fails, until the next may begin."""
    play.to_wagers().bet(1, ante=100).lock()
    play.change(ShufflerFailed)
    return play.until("begin")


def test_art_17_2_after_a_second_failure_no_round_begins_until_the_shoe_is_used() -> None:
    play = failed_round(failed_round(Play(stacked_for("shuffler", *HANDS))))
    refusal = play.refused(BeginRound)
    assert (refusal.who, refusal.article) == ("shuffler", "17.º 2")
    assert b"shuffler-failed" in play.projection()
    play.say(UseSource, source="shoe")
    assert play.refused(UseSource, source="shuffler").article == "17.º 2"
    play.to_wagers().bet(1, ante=100).lock()
    goes_on(play)
    play.until("begin")
    assert play.refused(UseSource, source="shuffler").article == "17.º 2"


def test_art_17_2_after_a_second_failure_a_supervisor_says_that_it_was_replaced() -> None:
    play = failed_round(failed_round(Play(stacked_for("shuffler", *HANDS))))
    assert play.refused(ShufflerReplaced).article == "policy: roles"
    assert play.say(ShufflerReplaced, "rui") == (ShufflerExchanged(actor="rui"),)
    play.to_wagers().bet(1, ante=100).lock()
    goes_on(play)
    failed_round(play.until("begin")).say(BeginRound)


def test_art_17_2_a_complete_deal_between_two_failures_makes_the_second_a_first_one() -> None:
    play = failed_round(Play(stacked_for("shuffler", *HANDS))).to_wagers().bet(1, ante=100)
    play.lock()
    goes_on(play)
    failed_round(play.until("begin")).say(BeginRound)


def test_art_17_2_a_deal_that_was_broken_otherwise_is_no_complete_one() -> None:
    play = failed_round(Play(stacked_for("shuffler", *HANDS))).to_wagers().bet(1, ante=100)
    play.lock()
    play.deal_one()
    play.deal_one(count=2)  # the last packet of the deal lacks a card
    play.until("begin")
    assert failed_round(play).refused(BeginRound).article == "17.º 2"


# ---- what breaks a round without an article


@pytest.mark.parametrize("step", ["deal", "decisions", "reveal", "confirm"])
def test_a_supervisor_breaks_a_round_off_until_it_is_confirmed(step: StepKind) -> None:
    play = locked().until(step)
    assert play.refused(VoidRound, reason="x").article == "policy: roles"
    assert play.refused(VoidRound, "rui", reason="").article == "policy: documented adjustment"
    play.say(VoidRound, "rui", reason="power cut")
    assert (voided(play).article, english(voided(play).why)) == ("policy: supervisor's void", "power cut")
    assert play.refused(VoidRound, "rui", reason="again").article == "17.º"


@pytest.mark.parametrize("step", ["shuffle", "wagers"])
def test_a_supervisor_breaks_a_round_off_before_anybody_has_bet_so_that_the_table_can_close(step: StepKind) -> None:
    play = Play().until(step)
    play.say(VoidRound, "rui", reason="the last guest has left")
    play.say(Confirm)
    play.say(CloseClaims)
    play.say(CloseTable)
    assert not play.table.open


@pytest.mark.parametrize("step", ["deal", "decisions", "reveal", "confirm"])
def test_a_void_round_is_over_for_every_report(step: StepKind) -> None:
    play = locked()
    play.deal_one()
    play.until(step).misdealt("order")
    assert play.refused(Exposed, to="bank").article == "17.º"
    assert play.refused(Misdealt, what="order").article == "17.º"
    assert play.refused(ShufflerFailed).article == "17.º"
    for event in play.hear(JAM):
        assert not isinstance(event, RoundVoided | ContributionReturned)


def test_chips_of_a_void_round_that_do_not_go_on_are_to_be_given_back() -> None:
    play = locked()
    play.deal()
    play.change(Exposed, to="bank")
    assert {seat: chip.state for seat, chip in play.table.slots.items()} == {1: "invalid", 2: "invalid"}
    play.until("wagers").bet(1, ante=100)
    assert DealerTold(notice="chip_not_taken_back", seat=1) in play.lock()
    assert play.round.chips == ()


def test_a_chip_that_was_lost_in_an_earlier_round_is_not_given_back_by_a_later_void() -> None:
    play = locked().to_settled()
    play.until("wagers").bet(1, ante=100)  # nobody has swept the slots
    play.lock()
    play.deal()
    play.change(Exposed, to="bank")
    assert play.table.slots[1].state == "counted"
