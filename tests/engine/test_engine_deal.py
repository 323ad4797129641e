"""Where each card of a live round goes, and what becomes of a deal that goes wrong."""

import pytest

from controller.engine.decisions.cards import Cut, ShuffleReported
from controller.engine.decisions.cards import Shuffled as ShuffledByHand
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import BeginRound, CloseClaims, InsertionReported, OpenTable
from controller.engine.state.events import DealerNotified, ShufflerKnown
from controller.rulebook.events import CardsShuffled
from controller.rulebook.games import game_of
from tests.engine.playing import Play, cards


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


def test_art_11_1_a_seat_that_places_nothing_gets_no_cards() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(4, ante=100).bet(4, ante=0)
    play.lock()
    play.deal()
    assert play.places_dealt() == [("seat 1",) * 3, ("bank",) * 3]


def test_art_8_the_steps_follow_one_another_and_have_their_ids() -> None:
    play = Play(source="shoe")
    assert play.step.id == "open/1"
    play.say(OpenTable)
    assert play.step.id == "1/begin"
    play.say(BeginRound)
    assert (play.step.id, play.step.order) == ("1/shuffle", None)
    play.say(ShuffledByHand)
    assert play.step.id == "1/cut"
    play.say(Cut, by="seat 3")
    assert play.step.id == "1/wagers"
    play.bet(3, ante=100).lock()
    for number in range(1, 7):
        assert play.step.id == f"1/deal/{number}"
        play.deal_one()
    assert (play.step.id, play.step.cards) == ("1/count/1", 6)
    play.report_count(6)
    assert (play.step.id, play.step.waiting) == ("1/decisions", (3,))
    play.decisions()
    assert play.step.id == "1/reveal/bank"
    play.reveal_one()
    assert play.step.id == "1/reveal/seat 3"
    play.reveal_one()
    assert play.step.id == "1/confirm"
    play.say(Confirm)
    assert play.step.id == "1/claims"
    play.say(CloseClaims)
    assert play.step.id == "2/begin"


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


def test_the_claims_close_by_hand() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.to_settled()
    play.say(Confirm)
    play.receive(InsertionReported(count=5))
    play.say(CloseClaims)
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
