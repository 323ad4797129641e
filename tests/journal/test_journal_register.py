"""The register: what is in it, of which day, in every language, and as it is printed."""

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.engine.reasons import TableReason
from controller.engine.state.alarms import AlarmAcknowledged, AlarmRaised
from controller.engine.state.applied import Event
from controller.engine.state.events import (
    ActsRecorded,
    CardsExtracted,
    ComplaintDecided,
    ComplaintOpened,
    DamagedCardReplaced,
    DamagedCardReported,
    DeckDoubted,
    DeviceReported,
    EpochBegun,
    GrantCompared,
    InspectionInformed,
    KeyReleased,
    LinkOnPaper,
    LinkVouched,
    MessageSetAside,
    NoBetMade,
    PitAccepted,
    PitKeysConfigured,
    RoundAdjusted,
    ShufflerCleared,
    ShufflerExchanged,
    SlipPrinted,
)
from controller.engine.state.jackpot import (
    CardsWitnessed,
    HitWithdrawn,
    MeterAdjusted,
    ParametersApproved,
    ParametersProposed,
    ParametersScheduled,
    ParametersWithdrawn,
)
from controller.engine.state.law import RegulationApproved, RegulationChanged, RegulationScheduled
from controller.engine.state.persons import ChangeEntered, ChangeRejected, ChangesApproved, CorrectWager
from controller.journal.records import JournalCorrupt, JournalEntry
from controller.queries.register import RegisterEntry, register
from controller.queries.register_words import KINDS
from controller.rulebook.blackjack_21.events import CardAnnulled, CardUncalled
from controller.rulebook.cards import Card
from controller.rulebook.events import (
    CardCameEarly,
    CardsExposed,
    CardsNulled,
    CardsSetAside,
    CardsShown,
    CountDoubted,
    DeckFaulted,
    ErrorCorrected,
    InputCorrected,
    RoundVoided,
)
from controller.rulebook.games import GAMES
from controller.rulebook.refusal import because
from controller.rulebook.taiwan_pai_kao.events import DiceAnnulled, TilesMoved
from controller.words import SPOKEN
from tests.configured import configured
from tests.engine.playing import IDENTITY, PARAMETERS, Play
from tests.journal.keeping import STAMP, batch, entries_of, open_journal, tamper

