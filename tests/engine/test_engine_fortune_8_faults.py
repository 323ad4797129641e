"""Fortune 8: every device's every trouble at every step, from either source: what the table says is what happens."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.cards import UnheardCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.deciders import StaleStep, check_answers, decide, step_answered
from controller.engine.decisions.played import Reveal
from controller.engine.state.applied import fold
from controller.engine.state.current import SOURCES, TROUBLES, cell, phase_of
from controller.engine.state.persons import PersonInput, ShufflerFailed
from controller.engine.state.table import next_step
from controller.rulebook.events import CardSource, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.parts.faults import PHASES, AnyPhase, Cell, DeviceName
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind
from controller.runtime.translation import Translator
from drivers import messages as said
from drivers.messages import Message
from tests.engine.reported import irregularities
from tests.engine.spaces import CUT_CARD, Spaces
from tests.engine.troubles import WIRING, answers, is_told

GAME = GAMES["fortune-8"]
BOTH: list[CardSource] = ["shuffler", "shoe"]
STEPS: dict[StepKind, AnyPhase] = {
    "begin": "between",
    "shuffle": "shuffle",
    "cut": "shuffle",
    "wagers": "wagers",
    "announce": "deal",
    "deal": "deal",
    "reveal": "reveal",
    "confirm": "settle",
    "claims": "claims",
}
REACHED = [(kind, source) for kind in STEPS for source in BOTH if STEPS[kind] != "shuffle" or source == "shoe"]
EVERY_CELL = [
    pytest.param(device, trouble, kind, source, id=f"{device}-{trouble}-{kind}-from-{source}".replace(" ", "-"))
    for device, trouble in TROUBLES
    for kind, source in REACHED
]
# A card that nobody could read leaves the shoe before it is called: it is valid, and no bet is laid any more (3.º).
COMES_EARLY = {("shoe", "unread", "wagers"), ("shoe", "unread", "announce")}


class Staged(Spaces):
    """A table at one step: two players bet at spaces 1 and 3; in the deal a card lies; one was not read, to reveal."""

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        super().__init__("8d Kc 2c 2d 2h 2s 3c", source=source, unread={6} if kind == "reveal" else ())
        self.source, self.translator = source, Translator(WIRING)
        self.driver("shuffler", hello(1))
        self.until("begin" if kind == "begin" else "wagers" if source == "shuffler" else "shuffle")
        if kind not in ("begin", "shuffle", "cut"):
            self.bets()
        self.until(kind)
        if kind == "deal":
            self.deal_one()
        assert self.at(kind) and phase_of(self.table) == STEPS[kind]

    def bets(self) -> None:
        self.to_wagers().lay(1, "Rui", eight=100).lay(1, "Inês", low=100).lay(3, high=100)

    def driver(self, device: DeviceName, *told: Message) -> None:
        """What a driver says, as the loop hears it."""
        for message in told:
            for input in list(self.translator.inputs(device, message, self.table)):
                self.hear(input)

    def to_next_phase(self) -> None:
        """On by what is usual, as long as the phase lasts."""
        phase = phase_of(self.table)
        while phase_of(self.table) == phase:
            self.go_on()

    def to_settled_end(self) -> None:
        """This round, or the next one, is settled; and one more may begin."""
        self.until("wagers", "announce", "deal", "count", "reveal", "confirm", "claims")
        if self.at("wagers") and not self.round.wagers:
            self.bets()
        self.goes_on() if not self.at("claims") else None
        self.until("begin").unread.clear()
        self.whole_round()
        assert self.kinds[-1] == "claims_closed" and "round_voided" not in self.kinds[-20:]

    def prompted(self) -> dict[str, str]:
        words: dict[str, str] = msgspec.json.decode(self.projection())["step"]["prompt"]
        return words


def hello(boot: int) -> said.ShufflerHello:
    return said.ShufflerHello(boot=boot, mode="continuous", decks=8, last_order=0, model="m", firmware="f")


# ---- the troubles, in the words of the drivers


def _unread(play: Staged) -> None:
    """A card leaves the shoe, if cards are drawn from it here, and is not read."""
    if play.source == "shoe" and play.at("wagers", "announce", "deal"):
        play.unread.add(play.dealt)
        play.take()
    play.driver("shoe", said.ShoeError(code=1, text="card cannot be read"))


def _reports_lost(play: Staged) -> None:
    if play.source == "shoe" and play.at("deal"):
        play.draw_unheard()
    play.driver("shoe", said.ReportsLost(count=1))


def _storm(play: Staged) -> None:
    calm, wild = (0,) * 8, (0, 0, 0, 0, 1_000, 0, 0, 0)
    play.driver("slots", said.SlotsRead((False,) * 8, calm), said.SlotsRead((False,) * 8, wild, calm))


def _lost(device: DeviceName) -> Callable[[Staged], None]:
    return lambda play: play.driver(device, said.LinkLost(reason="unplugged"))


BEGIN: dict[tuple[str, str], Callable[[Staged], None]] = {
    ("shuffler", "lost"): _lost("shuffler"),
    ("shuffler", "jam"): lambda play: play.driver("shuffler", said.Jammed(order=0)),
    ("shuffler", "restarted"): lambda play: play.driver("shuffler", hello(2)),
    ("shuffler", "deck"): lambda play: play.driver(
        "shuffler", said.DeckChecked(expected=416, found=415, missing=("As",), duplicate=("Ks",))
    ),
    ("shuffler", "packet"): lambda play: play.driver("shuffler", said.PacketDispensed(order=9, cards=("As", "Ks"))),
    ("shoe", "lost"): _lost("shoe"),
    ("shoe", "unread"): _unread,
    ("shoe", "reports lost"): _reports_lost,
    ("shoe", "error"): lambda play: play.driver("shoe", said.ShoeError(code=2, text="two cards at once")),
    ("slots", "lost"): _lost("slots"),
    ("slots", "doubtful"): _storm,
    ("sign", "lost"): _lost("sign"),
    ("pit", "lost"): _lost("pit"),
    ("floor", "lost"): _lost("floor"),
}


def end(play: Staged, device: DeviceName, trouble: str) -> None:
    """The trouble is over, as far as the device says so."""
    match device, trouble:
        case _, "lost":
            play.driver(device, said.LinkUp(outage_seconds=2.0, tries=3))
            if device == "shuffler":
                play.driver(device, hello(1))
        case _, "jam":
            play.driver(device, said.Cleared())
        case _, "error":
            play.driver(device, said.ShoeErrorCleared(code=2))


def everything_tried(play: Spaces) -> Iterator[PersonInput]:
    """What a dealer might try at the screen of any game, and at this one's."""
    yield from answers(play.table)

    def given(kind: Any, **fields: Any) -> PersonInput:
        answer: PersonInput = kind(input_id="x", step_id="", actor="ana", **fields)
        return answer

    yield given(Announce, deal="every_space")
    yield given(PlaceWager, seat=1, wager="low", amount=300)
    yield given(DealCorrected, what="order", to="seat 1")
    yield given(Reveal, to="seat 7", cards="3c")


