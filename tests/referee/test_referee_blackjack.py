"""Black-jack: a round for each rule, and the accumulated prize computed by hand; rules 39 to 50."""

from pathlib import Path
from typing import Any

import pytest

from tests.referee.films import written as referee_written
from tests.referee.films.blackjack import START, Chips, Film21, Shown, bets, chip, hand, of, published, seat
from tests.referee.films.blackjack_rounds import ROUNDS, Written
from tests.referee.films.written import Message, pots
from tests.referee.rules.blackjack import tier

TOP, SUIT, THREE = "four_aces_one_colour", "three_aces_one_suit", "three_aces"
ARTICLE = {TOP: "43 a)", SUIT: "43 b)", THREE: "43 c)", "two_aces_one_suit": "43 d)", "two_aces": "43 e)"}


def aces(film: Film21, hands: dict[int, str], pot: tuple[int, int], awards: list[Message]) -> Message:
    """A round of aces that stand on what they have, or are hit with what is beyond two; all lose against 20."""
    stakes = " ".join(f"{at}:100" for at in hands)
    film.open(stakes, chips=tuple(hands))
    film.deal(bank="9s Ah", **{f"s{at}": " ".join(cards.split()[:2]) for at, cards in hands.items()})
    film.stays(*hands)
    answers = [f"{at}.1 no" for at in hands]
    for at, dealt in hands.items():
        for card in dealt.split()[2:]:
            film.says(at, "hit", card)
            answers.append(f"{at}.1 hit")
        film.says(at, "stand")
        answers.append(f"{at}.1 stand")
    film.bank("9s Ah")
    won = {award["seat"]: award for award in awards}
    for award in awards:
        if award["amount"]:
            film.pay(award["seat"], award["amount"], "jackpot")
    film.end()
    seats = {}
    for at in hands:
        paid = won.get(at)
        line = chip(paid["amount"], paid["tier"], paid["article"]) if paid else chip()
        seats[at] = seat(hand(100, "lose", -100, "23"), line)
    cards: Shown = {at: [cards_] for at, cards_ in hands.items()} | {"bank": "9s Ah"}
    jackpot = pots(*pot, *awards)
    wagers = bets(stakes, chips=tuple(hands))
    return published(wagers, cards, ", ".join(answers), (20, False), seats, jackpot=jackpot, number=film.number)


def award(at: int, won: str, from_pot: int, from_house: int = 0, player: str | None = None) -> Message:
    """A prize of this game."""
    return referee_written.award(at, won, from_pot + from_house, ARTICLE[won], player, from_house)


ALL = {1: "As Ac As Ac", 2: "Ad Ad", 3: "Ah Ad", 4: "Ac Ac Ac", 5: "Ah Ad Ac", 6: "Ah 5c"}
SMALL = 1250 + 5000 + 12500 + 125000


def every_tier(folder: Path, **meter: Any) -> tuple[Film21, Message]:
    """All combinations in one round."""
    film = Film21(folder, prize=True, **meter)
    pot = 600000 + 6 * 35
    awards = [
        award(3, "two_aces", 1250),
        award(2, "two_aces_one_suit", 5000),
        award(5, THREE, 12500),
        award(4, SUIT, 125000),
        award(1, TOP, pot - SMALL),
    ]
    return film, aces(film, ALL, (pot, START), awards)


def test_blackjack_art_50_a_a_prize_handed_over_before_a_smaller_one_is_found(tmp_path: Path) -> None:
    film, right = every_tier(tmp_path)
    first, second = [at for at, line in enumerate(film.lines) if line.get("wager") == "jackpot"][:2]
    film.lines[first], film.lines[second] = film.lines[second], film.lines[first]
    expected = "round 1, seat 2, line jackpot, pushed on the table: expected after the 1250 of seat 3 (50 a)), got 5000"
    assert film.judge(right).differences == [expected]


def lost(film: Film21, chips: tuple[int, ...], counted: tuple[int, ...]) -> Message:
    """A round in which seats 1 and 3 lose, and a chip is at some seats."""
    film.open("1:100 3:100", chips=chips)
    film.deal(s1="Ts 7c", s3="Ts 7d", bank="9s Ah")
    film.stays(1, 3)
    film.says(1, "stand")
    film.says(3, "stand")
    film.bank("9s Ah")
    film.end()
    lines = {at: seat(hand(100, "lose", -100, "23"), *[chip()] * (at in counted)) for at in (1, 3)}
    pot = 600000 + 35 * len(counted)
    return published(
        bets("1:100 3:100", counted),
        {1: ["Ts 7c"], 3: ["Ts 7d"], "bank": "9s Ah"},
        "1.1 no, 3.1 no, 1.1 stand, 3.1 stand",
        (20, False),
        lines,
        jackpot=pots(pot, pot),
    )


