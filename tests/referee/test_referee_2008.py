"""2008 judged from the camera: slips and duties, and what is irregular (11.º, 3.º, 6.º)."""

from pathlib import Path

import pytest

from tests.referee.films.plain_2008 import BANK, BETS, HANDS, SEATS, finish, only, plain, settled, voided
from tests.referee.films.poker import Film, line, seat
from tests.referee.films.written import Message, correction


def test_2008_slips_are_corrected_as_in_2025(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_wager", seat=2, wager="ante")
    film.deal(HANDS, BANK)
    finish(film)
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante")
    assert film.judge(settled(corrections=[fix])).differences == []
    assert film.judge(settled()).differences
    assert film.judge(settled(corrections=[fix | {"amount_after": 20000}])).differences


def test_2008_art_9_2_and_9_3_a_player_who_refuses_his_duty_loses_the_ante_and_keeps_pair_plus(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    film.decide(seat_2="play", seat_3="refused")
    film.turn(bank=BANK, **{f"seat_{at}": cards for at, cards in HANDS.items()})
    film.pay(3, pair_plus=5000)
    film.end()
    lines = (
        line("ante", 20000, "lose", None, -20000, "9.º 2)"),
        line("pair_plus", 5000, "win", "1:1", 5000, "10.º 5)"),
    )
    right = settled(seats=SEATS | {3: seat(HANDS[3], "pair", "refused", -15000, *lines)})
    assert film.judge(right).differences == []
    assert film.judge(settled()).differences != []


# ---- What is irregular by 2008, reported from the camera: article 11.º, the cut of 3.º, and the end of the betting,
# 6.º.


def exposed(place: str, count: int = 1, article: str = "11.º 2)") -> Message:
    """An exposed card among the irregularities of a message."""
    return {"kind": "exposed", "to": place, "count": count, "article": article}


EMPTY_SEAT: Message = {"kind": "empty_seat", "to": "seat 4", "article": "11.º 3)"}


def left_out(film: Film, card: str, which: int) -> None:
    """A card of the bank is seen and set aside."""
    film.wrong("exposed", to="bank", which=[which])
    film.see("set_aside", **{"from": "bank", "card": card})


def shoe_round(film: Film, at_pass: int, *, put_aside: bool = True, again: bool = True) -> None:
    """From the shoe, with an exposed card of the bank in one of the passes."""
    for turn in range(3):
        for at, cards in HANDS.items():
            film.card(f"seat {at}", cards.split()[turn])
        if turn == at_pass:
            film.card("bank", "Qh", "up")
            if put_aside:
                left_out(film, "Qh", turn + 1)
            if not again:
                continue
        film.card("bank", BANK.split()[turn])


@pytest.mark.parametrize("at_pass", [0, 1])
def test_2008_art_11_2_the_next_card_to_another_place_is_a_broken_deal(tmp_path: Path, at_pass: int) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, at_pass, again=False)
    film.end()
    only(film, voided("11.º 1)", exposed("bank"), source="shoe"))


def test_2008_art_11_2_the_dealer_may_draw_on_before_it_is_put_aside(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, 1, put_aside=False)
    left_out(film, "Qh", 2)
    finish(film)
    only(film, settled(exposed("bank"), source="shoe"))


def test_2008_art_11_2_two_of_the_banks_cards_at_once(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, "Jh Qh 4h")
    film.wrong("exposed", to="bank", which=[1, 2])
    for card in ("Jh", "Qh"):
        film.see("set_aside", **{"from": "bank", "card": card})
    film.card("bank", "Kd 9c")
    film.card("discard", "5c")
    finish(film)
    only(film, settled(exposed("bank", 2)))
    film.lines = [seen for seen in film.lines if seen.get("to") != "discard"]
    assert film.judge(settled(exposed("bank", 2))).differences


@pytest.mark.parametrize("kind", ["jam", "restart"])
def test_2008_art_11_4_the_shuffler_may_fail_at_the_banks_new_packet(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, "Kd 9c Qh")
    left_out(film, "Qh", 3)
    film.fault("shuffler", kind)
    film.end()
    only(film, voided("11.º 4)", exposed("bank")))


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_2008_art_11_3_cards_to_a_seat_without_a_bet_are_null(tmp_path: Path, source: str) -> None:
    film = plain(tmp_path, source)
    film.card("seat 4", "As Ad Ah" if source == "shuffler" else "As")
    film.wrong("empty_seat", seat=4, meant_for="seat 2")
    film.deal(HANDS, BANK)
    finish(film)
    only(film, settled(EMPTY_SEAT, source=source))
    assert film.judge(settled(source=source)).differences
    assert film.judge(settled(EMPTY_SEAT | {"article": "17.º 4 2)"}, source=source)).differences


def test_2008_art_11_4_after_its_first_failure_the_shuffler_gives_no_more_cards(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    film.fault("shuffler", "jam")
    film.fault("shuffler", "jam", on=False)
    film.end()
    failed = list(film.lines)
    first = voided("11.º 4)")
    only(film, first)
    for source, events in (("shuffler", ()), ("shoe", ()), ("shuffler", ("shuffler_replaced",))):
        film.lines, film.number, film.source = list(failed), 1, source
        for event in events:
            film.see(event)
        film.begin(BETS)
        film.deal(HANDS, BANK)
        finish(film)
        differences = film.judge(first, settled(number=2, source=source)).differences
        wrong = "round 2, source on the table: expected 'shoe' (11.º 4)), got 'shuffler'"
        assert differences == ([wrong] if (source, events) == ("shuffler", ()) else [])


@pytest.mark.parametrize(
    "done",
    [[], ["shuffled"], ["cut bank"], ["shuffled", "cut bank"], ["cut seat 3", "shuffled"], ["cut bank", "shuffled"]],
)
def test_2008_art_3_1_the_bank_cuts_and_then_shuffles(tmp_path: Path, done: list[str]) -> None:
    film = plain(tmp_path, "shoe")
    film.deal(HANDS, BANK)
    finish(film)
    film.lines = [seen for seen in film.lines if seen["event"] not in ("cut", "shuffled")]
    by_hand = [
        {"round": 1, "event": text.split()[0], "by": text.partition(" ")[2], "source": "shoe", "cards": 52}
        for text in done
    ]
    film.lines[1:1] = by_hand
    differences = film.judge(settled(source="shoe")).differences
    assert len(differences) == (0 if done == ["cut bank", "shuffled"] else 1)


def test_2008_art_3_the_cards_are_shuffled_for_every_round_from_the_shoe(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.deal(HANDS, BANK)
    finish(film)
    film.begin(BETS)
    film.deal(HANDS, BANK)
    finish(film)
    both = [settled(source="shoe"), settled(number=2, source="shoe")]
    assert film.judge(*both).differences == []
    film.lines = [seen for seen in film.lines if seen["round"] == 1 or seen["event"] != "shuffled"]
    assert len(film.judge(*both).differences) == 1
