"""Which regulations run live: those in force, others with an authorisation, whose reference and date are reported."""

import re
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.config.settings import engine_settings
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation
from tests.config.texts import EXAMPLE, MANUAL, OF_8, OF_21, OF_2008, OF_TILES, SIGN, changed, mistakes, read

TEXTS = {
    "fortune-3-card-poker-2025": EXAMPLE.replace('mode = "live" ', 'mode = "simulation" '),
    "fortune-3-card-poker-2008": OF_2008,
    "fortune-8": OF_8,
    "blackjack-21": OF_21,
    "taiwan-pai-kao": OF_TILES,
}
NOT_IN_FORCE = ("fortune-3-card-poker-2008", "blackjack-21", "taiwan-pai-kao")
BY_THE_DICJ = '\n[table.authorisation]\nreference = "DICJ 7/2026"\ndate = 2026-01-31\n'
BY_THE_SRIJ = '\n[jackpot.authorisation]\nreference = "SRIJ 12/2026"\ndate = 2026-02-01\n'


def live(text: str) -> str:
    return changed(text, 'mode = "simulation"', 'mode = "live"')


def refused(folder: Path, game: str) -> str:
    """Why the game does not run live."""
    [mistake] = mistakes(folder, live(TEXTS[game]))
    assert (mistake.key, mistake.value) == ("mode", '"live"')
    start, _, why = mistake.expected.partition(": ")
    assert start == "a regulation in force, or [table.authorisation] with reference and date"
    return why


def test_every_game_has_a_legal_status_and_a_simulation_asks_for_nothing(tmp_path: Path) -> None:
    assert TEXTS.keys() == GAMES.keys()
    for game, text in TEXTS.items():
        assert read(tmp_path, text).house.authorisations == ()
        assert (
            (GAMES[game].legal_status.state != "in_force")
            is (game in NOT_IN_FORCE)
            is bool(GAMES[game].legal_status.by)
        )


@pytest.mark.parametrize("game", [game for game in TEXTS if game not in NOT_IN_FORCE])
def test_a_regulation_in_force_runs_live(tmp_path: Path, game: str) -> None:
    assert read(tmp_path, live(TEXTS[game])).mode == "live"


def test_art_despacho_4_the_revoked_rules_do_not_run_live(tmp_path: Path) -> None:
    why = refused(tmp_path, "fortune-3-card-poker-2008")
    assert why == "Macau, Despacho SEF 78/2008 (97/2008); revoked by Despacho SEF 89/2025, n.º 4"


def test_pai_kao_art_portaria_2_after_six_months_the_rules_do_not_run_live(tmp_path: Path) -> None:
    why = refused(tmp_path, "taiwan-pai-kao")
    assert why == "Macau, Portaria 15/90/M; lapsed, Art. 2.º, 1990-07-22"


def test_blackjack_rule_portaria_3_what_entered_into_force_was_replaced_since(tmp_path: Path) -> None:
    why = refused(tmp_path, "blackjack-21")
    assert why == "Portugal, Portaria 1364/2001; replaced by Portaria 817/2005, Portaria 217/2007"


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize("mode", ["live", "simulation"])
def test_with_an_authorisation_each_runs_live_and_its_rounds_say_so(tmp_path: Path, game: str, mode: str) -> None:
    text = (live(TEXTS[game]) if mode == "live" else TEXTS[game]) + BY_THE_DICJ
    config = read(tmp_path, text)
    assert config.mode == mode
    authorised = (Authorisation(subject="table", reference="DICJ 7/2026", date="2026-01-31"),)
    assert config.house.authorisations == engine_settings(config).terms.house.authorisations == authorised


@pytest.mark.parametrize(
    ("old", "new", "key", "value"),
    [
        ('reference = "DICJ 7/2026"\n', "", "reference", "(missing)"),
        ('"DICJ 7/2026"', '""', "reference", '""'),
        ('"DICJ 7/2026"', '"DICJ\\n7/2026"', "reference", '"DICJ\n7/2026"'),
        ("date = 2026-01-31\n", "", "date", "(missing)"),
        ("2026-01-31", '"2026-01-31"', "date", '"2026-01-31"'),
        ("2026-01-31", "2026-01-31T10:00:00", "date", "2026-01-31 10:00:00"),
        ("2026-01-31", '2026-01-31\nby = "me"', "by", '"me"'),
    ],
)
def test_an_authorisation_has_a_reference_and_a_day(tmp_path: Path, old: str, new: str, key: str, value: str) -> None:
    [mistake] = mistakes(tmp_path, live(OF_2008) + changed(BY_THE_DICJ, old, new))
    assert (mistake.key, mistake.value) == (f"table.authorisation.{key}", value)


# ---- black-jack 38, 40: the prize


def with_prize(*authorisations: str) -> str:
    return live(MANUAL + SIGN) + "".join(authorisations)


def test_blackjack_rule_40_a_live_prize_has_its_authorisation(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, with_prize(BY_THE_DICJ))
    wanted = "a table [jackpot.authorisation] with reference and date (40)"
    assert (mistake.key, mistake.value, mistake.expected) == ("jackpot.authorisation", "(missing)", wanted)
    config = read(tmp_path, with_prize(BY_THE_DICJ, BY_THE_SRIJ))
    assert config.house.authorisations == (
        Authorisation(subject="table", reference="DICJ 7/2026", date="2026-01-31"),
        Authorisation(subject="jackpot", reference="SRIJ 12/2026", date="2026-02-01"),
    )
    assert engine_settings(config).terms.house.authorisations == config.house.authorisations


def test_blackjack_rule_38_and_40_a_simulation_and_a_table_without_prize_need_none(tmp_path: Path) -> None:
    assert read(tmp_path, MANUAL).house.authorisations == ()
    assert read(tmp_path, live(OF_21) + BY_THE_DICJ).jackpot is None
    [mistake] = mistakes(tmp_path, OF_21 + BY_THE_SRIJ)
    assert mistake.key == "jackpot"


def test_check_config_says_what_is_played_and_what_is_authorised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = read(tmp_path, with_prize(BY_THE_DICJ, BY_THE_SRIJ))
    assert main(["check-config", str(config.path)]) == 0
    output = capsys.readouterr().out
    assert "blackjack-21: Portugal, Portaria 1364/2001; replaced by" in output
    assert re.findall(r".* authorised: .*", output) == [
        "table authorised: DICJ 7/2026, 2026-01-31",
        "jackpot authorised: SRIJ 12/2026, 2026-02-01",
    ]
