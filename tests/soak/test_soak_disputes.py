"""Two hundred bundles of five games and more are agreed with, and as many with one altered fact are not."""

from random import Random

import pytest

from controller.rulebook.games import GAMES
from tests.disputes.altered import alterations
from tests.disputes.rounds import bundles, wild_events
from tests.referee.bundle.verify import verify

EACH = 60  # bundles of a game


@pytest.mark.parametrize("game", GAMES)
def test_bundles_agree_and_altered_ones_do_not(game: str) -> None:
    seed, agreed, refused = 1000, 0, 0
    while agreed < EACH:
        for bundle in bundles(wild_events(game, seed)):
            found = verify(bundle)
            assert found["wrong"] == [], (seed, bundle["round"])
            agreed += 1
            for name, altered in alterations(bundle, Random(seed)):
                assert verify(altered)["verdict"] == "does not agree", (seed, bundle["round"], name)
                refused += 1
        seed += 1
    assert refused > 10 * agreed
