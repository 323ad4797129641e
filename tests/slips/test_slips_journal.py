"""Payments read from a journal's file, of which nothing that was changed is believed, and the code on their slips."""

import asyncio
import base64
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zxingcpp
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace
from PIL import Image

from controller.__main__ import main
from controller.command_line.output import EXIT_REFUSED
from controller.engine.decisions.jackpot import ConfirmHit
from controller.engine.outcomes import NoSlip
from controller.engine.state.table import Table
from controller.floor.messages import Identity
from controller.floor.shapes import SCHEMA, PublishedCheckpoint
from controller.journal.payments import Confirmation, read_payments
from controller.journal.reading import reading
from controller.journal.records import JournalCorrupt, JournalUnavailable, NewerJournal, WrongJournal
from controller.journal.tree import prove_event
from controller.queries.slips import all_slips, numbered_slip
from controller.rulebook.house import Authorisation, House
from controller.runtime.view import View
from controller.slips.code import PaymentProof, code_of
from controller.slips.printed import printed
from controller.slips.slip import slip_of
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import Checkpoint, Note, Signer
from tests.disputes.rounds import checked
from tests.engine.playing import IDENTITY, Play
from tests.journal.keeping import batch, entries_of, open_journal, tamper
from tests.referee.bundle.command import AGREES
from tests.referee.bundle.rows import Row
from tests.slips.keeping_slips import configuration, keep, paid, time_of, won


def test_a_payment_has_its_award_its_game_both_persons_and_their_times(tmp_path: Path) -> None:
    play = paid(2, 1)
    keep(tmp_path / "j.db", play)
    first, second = read_payments(tmp_path / "j.db", "simulation")
    kinds = [type(event).__name__ for event, _ in play.entries]
    locked, confirmed, handed = (
        [number for number, kind in enumerate(kinds, start=1) if kind == name]
        for name in ("HitLocked", "HitConfirmed", "HitPaid")
    )
    assert [(slip.paid.hit, slip.paid.slip, slip.event) for slip in (first, second)] == [
        (2, 1, handed[0]),
        (1, 2, handed[1]),
    ]
    assert (first.won_at, first.paid_at) == (time_of(locked[1]), time_of(handed[0]))
    assert first.confirmed == (
        Confirmation(name="ana", role="dealer", at=time_of(confirmed[0])),
        Confirmation(name="rui", role="supervisor", at=time_of(confirmed[1])),
    )
    assert first.terms.game == "fortune-3-card-poker-2025"
    assert (first.locked.from_pot, first.locked.from_house) == (540_630, 0)


def test_a_slip_is_made_of_it_and_of_the_table_it_names(tmp_path: Path) -> None:
    keep(tmp_path / "j.db", paid(2, 1))
    payment = read_payments(tmp_path / "j.db", "simulation")[1]
    slip = slip_of(payment, IDENTITY)
    assert (slip.slip, slip.hit, slip.round, slip.seat, slip.cards) == (2, 1, 1, 2, "9s 8s 7s Js Ts")
    assert (slip.site, slip.table, slip.mode, slip.game) == ("site", "t1", "simulation", "fortune-3-card-poker-2025")
    assert (slip.tier, slip.article) == ("straight_flush", payment.locked.article)
    assert (slip.amount, slip.from_pot, slip.from_house, slip.figures) == (60_070, 60_070, 0, "MOP 600.70")
    assert slip.words["en"] == "six hundred patacas and seventy avos"
    assert slip.journal == payment.journal != ""
    assert slip.legal_status["en"] == "Macau, Despacho SEF 89/2025 (94/2025); in force" and slip.authorisations == ()


def test_blackjack_rule_40_a_slip_has_the_authorisation_of_the_round_that_won_it(tmp_path: Path) -> None:
    authorised = Authorisation(subject="jackpot", reference="SRIJ 12/2026", date="2026-02-01")
    keep(tmp_path / "j.db", paid(2, 1, house=House((authorised,))))
    assert slip_of(read_payments(tmp_path / "j.db", "simulation")[0], IDENTITY).authorisations == (authorised,)


def test_payments_are_read_while_the_journal_is_written(tmp_path: Path) -> None:
    play = won()
    journal = open_journal(tmp_path / "j.db")
    journal.commit(batch(entries_of(play)))
    written = len(play.entries)
    assert read_payments(tmp_path / "j.db", "simulation") == []
    play.say(ConfirmHit, hit=1)
    play.say(ConfirmHit, "rui", hit=1)
    journal.commit(batch(entries_of(play)[written:]))
    assert [payment.paid.slip for payment in read_payments(tmp_path / "j.db", "simulation")] == [1]
    journal.commit(batch())
    journal.close()


