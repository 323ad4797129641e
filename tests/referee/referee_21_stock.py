"""Black-jack: the cards between the rounds: shuffled, cut, burned, warned of (8 to 11), loaded, held, put in (52 to 62)."""

from collections import Counter

from referee_camera import Line
from referee_faults import PERHAPS_UNREAD, Faults

BEHIND_WARNING = 50  # 9
PACKETS = 2  # 54


class Stock:
    """Where every card is that left its source; `differences` are of the table, not of a message."""

    def __init__(self, decks: int, faults: Faults) -> None:
        self.decks = decks
        self.faults = faults
        self.differences: list[str] = []
        self.by_hand: list[str] = []  # what was done to the cards of the shoe since the last one left it
        self.shoe_ready = False
        self.last_round: int | None = None  # the shoe's last, once the warning card came out
        self.out: dict[str, Counter[str]] = {"shoe": Counter(), "shuffler": Counter()}
        self.loaded_at = {"shoe": 0.0, "shuffler": 0.0}
        self.packets: list[int] = []
        self.loaded = False
        self.lid_open = False
        self.waiting: list[int] = []  # rounds whose cards are not in the dispenser yet
        self.laid: dict[int, list[str]] = {}  # the cards of those rounds
        self.held: set[int] = set()  # rounds whose cards were held over (61)
        self.too_many: list[Line] = []
        self.doubtful: list[Line] = []

    def set_up(self, lines: list[Line]) -> None:
        """Before the first round."""
        for line in lines:
            self._between(0, line)

    def round(self, number: int, lines: list[Line], source: str) -> None:
        """Follow a round and what comes between it and the next; `too_many` are its cards that cannot be."""
        self.too_many, self.doubtful = [], []
        self.laid[number] = []
        over = dealt = False
        for line in lines:
            event = line["event"]
            if event == "card":
                if not dealt:
                    self._first_card(number, source)
                dealt = True
                self._leaves(number, line, source)
            elif event == "burn":
                self.by_hand.append("burn")
                self.out["shoe"][line["card"]] += 1
            elif event == "cut_card":
                self._warning(number + 1 if over else number)
            elif event == "round_end":
                over = True
                if source == "shuffler" and self.laid[number] and number not in self.waiting and number in self.laid:
                    self._say(number, "cards in the dispenser", "after the round", "before it") if False else None
            self._between(number, line)
        if not dealt:
            self.by_hand = self.by_hand if source == "shoe" else []
