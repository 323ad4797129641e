"""Fortune 8, 3.º, 4.º 6 and 5.º at the table: the announced deal, cards that come early, errors put right or not."""

import pytest

from controller.engine.decisions.betting import Announce
from controller.engine.decisions.cards import UnheardCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.devices import DeviceSaid, ShufflerGreeted
from controller.engine.decisions.played import CardsHeard
from controller.engine.state.persons import CorrectSeat, Exposed, Misdealt, ShufflerFailed, ToEmptySeat, VoidRound
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource, Deal, DealAnnounced
from controller.rulebook.steps import StepKind
from tests.engine.playing import cards
from tests.engine.reported import irregularities, lines, open_cards
from tests.engine.spaces import Spaces

BOTH: list[CardSource] = ["shoe", "shuffler"]
DEALS: list[Deal] = ["every_space", "spaces_with_bets"]
SEVEN = "8d Kc 2c 2d 2h 2s 3c"
ALL_SEVEN = [f"seat {space}" for space in range(1, 8)]


# ---- 4.º 6: the announcement and the two deals


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("bets", [(1,), (7,), (5, 2, 3), range(7, 0, -1)])
@pytest.mark.parametrize("deal", DEALS)
def test_fortune_8_art_4_6_one_card_to_each_space_or_to_each_with_bets_from_one_to_seven(
    source: CardSource, bets: tuple[int, ...], deal: Deal
) -> None:
    play = Spaces(SEVEN, source=source, announced=deal).to_deal(*bets)
    wanted = ALL_SEVEN if deal == "every_space" else [f"seat {space}" for space in sorted(bets)]
    for number, place in enumerate(wanted, start=1):
        assert (play.step.id, play.step.to, play.step.order) == (f"1/deal/{number}", (place,), None)
        play.deal_one()
        assert list(play.shown) == wanted[:number]
    assert play.step.id == "1/confirm" and play.places_dealt() == [(place,) for place in wanted]
    assert play.shown == dict(zip(wanted, SEVEN.split(), strict=False))
    report = play.goes_on().report
    assert report.deal == deal and list(open_cards(report)) == list(wanted)


def test_fortune_8_art_4_6_the_dealer_announces_when_the_bets_are_done_and_before_the_first_card() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, low=100)
    for kind in ("announce", "deal", "confirm", "claims", "begin", "shuffle", "cut", "wagers"):
        for deal in DEALS:
            if kind == "announce":
                break
            assert play.refused(Announce, deal=deal).article in ("4.º", "policy: one step at a time")
        else:
            play.go_on()
            continue
        play.until("announce").say(Announce, deal="every_space")
    announced = [event for event in play.events if isinstance(event, DealAnnounced)]
    assert announced == [DealAnnounced(deal="every_space", actor="ana")]


def test_fortune_8_art_4_6_the_announced_deal_is_the_round_s_whatever_the_configuration_has() -> None:
    for configured, announced in (DEALS, DEALS[::-1]):
        play = Spaces(SEVEN, deal=configured, announced=announced).to_announce(2)
        assert play.goes_on().report.deal == announced


def test_fortune_8_art_4_6_each_round_has_its_own_announcement() -> None:
    play = Spaces()
    for deal in (*DEALS, *DEALS):
        play.announced = deal
        play.to_deal(2, 4).goes_on()
        assert len(play.report.shown_cards) == (7 if deal == "every_space" else 2)
        play.until("begin")


# ---- 3.º: a card that comes face up before it is called


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_and_4_5_an_early_card_is_valid_and_belongs_to_the_first_place(
    source: CardSource, deal: Deal, kind: StepKind
) -> None:
    play = Spaces(SEVEN, source=source, deal=deal).to_wagers().lay(3, low=100).lay(5, "Rui", eight=200).until(kind)
    play.comes_out()
    first = "seat 1" if deal == "every_space" else "seat 3"
    assert play.shown == {first: "8d"} and play.told() == ["early_card"]
    assert play.round.locked and play.step.id == "1/deal/2"
    assert play.refused(Announce, deal="every_space").article == "4.º"
    assert [event.actor for event in play.events if isinstance(event, DealAnnounced)] == [None]
    play.goes_on()
    assert play.report.deal == deal
    assert irregularities(play.report) == [("early_card", first, "3.º")]


