"""The table as the panel draws it: devices, cards, chips and lamps, and the acts of the dealer's hands."""

from typing import Any

from simulators.dealer.simulated_game import SimulatedGame
from simulators.devices.card_machine import HOPPER, MACHINE
from simulators.felt.deck import SHOE
from simulators.felt.table import BANK, COMMUNITY, DISCARD, Felt, seat_place

CARD_PLACES = (BANK, COMMUNITY, DISCARD)
MOVES = {
    "card": "to", "moved": "to", "turned": "to", "wager": "seat", "chip": "seat", "chip_back": "seat", "pay": "seat",
    "decision": "seat", "answer": "seat", "cut": "by", "dice": "by", "lock_in": "", "shuffled": "", "announce": "",
    "burn": "", "load": "", "insert": "", "wash": "", "bank_taken": "place", "arranged": "place", "cleared": "",
    "round_end": "",
}  # fmt: skip
"""The acts of the hands, and the key of the camera's event that has the place."""


class DrawnTable:
    """The table drawn as JSON; `saw` is called with what the camera sees."""

    def __init__(self, game: SimulatedGame, table: Felt[Any]) -> None:
        self._face_down, self._table = game.face_down, table
        self._places = [place for place in CARD_PLACES if place not in game.faults.no_places]
        self._lit: set[str] = set()
        self._moves = 0
        self._move: dict[str, object] = {"number": 0, "does": None, "at": None}

    @property
    def card_places(self) -> list[str]:
        """The places where cards can be, other than those of players."""
        return [place for place in self._places if place in self._table.places]

    def saw(self, event: str, what: dict[str, object]) -> None:
        """An event of the camera: a lamp, or a move of the hands."""
        if event == "lamp":
            (self._lit.add if what["on"] else self._lit.discard)(str(what["lamp"]))
        elif event in MOVES:
            at = what.get(MOVES[event])
            self._moves += 1
            self._move = {"number": self._moves, "does": event, "at": seat_place(at) if isinstance(at, int) else at}

    def now(self) -> dict[str, object]:
        """The drawing; it has no names of cards that are face down."""
        deck = self._table.deck
        return {
            "move": self._move,
            "lamps": sorted(self._lit),
            "inside": {"shuffler": deck.count(HOPPER, MACHINE), "shoe": deck.count(SHOE)},
            "places": {place: self._cards(place) for place in self.card_places},
            "seats": [
                {
                    "seat": seat,
                    "staked": sum(sitting.wagers.values()),
                    "folded": sitting.folded,
                    **self._cards(seat_place(seat)),
                }
                for seat, sitting in self._table.seats.items()
            ],
        }

    def _cards(self, place: str) -> dict[str, object]:
        cards = [str(card) for card in self._table.deck.at(place)]
        is_open = place != DISCARD and (not self._face_down or place in self._table.turned)
        return {"cards": cards if is_open else [], "down": 0 if is_open else len(cards)}
