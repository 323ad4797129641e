"""The table as a stranger at its console sees it: the game, the money on the felt, the machines. No I/O here.

It is a list of what is in. Everything else keeps its key and is empty, so that a reader of the public table can read
this one too.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from controller.engine.shown.projection import PublicTable

ALL: Final = None
EACH: Final = "*"  # of an object by seat, place or number
Shape = Mapping[str, Any]
NO_KEY: Final[Shape] = {EACH: False}  # of an object that is in, with nothing of it


def _of(*names: str, **inside: object) -> Shape:
    return {**dict.fromkeys(names, ALL), **inside}


_LINE = _of(
    "wager", "hand", "stake", "outcome", "odds", "net", "combination", "article", "chip_carried", "commission"
)  # fmt: skip
_PARTY = _of("seat", "hand_name", "net", "front", "rear", "rearranged", "outcome", lines=_LINE)
_BANK = _of(
    "hand_name", "qualifies", "total", "black_jack", "seat", "capital", "net", "limited", "casino", "turn_rounds",
    joiners=_LINE,
)  # fmt: skip
_AWARD = _of("seat", "tier", "amount", "from_pot", "from_house", "article")
_SETTLEMENT = _of(
    "game", "outcome", "first_place", "settling_order", bank=_BANK, seats=_PARTY,
    jackpot=_of("pot_before", "pot_after", awards=_AWARD),
)  # fmt: skip
_BET = _of("seat", "wager", "amount")
_ROUND = _of(
    "id", "phase", "source", "wagers", "deal", "chips", "carried_chips", "returned_chips", "locked", "result_open",
    "dealt", "unread", "exposed", "aside", "decisions", "shown", "hands", "bank", "pending_cards", "payouts",
    "places", "banker", "form", "dice", "null_dice", "moved", "first_place", "order", "hands_set", "used", "pairs",
    bets=_BET, lines={EACH: _LINE}, settlement=_SETTLEMENT, void=_of("article", "carried", values=NO_KEY),
    players=NO_KEY, holders=NO_KEY,
)  # fmt: skip
_STEP = _of(
    "id", "kind", "to", "order", "waiting", "key_in", "cards", "question", "seat", "hand", "legal", "most", "least",
    "prompt",
)  # fmt: skip
_HIT = _of("hit", "round", "seat", "tier", "amount", "article", "state", "cards")
_JACKPOT = _of(
    "pot", "minimum", "reserve", "overflow", "pending", "fixed", "chip", "linked", "turns",
    hits=_HIT, held_back=NO_KEY, doubted={}, claimed={}, compared={}, pit_keys={},
)  # fmt: skip
_TABLE = _of(
    "open", "version", "source", "sources", "shuffler_failures", "shoe", "carried_chips", "held_claims", "lid_open",
    "lamps", "sign", "slots", "devices", "posted", "notices", step=_STEP, round=_ROUND, jackpot=_JACKPOT, acts=NO_KEY,
)  # fmt: skip


def for_strangers(table: PublicTable) -> dict[str, Any]:
    """The table for anyone who is not logged in, as JSON has it, with the number of alarms that no one acknowledged."""
    public = seen(msgspec.to_builtins(table, str_keys=True), _TABLE)
    if table.step.backers:
        public["step"]["prompt"] = dict.fromkeys(table.step.prompt, "")  # it asks them by their names
    return {**public, "alarms_waiting": sum(alarm.acknowledged_by is None for alarm in table.alarms)}


def seen(value: Any, shape: Shape | None) -> Any:
    """What is in of a value; what is not is empty, and null where its shape has no key."""
    if shape is None:
        return value
    if not shape:
        return None
    if isinstance(value, list | tuple):
        return [seen(one, shape) for one in value]
    if not isinstance(value, dict):
        return _empty(value)
    if EACH in shape:
        return {} if shape is NO_KEY else {key: seen(one, shape[EACH]) for key, one in value.items()}
    return {key: seen(one, shape[key]) if key in shape else _empty(one) for key, one in value.items()}


def _empty(value: Any) -> Any:
    return [] if isinstance(value, list | tuple) else "" if isinstance(value, str) else None
