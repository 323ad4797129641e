"""Black-jack: cards drawn against a wish or too many, errors corrected, void rounds, slips, broken rules."""

import copy
from pathlib import Path

import pytest

from tests.referee.films.blackjack import Film21, Shown, bets, chip, hand, insurance, of, published, seat, voided
from tests.referee.films.blackjack_rounds import (
    Written,
    backers,
    black_jack_at_once,
    even_money,
    given_up,
    insurance_of_a_lost_hand,
    special_prizes,
    split_aces_again,
)
from tests.referee.films.written import Message, correction, pots, show

MISDEAL = "policy: misdeal"
VOID = "policy: supervisor's void"
EVERY_CARD = "policy: every card reported"
COMPLETE = "policy: complete deck"
BETS = "1:500 3:300"


def plain(folder: Path, **options: str) -> Film21:
    """Two seats, up to the play; the first has reported to stand."""
    film = Film21(folder, **options)  # type: ignore[arg-type]
    film.open(BETS)
    film.deal(s1="Tc 4d", s3="5d 4h", bank="9s 6c")
    film.stays(1, 3)
    film.says(1, "stand")
    return film


def message(cards: Shown, answers: str, total: int, third: Message, *irregularities: Message) -> Message:
    """What is right of it: the first seat has 14 and loses but against more than 21."""
    first = hand(500, "win", 500, "23") if total > 21 else hand(500, "lose", -500, "23")
    decisions = "1.1 no, 3.1 no, 1.1 stand, " + answers
    seats = {1: seat(first), 3: seat(third)}
    return published(
        bets(BETS), {1: ["Tc 4d"]} | cards, decisions, (total, False), seats, irregularities=list(irregularities)
    )


def unasked(what: str) -> Message:
    """As a message reports it."""
    return {"kind": "unasked_card", "to": "seat 1", "article": "18", "what": what}


