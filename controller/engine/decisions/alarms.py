"""What is wrong at the table: what stands, what is on record until somebody acknowledges it. No I/O here.

An alarm is listed from when it is raised until it is over and a person has acknowledged it, in either order. What
stands follows from the table alone; what is on record is folded from events, and so outlives its cause and a restart.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Literal

import msgspec

from controller.engine.decisions.decision import TABLE, Course, Input, Row
from controller.engine.reasons import TableReason
from controller.engine.state.current_step import has_failed
from controller.engine.state.device_faults import BABBLE, SOURCES, STANDING, shuffler_failed
from controller.engine.state.events import AlarmAcknowledged, AlarmCleared, AlarmRaised, DeviceLost, DeviceUp, LossCause
from controller.engine.state.persons import PersonInput
from controller.engine.state.prize_cards import open_hits, taken_too_early
from controller.engine.state.table import (
    DAMAGED_CARD,
    DECK_COUNT,
    DECK_TROUBLE,
    INSPECTION_UNTOLD,
    PIT,
    SHUFFLER_LID,
    WARNING_CARD,
    Table,
)
from controller.engine.state.table_parts import RecordedAlarm, doubted_hits
from controller.rulebook.game import Game
from controller.rulebook.games import game_of
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from controller.words import Words, in_every_language

OF_THE_STATION = (
    *("journal", "defect", "floor-forged", "floor-refused", "second-station"),
    *("rounds-unheard", "witness", "recorder", "certificate", "clock", "password-in-clear"),
)
JOURNAL, DEFECT, FORGED, REFUSED, SECOND_STATION, UNHEARD, WITNESS, RECORDER, CERTIFICATE, CLOCK, EXPOSED = (
    OF_THE_STATION
)
ARCHIVE = "archive-"  # likewise, with the archive's name behind it
PRIZE_CARDS = "prize-cards"
OLDER_COPY = "older-copy"
POT_HELD, GRANT_HELD = "pot-held", "grant-held"
ACKNOWLEDGED = "policy: alarms stay until they are acknowledged"
ALARMS = (
    *(f"{link}-{trouble}" for link in SOURCES for trouble, _, _ in STANDING),
    *(f"{link}-{BABBLE}" for link in ("slots", "sign", "floor", "pit")),
    *(DECK_TROUBLE, DAMAGED_CARD, INSPECTION_UNTOLD, DECK_COUNT, "shuffler-failed", WARNING_CARD),
    PRIZE_CARDS,
    OLDER_COPY,
    POT_HELD,
    GRANT_HELD,
)
"""Every alarm of the table but a device's absence and the seats' sensors."""
_OF_NO_DEVICE = (DAMAGED_CARD, DECK_COUNT, INSPECTION_UNTOLD)


class StandingAlarm(msgspec.Struct, frozen=True):
    """An alarm that stands: its name on the floor's topics and its text by language, as of now.

    `details` is what a driver, the system or the broker said, in English: what people read says what is to be done.
    """

    name: str
    text: Words
    details: str = ""


class PublicAlarm(msgspec.Struct, frozen=True):
    """An alarm that is listed: it stands, or it is `over` and nobody has acknowledged it.

    `since` is when it was raised, UTC. One that is acknowledged and not over names who did it.
    """

    name: str
    texts: Words
    since: str
    over: bool = False
    acknowledged_by: str | None = None
    details: str = ""


_told = partial(in_every_language, "alarm_texts")


def alarms(table: Table, game: Game) -> list[StandingAlarm]:
    """The alarms that stand: links, troubles, doubtful sensors; a defect and the journal's until acknowledged."""
    devices = _as_it_stands(table)
    away = [
        StandingAlarm(name=f"device-{name}", text=why_lost(state.device, state.cause), details=state.reason)
        for name, state in sorted(devices.items())
        if isinstance(state, DeviceLost)
    ]
    troubles = [
        StandingAlarm(name=name, text=_trouble(name, text), details="" if name == INSPECTION_UNTOLD else text)
        for name, text in sorted(table.troubles.items())
        if name != SHUFFLER_LID or table.load is None  # a session's shuffler opens its lid by itself (60)
    ]
    sensors = [
        StandingAlarm(name=f"slots-seat-{seat}", text=_told("doubtful_sensor", seat=seat))
        for seat, chip in sorted(table.slots.items())
        if chip.state == "doubtful"
    ]
    if has_failed(table, game):
        troubles.append(StandingAlarm(name="shuffler-failed", text=shuffler_failed(game)))
    hits = open_hits(table)
    if hits and table.round is not None and taken_too_early(table, table.round.inserted):
        article = game_of(table.round).citations.unpaid
        said = _told("prize_cards", seat=hits[0].seat, hit=hits[0].hit, article=article)
        troubles.append(StandingAlarm(name=PRIZE_CARDS, text=said))
    if game.deck.is_overdue(table.shoe):
        said = _told(f"overdue/{game.deck.stopper}", left=table.shoe.left, article=game.citations.cut)
        troubles.append(StandingAlarm(name=WARNING_CARD, text=said))
    if (at := table.overtaken) is not None:
        said = _told("older_copy", journal=at.journal, message=at.message, known=at.known)
        troubles.append(StandingAlarm(name=OLDER_COPY, text=said))
    if table.link is not None and table.link.kept.held:
        troubles.append(StandingAlarm(name=POT_HELD, text=_told("pot_held", count=len(table.link.kept.held))))
    if table.link is not None and doubted_hits(table.link):
        troubles.append(StandingAlarm(name=GRANT_HELD, text=_told("grant_held")))
    messages = [
        StandingAlarm(one.alarm, _told("message_aside", number=one.sequence, topic=one.topic, reason=one.reason))
        for one in table.aside
    ]
    if table.untaken is not None:
        said = _told("message_untaken", number=table.untaken.sequence)
        messages.append(StandingAlarm(table.untaken.alarm, said, table.untaken.reason))
    own = [
        StandingAlarm(name=name, text=kept.text, details=kept.details)
        for name, kept in sorted(table.alarms.items())
        if (name in OF_THE_STATION or name.startswith(ARCHIVE)) and not kept.over and kept.acknowledged_by is None
    ]
    return [*away, *troubles, *sensors, *messages, *own]


