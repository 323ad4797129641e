"""A witness cosigns what continues from the last it has cosigned, and refuses a rewound, a forked and
another record."""

import pytest

from controller.tlog.notes import Checkpoint, Note, Signer, VerifierKey, addition_text
from controller.tlog.witness import Seen, Witness, WitnessVerdict
from tests.tlog import naive_tree

TABLE = "dealer/macau-1/bj-1"
STATION, OTHER = Signer(TABLE, bytes(32)), Signer(TABLE, bytes([9]) * 32)
COSIGNER = Signer("witness.example/w1", bytes([1]) * 32)
LEAVES = [b"%d" % number for number in range(40)]
FORKED = [*LEAVES[:8], b"another", *LEAVES[9:]]
AT, WITHIN = 1_700_000_000, 300.0


def witness(seen: dict[str, Seen] | None = None) -> Witness:
    return Witness(COSIGNER, [STATION.verifier], seen or {}, WITHIN)


def checkpoint(size: int, leaves: list[bytes] = LEAVES, journal: str = "j", signer: Signer = STATION) -> str:
    return str(signer.sign(Checkpoint(f"{TABLE}/{journal}", size, naive_tree.tree_hash(leaves[:size])).text))


def addition(old: int, size: int, leaves: list[bytes] = LEAVES) -> str:
    path = naive_tree.proof(old, leaves[:size]) if old else []
    return addition_text(old, path, Note.read(checkpoint(size, leaves).encode()))


def test_what_continues_is_cosigned_and_is_the_last_that_was_seen() -> None:
    judge = witness()
    assert judge.judge(TABLE, checkpoint(5), addition(0, 5), AT, 0.0) is WitnessVerdict.COSIGNED
    assert judge.judge(TABLE, checkpoint(17), addition(5, 17), AT + 9, 9.0) is WitnessVerdict.COSIGNED
    note = judge.seen[TABLE].note
    assert note is not None
    read_note = Note.read(note.encode())
    STATION.verifier.signed(read_note)
    assert VerifierKey.time_of(COSIGNER.coverifier.signed(read_note)) == AT + 9
    again = witness(judge.seen)
    assert again.last(TABLE) == Checkpoint(f"{TABLE}/j", 17, naive_tree.tree_hash(LEAVES[:17]))
    assert again.judge(TABLE, checkpoint(17), None, AT + 20, 20.0) is WitnessVerdict.COSIGNED
    assert again.reason(TABLE) is None


@pytest.mark.parametrize(
    ("note", "given", "reason"),
    [
        (checkpoint(4), addition(0, 4), "rewound from 17 events to 4"),
        (checkpoint(17, FORKED), addition(17, 17, FORKED), "forked: 17 events are others"),
        (checkpoint(30, FORKED), addition(17, 30, FORKED), "forked: its 30 events do not begin with the 17"),
        (checkpoint(30), addition(16, 30).replace("old 16", "old 17"), "forked: its 30 events do not begin"),
        (checkpoint(30, journal="k"), None, f"another journal, {TABLE}/k instead of {TABLE}/j"),
        (checkpoint(30, signer=OTHER), addition(17, 30), "no checkpoint of the table: it is not signed by"),
        (str(STATION.sign("dealer/macau-1/bj-2/j\n30\n" + "A" * 43 + "=\n")), None, "of dealer/macau-1/bj-2/j"),
        ("nothing", None, "it is no signed note"),
        (checkpoint(30), "nothing", "it is no signed note"),
    ],
)  # fmt: skip
def test_what_does_not_continue_is_refused_until_a_person_has_decided(
    note: str, given: str | None, reason: str
) -> None:
    judge = witness()
    judge.judge(TABLE, checkpoint(17), addition(0, 17), AT, 0.0)
    before = judge.seen[TABLE].note
    assert judge.judge(TABLE, note, given, AT, 1.0) is WitnessVerdict.REFUSED
    assert judge.seen[TABLE].note == before, "what was cosigned stays"
    refusal = judge.seen[TABLE].refusal
    assert refusal is not None
    COSIGNER.verifier.signed(Note.read(refusal.encode()))
    judge = witness(judge.seen)
    assert reason in (judge.reason(TABLE) or "")
    assert judge.judge(TABLE, checkpoint(30), addition(17, 30), AT, 2.0) is WitnessVerdict.COSIGNED, (
        "the record continues"
    )
    assert judge.reason(TABLE) is not None
    judge.accept(TABLE)
    assert judge.reason(TABLE) is None and judge.last(TABLE) is None


def test_a_proof_from_another_size_is_waited_for_and_not_for_ever() -> None:
    judge = witness()
    judge.judge(TABLE, checkpoint(17), addition(0, 17), AT, 0.0)
    for given in (None, addition(0, 30), addition(5, 30)):
        assert judge.judge(TABLE, checkpoint(30), given, AT, 1.0) is WitnessVerdict.WAITS
    assert judge.overdue(WITHIN) == []
    assert judge.judge(TABLE, checkpoint(30), addition(17, 30), AT, WITHIN) is WitnessVerdict.COSIGNED
    assert judge.overdue(2 * WITHIN) == []
    judge.judge(TABLE, checkpoint(35), None, AT, 2 * WITHIN)
    assert judge.overdue(3 * WITHIN + 1) == [TABLE]
    assert "does not prove" in (judge.reason(TABLE) or "")
