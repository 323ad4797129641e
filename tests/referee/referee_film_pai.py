"""Films of Taiwan-Pai Kao for the referee's own tests, and an evening of three rounds with what is said of each."""

import json
from pathlib import Path
from typing import Any

import referee

Message = dict[str, Any]

STATION = """
schema = 1
mode = "simulation"
[table]
site = "laptop"
id = "table-pai"
game = "taiwan-pai-kao"
seats = {seats}
card_source = "shoe"
currency = "MOP"
exponent = 2
[table.limits]
min = 100
max = 100000
"""
READER = """[devices.shoe]
driver = "angel-eye"
"""
FOUR_HANDS = {
    1: "3-2 5-1 4-4 4-4",
    2: "5-2 4-1 6-4 6-4",
    3: "6-6 3-3 6-6 2-1",  # its rear pair is not the highest
    4: "5-1 3-1 5-5 6-3",
}
FORM = "four at once"
OTHER_HANDS = {
    1: "5-5 3-1 1-1 1-1",
    2: "3-3 6-5 2-2 2-2",
    3: "6-5 5-4 6-1 6-1",
    4: "4-3 4-2 5-3 6-2",
}
WAGERS = [
    (2, "Ivo", 500),
    (3, "Ana", 4000),
    (3, "Rui", 4000),
    (4, "Leo", 9000),
    (1, "Rui", 700),
    (4, "Tia", 5000),
]
EIGHT_HANDS = {
    place: hand
    for place, hand in enumerate([*FOUR_HANDS.values(), *OTHER_HANDS.values()], start=1)
}  # fmt: skip


class FilmPai:
    """One evening on camera; `judge` holds it against messages."""

    def __init__(self, folder: Path, *, seats: int = 8, reader: bool = True) -> None:
        self.station = folder / "station.toml"
        self.station.write_text(STATION.format(seats=seats) + (READER if reader else ""), encoding="utf-8")
        self.camera = folder / "cam.jsonl"
        self.lines: list[Message] = []
        self.number = 0
        self.stack: list[str] = []

    def see(self, event: str, **seen: object) -> None:
        """One line of the camera."""
        self.lines.append({"round": self.number, "event": event, **seen})

    def wrong(self, kind: str, **seen: object) -> None:
        """What the hands did wrong."""
        self.see("irregularity", kind=kind, **seen)

    def fault(self, kind: str, on: bool = True) -> None:
        """A fault of the reader begins or ends."""
        self.see("fault", device="shoe", kind=kind, on=on)

    def begin(self, *hands: str, places: int = 4) -> None:
        """A round; with `hands` their tiles are the top of a stack that is washed now."""
        self.number += 1
        self.see("round_begin", source="shoe")
        if hands:
            self.stack = " ".join(hands).split(" ")
            self.see("wash", tiles=" ".join(self.stack))
        self.see("places", number=places)

    def take(self, place: int, capital: int, casino: int = 0, agreed: list[int] | None = None) -> None:
        """A place takes the bank, and its player announces how the tiles are distributed."""
        self.see("bank_taken", place=place, capital=capital, casino=casino, agreed=agreed or [])
        self.see("form", by=place, form=FORM)

    def leave(self, place: int, *, absent: bool = False) -> None:
        """A place does not take the bank."""
        self.see("bank_passed", place=place, absent=absent)

    def bet(self, *wagers: tuple[int, str, int]) -> None:
        """Wagers, and the betting closed."""
        for place, player, amount in wagers:
            self.see("wager", seat=place, player=player, wager="place", amount=amount)
        self.see("lock_in", t=1.0)

    def throw(self, by: int, *dice: int) -> None:
        """The dice that count."""
        self.see("dice", by=by, dice=list(dice))

    def deal(self, *places: int) -> None:
        """Four tiles to each place, from the stack."""
        for place in places:
            for _ in range(4):
                self.see("card", to=f"seat {place}", card=self.stack.pop(0), face="down")

    def turn(self, *places: int, hands: dict[int, str], right: tuple[int, str, str] | None = None) -> None:
        """All pairs are laid, then turned in this order; `right` is one the dealer puts right."""
        for place in sorted(places):
            tiles = hands[place].split(" ")
            self.see("arranged", place=place, front=" ".join(tiles[:2]), rear=" ".join(tiles[2:]))
        for place in places:
            self.see("turned", to=f"seat {place}", cards=hands[place])
            if right and right[0] == place:
                self.see("rearranged", place=place, front=right[1], rear=right[2])

    def move(self, event: str, place: int, player: str, amount: int, commission: int) -> None:
        """A wager is paid or collected, and the house takes its part."""
        for what, moved in ((event, amount), ("commission", commission)):
            if moved:
                self.see(what, seat=place, player=player, wager="place", amount=moved)

    def share(self, **shares: int) -> None:
        """The bank's result for those behind it."""
        for name, amount in shares.items():
            self.see("share", of=name, amount=amount)

    def end(self) -> None:
        """The round is over."""
        self.see("round_end")

    def judge(self, *messages: Message) -> referee.Report:
        """The referee's report on this film and these messages."""
        self.camera.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")
        return referee.judge(self.station, self.camera, list(messages))


