"""What becomes of a person's inputs and of a question to the journal: as JSON, what is kept and told. No I/O here."""

import msgspec

from controller.rulebook.refusal import Value


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The input is taken; `as_of` is the last message to the floor by then."""

    input_id: str
    accepted: bool = True
    as_of: int


class Stale(msgspec.Struct, frozen=True, tag_field="error", tag="stale_step"):
    """It answers a step that is over; `step_id` is the one that is not."""

    step_id: str


class Refused(msgspec.Struct, frozen=True, tag_field="error", tag="refused"):
    """The rules, or a policy, do not take it: `reason` is `code` with its `values`, in English."""

    who: str
    reason: str
    article: str | None
    code: str
    values: dict[str, Value]


class Defect(msgspec.Struct, frozen=True, tag_field="error", tag="defect"):
    """The station failed at it."""

    reason: str = "the station could not decide this; see its log"


class AnsweredInPart(msgspec.Struct, frozen=True, tag_field="error", tag="malformed"):
    """Inputs that belong together, some of which had another outcome before."""

    key: str = "input_id"
    expected: str = "another input_id for each input; some of these were answered before"


class NotDurable(msgspec.Struct, frozen=True, tag_field="error", tag="not_durable"):
    """Nothing is known of it: it could not be written down."""

    reason: str
    expected: str = "the same input again, a little later"


NotTaken = Stale | Refused | Defect
Outcome = Accepted | NotTaken
"""Of one input; it is kept, and a repeat of the input has it again."""

OutcomeOfAll = list[Accepted] | NotTaken | AnsweredInPart | NotDurable
"""Of inputs that belong together: all are taken, or none."""


class JournalUnreadable(msgspec.Struct, frozen=True, tag_field="error", tag="journal_unavailable"):
    """The journal's file cannot be read now."""

    reason: str


class JournalBroken(msgspec.Struct, frozen=True, tag_field="error", tag="journal_corrupt"):
    """The journal's file is not as it was written."""

    reason: str


class NoSlip(msgspec.Struct, frozen=True, tag_field="error", tag="no_slip"):
    """No payment slip has this number."""

    slip: int
    expected: str


class TooFarBack(msgspec.Struct, frozen=True, tag_field="error", tag="too_far_back"):
    """The journal is read back to a time (UTC), and what was asked for lies before; `reason` in English."""

    read_to: str
    reason: str = "figures are of the last 500,000 events at most: ask for a time that begins later"


class NotUnderstood(msgspec.Struct, frozen=True, tag_field="error", tag="not_understood"):
    """What was searched for is no search: `reason` in English, and its code."""

    reason: str
    code: str
    values: dict[str, Value]


NotFound = JournalUnreadable | JournalBroken | NoSlip | TooFarBack | NotUnderstood
"""Why a question to the journal has no answer."""
