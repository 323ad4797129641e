"""The bench's knowledge of its table, and the choices that a table leaves. No I/O here."""

from dataclasses import dataclass

SHUFFLER, SHOE, HAND = "shuffler", "shoe", "hand"  # by hand are tiles that no reader reads
MIXED = "mixed"
PLACES = (MIXED, "8", "4")  # to how many places tiles are dealt at a table of eight
MARKINGS = ("automatic", "manual")  # how the accumulated prize of black-jack/21 is marked (41)
EVERY_SPACE = "every_space"
DEALS = (EVERY_SPACE, "spaces_with_bets")  # of Fortune 8


@dataclass(frozen=True, slots=True)
class SlotsSetting:
    """The connections of the slots' board, by line."""

    input_of_seat: dict[int, int]
    lamp_of_seat: dict[int, int]
    button_input: int
    lock_lamp: int


@dataclass(frozen=True, slots=True)
class Setting:
    """The bench's view of the table's configuration; money in minor units; None for what the table does not have.

    `makes` are the devices that it has, by their kind. `exponent` is how many decimals an amount is written with.

    `name` is SITE/TABLE. `deal` is the deal of Fortune 8 that applies if a card comes before one was announced; `added`
    are its bets in addition to the game's three; `panel` is a port. `rules` are the keys of [rules] that are true.
    """

    game: str
    seats: int
    decks: int
    deal: str
    card_source: str
    makes: dict[str, str]
    minimum: int
    maximum: int
    additional: list[str]
    chip: int
    increment_bp: int
    people: dict[str, str]
    exponent: int
    pins: bool
    broker: str
    host: str
    port: int
    slots: SlotsSetting | None
    sign_address: str
    panel: int | None = None
    rules: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    name: str = ""
