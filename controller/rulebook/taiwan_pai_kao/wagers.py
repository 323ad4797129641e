"""The wagers that may be placed on a place before the dice are shaken. No I/O here."""

from collections.abc import Iterable

from msgspec import Struct

from controller.rulebook.reading import check_name
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import JOINED, PLACES
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason


class Wager(Struct, frozen=True):
    """One wager: the place it is on (3.º b), who placed it, and minor units, at least 1.

    Any number may be on one place, of one player or of several. One on the banker's place joins the bank (5.º e).
    """

    place: int
    player: str
    amount: int


def check_wager(wager: Wager, places: int, banker: int, wagers: Iterable[Wager] = ()) -> None:
    """Raises Refusal unless the wager is allowed there beside those already placed (3.º a, 5.º e).

    A player either joins the bank or wagers on other places, never both in one round.

    >>> check_wager(Wager(3, "ana", 500), 8, banker=2, wagers=[Wager(2, "ana", 1000)])
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('place 3', 'has_joined', {'player': '"ana"'}, '5.º e)')
    """
    who = f"place {wager.place}"
    if not 1 <= wager.place <= places:
        raise Refusal(who, PaiKaoReason.NO_SUCH_PLACE, PLACES, places=places)
    check_name(wager.player, who, "wager")
    if wager.amount <= 0:
        raise Refusal(who, PaiKaoReason.WAGER_NOT_POSITIVE, player=quoted(wager.player), value=quoted(wager.amount))
    joins = wager.place == banker
    if any(other.player == wager.player and (other.place == banker) != joins for other in wagers):
        code = PaiKaoReason.ON_ANOTHER_PLACE if joins else PaiKaoReason.HAS_JOINED
        raise Refusal(who, code, JOINED, player=quoted(wager.player))


def placed_again(wagers: tuple[Wager, ...], place: int, player: str, amount: int, *, raised: bool) -> tuple[Wager, ...]:
    """The wagers in the order placed, once a player has this amount on a place.

    A bet that is `raised` is a later bet for the part that is new (5.º e)); if no one has bet on the place since, it is
    added to his last bet. A correction changes his last bet and keeps its position. A bet that is taken back is the
    last one.

    >>> placed = Wager(3, "ana", 500), Wager(3, "rui", 500)
    >>> [wager.amount for wager in placed_again(placed, 3, "ana", 800, raised=True)]
    [500, 500, 300]
    >>> [wager.amount for wager in placed_again(placed, 3, "ana", 800, raised=False)]
    [800, 500]
    """
    here = [at for at, wager in enumerate(wagers) if wager.place == place]
    own = [at for at in here if wagers[at].player == player]
    more = amount - sum(wagers[at].amount for at in own)
    parts = list(wagers)
    if more > 0 and own and (not raised or own[-1] == here[-1]):
        parts[own[-1]] = Wager(place, player, parts[own[-1]].amount + more)
    elif more > 0:
        parts.append(Wager(place, player, more))
    for at in reversed(own):
        kept = max(0, parts[at].amount + min(more, 0))
        more += parts[at].amount - kept
        parts[at] = Wager(place, player, kept)
        if more >= 0:
            break
    return tuple(part for part in parts if part.amount)


def holder_of(place: int, wagers: Iterable[Wager]) -> str | None:
    """The player who may hold the tiles of a place: the one with the largest bet on it, of equal bets the first (3.º
    b); None if no one has bet.

    >>> holder_of(3, [Wager(3, "rui", 500), Wager(3, "ana", 300), Wager(3, "ana", 300)])
    'ana'
    """
    totals: dict[str, int] = {}
    for wager in wagers:
        if wager.place == place:
            totals[wager.player] = totals.get(wager.player, 0) + wager.amount
    return max(totals, key=totals.__getitem__, default=None)
