"""Every alarm of a table and of its station, one row each; those that are active, and those on record. No I/O here.

To add one, add a row, and to every catalogue its sentence (`alarm_texts`) and what to do (`alarm_actions`).
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, get_args

import msgspec
from msgspec.structs import replace

from controller.rulebook.events import EventBase
from controller.rulebook.parts.faults import DeviceName, LossCause
from controller.rulebook.refusal import Value

BABBLE = "babble"


# What a device reports of itself that holds, as an alarm, until it reports its end: name, beginning, ends.
LASTING = (
    ("jam", "jam", ("cleared",)),
    ("lid", "lid_opened", ("lid_closed",)),
    ("error", "error", ("error_cleared", "restarted")),
    ("machine", "wrong_machine", ("right_machine",)),
    (BABBLE, "babbling", ("quiet",)),
)


Level = Literal["information", "warning", "critical"]
"""`information`: no one has to act now; `warning`: someone has to act within the shift; `critical`: the table cannot
continue, or money or the record is at risk."""

JOURNAL: Final = "journal"
SPARE: Final = "spare"  # a value that the alarm of a spare device has
PRIZE_CARDS: Final = "prize-cards"
OLDER_COPY: Final = "older-copy"
ACKNOWLEDGED = ("acknowledge",)
_ANY: tuple[DeviceName, ...] = get_args(DeviceName)
_LOST = tuple(f"device_lost/{cause}" for cause in get_args(LossCause))
_BROKER = "the broker, or who may publish there"
_JOURNAL_FILES = "a program that holds the journal's files or changes them"
_DEFECT = "an input that shows a defect of the station"
_WITNESS = "a witness, or who may publish its cosignatures"


class AlarmRaised(EventBase, frozen=True):
    """An alarm is active since `at` (UTC); it is listed until it is over and a person has acknowledged it.

    `code` names its sentence in the catalogues, and `values` fill that.
    """

    alarm: str
    code: str
    values: dict[str, Value]
    at: str
    details: str = ""  # what a driver, the system or the broker reported, in English


class AlarmCleared(EventBase, frozen=True):
    """The cause of the alarm is over since `at` (UTC)."""

    alarm: str
    at: str


class AlarmAcknowledged(EventBase, frozen=True):
    """A person has acknowledged an alarm, while it is active or afterwards."""

    alarm: str
    actor: str


AlarmEvent = AlarmRaised | AlarmCleared | AlarmAcknowledged


class AlarmKind(msgspec.Struct, frozen=True):
    """The row of an alarm: its name on the floor's topics, its level, and the codes of its sentences.

    In braces is a value of the alarm. `ends` are the inputs that end it; without them it ends with its cause. `devices`
    are those for which it has a name. `spare` is its level while the device is not in use. `raised_by` is the person
    who can cause an alarm that the station raises; it is empty if the alarm follows from the table.
    """

    name: str
    level: Level
    codes: tuple[str, ...]
    ends: tuple[str, ...] = ()
    devices: tuple[DeviceName, ...] = ()
    spare: Level | None = None
    raised_by: str = ""


ALARMS = (
    AlarmKind("device-{device}", "critical", _LOST, devices=("shuffler", "shoe"), spare="warning"),
    AlarmKind("device-{device}", "warning", _LOST, devices=("slots", "sign", "floor", "pit")),
    AlarmKind("{device}-jam", "critical", ("trouble/jam",), devices=_ANY, spare="warning"),
    AlarmKind("{device}-lid", "information", ("trouble/lid",), devices=_ANY),
    AlarmKind("{device}-error", "warning", ("trouble/error",), devices=_ANY),
    AlarmKind("{device}-machine", "critical", ("trouble/machine",), devices=_ANY, spare="warning"),
    AlarmKind(f"{{device}}-{BABBLE}", "warning", (f"trouble/{BABBLE}",), devices=_ANY),
    AlarmKind("{device}-deck", "warning", ("trouble/deck",), devices=("shuffler",)),
    AlarmKind(
        "shuffler-failed",
        "critical",
        ("shuffler_failed",),
        ("shuffler_replaced",),
        devices=("shuffler",),
        spare="warning",
    ),
    AlarmKind("damaged-card", "warning", ("damaged_card", "damaged_card/place"), ("card_replaced",)),
    AlarmKind("inspection-not-informed", "warning", ("inspection_not_informed",), ("inform_inspection",)),
    AlarmKind("clearing-not-entered", "warning", ("clearing_not_entered",), ("jam_cleared",)),
    AlarmKind("deck-count", "critical", ("deck_count",), ("open_table",)),
    AlarmKind("shoe-warning-card", "warning", ("overdue/warning_card", "overdue/cut_card"), ("cut_card",)),
    AlarmKind("slots-seat-{seat}", "warning", ("doubtful_sensor",)),
    AlarmKind(PRIZE_CARDS, "critical", ("prize_cards",), ("confirm_hit",)),
    AlarmKind("entries-on-hold", "warning", ("entries_on_hold",), ("vouch",)),
    AlarmKind("grant-doubted", "critical", ("grant_doubted",), ("compare_grant",)),
    AlarmKind("message-{number}-untaken", "warning", ("message_untaken",), ("set_aside",)),
    AlarmKind("message-{number}-aside", "warning", ("message_aside",), ACKNOWLEDGED),
    AlarmKind(OLDER_COPY, "critical", ("older_copy",), ("begin_epoch",)),
    AlarmKind(JOURNAL, "critical", ("unwritable",), raised_by=_JOURNAL_FILES),
    AlarmKind(JOURNAL, "critical", ("changed",), ACKNOWLEDGED, raised_by=_JOURNAL_FILES),
    AlarmKind(
        JOURNAL,
        "warning",
        ("log_grows", "disk_fills", "disk_fills/others", "mark_unreadable"),
        ACKNOWLEDGED,
        raised_by=_JOURNAL_FILES,
    ),
    AlarmKind("defect", "warning", ("defective", "ended/verifier", "ended/closer"), ACKNOWLEDGED, raised_by=_DEFECT),
    AlarmKind("floor-forged", "critical", ("forged", "unsigned"), ACKNOWLEDGED, raised_by=_BROKER),
    AlarmKind("floor-forged", "warning", ("flooded",), ACKNOWLEDGED, raised_by=_BROKER),
    AlarmKind("floor-refused", "warning", ("refused",), ACKNOWLEDGED, raised_by=_BROKER),
    AlarmKind("second-station", "critical", ("second_station", "taken_over"), ACKNOWLEDGED, raised_by=_BROKER),
    AlarmKind("rounds-unreceived", "warning", ("unreceived",), ACKNOWLEDGED, raised_by=_BROKER),
    AlarmKind("archive-{archive}", "warning", ("lags",), ACKNOWLEDGED, raised_by="an archive"),
    AlarmKind("witness", "warning", ("unwitnessed",), ACKNOWLEDGED, raised_by=_WITNESS),
    AlarmKind("witness", "critical", ("witness_refuses", "forked"), ACKNOWLEDGED, raised_by=_WITNESS),
    AlarmKind("recorder", "warning", ("unrecorded",), ACKNOWLEDGED, raised_by="the disk"),
    AlarmKind(
        "certificate",
        "warning",
        ("certificate_ends/own", "certificate_ends/authority", "certificate_ends/broker"),
        ACKNOWLEDGED,
        raised_by=_BROKER,
    ),
    AlarmKind("clock", "warning", ("unsynchronised",), ACKNOWLEDGED, raised_by="the computer's clock"),
    AlarmKind("password-in-clear", "warning", ("exposed",), ACKNOWLEDGED, raised_by="the configuration"),
)

_ROWS: Mapping[tuple[str, str], AlarmKind] = {
    (code, device): row for row in ALARMS for code in row.codes for device in row.devices or ("",)
}
_RAISED_CODES = frozenset(code for row in ALARMS for code in row.codes if row.raised_by)


def alarm_kind(code: str, values: Mapping[str, Value]) -> AlarmKind:
    """The row of an alarm with this sentence. Raises KeyError where there is none."""
    return _ROWS[code, str(values.get("device", ""))]


def is_known(code: str, values: Mapping[str, Value]) -> bool:
    """Whether an alarm has a row; a journal of another version may have alarms without one."""
    return (code, str(values.get("device", ""))) in _ROWS


def level_of(code: str, values: Mapping[str, Value]) -> Level:
    """The level of an alarm; `warning` for an alarm without a row, so that someone finds out what it is."""
    if not is_known(code, values):
        return "warning"
    row = alarm_kind(code, values)
    return row.spare if row.spare is not None and SPARE in values else row.level


def spared(alarm: "ActiveAlarm") -> "ActiveAlarm":
    """The alarm of a device that the table does not need now, at its level for that case."""
    if not is_known(alarm.code, alarm.values) or alarm_kind(alarm.code, alarm.values).spare is None:
        return alarm
    return replace(alarm, values={**alarm.values, SPARE: 1})


def is_more_urgent(alarm: "ActiveAlarm", than: "ActiveAlarm") -> bool:
    """Whether the level of an alarm is a higher one."""
    levels = get_args(Level)
    return levels.index(level_of(alarm.code, alarm.values)) > levels.index(level_of(than.code, than.values))


def names(**known: tuple[str | int, ...]) -> Iterator[str]:
    """The names of all alarms; a name with a value is repeated for each `known` value."""
    for row in ALARMS:
        values = {"device": row.devices, **known}
        hole = next((name for name in values if f"{{{name}}}" in row.name), "")
        if hole:
            yield from (row.name.format(**{hole: value}) for value in values[hole])
        elif "{" not in row.name:
            yield row.name


class ActiveAlarm(msgspec.Struct, frozen=True):
    """An active alarm, with the values of its sentence. `details` is the report of a driver, the system or the broker,
    in English.
    """

    name: str
    code: str
    values: dict[str, Value] = {}
    details: str = ""


def active(code: str, details: str = "", /, **values: Value) -> ActiveAlarm:
    """An alarm that is active; its code and its values give its name. Raises KeyError for a code that no row has."""
    return ActiveAlarm(alarm_kind(code, values).name.format(**values), code, values, details)


class RecordedAlarm(ActiveAlarm, frozen=True, kw_only=True):
    """An alarm on record as it was raised: since when (UTC), whether it is over, and who acknowledged it."""

    since: str
    over: bool = False
    acknowledged_by: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the station itself raised it, so that it is active until a person acknowledges it."""
        return self.code in _RAISED_CODES and not self.over and self.acknowledged_by is None


