"""The reasons for which certify refuses its input. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class CertifyReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    CHANGES_NOTHING = auto()
    NOT_TOML = auto()
    GAME_NOT_NAMED = auto()
    NO_PAYTABLE = auto()
    NO_JACKPOT = auto()
    PAYS_NOTHING_OF = auto()
    PAYS_NOTHING = auto()
    ODDS_TOO_HIGH = auto()
    NAME_TAKEN = auto()
    NO_TABLES = auto()
    NO_TABLE = auto()
    DECKS_OUT_OF_RANGE = auto()
    NO_BET_NAME = auto()
    CARDS_ALONE = auto()
    CARDS_NOT_TEXT = auto()
    NO_SET_OF_CARDS = auto()
    SOME_OF = auto()
    ABOVE_THE_WHOLE = auto()
    LOW_CEILING = auto()
    NO_OVERFLOW = auto()
    ONE_DECK = auto()
    NO_WHOLE_NUMBER = auto()
    NO_CURRENCY = auto()
    TOO_FEW_ROUNDS = auto()
    IN_FILE = auto()
    UNREADABLE = auto()
    UNWRITABLE = auto()
    NO_SUCH_FOLDER = auto()
    NO_POT_PLAYED = auto()
    NO_MAIN_GAME = auto()
    NOT_AMONG_GAMES = auto()
    NO_SUCH_RULE = auto()
    COMPARES_ALONE = auto()
    VOIDS_ALONE = auto()
