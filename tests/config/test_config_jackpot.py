"""The jackpot's configuration and the law: its display, and the amounts that the house fixes."""

from pathlib import Path

import pytest

from tests.config.texts import EXAMPLE, SIMULATED, example, mistakes, read

BEFORE_THE_SIGN, _, THE_SIGN = EXAMPLE.partition("\n[devices.sign]")
WITHOUT_SIGN = ("\n[devices.sign]" + THE_SIGN, "")


def shown_by(system: str) -> tuple[str, str]:
    return "unreasonable_chips = 7", f'unreasonable_chips = 7\ndisplay = "{system}"'


def test_art_2_2_a_live_jackpot_without_its_display_is_refused(tmp_path: Path) -> None:
    for changes in ([WITHOUT_SIGN], [WITHOUT_SIGN, shown_by("sign")]):
        [mistake] = mistakes(tmp_path, example(*changes))
        assert (mistake.key, mistake.value) == ("jackpot.display", '"sign"')
        assert mistake.expected == 'a [devices.sign], or "other" where another system shows the jackpot (2.º 2)'
    assert read(tmp_path, example(SIMULATED, WITHOUT_SIGN)).sign is None
    assert read(tmp_path, example(shown_by("sign"))).sign is not None


def test_art_2_2_or_another_system_shows_it(tmp_path: Path) -> None:
    config = read(tmp_path, example(WITHOUT_SIGN, shown_by("other")))
    assert config.sign is None and config.jackpot is not None
    for text in (example(shown_by("other")), example(shown_by("other"), SIMULATED)):
        [mistake] = mistakes(tmp_path, text)
        assert (mistake.key, mistake.expected) == ("jackpot.display", '"sign": [devices.sign] is the display')
    [mistake] = mistakes(tmp_path, example(shown_by("no_one")))
    assert mistake.key == "jackpot.display" and mistake.expected == '"sign" or "other"'


def test_art_2_2_without_a_jackpot_no_display_is_asked_for(tmp_path: Path) -> None:
    before, _, rest = EXAMPLE.partition("[jackpot]")
    text = before + "[people]" + rest.partition("[people]")[2]
    text = text.replace(', "jackpot"]', "]").replace(WITHOUT_SIGN[0], "")
    assert read(tmp_path, text).jackpot is None


@pytest.mark.parametrize(
    ("tier", "amount"),
    [
        ("royal_flush", 5_000_000),
        ("straight_flush", 1_000_000),
        ("four_of_a_kind", 150_000),
        ("full_house", 50_000),
        ("flush", 25_000),
    ],
)
@pytest.mark.parametrize("mode", [[], [SIMULATED]], ids=["live", "simulation"])
def test_art_16_3_a_fixed_amount_is_at_least_one_unit(
    tmp_path: Path, tier: str, amount: int, mode: list[tuple[str, str]]
) -> None:
    [mistake] = mistakes(tmp_path, example((f"{tier} = {amount}\n", f"{tier} = 0\n"), *mode))
    assert (mistake.key, mistake.value) == (f"jackpot.fixed.{tier}", "0")
    jackpot = read(tmp_path, example((f"{tier} = {amount}\n", f"{tier} = 1\n"), *mode)).jackpot
    assert jackpot is not None and jackpot.parameters.fixed[tier] == 1


@pytest.mark.parametrize("mode", [[], [SIMULATED]], ids=["live", "simulation"])
def test_a_chip_of_every_seat_is_reasonable(tmp_path: Path, mode: list[tuple[str, str]]) -> None:
    for few in (0, 1, 5):
        [mistake] = mistakes(tmp_path, example(("unreasonable_chips = 7", f"unreasonable_chips = {few}"), *mode))
        assert (mistake.key, mistake.value) == ("jackpot.unreasonable_chips", str(few))
        assert mistake.expected == "6 to 1000: a chip of each of 6 seats counts"
    jackpot = read(tmp_path, example(("unreasonable_chips = 7", "unreasonable_chips = 6"), *mode)).jackpot
    assert jackpot is not None and jackpot.parameters.unreasonable_chips == 6


def test_a_number_of_seats_that_is_wrong_makes_no_other_mistake(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, example(("seats = 6  ", "seats = 8  ")))
    assert mistake.key == "table.seats"