def pair(tiles: str, name: str, rank: int) -> Message:
    """A pair of a settlement."""
    return {"tiles": tiles, "name": name, "rank": rank}


def hand(front: Message, rear: Message, *, rearranged: bool = False, **other: object) -> Message:
    """A place of a settlement."""
    return {"front": front, "rear": rear, "rearranged": rearranged, **other}


def line(
    player: str, stake: int, outcome: str, net: int, commission: int, article: str = "6.º c)", wager: str = "place"
) -> Message:
    """A line of a settlement."""
    told: Message = {"wager": wager, "player": player, "stake": stake, "outcome": outcome}
    return told | {"net": net, "commission": commission, "article": article}


def heading(number: int, *irregularities: Message) -> Message:
    """What is the same of every round of this table."""
    return {
        "schema": 1,
        "mode": "simulation",
        "round": number,
        "currency": "MOP",
        "exponent": 2,
        "game": "taiwan-pai-kao",
        "outcome": "settled",
        "source": "shoe",
        "void": None,
        "irregularities": list(irregularities),
        "corrections": [],
    }


def first_round(film: FilmPai) -> None:
    """Four places; the bank is cut while it pays and while it collects, and shares what it won."""
    tail = " ".join(OTHER_HANDS[place] for place in (1, 2, 3, 4))
    film.begin(*(FOUR_HANDS[place] for place in (2, 3, 4, 1)), tail)
    film.leave(1, absent=True)
    film.take(2, 5000, 1000)
    film.bet(*WAGERS)
    film.see("tiles_moved", by="seat 4", tiles=" ".join(film.stack))
    film.see("tiles_moved", by="bank", tiles=" ".join(film.stack))
    film.see("dice_null", by=2)
    film.throw(2, 1, 1, 1, 2)
    film.deal(2, 3, 4, 1)
    film.turn(2, 3, 4, 1, hands=FOUR_HANDS, right=(3, "3-3 2-1", "6-6 6-6"))
    film.move("pay", 3, "Ana", 4000, 200)
    film.move("pay", 3, "Rui", 2500, 125)
    film.move("collect", 4, "Leo", 9000, 450)
    film.move("collect", 4, "Tia", 4000, 200)
    film.share(banker=5000, casino=850, Ivo=0)
    film.see("used", tiles=" ".join(FOUR_HANDS.values()))
    film.end()


def first_told() -> Message:
    """The message of the first round."""
    return heading(1) | {
        "places": 4,
        "deal": "four_places",
        "bank": {"place": 2, "capital": 5000, "casino": 1000, "rounds": 1},
        "dice": [1, 1, 1, 2],
        "form": FORM,
        "null_dice": 1,
        "moved": ["seat 4", "bank"],
        "wagers": {
            "2": [{"player": "Ivo", "amount": 500}],
            "3": [{"player": "Ana", "amount": 4000}, {"player": "Rui", "amount": 4000}],
            "4": [{"player": "Leo", "amount": 9000}, {"player": "Tia", "amount": 5000}],
            "1": [{"player": "Rui", "amount": 700}],
        },
        "holders": {"1": "Rui", "3": "Ana", "4": "Leo"},
        "tiles": {str(place): tiles for place, tiles in FOUR_HANDS.items()},
        "titles": {
            "1": {"front": "Ling Lám Lôk Iat", "rear": "Seong Ian"},
            "2": {"front": "Cháp Chat I", "rear": "Seong Hông T’au-Sap"},
            "3": {"front": "Cheóng P’ai Káu", "rear": "Seong Tin"},
            "4": {"front": "Ngó P’ai Mât", "rear": "Mui P’ai Káu"},
        },
        "first_place": 2,
        "order": [3, 4, 1],
        "seats": {
            "1": hand(
                pair("5-1 3-2", "points_1", 109),
                pair("4-4 4-4", "pair", 4),
                outcome="push",
                net=0,
                lines=[line("Rui", 700, "push", 0, 0)],
            ),
            "2": hand(pair("5-2 4-1", "points_2", 101), pair("6-4 6-4", "pair", 10)),
            "3": hand(
                pair("3-3 2-1", "points_9", 25),
                pair("6-6 6-6", "pair", 2),
                rearranged=True,
                outcome="win",
                net=6175,
                lines=[line("Ana", 4000, "win", 3800, 200), line("Rui", 4000, "win", 2375, 125, "5.º c)")],
            ),
            "4": hand(
                pair("3-1 5-1", "points_0", 112),
                pair("5-5 6-3", "points_9", 24),
                outcome="lose",
                net=-13000,
                lines=[line("Leo", 9000, "lose", -9000, 450), line("Tia", 5000, "lose", -4000, 200, "5.º c)")],
            ),
        },
        "banker": {
            "place": 2,
            "net": 5000,
            "limited": True,
            "casino": {"share": 1000, "net": 850, "article": "5.º e)"},
            "joiners": [line("Ivo", 500, "push", 0, 0, "5.º e)", "bank")],
        },
    }


