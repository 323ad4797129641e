"""Black-jack/21 at the table, 20 to 36: rounds played out, each settled as the same round in a file."""

import msgspec
import pytest

from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure
from controller.engine.decisions.played import Decide
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import CardSource
from controller.rulebook.report import BankResult
from controller.words import sentence
from tests.engine.hands import Hands
from tests.engine.reported import bank_of, laid, open_cards, seat_of

BOTH: list[CardSource] = ["shoe", "shuffler"]
KEYS = {
    "round", "game", "outcome", "source", "decks", "deal", "rules", "wagers", "shown_cards", "irregularities",
    "corrections", "decisions", "added_bets", "bank", "seats",
}  # fmt: skip
Line = tuple[str, str, int, int, str]


def dealt(cards: str, *words: str, source: CardSource = "shoe") -> Hands:
    """Seat 1 bets 200; nobody gives up or insures; these are its decisions."""
    return Hands(cards, source=source).to_deal(1).decides(*words)


def ended(cards: str, *words: str) -> list[Line]:
    """The lines of such a round."""
    return dealt(cards, *words).lines()


def hand(net: int, article: str, stake: int = 200, number: int = 1) -> Line:
    return (f"hand {number}", "", stake, net, article)


def so_far(play: Hands) -> list[tuple[str, int]]:
    """What is won and lost at seat 1 before the round is over."""
    return [(line["article"], line["net"]) for line in play.public()["round"]["lines"].get("1", [])]


# ---- 20 to 25


def test_blackjack_rule_20_a_black_jack_beats_21_and_a_split_makes_none() -> None:
    assert ended("Ac Th Kd 7h 4c") == [hand(300, "21")]  # the bank has 21 with three cards
    assert ended("Tc Th 6c Ah 5c", "hit") == [hand(-200, "20")]
    split = dealt("Ac 9h Ad 8h Kc Qd", "split")
    assert split.lines() == [hand(200, "23"), hand(200, "23", number=2)]
    assert split.hands(1) == ["Ac Kc waiting", "Ad Qd waiting"]


@pytest.mark.parametrize("open_card", ["2h", "5h", "9h"])
def test_blackjack_rule_21_a_black_jack_the_bank_cannot_equal_is_paid_at_once(open_card: str) -> None:
    play = Hands(f"Ac 8c {open_card} Kd 3d 7h 2s Ts").to_deal(1, 2).until("ask")
    assert play.hands(1) == ["Ac Kd paid"] and so_far(play) == [("21", 300)] and play.waits == "give_up 2"
    assert play.lines() == [hand(300, "21")]


@pytest.mark.parametrize(("bank", "line"), [("Th 9d", hand(300, "21")), ("Th Ad", hand(0, "21"))])
def test_blackjack_rule_21_against_a_ten_it_waits_and_two_black_jacks_are_null(bank: str, line: Line) -> None:
    shown, hole = bank.split()
    play = Hands(f"Kc {shown} Ac {hole}").to_deal(1).until("reveal")
    assert play.hands(1) == ["Kc Ac black_jack"] and so_far(play) == []
    assert play.lines() == [line]


def test_blackjack_rule_22_above_21_is_lost_at_once() -> None:
    play = Hands("Tc 8c 7h 6c 3d Th Td Ks").to_ask(1, 2).answers("hit").until("ask")
    assert play.waits == "decision 2/1" and play.hands(1) == ["Tc 6c Td lost"] and so_far(play) == [("22", -200)]
    assert play.answers("hit").lines() == [hand(-200, "22")]


def test_blackjack_rule_22_with_nobody_left_in_play_the_bank_draws_no_third_card() -> None:
    lost = dealt("Tc 7h 6c 5h Td", "hit")
    given_up = Hands("Tc 7h 6c 5h").to_deal(1).answers("yes")
    paid = Hands("Ac 7h Kc 5h").to_deal(1)
    even_money = Hands("Ac Ah Kc 5h").to_deal(1).answers("yes")
    for play, nets in ((lost, -200), (given_up, -100), (paid, 300), (even_money, 200)):
        assert sum(line[3] for line in play.lines()) == nets
        assert "bank_turned" not in play.kinds and bank_of(play.report).total is None
        assert [move.draw for move in hands_of(play.round).moves if move.draw][-1] == play.round.draws


