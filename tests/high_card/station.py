"""`dealer-station` with one game more, which is registered before anything of it is read."""

import sys
from pathlib import Path

from controller import words
from controller.commands import simulators_process
from controller.console import files
from controller.rulebook.games import GAMES
from tests.high_card.rules import HighCard

HERE = Path(__file__).parent

GAMES[HighCard.id] = HighCard()
words.add_catalogues(HERE / "words")
files.FELTS.append(HERE / "high-card.js")
simulators_process.SIMULATORS = "tests.high_card.bench"

if __name__ == "__main__":
    from controller.__main__ import main

    sys.exit(main())
