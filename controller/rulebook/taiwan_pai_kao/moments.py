"""The moments from which changes are informed at Taiwan-Pai Kao. No I/O here."""

from controller.rulebook.corrected import Corrected
from controller.rulebook.moments import KEYED, Moment, Moments, any_turned
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.articles import BEFORE_THE_DICE, MISDEAL
from controller.rulebook.taiwan_pai_kao.state import tiles_of


def set_or_turned(round: Round, corrected: Corrected | None) -> bool:
    """Whether the players have placed their pairs, or tiles were turned."""
    return tiles_of(round).hands_set or any_turned(round, corrected)


MOMENTS = Moments(
    bet=Moment("the first tile is turned", BEFORE_THE_DICE, any_turned),
    cards=KEYED,
    void=Moment("the pairs are set, or the first tile is turned", MISDEAL, set_or_turned),
)
