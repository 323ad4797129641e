"""What persons answer at a table of Taiwan-Pai Kao alone. No I/O here."""

from controller.engine.state.persons import PersonInput


class TakeBank(PersonInput, frozen=True, tag="take_bank"):
    """A place takes the bank (Taiwan-Pai Kao, 5.º); minor units. `agreed` are the places that agree to a third."""

    place: int
    capital: int
    casino: int = 0
    agreed: tuple[int, ...] = ()


class PassBank(PersonInput, frozen=True, tag="pass_bank"):
    """The place that is asked does not take the bank (Taiwan-Pai Kao, 5.º b)); nobody sits there if `absent`."""

    place: int
    absent: bool = False


class AnnounceForm(PersonInput, frozen=True, tag="announce_form"):
    """The banker has announced how the tiles are distributed (Taiwan-Pai Kao, 5.º c)); his words, if written down."""

    by: int
    form: str = ""


class Dice(PersonInput, frozen=True, tag="dice"):
    """The four dice, as the banker's place shook them (Taiwan-Pai Kao, 2.º b))."""

    by: int
    dice: tuple[int, ...]


class DiceNull(PersonInput, frozen=True, tag="dice_null"):
    """A die lies cocked or jumped out: they are shaken again (Taiwan-Pai Kao, 2.º e))."""

    by: int


class TilesDealt(PersonInput, frozen=True, tag="tiles_dealt"):
    """All tiles that are still due lie at their places, and the station heard of none of them."""


class Arranged(PersonInput, frozen=True, tag="arranged"):
    """Every place has laid its two pairs (Taiwan-Pai Kao, 6.º a))."""


class TilesMoved(PersonInput, frozen=True, tag="tiles_moved"):
    """A player (``seat 5``) or the ``bank`` has changed the order of the tiles. Answers ``<round>/report``.

    Taiwan-Pai Kao, 2.º f).
    """

    by: str
