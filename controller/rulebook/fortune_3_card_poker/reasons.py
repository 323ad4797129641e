"""The refusals of Fortune 3 Card Poker, and the reasons of its void rounds. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class ThreeCardReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    NOT_A_BET_OF = auto()
    UNEQUAL_JACKPOT_CHIPS = auto()
    MISSING_BESIDE_JACKPOT = auto()
    COMMUNITY_WITHOUT_JACKPOT = auto()
    CARDS_MISSING = auto()
    NOT_OFFERED = auto()
    OUTSIDE_LIMITS = auto()
    NO_BASIC_BET = auto()
    NOT_A_WAGER_OF = auto()
    NO_PART = auto()
    WITHOUT_BASIC_BET = auto()
    OBLIGED_TO_PLAY = auto()
    ANTE_WANTS_DECISION = auto()
    DECISION_WITHOUT_ANTE = auto()
    PLAY_OR_FOLD = auto()
    BANK_CARD_SEEN = auto()
    PLAYERS_CARDS_SEEN = auto()
    SAY_WHICH = auto()
    NO_DEAL_NOW = auto()
    COUNT_FIRST = auto()
    NOT_SO_MANY_SEEN = auto()
    TOGETHER_ONLY = auto()
    SEPARATELY_ONLY = auto()
