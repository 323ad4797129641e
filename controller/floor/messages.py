"""The messages on the floor's topics: CloudEvents 1.0 in structured JSON. No I/O here."""

import hashlib
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET

from controller.engine.events import ChipCleared, ChipLaid, DealerTold, Event, MessageUntaken
from controller.engine.jackpot_events import HitLocked, HitPaid
from controller.engine.projection import PublicTable
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.games import RoundEvent, game_of
from controller.rulebook.round import Round

SCHEMA = 1
TYPE_PREFIX = "dealer.station"
# What the message of an event calls its round: a payment or a lost link belongs to no round that happens to be in play.
OF_ROUND = (*get_args(RoundEvent), ChipLaid, ChipCleared, DealerTold)


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True):
    """A CloudEvents 1.0 message. `sequence` counts events and rounds of one journal without a gap; others have none."""

    id: str
    source: str
    type: str
    time: str
    data: Any
    subject: str | None = None
    sequence: int | None = None
    specversion: Literal["1.0"] | None = None
    datacontenttype: Literal["application/json"] | None = None


class Identity(msgspec.Struct, frozen=True):
    """Whose messages these are; money in them is in minor units of `currency`, 10^-`exponent` of its unit."""

    site: str
    table: str
    journal: str
    mode: str
    currency: str
    exponent: int

    @property
    def base(self) -> str:
        """The topic above all topics of this table."""
        return f"dealer/{self.site}/{self.table}"

    @property
    def source(self) -> str:
        """The CloudEvents source: a new journal is a new epoch."""
        return f"/dealer/{self.site}/{self.table}/{self.journal}"


class Publication(msgspec.Struct, frozen=True):
    """One message for the outbox."""

    sequence: int
    topic: str
    payload: bytes


def publications(
    identity: Identity, event: Event, round: Round | None, last_sequence: int, time: str
) -> list[Publication]:
    """What one event tells the floor: itself, and at its confirmation the whole round.

    `round` is the round as it stands after the event, None outside a round.
    """
    kind = event.__struct_config__.tag
    content = {"schema": SCHEMA, **msgspec.to_builtins(event)}
    content.pop("type")
    if isinstance(event, MessageUntaken):
        content.pop("payload")  # else the broker would not take this one either
    if isinstance(event, HitLocked | HitPaid):
        content |= _money(identity)
    of_round = round is not None and isinstance(event, OF_ROUND)
    if round is not None and of_round:
        content.setdefault("round", round.id)
    subject = f"round/{round.id}" if round is not None and of_round else None
    told = [_sequenced(identity, f"events/{kind}", f"event.{kind}", content, last_sequence + 1, time, subject)]
    if isinstance(event, RoundConfirmed) and round is not None:
        told.append(
            _sequenced(identity, "rounds", "round", round_message(identity, round), last_sequence + 2, time, subject)
        )
    return told


def _sequenced(
    identity: Identity, topic: str, kind: str, content: Any, sequence: int, time: str, subject: str | None
) -> Publication:
    payload = _envelope(identity, f"{identity.journal}/{sequence}", kind, content, time, subject, sequence)
    return Publication(sequence=sequence, topic=f"{identity.base}/{topic}", payload=payload)


def _envelope(
    identity: Identity,
    id: str,
    kind: str,
    content: Any,
    time: str,
    subject: str | None = None,
    sequence: int | None = None,
) -> bytes:
    return msgspec.json.encode(
        Envelope(
            specversion="1.0",
            id=id,
            source=identity.source,
            type=f"{TYPE_PREFIX}.{kind}",
            time=time,
            datacontenttype="application/json",
            subject=subject,
            sequence=sequence,
            data=content,
        )
    )


def round_message(identity: Identity, round: Round) -> dict[str, Any]:
    """A confirmed round: the shape of a settlement, with the wagers as laid and the cards the rules showed."""
    if round.settled is None:
        raise ValueError(f"round {round.id} has no settlement")
    game = game_of(round)
    void = None if round.void is None else {"article": round.void.article, "reason": round.void.reason}
    corrections = [msgspec.to_builtins(one) for one in round.corrections]
    for one in corrections:
        one.pop("type")
        one.pop("draws")
    return {
        "schema": SCHEMA,
        "mode": identity.mode,
        "round": round.id,
        "currency": identity.currency,
        "exponent": identity.exponent,
        "void": void,
        **({"rules": list(round.terms.rules)} if round.terms.rules is not UNSET else {}),
        "irregularities": [msgspec.to_builtins(one) for one in game.irregularities(round)],
        "corrections": corrections,
        **game.report(round, msgspec.to_builtins(round.settled)),
    }


class Retained:
    """The retained messages of a table, by topic; one whose content has not changed stays the message it was."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._contents: dict[str, Any] = {}
        self._messages: dict[str, bytes] = {}

    def of(self, table: PublicTable, as_of: int, time: str) -> dict[str, bytes]:
        """What shall stand on each topic; a topic no longer among them is to be cleared."""
        identity = self._identity
        contents: dict[str, tuple[str, dict[str, Any]]] = {}
        state = {"as_of": as_of, "mode": identity.mode, **_money(identity), **msgspec.to_builtins(table)}
        contents["state"] = ("state", state)
        if table.jackpot is not None:
            contents["jackpot"] = ("jackpot", {**_money(identity), **msgspec.to_builtins(table.jackpot)})
        for device, link in table.devices.items():
            contents[f"devices/{device}"] = ("device", {"device": device, "link": link})
        for alarm in table.alarms:
            fields = msgspec.to_builtins(alarm)
            contents[f"alarms/{alarm.name}"] = ("alarm", {"alarm": fields.pop("name"), **fields})
        messages = {}
        for topic, (kind, content) in contents.items():
            if self._contents.get(topic) == (kind, content):
                messages[topic] = self._messages[topic]
            else:
                id = f"{identity.journal}/{topic}/{time}/{_digest(content)}"
                messages[topic] = _envelope(identity, id, kind, {"schema": SCHEMA, **content}, time)
        self._contents, self._messages = contents, messages
        return {f"{identity.base}/{topic}": message for topic, message in messages.items()}


def _digest(content: dict[str, Any]) -> str:
    return hashlib.blake2s(msgspec.json.encode(content), digest_size=8).hexdigest()


def _money(identity: Identity) -> dict[str, Any]:
    return {"currency": identity.currency, "exponent": identity.exponent}


def status(identity: Identity, online: bool, time: str) -> tuple[str, bytes]:
    """The retained birth, and the will that replaces it."""
    content = {"schema": SCHEMA, "online": online, "mode": identity.mode}
    state = "online" if online else "offline"
    return f"{identity.base}/status", _envelope(identity, f"{identity.journal}/{state}/{time}", "status", content, time)