@pytest.mark.parametrize("source", BOTH)
def test_fortune_8_art_3_an_early_card_may_be_the_whole_deal(source: CardSource) -> None:
    play = Spaces("8d", source=source, deal="spaces_with_bets").to_wagers().lay(6, eight=100)
    play.comes_out()
    assert play.step.id == "1/confirm" and lines(play.goes_on().report)[0].net == 1100


@pytest.mark.parametrize("source", BOTH)
def test_fortune_8_art_3_before_anybody_has_bet_a_card_is_laid_aside(source: CardSource) -> None:
    play = Spaces(f"As {SEVEN}", source=source).to_wagers()
    play.comes_out()
    assert play.step.id == "1/wagers" and not play.round.dealt and play.told() == ["card_not_due"]
    play.lay(1, "Rui", eight=100).lay(1, "Rui", eight=0)
    play.comes_out()
    assert play.step.id == "1/wagers" and not play.round.dealt
    play.lay(2, high=100).goes_on()
    assert play.shown["seat 1"] == "Kc" and irregularities(play.report) == []


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_an_early_card_that_was_not_read_is_keyed_in_after_the_deal(kind: StepKind) -> None:
    play = Spaces(SEVEN, unread=(0,)).to_wagers().lay(1, eight=100).until(kind)
    play.comes_out()
    assert play.step.id == "1/deal/2" and play.told() == ["early_card", "card_unread"]
    play.until("reveal")
    assert (play.step.id, play.step.key_in) == ("1/reveal/seat 1", True)
    play.goes_on()
    assert irregularities(play.report) == [
        ("early_card", "seat 1", "3.º"),
        ("keyed_in", "seat 1", "policy: unread cards"),
    ]


def test_fortune_8_art_3_an_early_card_stays_on_the_record_of_a_void_round() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, eight=100)
    play.comes_out()
    play.change(Misdealt, what="order")
    assert play.why_void()[0] == "5.º" and irregularities(play.report) == [("early_card", "seat 1", "3.º")]
    assert open_cards(play.report) == {"seat 1": "8d"}


def test_fortune_8_art_3_a_bet_moved_with_its_card_takes_the_early_card_with_it() -> None:
    play = Spaces(SEVEN, deal="spaces_with_bets").to_wagers().lay(2, eight=100).lay(6, low=100)
    play.comes_out()
    play.change(CorrectSeat, seat=2, to_seat=4, reason="entered wrongly")
    play.goes_on()
    assert irregularities(play.report) == [("early_card", "seat 4", "3.º")]


@pytest.mark.parametrize("kind", ["shuffle", "cut", "confirm", "claims"])
def test_fortune_8_art_3_a_card_at_any_other_time_is_none_of_the_round_s(kind: StepKind) -> None:
    play = Spaces(SEVEN).until("shuffle")
    if kind not in ("shuffle", "cut"):
        play.to_deal(1)
    before, shown = play.until(kind).step, play.shown
    play.comes_out()
    assert play.step == before and play.shown == shown and play.told() == ["card_not_due"]


def test_fortune_8_several_cards_at_once_are_not_dealt() -> None:
    for kind in ("wagers", "announce", "deal"):
        play = Spaces(source="shuffler").to_wagers().lay(1, low=100)
        while not play.at(kind):
            play.go_on()
        before = play.step
        for there in ("", "8d 8c"):
            play.hear(CardsHeard(source="shuffler", cards=cards(there) if there else (), order=257))
        assert play.step == before and play.told() == ["card_not_due"]


# ---- 5.º: an error is put right at once, or the game is void


@pytest.mark.parametrize("what", ["place", "order", "number"])
@pytest.mark.parametrize("kind", ["deal", "count", "reveal", "confirm"])
def test_fortune_8_art_5_an_error_put_right_at_once_stands_in_the_record_and_changes_nothing(
    what: str, kind: StepKind
) -> None:
    play = Spaces(SEVEN, unread=(2,)).to_deal(1, 4)
    for _ in range(4):
        play.deal_one()
    if kind == "count":
        play.draw_unheard()
        play.hear_lost(1)
    before = play.until(kind).step
    settled = play.round.settlement
    play.say(DealCorrected, what=what, to="seat 4")
    assert play.step == before and play.round.settlement == settled
    play.goes_on()
    assert ("error_corrected", "seat 4", "5.º", what) in irregularities(play.report)
    assert open_cards(play.report) == {f"seat {at}": card for at, card in enumerate(SEVEN.split(), 1)}


