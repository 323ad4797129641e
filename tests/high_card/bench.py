"""`dealer-station-sim` with one game more."""

import sys

from simulators.games import GAMES
from tests.high_card.table import HighCardTable

GAMES[HighCardTable.id] = HighCardTable()

if __name__ == "__main__":
    from simulators.__main__ import main

    sys.exit(main())
