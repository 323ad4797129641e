"""Black-jack/21 at the table, 20 to 36: rounds played out, each settled as the same round in a file."""

import msgspec
import pytest

from controller.engine.decisions.hands import Insure
from controller.engine.decisions.played import Decide
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import CardSource
from controller.rulebook.report import BankResult
from tests.engine.hands import Hands
from tests.engine.reported import bank_of, open_cards, reported_bets

BOTH: list[CardSource] = ["shoe", "shuffler"]
KEYS = {
    "round", "act", "game", "outcome", "source", "decks", "deal", "rules", "wagers", "shown_cards", "irregularities",
    "corrections", "decisions", "added_bets", "bank", "seats",
}  # fmt: skip
Line = tuple[str, str, int, int, str]


def dealt(cards: str, *words: str) -> Hands:
    """Seat 1 bets 200; no one gives up or insures; these are its decisions."""
    return Hands(cards).to_deal(1).decides(*words)


def hand(net: int, article: str, stake: int = 200, number: int = 1) -> Line:
    return (f"hand {number}", "", stake, net, article)


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


# ---- 33 to 36


@pytest.mark.parametrize("hole", ["Kh", "5h"])
def test_blackjack_rule_33_insurance_is_asked_against_an_ace_and_pays_two_to_one(hole: str) -> None:
    play = Hands(f"Tc Ah 9c {hole} 4s").to_deal(1).until("ask")
    step = play.public()["step"]
    assert (play.waits, step["most"]) == ("insurance 1", [100]) and "up to 1.00" in step["prompt"]["en"]
    assert play.refused(Insure, seat=1, amounts=(101,)).article == "33"
    won = hole == "Kh"
    lines = play.answers("insure 100", "stand").lines()
    assert lines[1] == ("insurance", "", 100, 200 if won else -100, "33")
    assert sum(line[3] for line in lines) == (0 if won else -300)


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


def test_blackjack_rule_31_by_the_other_reading_a_round_at_the_table_doubles_on_three_cards_too() -> None:
    cards = "4c 5s 4d Td 3h 2d Tc Th Kd"
    play = Hands(cards).to_deal(1).decides("split", "hit")
    play.proceed()
    assert play.refused(Decide, seat=1, hand=1, decision="double").article == "31"
    play = Hands(cards, rules=("double_after_split_three_cards",)).to_deal(1).decides("split", "hit", "double", "stand")
    assert [line[2:4] for line in play.lines()] == [(400, 400), (200, 200)]
    assert play.report.rules == ("double_after_split_three_cards",)
