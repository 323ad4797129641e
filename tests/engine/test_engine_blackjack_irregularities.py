"""Black-jack/21 at the table: errors put right, cards that were not read, reports lost, void rounds, restarts."""

import msgspec
import pytest

from controller.engine.decisions.cards import ReportsMissed, UnheardCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.played import CardsHeard, Reveal
from controller.engine.state.applied import apply
from controller.engine.state.persons import Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.events import CardsDealt, CardSource
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.hands import Hands
from tests.engine.reported import bank_of, irregularities, lines, open_cards

BOTH: list[CardSource] = ["shoe", "shuffler"]
UNREAD = "policy: unread cards"


# ---- errors put right


@pytest.mark.parametrize("what", ["place", "order", "number"])
@pytest.mark.parametrize("kind", ["deal", "ask", "reveal", "confirm"])
def test_blackjack_rule_18_an_error_put_right_at_once_changes_nothing(what: str, kind: StepKind) -> None:
    play = Hands("Tc Th 9c 7h").to_deal(1)
    play.go_on()
    play.until(kind)
    before = play.step
    play.say(DealCorrected, what=what, to="seat 1")
    assert play.step == before
    play.settled()
    assert irregularities(play.report) == [("error_corrected", "seat 1", "policy: errors put right", what)]


def test_blackjack_rule_18_an_error_is_put_right_where_a_card_lies() -> None:
    play = Hands().to_deal(1)
    assert play.refused(DealCorrected, what="order", to="seat 1").article == "policy: misdeal"
    play.until("ask")
    for place in ("seat 2", "discard", "pending", "uncounted", ""):
        assert play.refused(DealCorrected, what="order", to=place).article == "policy: misdeal"
    play.say(DealCorrected, what="order", to="bank")
    assert Hands().to_wagers().refused(DealCorrected, what="order", to="discard").article == "policy: misdeal"


# ---- cards that were not read


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("draw", range(8))
def test_blackjack_an_unread_card_is_keyed_in_at_once(source: CardSource, draw: int) -> None:
    play = Hands("Tc 8c Th 4c 5d 2h 3s 9s Ts", source=source, unread={draw + (source == "shoe")})
    play.to_deal(1, 2)
    while not play.at("confirm"):
        if play.step.key_in:
            assert play.at("reveal") and "key them in" in play.public()["step"]["prompt"]["en"]
            assert "card_unread" in play.told()
            place, card = play.step.to[0], play.unread_card()
            for cards in (None, "", "2x", f"{card} {card}"):
                assert play.refused(Reveal, to=place, cards=cards).who in (place, "bank")
            assert play.refused(Reveal, to="seat 7", cards=card).who == "seat 7"
        play.go_on()
    assert any(kind == "keyed_in" for kind, *_ in irregularities(play.report))
    play.settled()


def test_blackjack_rule_17_an_unread_hidden_card_is_keyed_in_when_it_is_turned() -> None:
    play = Hands("Tc Th 9c 7h", unread={4}).to_ask(1)
    assert play.waits == "decision 1/1"  # nobody is asked for it before
    play.answers("stand")
    assert play.step.id == "1/reveal/bank" and play.step.key_in
    play.say(Reveal, to="bank", cards="7h")
    assert play.settled().bank() == "Th 7h"
    assert irregularities(play.report) == [("keyed_in", "bank", UNREAD)]


def test_blackjack_a_card_that_was_read_is_not_keyed_in() -> None:
    play = Hands("Tc Th 9c 7h").to_ask(1).answers("stand")
    for cards in ("7h", "2c", "Th 7h"):
        assert play.refused(Reveal, to="bank", cards=cards).article == UNREAD
    play.settled()


@pytest.mark.parametrize("kind", ["deal", "hit", "hole", "bank"])
def test_blackjack_a_card_the_shoe_said_nothing_of_is_told_by_the_dealer(kind: str) -> None:
    play = Hands("Tc Th 4c 6h 2c 3d").to_deal(1)
    if kind == "hole":
        while play.round.draws != 4:
            play.go_on()
    elif kind == "hit":
        play.decides("hit")
    elif kind == "bank":
        play.decides("hit", "stand").until("deal")
    play.unheard_card()
    if kind in ("deal", "hole"):
        play.decides("hit")
    play.settled()
    place = "bank" if kind in ("hole", "bank") else "seat 1"
    assert irregularities(play.report) == [("keyed_in", place, UNREAD)]
    assert open_cards(play.report) == {"seat 1/1": "Tc 4c 2c", "bank": "Th 6h 3d"}


def test_blackjack_the_shufflers_cards_are_all_heard() -> None:
    play = Hands(source="shuffler").to_deal(1)
    assert play.refused(UnheardCard).article == "policy: misdeal"


@pytest.mark.parametrize("count", [1, 3, None])
def test_blackjack_after_lost_reports_the_dealer_compares_the_cards(count: int | None) -> None:
    play = Hands("Tc Th 9c 7h").to_deal(1)
    play.go_on()
    before = play.step
    play.hear(ReportsMissed(count=count, gap_cause="reports_lost"))
    assert play.step == before and play.told() == ["compare_cards"]
    assert "Compare the cards" in play.public()["notices"][0]["en"]
    play.unheard_card()
    assert play.settled().bank() == "Th 7h"


# ---- void rounds


