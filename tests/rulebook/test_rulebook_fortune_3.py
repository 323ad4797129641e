"""Fortune 3 Card Poker 2025: which wagers and decisions a seat may make, and what a settlement refuses and cites."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card, parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import refuse_wagers, refuse_without_basic_bet
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Tier, award_jackpot
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.settlement import Settlement
from tests.shuffling import shuffled
from tests.with_words import with_words

OF_THE_TABLE = ("ante", "pair_plus", "six_card_bonus", "jackpot")
EVERY_SET = list(chain.from_iterable(combinations(OF_THE_TABLE, size) for size in range(1, 5)))
LIMITS = Limits(100, 1000)


def test_art_3_1_and_3_2_name_the_wagers() -> None:
    assert RULES_2025.wagers == OF_THE_TABLE


@pytest.mark.parametrize("wagers", EVERY_SET)
def test_art_4_3_an_additional_bet_is_placed_only_beside_a_basic_one(wagers: tuple[str, ...]) -> None:
    bets = dict.fromkeys(wagers, 500)
    if {"ante", "pair_plus"} & set(wagers):
        refuse_wagers(3, bets, LIMITS)
        return
    with pytest.raises(Refusal) as refusal:
        refuse_without_basic_bet(3, bets)
    assert (refusal.value.who, refusal.value.article) == ("seat 3", "4.º 3")
    with pytest.raises(Refusal, check=with_words(r"\(4\.º 3\)$")):
        refuse_wagers(3, bets, None)


def test_art_10_1_the_limits_do_not_bound_the_jackpot_chip() -> None:
    for chip in (1, 5000):
        refuse_wagers(3, {"ante": 500, "jackpot": chip}, LIMITS)


@pytest.mark.parametrize("wager", ["play", "ante_bonus", "Ante", ""])
def test_art_3_a_wager_the_regulation_does_not_have_is_refused(wager: str) -> None:
    with pytest.raises(Refusal, check=with_words("is not a wager of fortune-3-card-poker-2025")):
        refuse_wagers(3, {"ante": 500, wager: 500}, None)


# ---- What the settlement of Fortune 3 Card Poker 2025 refuses, and the items its tables cite; its rounds:
# tests/rounds.


TERMS = JackpotTerms(pot=1_000_000, minimum=500_000, fixed={})


def test_a_bet_without_the_cards_or_terms_it_needs_is_refused() -> None:
    dealer = parse_cards("Qd 9c 4h")
    unseen = SeatRound({"ante": 100, "pair_plus": 50}, "fold", None)
    chip = SeatRound({"pair_plus": 50, "jackpot": 5}, None, parse_cards("As Ks 9s"))
    with pytest.raises(Refusal, check=with_words("^seat 2: ")):
        settle({2: unseen}, dealer, None, None)
    with pytest.raises(Refusal, check=with_words(r"^community: .*\(11\.º 3\)$")):
        settle({2: chip}, dealer, None, TERMS)
    with pytest.raises(Refusal, check=with_words(r"^jackpot: .*\(16\.º 3\)$")):
        settle({2: chip}, dealer, parse_cards("5s 2s"), None)


def test_every_paytable_row_cites_its_own_item() -> None:
    tables = [RULES_2025.ante_bonus, RULES_2025.pair_plus, RULES_2025.six_card_bonus]
    cited = [odds.article for table in tables for odds in table.values()]
    cited += [tier.article for tier in RULES_2025.jackpot.values()]
    assert cited == [
        *(f"13.º 4) ({item})" for item in range(1, 4)),
        *(f"16.º 1 {item})" for item in range(1, 6)),
        *(f"16.º 2 {item})" for item in range(1, 8)),
        *(f"16.º 3 {item})" for item in range(1, 6)),
    ]


# ---- The awards of the progressive jackpot, articles 15.º and 16.º 3 (2025)


OF_2025 = tuple(RULES_2025.jackpot)
FIXED_PRIZES = {
    "royal_flush": 50_000,
    "straight_flush": 10_000,
    "four_of_a_kind": 1_500,
    "full_house": 500,
    "flush": 250,
}


def pay(*winners: tuple[int, str], pot: int = 1_000_000, minimum: int = 500_000, **fixed: int) -> SettledJackpot:
    return award_jackpot(winners, JackpotTerms(pot, minimum, FIXED_PRIZES | fixed), RULES_2025.jackpot)


def paid(answer: SettledJackpot) -> list[tuple[int, str, int, int, int]]:
    return [(award.seat, award.tier, award.amount, award.from_pot, award.from_house) for award in answer.awards]


def test_art_16_3_1_a_royal_takes_the_whole_pot_and_art_15_6_the_pot_restarts_at_its_minimum() -> None:
    answer = pay((4, "royal_flush"))
    assert paid(answer) == [(4, "royal_flush", 1_000_000, 1_000_000, 0)]
    assert (answer.pot_before, answer.pot_after) == (1_000_000, 500_000)


def test_art_16_3_1_a_royal_is_paid_the_fixed_amount_where_it_is_larger() -> None:
    answer = pay((4, "royal_flush"), pot=40_000)
    assert paid(answer) == [(4, "royal_flush", 50_000, 40_000, 10_000)]
    assert answer.pot_after == 500_000


def test_art_16_3_2_a_straight_flush_takes_a_tenth_rounded_down() -> None:
    answer = pay((4, "straight_flush"), pot=1_000_009)
    assert paid(answer) == [(4, "straight_flush", 100_000, 100_000, 0)]
    assert answer.pot_after == 900_009


def test_art_15_6_a_reduced_pot_stays_where_it_is_even_below_the_minimum() -> None:
    assert pay((4, "straight_flush"), pot=500_000, minimum=500_000).pot_after == 450_000


def test_art_15_3_winners_are_paid_from_the_bank_s_left() -> None:
    answer = pay((7, "flush"), (3, "royal_flush"), (1, "full_house"), (5, "flush"))
    assert [award.seat for award in answer.awards] == [1, 3, 5, 7]


winners = st.dictionaries(st.integers(1, 7), st.sampled_from(OF_2025)).map(dict.items)
money = st.integers(0, 10**9)
terms = st.builds(
    JackpotTerms, st.integers(1, 10**10), st.integers(1, 10**9), st.fixed_dictionaries(dict.fromkeys(OF_2025, money))
)


@given(winners, terms)
def test_art_15_6_no_money_is_lost_or_made(won: set[tuple[int, str]], at: JackpotTerms) -> None:
    answer = award_jackpot(won, at, RULES_2025.jackpot)
    from_pot = sum(award.from_pot for award in answer.awards)
    assert answer.pot_before == at.pot
    assert 0 <= from_pot <= at.pot
    assert answer.pot_after == (at.pot - from_pot or at.minimum)
    assert {(award.seat, award.tier) for award in answer.awards} == set(won)
    for award in answer.awards:
        assert award.amount == award.from_pot + award.from_house >= at.fixed[award.tier]
        assert award.from_pot >= 0 and award.from_house >= 0
        assert award.from_house == 0 or award.amount == at.fixed[award.tier]
        assert award.article == RULES_2025.jackpot[award.tier].article
        assert RULES_2025.jackpot[award.tier].percent or award.from_pot == 0


@given(st.dictionaries(st.integers(1, 7), st.sampled_from(OF_2025)), terms, st.permutations(range(1, 8)))
def test_art_15_3_the_order_in_which_winners_are_named_changes_nothing(
    won: dict[int, str], at: JackpotTerms, named: list[int]
) -> None:
    in_another_order = [(seat, won[seat]) for seat in named if seat in won]
    assert award_jackpot(won.items(), at, RULES_2025.jackpot) == award_jackpot(in_another_order, at, RULES_2025.jackpot)


@given(st.sets(st.integers(1, 7), min_size=1), terms)
def test_art_15_4_straight_flushes_are_paid_alike(seats: set[int], at: JackpotTerms) -> None:
    answer = award_jackpot([(seat, "straight_flush") for seat in seats], at, RULES_2025.jackpot)
    assert {award.from_pot for award in answer.awards} == {at.pot // 10}
    assert [award.seat for award in answer.awards] == sorted(seats)


def test_shares_that_would_pass_the_pot_stop_at_it() -> None:
    tiers = {"half": Tier(60, "article")}
    answer = award_jackpot([(1, "half"), (2, "half")], JackpotTerms(100, 50, {"half": 10}), tiers)
    assert [award.from_pot for award in answer.awards] == [60, 40]
    assert answer.pot_after == 50


# ---- Random rounds of Fortune 3 Card Poker 2025 against an independent computation, and what no round may break


FACES = "A23456789TJQKA"
BASIC = [("ante",), ("pair_plus",), ("ante", "pair_plus")]

# Made once: hypothesis takes longer to make a strategy than to draw from it.
DECKS = shuffled(DECK)
FEW_FACES = st.sampled_from(["23456789TJQKA", "AKQJT", "A2345", "9TJQ", "2A3", "789"])
FEW_SUITS = st.sampled_from(["cdhs", "s", "sh"])
SEATS = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True)
WAGERS, DECISIONS, EITHER = st.sampled_from(BASIC), st.sampled_from(["play", "fold"]), st.booleans()
AMOUNTS, CHIPS = st.integers(1, 10**6), st.integers(1, 1000)
FIXED, POTS = st.integers(0, 10**6), st.integers(1, 10**8)


def shuffled_deck(draw: st.DrawFn) -> list[Card]:
    """A shuffled deck; often one of few ranks or few suits, so that rare hands come up."""
    deck = draw(DECKS)
    faces = draw(FEW_FACES)
    suits = draw(FEW_SUITS)
    return sorted(deck, key=lambda card: not (card[0] in faces and card[1] in suits))


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """A round file that must be settled."""
    deck = shuffled_deck(draw)
    numbers = draw(SEATS)
    places = draw(shuffled(range(3 * len(numbers) + 5)))
    cards = [deck[place] for place in places]
    chip = draw(CHIPS)
    seats: dict[str, Any] = {}
    for index, number in enumerate(numbers):
        seat: dict[str, Any] = {wager: draw(AMOUNTS) for wager in draw(WAGERS)}
        if "ante" in seat:
            seat["decision"] = draw(DECISIONS)
        if draw(EITHER):
            seat["six_card_bonus"] = draw(AMOUNTS)
        if draw(EITHER):
            seat["jackpot"] = chip
        seat["cards"] = " ".join(cards[3 * index : 3 * index + 3])
        seats[str(number)] = seat
    round_ = {"game": "fortune-3-card-poker-2025", "seats": seats, "dealer": " ".join(cards[-5:-2])}
    fixed = {tier: draw(FIXED) for tier in TIERS}
    bets = any("jackpot" in seat for seat in seats.values())
    if bets:
        round_["community"] = " ".join(cards[-2:])
    if bets or draw(EITHER):
        round_["jackpot"] = {"pot": draw(POTS), "minimum": draw(AMOUNTS), "fixed": fixed}
    return round_


TIERS = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"]
BONUS = {"straight flush": 5, "trio": 4, "straight": 1}
PAIR_PLUS = {"straight flush": 40, "trio": 25, "straight": 5, "flush": 4, "pair": 1}
ORDER = ["odd", "pair", "flush", "straight", "trio", "straight flush"]
SIX = [500, 100, 50, 20, 15, 10, 7]


def three(text: str) -> tuple[str, tuple[Any, ...]]:
    """Class and strength of three cards, computed from the words of the regulation."""
    cards = text.split()
    one_suit = len({card[1] for card in cards}) == 1
    values = sorted((FACES.rindex(card[0]) for card in cards), reverse=True)
    low_ace = sorted((FACES.index(card[0]) for card in cards), reverse=True)
    run = next((v for v in (values, low_ace) if v[0] - 2 == v[1] - 1 == v[2]), None)
    if run:
        name, decides = ("straight flush" if one_suit else "straight"), run
    elif len(set(values)) == 1:
        name, decides = "trio", values
    elif one_suit:
        name, decides = "flush", values
    elif len(set(values)) == 2:
        name, decides = "pair", [value for value, _ in Counter(values).most_common()]
    else:
        name, decides = "odd", values
    return name, (ORDER.index(name), decides)


def five(cards: Sequence[str]) -> int:
    """The place of five cards in art. 7.º 2, 0 the royal and 7 nothing."""
    one_suit = len({card[1] for card in cards}) == 1
    values = sorted(FACES.rindex(card[0]) for card in cards)
    run = values in ([1, 2, 3, 4, 13], list(range(values[0], values[0] + 5)))
    alike = sorted(Counter(values).values())
    if run and one_suit:
        return 0 if values[0] == 9 else 1
    found = [alike == [1, 4], alike == [2, 3], one_suit, run, alike == [1, 1, 3]]
    return 2 + found.index(True) if True in found else 7


def compute(round_: dict[str, Any]) -> tuple[dict[str, int], int]:
    """Each seat's net and the pot afterwards."""
    bank = round_["dealer"]
    bank_name, bank_strength = three(bank)
    plays = bank_name != "odd" or any(card[0] in "QKA" for card in bank.split())
    nets = dict.fromkeys(round_["seats"], 0)
    pot = round_.get("jackpot", {}).get("pot", 0)
    remains, royals = pot, []
    for number, seat in round_["seats"].items():
        name, strength = three(seat["cards"])
        ante = seat.get("ante", 0)
        if ante and seat["decision"] == "fold":
            nets[number] -= ante
        elif ante:
            side = (strength > bank_strength) - (strength < bank_strength)
            nets[number] += ante * BONUS.get(name, 0) + (2 * ante * side if plays else ante)
        nets[number] += seat.get("pair_plus", 0) * PAIR_PLUS.get(name, -1)
        own = seat["cards"].split()
        best = min(five(hand) for hand in combinations(own + bank.split(), 5))
        nets[number] += seat.get("six_card_bonus", 0) * (SIX[best] if best < 7 else -1)
        if "jackpot" in seat:
            nets[number] -= seat["jackpot"]
            place = five(own + round_["community"].split())
            fixed = round_["jackpot"]["fixed"][TIERS[place]] if place < 5 else 0
            if place == 0:
                royals.append((number, fixed))
            elif place == 1:
                remains -= pot // 10
                nets[number] += max(pot // 10, fixed)
            else:
                nets[number] += fixed
    for number, fixed in royals:
        nets[number] += max(remains, fixed)
        remains = 0
    return nets, remains or round_.get("jackpot", {}).get("minimum", 0)


@given(rounds())
def test_a_round_is_settled_as_the_words_of_the_regulation_compute_it(round_: dict[str, Any]) -> None:
    nets, pot = compute(round_)
    answer = json.loads(settle_text(json.dumps(round_)))
    assert {seat: found["net"] for seat, found in answer["seats"].items()} == nets
    assert ("jackpot" in answer) == ("jackpot" in round_)
    if "jackpot" in answer:
        assert answer["jackpot"]["pot_after"] == pot


@given(rounds())
def test_art_15_6_what_the_players_win_is_what_house_and_pot_lose(round_: dict[str, Any]) -> None:
    answer = json.loads(settle_text(json.dumps(round_)))
    lines = [line for seat in answer["seats"].values() for line in seat["lines"]]
    players = sum(seat["net"] for seat in answer["seats"].values())
    collected = sum(line["stake"] for line in lines if line["outcome"] == "lose" or line["wager"] == "jackpot")
    paid_at_odds = sum(line["stake"] * int(line["odds"][:-2]) for line in lines if line["odds"])
    jackpot = answer.get("jackpot", {"awards": [], "pot_before": 0, "pot_after": 0})
    from_pot = sum(award["from_pot"] for award in jackpot["awards"])
    from_house = sum(award["from_house"] for award in jackpot["awards"])
    assert players + collected - paid_at_odds - from_house - from_pot == 0
    if from_pot < jackpot["pot_before"]:
        assert jackpot["pot_after"] + from_pot == jackpot["pot_before"]
    elif from_pot:
        assert jackpot["pot_after"] == round_["jackpot"]["minimum"]


@given(rounds())
def test_the_file_and_the_live_table_settle_alike_in_whatever_order_the_seats_come(round_: dict[str, Any]) -> None:
    def cards(text: str) -> tuple[Card, ...]:
        return tuple(map(Card, text.split()))

    seats: dict[int, SeatRound] = {}
    for number, seat in reversed(round_["seats"].items()):
        wagers = {wager: amount for wager, amount in seat.items() if wager not in ("cards", "decision")}
        seats[int(number)] = SeatRound(wagers, seat.get("decision"), cards(seat["cards"]))
    community = cards(round_["community"]) if "community" in round_ else None
    terms = JackpotTerms(**round_["jackpot"]) if "jackpot" in round_ else None
    live: Settlement = settle(seats, cards(round_["dealer"]), community, terms)
    assert msgspec.json.encode(live) == settle_text(json.dumps(round_))
