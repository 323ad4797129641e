"""Films of Taiwan-Pai Kao for the referee's own tests, and an evening of three rounds with what is reported of each."""

from pathlib import Path

from tests.referee.films import written as referee_written
from tests.referee.films.written import Filmed, Message, a_round, a_wager, back, lying, why

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
OTHER_HANDS = {1: "5-5 3-1 1-1 1-1", 2: "3-3 6-5 2-2 2-2", 3: "6-5 5-4 6-1 6-1", 4: "4-3 4-2 5-3 6-2"}
WAGERS = [(2, "Ivo", 500), (3, "Ana", 4000), (3, "Rui", 4000), (4, "Leo", 9000), (1, "Rui", 700), (4, "Tia", 5000)]
EIGHT_HANDS = dict(enumerate([*FOUR_HANDS.values(), *OTHER_HANDS.values()], start=1))  # fmt: skip


class FilmPai(Filmed):
    def __init__(self, folder: Path, *, seats: int = 8, reader: bool = True) -> None:
        super().__init__(folder, STATION.format(seats=seats) + (READER if reader else ""), "shoe")
        self.stack: list[str] = []

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
        self.see("bank_passed", place=place, absent=absent)

    def bet(self, *wagers: tuple[int, str, int]) -> None:
        """Wagers, and the betting closed."""
        for place, player, amount in wagers:
            self.see("wager", seat=place, player=player, wager="place", amount=amount)
        self.see("lock_in", t=1.0)

    def throw(self, by: int, *dice: int) -> None:
        self.see("dice", by=by, dice=list(dice))

    def deal(self, *places: int) -> None:
        """Four tiles to each place, from the stack."""
        for place in places:
            for _ in range(4):
                self.see("card", to=f"seat {place}", card=self.stack.pop(0), face="down")

    def turn(self, *places: int, hands: dict[int, str], right: tuple[int, str, str] | None = None) -> None:
        for place in sorted(places):
            tiles = hands[place].split(" ")
            self.see("arranged", place=place, front=" ".join(tiles[:2]), rear=" ".join(tiles[2:]))
        for place in places:
            self.see("turned", to=f"seat {place}", cards=hands[place])
            if right and right[0] == place:
                self.see("rearranged", place=place, front=right[1], rear=right[2])

    def move(self, event: str, place: int, player: str, amount: int, commission: int) -> None:
        for what, moved in ((event, amount), ("commission", commission)):
            if moved:
                self.see(what, seat=place, player=player, wager="place", amount=moved)

    def share(self, **shares: int) -> None:
        for name, amount in shares.items():
            self.see("share", of=name, amount=amount)


def pair(cards: str, name: str, rank: int, title: str) -> Message:
    return {"cards": cards.split(), "name": name, "rank": rank, "title": title}


def hand(seat: int, front: Message, rear: Message, net: int, *lines: Message, **other: object) -> Message:
    own = {"seat": seat, "net": net, "lines": list(lines), "front": front, "rear": rear, "rearranged": False}
    return own | other


def line(
    player: str, stake: int, outcome: str, net: int, commission: int, article: str = "6.º c)", wager: str = "place"
) -> Message:
    """A line of a settlement."""
    return referee_written.line(wager, stake, outcome, None, net, article, player=player, commission=commission)


def holders(**players: str | None) -> list[Message]:
    return [{"seat": int(place[1:]), "player": player} for place, player in players.items()]


def casino(share: int, net: int, article: str) -> Message:
    return {"share": share, "net": net, "article": article}


def bank(seat: int, capital: int, rounds: int, net: int, *joiners: Message, **other: object) -> Message:
    result = {"seat": seat, "capital": capital, "casino": None, "turn_rounds": rounds, "net": net, "limited": False}
    return result | {"joiners": list(joiners)} | other


def tiles(places: int, dice: list[int] | None, holders: list[Message], **other: object) -> Message:
    thrown = {"dice": dice, "null_dice": 0, "moved": []}
    return {"place_count": places, "form": FORM, **thrown, "holders": holders} | other


def hands_shown(hands: dict[int, str]) -> list[Message]:
    return [lying(f"seat {place}", cards) for place, cards in hands.items()]


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


