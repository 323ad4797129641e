"""Black-jack/21 at the table, 51 to 62: a session with a shuffler, from loading to the count at its end."""

import pytest

from controller.engine.decisions.cards import Cut, Shuffled, UnreportedCard
from controller.engine.decisions.devices import CutCard, DeviceFound, DeviceMissed, DeviceReport, ShufflerGreeted
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
    DamagedCardReplaced,
    DamagedCardReported,
    InspectionInformed,
    ShufflerCleared,
)
from controller.engine.state.persons import ShufflerFailed, VoidRound
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import CardSource, CardsPending, ClaimsClosed
from controller.words import sentence
from tests.engine.hands import LID_CLOSES, LID_OPENS, WARNING_CARD, Hands

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


def test_blackjack_rule_51_a_jam_no_one_can_clear_voids_the_round() -> None:
    play = session().to_deal(1)
    play.receive(JAM)
    play.change(ShufflerFailed)
    assert play.why_void() == "policy: misdeal"
    play.receive(CLEARED)
    play.say(JamCleared, "rui", cleared_by="Mr. Lei", technician=True)
    play.until("begin").to_deal(1).settled()


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


def test_blackjack_rule_51_after_a_jam_that_is_cleared_in_a_round_its_name_waits_for_the_next_one() -> None:
    play = session().to_deal(1)
    play.receive(JAM)
    play.receive(CLEARED)
    play.until("begin")
    assert play.refused(BeginRound).article == "51" and alarms(play) == {"clearing-not-entered"}
    play.say(CloseTable)  # the cards may be taken out all the same, and the alarm stays
    play.say(Extracted, "rui", cards=208)
    assert alarms(play) == {"clearing-not-entered"}


def test_blackjack_rule_60_the_lid_is_never_opened_by_the_dealer() -> None:
    play = session()
    play.receive(JAM)
    play.receive(CLEARED)
    for dealer in ("ana", " ana "):
        refused = play.refused(JamCleared, "rui", cleared_by=dealer)
        assert (refused.who, refused.article) == ("cleared_by", "60") and "ana is a dealer" in sentence(refused)
    play.say(JamCleared, "rui", cleared_by="rui")
    assert alarms(play) == set()


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


# ---- 55: taken out


@pytest.mark.parametrize(("cards", "missing"), [(207, 1), (0, 208), (210, -2)])
def test_blackjack_rule_55_a_count_that_is_not_whole_is_an_alarm_and_the_table_closes_all_the_same(
    cards: int, missing: int
) -> None:
    play = session()
    play.say(CloseTable)
    play.say(Extracted, "rui", cards=cards)
    assert alarms(play) == {"deck-count"} and play.at("open")
    [extracted] = [event for event in play.events if isinstance(event, CardsExtracted)]
    assert (extracted.count, extracted.missing, extracted.actor) == (cards, missing, "rui")
    play.say(OpenTable)
    assert alarms(play) == set()


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


def test_blackjack_rule_61_what_was_put_in_before_is_not_kept_back_again() -> None:
    play = at_claims(session())
    draws = play.round.draws
    play.receive(InsertionReported(count=2))
    play.say(HoldCards)
    assert play.table.on_hold[0].cards == draws - 2
    at_claims(play)
    play.receive(InsertionReported(count=play.round.draws + draws - 2))
    assert play.at("begin")


def test_blackjack_rule_61_cards_no_one_was_to_get_and_those_of_a_void_round_go_in_too() -> None:
    play = session().to_ask(1)
    play.comes_out()
    assert play.round.draws == 5
    play.say(VoidRound, "rui", reason="x")
    play.until("claims").say(HoldCards)
    assert play.table.on_hold[0].cards == 5
    play.to_deal(1).until("begin")
    assert play.public()["pending_claims"] == []


def test_blackjack_rule_61_cards_are_kept_back_after_a_round_and_only_of_a_shuffler() -> None:
    play = session()
    for kind in ("begin", "wagers"):
        assert play.until(kind).refused(HoldCards).who == "table"
    shoe = at_claims(Hands())
    assert shoe.refused(HoldCards).who == "table"
    shoe.say(CloseClaims)


def test_blackjack_rule_62_the_dealers_word_closes_the_claims_while_the_link_is_away() -> None:
    play = at_claims(session())
    play.say(HoldCards)
    at_claims(play).receive(DeviceMissed(device="shuffler", reason="unplugged"))
    assert "Confirm yourself" in play.public()["step"]["prompt"]["en"]
    play.say(CloseClaims)
    assert play.public()["pending_claims"] == [] and play.at("begin")
    play.receive(DeviceFound(device="shuffler", outage_ms=1, tries=1))


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
