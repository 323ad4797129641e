"""The key of a round, released by two persons: its bundle opens its unshown cards with it, and no other round's."""

import base64
import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.__main__ import main
from controller.engine.state.events import KeyReleased
from controller.journal.auditing import audit
from controller.journal.chain import chained
from controller.journal.records import GENESIS, JournalEntry
from controller.journal.sealing import Hidden, Seal
from controller.journal.segments import round_begun
from controller.journal.wires import folder_of
from controller.queries.disputes import _Link, bundle_of, dispute
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsShown
from controller.rulebook.games import GAMES
from controller.runtime.flight import FlightRecorder, Ring
from controller.words import SPOKEN
from tests.configured import configured
from tests.disputes.rounds import IDENTITY, checked
from tests.journal.keeping import KEY, STAMP, batch, contents, entries_of, open_journal, played
from tests.journal.recorded.kept import read_journal
from tests.referee.bundle.ciphers import ORDER, is_signed, opened
from tests.referee.bundle.forms import NoBundle, Wrong, read_json
from tests.referee.bundle.sealed import read_sealed
from tests.referee.bundle.verify import verify

SEAL = Seal(KEY)
ROUNDS = 7  # of each recorded journal are confirmed


def released(round: int) -> JournalEntry:
    return JournalEntry(event=KeyReleased(round=round, actor="rui", reason="the inspection asks", second="ana"))


def links_of(entries: list[JournalEntry]) -> Iterator[_Link]:
    """The rows that a journal of today has of these."""
    before, round = GENESIS, 0
    for number, entry in enumerate(entries, start=1):
        body = msgspec.json.encode(entry.event)
        round = round_begun(body) or round
        named, input = (None, None) if entry.input is None else (entry.input.cards, entry.input.text)
        hidden = Hidden(entry.drawn, named)
        sealed = SEAL.close(hidden, "made", number, round) if hidden != Hidden() else None
        hash = chained(before, number, STAMP, body, sealed, input)
        yield before, (number, STAMP.time, STAMP.boot, STAMP.monotonic_ns, 1, body, sealed, hash, input)
        before = hash


def bundle(entries: list[JournalEntry], round: int, key_of: int | None = None) -> dict[str, Any]:
    """The bundle of a round, with its own key or that of another."""
    key = SEAL.round_key("made", key_of or round).hex()
    document: dict[str, Any] = json.loads(
        msgspec.json.encode(bundle_of(links_of(entries), IDENTITY, "made", round, key))
    )
    return document


@pytest.mark.parametrize("game", GAMES)
def test_a_released_key_opens_the_cards_of_its_round_that_no_rule_has_shown(game: str) -> None:
    entries = list(read_journal(game).entries)
    every = [*entries, *(released(round) for round in range(1, ROUNDS + 1))]
    drawn: dict[int, dict[int, Card | None]] = defaultdict(dict)
    shown: dict[int, int] = defaultdict(int)
    unshown = number = 0
    for entry in entries:
        number = table_round(entry) or number
        drawn[number] |= entry.drawn
        shown[number] += len(entry.event.cards) if isinstance(entry.event, CardsShown) else 0
    for round in range(1, ROUNDS + 1):
        found = verify(bundle(every, round))
        assert (found["verdict"], found["wrong"], found["cards"]) == ("agrees", [], "opened")
        opened = {card["draw"]: card["card"] for card in found["unshown"]}
        assert opened.items() <= drawn[round].items() and all(card["to"] for card in found["unshown"])
        assert len(opened) == len(drawn[round]) - shown[round]
        unshown += len(opened)
        sealed = verify(bundle(entries, round))
        assert (sealed["verdict"], sealed["cards"]) == ("agrees", "sealed") and "unshown" not in sealed
    assert bool(unshown) is (game not in ("fortune-8", "taiwan-pai-kao")), "there every card is shown"


def table_round(entry: JournalEntry) -> int:
    """The number of the round that an event begins, else 0."""
    return round_begun(msgspec.json.encode(entry.event)) or 0


@pytest.fixture(scope="module")
def entries() -> list[JournalEntry]:
    return [*read_journal("fortune-3-card-poker-2025").entries, released(2)]


def test_a_key_opens_no_other_round_and_none_is_taken_that_no_one_released(entries: list[JournalEntry]) -> None:
    assert bundle(entries, 3)["released_key"] is None
    found = verify(bundle(entries, 2, key_of=3))
    assert found["verdict"] == "does not agree" and "does not open it" in found["wrong"][0]
    assert "unshown" not in found
    found = verify({**bundle(entries, 3), "released_key": SEAL.round_key("made", 3).hex()})
    assert found["wrong"] == ["the bundle has a key of the round's cards that was not released"]
    for none in ("", "00", "x"):
        found = verify({**bundle(entries, 2), "released_key": none})
        assert found["verdict"] == "does not agree" and "unshown" not in found


