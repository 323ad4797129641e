"""Black-jack's accumulated prize: who wins it and what the meter pays; rules 42 to 44, 50. No I/O here."""

from collections.abc import Collection
from itertools import pairwise
from typing import Any

from .meter import Meter

TOP = "four_aces_one_colour"
TIMES = {"three_aces_one_suit": 2500, "three_aces": 250, "two_aces_one_suit": 100, "two_aces": 25}  # 43 b) to e)
RULES = {TOP: "43 a)"} | dict(zip(TIMES, ("43 b)", "43 c)", "43 d)", "43 e)"), strict=True))
DIVIDED = "50 b)"
RED = "dh"
ChipOf = tuple[int, str | None]  # a seat, and who bets along there; None: who decides


def tier(cards: list[str], rules: Collection[str] = ()) -> str | None:
    """The highest combination of the cards of a seat in the order dealt (42, 43); None: the chip is lost.

    By the other reading of 43 c) among the `rules` three aces of two suits are two aces.
    """
    aces = 0
    while aces < min(len(cards), 4) and cards[aces][0] == "A":
        aces += 1
    suits = [card[1] for card in cards[:aces]]
    if aces == 4 and len({suit in RED for suit in suits}) == 1:
        return TOP
    if aces < 2:
        return None
    first = suits[:3]
    if len(set(first)) == 2 and "three_aces_of_three_suits" in rules:
        first = suits[:2]
    same = all(prize == other for prize, other in pairwise(first))
    return ("three" if len(first) == 3 else "two") + ("_aces_one_suit" if same else "_aces")


def pay(meter: Meter, winners: dict[ChipOf, str]) -> list[dict[str, Any]]:
    """Pay one round: smaller prizes first, all out of the pot, the rest to the top in equal parts (50).

    Every player's chip has its own prize (47); `winners` of one seat stand in the order of their bets. What the pot
    lacks the house pays, and the pot begins again (44).
    """
    chip = int(meter.rules["chip"])
    in_turn = sorted(winners, key=lambda whose: whose[0])
    small = sorted((whose for whose in in_turn if winners[whose] != TOP), key=lambda whose: TIMES[winners[whose]])
    top = [whose for whose in in_turn if winners[whose] == TOP]
    paid = []
    short = False
    for whose in small:
        amount = TIMES[winners[whose]] * chip
        from_pot = min(meter.shown, amount)
        short = short or from_pot < amount
        paid.append(_award(meter, whose, winners[whose], amount, from_pot))
    rest = meter.shown
    for whose in top:
        share = rest // len(top) + (rest % len(top) if whose == top[0] else 0)
        paid.append(_award(meter, whose, TOP, share, share) | ({"article": DIVIDED} if len(top) > 1 else {}))
    if top or short or (small and meter.shown == 0):
        meter.start_again()
    return paid


def _award(meter: Meter, whose: ChipOf, won: str, amount: int, from_pot: int) -> dict[str, Any]:
    meter.pot -= from_pot
    meter.awards += amount
    meter.house_awards += amount - from_pot
    seat, player = whose
    return {
        "seat": seat,
        **({} if player is None else {"player": player}),
        "tier": won,
        "amount": amount,
        "from_pot": from_pot,
        "from_house": amount - from_pot,
        "article": RULES[won],
    }
