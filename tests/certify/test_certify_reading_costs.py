"""What a key of [rules] costs: both readings on the same cards, and the table of docs/law that a command writes."""

import json
import re
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest

from controller.__main__ import main
from controller.certify.reading_costs import COMPARED, COUNTED, SETTLED, CostPart, cost_of, costs_text, settle_part
from controller.certify.result import Unkept, Unwatched
from controller.rulebook.games import GAMES

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
    for cost, (ordered_pairs, in_order) in zip(costs, zip(pairs, (1, 1), strict=True), strict=True):
        chance = Fraction(4 * ordered_pairs * 7 * 6, comb(52, 2) * comb(50, 3) * comb(47, 3)) / in_order
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