BETS_BACK = [
    ("hand", 200), ("hand", 200), ("insurance", 1), ("hand", 100), ("hand", 100), ("insurance", 50)
]  # fmt: skip


def raised() -> Hands:
    """Seat 1 has split and Rui beside it insured and follows; a card is due."""
    play = Hands("8c Ah 8d 7h").to_wagers().lay(1, 200, Rui=100).until("ask")
    return play.answers("insure 1,50", "split", "follow 1")


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("kind", ["deal", "ask", "reveal", "confirm"])
def test_blackjack_a_misdeal_that_cannot_be_put_right_gives_everything_back(source: CardSource, kind: StepKind) -> None:
    play = Hands("Tc Th 9c 7h", source=source).to_deal(1)
    play.go_on()
    play.until(kind).misdealt("order")
    assert play.why_void() == "policy: misdeal"
    assert [(line.wager, line.stake) for line in lines(play.report)] == [("hand", 200)]
    play.until("begin").to_deal(2).settled()


def test_blackjack_raises_and_insurance_go_back_with_the_bets() -> None:
    play = raised()
    play.say(VoidRound, "rui", reason="power cut")
    assert play.why_void() == "policy: supervisor's void"
    assert [(line.wager, line.stake) for line in lines(play.report)] == BETS_BACK
    assert open_cards(play.report) == {"seat 1/1": "8c", "seat 1/2": "8d", "bank": "Ah"}
    assert bank_of(play.report).total is None
    assert play.refused(VoidRound, "rui", reason="again").article == "18"


@pytest.mark.parametrize("kind", ["shuffle", "cut", "burn", "wagers", "deal", "ask", "reveal", "confirm"])
def test_blackjack_a_supervisor_breaks_a_round_off_wherever_it_is(kind: StepKind) -> None:
    play = Hands()
    if kind in ("deal", "ask", "reveal", "confirm"):
        play.to_deal(1)
    play.until(kind)
    assert play.refused(VoidRound, reason="x").article == "policy: roles"
    play.say(VoidRound, "rui", reason="x")
    assert play.why_void() == "policy: supervisor's void"
    play.until("begin").to_deal(1).settled()


def test_blackjack_nothing_is_misdealt_before_the_bets_are_closed() -> None:
    play = Hands().to_wagers().lay(1, 200)
    assert play.refused(Misdealt, what="number").article == "policy: misdeal"


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("at", range(4, 7))
def test_blackjack_rule_3_a_card_more_often_than_the_decks_hold_voids_the_round(source: CardSource, at: int) -> None:
    order = "8c 8c 8c 8c 9d 9d 9d".split()
    order.insert(at, "8c")
    play = Hands(" ".join(order), source=source).to_deal(1, 2, 3).until("confirm")
    assert play.why_void() == "policy: complete deck"
    assert play.round.void is not None and english(play.round.void.why).startswith("more than 4")
    if source == "shoe":
        play.first = ()
        assert play.preparations() == ["shuffle", "cut", "warning", "burn"]


def test_blackjack_rule_3_the_hidden_card_voids_when_it_is_turned_and_not_before() -> None:
    play = Hands("8c 8c 8c 8c 9d 9d 8d 8c").to_deal(1, 2, 3).until("reveal")
    assert play.round.void is None and play.bank() == "8c"
    play.go_on()
    assert play.why_void() == "policy: complete deck"


def test_blackjack_rule_3_a_card_keyed_in_too_often_is_refused() -> None:
    play = Hands("8c 8c 8c 8c 9d", unread={5}).to_deal(1, 2, 3).until("reveal")
    assert play.step.key_in and play.refused(Reveal, to="seat 1", cards="8c").article == "policy: complete deck"
    play.say(Reveal, to="seat 1", cards="9d")
    play.settled()


# ---- a restart


ANSWERED = {"insurance": "insure 100,50", "follow": "follow 1", "give_up": "no"}


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("prize", ["", "auto", "manual"])
def test_blackjack_the_table_is_the_same_after_a_restart_at_every_step(source: CardSource, prize: str) -> None:
    play = Hands("8c Jc Ah 8d Ac 6h 8h 9c 2d Tc Td 3c", source=source, prize=prize, unread={9})
    replayed, count = Table(), 0
    while not (play.at("begin") and play.table.rounds == 2):
        if play.at("wagers") and not play.round.wagers:
            play.lay(1, 200, "Ana", Rui=100).lay(2, 100).vacant(5, Rui=300)
            play.chips(1) if prize == "auto" else play.mark(1) if prize else None
        elif play.at("ask") and play.table.rounds == 1 and play.step.question in ANSWERED:
            play.answer(ANSWERED[play.step.question] if play.step.seat == 1 else "no")
        elif play.at("ask") and "split" in play.step.legal:
            play.answer("split")
        else:
            play.go_on()
        for event in play.events[count:]:
            replayed = apply(replayed, msgspec.json.decode(msgspec.json.encode(event), type=type(event)))
        count = len(play.events)
        assert replayed == play.table == msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
        if play.at("confirm"):
            play.settled()
    assert sum(isinstance(event, CardsDealt) for event in play.events) > 16


def test_blackjack_rule_18_a_card_of_the_other_source_is_not_due() -> None:
    play = Hands().to_deal(1)
    play.hear(CardsHeard(source="shuffler", cards=("8c",)))  # type: ignore[arg-type]
    assert play.told() == ["card_not_due"] and play.round.draws == 1
