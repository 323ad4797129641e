"""Random rounds of Fortune 3 Card Poker, 2025 and 2008: what has no order, and that a better hand never gets less."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, SUITS, Card
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.round_file import settle_text
from controller.rulebook.three_card import rank_three
from tests.rulebook.test_rulebook_fortune_3_2008_file import rounds as rounds_2008
from tests.rulebook.test_rulebook_fortune_3_properties import rounds as rounds_2025
from tests.rulebook.test_rulebook_fortune_3_properties import shuffled_deck
from tests.shuffling import shuffled

Round = dict[str, Any]

both = st.one_of(rounds_2025(), rounds_2008())
regulations = pytest.mark.parametrize("rules", [RULES_2025, RULES_2008], ids=["2025", "2008"])


def with_cards(round_: Round, change: Callable[[str], str]) -> Round:
    """The round with the text of every hand changed."""
    seats = {number: seat | {"cards": change(seat["cards"])} for number, seat in round_["seats"].items()}
    shared = {key: change(round_[key]) for key in ("dealer", "community") if key in round_}
    return round_ | {"seats": seats} | shared


@given(both, st.randoms(use_true_random=False))
def test_art_7_the_order_of_the_cards_in_a_hand_and_of_the_seats_and_keys_changes_nothing(
    round_: Round, chance: Random
) -> None:
    def in_any_order(text: str) -> str:
        cards = text.split()
        return " ".join(chance.sample(cards, len(cards)))

    def shuffled(value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {key: shuffled(value[key]) for key in chance.sample(list(value), len(value))}

    other = shuffled(with_cards(round_, in_any_order))
    assert settle_text(json.dumps(other)) == settle_text(json.dumps(round_))


@given(both, st.permutations(SUITS))
def test_art_6_no_suit_is_worth_more_than_another_at_the_table(round_: Round, suits: list[str]) -> None:
    renamed = with_cards(round_, lambda text: text.translate(str.maketrans(SUITS, "".join(suits))))
    assert settle_text(json.dumps(renamed)) == settle_text(json.dumps(round_))


@given(both, st.data())
def test_art_13_no_seat_is_settled_otherwise_for_those_beside_it_but_for_the_jackpot(
    round_: Round, data: st.DataObject
) -> None:
    number = data.draw(st.sampled_from(sorted(round_["seats"])))
    seat = {key: value for key, value in round_["seats"][number].items() if key != "jackpot"}
    alone = {"game": round_["game"], "seats": {number: seat}, "dealer": round_["dealer"]}
    lines = json.loads(settle_text(json.dumps(round_)))["seats"][number]["lines"]
    assert json.loads(settle_text(json.dumps(alone)))["seats"][number]["lines"] == [
        line for line in lines if line["wager"] != "jackpot"
    ]


@st.composite
def hands_and_bank(draw: st.DrawFn) -> tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]]:
    """Seven hands of three, the bank's three and two community cards, often of few ranks or suits."""
    deck = shuffled_deck(draw)
    few = draw(shuffled(deck[:30]))
    threes = [tuple(few[start : start + 3]) for start in range(0, 24, 3)]
    return threes[:7], threes[7], tuple(few[24:26])


basic = st.fixed_dictionaries({}, optional={"ante": st.integers(1, 10**6), "pair_plus": st.integers(1, 10**6)})


def nets(
    hands: list[tuple[Card, ...]], bank: tuple[Card, ...], wagers: dict[str, int], decision: str | None, rules: Rules
) -> list[int]:
    seats = {number: SeatRound(wagers, decision, hand) for number, hand in enumerate(hands, 1)}
    return [seat.net for seat in settle(seats, bank, None, None, rules).seats.values()]


@regulations
@given(dealt=hands_and_bank(), wagers=basic.filter(bool), folds=st.booleans())
def test_art_13_with_the_same_bets_a_better_hand_never_gets_less_and_an_equal_one_gets_the_same(
    rules: Rules,
    dealt: tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]],
    wagers: dict[str, int],
    folds: bool,
) -> None:
    hands, bank, _ = dealt
    obliged = rules is RULES_2008 and "pair_plus" in wagers
    decision = None if "ante" not in wagers else "fold" if folds and not obliged else "play"
    hands.sort(key=lambda hand: rank_three(hand).rank, reverse=True)
    got = list(zip(hands, nets(hands, bank, wagers, decision, rules), strict=True))
    for (worse, less), (better, more) in pairwise(got):
        assert less <= more
        if rank_three(worse).rank == rank_three(better).rank:
            assert less == more


@regulations
@given(dealt=hands_and_bank(), ante=st.integers(1, 10**6))
def test_art_13_3_of_two_banks_that_play_the_better_one_never_leaves_a_player_more(
    rules: Rules, dealt: tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]], ante: int
) -> None:
    (player, *others), bank, _ = dealt
    banks = [hand for hand in (*others, bank) if bank_plays(hand, rules)]
    banks.sort(key=lambda hand: rank_three(hand).rank)
    left = [nets([player], hand, {"ante": ante}, "play", rules)[0] for hand in banks]
    assert left == sorted(left)