def test_blackjack_rule_22_open_insurance_turns_the_banks_second_card_and_no_more() -> None:
    play = Hands("Tc Ah 6c 4h Td 9s").to_deal(1).answers("insure 100", "hit")
    assert play.until("reveal").lines() == [hand(-200, "22"), ("insurance", "", 100, -100, "33")]
    assert play.bank() == "Ah 4h"  # 15, and yet it draws none


def test_blackjack_rule_22_a_waiting_black_jack_is_in_play() -> None:
    play = Hands("Kc Th Ac 4h 9s").to_deal(1)
    assert play.lines() == [hand(300, "21")] and play.bank() == "Th 4h 9s"


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("Tc Th 9c 8h", hand(200, "23")), ("Tc Th 8c 9h", hand(-200, "23")), ("Tc Th 8c 8h", hand(0, "24")),
        ("Tc Th 8c 6h Kd", hand(200, "23")), ("Ac Th 6c 7h", hand(0, "24")), ("Ac Ah 7c 6h", hand(200, "23")),
        ("Tc Ah 8c Kh", hand(-200, "23")),
    ],
)  # fmt: skip
def test_blackjack_rule_23_24_and_25_the_nearer_to_21_wins_its_stake(cards: str, line: Line) -> None:
    play = dealt(cards, "stand")
    assert play.lines() == [line]
    assert seat_of(play.report, 1).net == line[3]


# ---- 26 to 32


def test_blackjack_rule_26_a_pair_is_two_bets_and_each_hand_gets_its_second_card_unasked() -> None:
    play = dealt("8c Ts Kd 7h", "stand")
    assert play.until("confirm").hands(1) == ["8c Kd stood"]
    play = dealt("Tc Ts Kd 7h 2c 9c 9d", "split").until("ask")
    assert (play.waits, play.hands(1)) == ("decision 1/1", ["Tc 2c asked", "Kd waiting"])
    play.answers("hit")
    assert play.waits == "deal seat 1" and play.step.hand == 1
    assert play.until("ask").waits == "decision 1/2"
    assert play.answers("stand").lines() == [hand(200, "23"), hand(200, "23", number=2)]


def test_blackjack_rule_26_live_split_aces_get_one_card_each() -> None:
    play = dealt("Ac Ts Ad 7h 5c 9d", "split")
    assert play.until("reveal").hands(1) == ["Ac 5c waiting", "Ad 9d waiting"]
    assert play.lines() == [hand(-200, "23"), hand(200, "23", number=2)]


def test_blackjack_rule_27_a_pair_that_comes_of_a_split_is_split_again_and_aces_too() -> None:
    play = dealt("8c Ts 8d 7h 8h 3c Tc 9c Td", "split", "split", "hit", "stand", "stand")
    assert play.lines() == [hand(200, "23"), hand(0, "24", number=2), hand(200, "23", number=3)]
    aces = dealt("Ac Ts Ad 7h Ah 9c", "split").until("ask")
    assert (aces.waits, aces.step.legal) == ("decision 1/1", ("stand", "split"))
    assert aces.refused(Decide, seat=1, hand=1, decision="hit").article == "26"


def backed(cards: str, *words: str) -> Hands:
    """Seat 1 bets 200, Rui 100 and Bia 300 beside it."""
    return Hands(cards).to_wagers().lay(1, 200, "Ana", Rui=100).lay(1, Bia=300).until("deal").decides(*words)


def test_blackjack_rule_28_each_backer_follows_a_split_or_stays_on_the_first_hand() -> None:
    play = backed("8c Ts 8d 7h Tc 3c 8s", "split")
    assert (play.waits, play.step.backers) == ("follow 1/1", ("Rui", "Bia"))
    for who in ((True,), (True, False, True), ()):
        assert play.refused(Follow, seat=1, hand=1, who=who).article == "28"
    play.answers("follow 0,1", "stand").until("ask").answers("hit")
    assert play.lines() == [
        hand(200, "23"), hand(200, "23", number=2), ("hand 1", "Rui", 100, 100, "23"),
        ("hand 1", "Bia", 300, 300, "23"), ("hand 2", "Bia", 300, 300, "23"),
    ]  # fmt: skip


