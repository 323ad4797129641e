"""A linked pot at a table that runs: what is dropped, when the pit is away, what is sent again, in made-up time."""

from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.deciders import decide
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.link import LinkConfigured, LinkReceived, LinkToCount
from controller.engine.state.applied import fold
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceLost, DeviceUp
from controller.engine.state.jackpot import MeterOpened
from controller.engine.state.table import PIT, Table
from controller.link.messages import (
    BEFORE_ANY,
    Acknowledged,
    Announced,
    Counted,
    Entry,
    Grant,
    Granted,
    KeyUnknown,
    PitAnswer,
    Pot,
    SentEntry,
)
from controller.link.signing import sealed, verified_message
from controller.link.table import Shown
from controller.pit.leader import Leader
from controller.pit.ledger.state import new_ledger
from controller.runtime.bus import Bus, FromStation, StationAlarm
from controller.runtime.linked import LONGEST, LinkedPot
from controller.tlog.notes import Signer
from tests.engine.playing import CHIP, FIXED, PARAMETERS, PEOPLE, terms
from tests.link.entries import PIT_KEY, PUBLIC, key_of, table_key

GAME, NAME, TABLE = "fortune-3-card-poker-2025", "hall", "site/t1"
_sessions = count(1)
SETTINGS = Settings(terms=terms(), people=PEOPLE)


def linked_pot(
    journal: str,
    receive: Callable[[DeviceInput], None],
    drop: Callable[[], None],
    clock: Callable[[], float],
    show: Callable[[Shown], None],
    forged: list[str],
) -> LinkedPot:
    joined = LinkConfigured(NAME, TABLE, GAME, journal, keys=(PUBLIC,))
    session = f"session {next(_sessions)}"
    bus = Bus()
    bus.subscribe(FromStation, lambda message: receive(message.input))
    bus.subscribe(Shown, show)
    bus.subscribe(StationAlarm, lambda message: forged.append(message.alarm.details))
    signer = table_key(TABLE)
    return LinkedPot(joined, CHIP, FIXED, bus=bus, drop=drop, now=clock, signer=signer, session=session)


def received(sent: tuple[str, bytes]) -> tuple[Entry, str]:
    """What the pit makes of a message of the table: the entry, and the session."""
    message = msgspec.json.decode(verified_message([table_key(TABLE).verifier], *sent), type=SentEntry)
    return Entry(message.link, message.table, message.journal, message.seq, message.body), message.session


class Running:
    """A table whose journal is a list, with its half of the link; the pit is a leader that is asked by hand."""

    def __init__(self, table: Table | None = None) -> None:
        self.now, self.dropped, self.table = 100.0, 0, table or Table()
        self.inputs: list[DeviceInput] = []
        self.shown: list[Shown] = []
        self.forged: list[str] = []
        self.link = linked_pot("j1", self._receive, self._drop, lambda: self.now, self.shown.append, self.forged)
        self.pit = Leader(new_ledger(NAME, GAME, (TABLE,), MeterOpened(600_000, 0, PARAMETERS)), 1)
        self.link.start(self.table)

    def _receive(self, input: DeviceInput) -> None:
        self.inputs.append(input)
        self.table = fold(self.table, decide(self.table, input, SETTINGS, {}).events)
        self.link.follow(self.table)

    def _drop(self) -> None:
        self.dropped += 1

    def beat(self, **changed: Any) -> None:
        self.publish(replace(self.pit.beat(), **changed))

    def publish(self, message: Pot | PitAnswer, retained: bool = False, topic: str = "", by: Signer = PIT_KEY) -> None:
        """What the pit signs comes at the table."""
        own = self.link.pot if isinstance(message, Pot) else self.link.answers
        self.link.receive(own, sealed(by, topic or own, message), retained)

    def carry(self) -> list[Entry]:
        """What is due goes to the pit, and its answers come back."""
        self.link.look()
        due = self.link.due()
        for entry, session in map(received, due):
            for answer in self.pit.receive(entry, session):
                self.publish(answer)
        if self.pit.batch(100)[0] is not None:
            for answer in self.pit.committed():
                self.publish(answer)
        return [received(input)[0] for input in due]

    @property
    def up(self) -> bool:
        return isinstance(self.table.devices.get(PIT), DeviceUp)