def raised(alarm: ActiveAlarm, at: str) -> AlarmRaised:
    """The event of an alarm that is active from `at` (UTC) on."""
    return AlarmRaised(alarm=alarm.name, code=alarm.code, values=alarm.values, at=at, details=alarm.details)


def recorded_alarm(event: AlarmRaised) -> RecordedAlarm:
    """An alarm as its event raised it."""
    return RecordedAlarm(event.alarm, event.code, event.values, event.details, since=event.at)


def after_alarm(alarms: dict[str, RecordedAlarm], event: AlarmEvent) -> dict[str, RecordedAlarm]:
    """The alarms on record after an event: one that is both over and acknowledged is no longer among them."""
    kept = alarms.get(event.alarm)
    if isinstance(event, AlarmRaised):
        return {**alarms, event.alarm: recorded_alarm(event)}
    if kept is None:
        return alarms
    match event:
        case AlarmCleared():
            kept = replace(kept, over=True)
        case AlarmAcknowledged(actor=actor):
            kept = replace(kept, acknowledged_by=actor)
    if kept.over and kept.acknowledged_by is not None:
        return {name: alarm for name, alarm in alarms.items() if name != event.alarm}
    return {**alarms, event.alarm: kept}


def without_alarms(troubles: dict[str, ActiveAlarm], which: str) -> dict[str, ActiveAlarm]:
    """The alarms without those of a device, or of a group such as ``deck``."""
    return {name: trouble for name, trouble in troubles.items() if not f"{name}-".startswith(f"{which}-")}
