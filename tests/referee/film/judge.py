"""An evening on camera and its messages: every round is settled again from the camera's lines and the parameters alone.

All money in minor units; the meter in exact fractions of them.
"""

import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..rules.lines import Message
from ..rules.poker_law import REGULATIONS
from .blackjack import BLACKJACK, BlackjackReferee
from .camera import Evening, watch
from .faults import Stretch
from .fortune_8 import FORTUNE_8, Fortune8Referee
from .pai_kao import PAI_KAO, PaiKaoReferee
from .poker import PokerReferee
from .referee import Report

__all__ = ["Report", "judge", "read_rounds"]


def _referee(
    station: dict[str, Any], evening: Evening, as_of: str | None
) -> PokerReferee | Fortune8Referee | BlackjackReferee | PaiKaoReferee:
    game = station["table"]["game"]
    if game in REGULATIONS:
        return PokerReferee(station, evening.faults, as_of)
    if game == FORTUNE_8:
        return Fortune8Referee(station, evening.faults)
    if game == BLACKJACK:
        return BlackjackReferee(station, evening.faults, evening.before)
    if game == PAI_KAO:
        return PaiKaoReferee(station, evening.faults)
    raise ValueError(f"this referee knows {', '.join((*REGULATIONS, FORTUNE_8, BLACKJACK, PAI_KAO))}, not {game}")


def _in_order(messages: list[Message], filmed: set[int], report: Report) -> dict[int, Message]:
    """The messages by round; says which came twice, out of order, or without a round on camera."""
    by_round: dict[int, Message] = {}
    previous = 0
    before: Message = {}
    for message in messages:
        number = message.get("round")
        if type(number) is not int or number not in filmed:
            report.differences.append(f"round {number}: expected a round the camera saw, got a message without one")
            continue
        if number in by_round:
            report.differences.append(f"round {number}: expected one message, got another")
            continue
        if number < previous:
            report.differences.append(f"round {number}: expected before round {previous}, got after it")
        report.differences += [f"round {number}, {difference}" for difference in _earlier(before, message)]
        previous, before = max(previous, number), message
        by_round[number] = message
    return by_round


def _earlier(before: Message, message: Message) -> Iterator[str]:
    """What of a message should come after the message before it, and does not."""
    count, last_count = message.get("sequence"), before.get("sequence")
    if type(count) is int and type(last_count) is int and count <= last_count:
        yield f"sequence: expected more than {last_count}, got {count}"
    began, last_confirmed = message.get("began"), before.get("confirmed")
    if isinstance(began, str) and isinstance(last_confirmed, str) and began < last_confirmed:
        yield f"began: expected not before {last_confirmed}, got {began}"


def judge(
    station_toml_path: str | Path,
    camera_path: str | Path,
    rounds_messages: list[Message],
    *,
    away: bool = False,
    late: float = 0.0,
    as_of: str | None = None,
) -> Report:
    """Settle every round on camera and compare; `rounds_messages` are the `data` objects of `rounds`, as they came.

    `as_of` is a day; without it each round is settled by the regulation in force when it began.
    `away`: the daemon was not there all the time. What the shoe reported meanwhile no one received, and a chip that was
    exchanged meanwhile on a board without counters may not be known from the one before.
    `late`: seconds that a device is still missing after its fault is over.
    Raises ValueError for a film or a configuration that cannot be read; never for anything in a message.
    """
    station = tomllib.loads(Path(station_toml_path).read_text(encoding="utf-8"))
    evening = watch(Path(camera_path))
    for fault in evening.faults.stretches:
        fault.over += late
    if away:
        evening.faults.station_away = True
        evening.faults.stretches.append(Stretch("shoe", "mute", None, 0.0, math.inf))
    return judge_evening(station, evening, rounds_messages, as_of)


def judge_evening(
    station: dict[str, Any], evening: Evening, rounds_messages: list[Message], as_of: str | None = None
) -> Report:
    """The same of a film that is read; neither it nor a message is changed."""
    filmed = evening.rounds
    referee = _referee(station, evening, as_of)
    report = referee.report
    report.notes += evening.odd
    if sorted(filmed) != list(range(1, len(filmed) + 1)):
        report.differences.append(f"camera: expected rounds 1 to {len(filmed)}, got {sorted(filmed)}")
    messages = _in_order(rounds_messages, set(filmed), report)
    for number in sorted(filmed):
        referee.round(number, filmed[number], messages.get(number), last=number == max(filmed))
    return referee.close()


def read_rounds(path: Path) -> list[Message]:
    """The messages of a file, one a line: CloudEvents, or only their `data`."""
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [event["data"] if "specversion" in event else event for event in events]
