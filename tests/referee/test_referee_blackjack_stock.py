"""Black-jack: the shoe and its warning card, and the dispenser with its lid; rules 8 to 11, 52 to 62."""

from pathlib import Path

import pytest

from tests.referee.films.blackjack import Film21, bets, hand, published, seat
from tests.referee.films.written import Message

SHOE = "shoe on the table: expected shuffled, cut and one card burned (8, 10, 11), got"


def play(film: Film21, *, shuffle: bool = False, insert: bool = True) -> Message:
    """A round of one seat that stands and wins."""
    cards, bank = "Tc 9d", "9s 8s"
    film.open("1:500", shuffle=shuffle)
    film.deal(s1=cards, bank=bank)
    film.stays(1)
    film.says(1, "stand")
    film.bank(bank)
    film.pay(1, 500)
    film.end(insert=insert)
    of_film = {"number": film.number, "source": film.source, "decks": film.decks}
    seats = {1: seat(hand(500, "win", 500, "23"))}
    return published(bets("1:500"), {1: [cards], "bank": bank}, "1.1 no, 1.1 stand", (17, False), seats, **of_film)


def warned(film: Film21, at: int | None, rounds: int, *, shuffle: tuple[int, ...] = ()) -> list[str]:
    """What is reported of some rounds, the shoe so short that the warning card comes in the first one at line `at`."""
    messages = []
    for number in range(1, rounds + 1):
        messages.append(play(film, shuffle=number in shuffle))
        if number == 1 and at is not None:
            film.lines.insert(at % (len(film.lines) + 1), {"round": 1, "event": "cut_card"})
    return film.judge(*messages).differences


def short(folder: Path) -> Film21:
    """A shoe of 4 decks in which the warning card is soon due."""
    film = Film21(folder, decks=4)
    film.number = 0
    return film


def test_blackjack_art_9_the_warning_card_is_before_the_last_fifty_cards(tmp_path: Path) -> None:
    differences = warned(short(tmp_path), 8, 1)
    assert differences == [
        "round 1, warning card on the table: expected before the last fifty cards, or in the middle (9), got before 205"
    ]
    film = short(tmp_path)
    messages = [play(film) for _ in range(1)]
    burned = [{"round": 1, "event": "burn", "card": "3c"}] * 157
    film.lines[5:5] = [*burned, {"round": 1, "event": "cut_card"}]
    assert not any("warning" in difference for difference in film.judge(*messages).differences)


def test_blackjack_the_shoe_is_kept_and_may_be_shuffled_at_any_time(tmp_path: Path) -> None:
    assert warned(Film21(tmp_path), None, 3) == []
    assert warned(Film21(tmp_path), None, 3, shuffle=(2,)) == []


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("spread", [True, False])
def test_blackjack_art_12_and_8_a_spread_shoe_is_shuffled_and_the_lowest_seat_cuts_again(
    tmp_path: Path, spread: bool, within: bool
) -> None:
    film = Film21(tmp_path)
    messages = [play(film), play(film, shuffle=True)]
    film.no_bets(spread=spread, within=within)
    kept = list(film.lines)
    messages.append(play(film))
    assert film.judge(*messages).differences == ([f"round {film.number}, {SHOE} nothing"] if spread else [])
    film.number -= 1
    turn = "the seats in turn, 1, 2, 3, 4, 5, 6, 7, then the inspector (8)"
    wrong = f"round {film.number + 1}, cut on the table: expected {turn}, got [3] and seat 3"
    for seat_that_cuts, differences in ((1, []), (3, [wrong])):
        film.lines, film.cuts = list(kept), seat_that_cuts - 1
        play(film, shuffle=True)
        assert film.judge(*messages).differences == differences
        film.number -= 1


def test_blackjack_art_12_a_round_without_bets_has_neither_cards_nor_a_message(tmp_path: Path) -> None:
    film = Film21(tmp_path)
    messages = [play(film)]
    film.no_bets(spread=False)
    messages.append(play(film))
    report = film.judge(*messages)
    assert (report.differences, report.rounds, report.settled, report.idle) == ([], 3, 2, 1)
    assert film.judge(*messages, messages[0] | {"round": 2}).differences[-1] == (
        "round 2: expected no message, for no one bet (12), got one"
    )
    film.lines.insert(-12, {"round": 2, "event": "wager", "seat": 1, "player": "Ana", "wager": "bet", "amount": 500})
    assert "expected nothing, for no one bets (12), got wager" in film.judge(*messages).differences[0]


