"""The alarms as persons read them, in every language: what is wrong, then what to do. No I/O here."""

from collections.abc import Mapping

import msgspec

from controller.engine.decisions.alarms import alarms
from controller.engine.state.alarms import ActiveAlarm, Level, RecordedAlarm, is_known, level_of
from controller.engine.state.table import Table
from controller.rulebook.game import Game
from controller.rulebook.refusal import Value
from controller.rulebook.steps import seat_of
from controller.words import Words, in_every_language, joined, on_the_page

UNKNOWN = "unknown"


class PublicAlarm(msgspec.Struct, frozen=True):
    """An alarm that is listed: it is active, or it is `over` and no one has acknowledged it.

    `code` names its sentence. `since` is when it was raised, UTC. One that is acknowledged and not over
    names who did it.
    """

    name: str
    level: Level
    code: str
    texts: Words
    since: str
    over: bool = False
    acknowledged_by: str | None = None
    details: str = ""


def alarm_words(code: str, values: Mapping[str, Value]) -> Words:
    """The text of an alarm of this code; for a code without a row, a text that names the code."""
    if not is_known(code, values):
        code, values = UNKNOWN, {"code": code}
    filled: dict[str, object] = dict(values)
    if "device" in values:
        device = values["device"]
        filled["device"] = in_every_language("device_names", f"{device}")
        filled["no_answer"] = in_every_language("device_names", f"{device}/no_answer")
    if "connected" in values:
        filled["connected"] = in_every_language("device_names", f"shuffler/{values['connected']}")
        filled["needed"] = in_every_language("device_names", f"shuffler/{values['needed']}")
    if "place" in values:
        seat = seat_of(str(values["place"]))
        place = on_the_page(f"place.{values['place']}") if seat is None else on_the_page("place.seat", seat=seat)
        filled["place"] = place or values["place"]
    text = in_every_language("alarm_texts", code, **filled)
    return joined((text, in_every_language("alarm_actions", code, **filled)))


def public_alarm(alarm: ActiveAlarm, kept: RecordedAlarm) -> PublicAlarm:
    """An alarm on record, with its present text."""
    return PublicAlarm(
        name=kept.name,
        level=level_of(alarm.code, alarm.values),
        code=alarm.code,
        texts=alarm_words(alarm.code, alarm.values),
        since=kept.since,
        over=kept.over,
        acknowledged_by=kept.acknowledged_by,
        details=alarm.details,
    )


def public_alarms(table: Table, game: Game) -> list[PublicAlarm]:
    """The alarms on record: those that are active as they are now, then those that are over as they were raised."""
    if not table.alarms:
        return []
    now = {one.name: one for one in alarms(table, game) if one.name in table.alarms}
    ordered = [*now, *(name for name in table.alarms if name not in now)]
    return [public_alarm(now.get(name, table.alarms[name]), table.alarms[name]) for name in ordered]
