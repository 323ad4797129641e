"""A linked pot at a table that runs: what is dropped, when the pit is away, what is said again, in made-up time."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decide import decide
from controller.engine.events import DeviceLost, DeviceUp
from controller.engine.inputs import FromDevice, LinkConfigured, LinkHeard, LinkToCount
from controller.engine.jackpot_events import MeterOpened
from controller.engine.settings import Settings
from controller.engine.table import PIT, Table, fold
from controller.link.messages import Acknowledged, Announced, Counted, Entry, Grant, Granted, Pot
from controller.link.table import Shown
from controller.pit import ledger as book
from controller.pit.leader import Leader
from controller.runtime.linked import LONGEST, LinkedPot
from tests.engine.playing import CHIP, FIXED, PARAMETERS, PEOPLE, terms

GAME, NAME, TABLE = "fortune-3-card-poker-2025", "hall", "site/t1"
SETTINGS = Settings(terms=terms(), people=PEOPLE)


class Running:
    """A table whose journal is a list, with its half of the link; the pit is a leader that is asked by hand."""

    def __init__(self, table: Table | None = None) -> None:
        self.now, self.dropped, self.table = 100.0, 0, table or Table()
        self.heard: list[FromDevice] = []
        joined = LinkConfigured(NAME, TABLE, GAME, "j1")
        self.shown: list[Shown] = []
        clock, show = lambda: self.now, self.shown.append
        self.link = LinkedPot(joined, CHIP, FIXED, self._hear, lambda: None, self._drop, clock, show)
        self.pit = Leader(book.begin(NAME, GAME, (TABLE,), MeterOpened(600_000, 0, PARAMETERS)), 1)
        self.link.start(self.table)

    def _hear(self, input: FromDevice) -> None:
        self.heard.append(input)
        self.table = fold(self.table, decide(self.table, input, SETTINGS, {}).events)
        self.link.durable(self.table)

    def _drop(self) -> None:
        self.dropped += 1

    def beat(self, **changed: Any) -> None:
        pot = replace(self.pit.beat(), **changed)
        self.link.heard(self.link.pot, msgspec.json.encode(pot), False)

    def answer(self, answer: object, retained: bool = False) -> None:
        self.link.heard(self.link.answers, msgspec.json.encode(answer), retained)

    def carry(self) -> list[Entry]:
        """What is due goes to the pit, and its answers come back."""
        self.link.look()
        entries = [msgspec.json.decode(payload, type=Entry) for _, payload in self.link.due()]
        for entry in entries:
            for told in self.pit.hear(entry):
                self.answer(told)
        if self.pit.batch(100)[0] is not None:
            for told in self.pit.committed():
                self.answer(told)
        return entries

    @property
    def up(self) -> bool:
        return isinstance(self.table.devices.get(PIT), DeviceUp)


def linked() -> Running:
    running = Running()
    running.carry()
    running.beat()
    assert running.up
    return running


def test_linked_pot_9_a_table_is_up_once_its_journal_was_accepted_and_a_pot_was_heard() -> None:
    running = Running()
    assert isinstance(running.table.devices[PIT], DeviceLost)
    running.beat()
    assert not running.up, "nobody has accepted the journal yet"
    [entry] = running.carry()
    assert entry.body == Announced() and running.up


def test_linked_pot_1_an_entry_is_said_each_second_until_the_pit_has_it() -> None:
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


def test_linked_pot_3_a_retained_pot_and_one_of_a_lower_epoch_prove_nobody_alive() -> None:
    running = linked()
    running.pit = Leader(running.pit.ledger, 3)
    running.beat()
    running.now += 4.0
    running.link.heard(running.link.pot, msgspec.json.encode(running.pit.beat()), True)
    running.beat(epoch=2, beat=999)
    running.link.look()
    assert not running.up


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"stopped": "meters_differ"}, "the pit has stopped the link: meters_differ"),
        ({"parameters": replace(PARAMETERS, chip=CHIP + 1)}, f"its chips are worth {CHIP + 1}, those of this table"),
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
        return sum(isinstance(one, LinkToCount) for one in running.heard)

    running.now += 1.0
    running.link.look()
    told = counts()
    for seconds, more in ((1.0, 0), (3598.0, 0), (1.0, 1)):
        running.now += seconds
        running.link.look()
        assert counts() == told + more
    running.beat(cycle=2)
    running.now += 1.0
    running.link.look()
    assert counts() == told + 2
    assert [entry for entry in running.carry() if isinstance(entry.body, Counted)]
    assert running.pit.ledger.stopped == ""


def pot(**changed: Any) -> Pot:
    return replace(Pot(NAME, 1, 5, 1, 600_000, 1, 1, PARAMETERS), **changed)


GRANT = Grant("j1/1", 1, 600_000, PARAMETERS, (), {})
ABSURD_POTS: list[dict[str, Any]] = [
    {"link": "other"},
    {"epoch": 0},
    {"beat": -1},
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
    Granted("other", TABLE, 1, GRANT),
    Granted(NAME, TABLE, 1, replace(GRANT, number=0)),
    Granted(NAME, TABLE, 1, replace(GRANT, pot=-1)),
]


@pytest.mark.parametrize("said", ABSURD)
def test_linked_pot_3_what_cannot_be_true_is_counted_and_dropped(said: Pot | Acknowledged | Granted) -> None:
    running = linked()
    before, inputs = running.table, len(running.heard)
    topic = running.link.pot if isinstance(said, Pot) else running.link.answers
    running.link.heard(topic, msgspec.json.encode(said), False)
    assert running.dropped == 1
    assert (running.table, len(running.heard)) == (before, inputs)


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
    running.link.heard(topic(running.link), content, False)
    assert running.dropped == 1 and running.up


def test_linked_pot_9_what_is_said_of_the_journal_before_is_not_of_the_new_one() -> None:
    before = linked()
    before.carry()
    queued: list[FromDevice] = []
    again = LinkedPot(
        LinkConfigured(NAME, TABLE, GAME, "j2"), CHIP, FIXED, queued.append, lambda: None, before._drop, lambda: 0.0
    )
    again.start(before.table)  # the announcement of its journal is not durable yet
    again.look()
    again.heard(again.answers, msgspec.json.encode(Acknowledged(NAME, TABLE, "j1", 99, 9, 99)), False)
    assert again.due() == [] and not [one for one in queued if isinstance(one, LinkHeard)] and not before.dropped
    table = fold(before.table, decide(before.table, queued[0], SETTINGS, {}).events)
    again.durable(table)
    again.look()
    assert [msgspec.json.decode(payload, type=Entry).journal for _, payload in again.due()] == ["j2"]


def test_linked_pot_6_a_station_that_begins_again_goes_on_from_its_journal() -> None:
    before = linked()
    before.carry()
    again = Running(before.table)
    assert again.table.link == before.table.link
    again.pit = before.pit
    again.beat()
    assert isinstance(again.table.devices[PIT], DeviceLost)
    assert [entry.seq for entry in again.carry()] == [2], "what it said last, to hear what the pit has"
    again.beat()
    assert again.up
    assert [entry.seq for entry in again.carry()] == [3], "it counts as soon as it is back, and announces nothing"


def test_linked_pot_3_a_message_of_endless_length_is_dropped_unread() -> None:
    running = linked()
    running.link.heard(running.link.pot, msgspec.json.encode(running.pit.beat()) + b" " * LONGEST, False)
    assert running.dropped == 1


def test_linked_pot_3_an_answer_that_lies_there_from_before_is_none() -> None:
    running = Running()
    running.answer(Acknowledged(NAME, TABLE, "j1", 1, 1, 1), retained=True)
    assert running.table.link is not None and running.table.link.kept.through == 0
