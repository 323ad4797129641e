"""Bets that were authorised beside those of the regulation, in the configuration (Fortune 8, 9.º 1)."""

from pathlib import Path

import pytest

from controller.certify.fortune_8 import CardBet, SpacesBet
from controller.certify.reading import read_paytable
from controller.config.settings import engine_settings
from controller.rulebook.cards import parse_cards
from controller.rulebook.house import AddedBet, Authorisation, Pays
from controller.rulebook.reading import Limits
from tests.config.texts import OF_8, OF_21, OF_2008, changed, mistakes, read

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
