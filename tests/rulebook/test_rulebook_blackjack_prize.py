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
from tests.rulebook.blackjack_rounds import blackjack, lines, seat
from tests.rulebook.round_texts import Round, settled

POT = {"pot": 5_000_000, "minimum": 1_000_000}


def chip(*decisions: str, **more: object) -> Round:
    """A seat with a chip of 100."""
    return seat(*decisions) | {"jackpot": 100} | more


def prize(shoe: str, *seats: Round, **more: object) -> Round:
    return settled(blackjack(shoe, *seats, jackpot=POT | more))


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


def test_blackjack_rule_43_every_sequence_of_four_aces_has_its_highest_combination() -> None:
    found = Counter(tier_of([Card("A" + suit) for suit in suits]) for suits in product("cdhs", repeat=4))
    # Four of one colour: 2 × 2^4. Three of one suit and then one of the other colour: 4 × 2.
    assert found == {FOUR_ACES_ONE_COLOUR: 32, THREE_ACES_ONE_SUIT: 8, THREE_ACES: 256 - 40}


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
