"""Black-jack/21 at the table, 17 to 19: the order of the deal, the bank's hidden card, questions, the bank's draws."""

from typing import Any

import pytest

from controller.engine.decisions.betting import LockIn
from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.state.persons import PersonInput, ShufflerFailed
from controller.rulebook.events import CardSource
from controller.rulebook.report import BankResult
from tests.engine.hands import Hands
from tests.engine.reported import irregularities, open_cards

BOTH: list[CardSource] = ["shoe", "shuffler"]
# A card the bank can have that leads to another end each: nothing, a black-jack, a bust, a stand.
HOLES = ("As", "Ks", "2c", "7d", "9h", "6s")


# ---- 17


def test_blackjack_rule_17_every_card_is_seen_as_it_falls_but_the_banks_second() -> None:
    play = Hands("2c 3c Th 4c 5c 9h").to_deal(1, 2)
    seen = []
    while play.at("deal"):
        assert play.public()["round"]["phase"] == "deal"
        play.proceed()
        hands = play.public()["round"]["hands"]
        seen.append((hands["1"][0]["cards"], hands["2"][0]["cards"], play.bank()))
    assert seen == [
        ("2c", "", ""), ("2c", "3c", ""), ("2c", "3c", "Th"),
        ("2c 4c", "3c", "Th"), ("2c 4c", "3c 5c", "Th"), ("2c 4c", "3c 5c", "Th"),
    ]  # fmt: skip
    prompts = [words for words in map(str, play.channels) if "face down" in words]
    assert prompts and "Draw the bank" in prompts[0]


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("open_card", ["Ah", "Th", "6h"])
@pytest.mark.parametrize("unread", [False, True])
def test_blackjack_rule_17_no_byte_shows_the_banks_second_card_before_it_is_turned(
    source: CardSource, open_card: str, unread: bool
) -> None:
    channels: list[list[bytes]] = []
    holes = []
    for hole in HOLES:
        play = Hands(f"8c Jc {open_card} 8d Ac {hole} 3h 9c 2d Tc Td", source=source, prize="auto")
        play.unread = {5 + (source == "shoe")} if unread else set()
        play.to_wagers().place_bet(1, 200, "Ana", Rui=100).place_bet(2, 100).chips(1).until("deal")
        while not play.at("reveal"):
            if play.at("ask") and play.step.question == "decision" and "split" in play.step.legal:
                play.answer("split")
            else:
                play.proceed()
        assert play.refused(Reveal, to="seat 1").who == "seat 1"
        holes.append(play.left_the_source[play.hole])
        channels.append([*play.channels, play.projection()])
        play.settled()
        assert hole in play.bank()
    assert holes == list(HOLES)
    assert all(other == channels[0] for other in channels)


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_17_and_22_a_second_card_that_is_never_turned_is_never_published(source: CardSource) -> None:
    channels = []
    for hole in HOLES:
        play = Hands(f"Tc 9h 6d {hole} Kd", source=source).to_ask(1).answers("hit").until("confirm")
        assert play.hands(1) == ["Tc 6d Kd lost"] and play.bank() == "9h"
        play.settled().say(Confirm)
        assert open_cards(play.report) == {"seat 1/1": "Tc 6d Kd", "bank": "9h"}
        assert play.report.bank == BankResult(total=None, black_jack=None)
        channels.append(list(play.channels))
    assert all(other == channels[0] for other in channels)


# ---- 18: questions


