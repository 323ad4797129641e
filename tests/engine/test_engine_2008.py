"""2008 at the live table where nothing goes wrong: seats, shuffle, bets, deal, decisions, what is turned."""

from collections.abc import Callable
from functools import reduce
from itertools import combinations

import msgspec
import pytest

from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.devices import DeviceReport
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Reveal
from controller.engine.decisions.session import BeginRound
from controller.engine.shown.device_orders import ShufflerWork, react
from controller.engine.state.persons import CorrectCards, CorrectSeat, CorrectWager, EnterCount, Exposed
from controller.rulebook.events import (
    BettingClosed,
    CardsDealt,
    CardsExposed,
    CardsNulled,
    CardSource,
    CardsSetAside,
    CardsShuffled,
    DeckCut,
    RoundBegun,
    SharedEvent,
    WagerPlaced,
)
from controller.rulebook.games import game_of, open_round
from controller.rulebook.round import Round, advance
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.playing import NAMED, Play, cards, irregularities_published, published_round, stacked, terms
from tests.engine.table_2008 import (
    FROM,
    GAME,
    HANDS,
    SHUFFLERS,
    TERMS,
    Play2008,
    locked,
    played_to_its_end,
    stacked_for,
    voided,
)

SOURCES = ["shuffler", "shoe"]


# ---- 7.º: the deal


def locked_round(source: CardSource, seats: tuple[int, ...]) -> Round:
    """A round with a bet at each of the seats, placed from the last to the first; no card is yet."""
    begun = RoundBegun(round=1, terms=terms(**TERMS, source=source), orders_from=256)
    events: list[SharedEvent] = [DeckCut(by="bank"), CardsShuffled(count=52)]
    events += [
        WagerPlaced(seat=seat, wager=("ante", "pair_plus")[seat % 2], amount=100) for seat in sorted(seats)[::-1]
    ]
    events.append(BettingClosed(chips=(), returned=()))
    opened: Round = open_round(begun)
    return reduce(advance, events, opened)


def order_of_the_deal(round: Round) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    while (step := GAME.next_step(round)).kind == "deal":
        found.append(step.to)
        draws = tuple(range(round.draws + 1, round.draws + 1 + len(step.to)))
        round = advance(round, CardsDealt(draws=draws, places=step.to, order=step.order))
    for place in {place for packet in found for place in packet}:
        dealt = [to for packet in found for to in packet]
        assert GAME.draws_at(round, place) == tuple(draw for draw, to in enumerate(dealt, 1) if to == place)
    return found


ANY_SEATS = [seats for count in range(1, 8) for seats in combinations(range(1, 8), count)]


def test_2008_art_7_1_from_the_shoe_one_card_at_a_time_the_last_of_each_pass_to_the_bank() -> None:
    for seats in ANY_SEATS:
        one_pass = [(f"seat {seat}",) for seat in seats] + [("bank",)]
        assert order_of_the_deal(locked_round("shoe", seats)) == one_pass * 3


def test_2008_art_7_2_from_the_shuffler_three_cards_at_a_time_the_last_three_to_the_bank() -> None:
    for seats in ANY_SEATS:
        packets = [(f"seat {seat}",) * 3 for seat in seats] + [("bank",) * 3]
        assert order_of_the_deal(locked_round("shuffler", seats)) == packets


@pytest.mark.parametrize(("source", "sizes"), FROM)
@pytest.mark.parametrize("seats", [(4,), (1, 7), (2, 5, 6), (1, 2, 3, 4, 5, 6, 7)])
def test_2008_art_7_each_card_goes_to_the_hand_it_is_shown_in(
    source: str, sizes: tuple[int, ...], seats: tuple[int, ...]
) -> None:
    play = Play2008(source=source, packet_sizes=sizes).to_wagers()
    for seat in reversed(seats):
        play.bet(seat, ante=100)
    play.lock()
    play.to_settled()
    deck, hands = play.deck, len(seats) + 1
    for turn, place in enumerate([*(f"seat {seat}" for seat in seats), "bank"]):
        there = [deck[turn + hands * n] for n in range(3)] if source == "shoe" else deck[3 * turn : 3 * turn + 3]
        assert play.shown[place] == " ".join(there)
    assert play.round.draws == 3 * hands and not play.round.chips


def test_2008_art_7_the_orders_of_the_shuffler_follow_one_another() -> None:
    play, orders = locked(), []
    while play.step.kind == "deal":
        work = react(play.table, 2).shuffler
        assert work is not None and (work.order, work.count) == (play.step.order, 3)
        orders.append(work.order)
        play.deal_one()
    assert orders == [258, 259, 260, 261]


def test_2008_art_7_the_shoe_is_open_only_while_it_is_dealt_from() -> None:
    shoe = Play2008(source="shoe")
    while shoe.step.kind != "claims":
        assert react(shoe.table, 2).shoe_locked is (shoe.step.kind != "deal")
        assert react(shoe.table, 2).shuffler is None
        if shoe.at("wagers"):
            shoe.bet(1, ante=100)
        shoe.proceed()


