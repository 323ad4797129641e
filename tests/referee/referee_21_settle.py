"""Black-jack: what every line of a round is worth; rules 20 to 24, 33 to 36. No I/O here."""

from referee_21_cards import Hand, total
from referee_21_course import Course, Seat
from referee_21_prize import RULES, ChipOf
from referee_message import Message, Worth

OPEN = ("~",)  # any citation is as good: it only has to be there


def _hand(
    hand: Hand, stake: int, bank: list[str], bank_black_jack: bool
) -> tuple[str, str | None, int, tuple[str, ...]]:
    """Outcome, odds, net and rules of one hand; `bank` may lack what was never turned."""
    win, lose = ("win", "1:1", stake), ("lose", None, -stake)
    if hand.ended == "given_up":
        return "lose", None, -(stake // 2), ("36",)
    if hand.ended == "even_money":
        return *win, ("34",)
    if hand.black_jack:
        if bank_black_jack and hand.ended is None:
            return "push", None, 0, ("21",)
        return "win", "3:2", stake * 3 // 2, ("21", "20") if total(bank) == 21 else ("21",)
    if hand.total > 21:
        return *lose, ("22",)
    if bank_black_jack:
        return *lose, ("20",) if hand.total == 21 else ("20", "23")
    if total(bank) > 21 or hand.total > total(bank):
        return *win, ("23",)
    if hand.total < total(bank):
        return *lose, ("23",)
    return "push", None, 0, ("24",)


def lines(course: Course, seat: Seat, player: str | None) -> list[Worth]:
    """The lines of him who decides (`player` None) or of a complementary bet, in their order."""
    bet = seat.place.bet if player is None else seat.place.backers[player]
    insured = seat.insured if player is None else seat.backers_insured.get(player, 0)
    worths = []
    for number, hand in enumerate(seat.hands, start=1):
        if player is None or player in hand.on:
            stake = hand.bet * (2 if hand.doubled else 1) if player is None else hand.on[player]
            how = _hand(hand, stake, course.bank, course.black_jack)
            worths.append(Worth("hand", player, stake, *how, hand=number))
    if insured:
        won = course.black_jack
        odds, net = ("2:1", 2 * insured) if won else (None, -insured)
        worths.append(Worth("insurance", player, insured, "win" if won else "lose", odds, net, ("33",)))
    for number, hand in enumerate(seat.hands, start=1):
        if hand.special and (player is None or player in hand.on):
            worths.append(Worth("special_prize", player, bet, "win", "3:1", 3 * bet, ("35",), hand=number))
    return worths


def settle(course: Course, chips: set[ChipOf], chip: int, awards: list[Message]) -> dict[int, list[Worth]]:
    """Every line by seat: the seat's own with its chip (43, 46), then its backers', each with his (47)."""
    won = {(award["seat"], award.get("player")): award for award in awards}
    worth: dict[int, list[Worth]] = {}
    for at, seat in course.seats.items():
        worth[at] = []
        for player in (None, *seat.place.backers):
            worth[at] += lines(course, seat, player)
            if (at, player) in won:
                award = won[at, player]
                net, tier = award["amount"] - chip, award["tier"]
                worth[at].append(Worth("jackpot", player, chip, "win", None, net, (RULES[tier],)))
            elif (at, player) in chips:
                worth[at].append(Worth("jackpot", player, chip, "lose", None, -chip, OPEN))
    return worth


def void(course: Course, chips: set[ChipOf], chip: int, article: str, awards: list[Message]) -> dict[int, list[Worth]]:
    """What is won and lost without the bank's second card stands (21, 22, 34 to 36, 43); every other bet goes back.

    Before the deal is over nothing stands (18).
    """
    worth = settle(course, chips, chip, awards)
    for at, seat in course.seats.items():
        for one in worth[at]:
            hand = seat.hands[one.hand - 1] if one.wager == "hand" and one.hand else None
            at_once = one.wager in ("special_prize", "jackpot") or (hand is not None and not hand.waits)
            if not (course.deal_ended_at and at_once):
                one.outcome, one.odds, one.net, one.rules = "void", None, 0, (article,)
                one.more = {"chip_carried": False} if one.wager == "jackpot" else {}
    return worth
