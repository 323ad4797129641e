"""What certify is given as TOML, and what each key of [rules] costs: both readings on the same cards."""

import json
import re
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest

from controller.__main__ import main
from controller.certify.fortune_8 import CardBet, SpacesBet
from controller.certify.reading import read_paytable, read_pot
from controller.certify.reading_costs import COMPARED, COUNTED, SETTLED, CostPart, cost_of, costs_text, settle_part
from controller.certify.result import Unkept, Unwatched
from controller.rulebook.games import GAMES
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


# ---- What a key of [rules] costs: both readings on the same cards, and the table of docs/law that a command writes.


ROOT = Path(__file__).parents[2]
READINGS = {reading.key: reading for game in GAMES.values() for reading in game.other_readings}
VOIDS_ALONE = {"exposed_cards_by_player", "wrong_count_is_unreported_card"}
EACH = pytest.mark.parametrize("key", SETTLED)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_every_key_has_its_cost_but_those_that_decide_only_when_a_round_is_void() -> None:
    assert READINGS.keys() - set(COMPARED) == VOIDS_ALONE and READINGS.keys() >= set(COMPARED)


@EACH
def test_the_rounds_that_differ_are_counted_and_both_readings_are_settled_on_the_same_cards(key: str) -> None:
    part = CostPart(key, 60, "7:0")
    tally = settle_part(part)
    random, differ = Random(f"{key} 7:0"), 0
    for _ in range(60):
        dealt = SETTLED[key].deal(random)
        assert dealt(()) == dealt(()) and dealt((key,)) == dealt((key,))
        differ += dealt(()) != dealt((key,))
    assert (tally.rounds, tally.differ) == (60, differ)


@EACH
def test_a_key_costs_something_in_some_round(key: str) -> None:
    random = Random(3)
    rounds = (SETTLED[key].deal(random) for _ in range(5000))
    assert any(dealt(()) != dealt((key,)) for dealt in rounds)


@pytest.mark.parametrize("key", ["limit_over_the_round", "casino_shares_in_proportion", "commission_of_players_alone"])
def test_pai_kao_what_a_round_moves_sums_to_nothing_by_either_reading(key: str) -> None:
    random = Random(11)
    for _ in range(50):
        dealt = SETTLED[key].deal(random)
        for keys in ((), (key,)):
            assert sum(-net if wager == "commission" else net for wager, _, net in dealt(keys)) == 0


def test_the_same_seed_costs_the_same_however_it_is_spread_and_a_part_that_was_kept_is_not_dealt_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.certify.reading_costs.PART_ROUNDS", 200)
    reading, kept = READINGS["limit_over_the_round"], Unkept()
    first = cost_of(reading, 410, 5, Unwatched(), kept, 2)
    assert first == cost_of(reading, 410, 5, Unwatched(), Unkept(), 1) != cost_of(reading, 410, 6, Unwatched(), kept, 1)
    assert first.rounds == 410 and 0 < first.differ < 1
    kept.store("cost of limit_over_the_round, 200 rounds, seed 5:0", {"rounds": 200, "differ": 200})
    assert cost_of(reading, 410, 5, Unwatched(), kept, 1).differ > first.differ


def test_a_key_that_takes_the_commission_from_the_bank_costs_the_house_half_of_it() -> None:
    cost = cost_of(READINGS["commission_of_players_alone"], 2000, 1, Unwatched(), Unkept(), 1)
    (before, after), (gained, gains) = cost.edges["commission"], cost.edges["bank"]
    assert before is not None and after is not None and gained is not None and gains is not None
    assert before > after > 0 and cost.edges["place"][0] == cost.edges["place"][1]
    assert gained - gains == before - after
    assert costs_text([cost]).splitlines()[2].startswith("| `commission_of_players_alone` | 8.º | ")


