"""The register: everything that went wrong at a table or was corrected, for the inspection. All calls block."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, get_args

import msgspec

from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import AlarmAcknowledged, AlarmRaised
from controller.engine.state.applied import Event
from controller.engine.state.events import (
    ComplaintDecided,
    ComplaintOpened,
    DeviceReported,
    KeyReleased,
    RoundAdjusted,
    ShufflerCleared,
)
from controller.engine.state.jackpot import CardsWitnessed
from controller.engine.state.persons import ChangeEntered, ChangeRejected, ChangesApproved
from controller.floor.messages import Identity
from controller.journal.creation import AN_EVENT, ROUND_BEGUN, starts_with, tag_of
from controller.journal.past import FoundEvent, Past
from controller.journal.reading import reading
from controller.queries.register_words import KINDS, entry_words
from controller.rulebook.events import NetChange, RoundBegun, RoundVoided
from controller.rulebook.games import RoundEvent
from controller.words import ENGLISH, SPOKEN, Words, reason_words

SHORT = 7  # bytes of a tag
SHOWN, KEYED_IN = "cards_shown", b'"keyed_in":true'
OF_A_ROUND = (*get_args(RoundEvent), ChangeEntered, ChangesApproved, ChangeRejected)
NO_ENTRY_OF_ITS_OWN = {"round_adjusted_late", "damaged_card", "change_dropped", "shuffler_cleared_by_technician"}
READ = {*KINDS, "alarm_raised", "device_reported", "round_begun"} - NO_ENTRY_OF_ITS_OWN
WHO = ("actor", "second")


class RegisterEntry(msgspec.Struct, frozen=True):
    """One entry. `event` is its number in the journal, `time` UTC; `round` null where it belongs to none.

    `who` entered, co-signed or approved it; empty for a report of a device.
    """

    event: int
    time: str
    round: int | None
    kind: str
    who: tuple[str, ...]
    text: Words


def register(path: Path, identity: Identity, day: date | None = None, after: int = 0) -> list[RegisterEntry]:
    """Every entry of a journal, of one day (UTC), or after an event; oldest first.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    return list(_entries(path, identity, day, after))


def _entries(path: Path, identity: Identity, day: date | None, after: int) -> Iterator[RegisterEntry]:
    # Most rows are reported by a few bytes to be none of these.
    wanted = ", ".join(sorted({f"x'{tag[:SHORT].encode().hex()}'" for tag in READ}))
    which = f"""substr(e.body, {len(AN_EVENT) + 1}, {SHORT}) IN ({wanted}) AND (
        NOT {starts_with("e.body", AN_EVENT + SHOWN.encode())} OR instr(e.body, x'{KEYED_IN.hex()}'))"""
    begun: Callable[[], FoundEvent] | None = None
    raised: dict[str, Words] = {}
    with reading(path, identity.mode) as (past, _):
        for body, read in past.texts_where(which, _wanted, None if day is None else str(day), after):
            if body.startswith(ROUND_BEGUN):
                begun = read
                continue
            number, stamp, event = read()
            match event:
                case AlarmRaised(alarm=name):
                    raised[name] = alarm_words(event.code, event.values)
                    continue
                case AlarmAcknowledged(alarm=name) if name not in raised:
                    raised[name] = raised_before(past, number, name)
            fields: dict[str, Any] = msgspec.to_builtins(event)
            kind = entry_kind(event, fields)
            if kind is None:
                continue
            if isinstance(event, AlarmAcknowledged):
                fields["text"] = raised[event.alarm]
            yield RegisterEntry(
                event=number,
                time=stamp.time,
                round=_round_of(past, number, event, begun),
                kind=kind,
                who=_who(fields),
                text=entry_words(kind, fields, identity.currency, identity.exponent),
            )


def raised_before(past: Past, number: int, name: str) -> Words:
    """The text of an alarm when it was last raised before an event; its name if that event is no longer stored."""
    for earlier, _, event in past.of_kind("alarm", newest_first=True):
        if earlier < number and isinstance(event, AlarmRaised) and event.alarm == name:
            return alarm_words(event.code, event.values)
    return dict.fromkeys(SPOKEN, name)


def _wanted(body: bytes) -> bool:
    tag = tag_of(body)
    return tag in READ and (tag != SHOWN or KEYED_IN in body)


def entry_kind(event: Event, fields: dict[str, Any]) -> str | None:
    """The kind of an entry, with the values for its sentence; None for an event that is not an entry."""
    kind = str(fields.pop("type"))
    if isinstance(event, DeviceReported):
        fields |= fields.pop("values")
        return "damaged_card" if event.what == "damaged_card" else None
    if kind == "slip_printed" and fields["times"] == 1:
        return None
    if kind == "cards_extracted" and not fields["missing"]:
        return None
    if isinstance(event, RoundVoided):
        fields["reason"] = reason_words(event.why) if event.code in ENGLISH.reasons else event.code
    if kind == "input_corrected":
        fields["corrected"] = fields.pop("what")
    if kind == "complaint_opened":  # in a player's own words, which are no name of anything
        fields["complains"], fields["of"] = fields.pop("by"), fields.pop("what")
    if isinstance(event, ShufflerCleared) and event.technician:
        return "shuffler_cleared_by_technician"
    if isinstance(event, NetChange):
        fields["net_difference"] = event.net_difference
    if isinstance(event, ChangeEntered):
        fields["entered"], fields["after_result"] = fields.pop("input"), True
    if isinstance(event, ChangeRejected) and event.actor is None:
        return "change_dropped"
    if isinstance(event, RoundAdjusted) and event.after_claims:
        return "round_adjusted_late"
    return kind


def _round_of(past: Past, number: int, event: Event, begun: Callable[[], FoundEvent] | None) -> int | None:
    if isinstance(event, RoundAdjusted | KeyReleased | ComplaintOpened | ComplaintDecided | CardsWitnessed):
        return event.round
    if not isinstance(event, OF_A_ROUND):
        return None
    present = past.round_begun_before(number) if begun is None else begun()[2]
    return present.round if isinstance(present, RoundBegun) else None


def _who(fields: dict[str, Any]) -> tuple[str, ...]:
    named = [*(fields.get(name) for name in WHO), *fields.get("approved_by", ())]
    return tuple(dict.fromkeys(str(name) for name in named if name))
