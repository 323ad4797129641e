"""The page of a slip in each language, and the command that prints it."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.engine.decisions.jackpot import PrintSlip
from controller.engine.shown.device_orders import legal_status_in_words
from controller.journal.payments import read_payments
from controller.rulebook.blackjack_21 import paytable
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation
from controller.slips.printed import LABEL_WIDTH, WIDTH, Copy, local_time, printed
from controller.slips.slip import Slip, slip_of
from controller.words import SPOKEN
from tests.engine.playing import IDENTITY
from tests.journal.keeping import tamper
from tests.slips.keeping_slips import configuration, keep, paid, time_of


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time zone of these tests, whatever the machine's is."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


ENGLISH = """\
JACKPOT PAYMENT SLIP
========================================================================
SIMULATION: of no value, nothing was paid
------------------------------------------------------------------------
Slip no.          1
Paid at           2026-01-02 03:00:29 UTC
Casino            site
Table             t1
Game              fortune-3-card-poker-2025
Regulation        Macau, Despacho SEF 89/2025 (94/2025); in force
Round             1
Seat              1
Cards             A♠ K♠ Q♠ J♠ 10♠
Prize             royal flush (16.º 3 1))
Amount            MOP 5,406.30
In words          Five thousand, four hundred and six patacas and thirty
                  avos
From the pot      MOP 5,406.30
From the house    MOP 0.00
Won at            2026-01-02 03:00:24 UTC
Journal           JOURNAL / 29
Confirmed by      ana, Dealer, 2026-01-02 03:00:27 UTC
Confirmed by      rui, Supervisor, 2026-01-02 03:00:28 UTC
------------------------------------------------------------------------

ana               ________________________

rui               ________________________

