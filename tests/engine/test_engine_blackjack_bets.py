"""Black-jack/21 at the table, 13 to 16 and 37: until when bets are laid, how much, by whom, and who decides."""

import msgspec
import pytest

from controller.engine.decisions.betting import LockIn, LockInPressed, PlaceWager
from controller.engine.decisions.hands import Follow, Insure
from controller.engine.state.persons import CorrectDecision, CorrectWager
from controller.rulebook.events import WagerPlaced
from tests.engine import reported
from tests.engine.hands import Hands
from tests.engine.reported import seat_of


def betting() -> Hands:
    return Hands().to_wagers()


def refused(play: Hands, seat: int, wager: str, amount: int, player: str | None = None) -> str | None:
    """The rule under which a bet is refused."""
    return play.refused(PlaceWager, seat=seat, wager=wager, amount=amount, player=player).article


def laid(play: Hands, *seats: int) -> list[tuple[int, str, str | None, int]]:
    """Seat, wager, player and amount of every bet once no one can bet any more, at `seats` if any are named."""
    return [bet for bet in reported.laid(play.until("confirm").report) if not seats or bet[0] in seats]


# ---- 13: until when


def test_blackjack_rule_13_a_bet_is_laid_until_the_first_card_of_its_seat_is_due() -> None:
    play = Hands("2c 3c 4c 5c Th 6c 7c 8c 9c 9h").to_deal(2)
    play.lay(1, 100)  # its turn comes first
    assert play.step.to == ("seat 1",)
    play.go_on()
    play.lay(5, 200, "Ana").lay(5, Rui=100)
    assert refused(play, 1, "bet", 300) == "13" and refused(play, 1, "backing", 100, "Rui") == "13"
    assert play.step.to == ("seat 2",)
    play.lay(2, 300)
    play.go_on()
    play.go_on()  # seat 5
    assert play.step.to == ("bank",)
    play.lay(7, 100)  # the bank's card does not make it late: nobody has passed seat 7
    assert play.step.to == ("seat 7",)
    play.until("confirm")
    assert laid(play) == [
        (1, "bet", None, 100),
        (2, "bet", None, 300),
        (5, "bet", "Ana", 200),
        (5, "backing", "Rui", 100),
        (7, "bet", None, 100),
    ]
    play.settled()


def test_blackjack_rule_13_a_seat_that_was_passed_over_is_too_late() -> None:
    play = Hands().to_deal(2, 5)
    play.go_on()
    assert refused(play, 1, "bet", 100) == refused(play, 2, "bet", 100) == refused(play, 2, "bet", 0) == "13"
    play.lay(3, 100)
    play.go_on()
    assert refused(play, 3, "bet", 200) == "13" and refused(play, 1, "vacant", 100, "Rui") == "13"


@pytest.mark.parametrize("seat", range(1, 8))
def test_blackjack_rule_13_no_bet_once_the_bank_has_its_card(seat: int) -> None:
    play = Hands("2c Th 3c 9h 4c").to_deal(1)
    while not play.at("confirm"):
        play.go_on()
        if play.bank() and play.at("deal"):
            assert refused(play, seat, "bet", 100) == "13"
        elif play.bank():
            assert refused(play, seat, "bet", 100) == "18"  # a question is asked
    assert refused(play, seat, "bet", 100) == "18"


def test_blackjack_rule_13_a_bet_may_be_changed_or_taken_back_until_then() -> None:
    play = Hands().to_deal(1, 4).lay(4, Rui=100)
    play.go_on()
    assert refused(play, 4, "bet", 0) == "16"  # he would have nobody to follow
    play.say(PlaceWager, seat=4, wager="backing", amount=0, player="Rui")
    play.lay(4, 500)
    play.say(PlaceWager, seat=4, wager="bet", amount=0)
    assert play.step.to == ("bank",)
    assert {seat for seat, *_ in laid(play)} == {1}


def test_blackjack_rule_17_the_last_bet_of_a_round_is_not_taken_back_once_the_bets_are_closed() -> None:
    play = Hands().to_deal(3)
    assert refused(play, 3, "bet", 0) == "17"
    play.lay(1, 100)
    play.say(PlaceWager, seat=3, wager="bet", amount=0)
    assert {seat for seat, *_ in laid(play)} == {1}
    play.settled()


def test_blackjack_rule_17_a_round_without_a_bet_does_not_begin() -> None:
    play = betting()
    assert play.refused(LockIn).article == "17"
    play.hear(LockInPressed())
    assert play.told() == ["lock_in_refused"] and play.at("wagers")
    play.lay(1, 100)
    play.hear(LockInPressed())
    assert play.step.to == ("seat 1",)


# ---- 14 and 37: how much


