"""The alarms of the table: which are active, and the events that update the recorded ones. No I/O here.

An alarm is listed from when it is raised until it is over and a person has acknowledged it, in either order. Active
alarms follow from the table alone; recorded ones come from events, and so survive the end of their cause and a restart.
"""

from collections.abc import Iterator, Mapping, Sequence

from controller.engine.decisions.decision import TABLE, Course, Input, Row
from controller.engine.reasons import TableReason
from controller.engine.state.alarms import (
    ActiveAlarm,
    AlarmAcknowledged,
    AlarmCleared,
    AlarmRaised,
    RecordedAlarm,
    active,
    is_more_urgent,
    raised,
    spared,
)
from controller.engine.state.current import Settings, game_at, has_failed, is_spare, open_hits, taken_too_early
from controller.engine.state.events import DeviceLost, DeviceUp
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import PIT, SHUFFLER_LID, Table, aside_alarm, doubted_hits
from controller.rulebook.game import Game
from controller.rulebook.games import game_of
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal

ACKNOWLEDGED = "policy: alarms stay until they are acknowledged"


def alarms(table: Table, settings: Settings) -> list[ActiveAlarm]:
    """The alarms that are active: links, troubles, sensors; those of the station until they are acknowledged."""
    game = game_at(table, settings)
    away = [
        active(f"device_lost/{state.cause}", state.reason, device=state.device)
        for _, state in sorted(_links_now(table).items())
        if isinstance(state, DeviceLost)
    ]
    troubles = [
        trouble
        for name, trouble in sorted(table.troubles.items())
        if name != SHUFFLER_LID or table.load is None  # a session's shuffler opens its lid by itself (60)
    ]
    sensors = [
        active("doubtful_sensor", seat=seat) for seat, chip in sorted(table.slots.items()) if chip.state == "doubtful"
    ]
    messages = [aside_alarm(message) for message in table.aside]
    if table.untaken is not None:
        messages.append(active("message_untaken", table.untaken.reason, number=table.untaken.sequence))
    of_the_station = [kept for _, kept in sorted(table.alarms.items()) if kept.holds]
    of_the_play = _of_the_play(table, game)
    of_devices = (
        spared(alarm) if is_spare(table, settings, alarm.values.get("device")) else alarm
        for alarm in (*away, *troubles, *of_the_play)
    )
    return [*of_devices, *_of_the_floor(table), *sensors, *messages, *of_the_station]


def _of_the_play(table: Table, game: Game) -> Iterator[ActiveAlarm]:
    if has_failed(table, game):
        yield active("shuffler_failed", device="shuffler", article=game.citations.shuffler_failed)
    hits = open_hits(table)
    if hits and table.round is not None and taken_too_early(table, table.round.inserted):
        article = game_of(table.round).citations.unpaid
        yield active("prize_cards", seat=hits[0].seat, hit=hits[0].hit, article=article)
    if game.deck.is_overdue(table.shoe):
        yield active(f"overdue/{game.deck.stopper}", left=table.shoe.left, article=game.citations.cut)


def _of_the_floor(table: Table) -> Iterator[ActiveAlarm]:
    if (at := table.overtaken) is not None:
        yield active("older_copy", journal=at.journal, message=at.message, known=at.known)
    if table.link is not None and table.link.kept.pending_entries:
        yield active("entries_on_hold", count=len(table.link.kept.pending_entries))
    if table.link is not None and doubted_hits(table.link):
        yield active("grant_doubted")


def alarm_events(
    recorded: Mapping[str, RecordedAlarm], now: Sequence[ActiveAlarm], at: str
) -> Iterator[AlarmRaised | AlarmCleared]:
    """The events that bring the recorded alarms up to date at `at`. A changed text alone makes no event.

    An alarm that has become more urgent is raised again, so that a person acknowledges it as it is.
    """
    names = {alarm.name for alarm in now}
    for name, kept in recorded.items():
        if name not in names and not kept.over:
            yield AlarmCleared(alarm=name, at=at)
    for alarm in now:
        before = recorded.get(alarm.name)
        if before is not None and not before.over:
            if not is_more_urgent(alarm, before):
                continue
            yield AlarmCleared(alarm=alarm.name, at=at)
        yield raised(alarm, at)


class Acknowledge(PersonInput, frozen=True):
    """A person of [people] acknowledges an alarm, or the one raised at `since`. Answers ``table``."""

    alarm: str
    since: str | None = None


def acknowledge(course: Course, input: Acknowledge) -> None:
    """A person acknowledges an alarm; with `since`, the one that was raised then.

    Raises Refusal where it is not listed, is acknowledged already, or was raised again since.
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


def _links_now(table: Table) -> dict[DeviceName, DeviceUp | DeviceLost]:
    """The state of every link; the cause for which a pit is lost may have changed since."""
    lost, link = table.devices.get(PIT), table.link
    if not isinstance(lost, DeviceLost) or link is None:
        return table.devices
    if not link.keys_accepted:
        lost = DeviceLost(PIT, "", "other_keys")
    elif link.kept.broken:
        lost = DeviceLost(PIT, link.kept.broken, "broken")
    return {**table.devices, PIT: lost}


ROWS: dict[type[Input], Row] = {Acknowledge: Row(acknowledge, any_role=True, answers=TABLE)}
