"""A bundle with the proof that its events are in a signed tree, compared with trees and signatures made here."""

import base64
import hashlib
import json
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.__main__ import main
from controller.engine.state.applied import Event
from controller.engine.state.events import KeyReleased
from controller.journal.records import JournalEntry
from tests.configured import configured
from tests.disputes.altered import copied, written_again
from tests.disputes.rounds import bundles, input_of, links_of, wild_events
from tests.journal.keeping import open_journal, write_entries
from tests.referee.bundle.forms import NoBundle, Wrong, read_json
from tests.referee.bundle.proofs import root_of
from tests.referee.bundle.verify import verify
from tests.tlog.naive_tree import path, tree_hash

GAME = "fortune-3-card-poker-2025"
ORIGIN = "dealer/hall/1/made"


def node(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


class Key:
    """A key of a table (1) or of a witness (4)."""

    def __init__(self, name: str, kind: int, seed: int) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self._name, self._kind = name, kind
        public = bytes([kind]) + self._private.public_key().public_bytes_raw()
        self._id = node(name.encode(), b"\n", public)[:4]
        self.public = f"{name}+{self._id.hex()}+{encoded(public)}"

    def line(self, text: str) -> str:
        if self._kind == 1:
            content = self._private.sign(text.encode())
        else:
            content = (1_767_323_045).to_bytes(8, "big")
            content += self._private.sign(f"cosignature/v1\ntime 1767323045\n{text}".encode())
        return f"\N{EM DASH} {self._name} {encoded(self._id + content)}\n"


TABLE, WITNESS, STRANGER = Key("hall.example/1", 1, 1), Key("witness.example", 4, 2), Key("hall.example/1", 1, 3)


@cache
def happened() -> tuple[list[Event], dict[str, Any]]:
    """What happened at a table, and the bundle of a round that has events from before and after it.

    No key of it was released: the events are written to a journal without the values of their cards.
    """
    return next(
        (events, bundle)
        for events in (wild_events(GAME, seed) for seed in range(100))
        for bundle in bundles(events)
        if bundle["earlier"] and bundle["later"]
        if not any(isinstance(event, KeyReleased) and event.round == bundle["round"] for event in events)
    )


@pytest.fixture(scope="module")
def leaves() -> list[bytes]:
    return [row[7] for _, row in links_of(happened()[0])]


@pytest.fixture(scope="module")
def proved(leaves: list[bytes]) -> dict[str, Any]:
    """That round, with its proofs."""
    return with_proofs(happened()[1], leaves, TABLE, WITNESS)


def with_proofs(bundle: dict[str, Any], leaves: list[bytes], *keys: Key) -> dict[str, Any]:
    text = f"{ORIGIN}\n{len(leaves)}\n{encoded(tree_hash(leaves))}\n"
    note = f"{text}\n{''.join(key.line(text) for key in keys)}"
    alone = [link["row"][0] for link in (*bundle["earlier"], *bundle["later"])]
    proofs = {}
    for number in (bundle["chain"]["rows"][-1][0], *alone):
        hashes = "".join(f"{encoded(step)}\n" for step in path(number - 1, leaves))
        proofs[str(number)] = f"c2sp.org/tlog-proof@v1\nindex {number - 1}\n{hashes}\n{note}"
    return {**bundle, "proofs": proofs}


def test_a_proof_is_verified_with_the_keys_of_table_and_witness(proved: dict[str, Any], leaves: list[bytes]) -> None:
    assert len(proved["proofs"]) > 2
    found = verify(proved, [TABLE.public], [WITNESS.public])
    assert (found["verdict"], found["wrong"]) == ("agrees", [])
    assert found["proof"] == f"in the tree of {ORIGIN} with {len(leaves)} events"
    assert found["signed"] == ["signed by hall.example/1", "cosigned by witness.example at 2026-01-02 03:04:05 UTC"]
    found = verify(proved)
    assert (found["verdict"], found["signed"]) == ("agrees", []) and "proofs" in found["not_covered"]


def test_what_is_not_proved_or_not_signed_by_the_key_is_refused(proved: dict[str, Any], leaves: list[bytes]) -> None:
    def wrong(bundle: dict[str, Any], *keys: str) -> str:
        found = verify(bundle, keys)
        assert found["verdict"] == "does not agree"
        return str(found["wrong"])

    forged = TABLE.line("something else\n")  # its own key and name, under another text
    there = {leaf: f"{proof.rpartition(chr(10) * 2)[0]}\n\n{forged}" for leaf, proof in proved["proofs"].items()}
    assert "is not its own" in wrong({**proved, "proofs": there}, TABLE.public)
    assert "is not signed by hall.example/1" in wrong(proved, STRANGER.public)
    assert "has no proof" in wrong({**proved, "proofs": {}}, TABLE.public)
    for number in proved["proofs"]:
        others = {leaf: proof for leaf, proof in proved["proofs"].items() if leaf != number}
        assert f"event {number} is not proved" in wrong({**proved, "proofs": others})
    later = with_proofs(proved, leaves[:-1], TABLE)["proofs"]
    number = next(iter(later))
    assert "several checkpoints" in wrong({**proved, "proofs": {**proved["proofs"], number: later[number]}})
    with pytest.raises(NoBundle):
        verify(proved, [WITNESS.public])


def test_anyone_who_writes_every_hash_again_cannot_write_the_tree(proved: dict[str, Any]) -> None:
    """The alteration that neither chain nor rules notice: of a fact that decides nothing, all hashes written again."""
    bundle = copied(proved)
    events = [(read_json(row[5], "row"), row) for row in bundle["chain"]["rows"]]
    events[0][0]["orders_from"] += 1
    again = written_again(bundle, events)
    assert verify(again)["verdict"] == "agrees"
    found = verify({**again, "later": proved["later"], "proofs": proved["proofs"]})
    assert found["verdict"] == "does not agree" and "is not in the tree" in found["wrong"][0]


def test_the_station_proves_a_round_of_its_journal_under_a_checkpoint(
    tmp_path: Path, leaves: list[bytes], proved: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    config, journal, note = configured(tmp_path, game=GAME), tmp_path / "journal.db", tmp_path / "checkpoint"
    write_entries(journal, [JournalEntry(event, {}, input_of(event)) for event in happened()[0]])
    written, round = tmp_path / "bundle.json", str(proved["round"])
    asked = ["dispute", round, "--config", str(config), "--journal", str(journal), "--output", str(written)]

    with closing(open_journal(journal)) as opened:
        own = f"dealer/laptop/table-1/{opened.uuid}"

    def checkpoint(size: int, of: list[bytes] = leaves, origin: str = own) -> None:
        text = f"{origin}\n{size}\n{encoded(tree_hash(of[:size]))}\n"
        note.write_text(f"{text}\n{TABLE.line(text)}{WITNESS.line(text)}", encoding="utf-8")

    checkpoint(len(leaves) - 1)
    assert main([*asked, "--checkpoint", str(note)]) == 0
    content = json.loads(written.read_bytes())
    assert set(content["proofs"]) == set(proved["proofs"])
    found = verify(content, [TABLE.public], [WITNESS.public])
    assert (found["verdict"], found["wrong"]) == ("agrees", [])
    written.unlink()
    written.with_suffix(".html").unlink()
    ends = content["chain"]["rows"][-1][0] - 1
    checkpoint(ends)
    assert main([*asked, "--checkpoint", str(note)]) == 0
    content = json.loads(written.read_bytes())
    assert content["chain"]["rows"][-1][0] == ends and not content["later"], "as the journal was then"
    assert verify(content, [TABLE.public])["verdict"] == "agrees"
    written.unlink()
    written.with_suffix(".html").unlink()
    for size, of in ((len(leaves), leaves[::-1]), (len(leaves) + 1, [*leaves, bytes(32)])):
        checkpoint(size, of)
        assert main([*asked, "--checkpoint", str(note)]) == 2 and "nothing was written" in capsys.readouterr().err
    checkpoint(len(leaves), origin=ORIGIN)
    assert main([*asked, "--checkpoint", str(note)]) == 2
    assert f"the checkpoint is of {ORIGIN}, not of {own}" in capsys.readouterr().err and not written.exists()
    note.write_text("no note", encoding="utf-8")
    assert main([*asked, "--checkpoint", str(note)]) == 2 and not written.exists()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 21])
def test_every_leaf_of_trees_of_any_size_is_proved_and_no_other(size: int) -> None:
    leaves = [bytes([number]) * 32 for number in range(size)]
    for index in range(size):
        found = root_of(node(b"\0", leaves[index]), index, size, path(index, leaves))
        assert found == tree_hash(leaves)
        for wrong in range(size):
            if wrong != index:
                with suppress(Wrong):
                    assert root_of(node(b"\0", leaves[index]), wrong, size, path(index, leaves)) != tree_hash(leaves)
