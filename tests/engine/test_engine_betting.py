"""Wagers and jackpot chips until the betting closes, and chips that come too late."""

import msgspec
import pytest

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.session import BeginRound, OpenTable
from controller.engine.state.events import ShufflerKnown
from controller.engine.state.persons import ToEmptySeat
from controller.rulebook.events import CardsDealt, CardsNulled
from controller.rulebook.games import game_of
from tests.engine.playing import Play, irregularities_published


def test_the_name_of_a_player_stays_with_the_seat() -> None:
    play = Play().to_wagers()
    play.say(PlaceWager, seat=2, wager="ante", amount=100, player="p7")
    play.bet(2, pair_plus=100)
    assert play.round.players == {2: "p7"}


def test_art_3_3_an_additional_bet_the_house_does_not_offer_is_refused() -> None:
    play = Play(additional=(), chip=0).to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="six_card_bonus", amount=100).article == "3.º"
    play.bet(1, ante=100, pair_plus=100)


def test_where_no_jackpot_is_offered_a_chip_on_a_sensor_counts_for_nothing() -> None:
    play = Play(additional=(), chip=0).to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    assert play.round.chips == () and play.table.meter is None


# ---- Where each card of a live round goes, and what becomes of a deal that goes wrong


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
    assert irregularities_published(play) == [{"kind": "empty_seat", "to": "seat 3", "article": "17.º 4 2)"}]


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