def test_blackjack_art_18_a_card_against_the_wish_that_was_seen_is_annulled(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card(1, "7h")
    film.wrong("unasked_card", seat=1, seen=True)
    film.moved("seat 1", "discard", "7h")
    film.says(3, "hit", "Tc")
    film.says(3, "stand")
    film.bank("9s 6c", "2c")
    film.pay(3, 300)
    film.end()
    cards = {3: ["5d 4h Tc"], "bank": "9s 6c 2c"}
    right = message(cards, "3.1 hit, 3.1 stand", 17, hand(300, "win", 300, "23"), unasked("seen"))
    assert film.judge(right).differences == []
    assert film.judge(right | {"irregularities": []}).differences
    assert film.judge(right | {"irregularities": [unasked("unseen")]}).differences
    for key in ("kind", "to", "article", "what"):
        assert film.judge(right | {"irregularities": [unasked("seen") | {key: "x"}]}).differences
    kept = copy.deepcopy(right)
    show(kept, "seat 1", "Tc 4d 7h", 1)
    assert film.judge(kept).differences


def test_blackjack_art_18_one_that_was_not_seen_goes_to_the_next_who_asks(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card(1, "Tc", face="down")
    film.wrong("unasked_card", seat=1, seen=False)
    film.moved("seat 1", "aside", "Tc")
    film.says(3, "double")
    film.moved("aside", "seat 3", "Tc")
    film.bank("9s 6c", "2c")
    film.pay(3, 600)
    film.end()
    cards = {3: ["5d 4h Tc"], "bank": "9s 6c 2c"}
    right = message(cards, "3.1 double", 17, hand(600, "win", 600, "23"), unasked("unseen"))
    assert film.judge(right).differences == []
    film.lines = [line | {"to": "seat 1"} if line.get("from") == "aside" else line for line in film.lines]
    assert film.judge(right).differences == [
        "round 1, on the table: Tc, unseen: expected to go to seat 3 (18), got seat 1"
    ]


def correct(folder: Path) -> tuple[Film21, Message]:
    """The second card fell at a wrong seat, and the dealer moved it."""
    film = Film21(folder)
    film.open(BETS)
    film.card(1, "Tc")
    film.card(1, "5d")
    film.moved("seat 1", "seat 3", "5d")
    film.wrong("error_corrected", what="place", to="seat 3")
    film.card("bank", "9s")
    film.card(1, "4d")
    film.card(3, "4h")
    film.card("bank", "6c", face="down")
    film.stays(1, 3)
    film.says(1, "stand")
    film.says(3, "hit", "Tc")
    film.says(3, "stand")
    film.bank("9s 6c", "2c")
    film.pay(3, 300)
    film.end()
    error = {"kind": "error_corrected", "what": "place", "to": "seat 3", "article": "policy: errors corrected"}
    cards = {3: ["5d 4h Tc"], "bank": "9s 6c 2c"}
    return film, message(cards, "3.1 hit, 3.1 stand", 17, hand(300, "win", 300, "23"), error)


def test_blackjack_an_error_corrected_at_once_is_published(tmp_path: Path) -> None:
    film, right = correct(tmp_path)
    assert film.judge(right).differences == []
    assert film.judge(right | {"irregularities": []}).differences
    film.lines = [line for line in film.lines if line["event"] != "moved"]
    differences = film.judge(right).differences
    assert differences[0] == "round 1, camera line 9: expected a card to seat 3, hand 1, got 5d to seat 1"


def broken(folder: Path, kind: str) -> tuple[Film21, Message]:
    """A round that ends after three cards; a chip is at seat 1."""
    film = Film21(folder, prize=True)
    film.open(BETS, chips=(1,))
    film.card(1, "Tc")
    film.card(3, "5d")
    film.card(3 if kind == "order" else "bank", "9s")
    film.wrong(kind)
    film.see("chip_back", seat=1)
    film.end()
    seats = {1: seat(hand(500, "lose", -500, "23"), chip()), 3: seat(hand(300, "lose", -300, "23"))}
    jackpot = pots(600035, 600000)
    cards = {1: ["Tc"], 3: ["5d"], "bank": "9s"}
    right = published(bets(BETS, (1,)), cards, "", (None, None), seats, jackpot=jackpot)
    return film, voided(right, VOID if kind == "supervisor_void" else MISDEAL)


@pytest.mark.parametrize("kind", ["order", "number", "supervisor_void"])
def test_blackjack_a_round_is_void_where_an_error_cannot_be_corrected(tmp_path: Path, kind: str) -> None:
    film, right = broken(tmp_path, kind)
    report = film.judge(right)
    assert report.differences == []
    assert [report.pot, report.returned, report.void] == [600000, 40, 1]
    for article in {MISDEAL, VOID, EVERY_CARD, COMPLETE, "5.º"} - {right["void"]["article"]}:
        assert film.judge(voided(right, article)).differences, article
    wrong_pot = right["jackpot"] | {"pot_after": 600035}
    assert film.judge(right | {"jackpot": wrong_pot}).differences
    carried = copy.deepcopy(right)
    carried["seats"][0]["lines"][1]["chip_carried"] = True
    assert film.judge(carried).differences
    film.lines = [line for line in film.lines if line["event"] != "chip_back"]
    assert film.judge(right).differences == ["round 1, chips handed back on the table: expected [1], got []"]


def test_blackjack_a_void_round_has_the_raises_and_insurance_on_the_table(tmp_path: Path) -> None:
    for written in (backers, insurance_of_a_lost_hand):
        film, settled = written(tmp_path)
        film.lines = [line for line in film.lines if line["event"] not in ("pay", "round_end")]
        film.wrong("supervisor_void")
        film.end()
        right = voided(settled, VOID, ("22",))
        assert film.judge(right).differences == []
        # The last answer and its card may not have been received as the round was void; more than that may not.
        early = copy.deepcopy(right)
        early["decisions"] = early["decisions"][:-2]
        early["seats"][0]["lines"] = early["seats"][0]["lines"][:1]
        assert film.judge(early).differences
        assert film.judge(settled).differences


AT_ONCE = [(black_jack_at_once, "21"), (even_money, "34"), (special_prizes, "35"), (given_up, "36")]


@pytest.mark.parametrize(("written", "rule"), AT_ONCE, ids=[rule for _, rule in AT_ONCE])
def test_blackjack_art_21_34_35_and_36_what_is_decided_at_once_counts_in_a_void_round(
    tmp_path: Path, written: Written, rule: str
) -> None:
    film, settled = written(tmp_path)
    due = [line for at in settled["seats"] for line in at["lines"] if line["article"] == rule]
    paid = [(line["wager"], line["net"]) for line in due]
    film.lines = [line for line in film.lines[:-1] if line["event"] != "pay" or (line["wager"], line["amount"]) in paid]
    film.wrong("supervisor_void")
    film.end()
    right = voided(settled, VOID, (rule,))
    assert due and film.judge(right).differences == []
    assert film.judge(voided(settled, VOID)).differences
    film.lines = [line for line in film.lines if line["event"] != "pay"]
    assert bool(film.judge(right).differences) == (rule != "36")


def test_blackjack_policy_every_card_may_void_after_a_fault_of_the_shoe(tmp_path: Path) -> None:
    film = Film21(tmp_path)
    film.open(BETS)
    film.card(1, "Tc")
    film.fault("shoe", "lost")
    film.card(3, "5d")
    film.end()
    seats = {1: seat(hand(500, "lose", -500, "23")), 3: seat(hand(300, "lose", -300, "23"))}
    right = published(bets(BETS), {1: ["Tc"], 3: [""], "bank": ""}, "", (None, None), seats)
    assert film.judge(voided(right, EVERY_CARD)).differences == []
    assert film.judge(voided(right, MISDEAL)).differences
    film.lines = [line for line in film.lines if line["event"] != "fault"]
    assert film.judge(voided(right, EVERY_CARD)).differences


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_no_card_comes_oftener_than_there_are_decks(tmp_path: Path, source: str) -> None:
    film = Film21(tmp_path, source=source, decks=4)
    film.fault("deck", "doubled")
    stakes = " ".join(f"{at}:100" for at in range(1, 6))
    film.open(stakes)
    for at in range(1, 6):
        film.card(at, "Kh")
    film.end()
    seats = {at: seat(hand(100, "lose", -100, "23")) for at in range(1, 6)}
    cards = {at: ["Kh"] for at in range(1, 6)} | {"bank": ""}
    right = published(bets(stakes), cards, "", (None, None), seats, decks=4, source=source)
    assert film.judge(voided(right, COMPLETE)).differences == []
    assert film.judge(voided(right, MISDEAL)).differences
    film.lines = [line for line in film.lines if line["event"] != "fault"]
    assert film.judge(voided(right, COMPLETE)).differences == [
        "round 1, cards: expected 'each card as often as there are decks: 4', got 'more of Kh'"
    ]


def test_blackjack_a_card_that_was_not_read_is_keyed_in(tmp_path: Path) -> None:
    film, right = correct(tmp_path)
    at = next(at for at, line in enumerate(film.lines) if line.get("card") == "4d")
    film.lines.insert(at, {"round": 1, "event": "fault", "device": "shoe", "kind": "unreadable", "on": True})
    keyed_in = {"kind": "keyed_in", "to": "seat 1", "article": "policy: unread cards"}
    published = [*right["irregularities"], keyed_in]
    assert film.judge(right | {"irregularities": published}).differences == []
    assert film.judge(right).differences
    del film.lines[at]
    assert film.judge(right | {"irregularities": published}).differences


def test_blackjack_a_slip_is_corrected(tmp_path: Path) -> None:
    film, right = backers(tmp_path)
    film.lines.insert(7, {"round": 1, "event": "irregularity", "kind": "slip_wager", "seat": 1, "wager": "backing"})
    fix = correction("wager", "seat 1", 100, 200, wager="backing", player="Rui")
    assert film.judge(right | {"corrections": [fix]}).differences == []
    assert film.judge(right).differences
    assert film.judge(right | {"corrections": [fix | {"amount_after": 300}]}).differences


def test_blackjack_a_void_round_has_the_bets_as_they_were_entered(tmp_path: Path) -> None:
    film, right = broken(tmp_path, "number")
    for kind, other in (("slip_wager", {"seat": 3, "wager": "bet"}), ("slip_seat", {"seat": 3, "keyed": 4})):
        film.lines.insert(6, {"round": 1, "event": "irregularity", "kind": kind, **other})
    entered = copy.deepcopy(right)
    show(entered, "seat 3", None, 1)
    show(entered, "seat 4", "5d", 1)
    entered["seats"][1]["seat"] = entered["wagers"][2]["seat"] = 4
    entered["wagers"][2]["amount"] = entered["seats"][1]["lines"][0]["stake"] = 900
    assert film.judge(entered).differences == []
    entered["seats"][1]["lines"][0]["stake"] = 800
    assert film.judge(entered).differences


ILLEGAL = [
    (split_aces_again, 0, "hit", "expected one of split, stand, got hit"),
    (given_up, 1, "perhaps", "expected seat 3 to say give_up or no, got 'perhaps'"),
    (insurance_of_a_lost_hand, 0, "insure 251", "expected seat 1 to insure up to half of [500] (33), got (251,)"),
    (insurance_of_a_lost_hand, 1, "double", "seat 1, hand 1: expected one of hit, stand, got double"),
    (backers, 2, "follow 1", "seat 1, hand 1: expected 2 who follow or not, got ('follow', (1,))"),
]


@pytest.mark.parametrize(("written", "number", "answer", "expected"), ILLEGAL)
def test_blackjack_an_answer_against_the_rules_is_found(
    tmp_path: Path, written: object, number: int, answer: str, expected: str
) -> None:
    film, right = written(tmp_path)  # type: ignore[operator]
    answers = [line for line in film.lines if line["event"] == "answer"]
    answers[number + (written is split_aces_again) * 2]["answer"] = answer
    assert any(expected in difference for difference in film.judge(right).differences)


@pytest.mark.parametrize(
    ("insured", "keys", "wrong"),
    [
        ("0,100", [], True),
        ("0,1", [], True),
        ("1,100", [], False),
        ("0,0", [], False),
        ("0,100", ["backers_insure_for_themselves"], False),
    ],
)
def test_blackjack_art_15_a_backer_insures_only_where_the_seat_does_or_by_33_for_himself(
    tmp_path: Path, insured: str, keys: list[str], wrong: bool
) -> None:
    film, stakes = Film21(tmp_path), "1:500 1:200+Rui"
    with film.station.open("a", encoding="utf-8") as station:
        station.writelines(f"[rules]\n{key} = true\n" for key in keys)
    film.open(stakes)
    film.deal(s1="Tc 9d", bank="As 8s")
    film.asked(1, "insurance", f"insure {insured}")
    film.says(1, "stand")
    film.bank("8s")
    film.end()
    cards = {1: ["Tc 9d"], "bank": "As 8s"}
    answers = f"1.1 insure {insured.replace(',', '/')}, 1.1 stand"
    own, rui = map(int, insured.split(","))
    lines = [
        hand(500, "push", 0, "24"),
        *[insurance(own, won=False)] * bool(own),
        *of("Rui", hand(200, "push", 0, "24"), *[insurance(rui, won=False)] * bool(rui)),
    ]
    right = published(bets(stakes), cards, answers, (19, False), {1: seat(*lines)}) | {"rules": keys}
    differences = film.judge(right).differences
    assert (any("before its backers do (15)" in line for line in differences), differences == []) == (wrong, not wrong)


def test_blackjack_art_18_no_one_may_stand_on_eleven_or_less_or_draw_at_21(tmp_path: Path) -> None:
    film = Film21(tmp_path)
    film.open("1:500")
    film.deal(s1="4c 7d", bank="9s 8c")
    film.stays(1)
    started = list(film.lines)
    film.says(1, "stand")
    right = published(bets("1:500"), {1: ["4c 7d"], "bank": "9s"}, "", (None, None), {1: seat()})
    difference = film.judge(right).differences[0]
    assert difference.endswith("seat 1, hand 1: expected one of hit, double, got stand")
    film.lines = started
    film.says(1, "hit", "Tc")
    film.says(1, "hit", "2c")
    difference = film.judge(right).differences[0]
    assert difference.endswith("expected the bank's 8c turned, got seat 1, hand 1 asked decision: hit")


def test_blackjack_art_17_the_order_of_the_deal_and_art_36_nothing_given_up_later(tmp_path: Path) -> None:
    film, right = given_up(tmp_path)
    film.lines[-3:] = [film.lines[-2], film.lines[-3], film.lines[-1]]
    swapped = right | {"decisions": right["decisions"][::-1]}
    assert film.judge(swapped).differences == [
        "round 1, on the table: seat 1: expected to be asked give_up in its turn, got after it"
    ]
    film, right = backers(tmp_path)
    film.asked(1, "give_up", "give_up")
    assert "expected nothing more, got seat 1, hand 1 asked give_up" in film.judge(right).differences[0]


def test_blackjack_art_22_no_third_card_and_nothing_turned_when_all_is_lost(tmp_path: Path) -> None:
    film, right = given_up(tmp_path)
    film.lines.insert(-1, {"round": 1, "event": "turned", "to": "bank", "cards": "Ks 4d"})
    assert film.judge(right).differences[0].endswith("expected nothing more, got the bank's card turned")
    film, right = insurance_of_a_lost_hand(tmp_path)
    film.lines.insert(-1, {"round": 1, "event": "card", "to": "bank", "card": "5c", "face": "up"})
    assert film.judge(right).differences[0].endswith("expected nothing more, got 5c to bank")


@pytest.mark.parametrize(("bet", "why"), [("1:150", "14"), ("1:3100", "37"), ("1:2900 1:200+Rui", "15")])
def test_blackjack_a_bet_that_is_not_allowed_does_not_count(tmp_path: Path, bet: str, why: str) -> None:
    film = Film21(tmp_path)
    film.open(bet + " 2:100")
    film.deal(s1="9h 7d", s2="Tc 6d", bank="Ks 4d")
    right = published(bets(bet + " 2:100"), {"bank": ""}, "", (None, None), {})
    assert any("wagers" in line or "card to seat 2" in line for line in film.judge(right).differences), why
