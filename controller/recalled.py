"""Rounds that were played, as the screen is told them: what the floor was told, with times, persons and figures."""

from typing import Any

import msgspec

from controller.engine.figures import figures
from controller.engine.history import Played
from controller.floor.messages import Identity, round_message
from controller.journal.recall import Row, rounds_in


def rounds_body(identity: Identity, rows: list[Row], last: int, before: int | None) -> bytes:
    """JSON: the rounds confirmed in these rows, newest first, at most `last`, and the figures over them."""
    found = rounds_in(rows, last, before)
    return msgspec.json.encode({"rounds": [_told(identity, one) for one in found], "figures": figures(found)})


def _told(identity: Identity, one: Played) -> dict[str, Any]:
    adjustments = [msgspec.to_builtins(adjusted) for adjusted in one.adjustments]
    for adjusted in adjustments:
        adjusted.pop("type")
    times = {"began": one.began.time, "confirmed": one.confirmed.time, "confirmed_by": one.actor}
    return {**round_message(identity, one.round), **times, "adjustments": adjustments}