@pytest.mark.parametrize(
    ("hand", "legal", "illegal"),
    [
        ("2c 3c", ["hit"], {"stand": "18", "double": "29", "split": "26"}),
        ("6c 5c", ["hit", "double"], {"stand": "18", "split": "26"}),
        ("6c 6d", ["hit", "stand", "split"], {"double": "29"}),
        ("5c 5d", ["hit", "double", "split"], {"stand": "18"}),
        ("Tc 2d", ["hit", "stand"], {"double": "29", "split": "26"}),
        ("Tc Kd", ["hit", "stand", "split"], {"double": "29"}),
        ("Ac 8d", ["hit", "stand", "double"], {"split": "26"}),
        ("Ac Ad", ["hit", "stand", "split"], {"double": "29"}),
        ("Ac 4d", ["hit", "stand"], {"double": "29", "split": "26"}),
    ],
)
def test_blackjack_rule_18_the_screen_says_what_is_allowed_and_why_the_rest_is_not(
    hand: str, legal: list[str], illegal: dict[str, str]
) -> None:
    first, second = hand.split()
    play = Hands(f"{first} Th {second} 9h").to_ask(1)
    step = play.public()["step"]
    assert (step["id"], step["kind"], step["question"]) == (play.step.id, "ask", "decision")
    assert (step["seat"], step["hand"], step["legal"], step["waiting"]) == (1, 1, legal, [1])
    assert {answer: why["rule"] for answer, why in step["illegal"].items()} == illegal
    assert all(why["reason"] for why in step["illegal"].values())
    for answer, rule in illegal.items():
        assert play.refused(Decide, seat=1, hand=1, decision=answer).article == rule
    for answer in legal:
        assert Hands(f"{first} Th {second} 9h").to_ask(1).answers(answer).kinds.count("answer_given") == 2


ANSWERS: list[tuple[type[PersonInput], dict[str, Any]]] = [
    (GiveUp, {"yes": True}), (EvenMoney, {"yes": True}), (Insure, {"amounts": ()}), (Follow, {"hand": 1, "who": ()}),
    (Decide, {"decision": "hit"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "fields"), ANSWERS)
def test_blackjack_rule_18_nothing_is_answered_where_nothing_is_asked(
    kind: type[PersonInput], fields: dict[str, Any]
) -> None:
    for source in BOTH:
        play = Hands(source=source)
        while not play.at("claims"):
            if not play.at("ask"):
                assert play.refused(kind, seat=1, **fields).who == "table"
            if play.at("wagers") and not play.round.wagers:
                play.place_bet(1, 100)
            else:
                play.proceed()


def test_blackjack_rule_18_an_answer_to_an_earlier_question_is_stale_and_one_list_answers_several() -> None:
    play = Hands("2c 8c Th 3c 8d 9h").to_deal(1, 2).until("ask")
    seen = play.step.id
    fields = {"step_id": seen, "actor": "ana"}
    together = [GiveUp(input_id="a", seat=1, yes=False, **fields), GiveUp(input_id="b", seat=2, yes=True, **fields)]
    play.check(*together)
    for answer in together:
        play.receive(answer)
    assert play.waits == "decision 1/1"
    with pytest.raises(StaleStep):
        play.check(*together)


# ---- 19: the bank


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_19_a_card_too_many_for_the_bank_is_discarded(source: CardSource) -> None:
    play = Hands("Tc Th 9c 7d Kc 2c", source=source).to_ask(1).answers("stand")
    before = play.settled().lines()
    play.comes_out()
    assert play.notices()[-1] == "bank_card_too_many" and play.at("confirm") and play.bank() == "Th 7d"
    play.comes_out()
    assert play.lines() == before == [("hand 1", "", 200, 200, "23")]
    assert irregularities(play.report) == [("bank_card_too_many", "bank", "19")] * 2
    assert play.round.draws == 6 + (source == "shoe")
    play.until("begin")
    assert play.kinds[-1] in ("claims_closed", "device_reported")


def test_blackjack_rule_19_a_card_too_many_is_seen_by_no_one_on_the_screen() -> None:
    channels = []
    for card in ("Kc", "2c"):
        play = Hands(f"Tc Th 9c 7d {card}").to_ask(1).answers("stand").settled()
        play.comes_out()
        channels.append(play.channels)
    assert channels[0] == channels[1]


# ---- every other step stays where it is


def test_blackjack_rule_18_nothing_else_leads_on_from_a_question_or_a_card_that_is_due() -> None:
    for play in (Hands().to_ask(1), Hands().to_deal(1), Hands("Tc Th 9c 7d").to_ask(1).answers("stand")):
        for kind in (LockIn, Confirm, ShufflerFailed):
            assert play.refused(kind).who in ("table", "seat 1")
    play = Hands().to_ask(1)
    assert play.refused(UnreportedCard).article == play.refused(Reveal, to="bank").article == "18"