def test_blackjack_rule_28_who_is_not_on_a_hand_is_not_asked_of_it() -> None:
    play = backed("8c Ts 8d 7h Tc 8s 3c Td 9c", "split").answers("follow 1,0", "stand").until("ask")
    play.answer("split")
    assert (play.waits, play.step.backers) == ("follow 1/2", ("Rui",))
    play.answers("follow 1", "double")
    assert (play.waits, play.step.backers) == ("follow 1/2", ("Rui",))
    play.answers("follow 0").settled()
    assert [hand["bet"] for hand in play.public()["round"]["hands"]["1"]] == [200, 400, 200]


@pytest.mark.parametrize(("two", "total"), [("5c 4d", 9), ("6c 4d", 10), ("7c 4d", 11)])
def test_blackjack_rule_29_and_30_nine_ten_and_eleven_are_doubled_for_one_card(two: str, total: int) -> None:
    first, second = two.split()
    play = Hands(f"{first} Ts {second} 7h 9c").to_wagers().lay(1, 200, Rui=100).lay(1, Bia=300).until("deal")
    play.decides("double")
    assert (play.waits, play.step.backers) == ("follow 1/1", ("Rui", "Bia"))
    assert play.refused(Follow, seat=1, hand=1, who=(True,)).article == "30"
    play.answers("follow 1,0").until("reveal")
    shown = play.public()["round"]["hands"]["1"][0]
    assert (shown["bet"], shown["doubled"], shown["total"], shown["state"]) == (400, True, total + 9, "stood")
    assert play.lines() == [
        hand(400, "23", 400), ("hand 1", "Rui", 200, 200, "23"), ("hand 1", "Bia", 300, 300, "23")
    ]  # fmt: skip


def test_blackjack_rule_31_a_hand_that_comes_of_a_split_is_doubled_too() -> None:
    play = dealt("8c Ts 8d 7h 3c Tc 9h", "split", "double", "stand")
    assert play.lines() == [hand(400, "23", 400), hand(0, "24", number=2)]
    refused = dealt("8c Ts 8d 7h 4c", "split").until("ask")
    assert refused.refused(Decide, seat=1, hand=1, decision="double").article == "31"


def test_blackjack_rule_32_an_ace_that_was_counted_as_1_to_double_stays_1() -> None:
    play = dealt("Ac Ts 8d 7h 9c", "double")
    assert play.until("reveal").hands(1) == ["Ac 8d 9c stood"]
    assert play.public()["round"]["hands"]["1"][0]["total"] == 18
    assert ended("Ac Ts 8d 7h Tc", "double") == [hand(400, "23", 400)]
    assert ended("5c Ts 4d 9h Ac", "double") == [hand(400, "23", 400)]  # a drawn ace may be 11


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


@pytest.mark.parametrize("open_card", ["Th", "Kh", "2h"])
def test_blackjack_rule_33_and_34_neither_is_asked_against_another_card(open_card: str) -> None:
    play = Hands(f"Tc Ac {open_card} 9c Kc 5h 6h").to_deal(1, 2).until("ask")
    assert play.waits == "give_up 1"
    for kind, fields in ((Insure, {"amounts": (100,)}), (EvenMoney, {"yes": True})):
        assert play.refused(kind, seat=1, **fields).article == "18"


@pytest.mark.parametrize(
    ("yes", "hole", "net"), [(True, "Kh", 200), (True, "5h", 200), (False, "Kh", 0), (False, "5h", 300)]
)
def test_blackjack_rule_34_a_black_jack_against_an_ace_takes_its_stake_before_the_card_is_known(
    yes: bool, hole: str, net: int
) -> None:
    play = Hands(f"Ac Ah Kc {hole} 6s").to_deal(1).until("ask")
    assert play.waits == "even_money 1"
    play.answer("yes" if yes else "no")
    assert play.hands(1) == [f"Ac Kc {'paid' if yes else 'black_jack'}"]
    if not yes:
        assert play.waits == "insurance 1"  # it may insure instead
        play.answer("no")
    assert play.lines() == [hand(net, "34" if yes else "21")]


