"""Which bets may be laid in the boxes before the first card. No I/O here."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller.rulebook.fortune_8.paytable import BOX, BOX_NAMES, LIMIT, SPACE, SPACES, THE_DEAL
from controller.rulebook.reading import Limits, check_name
from controller.rulebook.refusal import Refusal, quoted


class Bet(Struct, frozen=True):
    """One bet: the space (`seat`, 1 to 7), its box, who laid it (None: not named), and minor units, at least 1.

    Any number of bets may lie in one box, of different players (4.º 1).
    """

    seat: int
    box: str
    player: str | None
    amount: int


def check_bet(bet: Bet, limits: Limits | None, boxes: Sequence[str] = BOX_NAMES) -> None:
    """Raises Refusal unless the bet may lie where it does (4.º 1 and 2), inside the limits by itself (4.º 3)."""
    who = f"space {bet.seat}"
    if bet.seat not in SPACES:
        raise Refusal(who, "there is no such space; spaces are 1 to 7", SPACE)
    if bet.box not in boxes:
        raise Refusal(who, f"{quoted(bet.box)} is not a box; boxes are {', '.join(boxes)}", BOX)
    if bet.player is not None:
        check_name(bet.player, who, bet.box)
    by = "" if bet.player is None else f" by {quoted(bet.player)}"
    if bet.amount <= 0:
        raise Refusal(who, f"{bet.box}{by} must be a positive integer, not {quoted(bet.amount)}")
    if limits is None or limits.min <= bet.amount <= limits.max:
        return
    side, bound = ("below the minimum", limits.min) if bet.amount < limits.min else ("above the maximum", limits.max)
    raise Refusal(who, f"{bet.box} of {quoted(bet.amount)}{by} is {side} of {quoted(bound)}", LIMIT)


def spaces_with_bets(bets: Iterable[Bet]) -> tuple[int, ...]:
    """The spaces with a bet in any box, ascending; raises Refusal where nobody bets (4.º 6)."""
    spaces = tuple(sorted({bet.seat for bet in bets}))
    if not spaces:
        raise Refusal("boxes", "nobody bets", THE_DEAL)
    return spaces
