"""Random rounds of black-jack/21: they end, ask once, take what they offer, and are computed again from their cards."""

import json
from collections import Counter
from itertools import pairwise, product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.blackjack_21.bets import Backer, SeatBet
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.settle import lines_so_far, settle
from controller.rulebook.blackjack_21.state import (
    Decided,
    Followed,
    GaveUp,
    Insured,
    PlayerAnswer,
    RoundState,
    Seat,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    Wait,
    waits_for,
)
from controller.rulebook.cards import DECK, Card
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.settlement import Line
from controller.words import english

chances = st.randoms(use_true_random=False)
FEW = [list(DECK), [card for card in DECK if card[0] in "A8T"], [card for card in DECK if card[0] in "A678"]]
TERMS = JackpotTerms(pot=1_000_003, minimum=1_000_000, fixed={})


def random_bets(chance: Random) -> list[SeatBet]:
    seats = chance.sample(range(1, 8), chance.randint(1, 4))
    return [
        SeatBet(
            seat=seat,
            bet=100 * chance.randint(1, 10),
            backers=tuple(
                Backer(name, 100 * chance.randint(1, 5)) for name in chance.sample("ABC", chance.randint(0, 2))
            ),
            chip=chance.choice([0, 100]),
        )
        for seat in seats
    ]


def random_answer(chance: Random, wait: Wait) -> PlayerAnswer:
    match wait:
        case HandAsked(legal=legal):
            return Decided("split" if "split" in legal and chance.random() < 0.7 else chance.choice(legal))
        case GiveUpAsked():
            return GaveUp(chance.random() < 0.2)
        case EvenMoneyAsked():
            return TookEvenMoney(chance.random() < 0.5)
        case InsuranceAsked(most=most):
            amounts = tuple(chance.choice([0, half, chance.randint(0, half)]) for half in most)
            return Insured(amounts if amounts[0] else (0,) * len(most))  # 15
        case FollowAsked(backers=backers):
            return Followed(tuple(chance.random() < 0.5 for _ in backers))
    raise AssertionError(wait)


def random_round(chance: Random, bank_unread: bool = False) -> tuple[list[tuple[RoundState, Wait]], list[Card]]:
    """A round to its end: every state with what it waited for, and the cards in the order drawn."""
    few = chance.choice(FEW)
    shoe = chance.sample(few * 6, min(len(few) * 6, 150))
    state, steps, drawn = opened_round(random_bets(chance)), [], list[Card]()
    down = Card("2c")
    while True:
        wait = waits_for(state)
        steps.append((state, wait))
        assert len(steps) < 1000
        match wait:
            case Over():
                return steps, drawn
            case CardDue(face_up=face_up):
                drawn.append(shoe.pop())
                down = down if face_up else drawn[-1]
                state = with_card(state, None if bank_unread and not face_up else drawn[-1])
            case TurnDue(known=known):
                assert known != bank_unread
                state = with_card(state, down if bank_unread else None)
            case _:
                state = with_answer(state, random_answer(chance, wait))


@given(chances)
def test_blackjack_any_round_ends_and_asks_nothing_twice(chance: Random) -> None:
    steps, drawn = random_round(chance)
    asked = [
        (type(wait), getattr(wait, "seat", None), getattr(wait, "hand", None), len(state.drawn))
        for state, wait in steps
        if not isinstance(wait, CardDue)
    ]
    assert len(asked) == len(set(asked))
    assert len(steps[-1][0].drawn) == len(drawn)


@given(chances)
def test_blackjack_what_is_offered_is_taken_and_what_is_illegal_is_refused_with_its_rule(chance: Random) -> None:
    steps, _ = random_round(chance)
    for state, wait in steps:
        if isinstance(wait, HandAsked):
            for legal in wait.legal:
                assert waits_for(with_answer(state, Decided(legal))) != wait
            for illegal, why in wait.illegal.items():
                with pytest.raises(Refusal) as refusal:
                    with_answer(state, Decided(illegal))
                assert (refusal.value.who, refusal.value.article) == (f"seat {wait.seat}", why.rule)
                assert english(why) in english(refusal.value.reason)
        if isinstance(wait, FollowAsked):
            for who in product((True, False), repeat=len(wait.backers)):
                assert isinstance(waits_for(with_answer(state, Followed(who))), CardDue)


@given(st.integers(0, 2**32))
def test_blackjack_rule_17_nothing_before_the_turn_depends_on_the_bank_s_second_card(seed: int) -> None:
    known, _ = random_round(Random(seed))
    unknown, _ = random_round(Random(seed), bank_unread=True)
    assert [type(wait) for _, wait in known] == [type(wait) for _, wait in unknown]
    for (_, here), (_, there) in zip(known, unknown, strict=True):
        assert here == there or isinstance(here, TurnDue)
    assert settle(known[-1][0], TERMS) == settle(unknown[-1][0], TERMS)


def best_total(cards: tuple[Card, ...], low: bool = False) -> int:
    """The best of all ways to count the aces; those of a doubled pair only as 1."""
    ways = []
    for index, card in enumerate(cards):
        ace = [1] if low and index < 2 else [1, 11]
        ways.append({"A": ace}.get(card[0]) or [10 if card[0] in "TJQK" else int(card[0])])
    totals = sorted(sum(way) for way in product(*ways))
    below = [total for total in totals if total <= 21]
    return below[-1] if below else totals[0]


