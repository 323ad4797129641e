"""The time zone of a table in its configuration."""

from pathlib import Path

import pytest

from controller.config.settings import engine_settings
from tests.config.texts import OF_8, OF_2008, mistakes, read


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