# ---- 2008 at the live table once the cards are there: decisions, what is turned, what the floor is notified of.


def test_2008_art_9_2_live_a_hand_that_was_given_up_is_not_turned_and_the_ante_is_lost() -> None:
    play = locked().until("decisions").decisions(seat_1="fold")
    assert "Seat 1 gives up: collect its cards at once (9.º 2))." in str(play.projection(), "utf-8")
    play.to_settled()
    assert set(play.round.play.shown) == {"bank", "seat 2", "seat 3"}
    assert play.round.settlement is not None
    [line] = play.round.settlement.seats["1"].lines
    assert (line.wager, line.outcome, line.net, line.article) == ("ante", "lose", -100, "9.º 2)")
    play.until("begin")
    for card in cards(HANDS[0]):
        assert not any(card.encode() in channel for channel in play.channels)


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_9_and_art_10_the_floor_is_notified_of_the_round_and_of_no_jackpot(source: str) -> None:
    play = locked(source)
    data = published_round(play)
    assert {"schema", "mode", "round", "game", "outcome", "source", "wagers", "bank", "seats", "void"} <= set(data)
    assert "community" not in [card["to"] for card in data["shown_cards"]]
    assert not {"community", "jackpot"} & {*data}
    assert (data["game"], data["outcome"], data["source"], data["void"]) == (GAME.id, "settled", source, None)
    assert data["bank"] == {"hand_name": "high_card", "qualifies": True}
    assert {"to": "bank", "cards": ["Qd", "9c", "4h"]} in data["shown_cards"]
    lines = {
        answer["seat"]: [(line["wager"], line["stake"], line["net"], line["article"]) for line in answer["lines"]]
        for answer in data["seats"]
    }
    assert lines == {
        1: [("ante", 100, 100, "9.º 6)"), ("play", 100, 100, "9.º 6)"), ("ante_bonus", 100, 500, "9.º 8) (1)")],
        2: [("pair_plus", 200, 200, "10.º 5)")],
        3: [("ante", 300, -300, "9.º 7)"), ("play", 300, -300, "9.º 7)"), ("pair_plus", 400, -400, "9.º 9)")],
    }
    assert [(decision["seat"], decision["decision"]) for decision in data["decisions"]] == [(1, "play"), (3, "play")]
    assert (play.table.meter, play.step.kind) == (None, "claims")


def test_2008_the_projection_has_no_jackpot_and_no_sign() -> None:
    play = locked()
    assert b'"jackpot":null' in play.projection() and b'"sign":null' in play.projection()
    assert play.refused(Confirm).article == "9.º"


def test_2025_and_2008_tables_may_follow_one_another_each_by_its_own_law() -> None:
    """A round is played by the game it began with, whatever the configuration says since."""
    play = Play(source="shoe").until("wagers").bet(1, ante=100)
    play.settings = Play2008(source="shoe").settings
    play.lock()
    play.to_settled()
    assert play.places_dealt() == [("seat 1",)] * 3 + [("bank",)] * 3
    play.until("begin")
    play.say(BeginRound)
    assert play.step.id == "2/cut" and play.round.terms.game == GAME.id
    play.to_wagers().bet(7, ante=100).lock()
    play.to_settled()
    assert play.places_dealt()[6:] == [("seat 7",), ("bank",)] * 3


# ---- 2008, 11.º 2) and 3): a card of the bank that is seen stays out, null cards, and more that goes wrong beside


EVERY_SOURCE = pytest.mark.parametrize(("source", "sizes"), FROM)


def bank_complete(source: str = "shuffler", sizes: tuple[int, ...] = (3,)) -> Play2008:
    """All is dealt, and nothing counted or decided."""
    play = locked(source, sizes)
    while play.at("deal"):
        play.deal_one()
    return play


def replaced(sizes: tuple[int, ...], count: int) -> tuple[str, ...]:
    """The packet that a shuffler gives for so many cards: the smallest that holds them."""
    size = min(size for size in sizes if size >= count)
    return ("bank",) * count + ("discard",) * (size - count)


def report_seen(play: Play2008, count: int) -> None:
    """The round continues to its end, and the floor is notified of so many cards of the bank."""
    played_to_its_end(play)
    reported = {"kind": "exposed", "to": "bank", "article": "11.º 2)", "count": count}
    assert irregularities_published(play) == [reported] and len(play.in_view) == count


# ---- which card, and what comes instead


