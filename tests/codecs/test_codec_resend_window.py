"""How long a device is waited for, and the host's window against a machine whose line loses messages. No I/O here."""

import random
from itertools import accumulate

import pytest

from drivers.device import Mark
from drivers.shuffler_link.resend_window import RESENDS_BEFORE_LOST, Judged, ResendWindow, Verdict
from drivers.waiting import STEP_SECONDS, Patience


def steps_taken(seconds: float, took: list[float]) -> list[float]:
    """The steps of a wait in which each step, in truth, took so long."""
    times = accumulate(took, initial=100.0)
    patience = Patience(seconds, lambda: next(times))
    steps = []
    while step := patience.step():
        steps.append(step)
    return steps


def test_an_answer_is_waited_for_as_long_as_was_asked() -> None:
    steps = steps_taken(0.12, [0.0, 0.05, 0.05, 0.021])
    assert steps == pytest.approx([STEP_SECONDS, STEP_SECONDS, 0.02])


def test_while_this_computer_is_too_busy_to_listen_no_device_is_silent() -> None:
    delays = [0.0, 3.0, 0.05, 60.0, 0.041]
    assert steps_taken(0.19, delays) == pytest.approx([*[STEP_SECONDS] * 3, 0.04])


def test_what_comes_sooner_than_a_step_is_counted_as_it_was() -> None:
    assert steps_taken(0.03, [0.0, 0.01, 0.01, 0.011]) == pytest.approx([0.03, 0.02, 0.01])


class Machine:
    """The machine's end: numbers, a window of what is not acknowledged, RESEND."""

    def __init__(self, boot: int, next_sequence: int = 1) -> None:
        self.boot = boot
        self.next = next_sequence
        self.kept: list[int] = []

    def say(self) -> int:
        self.kept.append(self.next)
        self.next = (self.next + 1) & 0xFFFF
        return self.kept[-1]

    def ack(self, sequence: int) -> None:
        if sequence in self.kept:
            del self.kept[: self.kept.index(sequence) + 1]

    def resend(self, boot: int, sequence: int) -> list[int]:
        return [n for n in self.kept if boot != self.boot or (n - sequence) & 0xFFFF < 0x8000]


def test_numbers_continue_after_the_mark() -> None:
    window = ResendWindow(Mark(7, 65535))
    assert window.ask() == (7, 0)
    assert window.hello(7, 2) is False
    assert [window.judge(n).verdict for n in (65535, 0, 0, 1)] == [
        Verdict.AGAIN,
        Verdict.NEW,
        Verdict.AGAIN,
        Verdict.NEW,
    ]


def test_nothing_is_judged_before_hello_says_whose_numbers_they_are() -> None:
    window = ResendWindow(Mark(7, 4))
    window.ask()
    assert window.judge(5).verdict is Verdict.WAIT
    window.hello(8, 6)
    assert window.judge(5).verdict is Verdict.ASK


def test_a_gap_asks_for_the_missing_one() -> None:
    window = ResendWindow(Mark(7, 4))
    window.hello(7, 8)
    assert window.judge(6).verdict is Verdict.ASK
    assert window.ask() == (7, 5)
    assert window.judge(7).verdict is Verdict.WAIT
    window.hello(7, 8)
    assert [window.judge(n).verdict for n in (5, 6, 7)] == [Verdict.NEW] * 3


def test_a_gap_that_stays_is_lost_and_reported() -> None:
    window = ResendWindow(Mark(7, 4))
    window.hello(7, 10)
    for _ in range(RESENDS_BEFORE_LOST):
        assert window.judge(8).verdict is Verdict.ASK
        window.ask()
        window.hello(7, 10)
    assert window.judge(8) == Judged(Verdict.NEW, lost=3)


def test_a_fresh_machine_begins_at_one() -> None:
    window = ResendWindow(None)
    window.ask()
    assert window.hello(9, 1) is True
    assert window.judge(1).verdict is Verdict.NEW


def test_the_oldest_of_an_unknown_boot_is_looked_for_twice() -> None:
    window = ResendWindow(Mark(7, 400))
    window.hello(9, 13)
    assert window.judge(11).verdict is Verdict.ASK  # 10 was eaten by noise
    assert window.ask() == (0, 0)
    window.hello(9, 13)
    assert [window.judge(n).verdict for n in (10, 11, 12)] == [Verdict.NEW] * 3


def test_a_boot_id_that_begins_again_is_another_boot() -> None:
    window = ResendWindow(Mark(7, 400))
    assert window.hello(7, 1) is True
    assert window.judge(1).verdict is Verdict.NEW


@pytest.mark.parametrize("seed", range(60))
def test_a_line_that_loses_one_in_four_loses_nothing_and_doubles_nothing(seed: int) -> None:
    dice = random.Random(seed)
    machine = Machine(boot=seed + 1, next_sequence=65530)
    acknowledged_before = [machine.say() for _ in range(dice.randrange(3))]
    for sequence in acknowledged_before:
        machine.ack(sequence)
    mark = Mark(machine.boot, 65529 + len(acknowledged_before)) if dice.random() < 0.5 else None
    window = ResendWindow(mark)
    received: list[int] = []
    sent = 0

    def arrives() -> bool:
        return dice.random() < 0.75

    def ask() -> None:
        boot, sequence = window.ask()
        if arrives():
            answer = machine.resend(boot, sequence)
            if arrives():
                window.hello(machine.boot, machine.next)
            receive(answer)

    def receive(sequences: list[int]) -> None:
        for sequence in sequences:
            if arrives():
                judged = window.judge(sequence)
                if judged.verdict is Verdict.NEW:
                    assert judged.lost == 0
                    received.append(sequence)
                elif judged.verdict is Verdict.ASK:
                    window.ask()

    ask()
    expected = []
    for _ in range(3000):
        if sent < 40 and len(machine.kept) < 32 and dice.random() < 0.1:
            expected.append(machine.say())
            sent += 1
        if window.asking and dice.random() < 0.3:
            ask()
        receive(list(machine.kept))
        if received and dice.random() < 0.2 and arrives():
            machine.ack(received[-1])
    assert received == expected