def test_a_card_that_was_sealed_as_another_than_was_shown_is_named(entries: list[JournalEntry]) -> None:
    at, shown = next(
        (at, entry.event)
        for at, entry in enumerate(entries)
        if isinstance(entry.event, CardsShown) and not entry.drawn and at > 100
    )
    number = max(table_round(entry) for entry in entries[:at])
    dealt = max(at for at, entry in enumerate(entries[:at]) if shown.cards[0] in entry.drawn.values())
    missing = {draw: card if card != shown.cards[0] else "2c" for draw, card in entries[dealt].drawn.items()}
    lied = [*entries, released(number)]
    lied[dealt] = JournalEntry(event=entries[dealt].event, drawn=missing)  # type: ignore[arg-type]
    [wrong] = verify(bundle(lied, number))["wrong"]
    assert wrong == f"{shown.cards[0]} was shown at {shown.to}, and no card was sealed as that"


def test_the_report_names_each_card_with_its_place(entries: list[JournalEntry], tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "bundle.json"
    every = [*entries, *map(released, (1, *range(3, ROUNDS + 1)))]
    opened = (bundle(every, round) for round in range(1, ROUNDS + 1))
    document = next(card for card in opened if verify(card)["unshown"])
    file.write_text(json.dumps(document), encoding="utf-8")
    assert checked(str(file)) == 4
    unshown = verify(document)["unshown"][0]
    output = capsys.readouterr().out
    assert f"opened with the released key: {unshown['card']} (card {unshown['draw']}, {unshown['to']})" in output
    file.write_text(json.dumps(bundle(entries, 3)), encoding="utf-8")
    assert checked(str(file)) == 4 and "no rule has shown: sealed" in capsys.readouterr().out


def test_a_journal_keeps_a_released_key_beside_its_events_and_a_bundle_has_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    document = entries_of(played(2))
    with closing(open_journal(path)) as journal:
        journal.commit(batch(document, outbox=[(1, b"one")]))
        assert dispute(path, IDENTITY, 1).released_key is None  # type: ignore[union-attr]
        journal.commit(batch([released(1)]))
        journal.commit(batch([released(2)]))
        uuid = journal.uuid
    keys = [SEAL.round_key(uuid, round).hex() for round in (1, 2)]
    for round, key in enumerate(keys, start=1):
        found = dispute(path, IDENTITY, round)
        assert found is not None and found.released_key == key
        verified = verify(json.loads(msgspec.json.encode(found)))
        assert (verified["wrong"], verified["cards"]) == ([], "opened")
    assert dispute(path, IDENTITY, 3).released_key is None  # type: ignore[union-attr]
    assert verified["wires"] == "none"
    others = {name: rows for name, rows in contents(path).items() if name != "meta"}
    assert not [key for key in keys if key in str(others) or bytes.fromhex(key) in str(others).encode()]
    audit(path, "simulation", SEAL, lambda *_: None)
    with closing(open_journal(path)) as journal:
        table = journal.restore().table
    assert table.released == (1, 2)


def look_at_timeline(asked: list[str], page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The timeline in each language: a mark and a row for what the shoe sent, and for every event."""
    for language, words in SPOKEN.items():
        page.unlink(missing_ok=True)
        assert main([*asked, "--page", str(page), "--language", language]) == 0
        text = page.read_text(encoding="utf-8")
        assert words.round_texts["timeline/octets"] in text and "timeline/" not in text
        assert text.count('<circle class="device"') == text.count('<tr data-by="device"') == 2
        assert text.count('<circle class="event"') == text.count('<tr data-by="event"') > 10
        assert text.count("053144 81b8033446".replace(" ", "")) == 2 and "CardDrawn" in text and "card=8s" in text
        assert "<script" not in text and "default-src 'none'" in text
    capsys.readouterr()
    assert main([*asked, "--page", str(page)]) == 2 and "is there already" in capsys.readouterr().err


def test_a_bundle_has_what_was_on_the_wires_in_its_round_and_the_released_key_opens_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, file = tmp_path / "journal.db", tmp_path / "bundle.json"
    present = [1]
    with closing(open_journal(path)) as journal:
        journal.commit(batch([*entries_of(played(2)), released(1)]))
        ring, ignored = Ring(folder_of(path), 600.0, 1 << 20), lambda _: None
        recorder = FlightRecorder(ring, journal.uuid, journal.wires_key, lambda: present[0], ignored, ignored)
        tap = recorder.wire("shoe", "angel-eye")
        for present[0] in (1, 2, 1):
            tap.received(bytes.fromhex("05 31 44 81 b8 03 34 46"))  # the eight of spades
            recorder.turn()
        recorder._close()

    def document(round: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(msgspec.json.encode(dispute(path, IDENTITY, round)))
        file.write_text(json.dumps(found), encoding="utf-8")
        return found

    config = configured(tmp_path)
    sealed = document(2)
    assert len(sealed["wires"]) == 1 and verify(sealed)["wires"] == "1 blocks, sealed"
    asked = ["audit", "wires", str(file), "--config", str(config), "--journal", str(path)]
    assert main(asked) == 2 and "was not released" in capsys.readouterr().err
    with closing(open_journal(path)) as journal:
        journal.commit(batch([released(2)]))
    assert main(asked) == 0 and "CardDrawn" in capsys.readouterr().out, "released after the bundle was written"
    opened = document(1)
    found = verify(opened)
    assert found["wrong"] == [] and found["wires"].startswith("2 blocks, 1 gaps, opened, from 20")
    assert main(asked) == 0
    [line, _] = capsys.readouterr().out.splitlines()
    output = json.loads(line)
    assert (output["wire"], output["by"], output["message"], output["fields"]["card"]) == (
        "shoe",
        "device",
        "CardDrawn",
        "8s",
    )
    look_at_timeline(asked, tmp_path / "wires.html", capsys)
    run, number, content = opened["wires"][0]
    for other in ([run, number + 1, content], [run, number, sealed["wires"][0][2]]):
        wrong = {**opened, "wires": [other]}
        assert verify(wrong)["wrong"] == [f"block {other[1]} of the wires: the released key does not open it"]
        file.write_text(json.dumps(wrong), encoding="utf-8")
        assert main(asked) == 2 and "does not open" in capsys.readouterr().err
    assert main([*asked[:2], str(config), *asked[3:]]) == 2


def test_cards_that_are_sealed_with_the_key_of_another_round_are_named() -> None:
    of_another = base64.b64encode((3).to_bytes(8, "big") + bytes(40)).decode()
    rows = [
        SimpleNamespace(type="cards_dealt", number=7, event={}, sealed=of_another),
        SimpleNamespace(type="key_released", number=9, event={"round": 2}, sealed=None),
    ]
    bundle = {"released_key": "00" * 32, "round": 2, "journal": "here"}
    with pytest.raises(Wrong, match="not sealed with the key of this round"):
        read_sealed(bundle, cast(Any, SimpleNamespace(own=rows, later=[])))


# ---- The referee's signatures and ciphers against those of `cryptography`: good ones are good, altered ones are not


LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000)


def flipped(octets: bytes, dice: Random) -> bytes:
    """The same with another bit somewhere."""
    at = dice.randrange(8 * len(octets))
    return (int.from_bytes(octets, "little") ^ 1 << at).to_bytes(len(octets), "little")


def test_a_signature_is_good_of_its_own_key_and_message_alone() -> None:
    dice = Random(1)
    for length in LENGTHS:
        private, message = Ed25519PrivateKey.from_private_bytes(dice.randbytes(32)), dice.randbytes(length)
        public, signature = private.public_key().public_bytes_raw(), private.sign(message)
        assert is_signed(public, message, signature)
        assert not is_signed(public, message + b"x", signature)
        for _ in range(3):
            assert not is_signed(public, message, flipped(signature, dice))
            assert not is_signed(flipped(public, dice), message, signature)
        scalar = int.from_bytes(signature[32:], "little") + ORDER
        assert not is_signed(public, message, signature[:32] + scalar.to_bytes(32, "little")), "not a second form of it"
        for wrong in (b"", signature[:-1], signature + b"\0"):
            assert not is_signed(public, message, wrong)
        assert not is_signed(public[:-1], message, signature)


def test_what_is_sealed_opens_with_its_own_key_nonce_and_bound_octets_alone() -> None:
    dice = Random(2)
    for length in LENGTHS:
        key, nonce, plain, bound = (dice.randbytes(count) for count in (32, 12, length, length % 37))
        sealed = ChaCha20Poly1305(key).encrypt(nonce, plain, bound)
        assert opened(key, nonce, sealed, bound) == plain
        for _ in range(3):
            assert opened(key, nonce, flipped(sealed, dice), bound) is None
        assert opened(flipped(key, dice), nonce, sealed, bound) is None
        assert opened(key, flipped(nonce, dice), sealed, bound) is None
        assert opened(key, nonce, sealed, bound + b"\0") is None
        assert opened(key, nonce, sealed[:15], bound) is None and opened(key[:16], nonce, sealed, bound) is None


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"b": [{"a": 1, "a": 1}]}'])
def test_a_key_that_is_there_twice_is_refused(text: str) -> None:
    with pytest.raises(NoBundle, match="a key is there twice"):
        read_json(text, "the bundle")
