"""The events of Taiwan-Pai Kao alone, in the past tense. No I/O here."""

from controller.rulebook.events import PlayEvent
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.units import Minor


class BankTaken(PlayEvent, frozen=True):
    """A place holds the bank in this round (5.º a), b)), with its capital and the casino's share; minor units.

    `agreed` are the places that agreed to more than two rounds in one turn. `bet_elsewhere`: by the dealer's word the
    player bet in the round before, though not on this place.
    """

    seat: int
    capital: Minor
    casino_share: Minor
    agreed: tuple[int, ...]
    bet_elsewhere: bool
    actor: str


class BankPassed(PlayEvent, frozen=True):
    """The place that was asked does not hold the bank (5.º b)): it refuses, or no one sits there if `absent`.

    For the place that had the bank in the round before, this ends its turn.
    """

    seat: int
    absent: bool
    actor: str


class FormAnnounced(PlayEvent, frozen=True):
    """The banker at `seat` has announced how the tiles are distributed (5.º c)); `form` is empty if not written."""

    form: str
    seat: int
    actor: str


class TilesMoved(PlayEvent, frozen=True):
    """A player (``seat 5``) or the banker (``bank``) has changed the order of the tiles (2.º f))."""

    by: str
    actor: str


class DiceThrown(PlayEvent, frozen=True):
    """The place `seat` has shaken the four dice (2.º b))."""

    dice: tuple[int, ...]
    seat: int
    actor: str


class DiceAnnulled(PlayEvent, frozen=True):
    """A die was cocked or jumped out: the place `seat` shakes them again (2.º e))."""

    seat: int
    actor: str


class HandsSet(PlayEvent, frozen=True):
    """Every place has placed its two pairs on the table (6.º a))."""

    actor: str


class PlacesSettled(PlayEvent, frozen=True):
    """Every wager of the round is settled, and so is the share of everyone who backs the bank."""

    settlement: PaiKaoSettlement


PlacesEvent = BankTaken | BankPassed | FormAnnounced | TilesMoved | DiceThrown | DiceAnnulled | HandsSet | PlacesSettled