def test_fortune_8_art_5_an_error_is_put_right_from_the_first_card_until_the_confirmation() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, eight=100)
    kinds: list[StepKind] = ["wagers", "announce", "deal"]
    for kind in kinds:
        assert play.until(kind).refused(DealCorrected, what="place", to="seat 1").article == "5.º"
    play.deal_one()
    play.say(DealCorrected, what="place", to="seat 1")
    play.until("confirm").say(DealCorrected, what="order", to="seat 7")
    assert play.until("claims").refused(DealCorrected, what="order", to="seat 7").article == "5.º"
    assert play.until("begin").refused(DealCorrected, what="order", to="seat 7").article == "policy: one step at a time"


@pytest.mark.parametrize("to", ["seat 3", "seat 8", "seat 0", "bank", "discard", "", "8d"])
def test_fortune_8_art_5_what_is_put_right_lies_where_a_card_was_dealt(to: str) -> None:
    play = Spaces(SEVEN).to_deal(1)
    play.deal_one()
    play.deal_one()
    assert play.refused(DealCorrected, what="place", to=to).article == "5.º"
    other = Spaces(SEVEN, announced="spaces_with_bets").to_deal(1, 5).until("confirm")
    assert other.refused(DealCorrected, what="place", to=to).article == "5.º"
    other.say(DealCorrected, what="place", to="seat 5")


def test_fortune_8_art_5_each_error_is_told_in_the_order_it_was_put_right() -> None:
    play = Spaces(SEVEN).to_deal(1).until("confirm")
    for to, what in (("seat 7", "number"), ("seat 2", "order"), ("seat 7", "number")):
        play.say(DealCorrected, what=what, to=to)
    assert irregularities(play.report) == [
        ("error_corrected", "seat 7", "5.º", "number"),
        ("error_corrected", "seat 2", "5.º", "order"),
        ("error_corrected", "seat 7", "5.º", "number"),
    ]


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("deal", DEALS)
def test_fortune_8_art_5_a_card_too_many_is_laid_aside_and_put_right(source: CardSource, deal: Deal) -> None:
    play = Spaces(f"{SEVEN} As", source=source, announced=deal).to_deal(1, 2).until("confirm")
    shown = play.shown
    play.comes_out()
    last = "seat 7" if deal == "every_space" else "seat 2"
    assert play.step.id == "1/confirm" and play.told() == ["card_not_due"] and play.shown == shown
    play.say(DealCorrected, what="number", to=last)
    play.goes_on()
    assert irregularities(play.report) == [("error_corrected", last, "5.º", "number")]


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("what", ["order", "number"])
@pytest.mark.parametrize("kind", ["announce", "deal", "reveal", "confirm"])
def test_fortune_8_art_5_an_error_that_cannot_be_put_right_voids_the_game(
    source: CardSource, what: str, kind: StepKind
) -> None:
    play = Spaces(SEVEN, source=source, unread=(2,)).to_wagers().lay(1, "Rui", eight=100, low=200).lay(1, eight=300)
    play.until(kind)
    play.misdealt(what)
    assert play.why_void()[0] == "5.º"
    assert [line.player for line in lines(play.report)] == ["Rui", "Rui", None]
    assert play.until("begin").preparations() == []


def test_fortune_8_art_5_once_every_card_lies_there_a_supervisor_says_why() -> None:
    play = Spaces(SEVEN).to_deal(1).until("confirm")
    assert play.would_wait(Misdealt, what="order")
    assert play.refused(Misdealt, "rui", what="order").article == "policy: documented adjustment"
    play.change(Misdealt, "rui", what="order", reason="seen late")
    assert play.why_void()[0] == "5.º"


def test_fortune_8_art_5_nothing_is_misdealt_while_bets_are_laid_or_after_the_confirmation() -> None:
    play = Spaces().to_wagers().lay(1, low=100)
    assert play.refused(Misdealt, what="order").article == "5.º"
    assert play.until("claims").refused(Misdealt, what="order").article == "5.º"
    assert play.until("begin").refused(Misdealt, what="order").article == "policy: one step at a time"