@pytest.mark.parametrize(
    "change",
    [
        "body = CAST(CAST(body AS TEXT) || ' ' AS BLOB)",
        "time = '2026-01-02T03:59:59.678Z'",
        "hash = zeroblob(32)",
    ],
)
@pytest.mark.parametrize("kind", ["hit_locked", "hit_confirmed", "hit_paid", "round_begun"])
def test_a_row_that_was_changed_is_no_payment(tmp_path: Path, kind: str, change: str) -> None:
    keep(tmp_path / "j.db", paid(1))
    tamper(tmp_path / "j.db", (f"UPDATE events SET {change} WHERE instr(CAST(body AS TEXT), ?) > 0", (f'"{kind}"',)))
    with pytest.raises(JournalCorrupt, match="not as it was written"):
        read_payments(tmp_path / "j.db", "simulation")


def test_what_is_no_journal_of_this_table_is_refused(tmp_path: Path) -> None:
    keep(tmp_path / "j.db", paid(1))
    with pytest.raises(WrongJournal, match="'simulation'; this configuration is 'live'"):
        read_payments(tmp_path / "j.db", "live")
    with pytest.raises(JournalUnavailable):
        read_payments(tmp_path / "away.db", "simulation")
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(JournalCorrupt):
        read_payments(tmp_path / "text.db", "simulation")
    tamper(tmp_path / "j.db", ("UPDATE meta SET value = ? WHERE key = 'format'", (b"9",)))
    with pytest.raises(NewerJournal, match="has format 9"):
        read_payments(tmp_path / "j.db", "simulation")


BASE = "dealer/laptop/table-1"
SIGNER = Signer(BASE, bytes(range(32)))
MOST_MODULES = 128  # of half a millimetre, on a roll of 80 mm that prints 72 mm


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = configuration(tmp_path)
    keep(tmp_path / "state" / "journal.db", paid(1, 2))
    return path


def signed(config: Path, size: int | None = None, base: str = BASE) -> Path:
    """What the table has signed, when its tree had this size."""
    journal = config.parent / "state" / "journal.db"
    with reading(journal, "simulation") as (_, uuid):
        proof = prove_event(journal, "simulation", 1, size)
    note = SIGNER.sign(Checkpoint(f"{base}/{uuid}", proof.size, proof.root).text)
    file = config.parent / "checkpoint"
    file.write_text(str(note), encoding="utf-8")
    return file


def slip(config: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["slip", "1", "--json", "--config", str(config), *options]) == 0
    page: dict[str, Any] = json.loads(capsys.readouterr().out)
    return page


def read_by_a_phone(modules: list[str]) -> str:
    side, dot = len(modules) + 8, 4
    image = Image.new("L", (side, side), 255)
    for y, row in enumerate(modules):
        for x, module in enumerate(row):
            if module == "1":
                image.putpixel((x + 4, y + 4), 0)
    [found] = zxingcpp.read_barcodes(
        image.resize((side * dot, side * dot), Image.Resampling.NEAREST),
        formats=zxingcpp.barcode_formats_from_str("QRCode"),
    )
    return str(found.text)


