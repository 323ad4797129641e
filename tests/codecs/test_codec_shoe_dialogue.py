"""The dialogue with the shoe on a clock of its own, reported what a shoe would answer. No I/O here."""

from functools import reduce
from operator import xor

import pytest

from drivers.angel_eye.codec import clear_error, lock
from drivers.angel_eye.dialogue import ANSWER_TRIES, NoAnswer, ShoeAnswered, ShoeDialogue, ShoeTiming
from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import (
    CardDrawn,
    CutCardSeen,
    Message,
    PresetChanged,
    ReportsLost,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeRefused,
    ShoeStarted,
)

TIMING = ShoeTiming(answer=4, retry=5, copies=3)
ACK, BUSY = b"\x06", b"\x15\x21"
LOCK, UNLOCK, CLEAR_1 = lock(True), lock(False), clear_error(1)


def report(text: bytes) -> bytes:
    body = text + b"\x03"
    return b"\x05" + body + b"%02X" % reduce(xor, body)


EIGHT_OF_SPADES = report(b"1D\x81\xb8")
CUT_CARD = report(b"3C")
LOCKED_BY_HAND = report(b"5L\x81")
START = report(b"CS")
CANNOT_READ = report(b"4E\xc1")
CLEARED = report(b"5e\xc1")


class Table:
    """A dialogue, its clock, what it has sent with the times, and what it has reported.

    The shoe's port opens at 100.
    """

    def __init__(self, mark: Mark | None = None, timing: ShoeTiming = TIMING, locked: bool = True) -> None:
        self.dialogue = ShoeDialogue(mark, timing)
        self.dialogue.order(locked)
        self.now = 100.0
        self.sent: list[tuple[float, bytes]] = []
        self.reports: list[tuple[Message, Mark | None]] = []
        self.noise = 0
        self.open()

    def open(self) -> None:
        self.dialogue.opened(self.now)
        self._send()

    def receive(self, octets: bytes) -> None:
        for event in self.dialogue.receive(octets, self.now):
            match event:
                case ShoeAnswered(reports):
                    self.reports += reports
                case LineNoise(count):
                    self.noise += count
        self._send()

    def order(self, locked: bool) -> None:
        self.dialogue.order(locked)
        self._send()

    def wait(self) -> None:
        """Until the dialogue has something to do by itself."""
        assert self.dialogue.due is not None and self.dialogue.due > self.now
        self.now = self.dialogue.due
        self._send()

    @property
    def messages(self) -> list[Message]:
        return [message for message, _ in self.reports]

    def taken(self) -> list[tuple[float, bytes]]:
        sent, self.sent = self.sent, []
        return sent

    def _send(self) -> None:
        if command := self.dialogue.send(self.now):
            self.sent.append((self.now, command))
        assert self.dialogue.send(self.now) == b""  # one at a time


def test_the_lock_command_is_the_greeting_and_its_acknowledgement_the_lock() -> None:
    table = Table()
    assert table.sent == [(100, LOCK)] and not table.reports
    table.receive(ACK)
    assert table.reports == [(ShoeLocked(True), None)] and table.dialogue.due is None
    table.receive(ACK + BUSY)  # no one asked
    assert table.noise == 3 and len(table.reports) == 1


def test_babble_is_noise_and_the_next_report_is_received() -> None:
    table = Table()
    table.receive(ACK)
    table.receive(b"\x00\x06\x05\x31\x44" + EIGHT_OF_SPADES[:6] + b"\x05" + report(b"4M"))
    assert table.noise == 12 and table.messages == [ShoeLocked(True), PresetChanged()]


def test_the_lock_follows_the_order_and_someone_elses_hand_is_undone() -> None:
    table = Table()
    table.order(False)
    assert len(table.sent) == 1  # one command at a time
    table.receive(ACK)
    assert table.taken() == [(100, LOCK), (100, UNLOCK)]
    table.receive(ACK)
    table.order(False)
    assert not table.sent and table.messages == [ShoeLocked(True), ShoeLocked(False)]
    table.receive(LOCKED_BY_HAND)
    assert table.messages[2:] == [ShoeLocked(True)] and not table.sent
    table.wait()
    assert table.sent == [(105, UNLOCK)]


def test_reports_missing_since_the_mark_are_lost() -> None:
    table = Table(Mark(0, 8))
    table.receive(CUT_CARD)  # 9, 1 and 2 are missing
    assert table.reports == [(ReportsLost(3), Mark(0, 2)), (CutCardSeen(), Mark(0, 3))]


def test_copies_after_a_restart_are_copies_while_they_can_come() -> None:
    early, late = Table(Mark(0, 1)), Table(Mark(0, 1))
    early.now, late.now = 102.9, 103.0
    for table in (early, late):
        table.receive(EIGHT_OF_SPADES * 2 + CUT_CARD)
    assert early.messages == [ReportsLost(1), CutCardSeen()]
    assert late.messages == [ReportsLost(8), CardDrawn("8s"), ReportsLost(1), CutCardSeen()]


def test_copies_that_straddle_an_opening_are_copies() -> None:
    table = Table()
    table.receive(EIGHT_OF_SPADES)
    table.now = 200
    table.open()
    table.receive(EIGHT_OF_SPADES)
    assert table.messages == [CardDrawn("8s")]


def test_a_start_report_is_reported_and_the_lock_established_again() -> None:
    table = Table()
    table.receive(ACK + START * 3)
    assert table.sent == [(100, LOCK), (100, LOCK)]
    table.receive(ACK + EIGHT_OF_SPADES)
    assert table.messages == [ShoeLocked(True), ShoeStarted(), ShoeLocked(True), CardDrawn("8s")]


