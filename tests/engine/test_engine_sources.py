"""Shoe or shuffler, as 9.º 1 leaves to the bank: the deck shuffled, cut, counted, found wrong and made whole."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.cards import DeckChecked, DeckComplete, ReportsMissed, ShuffleReported
from controller.engine.decisions.devices import DeviceReport
from controller.engine.decisions.hands import UnaskedCard
from controller.engine.decisions.link import CompareGrant
from controller.engine.decisions.session import CloseClaims, UseSource
from controller.engine.decisions.tiles import ReportTilesMoved, TilesDealt
from controller.engine.shown.device_orders import react
from controller.engine.state.applied import fold
from controller.engine.state.persons import CorrectDice, CorrectWager, Exposed, PersonInput
from controller.engine.state.table import Table
from controller.queries.history import played
from controller.rulebook.events import CardsDealt, CountAsked, SourceChosen
from controller.rulebook.games import GAMES
from controller.rulebook.steps import StepKind
from controller.runtime.translation import Translator
from controller.words import english
from drivers import messages
from drivers.messages import Message
from tests.engine.playing import Play, stacked, stacked_for
from tests.engine.reported import open_cards, seat_of
from tests.high_card.rules import HighCard

WHOLE = DeckChecked(found=52, missing=0, duplicated=0)
SHORT = DeckChecked(found=51, missing=1, duplicated=0)
DOUBLED = DeckChecked(found=52, missing=1, duplicated=1)


def order(play: Play) -> int:
    assert play.step.order is not None
    return play.step.order


def played_on(play: Play) -> None:
    """A round with one ante is played to its settled end."""
    play.to_wagers()
    if 1 not in play.round.wagers:
        play.bet(1, ante=100)
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    play.until("begin")


# ---- 9.º 1: one source or the other


@pytest.mark.parametrize(
    ("first", "second", "step"),
    [
        *(("shuffler", "shoe", step) for step in ("begin", "shuffle")),
        *(("shoe", "shuffler", step) for step in ("begin", "shuffle", "cut")),
    ],
)
def test_art_9_1_the_bank_takes_the_other_source_until_the_deck_is_ready(
    first: str, second: str, step: StepKind
) -> None:
    play = Play(source=first).until(step)
    assert play.say(UseSource, source=second) == (SourceChosen(source=second, actor="ana"),)  # type: ignore[arg-type]
    play.until("shuffle")
    assert play.round.terms.source == second
    played_on(play)
    play.until("shuffle")
    assert play.round.terms.source == second  # until it is changed again
    play.say(UseSource, source=first)
    played_on(play)


def test_art_9_1_a_source_the_table_has_not_and_the_one_it_has_already() -> None:
    play = Play().until("begin")
    assert play.refused(UseSource, source="shuffler").article == "9.º 1"
    play.settings = type(play.settings)(terms=play.settings.terms, people=play.settings.people, sources=("shuffler",))
    assert play.refused(UseSource, source="shoe").article == "9.º 1"


def test_art_9_1_back_and_forth_gives_no_order_twice() -> None:
    play, orders = Play().until("shuffle"), []
    for _ in range(5):
        orders.append(order(play))
        assert play.receive(ShuffleReported(order=order(play) - 1, count=52)) == ()
        play.say(UseSource, source="shoe")
        assert react(play.table, 2).shuffler is None
        assert play.receive(ShuffleReported(order=orders[-1], count=52)) == ()  # carried out too late
        play.say(UseSource, source="shuffler")
    orders.append(order(play))
    assert orders == sorted(set(orders))
    played_on(play)


@pytest.mark.parametrize("changes", [10, 150])
def test_the_orders_of_a_round_however_many_are_never_those_of_the_next(changes: int) -> None:
    play = Play()
    play.until("shuffle")
    for _ in range(changes):
        play.say(UseSource, source="shoe")
        play.say(UseSource, source="shuffler")
    last = order(play)
    played_on(play)
    assert order(play.until("shuffle")) > last


# ---- 2.º 1 1): the deck is whole


@pytest.mark.parametrize("step", ["shuffle", "wagers", "deal", "decisions", "claims"])
def test_a_whole_deck_changes_nothing(step: StepKind) -> None:
    play = Play().until("shuffle")
    if step != "shuffle":
        play.to_wagers().bet(1, ante=100)
    assert play.until(step).receive(WHOLE) == ()


def test_a_deck_of_the_shuffler_says_nothing_of_the_one_in_the_shoe() -> None:
    play = Play(source="shoe").to_wagers()
    assert play.receive(SHORT) == ()


def test_the_deck_found_wrong_again_and_again_gives_no_order_twice() -> None:
    play, orders, steps = Play().until("shuffle"), [], []
    for fault in (ShuffleReported(order=0, count=51), SHORT, DOUBLED):
        orders.append(order(play))
        play.receive(ShuffleReported(order=order(play), count=51) if isinstance(fault, ShuffleReported) else fault)
        steps.append(play.step.id)
        play.say(DeckComplete)
    orders.append(order(play))
    assert orders == sorted(set(orders)) and len(set(steps)) == 3


# ---- Reports of the shoe that never came: the dealer counts, and what no one received is in the gap as unread cards


HANDS = ("As Ks Qs", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 and 3, bank, rack and community: 9 cards and 2
DUE = 11


def locked(unread: tuple[int, ...] = (), deck: list[str] | None = None) -> Play:
    """Antes at seats 1 and 3 and a chip, dealt out of the shoe."""
    play = Play(deck or stacked_for("shoe", *HANDS), source="shoe", unread=unread)  # type: ignore[arg-type]
    play.to_wagers().bet(1, ante=100).bet(3, ante=300, pair_plus=100).chips(1).lock()
    return play


def missed(play: Play, count: int | None) -> None:
    play.receive(ReportsMissed(count=count, gap_cause="reports_lost"))


def truly_shown(play: Play) -> None:
    """The round is settled, and every card shown is the one that really is there."""
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    assert len(play.round.play.shown) == 4
    for place, there in play.round.play.shown.items():
        assert " ".join(there) == play.lying_at(place)


def never_shown_wrongly(play: Play) -> None:
    """The round is void, or every card shown is the one that is there."""
    if play.round.void is None:
        truly_shown(play)


@pytest.mark.parametrize("reported_in_the_count", [0, 1])
@pytest.mark.parametrize("unreported", range(5))
@pytest.mark.parametrize("lost", [1, 2, 3, None])
@pytest.mark.parametrize(
    "before", [pytest.param(count, marks=() if count in (0, 4, DUE - 1) else pytest.mark.soak) for count in range(DUE)]
)
def test_what_was_not_received_is_in_the_gap_for_every_gap_and_every_count(
    before: int, lost: int | None, unreported: int, reported_in_the_count: int
) -> None:
    play = locked()
    for _ in range(before):
        play.deal_one()
    for _ in range(unreported):
        play.draw_unreported()
    missed(play, lost)
    assert play.step.kind == "count" and play.step.cards is None and play.step.id == "1/count/1"
    assert react(play.table, 2).shoe_locked
    for _ in range(reported_in_the_count):
        assert isinstance(play.draw()[0], CardsDealt)
    play.report_count(play.dealt)
    if lost is not None and unreported > lost:
        assert play.round.void is not None and play.round.void.article == "policy: every card reported"
    elif lost is None and unreported and reported_in_the_count:
        never_shown_wrongly(play)  # before or behind the card that was received: it may be that no one can report
    elif play.dealt > DUE:
        assert play.round.void is not None and play.round.void.article == "17.º 1 1)"
    else:
        assert len(play.round.unread) == unreported and play.round.draws == play.dealt
        truly_shown(play)


@pytest.mark.parametrize("code", range(2, 8))
def test_an_error_of_the_shoe_in_the_deal_asks_for_a_count_and_says_why(code: int) -> None:
    play, translator = locked(), Translator(None)

    def say(message: Message) -> None:
        for input in translator.inputs("shoe", message, play.table):
            play.receive(input)

    play.deal_one()
    say(messages.ShoeError(code=code, text="two cards"))
    asked = play.happened(CountAsked)
    assert asked == [CountAsked(gap_cause="error", lost=None)]
    assert b"shoe-error" in play.projection()
    play.draw_unreported()
    say(messages.CardDrawnOutOfTurn(state="error", card=play.take()[0]))
    say(messages.ShoeErrorCleared(code=code))
    assert "shoe-error" not in play.active_alarms()
    play.report_count(3)
    never_shown_wrongly(play)


def test_a_shoe_that_was_switched_on_again_is_counted() -> None:
    play = locked()
    play.deal_one()
    for input in Translator(None).inputs("shoe", messages.ShoeStarted(), play.table):
        play.receive(input)
    play.draw_unreported()
    play.report_count(2)
    truly_shown(play)


def test_a_report_lost_of_another_device_asks_nothing() -> None:
    play = locked()
    play.receive(DeviceReport(device="shuffler", what="reports_lost", values={"count": 1}))
    play.receive(ShuffleReported(order=1, count=52))
    assert play.step.kind == "deal"


@pytest.mark.parametrize("count", [2, 3, 4, 12])
def test_art_18_3_a_count_shows_nothing_of_the_cards(count: int) -> None:
    reports = []
    for deck in (stacked_for("shoe", *HANDS), stacked_for("shoe", "2s 3s 4s", "7h 7d 7c", "Jd Jc Jh", "Tc Td Th")):
        play = locked(deck=list(deck))
        play.deal_one()
        play.draw_unreported()
        missed(play, 2)
        play.draw()
        play.report_count(count)
        reports.append(play.channels)
        seen = msgspec.json.decode(play.projection())["round"]
        assert seen["shown"] == {}
    assert reports[0] == reports[1]


# ---- A game more is its own rules and its place in the registry: everything shared plays it as it is


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Three seats have bet 100, 200 and 300; a king, a seven and a five come against the bank's seven."""
    monkeypatch.setitem(GAMES, HighCard.id, HighCard())
    deck = stacked("Kh", "7d", "5s", "7c")
    play = Play(deck, game=HighCard.id, source="shoe", additional=(), packet_sizes=(), chip=0).to_wagers()
    for seat in (1, 2, 3):
        play.bet(seat, high=100 * seat)
    play.lock()
    return play


