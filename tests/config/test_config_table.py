"""A table in its configuration: its time zone, its chips, how its bets are offered, and limits for each wager."""

from pathlib import Path

import pytest

from controller.config.chips import MOST_TAPS, SHOWN, read_chips, usual_chips
from controller.config.section import Mistake, Section
from controller.config.settings import engine_settings
from controller.rulebook.house import House
from controller.rulebook.reading import Limits
from tests.config.texts import EXAMPLE, OF_8, OF_21, OF_2008, OF_TILES, example, mistakes, read


def with_zone(text: str, value: str) -> str:
    return text.replace("[table]\n", f"[table]\ntime_zone = {value}\n")


@pytest.mark.parametrize("zone", ["Asia/Macau", "Pacific/Auckland", "Etc/UTC"])
def test_art_despacho_5_the_time_zone_is_in_the_terms_of_the_rounds(tmp_path: Path, zone: str) -> None:
    config = read(tmp_path, with_zone(OF_8, f'"{zone}"'))
    assert config.time_zone == engine_settings(config).terms.time_zone == zone


@pytest.mark.parametrize("text", [OF_8, OF_2008])
def test_art_despacho_5_without_a_time_zone_it_is_that_of_the_jurisdiction_and_not_the_computers(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    assert read(tmp_path, text).time_zone == "Asia/Macau"


@pytest.mark.parametrize(
    ("zone", "meant"),
    [
        ("Asia/Makau", "Asia/Macau"),
        ("Europe/Lisboa", "Europe/Lisbon"),
        ("localtime", "Asia/Macau"),
        ("posixrules", "Asia/Macau"),
        ("UTC+8", "UTC"),
        ("Asia", "Asia/"),
        ("../../etc/passwd", "Asia/Macau"),
        ("/usr/share/zoneinfo/Asia/Macau", "Asia/Macau"),
    ],
)
def test_an_unknown_time_zone_is_refused_with_the_nearest_one(tmp_path: Path, zone: str, meant: str) -> None:
    [mistake] = mistakes(tmp_path, with_zone(OF_8, f'"{zone}"'))
    assert mistake.key == "table.time_zone"
    assert mistake.expected.startswith(f'a name of the IANA time zone database, such as "{meant}')


@pytest.mark.parametrize("value", ['""', "8", "[]"])
def test_a_time_zone_is_a_text(tmp_path: Path, value: str) -> None:
    [mistake] = mistakes(tmp_path, with_zone(OF_8, value))
    assert (mistake.key, mistake.expected) == ("table.time_zone", "a text")


def read_tray(chips: object) -> tuple[tuple[int, ...], list[Mistake]]:
    mistakes: list[Mistake] = []
    return read_chips(Section("table", {"chips": chips}, mistakes), 10000, 1000000, False), mistakes


@pytest.mark.parametrize(
    ("limits", "multiples", "chips"),
    [
        ((10000, 1000000), False, (5000, 10000, 20000, 50000, 100000, 200000)),
        ((10000, 300000), True, (10000, 20000, 50000, 100000, 200000)),
        ((10000, 200000000), False, (10000, 100000, 500000, 5000000, 20000000, 200000000)),
        ((300, 9000), True, (300, 600, 1500, 3000, 6000)),
        ((7, 7), False, (5,)), ((3, 3), True, (3,)), ((1, 1), False, (1,)),
    ],
)  # fmt: skip
def test_the_limits_suggest_the_chips(limits: tuple[int, int], multiples: bool, chips: tuple[int, ...]) -> None:
    assert usual_chips(*limits, multiples) == chips


@pytest.mark.parametrize("minimum", [1, 3, 50, 99, 10000, 12345])
@pytest.mark.parametrize("times", [1, 2, 7, 30, 100, 20000, 10**7])
@pytest.mark.parametrize("multiples", [False, True])
def test_whatever_the_limits_are_both_are_reached_with_few_taps(minimum: int, times: int, multiples: bool) -> None:
    chips = usual_chips(minimum, minimum * times, multiples)
    assert 1 <= len(chips) <= SHOWN and list(chips) == sorted(set(chips))
    assert min(chips) <= minimum and max(chips) * MOST_TAPS >= minimum * times
    assert not multiples or all(chip % minimum == 0 for chip in chips)


def test_the_configuration_has_chips_of_its_own() -> None:
    assert read_tray([5000, 25000, 1000000]) == ((5000, 25000, 1000000), [])


@pytest.mark.parametrize("wrong", [[], [100, 50], [50, 50], [0, 50], [1000001], ["50"], [True], 50, list(range(1, 12))])
def test_what_no_tray_has_is_named(wrong: object) -> None:
    [mistake] = read_tray(wrong)[1]
    assert mistake.key == "table.chips" and "ascending" in mistake.expected


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