def test_a_start_report_gives_the_command_on_its_way_the_whole_time_again() -> None:
    table = Table()
    table.now = 103
    table.receive(START)
    assert table.dialogue.due == 107 and len(table.sent) == 1


def test_a_command_without_an_answer_is_repeated_and_the_last_is_silence() -> None:
    table = Table()
    table.wait()
    table.wait()
    assert table.sent == [(100, LOCK), (104, LOCK), (108, LOCK)]
    with pytest.raises(NoAnswer) as silence:
        table.wait()
    assert silence.value.waited == ANSWER_TRIES * 4
    table.now = 200
    table.open()
    assert table.sent[3:] == [(200, LOCK)] and table.dialogue.due == 204


def test_only_tries_in_a_row_are_silence() -> None:
    table = Table()
    table.wait()
    table.wait()
    for locked in (False, True):
        table.receive(ACK)
        table.order(locked)
        table.wait()
    assert [command for _, command in table.sent] == [LOCK] * 3 + [UNLOCK] * 2 + [LOCK] * 2


def test_someone_elses_hand_is_left_to_the_command_on_its_way() -> None:
    table = Table(locked=False)
    table.receive(LOCKED_BY_HAND + ACK)
    assert table.messages == [ShoeLocked(True), ShoeLocked(False)] and table.dialogue.due is None
    assert len(table.sent) == 1


def test_the_lock_is_probed_in_idle_where_that_is_wanted() -> None:
    table = Table(timing=ShoeTiming(answer=4, idle_probe=60))
    table.receive(ACK)
    table.wait()
    table.receive(ACK)
    assert table.sent == [(100, LOCK), (160, LOCK)] and table.messages == [ShoeLocked(True)]


def test_a_refusal_is_named_once_and_the_command_repeated() -> None:
    table = Table()
    table.receive(BUSY)
    table.wait()
    table.receive(BUSY)
    table.wait()
    table.wait()  # no answer
    table.receive(ACK)
    assert table.sent == [(100, LOCK), (105, LOCK), (110, LOCK), (114, LOCK)]
    assert table.messages == [ShoeRefused(0x21, "busy"), ShoeLocked(True)]
    table.order(False)
    table.receive(BUSY)
    assert table.messages[2:] == [ShoeRefused(0x21, "busy")]


def test_an_error_is_cleared_at_once_while_the_shoe_is_to_be_unlocked() -> None:
    table = Table(locked=False)
    table.receive(ACK + CANNOT_READ * 3)
    assert table.taken() == [(100, UNLOCK), (100, CLEAR_1)]
    table.receive(ACK)
    assert table.messages == [ShoeLocked(False), ShoeError(1, "card cannot be read")]
    table.receive(CLEARED * 3)
    assert table.messages[2:] == [ShoeErrorCleared(1)] and not table.sent and table.dialogue.due is None


def test_an_error_stays_until_the_shoe_is_to_be_unlocked_and_is_cleared_first() -> None:
    table = Table()
    table.receive(ACK + CANNOT_READ)
    assert table.sent == [(100, LOCK)] and table.dialogue.due is None
    table.order(False)
    table.receive(ACK)
    assert table.sent[1:] == [(100, CLEAR_1), (100, UNLOCK)]


def test_an_error_outlasts_an_opening() -> None:
    table = Table(locked=False)
    table.receive(ACK + CANNOT_READ)
    table.taken()
    table.open()
    table.receive(ACK)
    assert table.sent == [(100, CLEAR_1), (100, UNLOCK)]


def test_clearing_is_repeated_after_silence_and_refusal_and_given_up_when_it_is_accepted_in_vain() -> None:
    table = Table(locked=False)
    table.receive(ACK + CANNOT_READ)
    table.wait()  # no answer
    for answer in (BUSY, BUSY, ACK, ACK):
        table.receive(answer)
        table.wait()
    table.receive(ACK)
    assert table.taken()[1:] == [(100, CLEAR_1)] + [(at, CLEAR_1) for at in (104, 109, 114, 119, 124)]
    assert table.dialogue.due is None and table.messages[2:] == [ShoeRefused(0x21, "busy")]
    table.order(True)
    table.receive(ACK)
    table.order(False)
    table.receive(ACK)
    table.receive(ACK)
    table.wait()
    table.receive(ACK)
    table.wait()
    table.receive(ACK)
    assert [command for _, command in table.taken()] == [LOCK, CLEAR_1, UNLOCK, CLEAR_1, CLEAR_1]
    assert table.dialogue.due is None
    table.receive(report(b"5E\xc2"))  # another error
    assert [command for _, command in table.taken()] == [clear_error(2)]
    table.receive(ACK)
    table.wait()
    assert [command for _, command in table.taken()] == [clear_error(2)]


@pytest.mark.parametrize("over", [CLEARED, START, report(b"5D\x81\xb8")], ids=["cleared", "start", "card"])
def test_an_error_that_is_over_is_not_cleared(over: bytes) -> None:
    table = Table()
    table.receive(ACK + CANNOT_READ + over)
    if over == START:
        table.receive(ACK)
    table.taken()
    table.order(False)
    table.receive(ACK)
    assert [command for _, command in table.sent] == [UNLOCK] and table.dialogue.due is None


def test_a_card_dealt_says_that_the_error_is_over() -> None:
    table = Table()
    table.receive(CANNOT_READ + report(b"5D\x81\xb8"))
    mark = Mark(0, 5)
    assert table.reports[1:] == [(CardDrawn("8s"), mark), (ShoeErrorCleared(1), mark)]