def linked() -> Running:
    running = Running()
    running.carry()
    running.beat()
    assert running.up
    return running


def test_linked_pot_9_a_table_is_up_once_its_journal_was_accepted_and_a_pot_was_received() -> None:
    running = Running()
    assert PIT not in running.table.devices
    running.beat()
    assert not running.up, "no one has accepted the journal yet"
    [entry] = running.carry()
    assert entry.body == Announced() and not running.up, "that pot was published before the answer"
    running.beat()
    assert running.up


def test_linked_pot_9_a_new_table_has_no_alarm_of_its_pit_before_the_pit_had_time_to_answer() -> None:
    running = Running()
    running.now += 9.9
    running.link.look()
    assert PIT not in running.table.devices
    running.now += 0.1
    running.link.look()
    lost = running.table.devices[PIT]
    assert isinstance(lost, DeviceLost) and lost.cause == "no_answer"
    waits = Running()
    waits.now += 10.0
    waits.beat()
    lost = waits.table.devices[PIT]
    assert isinstance(lost, DeviceLost) and lost.cause == "not_taken_up"
    again = Running(linked().table)
    assert isinstance(again.table.devices[PIT], DeviceLost), "its chips count only once the pit answers again"


def test_linked_pot_1_an_entry_is_sent_each_second_until_the_pit_has_it() -> None:
    running = Running()
    running.link.look()
    assert len(running.link.due()) == 1 and running.link.due() == []
    running.now += 0.5
    running.link.look()
    assert running.link.due() == []
    running.now += 0.6
    [entry] = running.carry()
    assert entry.seq == 1
    running.now += 5.0
    assert all(entry.seq > 1 for entry in running.carry())


def test_linked_pot_3_the_pit_is_away_three_seconds_after_its_last_pot_by_the_tables_clock() -> None:
    running = linked()
    running.now += 2.9
    running.link.look()
    assert running.up
    running.now += 0.1
    running.link.look()
    lost = running.table.devices[PIT]
    assert isinstance(lost, DeviceLost) and lost.reason == "nothing was received for 3 seconds"
    running.beat(pot=600_007)
    assert running.up
    shown = [(None, True), (600_000, False), (600_000, True), (600_007, False)]
    assert running.shown == [Shown(pot, fault) for pot, fault in shown]


def test_linked_pot_3_a_retained_pot_and_one_of_a_lower_epoch_prove_no_one_alive() -> None:
    running = linked()
    running.pit = Leader(running.pit.ledger, 3)
    running.beat()
    running.now += 4.0
    running.publish(running.pit.beat(), retained=True)
    running.beat(epoch=2, beat=999)
    running.link.look()
    assert not running.up


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"stopped": "meters_differ"}, "the pit has stopped the link: meters_differ"),
        (
            {"terms_number": 2, "parameters": replace(PARAMETERS, chip=CHIP + 1)},
            f"its chips are worth {CHIP + 1}, those of this table",
        ),
    ],
)
def test_linked_pot_7_a_link_that_is_stopped_or_of_other_chips_takes_none(changed: Any, reason: str) -> None:
    running = linked()
    running.beat(**changed)
    lost = running.table.devices[PIT]
    assert isinstance(lost, DeviceLost) and lost.reason.startswith(reason)


def test_linked_pot_7_the_table_says_what_it_adds_up_to_at_each_new_pot_and_each_hour() -> None:
    running = linked()

    def counts() -> int:
        return sum(isinstance(input, LinkToCount) for input in running.inputs)

    running.now += 1.0
    running.link.look()
    answer = counts()
    for seconds, more in ((1.0, 0), (3598.0, 0), (1.0, 1)):
        running.now += seconds
        running.link.look()
        assert counts() == answer + more
    running.beat(cycle=2)
    running.now += 1.0
    running.link.look()
    assert counts() == answer + 2
    assert [entry for entry in running.carry() if isinstance(entry.body, Counted)]
    assert running.pit.ledger.stopped == ""


