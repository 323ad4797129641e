"""Films of Fortune 8 for the referee's own tests, and a plain round: five bets at three spaces."""

from pathlib import Path
from typing import Any

from tests.referee.films.written import Filmed, Message, a_round, a_wager, line, lying, numbered, why

STATION = """
schema = 1
mode = "simulation"
[table]
site = "laptop"
id = "table-8"
game = "fortune-8"
seats = 7
decks = {decks}
{deal}
card_source = "{source}"
currency = "MOP"
exponent = 2
[table.limits]
min = 1000
max = 1000000
[devices.shoe]
driver = "angel-eye"
[devices.shuffler]
driver = "shuffler-link"
"""
BETS: list[tuple[int, str | None, str, int]] = [
    (2, "Ana", "eight", 1000),
    (2, "Rui", "low", 2000),
    (2, "Rui", "eight", 5000),
    (4, None, "high", 3000),
    (7, "Ana", "low", 4000),
]
CARDS = ["2c", "8d", "Kh", "As", "3d", "9c", "Td"]
ALL = dict(enumerate(CARDS, start=1))
EVERY, WITH_BETS = "every_space", "spaces_with_bets"


class Film8(Filmed):
    def __init__(self, folder: Path, *, source: str = "shoe", decks: int = 1, configured: str | None = None) -> None:
        deal = f'deal = "{configured}"' if configured else ""
        super().__init__(folder, STATION.format(decks=decks, deal=deal, source=source), source)
        self.decks = decks

    def shuffle(self) -> None:
        self.see("shuffled", cards=52 * self.decks, source="shoe")
        self.see("cut", by="seat 3")

    def open(self, bets: list[tuple[int, str | None, str, int]] = BETS, *, shuffle: bool = False) -> None:
        """A round while bets may still be placed; the first one from the shoe always with a shuffle."""
        self.number += 1
        self.see("round_begin", source=self.source)
        if shuffle or (self.number == 1 and self.source == "shoe"):
            self.shuffle()
        for seat, player, wager, amount in bets:
            self.see("wager", seat=seat, player=player, wager=wager, amount=amount)

    def begin(
        self, deal: str = EVERY, bets: list[tuple[int, str | None, str, int]] = BETS, *, shuffle: bool = False
    ) -> None:
        self.open(bets, shuffle=shuffle)
        self.see("lock_in")
        self.see("announce", deal=deal)

    def card(self, place: int | str, card: str) -> None:
        self.see("card", to=place if isinstance(place, str) else f"seat {place}", card=card, face="up")

    def moved(self, place: int, to: int | str, card: str) -> None:
        where = to if isinstance(to, str) else f"seat {to}"
        self.see("moved", **{"from": f"seat {place}", "to": where, "card": card})

    def deal(self, cards: list[str] | None = None, spaces: list[int] | None = None) -> None:
        for space, card in zip(spaces or range(1, 8), CARDS if cards is None else cards, strict=True):
            self.card(space, card)

    def finish(self) -> None:
        """The winnings of the plain round are pushed to the players, and the cards gathered."""
        for seat, player, wager, amount in (
            (2, "Ana", "eight", 11000),
            (2, "Rui", "eight", 55000),
            (4, None, "high", 3000),
        ):
            self.see("pay", seat=seat, wager=wager, amount=amount, player=player)
        self.end()


WAGERS = [
    a_wager(2, "low", "Rui", 2000),
    a_wager(2, "eight", "Ana", 1000),
    a_wager(2, "eight", "Rui", 5000),
    a_wager(4, "high", None, 3000),
    a_wager(7, "low", "Ana", 4000),
]
SEATS: list[Message] = [
    {
        "seat": 2,
        "net": 64000,
        "lines": [
            line("low", 2000, "lose", None, -2000, "6.º 1", player="Rui"),
            line("eight", 1000, "win", "11:1", 11000, "8.º 2", player="Ana"),
            line("eight", 5000, "win", "11:1", 55000, "8.º 2", player="Rui"),
        ],
    },
    {"seat": 4, "net": 3000, "lines": [line("high", 3000, "win", "1:1", 3000, "8.º 1")]},
    {"seat": 7, "net": -4000, "lines": [line("low", 4000, "lose", None, -4000, "6.º 1", player="Ana")]},
]


def shown(cards: dict[int, str]) -> list[Message]:
    return [lying(f"seat {space}", card) for space, card in cards.items()]


def published(
    *irregularities: Message, number: int = 1, source: str = "shoe", cards: dict[int, str] = ALL, **other: object
) -> Message:
    """The message of the plain round, with every space dealt a card; `other` is what is to be different."""
    message = a_round("fortune-8", number, *irregularities, source=source, deal=EVERY, wagers=WAGERS, seats=SEATS)
    return message | {"shown_cards": shown(cards)} | other


def voided(article: str, cards: dict[int, str], *irregularities: Message, **other: Any) -> Message:
    """The message of the plain round if it is void, with the cards that was there."""
    back = {"outcome": "void", "odds": None, "net": 0, "article": article}
    seats = [{**place, "net": 0, "lines": [row | back for row in place["lines"]]} for place in SEATS]
    void = {"outcome": "void", "void": why(article), "seats": seats}
    return published(*irregularities, cards=cards, **(void | other))


def only(film: Film8, right: Message, *before: Message) -> None:
    """The camera allows this message, and no other article and no settlement in its place."""
    assert film.judge(*before, right).differences == []
    same = {key: right[key] for key in ("source", "deal", "irregularities")} | numbered(right["round"])
    policies = {f"policy: {name}" for name in ("complete deck", "every card reported", "supervisor's void")}
    for other in (policies | {"5.º", "3.º"}) - {right["void"] and right["void"]["article"]}:
        assert film.judge(*before, voided(other, {}, **same) | {"shown_cards": right["shown_cards"]}).differences, other
    if right["void"]:
        assert film.judge(*before, published(**same)).differences
