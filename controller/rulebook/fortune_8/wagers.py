"""Which bets may be laid in the boxes before the first card. No I/O here."""

from collections.abc import Mapping

from controller.rulebook.fortune_8.paytable import LIMIT, THE_DEAL, BoxName
from controller.rulebook.refusal import Refusal, quoted

# The bets of one space: minor units by box, a box without a bet left out or 0.
Bets = Mapping[BoxName, int]


def refuse_bet(space: int, box: BoxName, amount: int, limits: tuple[int, int] | None) -> None:
    """Raises Refusal for a bet outside the limits of the table, both included (4.º 3); 0 is no bet."""
    if limits is None or amount == 0 or limits[0] <= amount <= limits[1]:
        return
    side, bound = ("below the minimum", limits[0]) if amount < limits[0] else ("above the maximum", limits[1])
    raise Refusal(f"space {space}", f"{box} of {quoted(amount)} is {side} of {quoted(bound)}", LIMIT)


def spaces_with_bets(boxes: Mapping[int, Bets]) -> tuple[int, ...]:
    """The spaces with a bet in any box, ascending; raises Refusal where nobody bets (4.º 6)."""
    spaces = tuple(space for space in sorted(boxes) if any(boxes[space].values()))
    if not spaces:
        raise Refusal("boxes", "nobody bets", THE_DEAL)
    return spaces