@pytest.mark.parametrize("amount", [100, 200, 1_500, 2_900, 3_000])
def test_blackjack_rule_14_and_37_the_minimum_or_a_multiple_up_to_thirty_times_it(amount: int) -> None:
    assert laid(betting().lay(1, amount)) == [(1, "bet", None, amount)]


@pytest.mark.parametrize("amount", [1, 50, 99, 101, 150, 2_950, -100, -1])
def test_blackjack_rule_14_nothing_else_is_a_bet(amount: int) -> None:
    play = betting()
    assert refused(play, 1, "bet", amount) == "14"
    play.lay(1, 100)
    assert refused(play, 1, "backing", amount, "Rui") == "15" and refused(play, 2, "vacant", amount, "Rui") == "14"


@pytest.mark.parametrize("amount", [3_100, 10_000, 10**12])
def test_blackjack_rule_37_above_thirty_times_the_minimum_is_refused(amount: int) -> None:
    play = betting()
    assert refused(play, 1, "bet", amount) == "37" and refused(play, 2, "vacant", amount, "Rui") == "37"
    play.lay(1, 200).until("confirm")
    assert play.refused(CorrectWager, seat=1, wager="bet", amount=amount, reason="x").article == "37"


# ---- 15: on another's seat


def test_blackjack_rule_15_complementary_bets_fill_a_seat_up_to_the_maximum_and_no_further() -> None:
    play = betting().lay(1, 2_000, "Ana", Rui=500).lay(1, Bia=400)
    assert refused(play, 1, "backing", 200, "Zé") == "15"
    play.lay(1, Zé=100)
    assert refused(play, 1, "bet", 2_100, "Ana") == "15"
    play.lay(1, Rui=400).lay(1, 2_100, "Ana")
    assert laid(play) == [
        (1, "bet", "Ana", 2_100),
        (1, "backing", "Rui", 400),
        (1, "backing", "Bia", 400),
        (1, "backing", "Zé", 100),
    ]
    play.settled()


def test_blackjack_rule_15_who_bets_on_another_seat_is_named_and_has_one_bet_there() -> None:
    play = betting().lay(1, 200, "Ana")
    for wager in ("backing", "vacant"):
        assert play.refused(PlaceWager, seat=1, wager=wager, amount=100).article == "15"
    assert refused(play, 1, "backing", 100, "Ana") == "15"  # on any of the other seats, not on his own
    play.lay(1, Rui=100)
    assert refused(play, 1, "vacant", 100, "Rui") == "16"
    play.lay(2, 100, "Rui", Ana=100)
    assert refused(play, 2, "bet", 100, "Ana") == "15"  # the seat is Rui's
    play.lay(1, Rui=300)
    assert sum(isinstance(event, WagerPlaced) for event in play.events) == 5
    assert play.round.bets[1] == {"bet": {"Ana": 200}, "backing": {"Rui": 300}}


def test_blackjack_rule_15_nobody_backs_a_seat_without_a_bet() -> None:
    play = betting()
    assert refused(play, 1, "backing", 100, "Rui") == "16"
    play.lay(1, 100, Rui=100)
    assert refused(play, 1, "bet", 0) == "16"
    assert refused(play, 1, "ante", 100) == "15" and refused(play, 1, "jackpot", 50) == "41 a)"


def test_blackjack_rule_15_the_seats_player_decides_for_all_and_each_insures_for_himself() -> None:
    play = Hands("Tc As 2d 9h Td").to_wagers().lay(1, 200, "Ana", Rui=400, Bia=100).until("ask")
    assert play.step.question == "insurance" and play.step.most == (100, 200, 50)
    assert play.step.backers == ("Rui", "Bia")
    for amounts in ((101, 0, 0), (0, 201, 0), (0, 0, 51), (-1, 0, 0), (0, 0), (0, 0, 0, 0)):
        assert play.refused(Insure, seat=1, amounts=amounts).article == "33"
    play.answer("insure 1,200,50")
    play.answers("hit")  # one answer for all three
    assert play.lines() == [
        ("hand 1", "", 200, -200, "22"),
        ("insurance", "", 1, -1, "33"),
        ("hand 1", "Rui", 400, -400, "22"),
        ("insurance", "Rui", 200, -200, "33"),
        ("hand 1", "Bia", 100, -100, "22"),
        ("insurance", "Bia", 50, -50, "33"),
    ]


def test_blackjack_rule_15_where_the_seat_does_not_insure_its_backers_do_not_either() -> None:
    play = Hands("Tc As 9d 9h").to_wagers().lay(1, 200, "Ana", Rui=400, Bia=100).until("ask")
    for amounts in ((0, 200, 0), (0, 0, 1), (0, 200, 50)):
        assert play.refused(Insure, seat=1, amounts=amounts).article == "15"
    play.answers("insure 50,200,0").until("confirm")
    for words in ("insure 0,200,0", "insure 0,0,50"):
        assert play.refused(CorrectDecision, seat=1, decision=words, reason="x").article == "15"
    play.change(CorrectDecision, seat=1, decision="insure 0,0,0", reason="x")
    assert [line[0] for line in play.lines()] == ["hand 1"] * 3