def pot(**changed: Any) -> Pot:
    return replace(Pot(NAME, 1, 5, 1, 600_000, 1, 1, PARAMETERS, 1), **changed)


GRANT = Grant("j1/1", BEFORE_ANY, 1, 600_000, 1, PARAMETERS, (), {})
ABSURD_POTS: list[dict[str, Any]] = [
    {"link": "other"},
    {"epoch": 0},
    {"beat": -1},
    {"tables": 0},
    {"pot": -1},
    {"pot": 10**16},
    {"cycle": 0},
    {"parameters": replace(PARAMETERS, chip=0)},
    {"parameters": replace(PARAMETERS, minimum=0)},
    {"parameters": replace(PARAMETERS, increment_bp=-1)},
    {"parameters": replace(PARAMETERS, reserve_bp=9_000)},
    {"parameters": replace(PARAMETERS, ceiling=1)},
    {"parameters": replace(PARAMETERS, fixed={})},
    {"parameters": replace(PARAMETERS, fixed={**FIXED, "flush": 0})},
]
ABSURD = [
    *(pot(**changed) for changed in ABSURD_POTS),
    Acknowledged("other", TABLE, "j1", 1, 1, 1),
    Acknowledged(NAME, "site/t2", "j1", 1, 1, 1),
    Acknowledged(NAME, TABLE, "j1", 10**16, 1, 1),
    Acknowledged(NAME, TABLE, "j1", -1, 1, 1),
    Acknowledged(NAME, TABLE, "j1", 1, 1, -1),
    Granted("other", TABLE, 1, 1, GRANT),
    Granted(NAME, TABLE, 1, 1, replace(GRANT, number=0)),
    Granted(NAME, TABLE, 1, 1, replace(GRANT, pot=-1)),
    KeyUnknown("other", TABLE, 1, 1, PUBLIC),
]


@pytest.mark.parametrize("message", ABSURD)
def test_linked_pot_3_what_cannot_be_true_is_counted_and_dropped(message: Pot | PitAnswer) -> None:
    running = linked()
    before, inputs = running.table, len(running.inputs)
    running.publish(message)
    assert running.dropped == 1
    assert (running.table, len(running.inputs)) == (before, inputs)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"{}", b"[" * 10_000, b'{"type":"pot"}', b"9" * 5_000],
    ids=lambda sent: f"{sent[:12]!r} of {len(sent)}",
)
@pytest.mark.parametrize("topic", [lambda link: link.pot, lambda link: link.answers], ids=["pot", "answers"])
def test_linked_pot_3_what_is_malformed_is_counted_and_dropped(
    topic: Callable[[LinkedPot], str], content: bytes
) -> None:
    running = linked()
    running.link.receive(topic(running.link), content, False)
    assert running.dropped == 1 and running.up


def test_linked_pot_9_what_is_answered_of_the_journal_before_is_not_of_the_new_one() -> None:
    before = linked()
    before.carry()
    queued: list[DeviceInput] = []
    again = linked_pot("j2", queued.append, before._drop, lambda: 0.0, lambda shown: None, [])
    again.start(before.table)  # the announcement of its journal is not durable yet
    again.look()
    again.receive(again.answers, sealed(PIT_KEY, again.answers, Acknowledged(NAME, TABLE, "j1", 99, 9, 99)), False)
    assert again.due() == [] and not [item for item in queued if isinstance(item, LinkReceived)] and not before.dropped
    table = fold(before.table, decide(before.table, queued[0], SETTINGS, {}).events)
    again.follow(table)
    again.look()
    assert [received(input)[0].journal for input in again.due()] == ["j2"]


