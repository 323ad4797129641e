"""2008: null cards, and a card of the bank that is left out while more goes wrong; which one, no one can read."""

from collections.abc import Callable

import pytest

from controller.engine.decisions.devices import DeviceReport
from controller.engine.decisions.played import Reveal
from controller.engine.shown.device_orders import ShufflerWork, react
from controller.engine.state.persons import CorrectCards, CorrectSeat, CorrectWager
from controller.rulebook.events import CardsNulled
from controller.rulebook.games import game_of
from controller.rulebook.steps import StepKind
from tests.engine.playing import NAMED, cards, stacked
from tests.engine.table_2008 import (
    FROM,
    SHUFFLERS,
    Play2008,
    irregularities_published,
    locked,
    played_to_its_end,
    voided,
)

EVERY_SOURCE = pytest.mark.parametrize(("source", "sizes"), FROM)
WHY = {"reason": "entered wrongly"}


def all_dealt(source: str = "shuffler", sizes: tuple[int, ...] = (3,)) -> Play2008:
    play = locked(source, sizes)
    while play.at("deal"):
        play.deal_one()
    return play


def kinds(play: Play2008) -> list[tuple[str, str, str]]:
    """What was borne, as the floor is notified it."""
    return [(row["kind"], row["to"], row["article"]) for row in irregularities_published(play)]


BOTH = [("exposed", "bank", "11.º 2)"), ("empty_seat", "seat 5", "11.º 3)")]


# ---- null cards


@EVERY_SOURCE
@pytest.mark.parametrize("meant_for", ["seat 1", "seat 2", "seat 3"])
def test_2008_art_11_3_cards_that_went_astray_before_the_one_left_out_are_null_and_it_stays_the_bank_s(
    source: str, sizes: tuple[int, ...], meant_for: str
) -> None:
    play = locked(source, sizes)
    for _ in range(4):
        play.deal_one()
    play.leave_out(1)
    before = play.step.to, play.step.order
    play.astray(meant_for, 5)
    # What the shuffler was asked to give is what it is still reported: an order has one meaning.
    assert (play.step.to, play.step.order) == before
    played_to_its_end(play)
    assert play.in_view == ["Qd"]
    assert {len(hand.split()) for hand in play.shown.values()} == {3}
    assert kinds(play) == BOTH


# ---- corrections


@EVERY_SOURCE
@pytest.mark.parametrize("step", ["deal", "decisions", "reveal", "confirm"])
def test_2008_art_11_2_bets_and_seats_are_corrected_as_ever(
    source: str, sizes: tuple[int, ...], step: StepKind
) -> None:
    play = all_dealt(source, sizes)
    play.leave_out(2)
    play.until(step)
    play.change(CorrectWager, seat=1, wager="ante", amount=700, **WHY)
    play.change(CorrectSeat, seat=3, to_seat=6, **WHY)
    for packet in play.felt:
        packet.to = tuple("seat 6" if place == "seat 3" else place for place in packet.to)
    played_to_its_end(play)
    assert play.round.wagers == {1: {"ante": 700}, 2: {"pair_plus": 200}, 6: {"ante": 300, "pair_plus": 400}}
    assert kinds(play) == BOTH[:1]


