"""A plain round of 2008 for the referee's own tests: an ante alone, both bets, and a Pair Plus alone."""

from pathlib import Path
from typing import Any

from tests.referee.films import poker as referee_film
from tests.referee.films.poker import GAME_2008, Film, line, seat, void
from tests.referee.films.written import Message

BETS = {2: {"ante": 10000}, 3: {"ante": 20000, "pair_plus": 5000}, 6: {"pair_plus": 4000}}
HANDS = {2: "8c 5d 2s", 3: "9h 9d 2h", 6: "Tc 6d 3s"}
BANK = "Kd 9c 4h"
SEATS = {
    2: seat(
        HANDS[2],
        "high_card",
        "play",
        -20000,
        line("ante", 10000, "lose", None, -10000, "9.º 7)"),
        line("play", 10000, "lose", None, -10000, "9.º 7)"),
    ),
    3: seat(
        HANDS[3],
        "pair",
        "play",
        45000,
        line("ante", 20000, "win", "1:1", 20000, "9.º 6)"),
        line("play", 20000, "win", "1:1", 20000, "9.º 6)"),
        line("pair_plus", 5000, "win", "1:1", 5000, "10.º 5)"),
    ),
    6: seat(HANDS[6], "high_card", None, -4000, line("pair_plus", 4000, "lose", None, -4000, "9.º 9)")),
}


def table(folder: Path, source: str = "shuffler", packets: tuple[int, ...] = (3,)) -> Film:
    """A table of 2008."""
    return Film(folder, source=source, packets=packets, game=GAME_2008)


def plain(folder: Path, source: str = "shuffler", packets: tuple[int, ...] = (3,)) -> Film:
    """The same, betting closed."""
    film = table(folder, source, packets)
    film.begin(BETS)
    return film


def finish(film: Film, hands: dict[int, str] = HANDS, bank: str = BANK) -> None:
    film.decide(seat_2="play", seat_3="play")
    film.turn(bank=bank, **{f"seat_{at}": cards for at, cards in hands.items()})
    film.pay(3, ante=20000, play=20000, pair_plus=5000)
    film.end()


def settled(
    *irregularities: Message, number: int = 1, bank: str = BANK, seats: dict[int, Message] | None = None, **other: Any
) -> Message:
    """The message of such a round; `other` is what is to be different."""
    published = referee_film.settled(
        number, BETS, (bank, "high_card", True), SEATS if seats is None else seats, game=GAME_2008
    )
    return published | {"irregularities": list(irregularities)} | other


def voided(article: str, *irregularities: Message, number: int = 1, **other: Any) -> Message:
    published = void(number, BETS, article, None, carried=False, game=GAME_2008)
    return published | {"irregularities": list(irregularities)} | other


def only(film: Film, right: Message) -> None:
    """The camera allows this message, and no other article and no settlement in its place."""
    assert film.judge(right).differences == []
    articles = {"11.º 1)", "11.º 2)", "11.º 3)", "11.º 4)", "17.º 1 1)", "17.º 1 2)", "17.º 1 3)", "17.º 2"}
    policies = {f"policy: {name}" for name in ("complete deck", "every card reported", "supervisor's void")}
    for other in (articles | policies) - {right["void"] and right["void"]["article"]}:
        assert film.judge(voided(other, *right["irregularities"], source=right["source"])).differences, other
    if right["void"]:
        assert film.judge(settled(*right["irregularities"], source=right["source"])).differences
