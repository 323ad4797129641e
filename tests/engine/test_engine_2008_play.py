"""2008 at the live table where nothing goes wrong: seats, shuffle, bets, deal, decisions, what is turned."""

from functools import reduce
from itertools import combinations

import pytest

from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsReported, Decide
from controller.engine.decisions.session import BeginRound
from controller.engine.reasons import TableReason
from controller.engine.shown.device_orders import react
from controller.rulebook.events import (
    BettingClosed,
    CardsDealt,
    CardSource,
    CardsShuffled,
    DeckCut,
    RoundBegun,
    SharedEvent,
    WagerPlaced,
)
from controller.rulebook.games import open_round
from controller.rulebook.round import Round, advance
from tests.engine.playing import Play, cards, source_of, terms
from tests.engine.table_2008 import FROM, GAME, HANDS, TERMS, Play2008, locked, played_to_its_end, published_round

SOURCES = ["shuffler", "shoe"]


# ---- 3.º: shuffle and cut


def test_2008_art_3_1_the_dealer_is_asked_to_load_the_shoe_with_the_cut_card_last() -> None:
    play = Play2008(source="shoe").until("shuffle")
    assert play.prompt == {
        "en": "Shuffle by hand, put the cards into the shoe with the cut card last, then confirm.",
        "pt": "Baralhe manualmente, coloque as cartas no shoe com a carta de corte no fim do baralho e confirme.",
        "zh": "請人手洗牌，把牌放入牌靴，白咭置於牌疊最後，然後確認。",
    }
    assert Play2008().until("shuffle").prompt["en"] == "The shuffler shuffles. Wait."


# ---- 5.º and 6.º: bets


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_6_3_a_card_that_leaves_its_source_before_the_lock_in_is_not_dealt(source: str) -> None:
    play = Play2008(source=source).to_wagers().bet(1, ante=100)
    play.receive(CardsReported(source=source_of(source), cards=cards("As Ks Qs")[: 3 if source == "shuffler" else 1]))
    assert play.step.kind == "wagers" and play.round.dealt == ()
    play.bet(2, ante=100).lock()
    assert set(play.round.wagers) == {1, 2}


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


@pytest.mark.parametrize("source", SOURCES)
def test_2008_the_steps_follow_one_another_and_have_their_ids(source: str) -> None:
    play, ids = Play2008(source=source), []
    while play.step.id != "2/begin":
        ids.append(play.step.id)
        if play.at("wagers"):
            play.bet(3, ante=100)
        play.proceed()
    begin = ["open/1", "1/begin", *(["1/cut"] if source == "shoe" else []), "1/shuffle", "1/wagers"]
    deal = [f"1/deal/{number}" for number in range(1, 7 if source == "shoe" else 3)]
    count = ["1/count/1"] if source == "shoe" else []
    end = ["1/decisions", "1/reveal/bank", "1/reveal/seat 3", "1/confirm", "1/claims"]
    assert ids == [*begin, *deal, *count, *end]


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


def test_2008_art_9_2_and_9_3_a_supervisor_records_a_refused_duty_and_the_ante_alone_is_lost() -> None:
    play = locked().until("decisions")
    assert play.prompt["en"].endswith(
        "Seats 3 must double, for Pair Plus is beside the ante (9.º 3)); a supervisor records it if a player refuses."
    )
    assert play.prompt["en"].startswith("Play or fold? Still to decide: 1.")
    assert play.refused(Decide, seat=3, decision="refused").reason.code == TableReason.ONLY_SUPERVISOR
    assert play.refused(Decide, "rui", seat=1, decision="refused").article == "9.º 1)"  # no duty there
    play.say(Decide, "rui", seat=3, decision="refused")
    play.say(Decide, seat=1, decision="play")
    played_to_its_end(play)
    assert play.round.settlement is not None
    lines = [(line.wager, line.outcome, line.net, line.article) for line in play.round.settlement.seats["3"].lines]
    assert lines == [("ante", "lose", -300, "9.º 2)"), ("pair_plus", "lose", -400, "9.º 9)")]
    assert (3, "refused") in [(given["seat"], given["decision"]) for given in published_round(play)["decisions"]]


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