def test_linked_pot_6_a_station_that_begins_again_continues_from_its_journal() -> None:
    before = linked()
    before.carry()
    again = Running(before.table)
    assert again.table.link == before.table.link
    again.pit = before.pit
    again.beat()
    assert isinstance(again.table.devices[PIT], DeviceLost)
    assert [entry.seq for entry in again.carry()] == [2], "what it sent last, to learn what the pit has"
    again.beat()
    assert again.up
    assert [entry.seq for entry in again.carry()] == [3], "it counts as soon as it is back, and announces nothing"


def test_linked_pot_3_a_message_of_endless_length_is_dropped_unread() -> None:
    running = linked()
    running.link.receive(
        running.link.pot, b" " * LONGEST + sealed(PIT_KEY, running.link.pot, running.pit.beat()), False
    )
    assert running.dropped == 1


def test_linked_pot_3_an_answer_that_is_there_from_before_is_none() -> None:
    running = Running()
    running.publish(Acknowledged(NAME, TABLE, "j1", 1, 1, 1), retained=True)
    assert running.table.link is not None and running.table.link.kept.through == 0


MOST = 10**15


@pytest.mark.parametrize(
    "forged",
    [
        lambda running: replace(running.pit.beat(), epoch=MOST, pot=1),
        lambda running: replace(running.pit.beat(), beat=MOST, pot=900_000_00),
        lambda running: Granted(NAME, TABLE, 1, 9, replace(GRANT, claim="j1/1")),
        lambda running: Acknowledged(NAME, TABLE, "j1", 1, MOST, MOST),
        lambda running: KeyUnknown(NAME, TABLE, MOST, MOST, str(table_key(TABLE).verifier)),
    ],
    ids=["epoch", "beat", "grant", "answer", "key"],
)
@pytest.mark.parametrize("by", ["no key", "the table's own key", "another key"])
def test_linked_pot_2_what_the_pit_has_not_signed_is_dropped_and_the_link_continues_over_a_start(
    forged: Callable[[Running], Pot | PitAnswer], by: str
) -> None:
    running = linked()
    for _ in range(2):
        before, inputs = running.table, len(running.inputs)
        message = forged(running)
        topic = running.link.pot if isinstance(message, Pot) else running.link.answers
        signer = {"the table's own key": table_key(TABLE), "another key": key_of("pit.example/other")}.get(by)
        content = msgspec.json.encode(message) if signer is None else sealed(signer, topic, message)
        running.link.receive(topic, content, False)
        assert (running.table, len(running.inputs)) == (before, inputs)
        assert running.dropped == len(running.forged) == 1
        running.beat(pot=600_007)
        assert running.up and running.shown[-1] == Shown(600_007, False)
        pit, running = running.pit, Running(running.table)
        running.pit = pit
        running.carry()
        running.beat()


def test_linked_pot_2_a_true_message_of_another_table_or_link_is_none() -> None:
    running = linked()
    before = running.table
    for message, topic in (
        (running.pit.beat(), "dealer/site/links/other/pot"),
        (running.pit.beat(), "dealer/elsewhere/links/hall/pot"),
        (Acknowledged(NAME, TABLE, "j1", 1, 1, 9), "dealer/site/t2/linked/hall"),
    ):
        running.publish(replace(message, epoch=2), topic=topic)
    assert running.dropped == 3 and running.table == before


def test_linked_pot_2_what_was_true_before_a_start_is_no_sign_of_life_and_no_answer_after_it() -> None:
    running = linked()
    [entry] = running.carry()
    old = running.pit.beat(), running.pit.receive(entry, "session of before")[0]
    again = Running(running.table)
    for _ in range(3):
        again.now += 1.0
        for message in old:
            again.publish(message)
        again.link.look()
        assert not again.up, "nothing of it answers what this session has asked"
    again.pit = running.pit
    again.carry()
    assert not again.up, "the beats of before were published before the answer"
    again.beat()
    assert again.up
