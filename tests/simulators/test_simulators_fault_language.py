"""The fault language: everything that can be reported, and friendly words for what cannot."""

import re

import pytest

from simulators.__main__ import main
from simulators.faults.syntax import KINDS, Conditions, Fault, read_fault

# The public list of faults every simulator can be asked to show, and what each is called here.
ON_EVERY_WIRE = {
    "split reads": "split", "one byte at a time": "bytewise", "babble": "babble", "corrupted byte": "corrupt",
    "lost report": "lost", "doubled report": "doubled", "late answer": "late", "mute": "mute",
    "unplug and return under the same name": "unplug", "restart with a new boot id": "restart",
}  # fmt: skip
OF_A_DEVICE = {
    "unreadable card": "shoe:unreadable", "card not read by the shuffler": "shuffler:misread",
    "overdraw": "shoe:overdraw", "card missing": "deck:missing", "doubled in the deck": "deck:doubled",
    "cut card": "shoe:cut_card", "jam": "shuffler:jam", "lid open": "shuffler:lid_open",
    "damaged card": "shuffler:damaged", "a card too few": "shuffler:short", "stuck sensor": "slots:stuck=3",
    "bouncing sensor": "slots:bounce=3", "chip between polls": "slots:passing=3", "a storm": "slots:storm=3",
    "watchdog trip": "slots:watchdog", "sign NAK": "sign:nak", "sign memory lost": "sign:memory_lost",
}  # fmt: skip
OF_PEOPLE = (
    "dealer:expose=bank", "dealer:order", "dealer:number", "dealer:empty_seat", "dealer:slip_wager",
    "dealer:slip_seat", "dealer:slip_decision", "dealer:miskey", "players:late_chip=2", "players:in_and_out=2",
    "dealer:early_card", "dealer:error_corrected", "dealer:unasked_card=seen", "dealer:bank_card_too_many",
    "dealer:slip_dice", "dealer:complaint=2", "dealer:no_bets=spread",
)  # fmt: skip


@pytest.mark.parametrize("device", ["shuffler", "shoe", "slots", "sign"])
@pytest.mark.parametrize("kind", ON_EVERY_WIRE.values())
def test_every_wire_speaks_every_wire_fault(device: str, kind: str) -> None:
    assert read_fault(f"{device}:{kind}") == Fault(device, kind)


def test_every_fault_is_spoken_and_nothing_else() -> None:
    spoken = [read_fault(text) for text in [*OF_A_DEVICE.values(), *OF_PEOPLE]]
    on_wires = {(device, kind) for device in ("shuffler", "shoe", "slots", "sign") for kind in ON_EVERY_WIRE.values()}
    assert {(fault.device, fault.kind) for fault in spoken} | on_wires == set(KINDS)


def test_values_and_conditions() -> None:
    assert read_fault("shoe:mute@round=12") == Fault("shoe", "mute", "", Conditions(round=12))
    assert read_fault("slots:stuck=3") == Fault("slots", "stuck", "3")
    assert read_fault("shuffler:jam@card=2") == Fault("shuffler", "jam", "", Conditions(card=2))
    assert read_fault(" shoe : late @ phase = deal , for = 0.5 ").conditions == Conditions(phase="deal", seconds=0.5)
    assert read_fault("shuffler:lost").count == 1
    assert read_fault("shuffler:lost=4").count == 4
    assert read_fault("dealer:expose=seat 4") == read_fault("dealer:expose=4") == read_fault("dealer:expose=seat-4")
    assert read_fault("shoe:mute=off") == Fault("shoe", "mute", "off")


@pytest.mark.parametrize(
    "text",
    [
        "shoe:lost=3@round=2,card=5", "slots:storm=7@phase=wagers,for=1.5", "dealer:expose=seat 2", "shuffler:jam=off",
        "deck:missing",
    ],
)  # fmt: skip
def test_a_fault_reads_back_as_it_is_written(text: str) -> None:
    assert str(read_fault(text)) == text


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("", "DEVICE:KIND expected"), ("shoe", "DEVICE:KIND expected"), ("toaster:jam", "one of shuffler shoe slots"),
        ("shoe:jam", "one of split bytewise"), ("slots:stuck", "takes a seat, 1 to 8"), ("slots:stuck=9", "not '9'"),
        ("slots:stuck=", "nothing comes after ="), ("shuffler:jam=2", "takes no value"), ("shoe:lost=0", "how many"),
        ("dealer:expose=moon", "bank, community, seat 3"), ("shoe:mute@", "a condition expected"),
        ("shoe:mute@when=2", "'when' is no condition"), ("shoe:mute@round=0", "from 1 on"),
        ("shoe:mute@phase=lunch", "one of between shuffle"), ("shoe:mute@for=-1", "positive"),
        ("shoe:mute@for=nan", "positive"), ("shoe:mute@round=1,round=2", "given twice"),
        ("shuffler:jam@for=2", "ends when the dealer"), ("shoe:lost=off", "ends by itself"),
        ("deck:missing=off", "ends when the dealer repairs it"), ("shoe:mute=off@round=1", "=off takes no conditions"),
    ],
)  # fmt: skip
def test_a_mistake_says_what_was_expected(wrong: str, expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_fault(wrong)


@pytest.mark.parametrize(
    ("wrong", "meant"), [("shufler:jam", "shuffler:jam"), ("slots:stuk=3", "slots:stuck"), ("toaster:bagel", None)]
)
def test_a_mistyped_fault_gets_the_nearest(wrong: str, meant: str | None) -> None:
    with pytest.raises(ValueError, match=r".: ") as mistake:
        read_fault(wrong)
    assert str(mistake.value).partition("; did you mean ")[2] == (f"{meant}?" if meant else "")


def test_help_shows_how(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    output = capsys.readouterr().out
    assert "--fault shuffler:jam@round=3,card=2" in output
    assert "--faults 0.2" in output
