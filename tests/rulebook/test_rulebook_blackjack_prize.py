"""The accumulated prize of black-jack/21, rules 38 to 50: combinations, tiers, the pot."""

from collections import Counter
from itertools import product

import pytest

from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import (
    FOUR_ACES_ONE_COLOUR,
    THREE_ACES,
    THREE_ACES_ONE_SUIT,
    TWO_ACES,
    TWO_ACES_ONE_SUIT,
)
from controller.rulebook.blackjack_21.play import opened_round, with_bet, with_card
from controller.rulebook.blackjack_21.prize import Winner, award_prize, tier_of, winning_cards
from controller.rulebook.cards import Card
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.refusal import Refusal
from tests.rulebook.blackjack_rounds import backer, blackjack, lines, seat
from tests.rulebook.round_texts import Round, refused_by, settled

POT = {"pot": 5_000_000, "minimum": 1_000_000}


def chip(*decisions: str, **more: object) -> Round:
    """A seat with a chip of 100."""
    return seat(*decisions) | {"jackpot": 100} | more


def prize(shoe: str, *seats: Round, **more: object) -> Round:
    return settled(blackjack(shoe, *seats, jackpot=POT | more))


def test_blackjack_rule_38_there_may_be_a_prize_or_none() -> None:
    answer = settled(blackjack("9c Ts 9d 7h", seat("stand")))
    assert "jackpot" not in answer
    with_prize = prize("9c Ts 9d 7h", seat("stand"))
    assert with_prize.get("jackpot") == {"pot_before": 5_000_000, "pot_after": 5_000_000, "awards": []}


def test_blackjack_rule_39_the_chip_is_optional() -> None:
    answer = prize("9c 9h Ts 9d 9s 7h", seat("stand"), chip("stand"))
    assert [line[0] for line in lines(answer, 1)] == ["hand 1"]
    assert lines(answer, 2) == [("hand 1", "", 200, 200, "23"), ("jackpot", "", 100, -100, "43")]


def test_blackjack_rule_42_cards_drawn_count_in_the_order_dealt() -> None:
    drawn = prize("Ah 9s Ah 8h Ad 9c", chip("hit", "hit", "stand"))
    assert lines(drawn)[1] == ("jackpot", "", 100, 25_000 - 100, "43 c)")
    late = prize("Ah 9s 9h 8h", chip("stand"))
    assert lines(late)[1] == ("jackpot", "", 100, -100, "43")
    # 2, A, A, A: the first two are no aces.
    drawn = prize("2h 9s Ah 8h Ah Ah 2c", chip("hit", "hit", "hit", "stand"))
    assert lines(drawn)[-1] == ("jackpot", "", 100, -100, "43")


def test_blackjack_rule_42_cards_of_split_hands_count_in_the_order_dealt() -> None:
    split = prize("Ah 9s Ah 8h Ah 5c", chip("split", "stand"))
    assert [line[0] for line in lines(split)] == ["hand 1", "hand 2", "jackpot"]
    assert lines(split)[-1] == ("jackpot", "", 100, 250_000 - 100, "43 b)")
    # The third ace is the fourth card: the third was the 9 of the first hand.
    split = prize("Ah 9s Ah 8h 9c Ah", chip("split", "stand"))
    assert lines(split)[-1] == ("jackpot", "", 100, 10_000 - 100, "43 d)")
    split = prize("Ah 9s Ah 8h Ad Ad", chip("split", "stand", "stand"))
    assert lines(split)[-1] == ("jackpot", "", 100, 5_000_000 - 100, "43 a)")


def test_blackjack_rule_43_a_four_aces_of_one_colour_win_the_pot() -> None:
    for four in ("Ah Ad Ah Ad", "As Ac Ac As", "Ad Ad Ad Ad"):
        first, second, third, fourth = four.split()
        answer = prize(f"{first} 9s {second} 8h {third} {fourth}", chip("hit", "hit", "stand"))
        assert lines(answer)[1:] == [("jackpot", "", 100, 5_000_000 - 100, "43 a)")]
        assert answer["jackpot"] == {
            "pot_before": 5_000_000,
            "pot_after": 1_000_000,
            "awards": [
                {"seat": 1, "tier": "four_aces_one_colour", "amount": 5_000_000, "from_pot": 5_000_000,
                 "from_house": 0, "article": "43 a)"}
            ],
        }  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "amount", "rule"),
    [
        ("Ah Ah Ah 9c", 250_000, "43 b)"),
        ("Ah Ah Ad 9c", 25_000, "43 c)"),
        ("Ah Ad As 9c", 25_000, "43 c)"),
        ("Ah Ad As Ac", 25_000, "43 c)"),  # four aces of both colours are three
        ("Ah Ah Ah As", 250_000, "43 b)"),
        ("Ah Ah 9c", 10_000, "43 d)"),
        ("Ah As 9c", 2_500, "43 e)"),
    ],
)
def test_blackjack_rule_43_the_smaller_prizes_are_multiples_of_the_chip(cards: str, amount: int, rule: str) -> None:
    tier = tier_of([Card(card) for card in cards.split()])
    assert tier is not None and tier.times is not None
    assert (tier.times * 100, tier.article) == (amount, rule)


