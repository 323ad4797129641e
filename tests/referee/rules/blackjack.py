"""Black-jack: what every line of a round is worth; rules 20 to 24, 33 to 36. No I/O here."""

from collections.abc import Collection
from itertools import pairwise
from typing import Any

from .blackjack_cards import Hand, total
from .blackjack_course import Course, Seat
from .lines import Message, Worth
from .meter import Meter

Fate = tuple[str, str | None, int, str]
"""Outcome, odds, net and rule."""

ChipOf = tuple[int, str | None]  # a seat, and who bets along there; None: who decides


def _at_once(hand: Hand, stake: int) -> Fate | None:
    """What a hand comes to without the bank's second card; None where that decides."""
    if hand.ended == "given_up":
        return "lose", None, -(stake // 2), "36"
    if hand.ended == "even_money":
        return "win", "1:1", stake, "34"
    if hand.ended == "paid":
        return "win", "3:2", stake * 3 // 2, "21"
    return ("lose", None, -stake, "22") if hand.total > 21 else None


def _against(hand: Hand, stake: int, course: Course) -> Fate:
    """What a hand comes to against the bank's cards."""
    bank = total(course.bank)
    if hand.black_jack:
        return ("push", None, 0, "21") if course.black_jack else ("win", "3:2", stake * 3 // 2, "21")
    if course.black_jack:
        return "lose", None, -stake, "20" if hand.total == 21 else "23"
    if bank > 21 or hand.total > bank:
        return "win", "1:1", stake, "23"
    return ("push", None, 0, "24") if hand.total == bank else ("lose", None, -stake, "23")


def _lines(course: Course, seat: Seat, player: str | None, void_by: str | None) -> list[Worth]:
    """The lines of who decides (`player` None) or of a complementary bet, in their order."""
    bet = seat.place.bet if player is None else seat.place.backers[player]
    insured = seat.insured if player is None else seat.backers_insured.get(player, 0)
    worths = []
    for number, hand in enumerate(seat.hands, start=1):
        if player is None or player in hand.on:
            stake = hand.bet * (2 if hand.doubled else 1) if player is None else hand.on[player]
            fate = _at_once(hand, stake) if course.deal_ended_at or not void_by else None
            if fate is None:
                fate = ("void", None, 0, void_by) if void_by else _against(hand, stake, course)
            worths.append(Worth("hand", player, stake, *fate, hand=number))
    if insured:
        won = course.black_jack
        odds, net = ("2:1", 2 * insured) if won else (None, -insured)
        fate = ("void", None, 0, void_by) if void_by else ("win" if won else "lose", odds, net, "33")
        worths.append(Worth("insurance", player, insured, *fate))
    for number, hand in enumerate(seat.hands, start=1):
        if hand.special and (player is None or player in hand.on):
            worths.append(Worth("special_prize", player, bet, "win", "3:1", 3 * bet, "35", hand=number))
    return worths


def settle(
    course: Course, chips: set[ChipOf], chip: int, awards: list[Message], void_by: str | None = None
) -> dict[int, list[Worth]]:
    """Every line by seat: the seat's own with its chip (43, 46), then its backers', each with theirs (47).

    Of a round that is void by an article, what is won and lost without the bank's second card remains (21, 22, 34 to
    36, 43); every other bet goes back. Before the deal is over everything goes back (18).
    """
    won = {(award["seat"], award.get("player")): award for award in awards}
    worth: dict[int, list[Worth]] = {}
    for at, seat in course.seats.items():
        worth[at] = []
        for player in (None, *seat.place.backers):
            worth[at] += _lines(course, seat, player, void_by)
            if (at, player) in chips and void_by and not course.deal_ended_at:
                more = {"chip_carried": False}
                worth[at].append(Worth("jackpot", player, chip, "void", None, 0, void_by, more=more))
            elif (at, player) in won:
                award = won[at, player]
                net, rule = award["amount"] - chip, award["article"]
                worth[at].append(Worth("jackpot", player, chip, "win", None, net, rule))
            elif (at, player) in chips:
                worth[at].append(Worth("jackpot", player, chip, "lose", None, -chip, "43"))
    return worth


# ---- Black-jack's accumulated prize: who wins it and what the meter pays; rules 42 to 44, 50. No I/O here


TOP = "four_aces_one_colour"
TIMES = {"three_aces_one_suit": 2500, "three_aces": 250, "two_aces_one_suit": 100, "two_aces": 25}  # 43 b) to e)
RULES = {TOP: "43 a)"} | dict(zip(TIMES, ("43 b)", "43 c)", "43 d)", "43 e)"), strict=True))
DIVIDED = "50 b)"
RED = "dh"


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
