"""The refusals of Taiwan-Pai Kao. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class PaiKaoReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    BANKERS_WAGER = auto()
    NO_LIST = auto()
    NO_PLACE_KEY = auto()
    TILES_MISSING = auto()
    NO_TILES_AS_TEXT = auto()
    WRONG_NUMBER_OF_TILES = auto()
    NOT_ITS_TILES = auto()
    NOT_ALL_AGREE = auto()
    HAS_REFUSED_BANK = auto()
    DID_NOT_BET = auto()
    NO_ONES_TURN = auto()
    ANOTHERS_TURN = auto()
    HOLDER_IS_FIRST = auto()
    NO_CAPITAL = auto()
    CAPITAL_REDUCED = auto()
    NO_SHARE = auto()
    AT_MOST = auto()
    NO_ONE_ASKED = auto()
    ANOTHER_ASKED = auto()
    NO_SUCH_PLACE = auto()
    WAGER_NOT_POSITIVE = auto()
    ON_ANOTHER_PLACE = auto()
    HAS_JOINED = auto()
    NO_SUCH_WAGER = auto()
    NAME_THE_PLAYER = auto()
    OUTSIDE_TABLE_LIMITS = auto()
    NO_ONE_AGAINST_BANK = auto()
    AT_BANKERS_PLACE = auto()
    NO_TILE_FACE_DOWN = auto()
    HOW_MANY_SEEN = auto()
    TILES_SHOWN = auto()
    NO_TILE_DEALT = auto()
    PLACE_OR_ORDER = auto()
    NO_TILE_DEALT_THERE = auto()
    NOT_8_OR_4 = auto()
    NO_PLACE = auto()
    NOT_SO_MANY_DICE = auto()
    DICE_SHOW = auto()
    NO_SUCH_TILE = auto()
    SECOND_OF_ONE = auto()
    THIRD_OF_TWO = auto()
