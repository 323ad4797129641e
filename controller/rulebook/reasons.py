"""What the shared law, and the readers of files, refuse. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class LawReason(ReasonCode):
    """Their sentences stand in `controller/words`."""

    NOT_UTF8 = auto()
    NOT_JSON_AT = auto()
    NOT_JSON = auto()
    TOO_DEEP = auto()
    REPEATED_KEY = auto()
    NO_OBJECT = auto()
    UNKNOWN_KEY = auto()
    MISSING_KEY = auto()
    NO_POSITIVE_INTEGER = auto()
    NO_INTEGER_FROM = auto()
    MOST_BELOW_LEAST = auto()
    NO_CARDS_AS_TEXT = auto()
    WRONG_NUMBER_OF_CARDS = auto()
    NO_CARD_AS_TEXT = auto()
    NOT_ONE_CARD = auto()
    NO_NAME = auto()
    NO_SUCH_CARD = auto()
    CARD_TWICE = auto()
    CARD_ELSEWHERE = auto()
    NOTHING_TO_RANK = auto()
    NO_HAND = auto()
    NOT_THREE_CARDS = auto()
    NOT_TWO_TILES = auto()
    NO_JSON_OBJECT = auto()
    GAME_MISSING = auto()
    NO_SUCH_GAME = auto()
    BETS_NOT_CLOSED = auto()
    NOTHING_DEALT = auto()
    ERROR_IS_MISDEAL = auto()
    NO_CARD_DEALT_THERE = auto()
    NO_SUCH_SEAT = auto()
    NOTHING_DECIDED = auto()
    NOBODY_BETS = auto()
    DEALT_FACE_UP = auto()
    NO_SEAT_KEY = auto()
    ONE_OF = auto()
    OUT_OF_RANGE = auto()
    MORE_THAN_DECKS = auto()
    MORE_THAN_A_DECK = auto()
    CARD_MISSING = auto()
    BELOW_MINIMUM = auto()
    ABOVE_MAXIMUM = auto()
    NO_LIST_OF = auto()
    NONE_OF = auto()
