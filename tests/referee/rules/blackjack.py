"""Black-jack: what every line of a round is worth; rules 20 to 24, 33 to 36. No I/O here."""

from .blackjack_cards import Hand, total
from .blackjack_course import Course, Seat
from .blackjack_prize import ChipOf
from .lines import Message, Worth

Fate = tuple[str, str | None, int, str]
"""Outcome, odds, net and rule."""


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
