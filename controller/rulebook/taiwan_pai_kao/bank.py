"""The rules of the bank's turn around the table: who may hold it, for how long and with how much. No I/O here."""

from collections.abc import Collection

from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import CAPITAL, CAPITAL_KEPT, JOINED, PASSED_ON, TURN
from controller.rulebook.taiwan_pai_kao.places import dealing_order
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason

ROUNDS_IN_A_TURN = 2


def may_continue(rounds: int, others: Collection[int], agreed: Collection[int]) -> bool:
    """Whether the banker may hold the bank for another round after so many in this turn (5.º a).

    Two rounds at most, unless the players of all `others`, the other places with players, have agreed.

    >>> may_continue(1, others={2, 5}, agreed=()), may_continue(2, others={2, 5}, agreed={2})
    (True, False)
    """
    return rounds < ROUNDS_IN_A_TURN or set(others) <= set(agreed)


def check_continuing(place: int, rounds: int, others: Collection[int], agreed: Collection[int]) -> None:
    """Raises Refusal, naming who has not agreed, unless may_continue (5.º a)."""
    if not may_continue(rounds, others, agreed):
        against = ", ".join(str(other) for other in sorted(set(others) - set(agreed)))
        raise Refusal(f"place {place}", PaiKaoReason.NOT_ALL_AGREE, TURN, rounds=rounds, places=against)


def asked_next(
    last_banker: int | None,
    places: int,
    seated: Collection[int],
    refused: Collection[int],
    bet_before: Collection[int] | None,
) -> int | None:
    """The place that is offered the bank after place `last_banker`; None when all have been asked (5.º a, b).

    If no place has had it yet (None), place 1 is the first. Then it is the turn of the first of the `seated` to the
    right. If that player refuses, the bank passes to the right, but only to places that `bet_before`, in the round
    before. None: there was no round before, and every place is asked.

    >>> asked_next(last_banker=6, places=8, seated={2, 4, 6}, refused=(), bet_before={4})
    2
    >>> asked_next(last_banker=6, places=8, seated={2, 4, 6}, refused={2}, bet_before={4})
    4
    """
    refusals = 0
    turn = _turn(last_banker, places)
    for place in turn:
        if place in refused:
            refusals += 1
        elif place in seated and (refusals == 0 or bet_before is None or place in bet_before):
            return place
    return None


def passed_over(
    last_banker: int | None,
    places: int,
    seated: Collection[int],
    refused: Collection[int],
    bet_before: Collection[int] | None,
) -> tuple[int, ...]:
    """The places that are passed over before the next one asked, as they had no bet in the round before (5.º b)).

    The article refers to the player's bet: that may have been on another place, or with the bank.
    """
    upto = asked_next(last_banker, places, seated, refused, bet_before)
    turn = _turn(last_banker, places)
    first = min((turn.index(place) for place in refused if place in turn), default=len(turn))
    nearer = turn[first:] if upto is None else turn[first : turn.index(upto)]
    return tuple(place for place in nearer if place in seated and place not in refused)


def _turn(last_banker: int | None, places: int) -> list[int]:
    return list(dealing_order(1, places) if last_banker is None else dealing_order(last_banker, places)[1:])


def check_taking(
    place: int,
    last_banker: int | None,
    places: int,
    seated: Collection[int],
    refused: Collection[int],
    bet_before: Collection[int] | None,
) -> None:
    """Raises Refusal unless this place is the one that is asked next (5.º a, b)."""
    turn = asked_next(last_banker, places, seated, refused, bet_before)
    if place == turn:
        return
    if place in refused:
        raise Refusal(f"place {place}", PaiKaoReason.HAS_REFUSED_BANK, PASSED_ON)
    if refused and bet_before is not None and place in seated and place not in bet_before:
        raise Refusal(f"place {place}", PaiKaoReason.DID_NOT_BET, PASSED_ON)
    if turn is None:
        raise Refusal(f"place {place}", PaiKaoReason.NO_ONES_TURN, TURN)
    raise Refusal(f"place {place}", PaiKaoReason.ANOTHERS_TURN, TURN, place=turn)


def least_capital(capital: int, net: int) -> int:
    """The least that a banker who continues has on the table, minor units (5.º d).

    After a round that he won, it is his capital and all that he won; after any other he chooses, at least 1.

    >>> least_capital(100_000, 25_000), least_capital(100_000, -25_000)
    (125000, 1)
    """
    return capital + net if net > 0 else 1


def check_capital(place: int, capital: int, least: int = 1) -> None:
    """Raises Refusal unless there is a capital (5.º c) and it was not reduced below `least` (5.º d)."""
    if capital <= 0:
        raise Refusal(f"place {place}", PaiKaoReason.NO_CAPITAL, CAPITAL, value=quoted(capital))
    if capital < least:
        raise Refusal(f"place {place}", PaiKaoReason.CAPITAL_REDUCED, CAPITAL_KEPT, capital=capital, least=least)


def check_casino_share(share: int) -> None:
    """Raises Refusal for a casino's share in the bank that is no valid amount; 0 is no share (5.º e)."""
    if share < 0:
        raise Refusal("casino", PaiKaoReason.NO_SHARE, JOINED, value=quoted(share))
