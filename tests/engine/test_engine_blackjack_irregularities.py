"""Black-jack/21 at the table, 18 to 36: rounds played out, cards no one asked for or read, void rounds, restarts."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.hands import UnaskedCard
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.shown.device_orders import react
from controller.engine.state.applied import apply
from controller.engine.state.persons import CorrectCards, CorrectDecision
from controller.engine.state.table import Table
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import CardsDealt, CardSource
from controller.rulebook.report import BankResult
from tests.engine.hands import Hands
from tests.engine.reported import bank_of, irregularities, open_cards, reported_bets

BOTH: list[CardSource] = ["shoe", "shuffler"]
KEYS = {
    "round", "act", "game", "outcome", "source", "decks", "deal", "rules", "wagers", "shown_cards", "irregularities",
    "corrections", "decisions", "added_bets", "bank", "seats",
}  # fmt: skip


def dealt(cards: str, *words: str) -> Hands:
    """Seat 1 bets 200; no one gives up or insures; these are its decisions."""
    return Hands(cards).to_deal(1).decides(*words)


# ---- 20 to 25


def test_blackjack_rule_22_with_no_one_left_in_play_the_bank_draws_no_third_card() -> None:
    lost = dealt("Tc 7h 6c 5h Td", "hit")
    given_up = Hands("Tc 7h 6c 5h").to_deal(1).answers("yes")
    paid = Hands("Ac 7h Kc 5h").to_deal(1)
    even_money = Hands("Ac Ah Kc 5h").to_deal(1).answers("yes")
    for play, nets in ((lost, -200), (given_up, -100), (paid, 300), (even_money, 200)):
        assert sum(line[3] for line in play.lines()) == nets
        assert "bank_turned" not in play.kinds and bank_of(play.report).total is None
        assert [move.draw for move in hands_of(play.round).moves if move.draw][-1] == play.round.draws


# ---- what the floor is notified of


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_18_the_floor_receives_bets_cards_and_answers_in_order(source: CardSource) -> None:
    play = Hands("8c Tc Ah 8d 6d 7h Tc 9c 3c 9d", source=source).to_wagers()
    play.place_bet(1, 200, "Ana", Rui=100).place_bet(3, 100).until("ask")
    play.answers("insure 100,50", "no", "split", "follow 1", "stand", "stand", "hit").settled()
    report = play.report
    assert set(msgspec.to_builtins(report)) == KEYS
    assert (report.source, report.decks, report.outcome) == (source, 4, "settled")
    assert reported_bets(report) == [(1, "bet", "Ana", 200), (1, "backing", "Rui", 100), (3, "bet", None, 100)]
    assert open_cards(report) == {
        "seat 1/1": "8c Tc", "seat 1/2": "8d 9c", "seat 3/1": "Tc 6d 3c", "bank": "Ah 7h"
    }  # fmt: skip
    assert [(decision.seat, decision.hand, decision.decision) for decision in report.decisions] == [
        (1, None, "insure 100,50"), (3, None, "insure 0"), (1, 1, "split"), (1, 1, "follow 1"), (1, 1, "stand"),
        (1, 2, "stand"), (3, 1, "hit"), (3, 1, "stand"),
    ]  # fmt: skip
    assert report.bank == BankResult(total=18, black_jack=False)
    assert [sum(line.net for line in seat.lines if line.player is None) for seat in report.seats] == [
        seat.net for seat in report.seats
    ]


# ---- Black-jack/21 at the table, 18: a card drawn against the player's wish, seen or unseen, and who gets it.


def unasked(cards: str, *seats: int) -> Hands:
    """Seat 1 is asked, and a card comes out that it did not ask for."""
    play = Hands(cards).to_ask(*(seats or (1, 2)))
    before = play.step
    play.comes_out()
    assert play.step == before and play.notices()[-1] == "unasked_card"
    assert play.public()["round"]["pending_cards"] == 1
    return play


# Seats 1 and 2 have 16 and 12, the bank 9 and 7; the card no one asked for is 5s, then 4d, then what follows.
DEAL = "Tc 8c 9h 6c 4c 7h 5s 4d 2h 3h"


def test_blackjack_rule_18_unseen_it_is_seen_by_no_one_until_someone_gets_it() -> None:
    messages = []
    for card in ("5s", "Ts", "As"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card}")
        play.say(UnaskedCard, seen=False)
        play.answers("stand")
        messages.append([*play.channels, play.projection()])
        play.answers("hit")
        assert play.hands(2)[0].startswith(f"8c 4c {card}")
    assert messages[0] == messages[1] == messages[2]


def test_blackjack_rule_18_seen_at_the_table_it_is_still_not_the_stations_to_publish() -> None:
    messages = []
    for card in ("5s", "Ts"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card} 4d")
        play.say(UnaskedCard, seen=True)
        play.settled().until("begin")
        messages.append(play.channels)
    assert messages[0] == messages[1]


@pytest.mark.parametrize("decision", ["hit", "stand"])
def test_blackjack_rule_18_an_unread_one_is_keyed_in_where_it_comes_to_be(decision: str) -> None:
    play = Hands(DEAL).to_ask(1, 2)
    play.unread = {play.dealt}
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.answers(decision)
    if decision == "stand":
        play.answers("hit")
    seat = 1 if decision == "hit" else 2
    assert play.waits == f"reveal seat {seat}" and play.step.key_in
    play.proceed()
    assert play.hands(seat)[0].split()[2] == "5s"
    play.settled()
    assert ("keyed_in", f"seat {seat}", "policy: unread cards") in irregularities(play.report)


# ---- cards that were not read


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("draw", range(8))
def test_blackjack_an_unread_card_is_keyed_in_at_once(source: CardSource, draw: int) -> None:
    play = Hands("Tc 8c Th 4c 5d 2h 3s 9s Ts", source=source, unread={draw + (source == "shoe")})
    play.to_deal(1, 2)
    while not play.at("confirm"):
        if play.step.key_in:
            assert play.at("reveal") and "key them in" in play.public()["step"]["prompt"]["en"]
            assert "card_unread" in play.notices()
            place, card = play.step.to[0], play.unread_card()
            for cards in (None, "", "2x", f"{card} {card}"):
                assert play.refused(Reveal, to=place, cards=cards).who in (place, "bank")
            assert play.refused(Reveal, to="seat 7", cards=card).who == "seat 7"
        play.proceed()
    assert any(kind == "keyed_in" for kind, *_ in irregularities(play.report))
    play.settled()


# ---- a restart


ANSWERED = {"insurance": "insure 100,50", "follow": "follow 1", "give_up": "no"}


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("prize", ["", "auto", "manual"])
def test_blackjack_the_table_is_the_same_after_a_restart_at_every_step(source: CardSource, prize: str) -> None:
    play = Hands("8c Jc Ah 8d Ac 6h 8h 9c 2d Tc Td 3c", source=source, prize=prize, unread={9})
    replayed, count = Table(), 0
    while not (play.at("begin") and play.table.rounds == 2):
        if play.at("wagers") and not play.round.wagers:
            play.place_bet(1, 200, "Ana", Rui=100).place_bet(2, 100).vacant(5, Rui=300)
            play.chips(1) if prize == "auto" else play.mark(1) if prize else None
        elif play.at("ask") and play.table.rounds == 1 and play.step.question in ANSWERED:
            play.answer(ANSWERED[play.step.question] if play.step.seat == 1 else "no")
        elif play.at("ask") and "split" in play.step.legal:
            play.answer("split")
        else:
            play.proceed()
        for event in play.events[count:]:
            replayed = apply(replayed, msgspec.json.decode(msgspec.json.encode(event), type=type(event)))
        count = len(play.events)
        assert replayed == play.table == msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
        if play.at("confirm"):
            play.settled()
    assert sum(isinstance(event, CardsDealt) for event in play.events) > 16


# ---- Black-jack/21 at the table: bets, answers, seats and cards entered wrongly, and what leaves no dead end


def betting() -> Hands:
    return Hands().to_wagers()


def test_blackjack_rule_13_what_is_placed_is_in_the_projection_by_player() -> None:
    play = betting().place_bet(1, 200, "Ana", Rui=100).vacant(3, Bia=300)
    shown = msgspec.json.decode(play.projection())["round"]
    assert shown["wagers"] == {"1": {"bet": 200, "backing": 100}, "3": {"vacant": 300}}
    assert shown["bets"] == [
        {"seat": 1, "wager": "bet", "player": "Ana", "amount": 200},
        {"seat": 1, "wager": "backing", "player": "Rui", "amount": 100},
        {"seat": 3, "wager": "vacant", "player": "Bia", "amount": 300},
    ]


WHY = {"reason": "entered wrongly"}


# ---- corrected cards


def test_blackjack_rule_17_the_hidden_card_is_not_corrected_and_not_published() -> None:
    texts = []
    for hole in ("7h", "Ah"):
        play = Hands(f"Tc Th 9c {hole}").to_ask(1)
        assert play.refused(CorrectCards, "rui", to="bank", cards="Th 2c", **WHY).who == "bank"
        play.change(CorrectCards, "rui", to="bank", cards="Kh", **WHY)
        assert play.bank() == "Kh"
        texts.append([*play.channels, play.projection()])
        assert play.settled().bank().startswith(f"Kh {hole}")
    assert texts[0] == texts[1]


# ---- Black-jack/21 at the table: an answer keyed in wrongly is corrected as long as no card followed from it.


MISHEARD: dict[str, Any] = {"reason": "misheard"}


def correct_answer(play: Hands, seat: int, answer: str) -> Hands:
    play.change(CorrectDecision, seat=seat, decision=answer, **MISHEARD)
    return play


def test_blackjack_rule_18_after_it_nothing_answers_what_was_asked_before() -> None:
    play = Hands("Tc 9c Td 4d 8d 7h 6s").to_ask(1, 2).answers("stand")
    seen = {play.step.id}
    correct_answer(play, 1, "hit")
    assert play.step.id not in seen
    seen.add(play.step.id)
    correct_answer(play, 1, "stand")
    assert play.step.id not in seen and play.waits == "decision 2/1"
    for old in seen:
        with pytest.raises(StaleStep):
            play.check(Decide(input_id="x", step_id=old, actor="ana", seat=2, hand=1, decision="stand"))
    play.answers("hit")
    with pytest.raises(StaleStep):
        play.check(UnreportedCard(input_id="y", step_id="1/deal/8/2", actor="ana"))


# ---- Black-jack/21: corrections and cards that come when no one looks for them leave no dead end and make no money.


def test_blackjack_rule_10_the_shoe_is_open_for_the_card_that_is_burned() -> None:
    assert not react(Hands().until("burn").table, 2).shoe_locked
