"""Films of Fortune 8 for the referee's own tests, and a plain round: five bets at three spaces."""

import json
from pathlib import Path
from typing import Any

from tests.referee.film.judge import Report, judge
from tests.referee.films.written import Message, a_round, a_wager, line, lying, numbered, why

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


class Film8:
    """One evening on camera; `judge` holds it against messages."""

    def __init__(self, folder: Path, *, source: str = "shoe", decks: int = 1, configured: str | None = None) -> None:
        deal = f'deal = "{configured}"' if configured else ""
        self.station = folder / "station.toml"
        self.station.write_text(STATION.format(decks=decks, deal=deal, source=source), encoding="utf-8")
        self.camera = folder / "cam.jsonl"
        self.source = source
        self.decks = decks
        self.lines: list[Message] = []
        self.number = 0

    def see(self, event: str, **seen: object) -> None:
        """One line of the camera."""
        self.lines.append({"round": self.number, "event": event, **seen})

    def shuffle(self) -> None:
        """The cards are shuffled by hand, cut, and put into the shoe."""
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
        """A round up to the announcement."""
        self.open(bets, shuffle=shuffle)
        self.see("lock_in")
        self.see("announce", deal=deal)

    def card(self, place: int | str, card: str) -> None:
        """A card, face up, to a space or to the discard rack."""
        self.see("card", to=place if isinstance(place, str) else f"seat {place}", card=card, face="up")

    def moved(self, place: int, to: int | str, card: str) -> None:
        """A card that was wrongly is corrected."""
        where = to if isinstance(to, str) else f"seat {to}"
        self.see("moved", **{"from": f"seat {place}", "to": where, "card": card})

    def deal(self, cards: list[str] | None = None, spaces: list[int] | None = None) -> None:
        """A faultless deal, one card to each space."""
        for space, card in zip(spaces or range(1, 8), CARDS if cards is None else cards, strict=True):
            self.card(space, card)

    def wrong(self, kind: str, **seen: object) -> None:
        """What the hands did wrong."""
        self.see("irregularity", kind=kind, **seen)

    def fault(self, device: str, kind: str, on: bool = True) -> None:
        """A device's fault begins or ends."""
        self.see("fault", device=device, kind=kind, on=on)

    def finish(self) -> None:
        """The winnings of the plain round are pushed to the players, and the cards gathered."""
        for seat, player, wager, amount in (
            (2, "Ana", "eight", 11000),
            (2, "Rui", "eight", 55000),
            (4, None, "high", 3000),
        ):
            self.see("pay", seat=seat, wager=wager, amount=amount, player=player)
        self.end()

    def end(self) -> None:
        """The round is over."""
        self.see("round_end")

    def judge(self, *messages: Message) -> Report:
        """The referee's report on this film and these messages."""
        self.camera.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")
        return judge(self.station, self.camera, list(messages))


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
    """The card of each space."""
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
