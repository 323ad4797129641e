"""An evening of each game with what is published of it: what the tests change value by value and line by line."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from . import fortune_8, pai_kao, plain_2008
from .blackjack_rounds import ROUNDS, Written
from .plain import BANK, BETS, HANDS, all_lost, exposed, finish, published, voided
from .poker import Film, line, seat, settled, void
from .written import Message, award, correction, lying

EMPTY_SEAT: Message = {"kind": "empty_seat", "to": "seat 3", "article": "17.º 4 2)"}
KEYED_IN: Message = {"kind": "keyed_in", "to": "seat 2", "article": "policy: unread cards"}

Shot = tuple[Any, list[Message]]
"""The film, and its messages."""


class Evening(NamedTuple):
    """`matters` of a line of the film and all messages: whether those are wrong without it."""

    name: str
    film: Callable[[Path], Shot]
    matters: Callable[[Message, list[Message]], bool]


POKER_BETS = {
    1: {"ante": 10000, "pair_plus": 5000, "six_card_bonus": 1000},
    2: {"ante": 20000},
    3: {"ante": 10000, "pair_plus": 5000},
    6: {"ante": 30000},
}


POKER_HANDS = {1: "As Ks Qs", 2: "7c 6d 4s", 3: "9h 8h 7h", 6: "Qc 9s 4c"}


POKER_BANK = ("Qd 9c 4h", "high_card", True)


CHIPS = (1, 3)


WAGERS = {at: POKER_BETS[at] | ({"jackpot": 500} if at in CHIPS else {}) for at in POKER_BETS}


AWARDS: tuple[Message, ...] = (award(1, "royal_flush", 60000700, "16.º 3 1)"),)


SEATS = {
    1: seat(
        "As Ks Qs",
        "straight_flush",
        "play",
        10000 + 10000 + 50000 + 200000 - 1000 + 60000200,
        line("ante", 10000, "win", "1:1", 10000, "13.º 3)"),
        line("play", 10000, "win", "1:1", 10000, "13.º 3)"),
        line("ante_bonus", 10000, "win", "5:1", 50000, "13.º 4) (1)"),
        line("pair_plus", 5000, "win", "40:1", 200000, "16.º 1 1)"),
        line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
        line("jackpot", 500, "win", None, 60000200, "16.º 3 1)", "royal_flush"),
    ),
    2: seat(None, None, "fold", -20000, line("ante", 20000, "lose", None, -20000, "12.º 2")),
    3: seat(
        "9h 8h 7h",
        "straight_flush",
        "fold",
        -10000 + 200000 - 500,
        line("ante", 10000, "lose", None, -10000, "12.º 2"),
        line("pair_plus", 5000, "win", "40:1", 200000, "16.º 1 1)"),
        line("jackpot", 500, "lose", None, -500, "15.º 1", None),
    ),
    6: seat(
        "Qc 9s 4c",
        "high_card",
        "play",
        0,
        line("ante", 30000, "push", None, 0, "7.º 1 6)"),
        line("play", 30000, "push", None, 0, "7.º 1 6)"),
    ),
}


def filmed(folder: Path) -> tuple[Film, list[Message]]:
    """A void round whose chips continue, a royal, a round without a jackpot bet."""
    film = Film(folder)
    film.see("lamp", lamp="lock", on=False)  # before the first round
    film.begin(POKER_BETS, chips=CHIPS)
    film.card("seat 2", "2c 2d 3h")
    film.end()
    film.begin(POKER_BETS)
    film.deal(POKER_HANDS, POKER_BANK[0], "Js Ts")
    film.decide(seat_1="play", seat_2="fold", seat_3="fold", seat_6="play")
    turned = {f"seat_{at}": POKER_HANDS[at] for at in (1, 3, 6)}
    film.turn(bank=POKER_BANK[0], **turned, community="Js Ts")
    film.pay(1, ante=10000, play=10000, ante_bonus=50000, pair_plus=200000)
    film.pay(3, pair_plus=200000)
    film.end()
    film.begin({2: {"ante": 20000}})
    film.deal({2: "9h 8h 7h"}, "Jd 9c 4h")
    film.decide(seat_2="play")
    film.turn(bank="Jd 9c 4h", seat_2="9h 8h 7h")
    film.pay(2, ante=20000, ante_bonus=100000)
    film.pay(1, jackpot=60000700)
    film.end()
    won = seat(
        "9h 8h 7h",
        "straight_flush",
        "play",
        120000,
        line("ante", 20000, "win", "1:1", 20000, "13.º 1)"),
        line("play", 20000, "push", None, 0, "13.º 1)"),
        line("ante_bonus", 20000, "win", "5:1", 100000, "13.º 4) (1)"),
    )
    messages = [
        void(1, WAGERS, "17.º 1 1)", (60000700, 60000700), carried=True),
        settled(2, WAGERS, POKER_BANK, SEATS, "Js Ts", (60000700, 50000000), AWARDS),
        settled(3, {2: {"ante": 20000}}, ("Jd 9c 4h", "high_card", False), {2: won}, jackpot=(50000000, 50000000)),
    ]
    return film, copy.deepcopy(messages)


def troubles(folder: Path) -> tuple[Film, list[Message]]:
    """A slip and an unread card; a chip carried after a jam and taken back after an exposed card."""
    film = Film(folder)
    film.begin(BETS)
    film.see("lamp", lamp="lock", on=True)
    film.wrong("slip_decision", seat=4)
    film.fault("shuffler", "misread")
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 3", "As Ad Ah")
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    film.begin(BETS, chips=(2,))
    film.see("lamp", lamp="lock", on=True)
    film.fault("shuffler", "jam")
    film.fault("shuffler", "jam", on=False)
    film.end()
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.card("seat 4", HANDS[4])
    film.card("bank", "Kd", "up")
    film.back(2)
    film.end()
    fix = correction("decision", "seat 4", "fold", "play")
    first = published(all_lost(1, 60000000), EMPTY_SEAT, KEYED_IN, exposed("seat 2", "17.º 4 1)"), corrections=(fix,))
    second = voided("17.º 2", (2,), (60000350, 60000350), number=2)
    third = published(voided("17.º 1 2)", (2,), (60000350, 60000000), number=3), exposed("bank", "17.º 1 2)"))
    return film, copy.deepcopy([first, second, third])


def of_2008(folder: Path) -> Shot:
    """From the shoe: a round to its end, and one whose deal is broken."""
    film = plain_2008.plain(folder, "shoe")
    film.deal(plain_2008.HANDS, plain_2008.BANK)
    plain_2008.finish(film)
    film.begin(plain_2008.BETS)
    film.card("seat 2", "8c")
    film.wrong("order")
    film.end()
    return film, [plain_2008.settled(source="shoe"), plain_2008.voided("11.º 1)", number=2, source="shoe")]


def of_fortune_8(folder: Path) -> Shot:
    """A slip and an error corrected; a round whose deal is broken."""
    film = fortune_8.Film8(folder)
    film.begin(fortune_8.EVERY)
    film.deal()
    film.finish()
    film.begin(fortune_8.WITH_BETS)
    film.card(2, "8c")
    film.wrong("order")
    film.end()
    corrected: Message = {"kind": "error_corrected", "to": "seat 3", "what": "place"}
    slip: Message = {"kind": "slip_wager", "seat": 2, "wager": "eight"}
    film.lines[8:8] = [{"round": 1, "event": "irregularity", **row} for row in (slip, corrected)]
    fix = correction("wager", "seat 2", 1, 5000, wager="eight", player="Rui")
    first = fortune_8.published(corrected | {"article": "5.º"}, corrections=[fix])
    return film, [first, fortune_8.voided("5.º", {2: "8c"}, number=2, deal=fortune_8.WITH_BETS)]


def of_pai_kao(folder: Path) -> Shot:
    """Three rounds with a slip and an exposed tile."""
    film = pai_kao.FilmPai(folder)
    messages = pai_kao.evening(film)
    film.wrong("exposed", to="seat 3")
    film.lines.insert(-4, film.lines.pop())  # in the deal of the last round
    messages[2]["irregularities"] = [{"kind": "exposed", "to": "seat 3", "article": "4.º", "count": 1}]
    slip = {"round": 1, "event": "irregularity", "kind": "slip_wager", "seat": 3, "wager": "place", "player": "Ana"}
    film.lines.insert(12, slip)
    messages[0]["corrections"] = [correction("wager", "seat 3", 1, 4000, wager="place", player="Ana")]
    return film, messages


def _of_poker(seen: Message, messages: list[Message]) -> bool:
    if seen["event"] == "decision":
        return bool(seen["decision"] != "fold")  # not doubling is giving up (12.º 2)
    if seen["event"] == "pay":
        return bool(seen["wager"] != "jackpot")  # it may still be handed over
    if seen["event"] == "card":
        return bool(seen["to"] != "discard" and seen["round"] != 1)
    return seen["event"] in ("turned", "wager", "chip", "lock_in")


def _of_troubles(seen: Message, messages: list[Message]) -> bool:
    if seen["event"] == "card":
        return bool(seen["round"] != 3 and seen["to"] != "seat 3")
    return seen["event"] in ("irregularity", "fault", "chip_back", "chip") and seen.get("on") is not False


def _of_2008(seen: Message, messages: list[Message]) -> bool:
    events = ("decision", "turned", "pay", "card", "wager", "cut", "shuffled")
    return bool(seen["round"] == 1) and seen["event"] in events


def _of_fortune_8(seen: Message, messages: list[Message]) -> bool:
    return bool(seen["round"] == 1) and seen["event"] in ("card", "wager", "pay", "announce", "shuffled", "cut")


def _of_pai_kao(seen: Message, messages: list[Message]) -> bool:
    return bool(seen["round"] < 3) and seen["event"] in (
        *("wash", "places", "bank_taken", "wager", "lock_in", "tiles_moved", "dice_null", "dice", "card", "turned"),
        *("rearranged", "pay", "collect", "commission", "used"),
    )


def _of_blackjack(seen: Message, messages: list[Message]) -> bool:
    if seen["event"] == "answer" and seen["answer"] == "no":  # a black-jack need not be asked whether it gives up
        return lying("seat 1", "As Kd", 1) not in messages[0]["shown_cards"]
    return seen["event"] not in ("round_begin", "lock_in", "round_end")


def _one_round(written: Written) -> Callable[[Path], Shot]:
    def film(folder: Path) -> Shot:
        filmed, right = written(folder)
        return filmed, [right]

    return film


EVENINGS = (
    Evening("poker 2025", filmed, _of_poker),
    Evening("poker 2025, troubles", troubles, _of_troubles),
    Evening("poker 2008", of_2008, _of_2008),
    Evening("fortune 8", of_fortune_8, _of_fortune_8),
    Evening("pai kao", of_pai_kao, _of_pai_kao),
    *(Evening(f"black-jack, {round.__name__}", _one_round(round), _of_blackjack) for round in ROUNDS),
)