def alarm_events(
    recorded: Mapping[str, RecordedAlarm], standing: Sequence[StandingAlarm], at: str
) -> Iterator[AlarmRaised | AlarmCleared]:
    """What brings the record to what stands at `at`. Another text of an alarm that stands is nothing new."""
    stands = {one.name for one in standing}
    for name, kept in recorded.items():
        if name not in stands and not kept.over:
            yield AlarmCleared(alarm=name, at=at)
    for one in standing:
        kept_one = recorded.get(one.name)
        if kept_one is None or kept_one.over:
            yield AlarmRaised(alarm=one.name, texts=one.text, at=at, details=one.details)


class Acknowledge(PersonInput, frozen=True, tag="acknowledge"):
    """Any person of [people] has taken note of an alarm, of the one raised at `since` if given. Answers ``table``."""

    alarm: str
    since: str | None = None


def acknowledge(course: Course, input: Acknowledge) -> None:
    """A person has taken note of an alarm, of the one raised at `since` where that is said.

    Raises Refusal where it is not listed, is acknowledged already, or has come again meanwhile.
    """
    alarms, name = course.table.alarms, input.alarm
    kept = alarms.get(name)
    if kept is None:
        listed = ", ".join(alarms) or "none"
        raise Refusal("alarm", TableReason.NOT_LISTED, ACKNOWLEDGED, alarm=name, listed=listed)
    if kept.acknowledged_by is not None:
        raise Refusal("alarm", TableReason.ACKNOWLEDGED_ALREADY, ACKNOWLEDGED, person=kept.acknowledged_by, alarm=name)
    if input.since not in (None, kept.since):
        raise Refusal("alarm", TableReason.COME_AGAIN, ACKNOWLEDGED, alarm=name)
    course.record(AlarmAcknowledged(alarm=name, actor=input.actor))


def public_alarms(table: Table, game: Game) -> list[PublicAlarm]:
    """The alarms on record: those that stand with what they say now, then those that are over with what they said."""
    standing = {one.name: one for one in alarms(table, game) if one.name in table.alarms}
    return [
        PublicAlarm(
            name=name,
            texts=standing.get(name, kept).text,
            since=kept.since,
            over=kept.over,
            acknowledged_by=kept.acknowledged_by,
            details=standing.get(name, kept).details,
        )
        for name in [*standing, *(name for name in table.alarms if name not in standing)]
        for kept in [table.alarms[name]]
    ]


def unwritable() -> Words:
    """What is said while the journal takes nothing, and afterwards of that time."""
    return _told("unwritable")


def held_back(size: int) -> Words:
    """What is said while a reader lets the journal's log grow, to so many megabytes."""
    return _told("held_back", size=size)


