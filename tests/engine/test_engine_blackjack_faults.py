"""Black-jack/21: every trouble of every device at every step, from either source: as the table says."""

from collections.abc import Callable

import pytest

from controller.engine.decisions.cards import UnheardCard
from controller.engine.decisions.hands import UnaskedCard
from controller.engine.shown.prompts import told_by
from controller.engine.state.current import SOURCES, TROUBLES, cell, phase_of
from controller.engine.state.persons import ShufflerFailed
from controller.rulebook.events import CardSource, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.parts.faults import PHASES, AnyPhase, Cell, DeviceName
from controller.rulebook.steps import StepKind
from controller.runtime.translation import Translator
from drivers import messages as said
from drivers.messages import Message
from tests.engine.hands import Hands
from tests.engine.reported import bets_at
from tests.engine.troubles import WIRING, is_told

GAME = GAMES["blackjack-21"]
BOTH: list[CardSource] = ["shuffler", "shoe"]
STEPS: dict[StepKind, AnyPhase] = {
    "begin": "between",
    "shuffle": "shuffle",
    "burn": "shuffle",
    "wagers": "wagers",
    "deal": "deal",
    "ask": "decisions",
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


class Staged(Hands):
    """A table at one step: bets and a chip at seats 1 and 3; in the deal a card lies."""

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        super().__init__("Tc 8c Th 6d 5c 9h 2c 3c 4d 3s", source=source, prize="auto")
        self.source, self.translator = source, Translator(WIRING)
        self.driver("shuffler", hello(1))
        self.until("begin" if kind == "begin" else "shuffle" if source == "shoe" else "wagers")
        if kind not in ("begin", "shuffle", "burn"):
            self.bets()
        self.until(kind)
        if kind == "deal":
            self.go_on()
        assert self.at(kind) and phase_of(self.table) == STEPS[kind]

    def bets(self) -> None:
        self.to_wagers().lay(1, 200, "Ana", Rui=100).lay(3, 100)
        self.driver("slots", said.SlotsRead((False,) * 8, (0,) * 8))
        self.driver("slots", said.SlotsRead((True, *(False,) * 7), (1, *(0,) * 7), (0,) * 8))
        assert list(self.table.slots) == [1]

    def driver(self, device: DeviceName, *told: Message) -> None:
        """What a driver says, as the loop hears it."""
        for one in told:
            for input in list(self.translator.inputs(device, one, self.table)):
                self.hear(input)

    def to_settled_end(self) -> None:
        """This round, or the next one, is settled; and one more may begin."""
        if self.at("begin", "shuffle", "cut", "warning", "burn", "wagers"):
            self.to_wagers()
            if not self.round.wagers:
                self.lay(1, 200)
        if not self.at("claims"):
            self.settled()
        self.until("begin").unread.clear()
        self.to_deal(1).settled().until("begin")
        assert "round_voided" not in self.kinds[-30:]


def hello(boot: int) -> said.ShufflerHello:
    return said.ShufflerHello(boot=boot, mode="continuous", decks=4, last_order=0, model="m", firmware="f")


# ---- the troubles, in the words of the drivers


def _unread(play: Staged) -> None:
    """A card leaves the shoe, if one is drawn from it here, and is not read."""
    if play.source == "shoe" and play.at("burn", "deal", "ask"):
        play.unread.add(play.dealt)
        play.take()
    play.driver("shoe", said.ShoeError(code=1, text="card cannot be read"))


def _reports_lost(play: Staged) -> None:
    if play.source == "shoe" and play.at("deal"):
        play.draw_unheard()
    play.driver("shoe", said.ReportsLost(count=1))


def _storm(play: Staged) -> None:
    calm = [play.table.slots[seat].counter if seat in play.table.slots else 0 for seat in range(1, 9)]
    levels = tuple(seat in play.table.slots for seat in range(1, 9))
    wild = tuple(counter + 1_000 * (line == 4) for line, counter in enumerate(calm))
    play.driver("slots", said.SlotsRead(levels, tuple(calm)), said.SlotsRead(levels, wild, tuple(calm)))


def _lost(device: DeviceName) -> Callable[[Staged], None]:
    return lambda play: play.driver(device, said.LinkLost(reason="unplugged"))


BEGIN: dict[tuple[str, str], Callable[[Staged], None]] = {
    ("shuffler", "lost"): _lost("shuffler"),
    ("shuffler", "jam"): lambda play: play.driver("shuffler", said.Jammed(order=0)),
    ("shuffler", "restarted"): lambda play: play.driver("shuffler", hello(2)),
    ("shuffler", "deck"): lambda play: play.driver(
        "shuffler", said.DeckChecked(expected=208, found=207, missing=("As",), duplicate=("Ks",))
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
# A card that nobody could read leaves the shoe where one is burnt, dealt, or asked for by nobody; or the bank has one
# too many.
CARDS_LEAVE = ("burn", "deal", "ask", "confirm")


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


# ---- what must hold


@pytest.mark.parametrize(("device", "trouble", "kind", "source"), EVERY_CELL)
def test_blackjack_what_the_matrix_says_is_what_happens(
    device: DeviceName, trouble: str, kind: StepKind, source: CardSource
) -> None:
    told = cell(GAME, device, trouble, STEPS[kind], source)
    play = Staged(kind, source)
    before, begun = play.step, len(play.entries)
    BEGIN[device, trouble](play)
    assert not any(isinstance(event, RoundVoided) for event, _ in play.entries[begun:])
    if trouble in ("lost", "jam"):
        assert is_told(told, GAME, play.public()["step"]["prompt"])
    if trouble == "lost":
        assert f"device-{device}" in play.standing()
    left = source == "shoe" and (device, trouble) == ("shoe", "unread") and kind in CARDS_LEAVE
    if not left and told.action != "by hand":
        assert play.step == before
    match told.action:
        case "hold":
            held(play, device, trouble)
        case "by hand" if (device, trouble) == ("shoe", "lost"):
            play.unheard_card()
        case "by hand" if (device, trouble) == ("shoe", "reports lost"):
            if play.table.round is None and not play.table.shoe.decks:
                assert play.told() == []  # no shoe is loaded: there is nothing to compare
            else:
                assert play.told() == ["compare_cards"] and play.step == before
            if kind == "deal":
                play.say(UnheardCard)
        case "by hand" | "go on":
            pass
        case "void":
            raise AssertionError("no device's trouble voids a round of black-jack")
    end(play, device, trouble)
    if play.public()["round"] and play.public()["round"]["pending_cards"]:
        play.say(UnaskedCard, seen=False)  # it is keyed in where it comes to lie
    play.to_settled_end()


def held(play: Staged, device: DeviceName, trouble: str) -> None:
    """Nothing leads on but the device's return, or that the dealer reports its failure."""
    assert play.at("deal") and play.refused(UnheardCard).article == "policy: misdeal"
    other = Staged("deal", play.source)
    BEGIN[device, trouble](other)
    other.change(ShufflerFailed)
    assert other.why_void() == "policy: misdeal" and other.meter.chips_counted == 0
    end(other, device, trouble)
    other.until("begin").sweep()
    other.to_settled_end()


def test_blackjack_every_trouble_is_brought_about_and_no_other() -> None:
    assert set(BEGIN) == set(TROUBLES)


def test_blackjack_rule_51_a_jam_calls_the_chief_inspector_in_every_phase() -> None:
    for phase in PHASES:
        told = cell(GAME, "shuffler", "jam", phase, "shuffler")
        assert (told.action, told.citation) == ("hold" if phase == "deal" else "go on", "51")
        words = told_by(told, GAME)
        assert "chief inspector" in words["en"] and "fiscal-chefe" in words["pt"]


def test_blackjack_no_trouble_voids_and_a_source_that_is_not_in_use_stops_nothing() -> None:
    for device, trouble in TROUBLES:
        for phase in PHASES:
            for source in BOTH:
                told = cell(GAME, device, trouble, phase, source)
                assert told.action != "void"
                if device in SOURCES and device != source:
                    assert told == Cell("go on", "52")


@pytest.mark.parametrize(("kind", "source"), REACHED)
def test_blackjack_what_a_device_merely_says_of_itself_changes_no_step(kind: StepKind, source: CardSource) -> None:
    play = Staged(kind, source)
    before = play.step
    for one in (said.NoiseHeard(count=3), said.LidOpened(), said.LidClosed(), said.Misread(position=3),
                said.DamagedCard(position=3), said.Cleared(), said.ReportsLost(count=2)):  # fmt: skip
        play.driver("shuffler", one)
        assert play.step == before
    for told in (said.NoiseHeard(count=3), said.CutCardSeen(), said.ShoeErrorCleared(code=2)):
        play.driver("shoe", told)
        assert play.step == before
    play.to_settled_end()


def test_blackjack_the_dispenser_tells_late_what_it_kept_while_its_link_was_down() -> None:
    play = Staged("deal", "shuffler")
    play.driver("shuffler", said.LinkLost(reason="unplugged"), said.LinkUp(outage_seconds=2.0, tries=3), hello(1))
    play.driver("shuffler", *(said.CardDispensed(card=card) for card in play.take(5)))
    assert play.at("ask") and play.hands(1) == ["Tc 6d waiting"] and play.bank() == "Th"
    play.driver("shuffler", said.CardDispensed(card="9c"))  # nobody asked for that one
    assert play.public()["round"]["pending_cards"] == 1


def test_blackjack_a_card_drawn_from_a_locked_shoe_is_one_that_nobody_asked_for() -> None:
    play = Staged("ask", "shoe")
    play.driver("shoe", said.CardDrawnOutOfTurn(state="locked", card=play.take()[0]))
    assert play.told()[-1] == "unasked_card"


def test_blackjack_without_its_slots_a_round_is_played_without_chips() -> None:
    play = Staged("wagers", "shoe")
    play.driver("slots", said.LinkLost(reason="unplugged"))
    play.settled()
    assert play.round.chips == () and play.meter.chips_counted == 0
    assert "jackpot" not in {one.wager for one in bets_at(play.report, 1)}