def second_round(film: FilmPai) -> None:
    """The other sixteen tiles; the banker goes on with all that he won."""
    film.begin()
    film.take(2, 10000)
    film.bet((1, "Ana", 1000), (3, "Rui", 1000))
    film.throw(2, 2, 2, 2, 2)
    film.deal(1, 2, 3, 4)
    film.turn(2, 1, 3, 4, hands=OTHER_HANDS)
    film.move("collect", 3, "Rui", 1000, 50)
    film.share(banker=950)
    film.end()


def second_told() -> Message:
    """The message of the second round."""
    return heading(2) | {
        "places": 4,
        "deal": None,
        "bank": {"place": 2, "capital": 10000, "casino": 0, "rounds": 2},
        "dice": [2, 2, 2, 2],
        "form": FORM,
        "null_dice": 0,
        "moved": [],
        "wagers": {"1": [{"player": "Ana", "amount": 1000}], "3": [{"player": "Rui", "amount": 1000}]},
        "holders": {"1": "Ana", "3": "Rui", "4": None},
        "tiles": {str(place): tiles for place, tiles in OTHER_HANDS.items()},
        "titles": {
            "1": {"front": "Ngó P’ai Sei", "rear": "Seong Tei"},
            "2": {"front": "Cheong P’ai chat", "rear": "Seong Pán Táng"},
            "3": {"front": "Fu T’au Mât", "rear": "Seong Kou-Keók Chat"},
            "4": {"front": "Cháp Chat Sám", "rear": "Seong Cháp Pát"},
        },
        "first_place": 1,
        "order": [1, 3, 4],
        "seats": {
            "1": hand(
                pair("3-1 5-5", "points_4", 71),
                pair("1-1 1-1", "pair", 3),
                outcome="push",
                net=0,
                lines=[line("Ana", 1000, "push", 0, 0)],
            ),
            "2": hand(pair("3-3 6-5", "points_7", 43), pair("2-2 2-2", "pair", 8)),
            "3": hand(
                pair("6-5 5-4", "points_0", 116),
                pair("6-1 6-1", "pair", 11),
                outcome="lose",
                net=-1000,
                lines=[line("Rui", 1000, "lose", -1000, 50)],
            ),
            "4": hand(pair("4-3 4-2", "points_3", 91), pair("5-3 6-2", "pair", 14), outcome="lose", net=0, lines=[]),
        },
        "banker": {"place": 2, "net": 950, "limited": False},
    }


def third_round(film: FilmPai) -> None:
    """All tiles again, at eight places; the fifth tile goes to the wrong place, and the round is void."""
    film.begin(*EIGHT_HANDS.values(), places=8)
    film.leave(2)
    film.take(3, 3000, 700)
    film.bet((3, "Eva", 300), (8, "Ana", 1000))
    film.throw(3, 6, 6, 6, 6)
    film.deal(2)
    film.see("card", to="seat 4", card=film.stack.pop(0), face="down")
    film.wrong("order")
    film.end()


def third_told() -> Message:
    """The message of the third round."""
    article = "policy: misdeal"
    return heading(3) | {
        "outcome": "void",
        "void": {"article": article, "reason": "why"},
        "places": 8,
        "deal": "eight_places",
        "bank": {"place": 3, "capital": 3000, "casino": 700, "rounds": 1},
        "dice": [6, 6, 6, 6],
        "form": FORM,
        "null_dice": 0,
        "moved": [],
        "wagers": {"3": [{"player": "Eva", "amount": 300}], "8": [{"player": "Ana", "amount": 1000}]},
        "holders": {str(place): "Ana" if place == 8 else None for place in (1, 2, 4, 5, 6, 7, 8)},
        "tiles": {},
        "titles": {},
        "seats": {"8": {"net": 0, "lines": [line("Ana", 1000, "void", 0, 0, article)]}},
        "banker": {
            "place": 3,
            "net": 0,
            "limited": False,
            "casino": {"share": 700, "net": 0, "article": article},
            "joiners": [line("Eva", 300, "void", 0, 0, article, "bank")],
        },
    }


def evening(film: FilmPai) -> list[Message]:
    """All three rounds, and what is said of them."""
    first_round(film)
    second_round(film)
    third_round(film)
    return [first_told(), second_told(), third_told()]
