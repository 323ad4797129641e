"""The bets that may be placed in the boxes before the first card. No I/O here."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller.rulebook.fortune_8.paytable import BOX, BOX_NAMES, LIMIT, SPACE, SPACES, THE_DEAL
from controller.rulebook.fortune_8.reasons import Fortune8Reason
from controller.rulebook.reading import Limits, check_name
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted


class Bet(Struct, frozen=True):
    """One bet: the space (`seat`, 1 to 7), its box, who placed it (None: not named), and minor units, at least 1.

    Any number of bets may be in one box, of different players (4.º 1).
    """

    seat: int
    box: str
    player: str | None
    amount: int


def check_bet(bet: Bet, limits: Limits | None, boxes: Sequence[str] = BOX_NAMES) -> None:
    """Raises Refusal unless the bet is allowed where it is (4.º 1 and 2), inside the limits by itself (4.º 3).

    >>> check_bet(Bet(8, "low", None, 1000), None)
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('space 8', 'spaces_are_seven', {}, '4.º 1')
    """
    who = f"space {bet.seat}"
    if bet.seat not in SPACES:
        raise Refusal(who, Fortune8Reason.SPACES_ARE_SEVEN, SPACE)
    if bet.box not in boxes:
        raise Refusal(who, Fortune8Reason.NO_SUCH_BOX, BOX, box=quoted(bet.box), boxes=", ".join(boxes))
    if bet.player is not None:
        check_name(bet.player, who, bet.box)
    if bet.amount <= 0 and bet.player is None:
        raise Refusal(who, LawReason.NO_POSITIVE_INTEGER, what=bet.box, value=quoted(bet.amount))
    if bet.amount <= 0:
        player = quoted(bet.player)
        raise Refusal(who, Fortune8Reason.BET_NOT_POSITIVE, box=bet.box, player=player, value=quoted(bet.amount))
    if limits is None or limits.min <= bet.amount <= limits.max:
        return
    below = bet.amount < limits.min
    limit = limits.min if below else limits.max
    if bet.player is None:
        code = LawReason.BELOW_MINIMUM if below else LawReason.ABOVE_MAXIMUM
        raise Refusal(who, code, LIMIT, wager=bet.box, amount=bet.amount, limit=limit)
    his = Fortune8Reason.BET_BELOW_MINIMUM if below else Fortune8Reason.BET_OVER_MAXIMUM
    raise Refusal(who, his, LIMIT, box=bet.box, amount=bet.amount, player=quoted(bet.player), limit=limit)


def spaces_with_bets(bets: Iterable[Bet]) -> tuple[int, ...]:
    """The spaces with a bet in any box, ascending. Raises Refusal if no one bets (4.º 6).

    >>> spaces_with_bets([Bet(6, "low", None, 1000), Bet(2, "high", None, 1000), Bet(2, "eight", None, 500)])
    (2, 6)
    """
    spaces = tuple(sorted({bet.seat for bet in bets}))
    if not spaces:
        raise Refusal("boxes", LawReason.NO_ONE_BETS, THE_DEAL)
    return spaces
