"""Whole simulated tables of the other games, from either source, compared with the referee."""

from pathlib import Path

import pytest

from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_8
from tests.station.kill_questions import INSURANCE, ON_HOLD, PRIZE, SPLIT, QuestionKills, aces_first
from tests.station.simulated import simulate
from tests.station.test_station_faults import checked_against_the_referee

pytestmark = pytest.mark.timeout(240)


# The other source of each is for the soak.
@pytest.mark.parametrize(
    ("game", "source"),
    [
        (FORTUNE_3_2008, "shuffler"), (FORTUNE_8, "shoe"), (BLACKJACK_21, "shoe"),
        pytest.param(FORTUNE_3_2008, "shoe", marks=pytest.mark.soak),
        pytest.param(FORTUNE_8, "shuffler", marks=pytest.mark.soak),
        pytest.param(BLACKJACK_21, "shuffler", marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_whatever_goes_wrong_at_another_game_every_round_is_what_the_camera_calls_for(
    tmp_path: Path, game: str, source: str
) -> None:
    options = ("--game", game, "--source", source, "--seed", "5", "--faults", "0.5")
    played = simulate(tmp_path, 8, *options, seconds=200)
    checked_against_the_referee(played)
    if game == BLACKJACK_21:
        asked = {line["question"] for line in played.film() if line["event"] == "answer"}
        assert asked >= {"decision", "give_up"}
    else:
        assert any(line["event"] == "irregularity" for line in played.film())


def test_a_daemon_killed_amid_a_split_insurance_an_unpaid_prize_and_kept_cards_continues_where_it_was(
    tmp_path: Path,
) -> None:
    least = {SPLIT: 2, INSURANCE: 1, PRIZE: 1, ON_HOLD: 2}
    stack = aces_first(tmp_path / "stack.txt")
    QuestionKills(tmp_path, 24, least, 1, "--chip-rate", "1", "--stack", stack).run(seconds=150)