def first_published() -> Message:
    return a_round("taiwan-pai-kao", 1, source="shoe") | {
        "deal": "four_places",
        "tiles": tiles(4, [1, 1, 1, 2], holders(_1="Rui", _3="Ana", _4="Leo"), null_dice=1, moved=["seat 4", "bank"]),
        "wagers": [
            a_wager(1, "place", "Rui", 700),
            a_wager(2, "place", "Ivo", 500),
            a_wager(3, "place", "Ana", 4000),
            a_wager(3, "place", "Rui", 4000),
            a_wager(4, "place", "Leo", 9000),
            a_wager(4, "place", "Tia", 5000),
        ],
        "shown_cards": hands_shown(FOUR_HANDS),
        "first_place": 2,
        "settling_order": [3, 4, 1],
        "seats": [
            hand(
                1,
                pair("5-1 3-2", "points_1", 109, "Ling Lám Lôk Iat"),
                pair("4-4 4-4", "pair", 4, "Seong Ian"),
                0,
                line("Rui", 700, "push", 0, 0),
                outcome="push",
            ),
            hand(
                2,
                pair("5-2 4-1", "points_2", 101, "Cháp Chat I"),
                pair("6-4 6-4", "pair", 10, "Seong Hông T’au-Sap"),
                5000,
            ),
            hand(
                3,
                pair("3-3 2-1", "points_9", 25, "Cheóng P’ai Káu"),
                pair("6-6 6-6", "pair", 2, "Seong Tin"),
                6175,
                line("Ana", 4000, "win", 3800, 200),
                line("Rui", 4000, "win", 2375, 125, "5.º c)"),
                rearranged=True,
                outcome="win",
            ),
            hand(
                4,
                pair("3-1 5-1", "points_0", 112, "Ngó P’ai Mât"),
                pair("5-5 6-3", "points_9", 24, "Mui P’ai Káu"),
                -13000,
                line("Leo", 9000, "lose", -9000, 450),
                line("Tia", 5000, "lose", -4000, 200, "5.º c)"),
                outcome="lose",
            ),
        ],
        "bank": bank(
            2,
            5000,
            1,
            5000,
            line("Ivo", 500, "push", 0, 0, "5.º e)", "bank"),
            limited=True,
            casino=casino(1000, 850, "5.º e)"),
        ),
    }


def second_round(film: FilmPai) -> None:
    """The other sixteen tiles; the banker continues with all that he won."""
    film.begin()
    film.take(2, 10000)
    film.bet((1, "Ana", 1000), (3, "Rui", 1000))
    film.throw(2, 2, 2, 2, 2)
    film.deal(1, 2, 3, 4)
    film.turn(2, 1, 3, 4, hands=OTHER_HANDS)
    film.move("collect", 3, "Rui", 1000, 50)
    film.share(banker=950)
    film.end()


def second_published() -> Message:
    return a_round("taiwan-pai-kao", 2, source="shoe") | {
        "tiles": tiles(4, [2, 2, 2, 2], holders(_1="Ana", _3="Rui", _4=None)),
        "wagers": [a_wager(1, "place", "Ana", 1000), a_wager(3, "place", "Rui", 1000)],
        "shown_cards": hands_shown(OTHER_HANDS),
        "first_place": 1,
        "settling_order": [1, 3, 4],
        "seats": [
            hand(
                1,
                pair("3-1 5-5", "points_4", 71, "Ngó P’ai Sei"),
                pair("1-1 1-1", "pair", 3, "Seong Tei"),
                0,
                line("Ana", 1000, "push", 0, 0),
                outcome="push",
            ),
            hand(
                2,
                pair("3-3 6-5", "points_7", 43, "Cheong P’ai chat"),
                pair("2-2 2-2", "pair", 8, "Seong Pán Táng"),
                950,
            ),
            hand(
                3,
                pair("6-5 5-4", "points_0", 116, "Fu T’au Mât"),
                pair("6-1 6-1", "pair", 11, "Seong Kou-Keók Chat"),
                -1000,
                line("Rui", 1000, "lose", -1000, 50),
                outcome="lose",
            ),
            hand(
                4,
                pair("4-3 4-2", "points_3", 91, "Cháp Chat Sám"),
                pair("5-3 6-2", "pair", 14, "Seong Cháp Pát"),
                0,
                outcome="lose",
            ),
        ],
        "bank": bank(2, 10000, 2, 950),
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


def third_published(article: str = "policy: misdeal") -> Message:
    result = {f"_{at}": "Ana" if at == 8 else None for at in (1, 2, *range(4, 9))}
    return a_round("taiwan-pai-kao", 3, source="shoe") | {
        "outcome": "void",
        "void": why(article),
        "deal": "eight_places",
        "tiles": tiles(8, [6, 6, 6, 6], holders(**result)),
        "wagers": [a_wager(3, "place", "Eva", 300), a_wager(8, "place", "Ana", 1000)],
        "seats": [{"seat": 8, "net": 0, "lines": [back("place", 1000, article, player="Ana")]}],
        "bank": bank(3, 3000, 1, 0, back("bank", 300, article, player="Eva"), casino=casino(700, 0, article)),
    }


def evening(film: FilmPai) -> list[Message]:
    """All three rounds, and what is reported of them."""
    first_round(film)
    second_round(film)
    third_round(film)
    return [first_published(), second_published(), third_published()]