def test_art_15_4_and_15_5_counted_two_straight_flushes_in_one_round_are_as_rare_as_the_moments_say() -> None:
    """Two of seven seats have threes that one community leaves open: the pairs of disjoint threes, counted by hand."""
    costs = [
        cost_of(READINGS[key], 0, 1, Unwatched(), Unkept(), 1)
        for key in ("tenths_one_after_another", "royal_on_the_pot_as_it_was")
    ]
    pairs = [_pairs_of_threes(royal=royal) for royal in (False, True)]
    for cost, ordered_pairs in zip(costs, pairs, strict=True):
        chance = Fraction(4 * ordered_pairs * 7 * 6, comb(52, 2) * comb(50, 3) * comb(47, 3))
        assert cost.rounds == 0 and cost.differ <= chance, "three at once are counted thrice among the pairs"
        assert cost.differ > chance * Fraction(999, 1000)
        (before, after) = cost.edges["jackpot"]
        assert before is not None and after is not None and before != after


def _pairs_of_threes(*, royal: bool) -> int:
    """Over all community cards of one suit: pairs of disjoint threes for two straight flushes, or one and a royal."""
    runs = [{rank % 13 for rank in range(low, low + 5)} for low in range(-1, 9)]  # the ace is -1 and 12
    found = 0
    for community in combinations(range(13), 2):
        threes = [(run, frozenset(run) - set(community)) for run in runs if set(community) <= run]
        for (first_run, first), (other, second) in combinations(threes, 2):
            if not first & second and (runs[-1] in (first_run, other)) is royal:
                found += 1
    return found


def test_blackjack_rule_43_c_counted_three_aces_of_two_suits_have_the_difference_of_their_prizes() -> None:
    cost = cost_of(READINGS["three_aces_of_three_suits"], 0, 1, Unwatched(), Unkept(), 1)
    shoe = [Fraction(24 - drawn, 312 - drawn) for drawn in range(3)]
    aces = shoe[0] * shoe[1] * shoe[2]
    assert cost.rounds == 0 and 0 < cost.differ < aces
    (before, after) = cost.edges["jackpot"]
    assert before is not None and after is not None and before < after


def test_blackjack_rule_33_counted_the_backer_alone_insures_by_the_other_reading() -> None:
    cost = cost_of(READINGS["backers_insure_for_themselves"], 0, 1, Unwatched(), Unkept(), 1)
    assert cost.differ == Fraction(1, 13)
    assert cost.edges == {"insurance": (None, 1 - 3 * Fraction(96, 311))}


def test_the_command_prints_the_table_and_as_json_the_fractions(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    asked = ["certify", "--compare", "deal_begins_beside_banker", "--rounds", "40"]
    assert main(asked) == 0
    text = capfdbinary.readouterr().out.decode()
    assert re.search(r"^\| `deal_begins_beside_banker` \| 2\.º b\) \| \d+\.\d{4} % \| place .* → ", text, re.MULTILINE)
    assert main([*asked, "--json"]) == 0
    found = json.loads(capfdbinary.readouterr().out)["deal_begins_beside_banker"]
    assert found["rounds"] == 40 and Fraction(found["differ"]) < 1 and len(found["edges"]["place"]) == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--compare", "exposed_cards_by_player"], "decides only when a round is void"),
        (["--compare", "none"], "is no key of [rules] here"),
        (["--compare", "all", "--exact"], "--compare takes no exact"),
        (["fortune-8", "--compare", "all"], "--compare takes no games"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    arguments: list[str], why: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["certify", *arguments]) == 2
    out, error = capfdbinary.readouterr()
    assert out == b"" and why in error.decode()


def test_the_table_of_the_costs_has_a_row_for_every_key_as_the_command_writes_it() -> None:
    text = (ROOT / "docs" / "law" / "README.md").read_text("utf-8").partition("| Key | Article |")[2]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\d+\.\d{4} %|1 in \d+) \| (.+?) \|$", text, flags=re.MULTILINE)
    assert [row[:2] for row in rows] == [(key, READINGS[key].article) for key in READINGS if key in COMPARED]
    for key, _, _, edges in rows:
        if key in COUNTED:
            assert f"| {edges} |" == cost_of(READINGS[key], 1, 1, Unwatched(), Unkept(), 1).row()[-len(edges) - 4 :]
            assert f"`{key}`: {COUNTED[key].assumed}" in text
            continue
        wagers = {wager for wager, _, _ in SETTLED[key].deal(Random(1))(())}
        assert {part.split()[0] for part in edges.split("; ")} == wagers
        assert f"`{key}`: {SETTLED[key].assumed} 100000 rounds." in text
