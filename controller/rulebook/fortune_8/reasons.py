"""The refusals of Fortune 8. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class Fortune8Reason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    SPACES_ARE_SEVEN = auto()
    NO_SUCH_BOX = auto()
    BET_NOT_POSITIVE = auto()
    BET_BELOW_MINIMUM = auto()
    BET_OVER_MAXIMUM = auto()
    NO_ONE_HAS_BET = auto()
    CARD_MISSING_IN_DEAL = auto()
    CARD_WITHOUT_BET = auto()
    NO_SPACE_KEY = auto()
    EMPTY_BOX = auto()