def test_blackjack_rule_43_b_three_aces_of_one_suit() -> None:
    answer = prize("Ah 9s Ah 8h Ah 9c", chip("hit", "hit", "stand"))
    assert lines(answer)[1] == ("jackpot", "", 100, 249_900, "43 b)")
    assert answer["jackpot"]["pot_after"] == 4_750_000


def test_blackjack_rule_43_c_three_aces() -> None:
    answer = prize("Ah 9s Ah 8h As 9c", chip("hit", "hit", "stand"))
    assert lines(answer)[1] == ("jackpot", "", 100, 24_900, "43 c)")


def test_blackjack_rule_43_c_erratum_read_to_the_letter_three_suits_of_which_two_are_alike_had_no_prize() -> None:
    triples = list(product("cdhs", repeat=3))
    one_suit = [suits for suits in triples if len(set(suits)) == 1]
    all_different = [suits for suits in triples if len(set(suits)) == 3]
    assert (len(one_suit), len(all_different), len(triples)) == (4, 24, 64)
    for suits in triples:
        tier = tier_of([Card("A" + suit) for suit in suits])
        assert tier == (THREE_ACES_ONE_SUIT if suits in one_suit else THREE_ACES)


def test_blackjack_rule_43_c_by_the_other_reading_three_aces_win_it_where_all_three_suits_differ() -> None:
    rules = ["three_aces_of_three_suits"]
    for suits in product("cdhs", repeat=3):
        cards = [Card("A" + suit) for suit in suits]
        if len(set(suits)) == 2:
            two = TWO_ACES_ONE_SUIT if suits[0] == suits[1] else TWO_ACES
            assert tier_of(cards, rules) == two and winning_cards(cards, rules) == tuple(cards[:2])
            assert tier_of([*cards, Card("As")], rules) in (two, FOUR_ACES_ONE_COLOUR)
        else:
            assert tier_of(cards, rules) == tier_of(cards) and winning_cards(cards, rules) == tuple(cards)


def test_blackjack_rule_43_d_two_aces_of_one_suit() -> None:
    answer = prize("Ah 9s Ah 8h", chip("stand"))
    assert lines(answer)[1] == ("jackpot", "", 100, 9_900, "43 d)")


def test_blackjack_rule_43_e_two_aces() -> None:
    answer = prize("Ah 9s As 8h", chip("stand"))
    assert lines(answer)[1] == ("jackpot", "", 100, 2_400, "43 e)")


def test_blackjack_rule_43_every_sequence_of_four_aces_has_its_highest_combination() -> None:
    found = Counter(tier_of([Card("A" + suit) for suit in suits]) for suits in product("cdhs", repeat=4))
    # Four of one colour: 2 × 2^4. Three of one suit and then one of the other colour: 4 × 2.
    assert found == {FOUR_ACES_ONE_COLOUR: 32, THREE_ACES_ONE_SUIT: 8, THREE_ACES: 256 - 40}


def test_blackjack_rule_43_it_is_paid_whatever_becomes_of_the_hand() -> None:
    assert lines(prize("Ah 9s As 8h", chip("surrender"))) == [
        ("hand 1", "", 200, -100, "36"),
        ("jackpot", "", 100, 2_400, "43 e)"),
    ]
    assert lines(prize("Ah 9s As 8h Ad Tc 9c", chip("hit", "hit", "hit")))[-1][-1] == "43 c)"
    assert lines(prize("Ah As Ad Th", chip("stand", insurance=100)))[-1] == ("jackpot", "", 100, 2_400, "43 e)")


def test_blackjack_rule_44_the_pot_starts_at_10_000_chips_or_more() -> None:
    assert refused_by(blackjack("9c Ts 9d 7h", chip("stand"), jackpot={"pot": 1, "minimum": 999_999})) == (
        "jackpot",
        "44",
    )
    assert prize("9c Ts 9d 7h", chip("stand"), pot=1)["jackpot"]["pot_after"] == 1


def test_blackjack_rule_45_a_chip_is_only_beside_a_bet() -> None:
    alone = {"bet": 0, "jackpot": 100}
    assert refused_by(blackjack("9c 9h Ts 9d 9s 7h", alone, seat("stand"), jackpot=POT)) == ("seat 1", "45")


def test_blackjack_rule_46_the_chip_depends_on_the_cards_alone() -> None:
    won, lost = prize("Ah 9s As 9h", chip("stand")), prize("Ah 9s As 8h", chip("stand", bet=3000))
    assert lines(won)[1] == lines(lost)[1] == lines(prize("Ah 9s As 8h", chip("surrender")))[1]
    backed = prize("Ah 9s As 8h", chip("stand", backers=[backer("Ana")]))
    assert [line[:2] for line in lines(backed)] == [("hand 1", ""), ("jackpot", ""), ("hand 1", "Ana")]