def that_lead_on(play: Spaces) -> set[str]:
    """The answers that are taken and bring the table to another step, or would once a supervisor approves."""
    found = set()
    for answer in everything_tried(play):
        answer = msgspec.structs.replace(answer, step_id=step_answered(play.table, answer))
        try:
            check_answers(play.table, [answer], play.settings)
            events = decide(play.table, answer, play.settings, play.vault).events
        except (Refusal, StaleStep):
            continue
        after = fold(play.table, events)
        if next_step(after) != play.step or after.waiting:
            found.add(type(answer).__name__)
    return found


# ---- what must hold


@pytest.mark.parametrize(("device", "trouble", "kind", "source"), EVERY_CELL)
def test_fortune_8_what_the_matrix_says_is_what_happens(
    device: DeviceName, trouble: str, kind: StepKind, source: CardSource
) -> None:
    told = cell(GAME, device, trouble, STEPS[kind], source)
    play = Staged(kind, source)
    before, begun = play.step, len(play.entries)
    BEGIN[device, trouble](play)
    assert not any(isinstance(event, RoundVoided) for event, _ in play.entries[begun:])
    if trouble in ("lost", "jam"):
        assert is_told(told, GAME, play.prompted())
    if trouble == "lost":
        assert f"device-{device}".encode() in play.projection()
    if (device, trouble, kind) in COMES_EARLY and source == "shoe":
        assert play.step.id == "1/deal/2" and play.round.unread == (1,)
        play.goes_on()
        assert irregularities(play.report)[0] == ("early_card", "seat 1", "3.º")
        play.to_settled_end()
        return
    match told.action:
        case "go on":
            assert play.step == before
            play.to_next_phase()
            end(play, device, trouble)
            play.to_settled_end()
        case "by hand":
            while (device, trouble) == ("shoe", "lost") and play.at("announce", "deal"):
                play.unheard_card() if play.at("deal") else play.go_on()
            play.to_settled_end()
        case "hold":
            held(play, device, trouble, kind)
        case "void":
            raise AssertionError("no device's trouble voids a round of Fortune 8")