def test_a_game_more_is_played_to_the_message_of_its_round(table: Play) -> None:
    report = table.until("claims").report
    assert open_cards(report) == {"seat 1": "Kh", "seat 2": "7d", "seat 3": "5s", "bank": "7c"}
    assert {of.seat: of.net for of in report.seats} == {1: 100, 2: 0, 3: -300}
    assert (report.outcome, table.round.void, report.irregularities) == ("settled", None, ())


def test_a_game_more_is_corrected_voided_and_read_back_as_any_other(table: Play) -> None:
    table.until("confirm")
    table.change(CorrectWager, seat=3, wager="high", amount=500, player=None, reason="counted again")
    assert seat_of(table.report, 3).net == -500
    kept = msgspec.json.encode(table.table)
    assert msgspec.json.decode(kept, type=Table) == table.table == fold(Table(), table.events)
    table.until("claims").say(CloseClaims)
    table.to_wagers().bet(1, high=100).lock()
    table.change(Exposed, to="seat 1", count=1, which=())
    table.until("claims")
    void = table.round.void
    assert void is not None and (void.article, english(void.why)) == ("1", "a card was seen")


def test_a_game_more_has_its_history(table: Play) -> None:
    table.until("claims")
    rounds = played(("", event) for event, _ in table.entries)
    assert [round.round.id for round in rounds] == [1]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (TilesDealt, {}),
        (UnaskedCard, {"seen": True}),
        (CorrectDice, {"dice": (1, 2, 3, 4), "reason": "misread"}),
        (ReportTilesMoved, {"by": "bank"}),
    ],
)
def test_an_input_of_another_game_is_refused_and_changes_nothing(
    table: Play, kind: type[PersonInput], fields: dict[str, Any]
) -> None:
    assert table.at("deal")
    assert table.refused(kind, **fields).reason.code == "not_in_this_game"


def test_a_grant_cannot_be_compared_at_a_table_of_no_linked_pot(table: Play) -> None:
    refusal = table.refused(CompareGrant, "rui", second="ana", claim="1", amount=100, reason="compared")
    assert refusal.reason.code == "nothing_doubted"