def test_blackjack_rule_47_all_chips_are_equal() -> None:
    other = seat("stand", jackpot=200)
    assert refused_by(blackjack("9c 9h Ts 9d 9s 7h", chip("stand"), other, jackpot=POT)) == ("seat 2", "47")


def test_blackjack_rule_48_a_chip_is_placed_before_the_deal_begins() -> None:
    state = with_card(opened_round([SeatBet(seat=1, bet=200), SeatBet(seat=3, bet=200, chip=100)]), Card("9c"))
    assert with_bet(state, SeatBet(seat=3, bet=400, chip=100)).seats[1].placed.bet == 400
    for seat_bet in (SeatBet(seat=2, bet=200, chip=100), SeatBet(seat=3, bet=200)):
        with pytest.raises(Refusal) as refusal:
            with_bet(state, seat_bet)
        assert refusal.value.article == "48"


def awarded(pot: int, *winners: tuple[int, object]) -> SettledJackpot:
    terms = JackpotTerms(pot=pot, minimum=1_000_000, fixed={})
    return award_prize([Winner(*winner) for winner in winners], 100, terms)  # type: ignore[arg-type]


def paid(answer: SettledJackpot) -> list[tuple[int, int, int, int, str]]:
    return [(award.seat, award.amount, award.from_pot, award.from_house, award.article) for award in answer.awards]


def test_blackjack_rule_50_a_smaller_prizes_are_paid_first_and_the_rest_to_the_highest() -> None:
    winners = [(1, FOUR_ACES_ONE_COLOUR), (5, THREE_ACES_ONE_SUIT), (2, TWO_ACES), (4, TWO_ACES), (3, THREE_ACES)]
    answer = awarded(2_000_000, *winners)
    assert paid(answer) == [
        (2, 2_500, 2_500, 0, "43 e)"),
        (4, 2_500, 2_500, 0, "43 e)"),
        (3, 25_000, 25_000, 0, "43 c)"),
        (5, 250_000, 250_000, 0, "43 b)"),
        (1, 1_720_000, 1_720_000, 0, "43 a)"),
    ]
    assert answer.pot_after == 1_000_000
    assert awarded(2_000_000, *winners[1:]).pot_after == 1_720_000


def test_blackjack_rule_50_a_the_house_pays_what_the_pot_cannot() -> None:
    answer = awarded(300_000, (1, THREE_ACES_ONE_SUIT), (2, THREE_ACES_ONE_SUIT), (3, FOUR_ACES_ONE_COLOUR))
    assert paid(answer) == [
        (1, 250_000, 250_000, 0, "43 b)"),
        (2, 250_000, 50_000, 200_000, "43 b)"),
        (3, 0, 0, 0, "43 a)"),
    ]
    assert answer.pot_after == 1_000_000
    assert awarded(300_000, (1, THREE_ACES_ONE_SUIT), (2, THREE_ACES_ONE_SUIT)).pot_after == 1_000_000
    assert awarded(10_000, (1, TWO_ACES_ONE_SUIT)).pot_after == 1_000_000  # used up to the last


def test_blackjack_rule_50_a_a_prize_of_nothing_is_still_won() -> None:
    seats = chip("hit", "hit", "stand"), chip("hit", "stand")
    answer = prize("Ah As 9s Ad As 8h Ah Ad As", *seats, pot=1)
    assert [(award["tier"], award["amount"], award["from_house"]) for award in answer["jackpot"]["awards"]] == [
        ("three_aces_one_suit", 250_000, 249_999),
        ("four_aces_one_colour", 0, 0),
    ]
    line = answer["seats"]["1"]["lines"][1]
    assert (line["outcome"], line["odds"], line["net"], line["article"]) == ("win", None, -100, "43 a)")


def test_blackjack_rule_50_b_the_highest_combination_is_divided_and_the_odd_unit_goes_to_the_lowest_seat() -> None:
    top = [(seat_, FOUR_ACES_ONE_COLOUR) for seat_ in (6, 2, 4)]
    answer = awarded(1_000_000, *top)
    assert paid(answer) == [
        (2, 333_334, 333_334, 0, "50 b)"),
        (4, 333_333, 333_333, 0, "50 b)"),
        (6, 333_333, 333_333, 0, "50 b)"),
    ]
    assert answer.pot_after == 1_000_000
    with_smaller = awarded(1_000_000, *top, (1, TWO_ACES_ONE_SUIT))
    assert [award.amount for award in with_smaller.awards] == [10_000, 330_000, 330_000, 330_000]


@pytest.mark.parametrize("fifth", ["As", "Ah", "Ac"])
def test_blackjack_rule_42_a_fifth_ace_counts_for_nothing(fifth: str) -> None:
    four = tuple(map(Card, ("Ad", "Ah", "Ad", "Ah")))
    assert tier_of((*four, Card(fifth))) == tier_of(four) == FOUR_ACES_ONE_COLOUR
    assert winning_cards((*four, Card(fifth))) == four