def held(play: Staged, device: DeviceName, trouble: str, kind: StepKind) -> None:
    """Nothing leads on but the device's return, or that the dealer reports its failure."""
    if kind == "announce":  # which can be said while it is away
        assert that_lead_on(play) == {"Announce"}
        play.go_on()
    assert that_lead_on(play) == {"ShufflerFailed"} and play.at("deal")
    assert play.refused(UnheardCard).article == "5.º"
    other = Staged(kind, play.source).until("deal")
    assert isinstance(other, Staged)
    BEGIN[device, trouble](other)
    end(play, device, trouble)
    play.to_settled_end()
    other.change(ShufflerFailed)
    seen = ": seen" if kind == "deal" else ""  # by the supervisor, for a card has decided a bet
    assert other.why_void() == ("5.º", f"the shuffler failed while dealing{seen}")
    other.until("claims")
    end(other, device, trouble)
    other.until("begin")
    other.to_settled_end()


def test_fortune_8_every_trouble_is_brought_about_and_no_other() -> None:
    assert set(BEGIN) == set(TROUBLES)


def test_fortune_8_phases_it_does_not_have_hold_nothing_up() -> None:
    reached = {(STEPS[kind], source) for kind, source in REACHED}
    for device, trouble in TROUBLES:
        for phase in PHASES:
            for source in BOTH:
                told = cell(GAME, device, trouble, phase, source)
                assert told.action != "void"
                if (phase, source) not in reached:
                    assert told.action == "go on"


def test_fortune_8_art_1_2_and_1_3_a_source_that_is_not_in_use_stops_nothing() -> None:
    for device, trouble in TROUBLES:
        for phase in PHASES:
            if device in SOURCES:
                other: CardSource = "shoe" if device == "shuffler" else "shuffler"
                assert cell(GAME, device, trouble, phase, other) == Cell("go on", "1.º")


@pytest.mark.parametrize(("kind", "source"), REACHED)
def test_fortune_8_what_a_device_merely_says_of_itself_changes_no_step(kind: StepKind, source: CardSource) -> None:
    play = Staged(kind, source)
    before = play.step
    for message in (said.NoiseHeard(count=3), said.LidOpened(), said.LidClosed(), said.Misread(position=3),
                    said.DamagedCard(position=3), said.Cleared(), said.ReportsLost(count=2)):  # fmt: skip
        play.driver("shuffler", message)
        assert play.step == before
    for told in (said.NoiseHeard(count=3), said.CutCardSeen(), said.ShoeErrorCleared(code=2)):
        play.driver("shoe", told)
        assert play.step == before
    play.to_settled_end()


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_a_card_drawn_from_a_locked_shoe_is_an_early_card_all_the_same(kind: StepKind) -> None:
    play = Staged(kind, "shoe")
    play.driver("shoe", said.CardDrawnOutOfTurn(state="locked", card=play.take()[0]))
    assert play.shown == {"seat 1": "8d"}
    play.goes_on()


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_an_early_card_nobody_heard_of_is_told_at_its_deal_step(kind: StepKind) -> None:
    play = Staged(kind, "shoe")
    play.draw_unheard()
    play.driver("shoe", said.ReportsLost(count=1))
    assert play.at(kind)
    play.until("deal").say(UnheardCard)
    assert play.goes_on().shown["seat 1"] == "8d"


def test_fortune_8_the_dispenser_tells_late_what_it_kept_while_its_link_was_down() -> None:
    play = Staged("deal", "shuffler")
    play.driver("shuffler", said.LinkLost(reason="unplugged"), said.LinkUp(outage_seconds=2.0, tries=3), hello(1))
    play.driver("shuffler", *(said.CardDispensed(card=card) for card in play.take(3)))
    assert list(play.shown.values()) == ["8d", "Kc", "2c", "2d"]
    play.driver("shuffler", *(said.CardDispensed(card=card) for card in play.take(3)))
    assert play.step.id == "1/confirm"
    play.to_settled_end()


def test_fortune_8_art_2_1_the_cut_card_comes_out_while_the_shoe_is_in_trouble() -> None:
    for trouble in ("error", "unread", "reports lost", "lost"):
        play = Staged("deal", "shoe")
        BEGIN["shoe", trouble](play)
        play.hear(CUT_CARD)
        end(play, "shoe", trouble)
        play.goes_on()
        assert play.preparations() == ["shuffle", "cut"]
