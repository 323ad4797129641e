"""The reasons why a search for rounds cannot be understood. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class QueryReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    QUERY_TERM = auto()
    QUERY_KEY = auto()
    QUERY_VALUE_MISSING = auto()
    QUERY_WORD_ALONE = auto()
    QUERY_EQUAL_ONLY = auto()
    QUERY_NUMBER = auto()
    QUERY_DAY = auto()
    QUERY_AMOUNT = auto()
    QUERY_NEGATIVE = auto()
    QUERY_ARTICLE = auto()
    QUERY_NOT = auto()
    QUERY_TOO_LONG = auto()