# ---- 16: at a vacant seat


def test_blackjack_rule_16_the_highest_bet_at_a_vacant_seat_decides() -> None:
    play = betting().lay(1, 100, "Ana").vacant(4, Rui=200, Bia=500, Zé=300)
    assert laid(play, 4) == [(4, "bet", "Bia", 500), (4, "backing", "Rui", 200), (4, "backing", "Zé", 300)]
    play.settled()


def test_blackjack_rule_16_among_equal_bets_the_player_of_the_lowest_seat_decides() -> None:
    play = betting().lay(6, 100, "Ana").lay(2, 100, "Rui").lay(3, 100, "Bia")
    play.vacant(4, Zé=300, Ana=300, Bia=300, Rui=300)
    assert laid(play, 4)[0][1:3] == ("bet", "Rui")
    unseated = betting().lay(5, 100, "Ana").vacant(4, Zé=300, Ana=300)
    assert laid(unseated, 4)[0][1:3] == ("bet", "Ana")
    twice = betting().lay(1, 100, "Ana").lay(5, 100, "Ana").lay(3, 100, "Rui").vacant(4, Rui=200, Ana=200)
    assert laid(twice, 4)[0][1:3] == ("bet", "Ana")


def test_blackjack_rule_16_who_decides_is_known_when_the_bets_are() -> None:
    play = betting().lay(1, 100, "Ana").vacant(4, Rui=200, Bia=100).until("deal")
    play.vacant(4, Bia=300)  # before its first card is due
    assert laid(play, 4) == [(4, "bet", "Bia", 300), (4, "backing", "Rui", 200)]
    fewer = betting().lay(1, 100).vacant(4, Rui=200, Bia=300)
    fewer.say(PlaceWager, seat=4, wager="vacant", amount=0, player="Bia")
    assert laid(fewer, 4) == [(4, "bet", "Rui", 200)]


def test_blackjack_rule_16_a_seat_is_vacant_or_taken() -> None:
    play = betting().lay(1, 100, "Ana").vacant(4, Rui=200)
    assert refused(play, 1, "vacant", 100, "Rui") == "16"
    assert refused(play, 4, "bet", 100, "Bia") == "16"
    play.say(PlaceWager, seat=4, wager="vacant", amount=0, player="Rui")
    assert laid(play.lay(4, 100, "Bia"), 4) == [(4, "bet", "Bia", 100)]


def test_blackjack_rule_16_bets_at_a_vacant_seat_stay_within_the_maximum() -> None:
    play = betting().lay(1, 100).vacant(4, Rui=2_000, Bia=900)
    assert refused(play, 4, "vacant", 200, "Zé") == "15" and refused(play, 4, "vacant", 150, "Zé") in ("14", "15")
    play.vacant(4, Zé=100)
    play.settled()


def test_blackjack_rule_15_and_16_money_of_each_player_has_its_own_line() -> None:
    play = Hands("8c 5c Tc 8d 5d 7d 2c Tc 9c Th 6c").to_wagers()
    play.lay(1, 200, "Ana", Rui=100).vacant(2, Bia=300, Zé=100).until("ask")
    play.decides("split")
    assert play.step.question == "follow" and play.step.backers == ("Rui",)
    assert play.refused(Follow, seat=1, hand=1, who=(True, True)).article == "28"
    play.answers("follow 0", "hit", "stand", "stand")
    play.answers("double", "follow 1")
    report = play.settled().report
    assert [(line.wager, line.player, line.stake) for line in seat_of(report, 1).lines] == [
        ("hand", None, 200), ("hand", None, 200), ("hand", "Rui", 100)
    ]  # fmt: skip
    assert [(line.player, line.stake) for line in seat_of(report, 2).lines] == [(None, 600), ("Zé", 200)]


def test_blackjack_rule_13_what_is_laid_stands_in_the_projection_by_player() -> None:
    play = betting().lay(1, 200, "Ana", Rui=100).vacant(3, Bia=300)
    told = msgspec.json.decode(play.projection())["round"]
    assert told["wagers"] == {"1": {"bet": 200, "backing": 100}, "3": {"vacant": 300}}
    assert told["bets"] == [
        {"seat": 1, "wager": "bet", "player": "Ana", "amount": 200},
        {"seat": 1, "wager": "backing", "player": "Rui", "amount": 100},
        {"seat": 3, "wager": "vacant", "player": "Bia", "amount": 300},
    ]
