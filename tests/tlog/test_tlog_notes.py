"""Signed notes, and a witness: it cosigns what continues from its last, and refuses a rewound and a forked record."""

import base64

import pytest

from controller.tlog.notes import (
    BadKey,
    BadNote,
    Checkpoint,
    Note,
    Signer,
    VerifierKey,
    addition_text,
    proof_text,
    read_addition,
)
from controller.tlog.witness import Seen, Witness, WitnessVerdict
from tests.tlog import naive_tree

# Of golang.org/x/mod/sumdb/note.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS_OWN = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz\n"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
NOTE = f"""{TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
# A log in the wild with its witnesses, whose cosignatures are of one second.
LOG = "arche2025h1.staging.ct.transparency.dev"
CHECKPOINT = f"""{LOG}
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— {LOG} zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— {LOG} ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
"""  # noqa: E501
LOGS_OWN = f"{LOG}+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
WITNESSES = [
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
]
COSIGNED_AT = 1779573024


def test_a_note_is_signed_as_go_signs_it() -> None:
    signer = Signer.read(PETERS_OWN)
    assert str(signer.sign(TEXT)) == NOTE
    assert (str(signer.verifier), signer.private) == (PETER, PETERS_OWN)
    assert "AYEK" not in repr(signer)


def test_a_note_of_go_is_verified() -> None:
    note = Note.read(NOTE.encode())
    assert str(note) == NOTE and note.text == TEXT
    VerifierKey.read(PETER).signed(note)


def test_a_checkpoint_in_the_wild_is_verified_with_its_cosignatures() -> None:
    note = Note.read(CHECKPOINT.encode())
    assert str(note) == CHECKPOINT
    VerifierKey.read(LOGS_OWN).signed(note)
    for witness in map(VerifierKey.read, WITNESSES):
        assert witness.time_of(witness.signed(note)) == COSIGNED_AT
    checkpoint = Checkpoint.read(note.text)
    root = base64.b64decode("U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=")
    assert checkpoint == Checkpoint(LOG, 1432088532, root)
    assert checkpoint.text == note.text


@pytest.mark.parametrize("key", [LOGS_OWN, WITNESSES[0]])
def test_a_signature_of_another_text_is_refused(key: str) -> None:
    note = Note.read(CHECKPOINT.replace("1432088532", "1432088533").encode())
    with pytest.raises(BadNote, match="not its own"):
        VerifierKey.read(key).signed(note)


def test_a_cosignature_of_another_time_is_refused() -> None:
    note = Note.read(CHECKPOINT.replace("AAAABqEiEgPl", "AAAABqEiEhPl").encode())
    with pytest.raises(BadNote, match="not its own"):
        VerifierKey.read(WITNESSES[0]).signed(note)


def test_a_note_that_another_key_has_signed_is_refused() -> None:
    with pytest.raises(BadNote, match="not signed by PeterNeumann c74f20a3"):
        VerifierKey.read(PETER).signed(Note.read(CHECKPOINT.encode()))


def test_a_cosignature_takes_the_place_of_an_earlier_one() -> None:
    station, witness = Signer("dealer/macau-1/1", bytes(32)), Signer("witness.example/w1", bytes([1]) * 32)
    note = station.sign(Checkpoint("dealer/macau-1/1/journal", 7, bytes(32)).text)
    first = witness.cosign(note, 1_700_000_000)
    again = Note.read(str(witness.cosign(first, 1_700_000_001)).encode())
    assert len(first.signatures) == len(again.signatures) == 2
    station.verifier.signed(again)
    assert VerifierKey.time_of(witness.coverifier.signed(again)) == 1_700_000_001
    assert VerifierKey.read(str(witness.coverifier)) == witness.coverifier


@pytest.mark.parametrize(
    "key",
    [
        "",
        "PeterNeumann",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T",
    ],
)
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(BadKey):
        VerifierKey.read(key)
    with pytest.raises(BadKey) as refused:
        Signer.read(f"PRIVATE+KEY+{key}")
    assert "ARpc" not in str(refused.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        TEXT.encode(),
        NOTE.rstrip("\n").encode(),
        NOTE.replace("—", "-").encode(),
        NOTE.replace("— PeterNeumann", "— Peter Neumann").encode(),
        NOTE.replace("AM=\n", "AM\n").encode(),
        NOTE.replace("AM=\n", "AN=\n").encode(),
        NOTE.replace("think", "thi\0nk").encode(),
        NOTE.replace("—", "—").encode("utf-16"),
        NOTE.encode() + b"\n",
        b"a\n\n\xff\n",
        (TEXT * 1000 + NOTE).encode(),
    ],
)
def test_what_is_no_note_is_refused(content: bytes) -> None:
    with pytest.raises(BadNote):
        Note.read(content)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n1\n",
        "a\n01\nROOT\n",
        "a\n-1\nROOT\n",
        "a\n1\nAAAA\n",
        "\n1\nROOT\n",
        "a\n1\nROOT\n\n",
        "a\n1\nROOT",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Checkpoint.read(text.replace("ROOT", "U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro="))


def test_lines_that_extend_a_checkpoint_are_left_alone() -> None:
    text = "a\n1\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\nmore\n"
    assert Checkpoint.read(text).size == 1


# Of the specifications.
ADDITION = f"""old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=

{CHECKPOINT}"""
PROOF = f"""c2sp.org/tlog-proof@v1
extra YWdl
index 73894
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=

{CHECKPOINT}"""


def test_what_a_witness_is_given_is_read_as_it_is_written() -> None:
    old, path, note = read_addition(ADDITION.encode())
    assert (old, len(path), str(note)) == (20852014, 2, CHECKPOINT)
    assert addition_text(old, path, note) == ADDITION
    assert read_addition(addition_text(0, [], note).encode()) == (0, [], note)


def test_a_proof_is_written_as_its_specification_has_it() -> None:
    path = base64.b64decode(PROOF.splitlines()[3])
    assert proof_text(73894, [path], Note.read(CHECKPOINT.encode())) == PROOF.replace("extra YWdl\n", "")


@pytest.mark.parametrize(
    "text",
    ["", "old", "old 1", "old x\n", "new 1\n", "old 1\nAAAA\n", "old 1\n" + "A" * 43 + "=\n" * 64, "\xff old 1\n"],
)
def test_what_is_no_proof_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        read_addition(f"{text}\n{CHECKPOINT}".encode())


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