DAY = "2026-01-02"
ALARM = AlarmRaised("device-sign", "device_lost/unplugged", {"device": "sign"}, STAMP.time)
LOWER = CorrectWager(input_id="", step_id="", actor="ana", seat=2, wager="ante", amount=500)
LATE = {"after_result": True, "approved_by": ("rui", "bia"), "net_before": -200, "net_after": 11_000, "change": 2}
EVERY: list[Event] = [
    CardsExposed(to="bank", count=2),
    CardsSetAside(to="seat 3", draws=(1, 2)),
    ErrorCorrected(what="order", to="seat 2", actor="ana"),
    CardsNulled(draws=(4,), seat=5),
    CardUncalled(draw=9, what="unasked", to="seat 1"),
    CardCameEarly(),
    CardsShown(to="seat 6", cards=(Card("As"),), keyed_in=True),
    TilesMoved(by="bank", actor="ana"),
    DiceAnnulled(seat=4, actor="ana"),
    DeckFaulted(found=51, missing=1, duplicated=0),
    DeckDoubted(found=51, missing=1, duplicated=0),
    CountDoubted(count=17, actor="ana"),
    ShufflerExchanged(actor="rui"),
    RoundVoided("17.º 1 1)", code="order_broken", values={}),
    InputCorrected("wager", "seat 1", 10_000, 20_000, "ana", "keyed in wrongly", "ante"),
    InputCorrected("decision", "seat 2", "play", "insure 100,0", "ana", "x"),
    InputCorrected("seat", "seat 2", "seat 2", "seat 1", "ana", "seen on the film", **LATE),  # type: ignore[arg-type]
    ChangeEntered(1, LOWER, "ana", "dealer", False, None, None, {}, net_before=-200, net_after=-100),
    ChangesApproved((1, 2), "rui", "seen", "ana", "dealer"),
    ChangeRejected(3, "rui", "supervisor", "not so"),
    ChangeRejected(4, None, None, ""),
    RoundAdjusted(round=7, seat=2, amount=-5_000, actor="rui", reason="paid twice", second="ana", after_claims=False),
    RoundAdjusted(round=7, seat=2, amount=5_000, actor="rui", reason="x", second="ana", after_claims=True),
    KeyReleased(round=7, actor="rui", reason="asked for by the inspection", second="ana"),
    EpochBegun(actor="rui", reason="the disk was exchanged", second="ana", second_role="dealer"),
    LinkOnPaper("5f1c/7", 712_345, (60_000, 5_000), actor="rui", reason="form 12", second="ana", second_role="dealer"),
    LinkVouched("5f1c", 17, "never_was", actor="rui", reason="no one placed them", second="ana", second_role="dealer"),
    GrantCompared("5f1c/7", 712_345, actor="rui", reason="the page has it", second="ana", second_role="dealer"),
    PitKeysConfigured(("casino.example/pit+1f2e+AQ==",)),
    PitAccepted(
        ("casino.example/pit+1f2e+AQ==",), actor="rui", reason="the key was stolen", second="ana", second_role="dealer"
    ),
    MeterAdjusted(part="reserve", amount=100, actor="rui", reason="counted", second="bia"),
    HitWithdrawn(hit=3, amount=50_000, from_pot=0, from_house=50_000),
    CardsWitnessed(round=7, of_hits=(1, 2), actor="rui", second="ana", second_role="dealer"),
    DeviceReported(device="shuffler", what="damaged_card", values={"position": 3}),
    DamagedCardReported(to="bank", actor="ana"),
    CardAnnulled(draw=9),
    DamagedCardReplaced(actor="rui", reason="torn"),
    InspectionInformed(actor="rui", reason="by telephone"),
    ShufflerCleared(cleared_by="rui", technician=False, actor="rui"),
    ShufflerCleared(cleared_by="Mr. Lei", technician=True, actor="rui"),
    SlipPrinted(slip=3, times=2, actor="rui"),
    ActsRecorded(acts=GAMES["blackjack-21"].session.acts, actor="ana", role="dealer"),
    NoBetMade(actor="ana", spread=True),
    CardsExtracted(count=207, missing=1, actor="rui"),
    ComplaintOpened(complaint=1, round=7, seat=2, what="order", by="Mr. Lei", actor="ana"),
    MessageSetAside(message=7, topic="t", actor="rui", reason="too long"),
    ComplaintDecided(complaint=1, round=7, seat=2, outcome="unchanged", reason="counted again", actor="rui"),
    ParametersProposed(number=1, parameters_before=PARAMETERS, parameters_after=PARAMETERS),
    ParametersApproved(number=1, actor="mei", role="technician"),
    ParametersWithdrawn(number=1),
    ParametersScheduled(PARAMETERS, PARAMETERS, "configuration", ("ana", "rui"), ("dealer", "supervisor")),
    AlarmAcknowledged(alarm="device-sign", actor="rui"),
    RegulationApproved("94/2025", actor="rui", role="supervisor"),
    RegulationScheduled("89/2025", "94/2025", "2025-11-18", ("rui", "ana"), ("supervisor", "dealer")),
    RegulationChanged("89/2025", "94/2025", "2025-11-18"),
]
NONE_OF_IT: list[Event] = [
    ALARM,
    CardsExtracted(count=208, missing=0, actor="rui"),
    SlipPrinted(slip=3, times=1, actor="rui"),
    CardsShown(to="seat 5", cards=(Card("Ks"),)),
    DeviceReported(device="shoe", what="cut_card"),
]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A little play, everything that has an entry and something that has none; another day a correction."""
    path = tmp_path / "state" / "journal.db"
    kept = open_journal(path)
    play = Play().to_wagers()
    kept.commit(batch([*entries_of(play), *(JournalEntry(event=event) for event in (*NONE_OF_IT, *EVERY))]))
    later = batch(
        [JournalEntry(event=CardCameEarly()), JournalEntry(event=AlarmAcknowledged(alarm="device-sign", actor="rui"))]
    )
    kept.commit(replace(later, stamp=replace(STAMP, time="2026-01-03T00:00:00.000Z")))
    kept.close()
    return path


def of(path: Path, day: str = DAY) -> list[RegisterEntry]:
    return register(path, IDENTITY, date.fromisoformat(day))


def test_every_kind_is_entered_in_every_language_and_nothing_else(journal: Path) -> None:
    entries = of(journal)
    assert len(entries) == len(EVERY)
    assert {entry.kind for entry in entries} == set(KINDS)
    for entry in entries:
        assert set(entry.text) == SPOKEN.keys() and all(entry.text.values())
        assert not [text for text in entry.text.values() if "{" in text or "None" in text]
    assert len({entry.text[language] for entry in entries for language in SPOKEN}) == len(EVERY) * len(SPOKEN)


def test_a_change_after_the_result_is_reported_with_the_money_and_who_approved_it(journal: Path) -> None:
    [late] = [row for row in of(journal) if row.kind == "input_corrected" and "seat 1" in row.text["en"]][1:]
    assert late.who == ("ana", "rui", "bia")
    assert late.text["en"] == (
        "Correction, seat 2, seat: seat 2 → seat 1. seen on the film After the result was open. "
        "Players win in total MOP -2.00 → MOP 110.00 (MOP 112.00)."
    )
    assert texts(journal, "pt")["change_entered"].endswith(
        "valor de uma aposta, lugar 2, ante, MOP 5.00. Depois de conhecido o resultado. "
        "Os jogadores ganham ao todo MOP -2.00 → MOP -1.00 (MOP 1.00)."
    )


def texts(journal: Path, language: str) -> dict[str, str]:
    return {entry.kind: entry.text[language] for entry in of(journal)}


def test_why_a_round_was_void_is_shown_in_each_language_as_far_as_its_code_is_known(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.db"
    kept = open_journal(path)
    failed = because(TableReason.WITH_WORDS, why=because(TableReason.SHUFFLER_FAILED), statement="no light")
    known = RoundVoided("17.º 2", code=failed.code, values=failed.values)
    kept.commit(batch([JournalEntry(event=known), JournalEntry(event=replace(known, code="of_a_newer_station"))]))
    kept.close()
    first, second = of(path)
    assert first.text["en"] == "Round void (17.º 2): the shuffler failed while dealing: no light"
    assert first.text["pt"] == "Jogada inválida (17.º 2): o baralhador avariou durante a distribuição: no light"
    assert second.text["pt"] == "Jogada inválida (17.º 2): of_a_newer_station"


def test_an_entry_says_what_in_the_words_of_its_language(journal: Path) -> None:
    corrected = [entry.text for entry in of(journal) if entry.kind == "input_corrected"]
    assert corrected[0]["pt"] == "Correção, lugar 1, aposta ante: MOP 100.00 → MOP 200.00. keyed in wrongly"
    assert corrected[1]["zh"] == "更正，2號位，決定：加注 → 買保險 100,0。x"
    portuguese = texts(journal, "pt")
    assert portuguese["round_voided"] == "Jogada inválida (17.º 1 1)): a ordem da distribuição não foi respeitada"
    assert portuguese["round_adjusted_late"] == "Ajuste depois de introduzidas as cartas, lugar 2: MOP 50.00. x"
    assert portuguese["complaint_opened"] == "Reclamação 1, lugar 2, Mr. Lei: order"
    assert portuguese["complaint_decided"] == "Reclamação 1 decidida, o resultado mantém-se. counted again"
    assert portuguese["alarm_acknowledged"] == (
        "Alarme reconhecido: O expositor não responde: sem ligação ou sem corrente. Verifique o cabo e a alimentação."
    )
    assert portuguese["dice_annulled"].endswith("lugar 4") and portuguese["tiles_moved"].endswith("banca")


def test_an_entry_has_round_and_persons(journal: Path) -> None:
    found = {entry.kind: (entry.round, entry.who) for entry in of(journal)}
    assert found["round_voided"] == (1, ()) and found["error_corrected"] == (1, ("ana",))
    assert found["round_adjusted"] == (7, ("rui", "ana")) and found["complaint_opened"] == (7, ("ana",))
    assert found["alarm_acknowledged"] == (None, ("rui",))
    assert found["parameters_scheduled"] == (None, ("configuration", "ana", "rui"))


def test_a_day_has_its_own_entries_with_round_and_alarm_from_before(journal: Path) -> None:
    early, alarm = of(journal, "2026-01-03")
    assert (early.kind, early.round) == ("card_came_early", 1)
    assert alarm.text["en"] == (
        "Alarm acknowledged: The sign does not answer: unplugged, or without power. Check cable and power."
    )
    assert of(journal, "2026-01-01") == of(journal, "9999-12-31") == []
    assert register(journal, IDENTITY) == [*of(journal), early, alarm]


def test_an_entry_that_was_changed_is_noticed(journal: Path) -> None:
    changed = "UPDATE events SET body = CAST(replace(body, 'paid twice', 'paid once') AS BLOB)"
    tamper(journal, (changed, ()))
    with pytest.raises(JournalCorrupt, match="hash chain"):
        of(journal)


@pytest.fixture
def config(journal: Path) -> str:
    return str(configured(journal.parents[1]))


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "REGISTER OF THE TABLE"), ("pt", "REGISTO DA MESA"), ("zh", "賭枱記錄冊")]
)
def test_the_command_prints_a_day_in_a_language(
    config: str, capsys: pytest.CaptureFixture[str], language: str, expected: str
) -> None:
    assert main(["register", "--config", config, "--day", DAY, "--language", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == expected and any(DAY in line for line in lines)
    assert sum("UTC" in line and line[:6].strip().isdigit() for line in lines) == len(EVERY)


def test_the_command_says_where_nothing_is_and_prints_json(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "--config", config, "--day", "2025-01-01"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing to report"
    assert main(["register", "--config", config, "--json"]) == 0
    assert capsys.readouterr().out.count('"kind"') == len(EVERY) + 2


def test_the_command_says_what_is_wrong_by_its_exit_code(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as wrong:
        main(["register", "--config", config, "--day", "yesterday"])
    assert wrong.value.code == 2 and "is not a day" in capsys.readouterr().err
    assert main(["register", "--config", config, "--journal", str(tmp_path / "none.db")]) == 75
    assert main(["register", "--config", str(tmp_path / "none.toml")]) == 78