@given(dealt=hands_and_bank(), stake=st.integers(1, 10**6))
def test_art_16_2_a_better_six_card_combination_never_gets_less(
    dealt: tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]], stake: int
) -> None:
    hands, bank, _ = dealt
    seats = {n: SeatRound({"pair_plus": 1, "six_card_bonus": stake}, None, hand) for n, hand in enumerate(hands, 1)}
    answer = settle(seats, bank, None, None)
    got = [(answer.seats[str(number)].lines[1].net, place(hand + bank)) for number, hand in enumerate(hands, 1)]
    assert_never_less(got)


def place(cards: tuple[Card, ...]) -> int:
    found = best_combination(cards)
    return STRONGEST_FIRST.index(found) if found else len(STRONGEST_FIRST)


def assert_never_less(got: list[tuple[int, int]]) -> None:
    """(net, place) where a lower place is a better combination and an equal one has the same net."""
    in_turn = sorted(got, key=lambda item: item[1])
    for (more, better), (less, worse) in pairwise(in_turn):
        assert less <= more
        assert better != worse or less == more


# Two community cards, and hands of three that win with them; those that share no card may be on one table.
WINNING = {
    "Js Ts": "As Ks Qs,9s 8s 7s,Ks Qs 9s,2s 3s 5s,4s 6s As,Jh Jd Jc,Th Td Jc,Jh Td Tc,Jd Jh Tc",
    "5d 4d": "3d 2d Ad,6d 7d 8d,6d 3d 2d,Kd Qd Td,5c 5h 5s,5c 4h 4s,5h 5s 4c,4c 4h 4s,9d 7d 2d",
    "8c 8h": "8d 8s 2c,8d 8s Ah,Kc Kd Kh,8d 9c 9h,8s 2d 2h,7c 7d 7h,3c 3d 3h,Qc Qd Qh,4c 4d 4h",
}
COLD = "2c 7h 9d,3h 6c Kd,4h Jd 9h,2h 7d Qc,6h Qs Kc,3c 6s Ah,Ac 7c 9c"


def disjoint(hands: list[str], taken: set[str]) -> Iterator[str]:
    for hand in hands:
        if not taken & set(hand.split()):
            taken |= set(hand.split())
            yield hand


@st.composite
def jackpot_rounds(draw: st.DrawFn) -> tuple[dict[int, SeatRound], tuple[Card, ...], tuple[Card, ...], JackpotTerms]:
    """A table on which several jackpot bets win, with fixed amounts that descend as the combinations do."""
    middle = draw(st.sampled_from(sorted(WINNING)))
    taken = set(middle.split())
    warm = list(disjoint(draw(st.permutations(WINNING[middle].split(","))), taken))[: draw(st.integers(1, 6))]
    hands = [*warm, *disjoint(COLD.split(","), taken)][:7]
    hands = draw(st.permutations(hands))
    bank = tuple(card for card in DECK if card not in taken)[:3]
    chip = draw(st.integers(1, 1000))
    seats = {
        number: SeatRound({"ante": 5, "jackpot": chip}, draw(st.sampled_from(["play", "fold"])), cards_of(hand))
        for number, hand in enumerate(hands, 1)
    }
    amounts = sorted(draw(st.lists(st.integers(0, 10**6), min_size=5, max_size=5)), reverse=True)
    fixed = dict(zip(RULES_2025.jackpot, amounts, strict=True))
    return seats, bank, cards_of(middle), JackpotTerms(draw(st.integers(1, 10**8)), draw(st.integers(1, 10**7)), fixed)


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@given(jackpot_rounds())
def test_art_16_3_with_fixed_amounts_that_descend_a_better_combination_never_gets_less(
    table: tuple[dict[int, SeatRound], tuple[Card, ...], tuple[Card, ...], JackpotTerms],
) -> None:
    seats, bank, community, terms = table
    answer = settle(seats, bank, community, terms)
    got = []
    for number, seat in seats.items():
        assert seat.cards is not None
        (line,) = (line for line in answer.seats[str(number)].lines if line.wager == "jackpot")
        got.append((line.net, min(place(seat.cards + community), list(RULES_2025.jackpot).index("flush") + 1)))
    assert_never_less(got)


@given(jackpot_rounds())
def test_art_15_6_pot_house_and_several_winners_neither_make_nor_lose_money(
    table: tuple[dict[int, SeatRound], tuple[Card, ...], tuple[Card, ...], JackpotTerms],
) -> None:
    seats, bank, community, terms = table
    answer = settle(seats, bank, community, terms)
    paid = answer.jackpot
    assert paid and paid.pot_before == terms.pot
    lines = [line for seat in answer.seats.values() for line in seat.lines if line.wager == "jackpot"]
    chips = sum(line.stake for line in lines)
    won = sum(line.net for line in lines) + chips
    from_pot = sum(award.from_pot for award in paid.awards)
    from_house = sum(award.from_house for award in paid.awards)
    assert len(lines) == len(seats) and 0 <= from_pot <= terms.pot
    assert won == from_pot + from_house
    assert paid.pot_after == (terms.pot - from_pot or terms.minimum)
    # The pot gives at most its tenths and, once, all that they leave; the house only what fixed amounts ask above that.
    tenths = sum(award.tier == "straight_flush" for award in paid.awards)
    royals = sum(award.tier == "royal_flush" for award in paid.awards)
    assert from_pot == (terms.pot if royals else terms.pot // 10 * tenths)
    assert from_house == sum(max(0, terms.fixed[award.tier] - award.from_pot) for award in paid.awards)
