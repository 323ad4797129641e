"""The outcomes of a person's inputs and of reads of the journal, as codes with values. No I/O here."""

import msgspec

from controller.rulebook.refusal import Value


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The input is accepted; `as_of` is the number of the last message to the floor at that moment."""

    input_id: str
    accepted: bool = True
    as_of: int


class Stale(msgspec.Struct, frozen=True, tag_field="error", tag="stale_step"):
    """The input answers a step that is over; `step_id` is the present one."""

    step_id: str


class Refused(msgspec.Struct, frozen=True, tag_field="error", tag="refused"):
    """The rules, or a policy, refuse the input, for the reason `code` with its `values`."""

    who: str
    article: str | None
    code: str
    values: dict[str, Value]


class Defect(msgspec.Struct, frozen=True, tag_field="error", tag="defect"):
    """The station failed at it."""


class AnsweredInPart(msgspec.Struct, frozen=True, tag_field="error", tag="malformed"):
    """Inputs that belong together, of which some had another outcome earlier."""


class NotDurable(msgspec.Struct, frozen=True, tag_field="error", tag="not_durable"):
    """The input was not recorded, since the journal could not be written. `reason` is the system's, in English."""

    reason: str


NotTaken = Stale | Refused | Defect
Outcome = Accepted | NotTaken
"""The outcome of one input; it is stored, and a repeat of the input gets the same."""

OutcomeOfAll = list[Accepted] | NotTaken | AnsweredInPart | NotDurable
"""The outcome of inputs that belong together: all are accepted, or none."""


class JournalUnreadable(msgspec.Struct, frozen=True, tag_field="error", tag="journal_unavailable"):
    """The journal's file cannot be read now."""

    reason: str


class JournalBroken(msgspec.Struct, frozen=True, tag_field="error", tag="journal_corrupt"):
    """The journal's file has changed since it was written."""

    reason: str


class NoSlip(msgspec.Struct, frozen=True, tag_field="error", tag="no_slip"):
    """No payment slip has this number; `last` is the number of the last one paid, 0 if none was."""

    slip: int
    last: int


class TooFarBack(msgspec.Struct, frozen=True, tag_field="error", tag="too_far_back"):
    """The search in the journal ended at a time (UTC), and the wanted round is older."""

    read_to: str


class NotUnderstood(msgspec.Struct, frozen=True, tag_field="error", tag="not_understood"):
    """The query is malformed, for the reason `code` with its `values`."""

    code: str
    values: dict[str, Value]


NotFound = JournalUnreadable | JournalBroken | NoSlip | TooFarBack | NotUnderstood
"""The reason why a question to the journal has no answer."""
