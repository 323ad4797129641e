"""The refusals of black-jack/21. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class BlackjackReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    SHOE_NOT_TEXT = auto()
    PRIZE_MISSING = auto()
    EVEN_MONEY_NOT_BOOLEAN = auto()
    FOLLOWS_NOT_BOOLEAN = auto()
    NO_SUCH_DECISION = auto()
    KEY_NOT_LIST = auto()
    ODD_MINIMUM = auto()
    SEATS_ARE_SEVEN = auto()
    CHIP_WITHOUT_BET = auto()
    BACKERS_WITHOUT_BET = auto()
    BET_ABOVE_MAXIMUM = auto()
    TWO_BETS = auto()
    BETS_ABOVE_MAXIMUM = auto()
    BET_NO_MULTIPLE = auto()
    BACKING_NO_MULTIPLE = auto()
    UNEQUAL_CHIPS = auto()
    LOW_START = auto()
    NO_ANSWER = auto()
    NO_NUMBERS = auto()
    NO_FOLLOWERS = auto()
    NOT_ANSWERED = auto()
    SEAT_GAVE_UP = auto()
    BLACK_JACK_NOT_ASKED = auto()
    HAND_LOST = auto()
    DOUBLED_HAND = auto()
    AT_21 = auto()
    HAND_STOOD = auto()
    SPLIT_ACE = auto()
    MUST_DRAW = auto()
    SPLIT_ACE_NOT_DOUBLED = auto()
    DOUBLES_FIRST_TWO = auto()
    NOT_DOUBLED_ON = auto()
    SPLITS_FIRST_TWO = auto()
    UNEQUAL_VALUES = auto()
    NOT_AGAINST_ACE = auto()
    ONLY_BEFORE_PLAY = auto()
    ROUND_NOT_OVER = auto()
    CHIPS_IN_SLOT = auto()
    CHIP_IS = auto()
    NO_CHIP_ANY_MORE = auto()
    NO_SUCH_BET = auto()
    SAY_WHOSE = auto()
    ANOTHERS_BET = auto()
    NO_BET_THERE = auto()
    TURN_TO_CUT = auto()
    SOMEONE_SITS_THERE = auto()
    VACANT_BETS_THERE = auto()
    BET_THERE_ALREADY = auto()
    CARD_NOT_DUE = auto()
    ANSWER_NOT_DUE = auto()
    NO_BET_ANY_MORE = auto()
    NOTHING_MORE = auto()
    NO_PRIZE_CHIP_ANY_MORE = auto()
    OPEN_CARD_UNKNOWN = auto()
    NO_CARD_DUE = auto()
    NOT_ASKED_NOW = auto()
    SECOND_CARD_UNKNOWN = auto()
    SECOND_CARD_WAS = auto()
    HAND_MAY_NOT = auto()
    BACKERS_ASKED = auto()
    AMOUNTS_ASKED = auto()
    INSURANCE_TOO_HIGH = auto()
    BACKERS_INSURANCE_TOO_HIGH = auto()
    NO_DECISION_FOR_HAND = auto()
    FOLLOWS_MISSING = auto()
    INSURANCE_WITHOUT_ACE = auto()
    EVEN_MONEY_WITHOUT_ACE = auto()
    EVEN_MONEY_WITHOUT_BLACK_JACK = auto()
    EVEN_MONEY_AND_INSURANCE = auto()
    DECISION_LEFT_OVER = auto()
    FOLLOWS_LEFT_OVER = auto()
    DECISION_WITHOUT_BET = auto()
    INSURANCE_WITHOUT_BET = auto()
    EVEN_MONEY_WITHOUT_BET = auto()
    SHOE_ENDS = auto()
    SHOE_ENDS_AT_HAND = auto()
    LEFT_OVER_BANK_STANDS = auto()
    LEFT_OVER_NO_THIRD = auto()
    BACKERS_CHIP_WITHOUT_BET = auto()
    NO_BET_FOR_CHIP = auto()
    HIS_CHIP_THERE = auto()
    HIS_CHIP_COUNTS = auto()
    BACKERS_INSURE_WITH_SEAT = auto()


NOT_DUE = frozenset(
    {
        BlackjackReason.CARD_NOT_DUE,
        BlackjackReason.ANSWER_NOT_DUE,
        BlackjackReason.NO_CARD_DUE,
        BlackjackReason.NOT_ASKED_NOW,
    }
)
"""Something came that is not due; after a correction this may happen."""