def test_blackjack_art_41_b_markers_and_the_increment_by_hand(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True, marking="manual")
    right = lost(film, (1, 3), (1, 3))
    report = film.judge(right)
    assert [report.differences, report.pot] == [[], 600070]
    whole = film.lines
    for gone in ("marker", "increment"):
        film.lines = [line for line in whole if line["event"] != gone]
        assert film.judge(right).differences, gone
    film.lines = [line | {"amount": 71} if line["event"] == "increment" else line for line in whole]
    assert film.judge(right).differences == ["round 1, increment on the table: expected 70.0 (41 b)), got [71]"]
    film.lines = [line | {"seat": 5} if line == {"round": 1, "event": "marker", "seat": 3} else line for line in whole]
    assert film.judge(right).differences


def test_blackjack_art_47_by_hand_each_player_who_bets_at_a_seat_has_a_chip_and_a_prize(tmp_path: Path) -> None:
    film, stakes = Film21(tmp_path, prize=True, marking="manual"), "1:100 1:200+Rui 1:100+Eva"
    chips: Chips = (1, (1, "Eva"))
    film.open(stakes, chips=chips)
    film.deal(s1="As Ac", bank="9s 9h")
    film.asked(1, "give_up", "give_up")
    film.pay(1, 1250, "jackpot")
    film.pay(1, 1250, "jackpot", "Eva")
    film.end()
    own = hand(100, "lose", -50, "36"), chip(1250, "two_aces", "43 e)")
    lines = [*own, *of("Rui", hand(200, "lose", -100, "36")), *of("Eva", *own)]
    awards = [award(1, "two_aces", 1250), award(1, "two_aces", 1250, player="Eva")]
    right = published(
        bets(stakes, chips),
        {1: ["As Ac"], "bank": "9s"},
        "1.1 give_up",
        (None, None),
        {1: seat(*lines)},
        jackpot=pots(600070, 597570, *awards),
    )
    report = film.judge(right)
    assert [report.differences, report.unpaid] == [[], []]
    for wrong in (bets(stakes, (1,)), bets(stakes, (1, (1, "Rui"), (1, "Eva")))):
        assert film.judge(right | {"wagers": wrong}).differences
    film.lines = [line for line in film.lines if line["event"] != "marker" or "player" not in line]
    assert any("markers on the table" in difference for difference in film.judge(right).differences)


def test_blackjack_art_49_the_prize_is_paid_before_the_winning_cards_go(tmp_path: Path) -> None:
    film, right = every_tier(tmp_path)
    assert film.judge(right).differences == []
    paid = [line for line in film.lines if line.get("wager") == "jackpot"]
    gone = "round 1, winning cards on the table: expected there until the prize is paid (49), got gone"
    film.lines.remove(paid[-1])
    report = film.judge(right)
    assert [report.differences, report.unpaid] == [[gone], [(1, 1, 600210 - SMALL)]]
    film.lines.append(paid[-1])
    assert film.judge(right).differences == [gone]
    film.lines[-1] = paid[-1] | {"amount": 1200}
    expected = "round 1, seat 1, line jackpot, pushed on the table: expected nothing, got 1200"
    assert expected in film.judge(right).differences


@pytest.mark.parametrize(
    ("cards", "decided", "chosen"),
    [
        ("Ac Ac Ah", "three_aces", "two_aces_one_suit"),
        ("Ac Ah Ac", "three_aces", "two_aces"),
        ("Ac Ah As", "three_aces", "three_aces"),
        ("Ac Ac Ac", "three_aces_one_suit", "three_aces_one_suit"),
        ("Ac Ac As As", "four_aces_one_colour", "four_aces_one_colour"),
        ("Ac Ac As Ah", "three_aces", "two_aces_one_suit"),
        ("Ac Ac 9h", "two_aces_one_suit", "two_aces_one_suit"),
    ],
)
def test_blackjack_each_reading_of_three_aces_of_two_suits(cards: str, decided: str, chosen: str) -> None:
    assert tier(cards.split()) == decided
    assert tier(cards.split(), ["three_aces_of_three_suits"]) == chosen


# ---- Black-jack judged from the camera: a round for each rule is right as it stands, and whatever is changed is
# reported.


@pytest.mark.parametrize("written", ROUNDS)
def test_blackjack_a_round_for_each_rule_is_right_unchanged(tmp_path: Path, written: Written) -> None:
    film, right = written(tmp_path)
    report = film.judge(right)
    assert (report.differences, report.notes, report.unpaid) == ([], [], [])
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert not any((report.initial, report.pot, report.contributions, report.awards))


# ---- Black-jack: the shoe and its warning card, and the dispenser with its lid; rules 8 to 11, 52 to 62


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


def test_blackjack_art_9_the_warning_card_is_before_the_last_fifty_cards(tmp_path: Path) -> None:
    differences = warned(Film21(tmp_path, decks=4), 8, 1)
    assert differences == [
        "round 1, warning card on the table: expected before the last fifty cards, or in the middle (9), got before 205"
    ]
    film = Film21(tmp_path, decks=4)
    message = play(film)
    burned = [{"round": 1, "event": "burn", "card": "3c"}] * 157
    film.lines[5:5] = [*burned, {"round": 1, "event": "cut_card"}]
    assert not any("warning" in difference for difference in film.judge(message).differences)


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