def test_blackjack_art_57_the_cards_of_the_dispenser_are_not_spread(tmp_path: Path) -> None:
    film = Film21(tmp_path, source="shuffler")
    messages = [play(film)]
    film.no_bets(spread=True)
    messages.append(play(film))
    expected = (
        "round 2, cards of the dispenser on the table: expected inside until the table closes (57), got spread out"
    )
    assert film.judge(*messages).differences == [expected]


def test_blackjack_art_52_the_dispenser_needs_neither_and_a_shoe_after_it_both(tmp_path: Path) -> None:
    film = Film21(tmp_path, source="shuffler")
    messages = [play(film), play(film)]
    assert film.judge(*messages).differences == []
    film.source = "shoe"
    messages.append(play(film))
    assert film.judge(*messages).differences == [f"round 3, {SHOE} nothing"]
    film = Film21(tmp_path, source="shuffler")
    messages = [play(film, shuffle=True)]
    assert film.judge(*messages).differences == [
        "round 1, dispenser on the table: expected no cut (52) and no card burned, got shuffled, cut, burn"
    ]


@pytest.mark.parametrize("packets", [(), (312,), (156, 155), (100, 100, 100)])
def test_blackjack_art_54_loaded_in_two_packets_or_more(tmp_path: Path, packets: tuple[int, ...]) -> None:
    film = Film21(tmp_path, source="shuffler")
    right = play(film)
    film.lines = [line for line in film.lines if line["event"] != "load"]
    before = [{"round": 0, "event": "load", "cards": cards} for cards in packets]
    film.lines = before + film.lines
    wanted = "expected 312 cards loaded in two packets or more (54)"
    expected = f"round 1, dispenser on the table: {wanted}, got {list(packets)}"
    assert film.judge(right).differences == [expected]
    film.lines = [{"round": 0, "event": "load", "cards": 104}] * 3 + film.lines[len(before) :]
    assert film.judge(right).differences == []


def test_blackjack_art_59_and_60_the_cards_go_in_if_the_lid_is_open_and_only_then(tmp_path: Path) -> None:
    film = Film21(tmp_path, source="shuffler")
    messages = [play(film), play(film)]
    whole = film.lines
    at = next(at for at, line in enumerate(whole) if line["event"] == "lid")
    film.lines = [*whole[:at], whole[at] | {"open": False}, *whole[at + 1 :]]
    assert film.judge(*messages).differences == [
        "round 1, insert on the table: expected an open lid (59, 60), got a shut one"
    ]
    film.lines = [*whole[: at + 1], {"round": 1, "event": "hold", "rounds": [1]}, *whole[at + 2 :]]
    assert film.judge(*messages).differences[0] == (
        "round 1, hold on the table: expected a shut lid (61), got an open one"
    )
    film.lines = whole[:at] + whole[at + 3 :]
    assert film.judge(*messages).differences == [
        "round 2, cards of the round before on the table: expected put in (59) or kept over (61), got neither"
    ]


def test_blackjack_cards_that_went_in_may_come_again_and_those_kept_out_may_not(tmp_path: Path) -> None:
    film = Film21(tmp_path, source="shuffler", decks=4)
    assert film.judge(*[play(film) for _ in range(6)]).differences == []
    film = Film21(tmp_path, source="shuffler", decks=4)
    messages = []
    for number in range(1, 6):
        messages.append(play(film, insert=False))
        film.see("hold", rounds=list(range(1, number + 1)))
    assert any("each card as often as there are decks: 4" in line for line in film.judge(*messages).differences)
    film = Film21(tmp_path, decks=4)
    differences = film.judge(*[play(film) for _ in range(5)]).differences
    assert any("each card as often as there are decks: 4" in difference for difference in differences)