def disk_fills(seconds: float, over: float, free: int, own: int, others: int) -> Words:
    """What is said of a disk that is full in so many seconds, at the growth of the last `over` seconds.

    In megabytes: what is free, and what the station and other programs wrote in that time.
    """
    filled = {"hours": ceil(seconds / 3600), "minutes": round(over / 60), "free": free}
    return _told("disk_fills/others" if others > own else "disk_fills", **filled, own=own, others=others)


def forged(topic: str) -> Words:
    """What is said when somebody else has put a message on a topic of this table."""
    return _told("forged", topic=topic)


def flooded(topic: str) -> Words:
    """The text while messages on a topic that the table reads are dropped, since too many come."""
    return _told("flooded", topic=topic)


def unsigned(topic: str) -> Words:
    """The text for a message that the pit of a linked pot should have signed, and did not."""
    return _told("unsigned", topic=topic)


def refused() -> Words:
    """What is said while the broker refuses retained topics of this table."""
    return _told("refused")


def second_station(journal: str) -> Words:
    """What is said when a station with another journal speaks for this table."""
    return _told("second_station", journal=journal)


def taken_over(client_id: str) -> Words:
    """What is said when the broker closes the table's connection again and again, as for another of the same id."""
    return _told("taken_over", client_id=client_id)


def certificate_ends(whose: Literal["own", "authority", "broker"], date: str) -> Words:
    """The text for a certificate of the broker's connection that ends on a date, or has ended."""
    return _told(f"certificate_ends/{whose}", date=date)


def unheard() -> Words:
    """What is said when the broker had nobody to give a round to, and an archive is to have every one."""
    return _told("unheard")


def lags(archive: str, behind: int) -> Words:
    """What is said of an archive that is so many messages behind, or for too long."""
    return _told("lags", archive=archive, behind=behind)


def unwitnessed(witness: str, minutes: int) -> Words:
    """What is said when a witness has not cosigned for so many minutes."""
    return _told("unwitnessed", witness=witness, minutes=minutes)


def witness_refuses(witness: str) -> Words:
    """What is said when a witness does not take a checkpoint for what comes after the one it knows."""
    return _told("witness_refuses", witness=witness)


def forked(witness: str) -> Words:
    """What is said when a witness has cosigned another record than the one there is."""
    return _told("forked", witness=witness)


def unrecorded() -> Words:
    """What is said when the flight recorder does not keep what the wires say."""
    return _told("unrecorded")


def exposed() -> Words:
    """The text at each start where the password for the broker crosses a network in clear."""
    return _told("exposed")


def unsynchronised(minutes: int) -> Words:
    """The text for a clock of the computer that has not been synchronised for so long."""
    return _told("unsynchronised", minutes=minutes)


def changed() -> Words:
    """What is said once an old part of the journal has shown not to be as it was written."""
    return _told("changed")


def mark_unreadable() -> Words:
    """The text where nothing shows any more how far the journal had come."""
    return _told("mark_unreadable")


def defective() -> Words:
    """What is said of an input that the station could not decide, because of a defect at a line of its own."""
    return _told("defective")


def ended(work: str) -> Words:
    """What is said when a defect has ended what verifies the journal, `verifier`, or shortens it, `closer`."""
    return _told(f"ended/{work}")


def _as_it_stands(table: Table) -> dict[DeviceName, DeviceUp | DeviceLost]:
    """The devices; why a pit is lost may have become another cause since."""
    lost, link = table.devices.get(PIT), table.link
    if not isinstance(lost, DeviceLost) or link is None:
        return table.devices
    if not link.keys_accepted:
        lost = DeviceLost(PIT, "two persons have to accept the keys of the pit", "other_keys")
    elif link.kept.broken:
        lost = DeviceLost(PIT, f"the link is broken: {link.kept.broken}", "broken")
    return {**table.devices, PIT: lost}


def why_lost(device: DeviceName, cause: LossCause) -> Words:
    """The text for a device that is away, with what to do."""
    return _told(f"device_lost/{cause}", no_answer=in_every_language("device_names", f"{device}/no_answer"))


def _trouble(name: str, text: str) -> Words:
    if name == INSPECTION_UNTOLD:
        return _told(name, text=text)  # the chief inspector's own words
    if name in _OF_NO_DEVICE:
        return _told(name)
    device, _, trouble = name.partition("-")
    return _told("trouble", device=in_every_language("device_names", device), trouble=_told(f"trouble/{trouble}"))


ROWS: dict[type[Input], Row] = {Acknowledge: Row(acknowledge, any_role=True, answers=TABLE)}
