"""Black-jack/21 at the table, 17 to 19: the order of the deal, the bank's hidden card, questions, the bank's draws."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, Shuffled, UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.devices import CutCard, DeviceReport, ShufflerGreeted
from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import (
    BeginRound,
    CardReplaced,
    CloseClaims,
    CloseTable,
    DamagedCard,
    Extracted,
    HoldCards,
    InformInspection,
    InsertionReported,
    JamCleared,
    Loaded,
    OpenTable,
    UseSource,
)
from controller.engine.state.events import (
    CardsExtracted,
    CutCardOut,
    DamagedCardReplaced,
    DamagedCardReported,
    InspectionInformed,
    ShufflerCleared,
)
from controller.engine.state.persons import CorrectSeat, PersonInput, ShufflerFailed
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import CardSource, CardsPending, ClaimsClosed
from controller.rulebook.report import BankResult
from controller.rulebook.steps import StepKind
from controller.words import sentence
from tests.engine.hands import BURNT, LID_CLOSES, LID_OPENS, WARNING_CARD, Hands
from tests.engine.reported import open_cards

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


# ---- Black-jack/21 at the table, 2, 3 and 7 to 12: the seats, the decks, the shoe made ready, the warning card


MADE_READY = ["shuffle", "cut", "warning", "burn"]


def loaded() -> Hands:
    """A shoe from which one round was dealt."""
    return Hands().to_deal(1).until("begin")


# ---- the table


@pytest.mark.parametrize("seats", [6, 7])
def test_blackjack_rule_2_there_are_six_or_seven_seats(seats: int) -> None:
    play = Hands(seats=seats).to_wagers().place_bet(seats, 100)
    for seat in (0, -1, seats + 1, 99):
        for wager in ("bet", "backing", "vacant"):
            assert play.refused(PlaceWager, seat=seat, wager=wager, amount=100, player="Rui").article == "2"
    play.settled()
    assert play.refused(CorrectSeat, seat=seats, to_seat=seats + 1, reason="x").article == "2"


# ---- 8 to 10: shuffle, cut, burn


def test_blackjack_rule_10_the_first_card_is_burnt_and_shown_to_no_one() -> None:
    plays = [Hands(), Hands()]
    plays[1].first = (plays[1].deck[5], *plays[1].first[1:])  # another card on top
    for play in plays:
        play.to_deal(1)
        assert play.kinds.count("card_burned") == 1 and hands_of(play.round).burned and play.round.draws == 1
        assert play.step.to == ("seat 1",)
    assert plays[0].left_the_source[1] == BURNT != plays[1].left_the_source[1]
    assert plays[0].channels == plays[1].channels
    assert BURNT not in " ".join(open_cards(plays[0].settled().report).values()).split()


# ---- 11: the warning card


AT: list[StepKind] = ["burn", "wagers", "deal", "ask", "reveal", "confirm", "claims"]


@pytest.mark.parametrize("kind", AT)
@pytest.mark.parametrize("dealer", [False, True])
def test_blackjack_rule_11_the_round_in_play_is_the_shoes_last_one(kind: StepKind, dealer: bool) -> None:
    play = Hands().until("burn") if kind == "burn" else loaded().to_wagers()
    if kind not in ("burn", "wagers"):
        play.to_deal(1).until(kind)
    before = play.step
    play.say(CutCard) if dealer else play.receive(WARNING_CARD)
    assert play.step == before and play.public()["shoe"] == {"loaded": True, "cut_card_out": True}
    assert dealer or "the last round of this shoe (11)" in play.public()["notices"][-1]["en"]
    if not play.at("claims"):
        (play if play.round.locked else play.to_deal(1)).settled()
    assert play.preparations() == MADE_READY
    assert play.to_deal(1).settled().preparations() == []


def test_blackjack_rule_11_the_warning_card_comes_out_once_and_only_of_a_loaded_shoe() -> None:
    play = loaded()
    play.say(CutCard)
    assert play.refused(CutCard).article == "policy: one step at a time"
    play.receive(WARNING_CARD)
    assert sum(isinstance(event, CutCardOut) for event in play.events) == 1
    fresh = Hands().until("shuffle")
    assert fresh.refused(CutCard).who == "table"
    dispenser = Hands(source="shuffler").to_wagers()
    assert dispenser.refused(CutCard).who == "table"


def test_blackjack_rule_8_and_12_other_decks_or_another_table_are_shuffled_again() -> None:
    play = loaded()
    play.settings = msgspec.structs.replace(play.settings, terms=msgspec.structs.replace(play.settings.terms, decks=6))
    assert play.preparations() == MADE_READY


# ---- Black-jack/21 at the table, 51 to 62: a session with a shuffler, from loading to the count at its end


JAM = DeviceReport(device="shuffler", what="jam", values={"order": 0})
CLEARED = DeviceReport(device="shuffler", what="cleared")
DAMAGED = DeviceReport(device="shuffler", what="damaged_card", values={"position": 3})


def session(cards: str = "") -> Hands:
    return Hands(cards, source="shuffler").until("begin")


def alarms(play: Hands) -> set[str]:
    return set(play.active_alarms())


def at_claims(play: Hands) -> Hands:
    return play.to_deal(1).until("claims")


# ---- 51: damaged cards and jams


def test_blackjack_rule_51_a_damaged_card_is_replaced_by_the_chief_inspector_and_reported() -> None:
    play = session().to_deal(1)
    play.receive(DAMAGED)
    assert "damaged-card" in alarms(play) and play.notices() == ["damaged_card"]
    assert "chief inspector replaces it" in play.public()["notices"][0]["en"]
    assert play.refused(CardReplaced, reason="torn").article == "policy: roles"
    assert play.refused(CardReplaced, "rui", reason=" ").article is not None
    play.settled()  # it holds nothing up
    assert "damaged-card" in alarms(play)
    play.say(CardReplaced, "rui", reason="torn")
    assert (
        alarms(play) == {"inspection-not-informed"} and play.refused(CardReplaced, "rui", reason="torn").article == "51"
    )
    [replaced] = [event for event in play.events if isinstance(event, DamagedCardReplaced)]
    assert (replaced.actor, replaced.reason) == ("rui", "torn")
    assert b"events/card_replaced" in b"".join(play.channels)
    assert [
        alarm["texts"]["en"] for alarm in play.public()["alarms"] if alarm["name"] == "inspection-not-informed"
    ] == ["A damaged card was replaced (torn). Inform the inspection service, and enter that (51)."]


def test_blackjack_rule_51_that_the_inspection_was_informed_is_on_record() -> None:
    play = session().to_deal(1)
    assert play.refused(InformInspection, "rui", reason="x").article == "51"
    play.receive(DAMAGED)
    assert play.refused(InformInspection, "rui", reason="x").article == "51"
    play.say(CardReplaced, "rui", reason="torn")
    assert play.refused(InformInspection, reason="by telephone").article == "policy: roles"
    assert play.refused(InformInspection, "rui", reason=" ").article == "policy: documented adjustment"
    play.say(InformInspection, "rui", reason=" by telephone, 10:40 ")
    assert InspectionInformed(actor="rui", reason="by telephone, 10:40") in play.events
    assert alarms(play) == set() and b"events/inspection_informed" in b"".join(play.channels)


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("to", ["", "seat 1", "bank", "discard"])
def test_blackjack_rule_51_a_person_says_that_a_card_is_damaged_and_a_supervisor_replaces_it(
    source: CardSource, to: str
) -> None:
    play = Hands(source=source).to_deal(1).until("ask")
    rule = "5" if source == "shoe" else "51"
    for nowhere in ("seat 8", "seat 0", "community", "x"):
        assert play.refused(DamagedCard, to=nowhere).article == rule
    step = play.step
    play.say(DamagedCard, to=to)
    assert DamagedCardReported(to=to, actor="ana") in play.events and play.step == step
    assert alarms(play) == {"damaged-card"} and play.notices() == ["damaged_card"]
    assert play.refused(DamagedCard, to=to).article == rule
    assert play.refused(CardReplaced, reason="torn").article == "policy: roles"
    if source == "shoe":
        play.say(CardReplaced, "rui", reason="torn", authorised_by="the inspection")
    else:
        play.say(CardReplaced, "rui", reason="torn")
        play.say(InformInspection, "rui", reason="in writing")
    assert alarms(play) == set() and play.settled()


@pytest.mark.parametrize("where", ["begin", "wagers", "deal", "ask", "reveal", "confirm", "claims"])
def test_blackjack_rule_51_at_a_jam_the_chief_inspector_is_called_and_the_play_continues(where: str) -> None:
    play = session()
    play = play if where == "begin" else play.to_wagers() if where == "wagers" else play.to_deal(1).until(where)  # type: ignore[arg-type]
    play.receive(JAM)
    prompt = play.public()["step"]["prompt"]
    assert "call the chief inspector" in prompt["en"] and "chame o fiscal-chefe" in prompt["pt"]
    assert "shuffler-jam" in alarms(play)
    if where == "deal":
        assert play.refused(UnreportedCard).article == "policy: misdeal"
    play.receive(LID_OPENS)  # by the chief inspector
    play.receive(LID_CLOSES)
    play.receive(CLEARED)
    assert "chief inspector" not in play.public()["step"]["prompt"]["en"]
    play.say(JamCleared, "rui", cleared_by="rui")
    play = play if where in ("deal", "ask", "reveal", "confirm", "claims") else play.to_deal(1)
    if where != "claims":
        play.settled()
    play.until("begin")
    assert "round_voided" not in play.kinds and alarms(play) == set()


@pytest.mark.parametrize("ends", [CLEARED, ShufflerGreeted(boot=2, last_order=0)])
@pytest.mark.parametrize(("cleared_by", "technician"), [("rui", False), ("Mr. Lei", True)])
def test_blackjack_rule_51_no_round_begins_before_a_supervisor_enters_who_cleared_a_jam(
    ends: DeviceReport | ShufflerGreeted, cleared_by: str, technician: bool
) -> None:
    play = session()
    by = {"cleared_by": cleared_by, "technician": technician}
    assert play.refused(JamCleared, "rui", **by).who == "shuffler"
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    play.receive(JAM)
    assert play.refused(JamCleared, "rui", **by).article == "51"  # it is still jammed
    play.receive(ends)
    assert alarms(play) == {"clearing-not-entered"}
    refused = play.refused(BeginRound)
    assert (refused.who, refused.article) == ("shuffler", "51") and "a supervisor enters who did" in sentence(refused)
    assert "a supervisor enters who opened the shuffler" in play.public()["step"]["prompt"]["en"]
    assert play.refused(JamCleared, "ana", **by).article == "policy: roles"
    assert play.refused(JamCleared, "rui", cleared_by=" ").article == "policy: documented adjustment"
    play.say(JamCleared, "rui", **by)
    assert ShufflerCleared(cleared_by=cleared_by, technician=technician, actor="rui") in play.events
    assert alarms(play) == set() and b"events/shuffler_cleared" in b"".join(play.channels)
    assert play.refused(JamCleared, "rui", **by).article == "51"  # once
    play.to_deal(1).settled()


def test_blackjack_rule_51_55_and_57_a_jam_that_no_one_clears_is_played_on_from_the_shoe() -> None:
    """The cards leave the shuffler at the end of a session only: the table closes, and opens with the shoe."""
    play = at_claims(session())
    play.say(HoldCards)
    play.to_deal(1).receive(JAM)
    assert "close the table, take the cards out (55)" in play.public()["step"]["prompt"]["en"]
    assert play.refused(UseSource, source="shoe").who == "table"
    play.change(ShufflerFailed)
    play.until("claims").say(CloseClaims)  # its lid does not open: on the dealer's word
    assert play.refused(UseSource, source="shoe").article == "57"
    play.say(CloseTable)
    play.say(Extracted, "rui", cards=208)
    play.say(UseSource, source="shoe")
    assert play.preparations() == ["shuffle", "cut", "warning", "burn"]
    assert play.to_deal(1).settled().round.terms.source == "shoe"
    assert "shuffler-jam" in alarms(play) and "jammed" not in play.public()["step"]["prompt"]["en"]


# ---- 52, 56, 57: what there is not


def test_blackjack_rule_52_and_56_neither_shuffle_nor_cut_nor_burnt_card_nor_warning_card() -> None:
    play = session()
    assert play.preparations() == []
    for kind, fields in ((Shuffled, {}), (Cut, {"by": "bank"}), (CutCard, {})):
        assert play.refused(kind, **fields).who == "table"
    play.receive(WARNING_CARD)
    assert play.to_deal(1).settled().round.draws == len([move for move in hands_of(play.round).moves if move.draw])
    for _ in range(5):
        assert play.preparations() == []
        play.to_deal(1).settled()
    assert not {"cards_shuffled", "deck_cut", "card_burned", "cut_card_out"} & set(play.kinds)


# ---- 54: loading


@pytest.mark.parametrize("decks", [4, 6])
def test_blackjack_rule_54_once_a_session_with_all_the_decks(decks: int) -> None:
    play = Hands(source="shuffler", decks=decks).until("load")
    assert play.table.load is not None and play.table.load.cards == decks * 52
    for _ in range(3):
        play.to_deal(1).until("begin")
    assert play.kinds.count("shuffler_loaded") == 1
    assert play.refused(Loaded, "rui").who == "table"
    play.say(CloseTable)
    play.proceed()
    play.say(OpenTable)
    assert play.step.id == "load/2"


def test_blackjack_rule_54_a_shoe_is_not_loaded_so() -> None:
    play = Hands()
    play.say(OpenTable)
    assert play.at("begin") and play.public()["lid_open"] is None


# ---- 59 to 62: the lid, cards kept over, claims


def test_blackjack_rule_59_and_60_the_lid_opens_by_itself_and_all_cards_of_the_round_go_in() -> None:
    play = at_claims(session("Tc Th 9c 7h"))
    assert play.public()["lid_open"] is False and "If the lid has opened" in play.public()["step"]["prompt"]["en"]
    play.receive(LID_OPENS)
    assert play.public()["lid_open"] is True and alarms(play) == set()  # that is what it does
    play.receive(InsertionReported(count=3))
    assert play.at("claims") and play.round.inserted == 3
    play.receive(InsertionReported(count=1))
    assert play.at("begin")
    play.receive(LID_CLOSES)
    assert play.public()["lid_open"] is False
    [closed] = [event for event in play.events if isinstance(event, ClaimsClosed)]
    assert (closed.count, closed.pending_rounds) == (4, ())


def test_blackjack_rule_61_and_62_claims_of_several_rounds_are_closed_by_one_insertion() -> None:
    play = session()
    cards = 0
    for number in (1, 2, 3):
        at_claims(play)
        cards += play.round.draws
        play.say(HoldCards)
        assert play.public()["pending_claims"] == [*range(1, number + 1)] and play.at("begin")
    assert [event.count for event in play.events if isinstance(event, CardsPending)] == [
        h.cards for h in play.table.on_hold
    ]
    at_claims(play)
    cards += play.round.draws
    play.receive(LID_OPENS)
    play.receive(InsertionReported(count=cards - 1))
    assert play.at("claims") and play.public()["pending_claims"] == [1, 2, 3]
    play.receive(InsertionReported(count=1))
    [closed] = [event for event in play.events if isinstance(event, ClaimsClosed)]
    assert (closed.count, closed.pending_rounds) == (cards, (1, 2, 3)) and play.public()["pending_claims"] == []
    at_claims(play).put_in()
    assert [event.pending_rounds for event in play.events if isinstance(event, ClaimsClosed)] == [(1, 2, 3), ()]


def test_blackjack_rule_62_claims_of_cards_kept_at_the_end_of_a_session_are_closed_by_the_count() -> None:
    play = at_claims(session())
    play.say(HoldCards)
    at_claims(play).say(HoldCards)
    waiting = sum(packet.cards for packet in play.table.on_hold)
    play.say(CloseTable)
    assert play.public()["pending_claims"] == [1, 2] and "claims_closed" not in play.kinds
    play.say(Extracted, "rui", cards=208)
    assert play.events[-2:] == [ClaimsClosed(count=waiting, pending_rounds=(1, 2)), CardsExtracted(208, 0, "rui")]
    assert play.public()["pending_claims"] == [] and play.at("open")
    assert b"events/claims_closed" in b"".join(play.channels)
    play.say(OpenTable)
    play.to_deal(1).until("begin").say(CloseTable)
    play.say(Extracted, "rui", cards=208)
    assert [event.pending_rounds for event in play.events if isinstance(event, ClaimsClosed)] == [(1, 2), ()]