Player            ________________________"""


@pytest.fixture
def slip(tmp_path: Path) -> Slip:
    keep(tmp_path / "j.db", paid(2, 1))
    made = slip_of(read_payments(tmp_path / "j.db", "simulation")[0], IDENTITY)
    persons = tuple(replace(signature, at=time_of(27 + at)) for at, signature in enumerate(made.confirmed))
    return replace(
        made, journal="JOURNAL", event=29, won_at=time_of(24), paid_at=time_of(29), confirmed=persons
    )  # fmt: skip


def columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


def test_a_slip_in_english(slip: Slip) -> None:
    assert printed(slip, "en") == ENGLISH


def test_a_slip_in_portuguese_and_chinese_says_the_same(slip: Slip) -> None:
    portuguese, chinese = printed(slip, "pt"), printed(slip, "zh")
    assert (
        "Cinco mil quatrocentas e seis patacas e trinta avos" in portuguese and "naipe real (16.º 3 1))" in portuguese
    )
    assert "澳門幣伍仟肆佰零陸圓參角整" in chinese and "皇家同花順" in chinese and "rui, 監場主任" in chinese
    for line in ENGLISH.splitlines():
        value = line[LABEL_WIDTH:]
        if any(character.isdecimal() for character in value) and not re.search("flush|Dealer|in force", value):
            assert value.replace("Supervisor", "Fiscal-chefe") in portuguese
            assert value.replace("Supervisor", "監場主任") in chinese


def test_who_deals_is_called_as_in_the_regulation_of_the_game(slip: Slip) -> None:
    assert "ana, Croupier, " in printed(slip, "pt")
    assert "ana, Pagador, " in printed(replace(slip, game="blackjack-21"), "pt")


@pytest.mark.parametrize("language", SPOKEN)
def test_blackjack_rule_40_the_slip_says_what_was_authorised_and_what_is_not_in_force(
    slip: Slip, language: str
) -> None:
    of_21 = legal_status_in_words(GAMES["blackjack-21"].legal_status)
    authorised = Authorisation(subject="jackpot", reference="SRIJ 12/2026", date="2026-02-01")
    page = printed(replace(slip, legal_status=of_21, authorisations=(authorised,)), language)
    assert "SRIJ 12/2026, 2026-02-01" in page and SPOKEN[language].slip_texts["label/authorised"] in page
    assert "Portaria 817/2005, Portaria 217/2007" in " ".join(page.split())
    assert max(map(columns, page.splitlines())) <= WIDTH
    assert SPOKEN[language].slip_texts["label/authorised"] not in printed(slip, language)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_line_is_wider_than_the_paper_and_the_longest_amount_is_whole(slip: Slip, language: str) -> None:
    longest = "".join(slip.words[language] for _ in range(4))
    page = printed(replace(slip, words={language: longest}), language)
    assert max(map(columns, page.splitlines())) <= WIDTH
    assert longest[1:].replace(" ", "") in "".join(page.split())


def test_only_a_simulated_slip_says_that_it_is_of_no_value(slip: Slip) -> None:
    for language, words in SPOKEN.items():
        assert words.slip_texts["simulation"] in printed(slip, language)
        assert words.slip_texts["simulation"] not in printed(replace(slip, mode="live"), language)


@pytest.mark.parametrize("language", SPOKEN)
def test_a_time_of_a_clock_that_no_one_set_is_marked(slip: Slip, language: str) -> None:
    unsynchronised = SPOKEN[language].slip_texts["unsynchronised"]
    assert unsynchronised not in printed(slip, language)
    page = printed(replace(slip, synchronised=False), language)
    assert f"2026-01-02 03:00:29 UTC ({unsynchronised})" in page


def test_every_prize_of_every_game_has_its_words() -> None:
    tiers = {tier for game in GAMES.values() for tier in game.prize.tiers}
    tiers |= {value.name for value in vars(paytable).values() if isinstance(value, paytable.PrizeTier)}
    assert named("tier") == tiers and len(tiers) == 10


def named(kind: str) -> set[str]:
    return {key.removeprefix(f"{kind}/") for key in SPOKEN["en"].slip_texts if key.startswith(f"{kind}/")}


@pytest.mark.parametrize(
    ("zone", "shown"),
    [("Asia/Macau", "2026-01-02 11:00:29 UTC+08:00"), ("America/St_Johns", "2026-01-01 23:30:29 UTC-03:30")],
)
def test_a_slip_has_the_local_time_with_its_zone(zone: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    assert local_time("2026-01-02T03:00:29.678Z") == shown


# ---- the command


@pytest.fixture
def config(tmp_path: Path) -> Path:
    config = configuration(tmp_path)
    keep(tmp_path / "state" / "journal.db", paid(2, 1))
    return config


def test_the_command_prints_one_slip_a_list_or_json(config: Path, capfd: pytest.CaptureFixture[str]) -> None:
    named = ["slip", "--config", str(config)]
    assert main([*named, "1", "--language", "pt"]) == 0
    assert "TALÃO DE PAGAMENTO DO JACKPOT" in capfd.readouterr().out
    assert main(named) == 0
    first, second = capfd.readouterr().out.splitlines()
    assert first.split()[0] == "1" and first.endswith("royal flush") and "MOP 5,406.30" in first
    assert second.split()[0] == "2" and second.endswith("straight flush")
    assert main([*named, "2", "--json"]) == 0
    slip = json.loads(capfd.readouterr().out)
    assert (slip["schema"], slip["slip"], slip["amount"], slip["cards"]) == (1, 2, 60_070, "9s 8s 7s Js Ts")
    assert [person["name"] for person in slip["confirmed"]] == ["ana", "rui"]
    assert main([*named, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)[1] == slip | {"code": None}


def test_what_the_command_prints_is_a_copy_that_is_not_counted_whatever_the_console_has_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "mei")
    play = paid(2, 1)
    for person in ("ana", "rui"):
        play.say(PrintSlip, person, slip=1)
    configuration(tmp_path)
    keep(tmp_path / "state" / "journal.db", play)
    copies = []
    for number in ("1", "1", "2"):
        assert main(["slip", "--config", str(tmp_path / "station.toml"), number, "--language", "pt"]) == 0
        copies.append(re.findall(r"(CÓPIA.*)\n(\w+), \d", capfd.readouterr().out))
    twice, never = (f"CÓPIA, não contada · impressões na consola: {times}" for times in (2, 0))
    assert copies == [[(twice, "mei")], [(twice, "mei")], [(never, "mei")]]


@pytest.mark.parametrize("language", SPOKEN)
def test_a_copy_is_marked_in_every_language_and_fits_the_paper(slip: Slip, language: str) -> None:
    copy = printed(slip, language, Copy(2, "u" * 32, time_of(40)))  # as long as a name of a user may be
    marked = [SPOKEN[language].slip_texts["copy"].format(times=2), f"{'u' * 32}, 2026-01-02 03:00:40 UTC"]
    assert copy.splitlines()[2:4] == marked
    assert max(map(columns, copy.splitlines())) <= WIDTH


def test_the_command_leaves_the_journal_as_it_was(config: Path) -> None:
    journal = config.parent / "state" / "journal.db"
    before = journal.read_bytes()
    for number in ("1", "2", "1"):
        assert main(["slip", "--config", str(config), number]) == 0
    assert journal.read_bytes() == before


def test_the_command_reads_another_journal_and_one_without_slips(
    config: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = config.parent / "other.db"
    keep(other, paid())
    assert main(["slip", "--config", str(config), "--journal", str(other)]) == 0
    assert capfd.readouterr().out == "no hit was paid yet\n"
    assert main(["slip", "--config", str(config), "--journal", str(other), "1"]) == 2
    assert "slip 1: there is none; no hit was paid yet" in capfd.readouterr().err


def test_what_cannot_be_printed_has_the_exit_code_of_every_command(
    config: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    named = ["slip", "--config", str(config)]
    journal = config.parent / "state" / "journal.db"
    assert main([*named, "3"]) == 2
    assert "slips are numbered 1 to 2" in capfd.readouterr().err
    assert main([*named, "--journal", str(config.parent / "away.db")]) == 75
    keep(config.parent / "live.db", paid(1), mode="live")
    assert main([*named, "--journal", str(config.parent / "live.db")]) == 78
    assert main(["slip", "--config", str(config.parent / "away.toml")]) == 78
    tamper(journal, ("UPDATE events SET time = 'x' WHERE instr(CAST(body AS TEXT), 'hit_paid') > 0", ()))
    assert main([*named, "1"]) == 65
    assert "not as it was written" in capfd.readouterr().err


def test_a_journal_of_another_game_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = configuration(tmp_path, game="blackjack-21")
    keep(tmp_path / "state" / "journal.db", paid(1))
    assert main(["slip", "--config", str(config)]) == 78
    assert "is a journal of fortune-3-card-poker-2025" in capfd.readouterr().err
