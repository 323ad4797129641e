"""The messages on the floor's topics: CloudEvents 1.0 in structured JSON. No I/O here."""

import hashlib
from typing import Any, Literal

import msgspec

from controller.engine.shown.public import PublicTable
from controller.engine.state.alarms import AlarmCleared, AlarmRaised
from controller.engine.state.applied import OF_ROUND, Event
from controller.engine.state.jackpot import Meter
from controller.engine.state.table import Table
from controller.floor import message_data, published, shapes
from controller.rulebook.events import RoundConfirmed

TYPE_PREFIX = "dealer.station"
DATASCHEMA = "urn:dealer-station:schema"
DIGITS = 12  # of a sequence as text, which sorts as the number does


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A CloudEvents 1.0 message. `sequence` counts events and rounds of one journal without a gap; others have none.

    `time` is when it happened, `recordedtime` when it was recorded, where that was later; only the status `offline` has
    no `time`. `session` is the session with the broker that a retained message belongs to.
    """

    id: str
    source: str
    type: str
    time: str | None = None
    data: Any
    session: int | None = None
    subject: str | None = None
    sequence: str | None = None
    recordedtime: str | None = None
    dataschema: str | None = None
    specversion: Literal["1.0"] | None = None
    datacontenttype: Literal["application/json"] | None = None


class Identity(msgspec.Struct, frozen=True):
    """The identity of a table in its messages; money is in minor units of `currency`, 10^-`exponent` of its unit."""

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
    identity: Identity,
    event: Event,
    before: Table,
    after: Table,
    last_sequence: int,
    time: str,
    *,
    began: str | None = None,
) -> list[Publication]:
    """The messages of one event to the floor: the event, and at a confirmation the whole round, which `began` then.

    The table is given as it was before the event and as it is after it.
    """
    round = after.round or before.round
    of = round.id if round is not None and isinstance(event, OF_ROUND) else None
    of = _round_of(event, before.meter) or of
    subject = f"round/{of}" if of is not None else None
    sequence = last_sequence + 1
    messages = []
    if published.is_published(type(event)):
        content = published.event_data(event, of, round, _money(identity), sequence)
        kind = published.event_name(type(event))
        happened = event.at if isinstance(event, AlarmRaised | AlarmCleared) else time
        messages.append(
            _sequenced(identity, f"events/{kind}", f"event.{kind}", content, sequence, happened, subject, time)
        )
        sequence += 1
    if isinstance(event, RoundConfirmed) and round is not None:
        of_table = {"mode": identity.mode, **_money(identity)}
        whole = message_data.round_data(round, of_table, sequence, began, time, event.actor)
        messages.append(_sequenced(identity, "rounds", "round", whole, sequence, time, subject, time))
    return messages


def _round_of(event: Event, meter: Meter | None) -> int | None:
    """The round that an event names by itself, or by the number of a hit."""
    named = getattr(event, "round", None)
    if named is None and meter is not None and (number := getattr(event, "hit", None)) is not None:
        named = next((hit.round for hit in meter.hits if hit.hit == number), None)
    return named


def _sequenced(
    identity: Identity,
    topic: str,
    kind: str,
    content: Any,
    sequence: int,
    time: str,
    subject: str | None,
    recorded: str,
) -> Publication:
    id = f"{identity.journal}/{sequence}"
    payload = _envelope(identity, id, kind, content, time, subject, sequence, recorded)
    return Publication(sequence=sequence, topic=f"{identity.base}/{topic}", payload=payload)


def _envelope(
    identity: Identity,
    id: str,
    kind: str,
    content: Any,
    time: str | None,
    subject: str | None = None,
    sequence: int | None = None,
    recorded: str | None = None,
    session: int | None = None,
) -> bytes:
    return msgspec.json.encode(
        Envelope(
            specversion="1.0",
            id=id,
            source=identity.source,
            type=f"{TYPE_PREFIX}.{kind}",
            time=time,
            datacontenttype="application/json",
            dataschema=f"{DATASCHEMA}:{shapes.SCHEMA}:{kind}",
            subject=subject,
            sequence=None if sequence is None else f"{sequence:0{DIGITS}}",
            recordedtime=recorded if recorded != time else None,
            session=session,
            data=content,
        )
    )


class Retained:
    """The retained messages of a table, by topic; one whose content has not changed stays the message it was."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._contents: dict[str, Any] = {}
        self._messages: dict[str, bytes] = {}
        self._session = 0
        self._states = 0  # of this session
        self._first_state = ""

    def of(
        self,
        table: PublicTable,
        as_of: int,
        time: str,
        session: int,
        meter: Meter | None = None,
        statistics: shapes.PublishedStatistics | None = None,
        checkpoint: shapes.PublishedCheckpoint | None = None,
        clock_synchronised: bool = True,
    ) -> dict[str, bytes]:
        """The message of each retained topic; a topic that is no longer among them has to be cleared. `meter` is the
        pot's meter.
        """
        identity = self._identity
        contents = self._contents_of(table, as_of, meter, clock_synchronised)
        if statistics is not None:
            contents["statistics"] = ("statistics", statistics)
        if checkpoint is not None:
            contents["checkpoint"] = ("checkpoint", checkpoint)
        if session != self._session:
            self._session, self._contents, self._states = session, {}, 0
        messages = {}
        for topic, (kind, content) in contents.items():
            if self._contents.get(topic) == (kind, _lasting(content)):
                messages[topic] = self._messages[topic]
            else:
                id = self._id(topic, content, time)
                messages[topic] = _envelope(identity, id, kind, content, time, session=session)
        self._contents = {topic: (kind, _lasting(content)) for topic, (kind, content) in contents.items()}
        self._messages = messages
        return {f"{identity.base}/{topic}": message for topic, message in messages.items()}

    def _id(self, topic: str, content: Any, time: str) -> str:
        """The id of a message. States are numbered within a session, so a follower of the differences notices a gap."""
        id = f"{self._identity.journal}/{topic}/{self._session}/{time}/{_digest(content)}"
        if topic != "state":
            return id
        self._states += 1
        if self._states == 1:
            self._first_state = _digest(id)
        return f"state/{self._first_state}/{self._states}"

    def _contents_of(
        self, table: PublicTable, as_of: int, meter: Meter | None, clock_synchronised: bool
    ) -> dict[str, tuple[str, Any]]:
        money = _money(self._identity)
        contents: dict[str, tuple[str, Any]] = {}
        state = message_data.state_data(table, self._identity.mode, money, as_of, clock_synchronised)
        contents["state"] = ("state", state)
        if table.jackpot is not None and meter is not None:
            contents["jackpot"] = ("jackpot", message_data.jackpot_data(meter, table.jackpot, money, as_of))
        for device, link in table.devices.items():
            contents[f"devices/{device}"] = ("device", shapes.PublishedDevice(shapes.SCHEMA, device, link))
        for alarm in table.alarms:
            contents[f"alarms/{alarm.name}"] = ("alarm", message_data.alarm_data(alarm))
        return contents


