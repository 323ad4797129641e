"""The best strategy for the main game: it may do what the rulebook lets it, and nothing it might do is better."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from controller.certify.blackjack.by_the_rulebook import net_of
from controller.certify.blackjack.infinite_deck import InfiniteDeck, hand_of
from controller.certify.blackjack.simulation import best_strategy
from controller.certify.blackjack.strategy import OPEN_CARDS, SPECIAL_RANKS, PlayChoice, StrategyRow
from controller.certify.blackjack.variation import Variation
from controller.rulebook.blackjack_21 import settle
from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import DOUBLES_MORE
from controller.rulebook.blackjack_21.state import Hand, RoundState, Seat
from controller.rulebook.blackjack_21.waits import HandAsked, waits_for
from controller.rulebook.cards import Card, parse_cards

EDGE = Fraction(10973299081714259995178103885, 4036266528503819132969583104396)  # 0.27187 %


def hands() -> Iterator[Hand]:
    """Two cards of every two ranks, and three of many, dealt and after a split."""
    ranks = tuple(Card(rank + "s") for rank in "23456789TA")
    for first, second in product(ranks, repeat=2):
        yield from (hand_of(first, second), hand_of(first, Card(second[0] + "d"), split=True))
        if first[0] != "A":
            yield hand_of(first, second, Card("2h"), split=True)
        yield hand_of(first, second, Card("3h"))


def asked_by_the_rulebook(hand: Hand, open_card: Card, *, doubles_more: bool = False) -> tuple[str, ...]:
    seat_bet = SeatBet(seat=1, bet=2)
    seat = Seat(placed=seat_bet, hands=(hand,), gives_up=False, insurance=(0,), even_money=False)
    wait = waits_for(RoundState(seats=(seat,), bank=(open_card, None), rules=(DOUBLES_MORE,) if doubles_more else ()))
    return wait.legal if isinstance(wait, HandAsked) else ()


def test_certify_blackjack_lets_a_hand_do_what_the_rulebook_lets_it() -> None:
    deck = InfiniteDeck()
    different = [
        hand
        for hand, open_card in product(hands(), ("6s", "As"))
        if set(deck.may(hand)) != set(asked_by_the_rulebook(hand, Card(open_card)))
    ]
    assert different == []


def test_certify_blackjack_edge_of_the_regulation_on_an_infinite_deck() -> None:
    assert InfiniteDeck().edge() == EDGE


def test_certify_blackjack_the_printed_strategy_has_the_edge_of_the_best_play() -> None:
    assert InfiniteDeck(follows=best_strategy()).edge() == EDGE


@pytest.mark.parametrize(
    ("row", "open_value", "otherwise"),
    [
        (StrategyRow("hard", 12), 4, ("hit", "stand")),
        (StrategyRow("hard", 16), 10, ("hit", "stand")),
        (StrategyRow("hard", 11), 10, ("double", "hit")),
        (StrategyRow("soft", 18), 9, ("stand", "hit")),
        (StrategyRow("pair", 7), 10, ("surrender", "hit")),
        (StrategyRow("pair", 1), 1, ("split", "stand")),
        (StrategyRow("suited", 13), 2, ("stand", "hit")),
    ],
    ids=lambda value: value.name if isinstance(value, StrategyRow) else None,
)
def test_certify_blackjack_another_play_in_one_cell_costs(
    row: StrategyRow, open_value: int, otherwise: tuple[PlayChoice, ...]
) -> None:
    best = best_strategy()
    cells = {**best.cells, row: {**best.cells[row], open_value: otherwise}}
    assert InfiniteDeck(follows=replace(best, cells=cells)).edge() > EDGE


def test_certify_blackjack_strategy_against_a_bank_that_does_not_look_risks_one_bet_only() -> None:
    """As published for no hole card: 11 is not doubled against ten or ace, nor eights and aces split against an ace."""
    rows = best_strategy().rows()
    against_ten_and_ace = {name: tuple(letters[-2:]) for name, letters in rows.items()}
    assert against_ten_and_ace["hard 11"] == ("H", "H")
    assert against_ten_and_ace["8-8"] == ("Rh", "H")
    assert against_ten_and_ace["A-A"] == ("P", "H")
    assert against_ten_and_ace["hard 16"] == ("Rh", "H")  # never given up against an ace (36)


def test_certify_blackjack_strategy_draws_for_the_special_prize() -> None:
    """Hands that a card completes to 6-7-8 of one suit or 7-7-7 are drawn to where others are not (35)."""
    with_prize = best_strategy().rows()
    without = InfiniteDeck(Variation(special_prize=False)).best().rows()
    changed = {name: (without[name], with_prize[name]) for name in with_prize if without[name] != with_prize[name]}
    stood_and_gave_up = without["hard 13"], without["hard 14"], without["hard 15"]
    assert (without["6-7 suited"], without["6-8 suited"], without["7-8 suited"]) == stood_and_gave_up
    assert set(changed) == {"7-7", "6-7 suited", "6-8 suited", "7-8 suited"}
    assert (with_prize["6-7 suited"][:2], without["6-7 suited"][:2]) == (["H", "H"], ["S", "S"])
    assert (with_prize["7-7"][-2], without["7-7"][-2]) == ("H", "Rh")


def test_certify_blackjack_special_prize_comes_as_often_as_first_principles_say() -> None:
    """Twice whatever is dealt: drawn to with every hand that may come to it, and never but with three cards."""
    deck = InfiniteDeck()
    for ranks in ("67", "68", "78"):
        first, other = (Card(rank + "h") for rank in ranks)
        missing = Card(next(rank for rank in SPECIAL_RANKS if rank not in ranks) + "h")
        assert hand_of(first, other, missing).special
        gained = deck.plays(Card("7s"), hand_of(first, other))["hit"]
        plain = deck.plays(Card("7s"), hand_of(first, Card(other[0] + "d")))["hit"]
        assert gained - plain == Fraction(3, 52)
    sevens = deck.plays(Card("7s"), hand_of(*parse_cards("7h 7d")))["hit"]
    assert sevens - deck.plays(Card("7s"), hand_of(*parse_cards("8h 6d")))["hit"] == Fraction(3, 13)


def test_certify_blackjack_the_banks_black_jack_takes_doubled_and_split_bets_whole() -> None:
    """No rule spares a bet that was raised before the bank's second card was turned (17, 20, 23)."""
    black_jack, doubled = parse_cards("Ts Ad"), replace(hand_of(*parse_cards("6s 5d Th")), times=(2,), doubled=True)
    split = hand_of(*parse_cards("8s 3d Th"), split=True)
    assert [net_of(hand, black_jack).hand for hand in (doubled, split)] == [-2, -1]


def test_certify_blackjack_insurance_and_even_money_are_never_right() -> None:
    best = best_strategy()
    assert (best.insures, best.takes_even_money) == (False, False)
    assert InfiniteDeck().insurance() == -Fraction(1, 13)
    assert InfiniteDeck().even_money() == -Fraction(1, 26)


def test_certify_blackjack_pays_what_the_settlement_of_the_live_table_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    without_prize = InfiniteDeck(Variation(special_prize=False)).edge()
    monkeypatch.setattr(settle, "SPECIAL_TIMES", 0)
    assert InfiniteDeck().edge() == without_prize


def test_certify_blackjack_strategy_has_every_row_against_every_open_card() -> None:
    strategy = best_strategy()
    assert len(strategy.rows()) == 16 + 8 + 10 + 3
    assert all(len(letters) == len(OPEN_CARDS) for letters in strategy.rows().values())
    lines = strategy.printed().splitlines()
    assert lines[0].split() == list("23456789TA")
    assert "hard 11     Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh  H   H" in lines
    assert lines[-1] == "insurance never, even money never"
