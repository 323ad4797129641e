"""What is irregular by 2008, told from the camera: article 11.º, the cut of 3.º, and the end of the betting, 6.º."""

from pathlib import Path

import pytest

from tests.referee.films.plain_2008 import BANK, BETS, HANDS, finish, only, plain, settled, table, voided
from tests.referee.films.poker import Film
from tests.referee.films.written import Message, decide, show


def exposed(place: str, count: int = 1, article: str = "11.º 2)") -> Message:
    """An exposed card among the irregularities of a message."""
    return {"kind": "exposed", "to": place, "count": count, "article": article}


EMPTY_SEAT: Message = {"kind": "empty_seat", "to": "seat 4", "article": "11.º 3)"}


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_2008_art_11_2_any_number_of_exposed_player_cards_goes_on(tmp_path: Path, source: str) -> None:
    film = plain(tmp_path, source)
    film.deal(HANDS, BANK)
    for seen in film.lines:
        if seen.get("card") in ("8c", "9h", "Tc"):
            seen["face"] = "up"
    for place in ("seat 2", "seat 3", "seat 6", "seat 6"):
        film.wrong("exposed", to=place)
    finish(film)
    told = [exposed("seat 2"), exposed("seat 3"), exposed("seat 6", 2)]
    only(film, settled(*told, source=source))
    assert film.judge(settled(*told[:2], source=source)).differences
    assert film.judge(settled(*told[:2], exposed("seat 6"), source=source)).differences
    told[0] = exposed("seat 2", article="17.º 4 1)")
    assert len(film.judge(settled(*told, source=source)).differences) == 1


def left_out(film: Film, card: str, which: int) -> None:
    """A card of the bank is seen and laid aside."""
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


@pytest.mark.parametrize("at_pass", [0, 1, 2])
def test_2008_art_11_2_an_exposed_card_of_the_bank_is_left_out_and_the_next_is_the_banks(
    tmp_path: Path, at_pass: int
) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, at_pass)
    finish(film)
    right = settled(exposed("bank"), source="shoe")
    only(film, right)
    assert film.judge(settled(source="shoe")).differences
    assert film.judge(settled(exposed("bank", 2), source="shoe")).differences
    assert film.judge(settled(exposed("bank", article="17.º 1 2)"), source="shoe")).differences
    show(right, "bank", BANK.replace(BANK.split()[at_pass], "Qh"))
    assert len(film.judge(right).differences) == 1


@pytest.mark.parametrize("at_pass", [0, 1])
def test_2008_art_11_2_the_next_card_to_another_place_is_a_broken_deal(tmp_path: Path, at_pass: int) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, at_pass, again=False)
    film.end()
    only(film, voided("11.º 1)", exposed("bank"), source="shoe"))


def test_2008_art_11_2_an_exposed_card_that_stays_in_play_is_told(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, 1, put_aside=False, again=False)
    film.wrong("exposed", to="bank")
    bank = BANK.replace("9c", "Qh")
    finish(film, bank=bank)
    assert film.judge(settled(exposed("bank"), source="shoe", bank=bank)).differences


def test_2008_art_11_2_the_dealer_may_draw_on_before_it_is_laid_aside(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    shoe_round(film, 1, put_aside=False)
    left_out(film, "Qh", 2)
    finish(film)
    only(film, settled(exposed("bank"), source="shoe"))


def test_2008_art_11_2_twice_in_a_round_and_after_the_decisions(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.deal(HANDS, "Kd Jh 4h")
    left_out(film, "Jh", 2)
    film.card("bank", "Jc", "up")
    left_out(film, "Jc", 3)
    film.card("bank", "9c")
    finish(film)
    only(film, settled(exposed("bank", 2), source="shoe"))
    film = plain(tmp_path, "shoe")
    film.deal(HANDS, "Kd Jh 4h")
    film.decide(seat_2="play", seat_3="play")
    left_out(film, "Jh", 2)
    film.card("bank", "9c")
    finish(film)
    only(film, settled(exposed("bank"), source="shoe"))


@pytest.mark.parametrize(("packets", "spare"), [((3,), ["5c", "6c"]), ((1, 3), []), ((2, 3), ["5c"])])
def test_2008_art_11_2_from_the_shuffler_a_new_packet_and_its_spare_cards_are_discarded(
    tmp_path: Path, packets: tuple[int, ...], spare: list[str]
) -> None:
    film = plain(tmp_path, packets=packets)
    film.deal(HANDS, "")
    film.card("bank", "Kd")
    film.card("bank", "Qh", "up")
    film.card("bank", "4h")
    left_out(film, "Qh", 2)
    film.card("bank", "9c")
    laid = list(film.lines)
    film.card("discard", " ".join(spare))
    finish(film)
    only(film, settled(exposed("bank")))
    film.lines = laid
    film.card("bank", "5c")
    film.end()
    only(film, voided("11.º 1)", exposed("bank")))


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


@pytest.mark.parametrize("kind", ["order", "number"])
def test_2008_art_11_1_order_and_number_void(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    film.wrong(kind)
    film.end()
    only(film, voided("11.º 1)"))


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_2008_a_supervisor_may_break_a_round_off(tmp_path: Path, source: str) -> None:
    film = plain(tmp_path, source)
    film.card("seat 2", "8c" if source == "shoe" else HANDS[2])
    film.wrong("supervisor_void")
    film.end()
    only(film, voided("policy: supervisor's void", source=source))


def test_2008_policy_complete_deck(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("deck", "doubled")
    film.deal(HANDS, "Kd 9c 8c")
    film.decide(seat_2="play", seat_3="play")
    film.end()
    right = voided("policy: complete deck", source="shoe")
    decide(right, 2, "play")
    decide(right, 3, "play")
    only(film, right)


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
        said = film.judge(first, settled(number=2, source=source)).differences
        wrong = "round 2, source on the table: expected 'shoe' (11.º 4)), got 'shuffler'"
        assert said == ([wrong] if (source, events) == ("shuffler", ()) else [])


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
        {"round": 1, "event": one.split()[0], "by": one.partition(" ")[2], "source": "shoe", "cards": 52}
        for one in done
    ]
    film.lines[1:1] = by_hand
    said = film.judge(settled(source="shoe")).differences
    assert len(said) == (0 if done == ["cut bank", "shuffled"] else 1)


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


def test_2008_art_6_3_without_a_button_the_first_card_closes_the_betting(tmp_path: Path) -> None:
    film = table(tmp_path)
    film.open(BETS)
    film.deal(HANDS, BANK)
    film.see("wager", seat=5, player="p5", wager="ante", amount=10000)
    finish(film)
    only(film, settled())


@pytest.mark.parametrize("kind", ["jam", "mute"])
def test_2008_art_11_4_also_where_the_card_was_seen_after_the_decisions(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, "Kd Jh 4h")
    film.decide(seat_2="play", seat_3="play")
    film.wrong("exposed", to="bank", which=[2])
    film.fault("shuffler", kind)
    film.end()
    right = voided("11.º 4)", exposed("bank"))
    decide(right, 2, "play")
    decide(right, 3, "play")
    only(film, right)
