"""What a house decides for its table: how the basic bets are offered, and limits for each wager."""

from pathlib import Path

import pytest

from controller.config.settings import engine_settings
from controller.rulebook.house import House
from controller.rulebook.reading import Limits
from tests.config.texts import EXAMPLE, OF_8, OF_21, OF_2008, OF_TILES, example, mistakes, read

OFFERED = 'additional = ["six_card_bonus", "jackpot"]'
OF_ANTE = "\n[table.limits.ante]\nmin = 20000\nmax = 50000\n"


def test_art_4_1_the_house_may_say_how_the_basic_bets_are_offered(tmp_path: Path) -> None:
    assert read(tmp_path, EXAMPLE).house == House()
    for offered in ("either", "separate", "combined"):
        config = read(tmp_path, example((OFFERED, f'{OFFERED}\nbasic_bets = "{offered}"')))
        assert config.house.basic_bets == engine_settings(config).terms.house.basic_bets == offered
    [mistake] = mistakes(tmp_path, example((OFFERED, f'{OFFERED}\nbasic_bets = "together"')))
    assert (mistake.key, mistake.value) == ("table.wagers.basic_bets", '"together"')


def test_2008_art_5_2_the_player_chooses_and_no_key_says_otherwise(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, OF_2008 + '\n[table.wagers]\nbasic_bets = "combined"\n')
    assert mistake.key == "table.wagers.basic_bets" and mistake.expected.startswith("no such key")


@pytest.mark.parametrize(
    ("text", "wagers"),
    [
        (EXAMPLE, ("ante", "pair_plus", "six_card_bonus")),
        (OF_2008, ("ante", "pair_plus")),
        (OF_8, ("low", "eight", "high")),
    ],
    ids=["art_10_1", "2008_art_6_1", "fortune_8_art_4_3"],
)
def test_each_wager_may_have_limits_of_its_own(tmp_path: Path, text: str, wagers: tuple[str, ...]) -> None:
    own = "".join(f"\n[table.limits.{wager}]\nmin = {at}\nmax = {9 * at}\n" for at, wager in enumerate(wagers, 3))
    terms = engine_settings(read(tmp_path, text + own)).terms
    assert {wager: terms.limits_of(wager) for wager in wagers} == {
        wager: Limits(at, 9 * at) for at, wager in enumerate(wagers, 3)
    }
    terms = engine_settings(read(tmp_path, text + OF_ANTE.replace("ante", wagers[1]))).terms
    assert terms.limits_of(wagers[1]) == Limits(20_000, 50_000)
    assert terms.limits_of(wagers[0]) == Limits(terms.minimum, terms.maximum)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("min = 20000\n", "", "min"),
        ("max = 50000", "max = 19999", "max"),
        ("min = 20000", "min = 0", "min"),
        ("max = 50000", "max = 50000\nmost = 1", "most"),
    ],
)
def test_art_10_1_they_are_two_and_in_order(tmp_path: Path, old: str, new: str, key: str) -> None:
    [mistake] = mistakes(tmp_path, EXAMPLE + OF_ANTE.replace(old, new))
    assert mistake.key == f"table.limits.ante.{key}"


@pytest.mark.parametrize(
    ("text", "wager"),
    [(EXAMPLE, "jackpot"), (OF_2008, "six_card_bonus"), (OF_8, "ante"), (OF_21, "bet"), (OF_TILES, "place")],
    ids=["2025", "2008", "fortune-8", "blackjack_14_and_37", "pai-kao"],
)
def test_no_other_wager_has_limits_of_its_own(tmp_path: Path, text: str, wager: str) -> None:
    [mistake] = mistakes(tmp_path, text + OF_ANTE.replace("ante", wager))
    assert mistake.key == f"table.limits.{wager}" and mistake.expected.startswith("no such key")
