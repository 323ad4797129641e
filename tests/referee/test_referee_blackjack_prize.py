"""Black-jack: a round for each rule, and the accumulated prize computed by hand; rules 39 to 50."""

from pathlib import Path
from typing import Any

import pytest

from tests.referee.films import written as referee_written
from tests.referee.films.blackjack import START, Chips, Film21, Shown, bets, chip, hand, of, published, seat
from tests.referee.films.blackjack_rounds import ROUNDS, Written
from tests.referee.films.written import Message, pots
from tests.referee.rules.blackjack_prize import tier

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
