"""Reports of the shoe that never came: the dealer counts, and what no one received is in the gap as unread cards."""

import msgspec
import pytest

from controller.engine.decisions.cards import ReportsMissed, ShuffleReported
from controller.engine.decisions.devices import DeviceReport
from controller.engine.shown.device_orders import react
from controller.rulebook.events import CardsDealt, CountAsked
from controller.runtime.translation import Translator
from drivers import messages
from drivers.messages import Message
from tests.engine.playing import Play, stacked_for

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
    "before",
    [pytest.param(count, marks=() if count in (0, 4, DUE - 1) else pytest.mark.soak) for count in range(DUE)],
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
