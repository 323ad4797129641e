"""The accumulated prize computed by hand: tiers, order, division, shortfall, a new start, chips; rules 39 to 50."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.judge import judge
from tests.referee.films import written as referee_written
from tests.referee.films.blackjack import CHIP, START, Chips, Film21, Shown, bets, chip, hand, of, seat, told, voided
from tests.referee.films.written import Message, cannot_be_known, pots
from tests.referee.rules.blackjack_prize import tier
from tests.referee.test_referee_mutations import leaves, otherwise, with_change

TOP, SUIT, THREE = "four_aces_one_colour", "three_aces_one_suit", "three_aces"
ARTICLE = {TOP: "43 a)", SUIT: "43 b)", THREE: "43 c)", "two_aces_one_suit": "43 d)", "two_aces": "43 e)"}


@pytest.mark.parametrize(
    ("cards", "won"),
    [
        ("As Ac As Ac 5d", TOP),
        ("Ad Ah Ah Ad", TOP),
        ("Ad Ah Ad As", THREE),
        ("Ad Ad Ad As", SUIT),
        ("Ad Ad Ad", SUIT),
        ("Ad Ah Ad 5c Ad", THREE),
        ("Ad Ad 5c Ad Ad", "two_aces_one_suit"),
        ("Ad Ac Kc", "two_aces"),
        ("Ad Kc Ad Ad", None),
        ("Kc Ad Ad", None),
        ("Ad", None),
        ("", None),
    ],
)
def test_blackjack_art_43_the_first_cards_of_the_seat_in_the_order_dealt(cards: str, won: str | None) -> None:
    assert tier(cards.split()) == won


def aces(film: Film21, hands: dict[int, str], pot: tuple[int, int], awards: list[Message]) -> Message:
    """A round of aces that stand on what they have, or are hit with what is beyond two; all lose against 20."""
    laid = " ".join(f"{at}:100" for at in hands)
    film.open(laid, chips=tuple(hands))
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
    cards: Shown = {at: [one] for at, one in hands.items()} | {"bank": "9s Ah"}
    jackpot = pots(*pot, *awards)
    wagers = bets(laid, chips=tuple(hands))
    return told(wagers, cards, ", ".join(answers), (20, False), seats, jackpot=jackpot, number=film.number)


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


def test_blackjack_art_50_a_the_smaller_prizes_first_and_the_rest_to_the_highest(tmp_path: Path) -> None:
    film, right = every_tier(tmp_path)
    report = film.judge(right)
    assert [report.differences, report.notes, report.unpaid] == [[], [], []]
    assert [report.pot, report.reserve, report.awards] == [START, 0, 600210]
    assert report.contributions == 6 * 40
    assert report.house_funded == START - 6 * 5


def test_blackjack_art_50_a_a_prize_handed_over_before_a_smaller_one_is_told(tmp_path: Path) -> None:
    film, right = every_tier(tmp_path)
    first, second = [at for at, line in enumerate(film.lines) if line.get("wager") == "jackpot"][:2]
    film.lines[first], film.lines[second] = film.lines[second], film.lines[first]
    said = "round 1, seat 2, line jackpot, pushed on the table: expected after the 1250 of seat 3 (50 a)), got 5000"
    assert film.judge(right).differences == [said]


def test_blackjack_art_43_every_changed_value_is_told(tmp_path: Path) -> None:
    film, right = every_tier(tmp_path)
    film.judge(right)
    missed = []
    for at, value in leaves([right]):
        for wrong in otherwise(value):
            lost_chip = at[:5] == (0, "seats", 5, "lines", 1) and at[-1] == "article" and isinstance(wrong, str)
            if cannot_be_known(at[-1], wrong) or (lost_chip and wrong):
                continue
            if not judge(film.station, film.camera, with_change([right], at, wrong)).differences:
                missed.append((at, value, wrong))
    assert missed == []


def test_blackjack_art_43_what_the_cards_have_won_is_paid_though_the_round_is_void(tmp_path: Path) -> None:
    film, settled = every_tier(tmp_path)
    ended = film.lines.pop()
    film.wrong("supervisor_void")
    film.lines.append(ended)
    won = tuple(ARTICLE.values())
    right = voided(settled, "policy: supervisor's void", (*won, "43"))
    report = film.judge(right)
    assert [report.differences, report.void, report.pot, report.returned] == [[], 1, START, 0]
    back = voided(settled, "policy: supervisor's void")
    back["jackpot"] = pots(600210, 600000)
    assert film.judge(back).differences
    chips = [{"round": 1, "event": "chip_back", "seat": at} for at in ALL]
    film.lines[-1:-1] = chips
    assert film.judge(right).differences == [
        "round 1, chips handed back on the table: expected [], got [1, 2, 3, 4, 5, 6]"
    ]


def test_blackjack_art_50_b_the_pot_is_divided_and_the_lowest_seat_gets_what_is_left(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True, pot=600001, reserve=1000000)
    pot = 600071
    hands = {2: "As Ac As Ac", 5: "Ad Ad Ad Ad"}
    right = aces(film, hands, (pot, START), [award(2, TOP, 300036), award(5, TOP, 300035)])
    report = film.judge(right)
    assert report.differences == []
    assert [report.pot, report.reserve, report.house_funded] == [START, 500010, 0]


def test_blackjack_art_50_what_the_pot_lacks_the_house_pays_and_the_pot_begins_again(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True, pot=100000)
    hands = {1: "As Ac As Ac", 3: "Ah Ad", 4: "Ac Ac Ac"}
    pot = 100105
    awards = [award(3, "two_aces", 1250), award(4, SUIT, pot - 1250, 125000 - (pot - 1250)), award(1, TOP, 0)]
    right = aces(film, hands, (pot, START), awards)
    report = film.judge(right)
    assert report.differences == []
    assert [report.pot, report.awards] == [START, 126250]
    assert report.house_funded == 126250 - pot + START - 15


def test_blackjack_art_43_a_smaller_prize_comes_out_of_the_pot_which_stays_where_it_is(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True, pot=START)
    right = aces(film, {3: "Ah Ad"}, (START + 35, START + 35 - 1250), [award(3, "two_aces", 1250)])
    report = film.judge(right)
    assert report.differences == []
    assert report.pot == START - 1215


def test_blackjack_art_42_the_cards_of_split_hands_count_in_the_order_dealt(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True)
    film.open("1:100", chips=(1,))
    film.deal(s1="As Ac", bank="9s 9h")
    film.stays(1)
    film.says(1, "split", "5d")
    film.card(1, "Ac", 2)
    film.says(1, "stand", hand=2)
    film.bank("9h")
    film.pay(1, 1250, "jackpot")
    film.end()
    line = hand(100, "lose", -100, "23"), hand(100, "lose", -100, "23", 2), chip(1250, "two_aces", "43 e)")
    right = told(
        bets("1:100", (1,)),
        {1: ["As 5d", "Ac Ac"], "bank": "9s 9h"},
        "1.1 no, 1.1 split, 1.2 stand",
        (18, False),
        {1: seat(*line)},
        jackpot=pots(600035, 598785, award(1, "two_aces", 1250)),
    )
    assert film.judge(right).differences == []


def test_blackjack_art_43_paid_whatever_became_of_the_hand(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True)
    film.open("1:100", chips=(1,))
    film.deal(s1="As Ac", bank="9s 9h")
    film.asked(1, "give_up", "give_up")
    film.pay(1, 1250, "jackpot")
    film.end()
    right = told(
        bets("1:100", (1,)),
        {1: ["As Ac"], "bank": "9s"},
        "1.1 give_up",
        (None, None),
        {1: seat(hand(100, "lose", -50, "36"), chip(1250, "two_aces", "43 e)"))},
        jackpot=pots(600035, 598785, award(1, "two_aces", 1250)),
    )
    assert film.judge(right).differences == []


def lost(film: Film21, chips: tuple[int, ...], counted: tuple[int, ...]) -> Message:
    """A round in which seats 1 and 3 lose, and a chip lies at some seats."""
    film.open("1:100 3:100", chips=chips)
    film.deal(s1="Ts 7c", s3="Ts 7d", bank="9s Ah")
    film.stays(1, 3)
    film.says(1, "stand")
    film.says(3, "stand")
    film.bank("9s Ah")
    film.end()
    lines = {at: seat(hand(100, "lose", -100, "23"), *[chip()] * (at in counted)) for at in (1, 3)}
    pot = 600000 + 35 * len(counted)
    return told(
        bets("1:100 3:100", counted),
        {1: ["Ts 7c"], 3: ["Ts 7d"], "bank": "9s Ah"},
        "1.1 no, 3.1 no, 1.1 stand, 3.1 stand",
        (20, False),
        lines,
        jackpot=pots(pot, pot),
    )


def test_blackjack_art_45_a_chip_counts_only_beside_a_bet(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True)
    right = lost(film, (1, 2), (1,))
    report = film.judge(right)
    assert report.differences == []
    assert [report.pot, report.reserve] == [600035, 5]
    wrong = right | {"wagers": bets("1:100 3:100")}
    assert film.judge(wrong).differences
    film.see("chip_back", seat=1)
    assert film.judge(right).differences == ["round 1, chips handed back on the table: expected [], got [1]"]


def test_blackjack_art_48_no_chip_after_the_betting_is_closed(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True)
    right = lost(film, (1,), (1,))
    at = next(at for at, line in enumerate(film.lines) if line["event"] == "lock_in")
    film.lines.insert(at + 1, {"round": 1, "event": "chip", "seat": 3})
    assert film.judge(right).differences == []
    late = {"round": 1, "event": "chip", "seat": 3}
    film.lines[at], film.lines[at + 1] = late, {"round": 1, "event": "lock_in"}
    assert film.judge(right).differences


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
    film, laid = Film21(tmp_path, prize=True, marking="manual"), "1:100 1:200+Rui 1:100+Eva"
    chips: Chips = (1, (1, "Eva"))
    film.open(laid, chips=chips)
    film.deal(s1="As Ac", bank="9s 9h")
    film.asked(1, "give_up", "give_up")
    film.pay(1, 1250, "jackpot")
    film.pay(1, 1250, "jackpot", "Eva")
    film.end()
    own = hand(100, "lose", -50, "36"), chip(1250, "two_aces", "43 e)")
    lines = [*own, *of("Rui", hand(200, "lose", -100, "36")), *of("Eva", *own)]
    awards = [award(1, "two_aces", 1250), award(1, "two_aces", 1250, player="Eva")]
    right = told(
        bets(laid, chips),
        {1: ["As Ac"], "bank": "9s"},
        "1.1 give_up",
        (None, None),
        {1: seat(*lines)},
        jackpot=pots(600070, 597570, *awards),
    )
    report = film.judge(right)
    assert [report.differences, report.unpaid] == [[], []]
    for wrong in (bets(laid, (1,)), bets(laid, (1, (1, "Rui"), (1, "Eva")))):
        assert film.judge(right | {"wagers": wrong}).differences
    film.lines = [line for line in film.lines if line["event"] != "marker" or "player" not in line]
    assert any("markers on the table" in one for one in film.judge(right).differences)


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
    said = "round 1, seat 1, line jackpot, pushed on the table: expected nothing, got 1200"
    assert said in film.judge(right).differences


def test_blackjack_the_meter_keeps_fractions(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True)
    text = film.station.read_text(encoding="utf-8").replace("increment_bp = 7000", "increment_bp = 3333")
    film.station.write_text(text, encoding="utf-8")
    right = lost(film, (1, 3), (1, 3))
    pot = 600000 + 2 * CHIP * Fraction(3333, 10_000)
    right["jackpot"] |= {"pot_before": int(pot), "pot_after": int(pot)}
    report = film.judge(right)
    assert [report.differences, report.pot] == [[], pot]


def test_blackjack_a_round_that_cannot_be_followed_does_not_spoil_the_next(tmp_path: Path) -> None:
    film = Film21(tmp_path, prize=True, pot=START)
    first = aces(film, {3: "Ah Ad"}, (START + 35, START + 35 - 1250), [award(3, "two_aces", 1250)])
    film.lines = [line for line in film.lines if line.get("answer") != "stand"]
    pot = START - 1215 + 35
    second = aces(film, {3: "Ac 5d"}, (pot, pot), [])
    said = film.judge(first, second).differences
    assert len(said) == 2 and all(one.startswith("round 1") for one in said)
    assert "expected seat 3, hand 1 asked decision, got the bank's card turned" in said[0]
