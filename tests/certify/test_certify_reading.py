"""What certify is given as TOML: read whole, or refused by table and key."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from controller.certify.fortune_8 import CardBet, SpacesBet
from controller.certify.reading import read_paytable, read_pot
from controller.rulebook.refusal import Refusal
from controller.words import sentence
from tests.certify.pots import POT_2025, PRIZE

THREE = 'game = "fortune-3-card-poker-2025"\n'
EIGHT = 'game = "fortune-8"\n'
BET = EIGHT + "[[bet]]\n"


def test_a_table_given_replaces_the_whole_table_and_leaves_the_others() -> None:
    read = read_paytable(THREE + "[pair_plus]\nflush = 3\npair = 1\n")
    assert read.rules is not None
    assert {name: odds.to_one for name, odds in read.rules.pair_plus.items()} == {"flush": 3, "pair": 1}
    assert read.rules.six_card_bonus["royal_flush"].to_one == 500


def test_boxes_given_keep_the_others_and_new_bets_are_beside_them() -> None:
    read = read_paytable(
        EIGHT
        + '[boxes]\neight = 12\n[[bet]]\nname = "red"\npays = [{suits = "dh", to_one = 1}]\n'
        + '[[bet]]\nname = "eights"\nranks = "8"\ndecks = 6\nspaces = {2 = 5}\n'
    )
    assert [box.to_one for box in read.boxes] == [1, 12, 1]
    red, eights = read.bets
    assert isinstance(red, CardBet) and isinstance(eights, SpacesBet)
    assert len(red.pays[0][0]) == 26
    assert (len(eights.cards), eights.pays, eights.decks) == (4, {2: 5}, 6)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "game: missing; games that have: fortune-3-card-poker-2025, fortune-3-card-poker-2008, fortune-8"),
        ('game = "taiwan-pai-kao"', 'game: "taiwan-pai-kao" has no paytable to change; games that have: '),
        ("game = ", "file: is not TOML: "),
        (THREE, "file: changes nothing; tables are pair_plus, ante_bonus, six_card_bonus"),
        (THREE + "[pear_plus]\npair = 1", 'file: unknown key "pear_plus"; known: game, pair_plus'),
        (THREE + "[pair_plus]\n", "pair_plus: pays nothing; it may pay straight_flush"),
        (THREE + "[pair_plus]\npairs = 1", 'pair_plus: unknown key "pairs"; known: straight_flush'),
        (THREE + "[pair_plus]\npair = 1.5", "pair_plus: pair must be a positive integer, not 1.5"),
        (THREE + "[pair_plus]\npair = 0", "pair_plus: pair must be a positive integer, not 0"),
        (THREE + "[pair_plus]\npair = 10000000000", "pair_plus: pair must be at most 1000000000 to 1"),
        ('game = "fortune-3-card-poker-2008"\n[six_card_bonus]\nflush = 1', 'file: unknown key "six_card_bonus"'),
        (THREE + "[pair_plus]\npair = 2026-11-21", 'pair_plus: pair must be a positive integer, not "2026-11-21"'),
        (THREE + "[pair_plus]\npair = " + "9" * 5000, "file: is not TOML: "),
        (THREE + "[pair_plus]\npair = nan", "pair_plus: pair must be a positive integer, not NaN"),
        ("a = " + "[" * 5000, "file: "),
        (EIGHT, "file: changes nothing; tables are [boxes] and [[bet]]"),
        (EIGHT + "bet = 3", "bet: must be a list of tables, [[bet]], not 3"),
        (EIGHT + "bet = [3]", "bet 1: must be a table, not 3"),
        (BET + 'name = "x"', "bet 1: the key pays is missing"),
        (BET + 'name = "x"\npays = []', "bet 1: pays nothing"),
        (BET + 'name = "x"\npays = [{to_one = 1}]', "bet 1.pays 1: the cards are missing"),
        (BET + 'name = "x"\npays = [{ranks = "8"}]', "bet 1.pays 1: the key to_one is missing"),
        (BET + 'name = "x"\npays = [{ranks = "1", to_one = 1}]', "bet 1.pays 1: ranks must be some of 23456789TJQKA"),
        (BET + 'name = "x"\npays = [{cards = "8x", to_one = 1}]', 'bet 1.pays 1: "8x" is not a card'),
        (BET + 'name = "x"\npays = [{cards = 8, to_one = 1}]', "bet 1.pays 1: cards must be text such as"),
        (BET + 'name = "x"\npays = [{cards = "8h", suits = "h", to_one = 1}]', "bet 1.pays 1: give cards alone"),
        (BET + 'name = ""\npays = [{ranks = "8", to_one = 1}]', "bet 1: name must be text of 1 to 40 characters"),
        (BET + 'name = "low"\npays = [{ranks = "8", to_one = 1}]', 'bet 1: the name "low" is taken'),
        (BET + 'name = "x"\nranks = "8"\nspaces = {2 = 5}', "bet 1: the key decks is missing"),
        (BET + 'name = "x"\nranks = "8"\nspaces = {8 = 5}\ndecks = 8', 'bet 1.spaces: unknown key "8"; known: 0, 1'),
        (BET + 'name = "x"\nranks = "8"\nspaces = {2 = 5}\ndecks = 9', "bet 1: decks must be 1 to 8, not 9 (1.º 1))"),
    ],
)
def test_a_paytable_that_cannot_be_is_refused_by_table_and_key(text: str, complaint: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_paytable(text)
    assert sentence(refused.value).startswith(complaint)


def test_a_station_s_own_jackpot_table_can_be_given() -> None:
    read = read_pot(POT_2025.replace("chip = 500", 'chip = 500\nunreasonable_chips = 7\noverflow_to = "overflow"'))
    assert (read.chip, read.pot, read.minimum, read.overflow_to) == (500, 60_000_000, 50_000_000, "overflow")
    assert read.rounds_per_hour == Fraction(40)
    assert (read_pot(PRIZE).decks, read_pot(PRIZE).pot, read_pot(PRIZE).fixed) == (6, 1_000_000, {})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('game = "fortune-8"', 'game: "fortune-8" has no jackpot; games that have: fortune-3-card-poker-2025, blackj'),
        ('game = "blackjack-21"', "file: the key jackpot is missing"),
        (POT_2025.replace("chip = 500", "chip = 5.5"), "jackpot: chip must be a positive integer, not 5.5"),
        (POT_2025.replace("flush = 25000", ""), "jackpot.fixed: the key flush is missing"),
        (POT_2025.replace("flush = 25000", "flush = -1"), "jackpot.fixed: flush must be an integer of 0 or more"),
        (
            POT_2025.replace("increment_bp = 5000", "increment_bp = 9500"),
            "jackpot: increment_bp and reserve_bp are 105",
        ),
        (POT_2025.replace("increment_bp = 5000", "increment_bp = 1e3"), "jackpot: increment_bp must be a whole number"),
        (POT_2025.replace("ceiling = 400000000", "ceiling = 5"), "jackpot: ceiling of 5 is below the pot"),
        (POT_2025.replace("[play]", "decks = 6\n[play]"), 'jackpot.fixed: unknown key "decks"'),
        ("decks = 6\n" + POT_2025, "decks: this game has one deck"),
        (
            POT_2025.replace("chips_per_round = 6", "chips_per_round = 8"),
            "play: chips_per_round must be a whole number",
        ),
        (POT_2025.replace("chips_per_round = 6", ""), "play: the key chips_per_round is missing"),
        (POT_2025.replace("chip = 500", 'chip = 500\noverflow_to = "me"'), "jackpot: overflow_to must be overflow or"),
        (POT_2025.replace('"MOP"', "5"), "currency: must be text of at most 8 characters, not 5"),
        (PRIZE.replace("decks = 6", "decks = 5"), "decks: must be 4 or 6, not 5 (3)"),
        (
            PRIZE.replace("minimum = 1000000", "minimum = 999999"),
            "jackpot: minimum of 999999 is below 10000 chips (44)",
        ),
        (PRIZE.replace("[play]", "[jackpot.fixed]\nflush = 1\n[play]"), 'jackpot.fixed: unknown key "flush"; known: '),
    ],
)
def test_terms_of_a_pot_that_cannot_be_are_refused_by_table_and_key(text: str, complaint: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_pot(text)
    assert sentence(refused.value).startswith(complaint)


def test_the_files_of_the_page_are_good() -> None:
    page = (Path(__file__).parents[2] / "docs" / "certify.md").read_text(encoding="utf-8")
    paytable, pot = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert [bet.name for bet in read_paytable(paytable).bets] == ["red eight", "three eights"]
    assert read_pot(pot).ceiling == 400_000_000
