"""What a person reads of a simulated round."""

import re

import pytest

from tests.station.forked import forked_run

WITHIN_SECONDS = 200


@pytest.mark.parametrize(
    ("options", "header", "once"),
    [
        ("--game blackjack-21", "cards from the shuffler", r"  bank: (\d+ points|black-jack|second card not turned)$"),
        pytest.param(
            "--game fortune-3-card-poker-2025",
            "cards from the shuffler",
            r"  bank: [a-z_]+, (plays|does not play)$",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            "--game taiwan-pai-kao --source hand",
            "tiles dealt by hand",
            "  four tiles dealt to each place$",
            marks=pytest.mark.soak,
        ),
        ("--game taiwan-pai-kao", "tiles dealt by hand, with a reader", "  four tiles dealt to each place$"),
    ],
)
def test_a_round_is_reported_in_words(options: str, header: str, once: str) -> None:
    code, output, _ = forked_run(
        "controller", "simulate", *options.split(), "--rounds", "1", "--speed", "max", seconds=WITHIN_SECONDS
    )
    assert code == 0
    assert re.search(rf"seats, {header}$", output, re.MULTILINE)
    assert len(re.findall(once, output, re.MULTILINE)) == 1