@EVERY_SOURCE
def test_2008_art_11_2_cards_of_the_bank_that_were_keyed_in_wrongly_are_those_that_count(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = locked(source, sizes, unread=[12])
    while play.at("deal"):
        play.deal_one()
    play.leave_out(1)
    play.until("reveal")
    truth = play.lying_at("bank")
    assert play.refused(Reveal, to="bank", cards=f"Qd {truth}").article == "policy: unread cards"
    assert play.refused(Reveal, to="bank", cards=f"Qd {truth[3:]}").article == "policy: unread cards"
    wrong = f"{truth[:-2]}{play.deck[-1]}"
    play.say(Reveal, to="bank", cards=wrong)
    assert play.shown["bank"] == wrong
    play.change(CorrectCards, to="bank", cards=truth, **WHY)
    played_to_its_end(play)


@EVERY_SOURCE
@pytest.mark.parametrize("left_out_is", ["first", "second"])
def test_2008_a_card_that_came_twice_voids_whether_or_not_one_of_them_was_left_out(
    source: str, sizes: tuple[int, ...], left_out_is: str
) -> None:
    play = locked(source, sizes)
    deck = list(play.deck)
    at = 3 if source == "shoe" else 9  # the bank's first card
    deck[12 if left_out_is == "first" else 0] = deck[at]
    play.deck = deck
    while play.at("deal"):
        play.deal_one()
    play.leave_out(1)
    play.until("reveal", "confirm")
    if play.at("reveal"):
        play.reveal_one()
    assert voided(play).article == "policy: complete deck"


# ---- the cards afterwards


@pytest.mark.parametrize("sizes", SHUFFLERS)
def test_2008_art_11_2_what_a_packet_has_beyond_the_bank_s_cards_is_on_the_rack_unseen(
    sizes: tuple[int, ...],
) -> None:
    play = all_dealt(sizes=sizes)
    play.leave_out(2)
    play.until("claims")
    assert play.places_dealt()[-1] == ("bank", *("discard",) * (sizes[0] - 1))
    hidden = [card for packet in play.felt for card, to in zip(packet.cards, packet.to, strict=True) if to == "discard"]
    assert len(hidden) == sizes[0] - 1
    assert not any(card.encode() in channel for card in [*hidden, *play.in_view] for channel in play.channels)


def test_2008_art_11_2_no_order_is_given_twice() -> None:
    play = all_dealt(sizes=(2, 3))
    orders: list[int] = []
    for _ in range(3):
        for which in (1, 2):
            play.leave_out(which)
            assert react(play.table, 2).shuffler == ShufflerWork(order=play.step.order or 0, count=2)
        orders.append(play.step.order or 0)
        play.deal_one()
    assert orders == list(range(orders[0], orders[0] + 3))
    played_to_its_end(play)


# ---- that no one can read which card it was


def course(deck: list[str], source: str, sizes: tuple[int, ...], then: Callable[[Play2008], object]) -> Play2008:
    """A round of seats 2 and 5 in which the bank's second card is left out, and what comes then."""
    play = Play2008(stacked(*deck), source, packet_sizes=sizes).to_wagers()
    assert isinstance(play, Play2008)
    play.bet(2, ante=100).bet(5, ante=200, pair_plus=300).lock()
    while play.at("deal"):
        play.deal_one()
    play.leave_out(2)
    then(play)
    return play


@EVERY_SOURCE
@pytest.mark.parametrize("last", ["deal", "decisions", "reveal", "confirm", "claims", "begin"])
def test_2008_art_11_2_which_card_was_left_out_changes_no_byte_that_anybody_can_read(
    source: str, sizes: tuple[int, ...], last: StepKind
) -> None:
    deck = cards("As Ks Qs 9h 9d 2c Qd 9c 4h 2d 5h 7c 3s 3d")
    left_out = 5 if source == "shoe" else 7  # its place in the deck
    plays = []
    for other in ("Td", "Ah", "2h"):
        changed = [*deck[:left_out], cards(other)[0], *deck[left_out + 1 :]]
        plays.append(course(list(changed), source, sizes, lambda play: play.until(last)))
        assert plays[-1].in_view == [other] and not any(other.encode() in channel for channel in plays[-1].channels)
    assert plays[0].channels == plays[1].channels == plays[2].channels


def test_2008_art_11_2_what_devices_say_of_it_names_no_card() -> None:
    def trouble(play: Play2008) -> None:
        play.receive(DeviceReport(device="shuffler", what="jam"))
        play.until("begin")

    play = course(["As Ks Qs", "9h 9d 2c", "Qd 9c 4h"], "shuffler", (3,), trouble)
    assert not any(NAMED.search(channel) for channel in play.channels)


@EVERY_SOURCE
@pytest.mark.parametrize("dealt", range(1, 13))
@pytest.mark.parametrize("later", [0, 1, 2])
def test_2008_art_11_3_cards_at_a_seat_without_a_bet_are_null_and_the_round_continues(
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
    played_to_its_end(play)
    [null] = [packet for packet in game_of(play.round).placed(play.round) if packet.dealt.null is not None]
    assert set(null.to) == {"seat 5"} and play.round.draws == 12 + len(null.to)
    assert irregularities_published(play) == [{"kind": "empty_seat", "to": "seat 5", "article": "11.º 3)"}]
    hidden = {card for packet in play.felt if packet.to[0] == "null" for card in packet.cards}
    assert not hidden & set(cards(" ".join(play.shown.values())))