def test_blackjack_rule_35_three_sevens_and_6_7_8_of_one_suit_are_paid_at_once_besides() -> None:
    play = dealt("7c Ts 7d 9h 7h", "hit").until("reveal")
    assert so_far(play) == [("35", 600)]
    assert play.lines() == [hand(200, "23"), ("special_prize 1", "", 200, 600, "35")]
    assert ended("8d Ts 6d Ah 7d", "hit") == [hand(-200, "20"), ("special_prize 1", "", 200, 600, "35")]
    doubled = ended("6s 9s 4s 9h 7s Kd", "double")
    assert [line[0] for line in doubled] == ["hand 1"]


def test_blackjack_rule_35_a_backer_has_it_on_his_bet_too() -> None:
    play = backed("7c Ts 7d 9h 7h", "hit")
    assert [line for line in play.lines() if line[0] == "special_prize 1"] == [
        ("special_prize 1", "", 200, 600, "35"), ("special_prize 1", "Rui", 100, 300, "35"),
        ("special_prize 1", "Bia", 300, 900, "35"),
    ]  # fmt: skip


def test_blackjack_rule_36_half_the_bet_is_given_up_before_any_further_card_to_anyone() -> None:
    play = Hands("Tc 8c Th 6c 4c 9h 2s 7s").to_deal(1, 2).until("ask")
    assert [play.waits, play.answer("yes") and play.waits] == ["give_up 1", "give_up 2"]
    assert play.hands(1) == ["Tc 6c given_up"] and so_far(play) == [("36", -100)]
    play.answer("no")
    assert play.waits == "decision 2/1"
    assert play.refused(GiveUp, seat=1, yes=False).article == "18"  # once taken it is not changed
    assert play.refused(Decide, seat=2, decision="surrender").article == "36"
    assert play.answers("hit").settled().lines() == [hand(-100, "36")]
    assert play.lines(2)[0][2] == 200


def test_blackjack_rule_36_never_against_an_ace() -> None:
    play = Hands("Tc Ah 6c 9h").to_deal(1).until("ask")
    assert play.refused(GiveUp, seat=1, yes=True).article == "18"
    play.answers("no")
    assert play.refused(GiveUp, seat=1, yes=True).article == "18"
    why = play.refused(Decide, seat=1, decision="surrender")
    assert why.article == "36" and "not against an ace" in sentence(why)


def test_blackjack_rule_36_what_the_seat_gives_up_its_backers_give_up() -> None:
    play = backed("Tc Th 6c 9h").until("ask").answers("yes")
    assert play.lines() == [hand(-100, "36"), ("hand 1", "Rui", 100, -50, "36"), ("hand 1", "Bia", 300, -150, "36")]


# ---- what the floor is told


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_18_the_floor_is_told_bets_cards_and_answers_in_order(source: CardSource) -> None:
    play = Hands("8c Tc Ah 8d 6d 7h Tc 9c 3c 9d", source=source).to_wagers()
    play.lay(1, 200, "Ana", Rui=100).lay(3, 100).until("ask")
    play.answers("insure 100,50", "no", "split", "follow 1", "stand", "stand", "hit").settled()
    report = play.report
    assert set(msgspec.to_builtins(report)) == KEYS
    assert (report.source, report.decks, report.outcome) == (source, 4, "settled")
    assert laid(report) == [(1, "bet", "Ana", 200), (1, "backing", "Rui", 100), (3, "bet", None, 100)]
    assert open_cards(report) == {
        "seat 1/1": "8c Tc", "seat 1/2": "8d 9c", "seat 3/1": "Tc 6d 3c", "bank": "Ah 7h"
    }  # fmt: skip
    assert [(one.seat, one.hand, one.decision) for one in report.decisions] == [
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
    play.go_on()
    assert play.refused(Decide, seat=1, hand=1, decision="double").article == "31"
    play = Hands(cards, rules=("double_after_split_three_cards",)).to_deal(1).decides("split", "hit", "double", "stand")
    assert [line[2:4] for line in play.lines()] == [(400, 400), (200, 200)]
    assert play.report.rules == ("double_after_split_three_cards",)
