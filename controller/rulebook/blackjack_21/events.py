"""The events of black-jack/21 alone, in the past tense. No I/O here."""

from typing import Literal

from controller.rulebook.events import PlayEvent
from controller.rulebook.units import Minor


class CardUncalled(PlayEvent, frozen=True):
    """A card left the source that no one asked for: while a seat was asked, or when the bank had enough (18, 19)."""

    draw: int
    what: Literal["unasked", "bank"]
    to: str


class UncalledSettled(PlayEvent, frozen=True):
    """An uncalled card was dealt with: a seen one is annulled, an unseen one is kept for the next request (18)."""

    draw: int
    seen: bool
    actor: str


class CardTaken(PlayEvent, frozen=True):
    """An uncalled card serves as the card that is now due (18); `unread`: its value is not known yet."""

    draw: int
    to: str
    unreadable: bool = False


class CardAnnulled(PlayEvent, frozen=True):
    """A card came that no player asked for and that the bank may not have: it does not count (18, 19)."""

    draw: int


class AnswerGiven(PlayEvent, frozen=True):
    """A player's answer. `amounts` are of insurance, in minor units; `who` are the backers that follow, in order."""

    question: Literal["decision", "give_up", "even_money", "insurance", "follow"]
    seat: int
    hand: int | None
    actor: str
    decision: str = ""
    yes: bool = False
    amounts: tuple[Minor, ...] = ()
    who: tuple[bool, ...] = ()


class BankTurned(PlayEvent, frozen=True):
    """The bank's second card was turned."""


HandsEvent = CardUncalled | UncalledSettled | CardTaken | CardAnnulled | AnswerGiven | BankTurned
