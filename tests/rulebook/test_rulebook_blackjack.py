"""Black-jack/21, rules 1 to 37 in round files: from the deal to giving up, and what a file may leave out."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from controller.rulebook.blackjack_21.bets import Backer, SeatBet
from controller.rulebook.blackjack_21.paytable import (
    FOUR_ACES_ONE_COLOUR,
    THREE_ACES,
    THREE_ACES_ONE_SUIT,
    TWO_ACES,
    TWO_ACES_ONE_SUIT,
)
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_bet, with_card
from controller.rulebook.blackjack_21.points import bank_draws, total_of
from controller.rulebook.blackjack_21.prize import Winner, award_prize, tier_of, winning_cards
from controller.rulebook.blackjack_21.settle import settle
from controller.rulebook.blackjack_21.state import (
    Decided,
    Followed,
    GaveUp,
    Insured,
    PlayerAnswer,
    RoundState,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import CardDue, GiveUpAsked, HandAsked, Over, TurnDue, waits_for
from controller.rulebook.cards import DECK, RANKS, Card
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from tests.rulebook.round_texts import Round, backer, blackjack, lines, refused_by, seat, settled


def test_blackjack_rule_2_seats_are_one_to_seven() -> None:
    seven = blackjack(" ".join(["9c"] * 4 + ["9d"] * 3 + ["Ts"] + ["9h"] * 4 + ["9s"] * 3 + ["7h"]))
    seven["seats"] = {str(number): seat("stand") for number in range(1, 8)}
    assert list(settled(seven)["seats"]) == list("1234567")
    for other in ("0", "8", "01", "x", ""):
        assert refused_by(blackjack("9c") | {"seats": {other: seat()}}) == ("seats", "2")


def test_blackjack_rule_3_four_or_six_decks() -> None:
    for decks in (4, 6):
        assert settled(blackjack("9c Ts 9d 7h", seat("stand"), decks=decks))["outcome"] == "settled"
    for wrong in (1, 5, 8, 0, "6", 6.0, True, None):
        assert refused_by(blackjack("9c Ts 9d 7h", seat("stand"), decks=wrong)) == ("decks", "3")


# ---- 31, the other reading

MORE = ["double_after_split_three_cards"]


@pytest.mark.parametrize("rules", ["", {}, [1], ["x"], [*MORE, "x"], MORE[0]])
def test_blackjack_the_readings_of_a_round_file_are_known_ones(rules: object) -> None:
    assert refused_by(blackjack("9c 5s 8d Td", seat("stand")) | {"rules": rules}) == ("rules", None)


# ---- Round files of black-jack/21 that cannot be: every refusal by key or seat and rule; what a file may leave out.


GOOD = "9c 8c Ts 9d 2d 7h 9h"


def good() -> Round:
    """Seat 1 has 18 and stands, seat 2 doubles to 19, the bank has 17."""
    first = seat("stand", jackpot=100, insurance=0, even_money=False, backers=[backer("Ana"), backer("Rui", bet=300)])
    return blackjack(GOOD, first, seat("double"), jackpot={"pot": 5_000_000, "minimum": 1_000_000})


def test_blackjack_every_key_of_a_seat_but_its_bet_may_be_left_out() -> None:
    bare = blackjack("As 9c Kd 7h", {"bet": 200})
    full = blackjack(
        "As 9c Kd 7h",
        {"bet": 200, "jackpot": 0, "insurance": 0, "even_money": False, "decisions": [], "backers": []},
        {"bet": 0, "jackpot": 0, "insurance": 0, "even_money": False, "decisions": [], "backers": []},
    )
    assert settled(bare) == settled(full)
    assert settled(blackjack("As 9c Kd 7h", {"bet": 200, "backers": [{"player": "A", "bet": 0}]})) == settled(bare)


def test_blackjack_the_order_of_seats_in_the_file_changes_nothing() -> None:
    round_ = good()
    turned = round_ | {"seats": dict(reversed(round_["seats"].items()))}
    assert settle_text(json.dumps(turned)) == settle_text(json.dumps(round_))
    assert list(settled(turned)["seats"]) == ["1", "2"]


# ---- The round of black-jack/21 card by card and answer by answer, as the live table plays it


Step = str | PlayerAnswer | None
STAYS = GaveUp(False)


def played(bets: list[SeatBet], *steps: Step) -> RoundState:
    """The round after these: text is cards to be drawn, None a card whose value is not known."""
    state = opened_round(bets)
    for step in steps:
        if step is None:
            state = with_card(state, None)
        elif isinstance(step, str):
            for card in step.split():
                assert card in DECK
                state = with_card(state, Card(card))
        else:
            state = with_answer(state, step)
    return state


def at_seat_3(bet: int = 200, *backers: Backer) -> list[SeatBet]:
    return [SeatBet(seat=3, bet=bet, backers=backers)]


def refused(state: RoundState, step: Step) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        if step is None or isinstance(step, str):
            with_card(state, None if step is None else Card(step))
        else:
            with_answer(state, step)
    return refusal.value


def test_blackjack_rule_17_the_bank_s_second_card_need_not_be_known_until_it_is_turned() -> None:
    state = played(at_seat_3(), "9c Ts 2d", None)
    assert waits_for(state) == GiveUpAsked(3)
    state = with_answer(with_answer(state, STAYS), Decided("hit"))
    assert waits_for(state) == CardDue("seat 3", 1)
    state = with_card(state, Card("9d"))
    assert waits_for(state) == HandAsked(3, 1, 20, ("hit", "stand"), waits_for(state).illegal)  # type: ignore[union-attr]
    state = with_answer(state, Decided("stand"))
    assert waits_for(state) == TurnDue(known=False)
    assert refused(state, None).article == "17"
    state = with_card(state, Card("6h"))
    assert waits_for(state) == CardDue("bank", None)
    state = with_card(state, Card("2h"))
    assert waits_for(state) == Over() and state.bank_shown == ("Ts", "6h", "2h")
    assert settle(state, None).seats["3"].net == 200


def test_blackjack_rule_17_a_card_that_is_face_up_is_known() -> None:
    for steps in ((), ("9c",), ("9c Ts",)):
        assert refused(played(at_seat_3(), *steps), None).article == "17"


def test_blackjack_rule_18_a_hand_is_shown_what_it_may_not_do_and_why() -> None:
    def illegal(*steps: Step) -> dict[str, str]:
        wait = waits_for(played(at_seat_3(), *steps))
        assert isinstance(wait, HandAsked)
        assert set(wait.legal) | set(wait.illegal) == {"hit", "stand", "double", "split", "surrender"}
        assert not set(wait.legal) & set(wait.illegal)
        return {decision: why.rule for decision, why in wait.illegal.items()}

    split = Decided("split")
    assert illegal("2c Ts 3d", None, STAYS) == {"stand": "18", "double": "29", "split": "26", "surrender": "36"}
    assert illegal("9c Ts 9d", None, STAYS) == {"double": "29", "surrender": "36"}
    assert illegal("5c Ts 5d", None, STAYS) == {"stand": "18", "surrender": "36"}
    assert illegal("2c Ts 3d", None, STAYS, Decided("hit"), "9c") == {
        "double": "29", "split": "26", "surrender": "36",
    }  # fmt: skip
    assert illegal("8c Ts 8d", None, STAYS, split, "9c") == {"double": "31", "split": "27", "surrender": "36"}
    assert illegal("Ac Ts Ad", None, STAYS, split, "Ah") == {"hit": "26", "double": "26", "surrender": "36"}
    assert illegal("Ac As 8d", None, Insured((0,))) == {"split": "26", "surrender": "36"}


def test_blackjack_rule_18_an_answer_to_another_question_is_refused() -> None:
    answers: list[PlayerAnswer] = [
        Decided("hit"), STAYS, TookEvenMoney(True), Insured((0,)), Followed((True,)),
    ]  # fmt: skip
    policy = "policy: one step at a time"
    asked: list[tuple[RoundState, type[PlayerAnswer] | None]] = [
        (played(at_seat_3()), None),
        (played(at_seat_3(), "9c Ts 9d", None), GaveUp),
        (played(at_seat_3(), "9c Ts 9d", None, STAYS), Decided),
        (played(at_seat_3(), "9c As 9d", None), Insured),
        (played(at_seat_3(), "Kc As Ad", None), TookEvenMoney),
        (played(at_seat_3(200, Backer("Ana", 100)), "9c Ts 9d", None, STAYS, Decided("split")), Followed),
    ]
    for state, wanted in asked:
        for answer in answers:
            if type(answer) is wanted:
                assert with_answer(state, answer) != state
            else:
                assert refused(state, answer).article == policy
        if wanted is not None:
            assert refused(state, "2c").article == policy


def test_blackjack_the_answer_of_a_chip_without_a_prize_is_refused() -> None:
    state = played([SeatBet(seat=1, bet=200, chip=100)], "Ac 9s Kc", None)
    with pytest.raises(Refusal) as refusal:
        settle(state, None)
    assert refusal.value.who == "jackpot"


# ---- The accumulated prize of black-jack/21, rules 38 to 50: combinations, tiers, the pot


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


# ---- How often the bank passes 21 on each open card: its rule compared with published figures and a count from


# Wizard of Odds, blackjack appendix 2B: one deck, the bank stands on every 17, black-jacks not looked for.
ONE_DECK = {
    "A": 0.11654, "2": 0.352973, "3": 0.375588, "4": 0.402803, "5": 0.428905,
    "6": 0.420823, "7": 0.259854, "8": 0.238627,
}  # fmt: skip
VALUES = range(1, 11)


def bust_by_the_rule(open_card: str, decks: int) -> Fraction:
    """The exact chance that a bank with this open card passes 21, drawing as the rulebook says from so many decks."""

    @cache
    def of(cards: str) -> Fraction:
        hand = [Card(rank + "s") for rank in cards]
        if len(cards) > 1 and not bank_draws(hand):
            return Fraction(total_of(hand) > 21)
        left = {rank: 4 * decks - cards.count(rank) for rank in RANKS}
        return sum(
            (
                Fraction(count, 52 * decks - len(cards)) * of("".join(sorted(cards + rank)))
                for rank, count in left.items()
            ),
            Fraction(0),
        )

    return of(open_card)


def bust_by_points(open_value: int, decks: int) -> Fraction:
    """The same from points alone: hard total, whether an ace is in it, what is left of each value."""

    def of(hard: int, ace: bool, left: tuple[int, ...], drawn: int) -> Fraction:
        total = hard + 10 if ace and hard <= 11 else hard
        if drawn > 1 and total > 16:
            return Fraction(total > 21)
        chance = Fraction(0)
        for value, count in zip(VALUES, left, strict=True):
            if count:
                rest = tuple(other - (value == at) for at, other in zip(VALUES, left, strict=True))
                chance += Fraction(count, sum(left)) * counted(hard + value, ace or value == 1, rest, min(drawn + 1, 2))
        return chance

    counted = cache(of)
    full = tuple((16 if value == 10 else 4) * decks - (value == open_value) for value in VALUES)
    return counted(open_value, open_value == 1, full, 1)


@pytest.mark.parametrize("open_card", ONE_DECK)
def test_blackjack_rule_19_the_bank_passes_21_as_often_as_published_for_one_deck(open_card: str) -> None:
    assert float(bust_by_the_rule(open_card, 1)) == pytest.approx(ONE_DECK[open_card], abs=6e-7)


@pytest.mark.parametrize("decks", [4, 6])
@pytest.mark.parametrize("open_card", ["A", "2", "6", "7", "K"])
def test_blackjack_rule_19_the_bank_passes_21_as_often_as_counted_from_points(open_card: str, decks: int) -> None:
    value = {"A": 1, "K": 10}.get(open_card) or int(open_card)
    assert bust_by_the_rule(open_card, decks) == bust_by_points(value, decks)
