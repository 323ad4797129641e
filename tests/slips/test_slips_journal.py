"""Payments read from a journal's file: whole, beside its writer, and nothing that was changed is believed."""

from pathlib import Path

import pytest

from controller.engine.decisions.jackpot import ConfirmHit
from controller.journal.payments import Confirmation, read_payments
from controller.journal.records import JournalCorrupt, JournalUnavailable, NewerJournal, WrongJournal
from controller.rulebook.house import Authorisation, House
from controller.slips.slip import slip_of
from tests.engine.playing import IDENTITY
from tests.journal.keeping import batch, entries_of, open_journal, tamper
from tests.slips.keeping_slips import keep, paid, time_of, won


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
