"""What happened at tables of all five games, faults and mistakes included: the floor's messages are made from it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from controller.engine.decisions.jackpot import ConfirmHit
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.state.applied import Event, apply
from controller.engine.state.current import Settings
from controller.engine.state.table import Table
from controller.floor.messages import Retained, cosignature, publications, status
from controller.floor.shapes import SCHEMA, Addition, Cosignature, PublishedCheckpoint
from controller.rulebook.events import RoundConfirmed
from controller.statistics.day import Condition, Day
from controller.tlog import merkle
from controller.tlog.notes import Checkpoint, Signer, addition_text
from tests.engine.playing import IDENTITY, Play, stacked
from tests.journal.recorded.kept import read_journal

NOW = "2026-03-14T14:33:24.184Z"
BEGAN = "2026-03-14T14:32:01.007Z"


class Moment(NamedTuple):
    """An event, with the table before and after it."""

    event: Event
    before: Table
    after: Table
    settings: Settings


def recorded(game: str) -> Iterator[Moment]:
    """The events of a table that was played with faults."""
    kept, table = read_journal(game), Table()
    for entry in kept.entries:
        before, table = table, apply(table, entry.event)
        yield Moment(entry.event, before, table, kept.settings)


@cache
def happened(game: str) -> tuple[Moment, ...]:
    """All that happened at the tables of a game."""
    return (*recorded(game),)


def _after(number: int) -> str:
    """When an event happened, so that a day of them has some length."""
    moment = datetime.fromisoformat(BEGAN) + timedelta(milliseconds=1_730 * number)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Message(NamedTuple):
    """One message: its topic below the table's, and itself."""

    topic: str
    payload: bytes


@cache
def messages(game: str) -> tuple[Message, ...]:
    """Everything that the floor is notified of it, retained messages too; each of these when it changes."""
    return (*_messages(game),)


def _messages(game: str) -> Iterator[Message]:
    keep, published, sequence = Retained(IDENTITY), dict[str, bytes](), 0
    day, day_message = Day(IDENTITY, _after(0), Condition(), 5), None
    for since in (NOW, None):
        yield _below(*status(IDENTITY, 1, since))
    for number, (event, before, after, settings) in enumerate(happened(game)):
        for message in publications(IDENTITY, event, before, after, sequence, NOW, began=BEGAN):
            sequence = message.sequence
            yield _below(message.topic, message.payload)
        public = project(after, react(after, IDENTITY.exponent, settings), settings)
        day.receive(_after(number), event)
        if isinstance(event, RoundConfirmed):
            day_message = day.statistics(_after(number), sequence)
        retained = keep.of(public, sequence, NOW, 1, after.meter, day_message)
        for topic, payload in retained.items():
            if published.get(topic) != payload:
                yield _below(topic, payload)
        published = retained


def hit_and_paid() -> Play:
    """A round with a folded hand and a flush that wins a fixed amount, paid."""
    play = Play(stacked("2s 5s 9s", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c Ks 7s")).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200, six_card_bonus=100).bet(3, ante=300).chips(1)
    play.lock()
    play.deal().decisions(seat_3="fold").reveal()
    play.until("begin")
    play.say(ConfirmHit, hit=1)
    play.say(ConfirmHit, "rui", hit=1)
    return play


def of_a_hit() -> Iterator[bytes]:
    """What the floor is notified of it."""
    table, sequence = Table(), 0
    for event, _ in hit_and_paid().entries:
        before, table = table, apply(table, event)
        for message in publications(IDENTITY, event, before, table, sequence, NOW, began=BEGAN):
            sequence = message.sequence
            yield message.payload


def _below(topic: str, payload: bytes) -> Message:
    return Message(topic.removeprefix(f"{IDENTITY.base}/"), payload)


def of_a_witness() -> Iterator[bytes]:
    """A checkpoint as it is, and what a witness says of it."""
    station, witness = Signer(IDENTITY.base, bytes(32)), Signer("witness.example/w1", bytes([1]) * 32)
    leaves = [merkle.leaf(b"%d" % number) for number in range(3)]
    roots = [leaves[0], merkle.node(*leaves[:2]), merkle.node(merkle.node(*leaves[:2]), leaves[2])]
    note = station.sign(Checkpoint(f"{IDENTITY.base}/{IDENTITY.journal}", 3, roots[2]).text)
    addition = Addition(witness.name, addition_text(2, [leaves[2]], note))
    table, settings = next((moment.after, moment.settings) for moment in happened("fortune-3-card-poker-2025"))
    public = project(table, react(table, IDENTITY.exponent, settings), settings)
    message = PublishedCheckpoint(SCHEMA, 3, str(note), (addition,))
    yield Retained(IDENTITY).of(public, 3, NOW, 1, checkpoint=message)[f"{IDENTITY.base}/checkpoint"]
    cosigned = str(witness.cosign(note, 1773498804))
    refusal = str(witness.sign(f"refused\n{IDENTITY.base}\nit was rewound from 4 events to 3\n"))
    yield cosignature(witness.name, Cosignature(SCHEMA, cosigned, refusal), NOW)
    yield cosignature(witness.name, Cosignature(SCHEMA, cosigned, None), NOW)
