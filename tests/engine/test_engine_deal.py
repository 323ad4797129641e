"""Where each card of a live round goes, and what becomes of a deal that goes wrong."""

import msgspec
import pytest

from controller.engine.decisions.cards import Shuffled as ShuffledByHand
from controller.engine.decisions.cards import ShuffleReported
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import BeginRound, InsertionReported, OpenTable
from controller.engine.state.events import DealerNotified, ShufflerKnown
from controller.engine.state.persons import ToEmptySeat
from controller.rulebook.events import CardsDealt, CardsNulled, CardsShuffled
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