def test_fortune_8_art_5_a_dispenser_that_cannot_go_on_voids_the_game_and_deals_the_next() -> None:
    play = Spaces(source="shuffler").to_announce(1)
    assert play.refused(ShufflerFailed).article == "5.º"
    play.go_on()
    for _ in range(3):
        play.deal_one()
    play.change(ShufflerFailed)
    assert play.why_void() == ("5.º", "the shuffler failed while dealing: seen")
    for _ in range(3):
        play.until("begin").to_deal(1).change(ShufflerFailed)
    play.until("begin").to_deal(1).goes_on()  # no article asks for another machine


def test_fortune_8_art_5_only_the_dispenser_in_the_deal_can_fail() -> None:
    assert Spaces().to_deal(1).refused(ShufflerFailed).article == "5.º"
    play = Spaces(source="shuffler", unread=(6,)).to_deal(1)
    for kind in ("reveal", "confirm", "claims"):
        while not play.at(kind):
            play.go_on()
        assert play.refused(ShufflerFailed).article == "5.º"


@pytest.mark.parametrize("after", [0, 3, 6])
def test_fortune_8_art_5_a_dispenser_that_jams_or_is_switched_on_again_goes_on(after: int) -> None:
    play = Spaces(SEVEN, source="shuffler")
    play.hear(ShufflerGreeted(boot=1, last_order=0))
    play.to_deal(1)
    for _ in range(after):
        play.deal_one()
    play.hear(DeviceSaid(device="shuffler", what="jam", values={"order": 0}))
    play.hear(ShufflerGreeted(boot=2, last_order=0))
    play.hear(DeviceSaid(device="shuffler", what="cleared"))
    play.goes_on()
    assert list(play.shown.values()) == SEVEN.split()


@pytest.mark.parametrize("kind", ["announce", "deal", "reveal", "confirm"])
def test_fortune_8_art_3_and_5_cards_dealt_face_up_are_neither_exposed_nor_null(kind: StepKind) -> None:
    play = Spaces(SEVEN, unread=(2,)).to_deal(1) if kind != "announce" else Spaces(SEVEN).to_announce(1)
    if kind != "announce":
        play.deal_one()
    play.until(kind)
    for to in ("seat 1", "bank", "community"):
        assert play.refused(Exposed, to=to).article == "3.º"
        assert play.refused(Exposed, to=to, which=(1,)).article == "3.º"
    for space in (1, 4, 9):
        assert play.refused(ToEmptySeat, meant_for="seat 1", seat=space).article == "5.º"


def test_fortune_8_art_5_a_void_game_hears_nothing_more() -> None:
    play = Spaces(SEVEN).to_deal(1)
    play.deal_one()
    play.change(Misdealt, what="number")
    before = play.step
    play.comes_out()
    assert play.step == before and play.told() == ["card_not_due"]
    assert play.refused(DealCorrected, what="place", to="seat 1").article == "5.º"
    assert play.refused(VoidRound, "rui", reason="x").article == "5.º"
    assert play.refused(CorrectSeat, seat=1, to_seat=2, reason="x").article == "policy: corrections"


def test_fortune_8_a_supervisor_breaks_any_round_off() -> None:
    kinds: list[StepKind] = ["wagers", "announce", "deal", "reveal", "confirm"]
    for kind in kinds:
        play = Spaces(SEVEN, unread=(2,)).to_wagers().lay(1, "Rui", eight=100).until(kind)
        play.say(VoidRound, "rui", reason="alarm")
        assert play.why_void() == ("policy: supervisor's void", "alarm")
        assert play.report.deal == (None if kind in ("wagers", "announce") else "every_space")
        play.until("begin")


def test_fortune_8_the_dealer_s_word_for_a_card_holds_at_the_shoe_alone() -> None:
    for source in BOTH:
        play = Spaces(SEVEN, source=source).to_announce(1)
        assert play.refused(UnheardCard).article == "4.º"
        play.go_on()
        if source == "shuffler":
            assert play.refused(UnheardCard).article == "5.º"
        else:
            play.unheard_card()
        play.hear(CardsHeard(source="shoe" if source == "shuffler" else "shuffler", cards=(Card("8d"),)))
        assert "card_not_due" in play.told()
        play.goes_on()
