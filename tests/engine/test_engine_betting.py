"""Wagers and jackpot chips until the betting closes, and chips that come too late."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import ChipGone, ChipSensed, LockInPressed, PlaceWager
from controller.engine.decisions.cards import Shuffled as ShuffledByHand
from controller.engine.decisions.cards import ShuffleReported
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import BeginRound, InsertionReported, OpenTable
from controller.engine.state.events import ChipCleared, ChipPlaced, DealerNotified, ShufflerKnown
from controller.engine.state.jackpot import ChipContributed
from controller.engine.state.persons import ToEmptySeat
from controller.rulebook.events import BettingClosed, CardsDealt, CardsNulled, CardsShuffled
from controller.rulebook.games import game_of
from tests.engine.playing import CHIP, PARAMETERS, Play, cards


def test_a_wager_is_placed_changed_and_taken_back_with_0() -> None:
    play = Play().to_wagers().bet(2, ante=100, pair_plus=200).bet(2, ante=300)
    assert play.round.wagers == {2: {"ante": 300, "pair_plus": 200}} or play.round.wagers == {
        2: {"pair_plus": 200, "ante": 300}
    }
    play.bet(2, ante=0)
    assert play.round.wagers == {2: {"pair_plus": 200}}
    play.bet(2, pair_plus=0)
    assert play.round.wagers == {}
    play.bet(2, pair_plus=0)
    assert play.round.wagers == {}


def test_the_name_of_a_player_stays_with_the_seat() -> None:
    play = Play().to_wagers()
    play.say(PlaceWager, seat=2, wager="ante", amount=100, player="p7")
    play.bet(2, pair_plus=100)
    assert play.round.players == {2: "p7"}


@pytest.mark.parametrize(("seats", "seat"), [(5, 6), (6, 7), (7, 8), (6, 0), (6, -1)])
def test_art_5_2_live_a_seat_the_table_does_not_have_is_refused(seats: int, seat: int) -> None:
    refusal = Play(seat_count=seats).to_wagers().refused(PlaceWager, seat=seat, wager="ante", amount=100)
    assert (refusal.who, refusal.article) == (f"seat {seat}", "5.º 2")


def test_art_5_2_live_every_seat_of_seven_may_bet() -> None:
    play = Play(seat_count=7).to_wagers()
    for seat in range(1, 8):
        play.bet(seat, ante=100)
    assert play.round.seats_in_play == tuple(range(1, 8))


def test_art_3_3_an_additional_bet_the_house_does_not_offer_is_refused() -> None:
    play = Play(additional=(), chip=0).to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="six_card_bonus", amount=100).article == "3.º"
    play.bet(1, ante=100, pair_plus=100)


def test_art_4_3_a_chip_without_a_basic_bet_goes_back_and_never_reaches_the_meter() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1, 2, 4)
    pot = play.meter.pot_e4
    events = play.lock()
    assert events[0] == BettingClosed(chips=(1, 4), returned=(2,))
    assert DealerNotified(notice="chip_without_basic_bet", seat=2) in events
    assert [event.seat for event in events if isinstance(event, ChipContributed)] == [1, 4]
    assert play.meter.pot_e4 - pot == 2 * CHIP * PARAMETERS.increment_bp
    assert play.round.returned_chips == (2,) and play.table.slots[2].state == "invalid"


def test_art_10_3_a_chip_placed_once_the_round_is_paid_counts_in_the_next() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.deal().decisions().reveal()
    play.say(Confirm)
    assert play.receive(ChipSensed(seat=2, counter=9)) == (ChipPlaced(seat=2, counter=9, late=False),)
    play.clear()
    play.to_wagers().bet(2, ante=100)
    play.lock()
    assert play.round.chips == (2,) and play.meter.chips_counted == 1


def test_a_chip_taken_back_before_the_lock_does_not_count() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    assert play.receive(ChipGone(seat=1, counter=7)) == (ChipCleared(seat=1, counter=7),)
    play.lock()
    assert play.round.chips == (2,) and play.meter.chips_counted == 1


def test_where_no_jackpot_is_offered_a_chip_on_a_sensor_counts_for_nothing() -> None:
    play = Play(additional=(), chip=0).to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == () and play.table.meter is None


def test_the_button_locks_as_the_screen_does_and_what_it_is_refused_is_reported() -> None:
    play = Play().to_wagers().chips(2)
    notice = play.receive(LockInPressed())
    assert [type(event) for event in notice] == [DealerNotified]
    assert isinstance(notice[0], DealerNotified) and notice[0].notice == "lock_in_refused" and notice[0].why is not None
    assert notice[0].why.values["article"] == "4.º 3"
    assert b"4.\xc2\xba 3" in play.projection()
    play.bet(2, ante=100)
    play.receive(LockInPressed())
    assert play.round.locked and play.round.chips == (2,)
    assert play.table.notices == (), "what was refused is done"
    again = play.receive(LockInPressed())
    assert play.meter.chips_counted == 1
    assert all(isinstance(event, DealerNotified) for event in again)


def test_notices_go_when_the_next_round_begins() -> None:
    play = Play().to_wagers().bet(1, ante=100).chips(3)
    play.lock()
    assert [notice.notice for notice in play.table.notices] == ["chip_without_basic_bet"]
    play.finish().to_wagers()
    assert [notice.notice for notice in play.table.notices] == []


def test_more_chips_than_are_reasonable_count_for_nothing_and_the_round_continues() -> None:
    play = Play(parameters=replace(PARAMETERS, unreasonable_chips=2)).to_wagers()
    for seat in (1, 2, 3):
        play.bet(seat, ante=100).chips(seat)
    before = play.meter
    assert DealerNotified(notice="unreasonable_chips", text="3") in play.lock()
    assert not play.round.chips and play.meter == before
    assert {chip.state for chip in play.table.slots.values()} == {"invalid"}
    play.finish()
    play.to_wagers()
    for seat in (1, 2):
        play.bet(seat, ante=100).chips(seat)
    play.lock()
    assert play.round.chips == (1, 2)


# ---- Where each card of a live round goes, and what becomes of a deal that goes wrong


def test_art_11_2_shuffler_deals_threes_from_the_left_then_the_bank() -> None:
    play = Play().to_wagers().bet(5, ante=100).bet(2, pair_plus=100).bet(3, ante=100)
    play.lock()
    play.deal()
    assert play.places_dealt() == [(place,) * 3 for place in ("seat 2", "seat 3", "seat 5", "bank")]


def test_art_11_1_shoe_deals_one_card_at_a_time_in_three_passes_then_three_to_the_bank() -> None:
    play = Play(source="shoe").to_wagers().bet(5, ante=100).bet(2, ante=100)
    play.lock()
    play.deal()
    assert play.places_dealt() == [("seat 2",), ("seat 5",)] * 3 + [("bank",)] * 3


@pytest.mark.parametrize(
    ("source", "sizes", "last"),
    [
        ("shuffler", (2, 3), [("community", "community")]),
        ("shuffler", (3,), [("discard", "community", "community")]),
        ("shoe", (), [("community",), ("community",)]),
    ],
)
def test_art_11_3_and_11_4_community_cards_come_last_and_of_three_the_top_one_is_discarded(
    source: str, sizes: tuple[int, ...], last: list[tuple[str, ...]]
) -> None:
    play = Play(source=source, packet_sizes=sizes).to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    play.deal()
    assert play.places_dealt()[-len(last) :] == last
    assert game_of(play.round).draws_at(play.round, "community") == (play.round.draws - 1, play.round.draws)


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_art_11_3_without_a_jackpot_bet_there_are_no_community_cards(source: str) -> None:
    play = Play(source=source, packet_sizes=(2, 3)).to_wagers().bet(1, ante=100).bet(2, pair_plus=100)
    play.lock()
    play.deal()
    assert play.places_dealt()[-1] in (("bank",), ("bank",) * 3)
    assert not game_of(play.round).draws_at(play.round, "community")
    play.decisions()
    shown = []
    while play.step.kind == "reveal":
        shown.append(play.step.to[0])
        play.reveal_one()
    assert shown == ["bank", "seat 1", "seat 2"]


def test_art_8_the_steps_follow_one_another_and_have_their_ids() -> None:
    play, ids = Play(source="shoe"), []
    while play.step.id != "2/begin":
        ids.append(play.step.id)
        if play.at("wagers"):
            play.bet(3, ante=100)
        if play.at("decisions"):
            assert play.step.waiting == (3,)
        if play.at("count"):
            assert play.step.cards == 6
        play.proceed()
    begin = ["open/1", "1/begin", "1/shuffle", "1/cut", "1/wagers"]
    deal = [f"1/deal/{number}" for number in range(1, 7)]
    assert ids == [
        *begin,
        *deal,
        "1/count/1",
        "1/decisions",
        "1/reveal/bank",
        "1/reveal/seat 3",
        "1/confirm",
        "1/claims",
    ]


def test_order_numbers_rise_and_are_never_used_twice_over_rounds_void_ones_included() -> None:
    play, orders = Play(), []
    for round_number in range(1, 6):
        play.to_wagers()
        orders.append(round_number * 256 + 1)
        play.bet(1, ante=100).bet(6, ante=100).chips(1)
        play.lock()
        while play.step.kind == "deal":
            assert play.step.order is not None
            orders.append(play.step.order)
            play.deal_one(count=1 if round_number == 3 and len(orders) % 2 else None)
        play.finish()
    assert orders == sorted(set(orders))
    assert all(order < 2**32 for order in orders)


def test_art_9_3_the_shuffle_is_the_shufflers_own_word_for_the_order_it_was_given() -> None:
    play = Play()
    play.say(OpenTable)
    play.say(BeginRound)
    assert play.step.order == 257
    assert play.refused(ShuffledByHand).article == "9.º 3"
    assert play.receive(ShuffleReported(order=256, count=52)) == ()
    assert play.receive(ShuffleReported(order=257, count=52)) == (CardsShuffled(count=52),)
    assert play.receive(ShuffleReported(order=257, count=52)) == ()


def test_a_card_no_one_waits_for_is_reported_and_changes_no_round() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    before = play.round
    assert play.receive(CardsReported(source="shuffler", cards=cards("As Ks Qs"), order=258)) == (
        DealerNotified(notice="card_not_due"),
    )
    play.lock()
    for wrong in (
        CardsReported(source="shuffler", cards=cards("As Ks Qs"), order=257),
        CardsReported(source="shuffler", cards=cards("As"), order=None),
        CardsReported(source="shoe", cards=cards("As"), order=258),
    ):
        assert play.receive(wrong) == (DealerNotified(notice="card_not_due"),)
    assert play.round.dealt == before.dealt == () and play.vault == {}


def test_art_11_1_a_shuffler_beside_a_table_that_deals_from_the_shoe_deals_nothing() -> None:
    play = Play(source="shoe").to_wagers().bet(1, ante=100)
    play.lock()
    assert play.receive(CardsReported(source="shuffler", cards=cards("As"))) == (DealerNotified(notice="card_not_due"),)
    assert play.round.dealt == ()


@pytest.mark.parametrize("insertions", [(52,), (6,), (3, 3), (1, 2, 3), (5, 2)])
def test_the_claims_close_when_as_many_cards_are_inserted_as_left_the_source(insertions: tuple[int, ...]) -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    assert play.receive(InsertionReported(count=52)) == ()
    play.deal().decisions().reveal()
    assert play.receive(InsertionReported(count=3)) == ()
    play.say(Confirm)
    for count in insertions[:-1]:
        play.receive(InsertionReported(count=count))
        assert play.step.id == "1/claims"
    play.receive(InsertionReported(count=insertions[-1]))
    assert play.table.round is None and play.step.id == "2/begin"


def test_a_machine_with_later_orders_than_the_journal_gets_later_ones_still() -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=120_000))
    play.say(OpenTable)
    play.say(BeginRound)
    assert play.step.order == 120_001


def test_the_machine_of_this_journal_changes_no_order() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    order = play.step.order
    assert order is not None and play.receive(ShufflerGreeted(boot=1, last_order=order)) == (ShufflerKnown(boot=1),)
    assert play.step.order == order
    for moment in (play.deal, play.decisions, play.reveal):
        last = order if play.step.order is None else play.step.order
        assert play.receive(ShufflerGreeted(boot=1, last_order=last)) == ()
        moment()
    assert play.round.void is None


def test_a_machine_that_began_beyond_the_journal_greets_again_and_changes_nothing() -> None:
    play = Play()
    play.receive(ShufflerGreeted(boot=1, last_order=120_000))
    play.to_wagers().bet(1, ante=100)
    assert play.receive(ShufflerGreeted(boot=1, last_order=120_001)) == ()
    assert play.step.id == "1/wagers"


# ---- 17.º 4 2) and 5: cards that went to a seat without a bet are null, and the next ones take their places.


SIZES = [("shuffler", (3,)), ("shuffler", (2, 3)), ("shoe", ())]


def locked(source: str = "shuffler", sizes: tuple[int, ...] = (3,)) -> Play:
    """Antes at seats 2 and 4, a chip at seat 2."""
    play = Play(source=source, packet_sizes=sizes).to_wagers().bet(2, ante=100).bet(4, ante=100, pair_plus=100)
    play.chips(2)
    play.lock()
    return play


def shown_truly(play: Play) -> None:
    """Every card shown is the one that really is there, and none of them is null."""
    nulls = {
        card
        for packet, card in zip(
            [packet for packet in game_of(play.round).placed(play.round) for _ in packet.dealt.draws],
            play.deck[: play.dealt],
            strict=True,
        )
        if packet.dealt.null is not None
    }
    for place, there in play.round.play.shown.items():
        assert " ".join(there) == play.lying_at(place)
        assert not nulls & set(there)


def played_to_its_end(play: Play) -> None:
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    assert play.round.settlement.outcome == "settled"
    shown_truly(play)


@pytest.mark.parametrize(("source", "sizes"), SIZES)
@pytest.mark.parametrize("dealt", range(1, 11))
@pytest.mark.parametrize("at_once", [True, False])
def test_art_17_4_2_and_17_5_cards_at_an_empty_seat_are_null_wherever_they_come_in_the_deal(
    source: str, sizes: tuple[int, ...], dealt: int, at_once: bool
) -> None:
    play = locked(source, sizes)
    orders: list[int] = []
    meant_for = ""
    while play.step.kind == "deal" and dealt:
        meant_for, dealt = play.step.to[-1], dealt - 1
        orders += [play.step.order] if play.step.order is not None else []
        play.deal_one()
    if not at_once and play.step.kind == "deal":
        play.deal_one()  # the dealer notices a card or packet later
    community_came = any("community" in packet.to for packet in game_of(play.round).placed(play.round))
    before = play.round.draws
    events = play.change(ToEmptySeat, meant_for=meant_for, seat=3)
    assert isinstance(events[0], CardsNulled) and events[0].seat == 3
    if sizes == (2, 3) and community_came and meant_for != "community":
        # A packet of two is where one of three is due now (11.º 2).
        assert play.round.void is not None and play.round.void.article == "17.º 1 1)"
        return
    assert play.step.kind == "deal" and play.round.draws == before
    if at_once:
        assert play.step.to[-1] == meant_for
    if play.step.order is not None:
        assert play.step.order > max(orders)
    played_to_its_end(play)
    null = [event for event in events if isinstance(event, CardsNulled)]
    assert len(null) == 1 and play.round.draws == (11 if source == "shoe" else 11 + (sizes == (3,))) + len(
        null[0].draws
    )


@pytest.mark.parametrize(("source", "sizes"), SIZES)
def test_art_17_5_the_projection_and_the_record_report_null_cards_and_not_which_they_are(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = locked(source, sizes)
    play.deal_one()
    play.change(ToEmptySeat, meant_for="seat 2", seat=3)
    dealt = msgspec.json.decode(play.projection())["round"]["dealt"]
    assert [packet["null"] for packet in dealt] == [True] and set(dealt[0]["to"]) == {"seat 3"}
    hidden = play.deck[: play.dealt]
    played_to_its_end(play)
    assert not any(card.encode() in channel for card in hidden for channel in play.channels)
    play.until("claims")
    [message] = [channel for channel in play.channels if channel.startswith(b"dealer/site/t1/rounds ")]
    irregularities = msgspec.json.decode(message.partition(b" ")[2])["data"]["irregularities"]
    assert irregularities == [{"kind": "empty_seat", "to": "seat 3", "article": "17.º 4 2)"}]


def test_art_17_5_order_numbers_continue_after_null_packets_and_none_is_given_twice() -> None:
    play, orders = locked(), []
    for turn in range(4):
        order = play.step.order
        assert order is not None
        orders.append(order)
        play.deal_one()
        if turn % 2 == 0:
            play.change(ToEmptySeat, meant_for=game_of(play.round).placed(play.round)[-1].to[-1], seat=1 + 2 * turn)
    while play.step.kind == "deal":
        assert play.step.order is not None
        orders.append(play.step.order)
        play.deal_one()
    assert orders == list(range(orders[0], orders[0] + len(orders))) and len(orders) == 6
    assert [event.order for event, _ in play.entries if isinstance(event, CardsDealt)] == orders