def unnumbered(identity: Identity, kind: str, content: Any, time: str, session: int | None = None) -> bytes:
    """A message without an event: an archive's progress, the end of an answer. A retained one has a session."""
    id = f"{identity.journal}/{kind}/{time}/{_digest((content, session))}"
    return _envelope(identity, id, kind, content, time, session=session)


def _lasting(content: Any) -> Any:
    """The content that is compared with the message before. A jackpot's `as_of` alone makes no new message."""
    return msgspec.structs.replace(content, as_of=0) if isinstance(content, shapes.PublishedJackpot) else content


def _digest(content: Any) -> str:
    return hashlib.blake2s(msgspec.json.encode(content), digest_size=8).hexdigest()


def _money(identity: Identity) -> dict[str, Any]:
    return {"currency": identity.currency, "exponent": identity.exponent}


def status(identity: Identity, session: int, since: str | None) -> tuple[str, bytes]:
    """The status: online since a time; or offline. The latter is also the will and has no time, since the broker
    publishes it later.
    """
    online = since is not None
    content = shapes.PublishedStatus(shapes.SCHEMA, online, identity.mode)
    id = f"{identity.journal}/{'online' if online else 'offline'}/{session}"
    return f"{identity.base}/status", _envelope(identity, id, "status", content, since, session=session)


class _CosignatureMessage(msgspec.Struct):
    data: shapes.Cosignature


def cosignature(witness: str, cosigned: shapes.Cosignature, time: str) -> bytes:
    """A witness's cosignature of a table's checkpoint."""
    kind = "cosignature"
    return msgspec.json.encode(
        Envelope(
            specversion="1.0",
            id=f"{witness}/{time}/{_digest(cosigned)}",
            source=f"/{witness}",
            type=f"{TYPE_PREFIX}.{kind}",
            time=time,
            datacontenttype="application/json",
            dataschema=f"{DATASCHEMA}:{shapes.SCHEMA}:{kind}",
            data=cosigned,
        )
    )


def cosignature_of(payload: bytes) -> shapes.Cosignature:
    """Decodes a witness's message. Raises DecodeError."""
    return _decode_cosignature(payload).data


_decode_cosignature = msgspec.json.Decoder(_CosignatureMessage).decode
