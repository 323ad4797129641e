"""Black-jack/21 at the table: errors corrected, cards that were not read, reports lost, void rounds, restarts."""

import msgspec
import pytest

from controller.engine.decisions.played import Reveal
from controller.engine.state.applied import apply
from controller.engine.state.persons import VoidRound
from controller.engine.state.table import Table
from controller.rulebook.events import CardsDealt, CardSource
from controller.rulebook.steps import StepKind
from tests.engine.hands import Hands
from tests.engine.reported import irregularities

BOTH: list[CardSource] = ["shoe", "shuffler"]


# ---- cards that were not read


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("draw", range(8))
def test_blackjack_an_unread_card_is_keyed_in_at_once(source: CardSource, draw: int) -> None:
    play = Hands("Tc 8c Th 4c 5d 2h 3s 9s Ts", source=source, unread={draw + (source == "shoe")})
    play.to_deal(1, 2)
    while not play.at("confirm"):
        if play.step.key_in:
            assert play.at("reveal") and "key them in" in play.public()["step"]["prompt"]["en"]
            assert "card_unread" in play.notices()
            place, card = play.step.to[0], play.unread_card()
            for cards in (None, "", "2x", f"{card} {card}"):
                assert play.refused(Reveal, to=place, cards=cards).who in (place, "bank")
            assert play.refused(Reveal, to="seat 7", cards=card).who == "seat 7"
        play.proceed()
    assert any(kind == "keyed_in" for kind, *_ in irregularities(play.report))
    play.settled()


# ---- void rounds


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


# ---- a restart


ANSWERED = {"insurance": "insure 100,50", "follow": "follow 1", "give_up": "no"}


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("prize", ["", "auto", "manual"])
def test_blackjack_the_table_is_the_same_after_a_restart_at_every_step(source: CardSource, prize: str) -> None:
    play = Hands("8c Jc Ah 8d Ac 6h 8h 9c 2d Tc Td 3c", source=source, prize=prize, unread={9})
    replayed, count = Table(), 0
    while not (play.at("begin") and play.table.rounds == 2):
        if play.at("wagers") and not play.round.wagers:
            play.place_bet(1, 200, "Ana", Rui=100).place_bet(2, 100).vacant(5, Rui=300)
            play.chips(1) if prize == "auto" else play.mark(1) if prize else None
        elif play.at("ask") and play.table.rounds == 1 and play.step.question in ANSWERED:
            play.answer(ANSWERED[play.step.question] if play.step.seat == 1 else "no")
        elif play.at("ask") and "split" in play.step.legal:
            play.answer("split")
        else:
            play.proceed()
        for event in play.events[count:]:
            replayed = apply(replayed, msgspec.json.decode(msgspec.json.encode(event), type=type(event)))
        count = len(play.events)
        assert replayed == play.table == msgspec.json.decode(msgspec.json.encode(play.table), type=Table)
        if play.at("confirm"):
            play.settled()
    assert sum(isinstance(event, CardsDealt) for event in play.events) > 16
