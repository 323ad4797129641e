"""2008, 11.º 2): a card of the bank that is seen while it is dealt stays out, in view; the bank gets the next one."""

import msgspec
import pytest

from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.devices import DeviceSaid, ShufflerGreeted
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide
from controller.engine.shown.device_orders import react
from controller.engine.state.persons import EnterCount, Exposed, Misdealt, ShufflerFailed
from controller.rulebook.events import CardsExposed, CardsSetAside
from controller.rulebook.packets import packets_of
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.playing import Play, cards
from tests.engine.table_2008 import (
    FROM,
    HANDS,
    SHUFFLERS,
    Play2008,
    goes_on,
    hands_shown,
    irregularities_told,
    locked,
    stacked_for,
    told,
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


def tells(play: Play2008, count: int) -> None:
    """The round goes on to its end, and the floor is told of so many cards of the bank."""
    goes_on(play)
    told_of = {"kind": "exposed", "to": "bank", "article": "11.º 2)", "count": count}
    assert irregularities_told(play) == [told_of] and len(play.in_view) == count


# ---- which card, and what comes instead


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_2008_art_11_2_from_the_shoe_the_bank_gets_the_next_card_at_once_then_the_deal_goes_on(turn: int) -> None:
    play = locked("shoe")
    for _ in range(4 * turn):
        play.deal_one()
    [seen] = cards(HANDS[3].split()[turn - 1])
    then = play.step.to
    events = play.leave_out(turn)
    draw = 4 * turn
    assert events == (CardsExposed(to="bank", count=1), CardsSetAside(to="bank", draws=(draw,)))
    assert play.in_view == [seen] and packets_of(play.round).aside[0].draws == (draw,)
    assert (play.step.kind, play.step.to, play.step.id) == ("deal", ("bank",), f"1/deal/{draw + 1}/{draw}-aside")
    instead = play.deck[play.dealt]
    play.deal_one()
    assert play.step.to == then
    tells(play, 1)
    assert seen not in hands_shown(play)["bank"] and instead in hands_shown(play)["bank"]
    assert play.round.draws == 13


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
    tells(play, count)
    kept = [card for number, card in enumerate(cards(HANDS[3]), 1) if number not in which]
    assert hands_shown(play)["bank"].split() == [*kept, *new]


@EVERY_SOURCE
def test_2008_art_11_2_the_hand_is_settled_as_if_the_bank_had_never_had_the_card(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(1)
    tells(play, 1)
    bank = hands_shown(play)["bank"]
    other = Play2008(stacked_for(source, *HANDS[:3], bank), source, packet_sizes=sizes).to_wagers()
    other.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300, pair_plus=400).lock()
    other.to_settled()
    assert play.round.settlement == other.round.settlement and play.round.play.shown == other.round.play.shown


@EVERY_SOURCE
@pytest.mark.parametrize("times", [2, 3, 5])
def test_2008_art_11_2_the_card_that_came_instead_is_seen_too(source: str, sizes: tuple[int, ...], times: int) -> None:
    play = bank_complete(source, sizes)
    for _ in range(times):
        play.leave_out(3)  # the last that came, those left out before are not counted any more
        assert play.step.kind == "deal" and set(play.step.to) <= {"bank", "discard"}
        play.deal_one()
    tells(play, times)
    assert hands_shown(play)["bank"].startswith("Qd 9c ")


@EVERY_SOURCE
@pytest.mark.parametrize("reports", [((1,), (1,)), ((3,), (2,)), ((1,), (1, 2)), ((2, 3), (1,)), ((1,), (1,), (1,))])
def test_2008_art_11_2_cards_told_of_one_after_the_other_are_replaced_together(
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
    tells(play, count)
    assert play.round.draws == 12 + (count if source == "shoe" else len(replaced(sizes, count)))


@pytest.mark.parametrize(
    "which",
    [(), (0,), (4,), (-1,), (1, 1), (1, 2, 3, 4), (3, 4)],
    ids=lambda which: "-".join(map(str, which)) or "none",
)
@EVERY_SOURCE
def test_2008_art_11_2_cards_that_do_not_lie_at_the_bank_cannot_be_left_out(
    source: str, sizes: tuple[int, ...], which: tuple[int, ...]
) -> None:
    play = bank_complete(source, sizes)
    refusal = play.refused(Exposed, to="bank", which=which)
    assert (refusal.who, refusal.article) == ("bank", "11.º 2)")
    play.leave_out(1)
    assert play.refused(Exposed, to="bank", which=(3,)).article == "11.º 2)"  # two are left
    assert play.refused(Exposed, to="bank", count=1).article == "11.º 2)"  # which one is not said
    tells(play, 1)


@EVERY_SOURCE
def test_2008_art_11_2_before_the_bank_has_a_card_none_of_its_is_seen(source: str, sizes: tuple[int, ...]) -> None:
    play = locked(source, sizes)
    for _ in range(3):
        assert play.refused(Exposed, to="bank", which=(1,)).article == "11.º 2)"
        play.deal_one()
    open_bets = Play2008(source=source).to_wagers().bet(1, ante=100)
    assert open_bets.refused(Exposed, to="bank", which=(1,)).article == "11.º 2)"


# ---- when it is told


@pytest.mark.parametrize("later", range(1, 9))
def test_2008_art_11_2_told_after_other_cards_went_out_the_bank_gets_the_next_one(later: int) -> None:
    play = locked("shoe")
    for _ in range(4 + later):
        play.deal_one()
    due = play.step.to
    play.leave_out(1)
    assert (play.in_view, play.step.to) == (["Qd"], ("bank",))
    play.deal_one()
    assert play.step.to == due or play.at("count")
    tells(play, 1)


@EVERY_SOURCE
@pytest.mark.parametrize("step", ["count", "decisions", "reveal"])
def test_2008_art_11_2_it_may_be_told_until_the_first_card_is_turned(
    source: str, sizes: tuple[int, ...], step: StepKind
) -> None:
    play = bank_complete(source, sizes)
    play.until("decisions" if (step, source) == ("count", "shuffler") else step)
    decided = dict(packets_of(play.round).decisions)
    play.leave_out(2)
    assert play.at("deal")
    play.deal_one()
    assert packets_of(play.round).decisions == decided
    play.until("reveal").reveal_one()
    assert play.refused(Exposed, to="bank", which=(1,)).article == "11.º 2)"
    tells(play, 1)


@EVERY_SOURCE
def test_2008_art_11_2_what_was_decided_before_it_was_told_stands(source: str, sizes: tuple[int, ...]) -> None:
    play = bank_complete(source, sizes)
    play.until("decisions")
    play.say(Decide, seat=1, decision="fold")
    play.leave_out(1)
    assert play.refused(Decide, seat=3, decision="play").article == "9.º"  # the bank gets its card first
    play.until("decisions")
    assert list(play.step.waiting) == [3]
    tells(play, 1)
    assert "seat 1" not in hands_shown(play)


@EVERY_SOURCE
def test_2008_art_11_2_players_cards_may_be_seen_beside_it(source: str, sizes: tuple[int, ...]) -> None:
    play = bank_complete(source, sizes)
    play.change(Exposed, to="seat 1", count=2)
    play.leave_out(1)
    play.change(Exposed, to="seat 3", count=3)
    goes_on(play)
    assert [(one["to"], one["count"]) for one in irregularities_told(play)] == [
        ("seat 1", 2), ("bank", 1), ("seat 3", 3),
    ]  # fmt: skip


# ---- what goes wrong beside it


@EVERY_SOURCE
def test_2008_art_11_1_a_misdeal_voids_as_ever_and_both_are_told(source: str, sizes: tuple[int, ...]) -> None:
    play = bank_complete(source, sizes)
    play.leave_out(1, 2)
    play.change(Misdealt, what="order")
    assert voided(play).article == "11.º 1)"
    assert irregularities_told(play) == [{"kind": "exposed", "to": "bank", "article": "11.º 2)", "count": 2}]
    assert "bank" not in [one["to"] for one in told(play)["shown_cards"]]


@pytest.mark.parametrize("sizes", SHUFFLERS)
@pytest.mark.parametrize("count", [0, 1, 4])
def test_2008_art_11_1_a_wrong_packet_for_the_bank_voids(sizes: tuple[int, ...], count: int) -> None:
    play = bank_complete(sizes=sizes)
    play.leave_out(2)
    play.deal_one(count=count)
    assert voided(play).article == "11.º 1)"


@pytest.mark.parametrize("how", ["jam", "report"])
def test_2008_art_11_4_the_shuffler_may_fail_when_the_bank_gets_its_card(how: str) -> None:
    play = bank_complete()
    play.leave_out(2)
    if how == "jam":
        play.hear(DeviceSaid(device="shuffler", what="jam"))
    else:
        play.change(ShufflerFailed)
    assert voided(play).article == "11.º 4)" and play.table.shuffler_failures == 1


@EVERY_SOURCE
@pytest.mark.parametrize("which", [1, 2, 3])
def test_2008_art_11_2_an_unread_card_that_is_left_out_is_never_keyed_in(
    source: str, sizes: tuple[int, ...], which: int
) -> None:
    unread = 4 * which - 1 if source == "shoe" else 8 + which
    play = locked(source, sizes, unread=[unread])
    while play.at("deal"):
        play.deal_one()
    assert b'"unread":["bank"]' in play.projection()
    play.leave_out(which)
    assert b'"unread":[]' in play.projection()
    play.until("reveal")
    assert not play.step.key_in
    tells(play, 1)


@EVERY_SOURCE
def test_2008_art_11_2_an_unread_card_that_came_instead_is_keyed_in_with_those_that_stayed(
    source: str, sizes: tuple[int, ...]
) -> None:
    play = locked(source, sizes, unread=[12])
    while play.at("deal"):
        play.deal_one()
    play.leave_out(1)
    play.until("reveal")
    assert play.step.key_in
    goes_on(play)
    assert [one["kind"] for one in irregularities_told(play)] == ["exposed", "keyed_in"]


# ---- the count


@pytest.mark.parametrize("step", ["deal", "count", "decisions", "reveal"])
def test_2008_art_11_2_the_card_left_out_is_counted_with_the_others(step: StepKind) -> None:
    play = locked("shoe")
    for _ in range(4):
        play.deal_one()
    play.until(step)
    play.leave_out(1)
    play.until("count")
    assert play.step.cards == 13
    play.tell_count(13)
    tells(play, 1)


@pytest.mark.parametrize("count", [12, 14])
def test_2008_art_11_1_another_count_than_with_the_card_left_out_voids(count: int) -> None:
    play = bank_complete("shoe")
    play.leave_out(3)
    play.until("count").tell_count(count)
    assert voided(play).article == "11.º 1)"


@pytest.mark.parametrize("after", range(4, 13))
def test_2008_art_11_2_a_report_that_was_lost_beside_it_is_counted_and_keyed_in(after: int) -> None:
    """The card that went unheard came after the one left out: in its place, or in any other."""
    play = locked("shoe")
    for _ in range(4):
        play.deal_one()
    play.leave_out(1)
    for _ in range(after - 4):
        play.deal_one()
    play.draw_unheard()
    play.hear(ReportsMissed(count=1, gap_cause="reports_lost"))
    assert play.at("count") and play.step.cards is None
    play.say(EnterCount, count=after + 1)
    goes_on(play)
    assert [one["kind"] for one in irregularities_told(play)] == ["exposed", "keyed_in"]


def test_2008_art_11_2_while_cards_may_have_gone_unheard_they_are_counted_before_any_is_left_out() -> None:
    play = locked("shoe")
    for _ in range(3):
        play.deal_one()
    play.draw_unheard()  # the bank's
    play.hear(ReportsMissed(count=1, gap_cause="reports_lost"))
    play.draw()  # seat 1's second: until the cards are counted it could be taken for the bank's
    play.felt[4].to = ("seat 1",)
    refusal = play.refused(Exposed, to="bank", which=(1,))
    assert refusal.article == "11.º 2)" and "count" in english(refusal.reason)
    play.change(Exposed, to="seat 1")  # whose cards they are makes no difference here
    play.say(EnterCount, count=5)
    play.leave_out(1)
    assert play.in_view == ["Qd"] and play.step.to == ("bank",)
    goes_on(play)
    assert hands_shown(play)["seat 1"].startswith("As Ks")
    assert [one["kind"] for one in irregularities_told(play)] == ["exposed", "exposed"]


# ---- for 2025 nothing changes


@pytest.mark.parametrize("which", [(), (1,), (1, 2)])
def test_art_17_1_2_in_2025_a_card_of_the_bank_voids_whichever_it_was(which: tuple[int, ...]) -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.deal()
    play.change(Exposed, to="bank", which=which)
    assert play.round.void is not None and play.round.void.article == "17.º 1 2)" and packets_of(play.round).aside == ()


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
    play.hear(ShufflerGreeted(boot=1, last_order=0))
    play.to_wagers().bet(1, ante=100).lock()
    play.until("decisions")
    play.hear(ShufflerGreeted(boot=2, last_order=5000))
    assert play.round.void is None, "nothing is wanted of it"
    play.change(Exposed, to="bank", which=(1,))
    assert voided(play).article == "11.º 4)"
