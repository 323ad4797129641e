"""The regulation of 2008: its own order of the deal, its own articles, and the ante that must be played."""

from pathlib import Path

from tests.referee.films.plain_2008 import BANK, HANDS, finish, plain, settled
from tests.referee.films.written import correction


def test_2008_slips_are_put_right_as_in_2025(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_wager", seat=2, wager="ante")
    film.deal(HANDS, BANK)
    finish(film)
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante")
    assert film.judge(settled(corrections=[fix])).differences == []
    assert film.judge(settled()).differences
    assert film.judge(settled(corrections=[fix | {"amount_after": 20000}])).differences
