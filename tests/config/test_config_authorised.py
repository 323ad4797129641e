"""What takes an authorisation: regulations that are not in force, a live prize, and bets beside the regulation's."""

import re
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.certify.fortune_8 import CardBet, SpacesBet
from controller.certify.reading import read_paytable
from controller.config.settings import engine_settings
from controller.rulebook.cards import parse_cards
from controller.rulebook.games import GAMES
from controller.rulebook.house import AddedBet, Authorisation, Pays
from controller.rulebook.reading import Limits
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


PAYS = 'pays = [{ cards = "8h 8d", to_one = 20 }, { ranks = "A", suits = "hd", to_one = 2 }]'
BET = f"""
[[table.wagers.bet]]
name = "red eight"
{PAYS}
reference = "DICJ 8/2026"
date = 2026-03-01
"""
RED = """
[[table.wagers.bet]]
name = "red"
pays = [{ suits = "hd", to_one = 1 }]
reference = "DICJ 9/2026"
date = 2026-03-02
"""


def test_fortune_8_art_9_1_an_authorised_bet_is_in_the_terms_with_its_authorisation(tmp_path: Path) -> None:
    posted = engine_settings(read(tmp_path, OF_8 + BET + RED)).terms.house
    eight, red = posted.bets
    assert eight == AddedBet("red eight", (Pays(parse_cards("8h 8d", ""), 20), Pays(parse_cards("Ad Ah", ""), 2)))
    assert {card[1] for card in red.pays[0].cards} == {"h", "d"} and len(red.pays[0].cards) == 26
    assert posted.authorisations == (
        Authorisation(subject="red eight", reference="DICJ 8/2026", date="2026-03-01"),
        Authorisation(subject="red", reference="DICJ 9/2026", date="2026-03-02"),
    )


def test_fortune_8_art_9_1_a_bet_is_described_as_it_was_certified(tmp_path: Path) -> None:
    [certified] = read_paytable(f'game = "fortune-8"\n[[bet]]\nname = "red eight"\n{PAYS}\n').bets
    assert isinstance(certified, CardBet)
    [played] = engine_settings(read(tmp_path, OF_8 + BET)).terms.house.bets
    assert [(frozenset(pay.cards), pay.to_one) for pay in played.pays] == list(certified.pays)


def test_fortune_8_art_4_3_and_9_1_it_may_have_limits_of_its_own(tmp_path: Path) -> None:
    own = '\n[table.limits."red eight"]\nmin = 50\nmax = 100\n'
    assert engine_settings(read(tmp_path, OF_8 + BET + own)).terms.limits_of("red eight") == Limits(50, 100)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('name = "red eight"\n', "", "name"),
        ('"red eight"', '"eight"', "name"),
        ('"red eight"', f'"{"x" * 41}"', "name"),
        (f"{PAYS}\n", "", "pays"),
        (PAYS, "pays = []", "pays"),
        (PAYS, "pays = 3", "pays"),
        ('cards = "8h 8d"', 'cards = "8h 8x"', "pays 1.cards"),
        ('cards = "8h 8d", ', "", "pays 1.cards"),
        ('cards = "8h 8d"', 'ranks = "1"', "pays 1.ranks"),
        ('suits = "hd"', 'suits = "red"', "pays 2.suits"),
        ("to_one = 20", "to_one = 0", "pays 1.to_one"),
        ("to_one = 20", "to_one = 20, for = 1", "pays 1.for"),
        ('reference = "DICJ 8/2026"\n', "", "reference"),
        ("date = 2026-03-01\n", "", "date"),
        ("date = 2026-03-01\n", "date = 2026-03-01\nspaces = 3\n", "spaces"),
    ],
)
def test_fortune_8_art_9_1_whatever_is_wrong_with_a_bet_is_named(tmp_path: Path, old: str, new: str, key: str) -> None:
    [mistake] = mistakes(tmp_path, OF_8 + changed(BET, old, new))
    assert mistake.key == f"table.wagers.bet 1.{key}"


THREE_EIGHTS = 'ranks = "8"\ndecks = 8\nspaces = { 3 = 50, 4 = 500 }\n'


def test_fortune_8_art_9_1_a_bet_on_several_spaces_is_certified_and_refused_at_the_table_with_the_reason(
    tmp_path: Path,
) -> None:
    [certified] = read_paytable(f'game = "fortune-8"\n[[bet]]\nname = "three eights"\n{THREE_EIGHTS}').bets
    assert isinstance(certified, SpacesBet)
    found = mistakes(tmp_path, OF_8 + changed(BET, f"{PAYS}\n", THREE_EIGHTS))
    assert [mistake.key for mistake in found] == ["table.wagers.bet 1.spaces"]
    assert "at which space" in found[0].expected and "9.º 1" in found[0].expected


def test_fortune_8_art_9_1_a_bonus_is_refused_with_the_reason(tmp_path: Path) -> None:
    bonus = '\n[[table.wagers.bonus]]\nbox = "eight"\nto_one = 1\n'
    [mistake] = mistakes(tmp_path, OF_8 + bonus)
    assert mistake.key == "table.wagers.bonus"
    assert "to which prize" in mistake.expected and "9.º 1" in mistake.expected


def test_fortune_8_art_9_1_two_bets_have_two_names(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, OF_8 + BET + BET)
    assert mistake.key == "table.wagers.bet 2.name"


@pytest.mark.parametrize("text", [OF_2008, OF_21.replace("[table.wagers]\nadditional = []\n", "")])
def test_no_other_regulation_lets_a_bet_be_added(tmp_path: Path, text: str) -> None:
    found = {mistake.key for mistake in mistakes(tmp_path, text + BET)}
    assert "table.wagers.bet" in found
