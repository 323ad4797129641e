"""The reasons for which a request of the floor is refused. No I/O here."""

from enum import auto

from controller.rulebook.refusal import ReasonCode


class RequestReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    REQUEST_TOO_LONG = auto()
    REQUEST_MALFORMED = auto()
    REQUEST_UNKNOWN = auto()
    ANOTHER_JOURNAL = auto()
    NO_SUCH_MESSAGES = auto()
    KEPT_NO_LONGER = auto()
    NO_SUCH_ARCHIVE = auto()
    TOO_MANY_REQUESTS = auto()
    MESSAGES_UNREADABLE = auto()


STATUS = {
    RequestReason.REQUEST_TOO_LONG: 413,
    RequestReason.REQUEST_MALFORMED: 400,
    RequestReason.REQUEST_UNKNOWN: 404,
    RequestReason.ANOTHER_JOURNAL: 409,
    RequestReason.NO_SUCH_MESSAGES: 416,
    RequestReason.KEPT_NO_LONGER: 410,
    RequestReason.NO_SUCH_ARCHIVE: 403,
    RequestReason.TOO_MANY_REQUESTS: 429,
    RequestReason.MESSAGES_UNREADABLE: 503,
}
"""The HTTP status of each problem, which RFC 9457 uses too."""
