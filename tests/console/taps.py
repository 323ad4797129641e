"""Counts the taps of ten rounds of each game: one thing a tap, and with what one tap says at once.

`python -m tests.console.taps [GAME …]` plays the same rounds both ways on the page, at a real station. What every seat
is asked before play can only be answered for all at once: one thing a tap is a tap for each of them there.
"""

import random
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from tests.console.conftest import running_browser
from tests.console.hands import Hands, at_a_station
from tests.console.tapping import FURTHEST, Dealer, Tapping
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.station.screen import get_table

ROUNDS = 10
CHANGES = 3  # in each third round a bet is changed; in the others the players bet as before
STANDS_AT = 17
SEED = 21
DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


class Script(NamedTuple):
    """Who bets what in the first round, and who folds in each; which bet is changed later."""

    source: str
    bets: tuple[str, ...]
    change: str
    folds: int = 0


PAIRS = "1/pair_plus", "3/pair_plus"
BOXES = tuple(f"{seat}/{box}" for seat in (1, 2, 3, 5) for box in ("low", "eight", "high"))
FIVE = tuple(f"{seat}/ante" for seat in (1, 2, 3, 4, 5))
SCRIPTS = {
    FORTUNE_3_2025: Script("shuffler", (*FIVE, *PAIRS, "5/six_card_bonus"), "2/pair_plus", folds=4),
    FORTUNE_3_2008: Script("shoe", (*FIVE, *PAIRS), "2/pair_plus", folds=4),
    FORTUNE_8: Script("shoe", BOXES, "4/low"),
    BLACKJACK_21: Script("shoe", tuple(f"{seat}/bet" for seat in (1, 2, 3, 4, 5)), "5/bet"),
    TAIWAN_PAI_KAO: Script("shoe", tuple(f"{place}/place" for place in (2, 3, 5, 7)), "8/place"),
}  # fmt: skip


def stack(game: str) -> str:
    """A shuffled shoe."""
    if game == TAIWAN_PAI_KAO:
        return ""
    cards = DECK * (4 if game == BLACKJACK_21 else 1)
    random.Random(SEED).shuffle(cards)
    return " ".join(cards)


class Counted(Dealer):
    """A dealer at a scripted table."""

    def __init__(self, screen: Tapping, hands: Hands, script: Script, address: tuple[str, int], at_once: bool) -> None:
        super().__init__(screen, hands=hands, by_machine=script.source == "shuffler", at_once=at_once)
        self._table, self._script, self._address = hands, script, address

    def bet(self, number: int) -> None:
        """The bets of a round."""
        if number == 0:
            self.screen.place_bet(*self._script.bets)
        elif number % CHANGES == 0 or not self._at_once:  # else they are placed, and the betting closed, by one tap
            self.screen.tap("[data-repeat]")
            self.screen.place_bet(*((self._script.change,) if number % CHANGES == 0 else ()))

    def proceed(self, *but: str) -> None:
        kind = self.screen.at[1]
        if kind in ("cut", "announce", "dice") and self._script.source == "shoe":
            self._table.load_shoe()
        fold = f"[data-decide='{self._script.folds}/fold']"
        if kind == "decisions" and self.screen.has(fold):
            self.screen.tap(fold)
            self.screen.see("which => !document.querySelector(which)", fold)
        elif kind == "bank" and get_table(self._address)["step"].get("waiting"):
            self.screen.answer("[data-kind=pass_bank-refuse]")  # a third round in a row wants everybody's word
        elif kind == "ask" and self.screen.has("[data-kind=decline_all]") and not self._at_once:
            asked = len(get_table(self._address)["step"]["waiting"])
            super().proceed(*but)
            self.screen.taps += asked - 1  # each seat was a question of its own
        elif kind == "ask" and self.screen.has("[data-kind=decide-hit]"):
            decision = self._decides()
            furthest = self._at_once and decision == "stand" and self._others_have_enough()
            self.screen.answer(FURTHEST if furthest else f"[data-kind=decide-{decision}]")
        else:
            super().proceed(*but)

    def _decides(self) -> str:
        table = get_table(self._address)
        step = table["step"]
        total = table["round"]["hands"][str(step["seat"])][step["hand"] - 1]["total"]
        return "hit" if "stand" not in step["legal"] or (total < STANDS_AT and "hit" in step["legal"]) else "stand"

    def _others_have_enough(self) -> bool:
        hands = [hand for of in get_table(self._address)["round"]["hands"].values() for hand in of]
        behind = hands[[hand["state"] for hand in hands].index("asked") :]
        return all(hand["total"] >= STANDS_AT for hand in behind if hand["state"] == "waiting")


def taps(browser: Browser, game: str, at_once: bool) -> int:
    """How many taps these rounds take, from the first that begins to the end of the last."""
    script = SCRIPTS[game]
    with (
        tempfile.TemporaryDirectory() as folder,
        at_a_station(Path(folder) / "table", game, script.source, stack(game)) as (hands, daemon),
    ):
        screen = Tapping(browser, hands.port)
        dealer = Counted(screen, hands, script, daemon.address, at_once)
        dealer.to("begin")
        before = screen.taps
        for number in range(ROUNDS):
            dealer.to("wagers")
            dealer.bet(number)
            dealer.to("confirm")
        dealer.proceed()
        counted = screen.taps - before
        screen.close()
        return counted


def main(games: list[str]) -> None:
    """Print a row for each game."""
    with running_browser() as browser:
        for game in games:
            fewest, furthest = (taps(browser, game, at_once) for at_once in (False, True))
            print(f"| {game} | {fewest} | {furthest} | {100 * (furthest - fewest) // fewest} % |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SCRIPTS))