def expected_net(state: RoundState, seat: Seat, who: int) -> int:
    """What one player at a seat wins, computed from the cards on the felt alone."""
    bet = seat.placed.stakes[who]
    bank = tuple(card for card in state.bank if card is not None) if state.turned else state.bank_shown
    bank_total, bank_natural = best_total(bank), state.turned and len(bank) >= 2 and best_total(bank[:2]) == 21
    if seat.gives_up:
        return -bet // 2
    net = 0
    if seat.insurance:
        net += seat.insurance[who] * (2 if bank_natural else -1)
    for hand in seat.hands:
        stake = bet * hand.times[who]
        if not stake:
            continue
        total, natural = best_total(hand.cards, hand.doubled), len(seat.hands) == 1 and len(hand.cards) == 2
        natural = natural and total == 21
        ranks, suits = sorted(card[0] for card in hand.cards), {card[1] for card in hand.cards}
        if ranks == ["7"] * 3 or (ranks == ["6", "7", "8"] and len(suits) == 1):
            net += 3 * bet
        if natural:
            net += stake if seat.even_money else 0 if bank_natural else 3 * stake // 2
        elif total > 21 or bank_natural:
            net -= stake
        else:
            mine, theirs = total, bank_total if bank_total <= 21 else 0
            net += stake * ((mine > theirs) - (mine < theirs))
    return net


@given(chances)
def test_blackjack_every_net_is_what_a_count_from_the_cards_gives(chance: Random) -> None:
    steps, _ = random_round(chance)
    state = steps[-1][0]
    answer = settle(state, TERMS)
    for seat in state.seats:
        lines = answer.seats[str(seat.placed.seat)].lines
        nets: Counter[str] = Counter()
        for line in lines:
            nets["" if not isinstance(line.player, str) else line.player] += line.net * (line.wager != "jackpot")
        players = ["", *(backer.player for backer in seat.placed.backers)]
        assert [nets[player] for player in players] == [expected_net(state, seat, who) for who in range(len(players))]
        own = sum(line.net for line in lines if not isinstance(line.player, str))
        assert answer.seats[str(seat.placed.seat)].net == own
        for number, hand in enumerate(seat.hands, start=1):
            staked = sum(line.stake for line in lines if line.wager == "hand" and line.hand == number)
            assert staked == sum(bet * times for bet, times in zip(seat.placed.stakes, hand.times, strict=True))


@given(chances)
def test_blackjack_rule_50_pot_house_and_winners_neither_make_nor_lose_money(chance: Random) -> None:
    state = random_round(chance)[0][-1][0]
    answer = settle(state, TERMS)
    prize = answer.jackpot
    assert isinstance(prize, SettledJackpot)
    taken = sum(award.from_pot for award in prize.awards)
    assert all(award.amount == award.from_pot + award.from_house for award in prize.awards)
    assert prize.pot_after == (TERMS.pot - taken or TERMS.minimum)
    chips = {seat.placed.seat: seat.placed.chip for seat in state.seats if seat.placed.chip}
    nets = sum(line.net for seat in answer.seats.values() for line in seat.lines if line.wager == "jackpot")
    assert nets == sum(award.amount for award in prize.awards) - sum(chips.values())
    assert {award.seat for award in prize.awards} <= set(chips)
    smaller = [award.amount for award in prize.awards if award.tier != "four_aces_one_colour"]
    assert smaller == sorted(smaller) and [award.amount for award in prize.awards[: len(smaller)]] == smaller


@given(chances)
def test_blackjack_rule_21_what_is_paid_at_once_is_never_taken_back(chance: Random) -> None:
    steps, _ = random_round(chance)
    before: list[tuple[int, Line]] = []
    for state, _ in steps:
        now = [(seat, line) for seat, lines in lines_so_far(state).items() for line in lines]
        assert all(line in now for line in before)
        before = now


def round_file(state: RoundState, drawn: list[Card]) -> dict[str, Any]:
    """The round as a file."""
    seats: dict[str, Any] = {}
    for seat in state.seats:
        answers = [answer for answer in state.answered if answer.seat == seat.placed.seat]
        decisions = [answer.answer.decision for answer in answers if isinstance(answer.answer, Decided)]
        insurance = seat.insurance or (0,) * len(seat.placed.stakes)
        seats[str(seat.placed.seat)] = {
            "bet": seat.placed.bet,
            "jackpot": seat.placed.chip,
            "insurance": insurance[0],
            "even_money": bool(seat.even_money),
            "decisions": ["surrender"] if seat.gives_up else decisions,
            "backers": [
                {"player": backer.player, "bet": backer.bet, "insurance": insurance[index + 1], "follows": []}
                for index, backer in enumerate(seat.placed.backers)
            ],
        }
    return {
        "game": "blackjack-21",
        "minimum": 100,
        "decks": 6,
        "seats": seats,
        "shoe": " ".join(drawn),
        "jackpot": {"pot": TERMS.pot, "minimum": TERMS.minimum},
    }


@given(chances)
def test_blackjack_the_file_and_the_live_table_settle_alike(chance: Random) -> None:
    steps, drawn = random_round(chance)
    state = steps[-1][0]
    file = round_file(state, drawn)
    for (before, wait), (after, _) in pairwise(steps):
        if isinstance(wait, FollowAsked):
            assert len(after.answered) == len(before.answered) + 1
            answer = after.answered[-1].answer
            assert isinstance(answer, Followed)
            for backer, follows in zip(wait.backers, answer.who, strict=True):
                file["seats"][str(wait.seat)]["backers"][backer]["follows"].append(follows)
    assert settle_text(json.dumps(file)) == msgspec.json.encode(settle(state, TERMS))