@pytest.mark.parametrize("sizes", SHUFFLERS)
@pytest.mark.parametrize("which", [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (3, 1), (1, 2, 3), (3, 2, 1)])
def test_2008_art_11_2_from_the_shuffler_the_bank_gets_the_top_of_the_smallest_packet_that_holds_them(
    sizes: tuple[int, ...], which: tuple[int, ...]
) -> None:
    play = bank_complete(sizes=sizes)
    order, count = play.round.dealt[-1].order, len(which)
    assert order is not None
    draws = tuple(9 + number for number in sorted(which))
    assert play.leave_out(*which) == (CardsExposed(to="bank", count=count), CardsSetAside(to="bank", draws=draws))
    wanted = replaced(sizes, count)
    assert (play.step.kind, play.step.to, play.step.order) == ("deal", wanted, order + 1)
    work = react(play.table, 2).shuffler
    assert work is not None and (work.order, work.count) == (order + 1, len(wanted))
    new = play.deck[12 : 12 + count]
    play.deal_one()
    assert play.at("decisions")
    report_seen(play, count)
    kept = [card for number, card in enumerate(cards(HANDS[3]), 1) if number not in which]
    assert play.shown["bank"].split() == [*kept, *new]


@EVERY_SOURCE
def test_2008_art_11_2_the_hand_is_settled_as_if_the_bank_had_never_had_the_card(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(1)
    report_seen(play, 1)
    bank = play.shown["bank"]
    other = Play2008(stacked_for(source, *HANDS[:3], bank), source, packet_sizes=sizes).to_wagers()
    other.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300, pair_plus=400).lock()
    other.to_settled()
    assert play.round.settlement == other.round.settlement and play.round.play.shown == other.round.play.shown


@EVERY_SOURCE
@pytest.mark.parametrize("reports", [((1,), (1,)), ((3,), (2,)), ((1,), (1, 2)), ((2, 3), (1,)), ((1,), (1,), (1,))])
def test_2008_art_11_2_cards_reported_one_after_the_other_are_replaced_together(
    source: str, sizes: tuple[int, ...], reports: tuple[tuple[int, ...], ...]
) -> None:
    play = bank_complete(source, sizes)
    steps = {play.step.id}
    for which in reports:
        play.leave_out(*which)
        steps.add(play.step.id)
    assert len(steps) == len(reports) + 1  # each is another question than before
    count = sum(map(len, reports))
    assert play.step.to == (("bank",) if source == "shoe" else replaced(sizes, count))
    report_seen(play, count)
    assert play.round.draws == 12 + (count if source == "shoe" else len(replaced(sizes, count)))


# ---- when it is reported


@pytest.mark.parametrize("later", range(1, 9))
def test_2008_art_11_2_reported_after_other_cards_went_out_the_bank_gets_the_next_one(later: int) -> None:
    play = locked("shoe")
    for _ in range(4 + later):
        play.deal_one()
    due = play.step.to
    play.leave_out(1)
    assert (play.in_view, play.step.to) == (["Qd"], ("bank",))
    play.deal_one()
    assert play.step.to == due or play.at("count")
    report_seen(play, 1)


# ---- the count


def test_2008_art_11_2_while_cards_may_have_gone_unreported_they_are_counted_before_any_is_left_out() -> None:
    play = locked("shoe")
    for _ in range(3):
        play.deal_one()
    play.draw_unreported()  # the bank's
    play.receive(ReportsMissed(count=1, gap_cause="reports_lost"))
    play.draw()  # seat 1's second: until the cards are counted it could be taken for the bank's
    play.felt[4].to = ("seat 1",)
    refusal = play.refused(Exposed, to="bank", which=(1,))
    assert refusal.article == "11.º 2)" and "count" in english(refusal.reason)
    play.change(Exposed, to="seat 1")  # whose cards they are makes no difference here
    play.say(EnterCount, count=5)
    play.leave_out(1)
    assert play.in_view == ["Qd"] and play.step.to == ("bank",)
    played_to_its_end(play)
    assert play.shown["seat 1"].startswith("As Ks")
    assert [row["kind"] for row in irregularities_published(play)] == ["exposed", "exposed"]


# ---- the projection


@EVERY_SOURCE
def test_2008_art_11_2_everybody_may_see_that_a_card_was_left_out_and_not_which(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(2)
    seen = msgspec.json.decode(play.projection())["round"]
    assert (seen["aside"], seen["exposed"]) == ([8 if source == "shoe" else 11], {"bank": 1})
    assert play.in_view == ["9c"]
    play.to_settled()
    play.say(Confirm)
    play.until("begin")
    assert not any(b"9c" in channel for channel in play.channels)


# ---- 2008: null cards, and a card of the bank that is left out while more goes wrong; which one, no one can read.


WHY = {"reason": "entered wrongly"}


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
    play = bank_complete(source, sizes)
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
def test_2008_art_11_2_what_a_packet_has_beyond_the_bank_s_cards_is_on_the_rack_unseen(sizes: tuple[int, ...]) -> None:
    play = bank_complete(sizes=sizes)
    play.leave_out(2)
    play.until("claims")
    assert play.places_dealt()[-1] == ("bank", *("discard",) * (sizes[0] - 1))
    hidden = [card for packet in play.felt for card, to in zip(packet.cards, packet.to, strict=True) if to == "discard"]
    assert len(hidden) == sizes[0] - 1
    assert not any(card.encode() in channel for card in [*hidden, *play.in_view] for channel in play.channels)


def test_2008_art_11_2_no_order_is_given_twice() -> None:
    play = bank_complete(sizes=(2, 3))
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