def test_a_phone_reads_it_and_other_programs_find_the_payment_in_what_the_table_has_signed(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = slip(config, capsys, "--checkpoint", str(signed(config)))
    text = read_by_a_phone(page["code"]["modules"])
    assert text == page["code"]["text"]
    head, _, note = text.partition("\n\n")
    fields = dict(line.split(" ", 1) for line in head.splitlines()[1:])
    assert (fields["slip"], fields["round"], fields["paid"]) == ("1", "1", "MOP 600.70")

    # Signed by the table, so that it can show no other record of that size later on.
    body, _, line = note.partition("\n\n")
    origin, size, _root = body.splitlines()
    assert (origin, int(size) > int(fields["index"])) == (fields["journal"], True)
    signature = base64.b64decode(line.split(" ")[2])[4:]
    Ed25519PublicKey.from_public_bytes(SIGNER.verifier.key).verify(signature, f"{body}\n".encode())

    # The round in one file, as of that checkpoint, which another program checks.
    bundle, checkpoint = config.parent / "round.json", config.parent / "from-the-slip"
    checkpoint.write_text(note, encoding="utf-8")
    words = ["dispute", "1", "--config", str(config), "--output", str(bundle), "--checkpoint", str(checkpoint)]
    assert main(words) == 0
    assert checked("--key", str(SIGNER.verifier), str(bundle)) == AGREES

    # A phone may leave out the newline at the end, and `jq -r` writes one more.
    whole = bundle.read_bytes()
    for copied in (note.rstrip("\n"), note + "\n"):
        checkpoint.write_text(copied, encoding="utf-8")
        bundle.unlink()
        bundle.with_suffix(".html").unlink()
        assert main(words) == 0 and bundle.read_bytes() == whole
    chain = json.loads(bundle.read_text())["chain"]
    before = bytes.fromhex(chain["before"])
    for row in map(Row, chain["rows"]):
        before = row.hash_after(before)
        if row.number == int(fields["event"]):
            assert base64.b64encode(before).decode() == fields["hash"]
            assert (row.type, row.event["slip"], row.event["amount"]) == ("hit_paid", 1, 60_070)
            break
    else:
        pytest.fail("the payment is not in its round")


def test_without_a_checkpoint_it_has_the_hash_of_the_payments_row(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = slip(config, capsys)
    text = read_by_a_phone(page["code"]["modules"])
    assert text == page["code"]["text"] and "\n\n" not in text
    with reading(config.parent / "state" / "journal.db", "simulation") as (past, _):
        hash = next(past.after(page["event"] - 1))[7]
    assert text.endswith(f"hash {base64.b64encode(hash).decode()}\n")


@pytest.mark.parametrize("witnesses", [None, 0, 20], ids=["no checkpoint", "checkpoint", "many witnesses"])
def test_it_is_below_the_printed_slip_on_paper_of_80_columns_and_is_read_from_there(
    config: Path, capsys: pytest.CaptureFixture[str], witnesses: int | None
) -> None:
    options = []
    if witnesses is not None:
        file = signed(config)
        note = Note.read(file.read_bytes())
        for number in range(witnesses):
            note = Signer(f"witness-{number}", bytes([number] * 32)).cosign(note, 1_800_000_000)
        file.write_text(str(note), encoding="utf-8")
        options = ["--checkpoint", str(file)]
    code = slip(config, capsys, *options)["code"]
    assert main(["slip", "1", "--config", str(config), "--language", "pt", *options]) == 0
    drawn = capsys.readouterr().out.partition("no registo da mesa\n")[2].rstrip("\n").split("\n")
    side = max(map(len, drawn)) + 2
    assert side <= 80
    rows = [["01"[mark in marks] for mark in line.ljust(side)] for line in drawn for marks in ("▀█", "▄█")]
    size = next(at for at in range(len(rows), 0, -1) if "1" in rows[at - 1]) - 2
    assert read_by_a_phone(["".join(row[2 : 2 + size]) for row in rows[2 : 2 + size]]) == code["text"]


def test_a_code_that_is_wider_than_the_paper_is_left_to_the_console(config: Path) -> None:
    [page] = [paper for paper in all_slips(config.parent / "state" / "journal.db", IDENTITY) if paper.slip == 1]
    wide = printed(replace(page, code=code_of({"journal": "x" * 500}, PaymentProof(bytes(32)))), "en")
    assert "too wide for this paper" in wide and "█" not in wide


def test_a_long_name_and_an_old_table_leave_it_small_enough_for_a_phone() -> None:
    base = f"dealer/{'macau-' + 'x' * 24}/{'table-' + 'y' * 10}"
    note = Signer(base, bytes(32)).sign(Checkpoint(f"{base}/{'0' * 36}", 10**9, bytes(32)).text)
    page = {"journal": f"{base}/{'0' * 36}", "slip": 9999, "round": 10**7, "event": 10**9, "paid": "MOP 2,000,000.00"}
    assert len(code_of(page, PaymentProof(bytes(32), 10**9, str(note))).modules) + 8 <= MOST_MODULES


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"size": 3}, "is not in a tree of 3 leaves"), ({"base": "dealer/laptop/2"}, "is of dealer/laptop/2/")],
)
def test_a_checkpoint_in_which_the_payment_is_not_is_refused_or_left_out(
    config: Path, changed: dict[str, Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = signed(config, **changed)
    assert main(["slip", "1", "--config", str(config), "--checkpoint", str(file)]) == EXIT_REFUSED
    assert reason in capsys.readouterr().err
    identity = Identity(site="laptop", table="table-1", journal="", mode="simulation", currency="MOP", exponent=2)
    journal = config.parent / "state" / "journal.db"
    for note, there in ((Note.read(file.read_bytes()), False), (Note.read(signed(config).read_bytes()), True)):
        found = numbered_slip(journal, identity, 1, note)
        assert not isinstance(found, NoSlip) and found.code is not None
        assert ("\nindex " in found.code.text) == there


def test_the_console_has_the_record_signed_when_a_slip_is_asked_for(config: Path) -> None:
    identity = Identity(site="laptop", table="table-1", journal="", mode="simulation", currency="MOP", exponent=2)
    writer: Any = SimpleNamespace(
        journal=SimpleNamespace(path=config.parent / "state" / "journal.db"),
        restored=SimpleNamespace(table=Table(), sequence=0),
    )
    view = View(writer, Play().settings, identity, Metrics(), "2026-01-02T03:04:05.678Z")
    before = asyncio.run(view.slip(1))
    page = PublishedCheckpoint(SCHEMA, 1, signed(config).read_text(encoding="utf-8"), ())
    view.sign = lambda: view.show_checkpoint(page)
    after = asyncio.run(view.slip(1))
    assert isinstance(before, bytes) and isinstance(after, bytes)
    assert "index" not in json.loads(before)["code"]["text"]
    assert json.loads(after)["code"]["text"].endswith(page.note)
