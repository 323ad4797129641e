"""2008, 11.º 2): a card of the bank that is seen while it is dealt stays out, in view; the bank gets the next one."""

import msgspec
import pytest

from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.devices import ShufflerGreeted
from controller.engine.decisions.jackpot import Confirm
from controller.engine.shown.device_orders import react
from controller.engine.state.persons import EnterCount, Exposed
from controller.rulebook.events import CardsExposed, CardsSetAside
from controller.words import english
from tests.engine.playing import cards
from tests.engine.table_2008 import (
    FROM,
    HANDS,
    SHUFFLERS,
    Play2008,
    irregularities_published,
    locked,
    played_to_its_end,
    stacked_for,
    voided,
)

EVERY_SOURCE = pytest.mark.parametrize(("source", "sizes"), FROM)


def bank_complete(source: str = "shuffler", sizes: tuple[int, ...] = (3,)) -> Play2008:
    """All is dealt, and nothing counted or decided."""
    play = locked(source, sizes)
    while play.at("deal"):
        play.deal_one()
    return play


def replaced(sizes: tuple[int, ...], count: int) -> tuple[str, ...]:
    """The packet that a shuffler gives for so many cards: the smallest that holds them."""
    size = min(size for size in sizes if size >= count)
    return ("bank",) * count + ("discard",) * (size - count)


def report_seen(play: Play2008, count: int) -> None:
    """The round continues to its end, and the floor is notified of so many cards of the bank."""
    played_to_its_end(play)
    reported = {"kind": "exposed", "to": "bank", "article": "11.º 2)", "count": count}
    assert irregularities_published(play) == [reported] and len(play.in_view) == count


# ---- which card, and what comes instead


@pytest.mark.parametrize("sizes", SHUFFLERS)
@pytest.mark.parametrize("which", [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (3, 1), (1, 2, 3), (3, 2, 1)])
def test_2008_art_11_2_from_the_shuffler_the_bank_gets_the_top_of_the_smallest_packet_that_holds_them(
    sizes: tuple[int, ...], which: tuple[int, ...]
) -> None:
    play = bank_complete(sizes=sizes)
    order, count = play.round.dealt[-1].order, len(which)
    assert order is not None
    draws = tuple(9 + number for number in sorted(which))
    assert play.leave_out(*which) == (CardsExposed(to="bank", count=count), CardsSetAside(to="bank", draws=draws))
    wanted = replaced(sizes, count)
    assert (play.step.kind, play.step.to, play.step.order) == ("deal", wanted, order + 1)
    work = react(play.table, 2).shuffler
    assert work is not None and (work.order, work.count) == (order + 1, len(wanted))
    new = play.deck[12 : 12 + count]
    play.deal_one()
    assert play.at("decisions")
    report_seen(play, count)
    kept = [card for number, card in enumerate(cards(HANDS[3]), 1) if number not in which]
    assert play.shown["bank"].split() == [*kept, *new]


@EVERY_SOURCE
def test_2008_art_11_2_the_hand_is_settled_as_if_the_bank_had_never_had_the_card(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(1)
    report_seen(play, 1)
    bank = play.shown["bank"]
    other = Play2008(stacked_for(source, *HANDS[:3], bank), source, packet_sizes=sizes).to_wagers()
    other.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300, pair_plus=400).lock()
    other.to_settled()
    assert play.round.settlement == other.round.settlement and play.round.play.shown == other.round.play.shown


@EVERY_SOURCE
@pytest.mark.parametrize("reports", [((1,), (1,)), ((3,), (2,)), ((1,), (1, 2)), ((2, 3), (1,)), ((1,), (1,), (1,))])
def test_2008_art_11_2_cards_reported_one_after_the_other_are_replaced_together(
    source: str, sizes: tuple[int, ...], reports: tuple[tuple[int, ...], ...]
) -> None:
    play = bank_complete(source, sizes)
    steps = {play.step.id}
    for which in reports:
        play.leave_out(*which)
        steps.add(play.step.id)
    assert len(steps) == len(reports) + 1  # each is another question than before
    count = sum(map(len, reports))
    assert play.step.to == (("bank",) if source == "shoe" else replaced(sizes, count))
    report_seen(play, count)
    assert play.round.draws == 12 + (count if source == "shoe" else len(replaced(sizes, count)))


# ---- when it is reported


@pytest.mark.parametrize("later", range(1, 9))
def test_2008_art_11_2_reported_after_other_cards_went_out_the_bank_gets_the_next_one(later: int) -> None:
    play = locked("shoe")
    for _ in range(4 + later):
        play.deal_one()
    due = play.step.to
    play.leave_out(1)
    assert (play.in_view, play.step.to) == (["Qd"], ("bank",))
    play.deal_one()
    assert play.step.to == due or play.at("count")
    report_seen(play, 1)


# ---- what goes wrong beside it


# ---- the count


def test_2008_art_11_2_while_cards_may_have_gone_unreported_they_are_counted_before_any_is_left_out() -> None:
    play = locked("shoe")
    for _ in range(3):
        play.deal_one()
    play.draw_unreported()  # the bank's
    play.receive(ReportsMissed(count=1, gap_cause="reports_lost"))
    play.draw()  # seat 1's second: until the cards are counted it could be taken for the bank's
    play.felt[4].to = ("seat 1",)
    refusal = play.refused(Exposed, to="bank", which=(1,))
    assert refusal.article == "11.º 2)" and "count" in english(refusal.reason)
    play.change(Exposed, to="seat 1")  # whose cards they are makes no difference here
    play.say(EnterCount, count=5)
    play.leave_out(1)
    assert play.in_view == ["Qd"] and play.step.to == ("bank",)
    played_to_its_end(play)
    assert play.shown["seat 1"].startswith("As Ks")
    assert [row["kind"] for row in irregularities_published(play)] == ["exposed", "exposed"]


# ---- for 2025 nothing changes


# ---- the projection


@EVERY_SOURCE
def test_2008_art_11_2_everybody_may_see_that_a_card_was_left_out_and_not_which(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(2)
    seen = msgspec.json.decode(play.projection())["round"]
    assert (seen["aside"], seen["exposed"]) == ([8 if source == "shoe" else 11], {"bank": 1})
    assert play.in_view == ["9c"]
    play.to_settled()
    play.say(Confirm)
    play.until("begin")
    assert not any(b"9c" in channel for channel in play.channels)


def test_2008_art_11_4_a_shuffler_that_forgot_the_deck_gives_no_card_for_one_left_out() -> None:
    play = Play2008()
    play.receive(ShufflerGreeted(boot=1, last_order=0))
    play.to_wagers().bet(1, ante=100).lock()
    play.until("decisions")
    play.receive(ShufflerGreeted(boot=2, last_order=5000))
    assert play.round.void is None, "nothing is wanted of it"
    play.change(Exposed, to="bank", which=(1,))
    assert voided(play).article == "11.º 4)"
