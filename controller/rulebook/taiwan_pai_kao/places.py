"""The places around the table: how many, whose turn is first, and in what order the rest follow. No I/O here.

Places are numbered counter-clockwise, so that the next number sits at the right (2.º b, c).
"""

from collections.abc import Sequence

from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import DICE, PLACES
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason

NUMBERS_OF_PLACES = (8, 4)  # 2.º d), 3.º a), in their order
NUMBER_OF_DICE = 4


def check_places(places: object) -> int:
    """The number of places; raises Refusal unless it is 8 or 4 (3.º a)."""
    if type(places) is not int or places not in NUMBERS_OF_PLACES:
        raise Refusal("places", PaiKaoReason.NOT_8_OR_4, PLACES, value=quoted(places))
    return places


def check_place(who: str, place: object, places: int) -> int:
    """A place's number; raises Refusal, blaming `who`, unless the table has it (3.º a)."""
    if type(place) is not int or not 1 <= place <= places:
        raise Refusal(who, PaiKaoReason.NO_PLACE, PLACES, places=places, value=quoted(place))
    return place


def check_dice(dice: Sequence[object]) -> tuple[int, ...]:
    """The numbers of the four dice, each 1 to 6; raises Refusal for any others (1.º b).

    >>> check_dice([1, 6, 3, 7])
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('dice', 'dice_show', {}, '1.º b)')
    """
    if len(dice) != NUMBER_OF_DICE:
        raise Refusal("dice", PaiKaoReason.NOT_SO_MANY_DICE, DICE, dice=NUMBER_OF_DICE, found=len(dice))
    thrown = tuple(die for die in dice if type(die) is int and 1 <= die <= 6)
    if len(thrown) != NUMBER_OF_DICE:
        raise Refusal("dice", PaiKaoReason.DICE_SHOW, DICE)
    return thrown


def right_of(place: int, places: int) -> int:
    """The place at the right, one further counter-clockwise.

    >>> right_of(3, 8), right_of(8, 8)
    (4, 1)
    """
    return place % places + 1


def first_place(dice: Sequence[int], banker: int, places: int, beside_banker: bool = False) -> int:
    """The place that the dice name: their sum counted to the right from the banker, who is one (2.º b).

    If they name the banker's own place, by the other reading (`beside_banker`) the place to his right is the first.

    >>> first_place([1, 1, 2, 1], banker=2, places=8)
    6
    >>> first_place([1, 1, 2, 5], banker=2, places=8), first_place([1, 1, 2, 5], 2, 8, beside_banker=True)
    (2, 3)
    """
    named = (banker + sum(dice) - 2) % places + 1
    return right_of(named, places) if beside_banker and named == banker else named


def dealing_order(first: int, places: int) -> tuple[int, ...]:
    """The places as they receive four tiles each, counter-clockwise from the first one (2.º b, c).

    >>> dealing_order(6, 8)
    (6, 7, 8, 1, 2, 3, 4, 5)
    """
    return tuple((first - 1 + step) % places + 1 for step in range(places))


def settling_order(first: int, banker: int, places: int) -> tuple[int, ...]:
    """The places as their wagers are settled: as they are dealt, without the banker.

    A first place that is the banker's own gives way to the one at its right (2.º b).

    >>> settling_order(6, banker=2, places=8)
    (6, 7, 8, 1, 3, 4, 5)
    """
    return tuple(place for place in dealing_order(first, places) if place != banker)
