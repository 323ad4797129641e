"""Black-jack/21 at the table, 38 to 50: chips in slots or marked by hand, what they win, and the meter."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine.decisions.betting import ChipGone, ChipSensed, EnterIncrement, LockIn, PlaceWager
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.jackpot import Confirm, ConfirmHit, ParametersRead
from controller.engine.decisions.played import CardsHeard
from controller.engine.decisions.session import CloseClaims, HoldCards
from controller.engine.shown.device_orders import react
from controller.engine.state.jackpot import E4, MeterOpened
from controller.engine.state.persons import CorrectSeat, CorrectWager, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.events import CardSource
from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.report import Laid
from controller.rulebook.steps import StepKind
from controller.words import english, sentence
from tests.engine.hands import CHIP, PRIZE, Hands
from tests.engine.reported import bets_at, laid, prize_of, seat_of

BOTH = pytest.mark.parametrize("prize", ["auto", "manual"])
POT = 600_000
TO_POT = CHIP * 7_000 // 10_000


def offered(cards: str, *seats: int, prize: str = "auto", chips: tuple[int, ...] = (), pot: int = POT) -> Hands:
    """Bets of 200 at these seats, chips at all of them or at `chips`; the deal begins."""
    play = Hands(cards, prize=prize, pot=pot).to_wagers()
    for seat in seats:
        play.lay(seat, 200)
    if prize == "auto":
        play.chips(*(chips or seats))
    else:
        play.mark(*(chips or seats))
    return play.until("deal")


def awards(play: Hands) -> list[tuple[int, str, int, str]]:
    """Seat, tier, amount and article of what was won, in the order it is paid."""
    return [(one.seat, one.tier, one.amount, one.article) for one in prize_of(play.settled().report).awards]


# ---- 44: what the pot starts with


def test_blackjack_rule_44_the_journal_keeps_where_a_pot_was_carried_over_from() -> None:
    decision = decide(Table(), ParametersRead(5, 0, PRIZE, "table 20, minutes 7/2026"), Hands("").settings, {})
    [opened] = decision.events
    assert isinstance(opened, MeterOpened) and (opened.pot, opened.carried_over) == (5, "table 20, minutes 7/2026")


def test_blackjack_rule_44_of_a_pot_that_starts_no_other_place_is_recorded() -> None:
    [opened] = decide(Table(), ParametersRead(5, 0, PRIZE), Hands("").settings, {}).events
    assert opened == MeterOpened(pot=5, reserve=0, parameters=PRIZE, carried_over=None)


# ---- 38 to 41, 45 to 48: the chips


@BOTH
def test_blackjack_rule_39_and_45_a_chip_is_optional_and_counts_beside_a_bet_only(prize: str) -> None:
    play = offered("", 1, 3, 5, prize=prize, chips=(1, 4, 5))
    assert play.round.chips == (1, 5) and play.round.returned_chips == (4,)
    assert play.meter.chips_counted == 2 and play.meter.pot == POT + 2 * TO_POT
    notice = {
        "en": "Seat 4: chip without a bet (45). Give it back.",
        "pt": "Lugar 4: ficha sem aposta (45). Devolva-a.",
        "zh": "4號位：沒有投注，籌碼無效（45），請退回。",
    }
    assert notice in play.public()["notices"]
    assert laid(play.settled().report) == [
        (1, "bet", None, 200), (1, "jackpot", None, CHIP), (3, "bet", None, 200), (5, "bet", None, 200),
        (5, "jackpot", None, CHIP),
    ]  # fmt: skip


def test_blackjack_rule_38_without_an_accumulated_prize_there_are_no_chips() -> None:
    play = Hands().to_wagers().lay(1, 200)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP).article == "41 a)"
    assert play.table.meter is None and play.public()["jackpot"] is None
    assert play.settled().report.jackpot is UNSET


def test_blackjack_rule_41_a_chips_in_slots_are_not_keyed_in() -> None:
    play = Hands(prize="auto").to_wagers().lay(1, 200)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP).article == "41 a)"
    play.chips(1).until("deal")
    assert react(play.table, 2).lamps.lit_seats == (1,) and play.public()["slots"] == {"1": "counted"}
    assert "increment" not in {event.__struct_config__.tag for event in play.events}


def test_blackjack_rule_41_b_the_dealer_takes_the_chip_leaves_a_marker_and_enters_the_increment() -> None:
    play = Hands(prize="manual").to_wagers().lay(1, 200).lay(2, 200).mark(1, 2)
    play.lock()
    assert play.waits == "increment" and "leave a marker" in play.public()["step"]["prompt"]["en"]
    assert play.meter.pot == POT + 2 * TO_POT
    for amount in (0, TO_POT, 2 * TO_POT - 1, 2 * TO_POT + 1, 2 * CHIP, -2 * TO_POT):
        why = play.refused(EnterIncrement, amount=amount)
        assert why.article == "41 b)" and f"2 chips add {2 * TO_POT}" in sentence(why)
    assert play.refused(PlaceWager, seat=3, wager="jackpot", amount=CHIP).article == "48"
    play.say(EnterIncrement, amount=2 * TO_POT)
    assert play.step.to == ("seat 1",)
    assert play.refused(EnterIncrement, amount=2 * TO_POT).who == "table"


def test_blackjack_rule_41_b_no_chip_no_increment_and_a_full_pot_takes_none() -> None:
    play = Hands(prize="manual").to_wagers().lay(1, 200)
    play.lock()
    assert play.at("deal")
    full = Hands(prize="manual", pot=PRIZE.ceiling).to_wagers().lay(1, 200).mark(1)
    full.lock()
    assert full.waits == "increment" and full.refused(EnterIncrement, amount=TO_POT).article == "41 b)"
    full.say(EnterIncrement, amount=0)
    assert full.meter.overflow_e4 == TO_POT * E4


def test_blackjack_rule_41_b_an_increment_with_a_fraction_is_what_the_display_gains() -> None:
    odd = replace(PRIZE, increment_bp=7_050)  # 35.25 a chip
    play = Hands(prize="manual", parameters=odd)
    entered = []
    for _ in range(4):
        play.to_wagers().lay(1, 200).mark(1)
        before = play.meter.pot
        play.lock()
        entered.append(play.increment())
        play.until("begin")
        if not any(hit.round == play.table.rounds for hit in play.meter.hits):
            assert play.meter.pot - before == entered[-1]
    assert entered == [35, 35, 35, 36]


@pytest.mark.parametrize("amount", [1, CHIP - 1, CHIP + 1, 2 * CHIP, -CHIP])
def test_blackjack_rule_47_a_chip_is_a_chip(amount: int) -> None:
    play = Hands(prize="manual").to_wagers().lay(1, 200)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=amount).article == "47"


def backed(cards: str, *marked: str | None, **backers: int) -> Hands:
    """Ana bets at seat 1 beside backers, and the chips of these are marked by hand; None is a chip without a name."""
    play = Hands(cards, prize="manual").to_wagers().lay(1, 200, "Ana", **(backers or {"Rui": 100, "Eva": 300}))
    for name in marked:
        play.mark(1, player=name)
    return play


def test_blackjack_rule_47_marked_by_hand_each_player_who_bets_at_a_seat_has_one_chip() -> None:
    play = backed("Ac 9h Ad 8h", "Ana", "Eva")
    for name in ("Ana", "Eva", None):  # one without a name is of whoever decides
        assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP * 2, player=name).article == "47"
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP).article == "47"
    play.until("increment")
    assert (play.increment(), play.meter.chips_counted, play.meter.pot) == (2 * TO_POT, 2, POT + 2 * TO_POT)
    prize = 25 * CHIP
    lines = play.settled().lines()
    assert [line[:3] for line in lines if line[0] == "hand 1"] == [
        ("hand 1", "", 200), ("hand 1", "Rui", 100), ("hand 1", "Eva", 300)
    ]  # fmt: skip
    assert lines[1] == ("jackpot", "", CHIP, prize - CHIP, "43 e)")
    assert lines[4:] == [("jackpot", "Eva", CHIP, prize - CHIP, "43 e)")]
    own, *others = bets_at(play.report, 1)
    assert [(one.wager, one.player) for one in others] == [
        ("backing", "Rui"), ("backing", "Eva"), ("jackpot", "Eva"), ("jackpot", own.player)
    ]  # fmt: skip
    assert {one.amount for one in others if one.wager == "jackpot"} == {CHIP}
    awarded = prize_of(play.report).awards
    assert [(one.player, one.amount) for one in awarded] == [(None, prize), ("Eva", prize)]
    assert [(hit.seat, hit.player) for hit in play.until("claims").meter.hits] == [(1, ""), (1, "Eva")]
    assert play.refused(ConfirmHit, hit=2).article == "50 a)"
    play.pay()
    assert play.meter.paid_e4 == 2 * prize * E4 and play.meter.pending_e4 == 0


def test_blackjack_rule_47_a_backer_may_have_a_chip_where_the_seat_has_none() -> None:
    play = backed("Ac 9h Ad 8h", "Rui").settled()
    assert [line[:2] for line in play.lines() if line[0] == "jackpot"] == [("jackpot", "Rui")]
    assert seat_of(play.report, 1).net == play.lines()[0][3]


def test_blackjack_policy_one_chip_a_slot_of_whoever_decides_there() -> None:
    play = Hands("Ac 9h Ad 8h", prize="auto").to_wagers().lay(1, 200, "Ana", Rui=100).chips(1)
    refused = play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP, player="Rui")
    assert refused.article == "policy: one chip a slot"
    assert [line[1] for line in play.settled().lines() if line[0] == "jackpot"] == [""]


def test_blackjack_rule_47_at_a_vacant_seat_too() -> None:
    play = Hands("Tc Ac 9h 9c Ad 8h", prize="manual").to_wagers().lay(1, 200, "Ana").vacant(3, Rui=300, Eva=500)
    play.mark(3, player="Rui").mark(3).settled()  # the one without a name is Eva's, whose bet decides (16)
    won = [line[1] for line in play.lines(3) if line[0] == "jackpot"]
    assert won == ["", "Rui"] and bets_at(play.report, 3)[0].player == "Eva"


def test_blackjack_rule_45_a_marked_chip_lies_beside_a_bet_of_the_same_player() -> None:
    play = backed("", "Rui", Rui=100)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP, player="Bia").article == "45"
    assert play.refused(PlaceWager, seat=1, wager="backing", amount=0, player="Rui").article == "45"
    play.lock()
    assert play.refused(PlaceWager, seat=1, wager="backing", amount=0, player="Rui").article == "45"
    early = Hands(prize="manual").to_wagers().mark(1, player="Bia").lay(1, 200, "Ana")
    assert early.refused(LockIn).article == "45"
    early.say(PlaceWager, seat=1, wager="jackpot", amount=0, player="Bia")
    assert early.until("deal").round.chips == ()


def test_blackjack_rule_47_two_marks_of_one_player_are_found_as_the_bets_are_closed() -> None:
    play = Hands(prize="manual").to_wagers().mark(1).mark(1, player="Ana").lay(1, 200, "Ana")
    assert play.refused(LockIn).article == "47"


def test_blackjack_rule_50_b_players_at_one_seat_divide_the_whole_pot() -> None:
    play = backed("Ac 9h As 8h Ac As", "Ana", "Rui").decides("hit", "hit").settled()
    pot = POT + 2 * TO_POT
    assert [(one.player, one.amount, one.article) for one in prize_of(play.report).awards] == [
        (None, pot - pot // 2, "50 b)"), ("Rui", pot // 2, "50 b)")
    ]  # fmt: skip


def test_blackjack_rule_41_b_a_backer_s_marker_is_corrected_and_his_hit_withdrawn() -> None:
    play = backed("Ac 9h Ad 8h", "Ana", "Rui").until("confirm")
    play.change(CorrectWager, seat=1, wager="jackpot", amount=0, player="Rui", reason="it lay elsewhere")
    assert [hit.player for hit in play.meter.hits] == [""] and play.meter.chips_counted == 1
    assert "increment_changed" in play.told()
    assert play.refused(CorrectWager, seat=1, wager="jackpot", amount=CHIP, player="Bia", reason="x").article == "45"
    play.change(CorrectWager, seat=1, wager="jackpot", amount=CHIP, player="Eva", reason="it was hers")
    assert [hit.player for hit in play.meter.hits] == ["", "Eva"]
    assert play.refused(CorrectWager, seat=1, wager="backing", amount=0, player="Eva", reason="x").article == "45"
    play.change(CorrectSeat, seat=1, to_seat=4, reason="x")
    assert [(hit.seat, hit.player) for hit in play.meter.hits] == [(4, ""), (4, "Eva")]
    assert play.until("claims").pay().meter.paid_e4 == 50 * CHIP * E4


@pytest.mark.parametrize("cards", [2, 9])
def test_blackjack_rule_43_a_void_gives_every_marked_chip_back_or_leaves_it_decided(cards: int) -> None:
    play = backed("Ac 9h Ad 8h", "Ana", "Eva").until("deal")
    for _ in range(cards):
        if not play.at("confirm"):
            play.go_on()
    play.say(VoidRound, "rui", reason="x")
    play.why_void()
    chips = [line for line in seat_of(play.report, 1).lines if line.wager == "jackpot"]
    assert [line.player for line in chips] == [None, "Eva"]
    if cards == 2:
        assert {line.outcome for line in chips} == {"void"}
        assert (play.meter.pot, play.meter.chips_counted, play.meter.hits) == (POT, 0, ())
    else:
        assert [hit.player for hit in play.meter.hits] == ["", "Eva"] and play.meter.chips_counted == 2


def test_blackjack_rule_48_a_chip_after_lock_in_never_counts() -> None:
    play = offered("", 1, 2, chips=(1,)).chips(2)
    assert play.table.slots[2].state == "late" and play.told()[-1] == "late_chip" and play.round.chips == (1,)
    marked = offered("", 1, 2, prize="manual", chips=(1,))
    assert marked.refused(PlaceWager, seat=2, wager="jackpot", amount=CHIP).article == "48"
    assert marked.refused(PlaceWager, seat=1, wager="jackpot", amount=0).article == "48"
    for one in (play, marked):
        assert one.settled().meter.chips_counted == 1


@BOTH
def test_blackjack_rule_45_a_bet_with_a_chip_beside_it_is_not_taken_back_after_lock_in(prize: str) -> None:
    play = offered("", 1, 3, prize=prize, chips=(3,))
    assert play.refused(PlaceWager, seat=3, wager="bet", amount=0).article == "45"
    play.lay(3, 500)
    assert bets_at(play.settled().report, 3) == [Laid(3, "bet", None, 500), Laid(3, "jackpot", None, CHIP)]


@BOTH
def test_blackjack_rule_45_a_bet_laid_after_lock_in_gives_no_chip_back_its_turn(prize: str) -> None:
    play = offered("", 1, prize=prize, chips=(1, 3)).lay(3, 200)
    assert play.round.chips == (1,)
    assert bets_at(play.settled().report, 3) == [Laid(3, "bet", None, 200)]


# ---- 42, 43, 46: what the first cards win


@pytest.mark.parametrize(
    ("cards", "words", "tier", "times", "article"),
    [
        ("Ac 9h Ad 8h", ("stand",), "two_aces", 25, "43 e)"),
        ("Ac 9h Ac 8h", ("stand",), "two_aces_one_suit", 100, "43 d)"),
        ("Ac 9h Ac 8h Ah", ("hit", "stand"), "three_aces", 250, "43 c)"),
        ("Ac 9h Ac 8h Ac Tc", ("hit", "stand"), "three_aces_one_suit", 2500, "43 b)"),
        ("Ac 9h Ac 8h Ac 5c", ("split", "stand"), "three_aces_one_suit", 2500, "43 b)"),
        ("Ac 9h As 8h Ad Ah", ("hit", "hit", "stand"), "three_aces", 250, "43 c)"),
    ],
)
def test_blackjack_rule_42_and_43_the_first_two_or_three_cards_hits_and_splits_included(
    cards: str, words: tuple[str, ...], tier: str, times: int, article: str
) -> None:
    play = offered(cards, 1).decides(*words)
    assert awards(play) == [(1, tier, times * CHIP, article)]
    assert ("jackpot", "", CHIP, times * CHIP - CHIP, article) in play.lines()
    assert play.meter.pot == POT + TO_POT - times * CHIP


@pytest.mark.parametrize("cards", ["Ac 9h As 8h Ac As", "Ad 9h Ah 8h Ah Ad"])
def test_blackjack_rule_43_a_four_aces_of_one_colour_take_what_is_in_the_pot(cards: str) -> None:
    play = offered(cards, 1).decides("hit", "hit")
    assert awards(play) == [(1, "four_aces_one_colour", POT + TO_POT, "43 a)")]
    assert play.meter.pot == PRIZE.minimum and "pot_restarted" in play.kinds


@pytest.mark.parametrize("cards", ["9h Ac Ad Kc 8h", "Kc 9h Ac 8h"])
def test_blackjack_rule_43_other_cards_lose_the_chip(cards: str) -> None:
    play = offered(cards, 1)
    assert [line for line in play.lines() if line[0] == "jackpot"] == [("jackpot", "", CHIP, -CHIP, "43")]
    assert play.meter.pot == POT + TO_POT


@pytest.mark.parametrize("words", [("yes",), ("no", "hit", "hit")])
def test_blackjack_rule_43_and_46_the_prize_is_won_whatever_became_of_the_hand(words: tuple[str, ...]) -> None:
    play = offered("Ac Th Ad 8h Tc Kc", 1)
    for word in words:
        play.until("ask").answer(word)
    play.until("confirm")
    assert awards(play) == [(1, "two_aces", 25 * CHIP, "43 e)")] and play.lines()[0][3] < 0


def test_blackjack_rule_39_aces_without_a_chip_win_nothing() -> None:
    play = offered("Ac As 9h Ad Ac 8h", 1, 2, chips=(2,)).until("confirm")
    assert awards(play) == [(2, "two_aces", 25 * CHIP, "43 e)")]


# ---- 49 and 50: paid


def test_blackjack_rule_50_a_smaller_prizes_first_and_the_highest_takes_the_rest() -> None:
    play = offered("Ah Ac Ac 9h Ad Ac Ad 8h Ah Ad Ah Kd", 1, 2, 3)
    play.decides("hit", "hit", "stand", "stand")
    low, high = awards(play)[:2], awards(play)[2]
    assert low == [(3, "two_aces", 25 * CHIP, "43 e)"), (2, "two_aces_one_suit", 100 * CHIP, "43 d)")]
    assert high == (1, "four_aces_one_colour", POT + 3 * TO_POT - 125 * CHIP, "43 a)")
    assert play.meter.pot == PRIZE.minimum


def test_blackjack_rule_50_a_a_prize_is_confirmed_when_every_smaller_one_is_paid() -> None:
    play = offered("Ah Ac Ac 9h Ad Ac Ad 8h Ah Ad Ah Kd", 1, 2, 3).decides("hit", "hit", "stand", "stand")
    play.until("confirm").say(Confirm)
    for hit in (1, 2, 3):
        for later in range(hit + 1, 4):
            why = play.refused(ConfirmHit, "rui", hit=later)
            seat = play.meter.hits[hit - 1].seat
            assert (english(why.reason), why.article) == (f"hit {hit} of seat {seat} is paid before it", "50 a)")
        play.say(ConfirmHit, hit=hit)
        play.say(ConfirmHit, "rui", hit=hit)
    assert [(hit.seat, hit.slip) for hit in play.meter.hits] == [(3, 1), (2, 2), (1, 3)]


def test_blackjack_rule_50_a_the_screen_shows_the_smaller_prizes_before_the_greater() -> None:
    play = offered("Ah Ac Ac 9h Ad Ac Ad 8h Ah Ad Ah Kd", 1, 2, 3).decides("hit", "hit", "stand", "stand")
    kinds: tuple[StepKind, ...] = ("confirm", "claims")
    for kind in kinds:
        told = play.until(kind).public()["step"]["prompt"]["en"]
        assert "Prizes in this order: 1. seat 3: 12.50; 2. seat 2: 50.00; 3. seat 1: " in told and "(50 a))." in told
    assert play.public()["jackpot"]["turns"]["3"] == {"turn": 3, "of": 3}


def test_blackjack_rule_47_and_50_a_the_order_names_whose_prize_it_is_where_several_bet_at_a_seat() -> None:
    told = backed("Ac 9h Ad 8h", "Ana", "Eva").until("confirm").public()["step"]["prompt"]["en"]
    assert "Prizes in this order: 1. seat 1: 12.50; 2. seat 1 Eva: 12.50 (50 a))." in told


def test_blackjack_rule_50_b_the_highest_twice_is_divided() -> None:
    play = offered("Ah Ac 9h Ad As 8h Ah Ad As Ac Kd", 1, 2)
    play.decides("hit", "hit", "stand", "hit", "hit", "stand")
    pot = POT + 2 * TO_POT
    assert awards(play) == [
        (1, "four_aces_one_colour", pot - pot // 2, "50 b)"), (2, "four_aces_one_colour", pot // 2, "50 b)")
    ]  # fmt: skip


def test_blackjack_rule_50_the_house_pays_what_the_pot_cannot_and_the_pot_starts_again() -> None:
    play = offered("Ac 9h Ac 8h Ac", 1, pot=1_000).decides("hit", "stand")
    [award] = prize_of(play.settled().report).awards
    assert (award.amount, award.from_pot, award.from_house) == (2500 * CHIP, 1_035, 2500 * CHIP - 1_035)
    assert play.meter.pot == PRIZE.minimum and play.meter.house_funded_e4 > 0


@BOTH
def test_blackjack_rule_49_winning_cards_stay_until_the_prize_is_paid_by_two_persons(prize: str) -> None:
    play = offered("Ac 9h Ad 8h", 1, prize=prize).until("confirm")
    assert play.refused(ConfirmHit, hit=1).article == "policy: two persons pay a hit"
    play.say(Confirm)
    assert play.refused(CloseClaims).article == "49"
    play.say(ConfirmHit, hit=1)
    for actor in ("ana", "bia"):
        assert play.refused(ConfirmHit, actor, hit=1).article == "policy: two persons pay a hit"
    assert play.refused(CloseClaims).article == "49" and "WIN" in str(play.public()["sign"])
    play.say(ConfirmHit, "rui", hit=1)
    play.say(CloseClaims)
    assert play.at("begin") and play.meter.paid_e4 == 25 * CHIP * E4


def test_blackjack_rule_49_nor_are_they_held_over_in_a_dispenser() -> None:
    play = Hands("Ac 9h Ad 8h", source="shuffler", prize="auto").to_wagers().lay(1, 200).chips(1).until("claims")
    assert play.refused(HoldCards).article == "49"
    play.pay().say(HoldCards)
    assert play.at("begin")


def test_blackjack_rule_49_an_older_hit_keeps_no_cards() -> None:
    play = offered("Ac 9h Ad 8h", 1).until("claims").pay()
    play.say(CloseClaims)
    play.sweep().to_deal(2).until("claims").say(CloseClaims)


@BOTH
@pytest.mark.parametrize("cards", range(1, 4))
def test_blackjack_rule_44_a_deal_that_is_void_gives_chips_and_contributions_back(prize: str, cards: int) -> None:
    play = offered("Ac 9h Ad 8h", 1, prize=prize)
    for _ in range(cards):
        play.go_on()
    play.say(VoidRound, "rui", reason="x")
    assert play.why_void() == "policy: supervisor's void"
    assert (play.meter.pot, play.meter.hits, play.meter.chips_counted) == (POT, (), 0)
    assert play.report.jackpot == SettledJackpot(pot_before=POT + TO_POT, pot_after=POT, awards=[])
    assert seat_of(play.report, 1).lines[-1].chip_carried is False
    play.until("begin").sweep().to_wagers().lay(1, 200)
    assert play.until("deal").round.chips == ()


# ---- corrections


@BOTH
def test_blackjack_rule_45_a_bet_that_was_never_there_takes_its_chip_along(prize: str) -> None:
    play = offered("", 1, 2, prize=prize)
    play.change(CorrectWager, seat=2, wager="bet", amount=0, reason="x")
    assert play.round.chips == (1,) and play.meter.chips_counted == 1
    assert play.settled().meter.pot == POT + TO_POT


def test_blackjack_rule_41_b_a_marker_entered_wrongly_is_corrected() -> None:
    play = offered("Ac 9h Ad 8h", 1, prize="manual").until("confirm")
    play.change(CorrectWager, seat=1, wager="jackpot", amount=0, reason="x")
    assert (play.round.chips, play.meter.pot, play.meter.hits) == ((), POT, ())
    assert [line[0] for line in play.lines()] == ["hand 1"]
    play.change(CorrectWager, seat=1, wager="jackpot", amount=CHIP, reason="it was there")
    assert awards(play) == [(1, "two_aces", 25 * CHIP, "43 e)")]
    assert play.refused(CorrectWager, seat=1, wager="jackpot", amount=CHIP + 1, reason="x").article == "47"


def test_blackjack_rule_47_a_bet_entered_at_the_wrong_seat_leaves_the_chip_in_its_slot() -> None:
    play = offered("Ac 9h Ad 8h", 1).until("confirm")
    play.change(CorrectSeat, seat=1, to_seat=4, reason="x")
    assert play.round.chips == () and play.round.returned_chips == (1,) and play.meter.pot == POT
    marked = offered("Ac 9h Ad 8h", 1, prize="manual").until("confirm")
    marked.change(CorrectSeat, seat=1, to_seat=4, reason="x")
    assert marked.round.chips == (4,) and marked.lines(4)[1][:3] == ("jackpot", "", CHIP)


# ---- the sensors


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_rule_41_a_chips_taken_out_before_lock_in_or_left_from_before(source: CardSource) -> None:
    play = Hands(source=source, prize="auto").to_wagers().lay(1, 200).lay(2, 200).chips(1, 2)
    play.hear(ChipGone(seat=1, counter=50))
    play.until("deal")
    assert play.round.chips == (2,)
    play.until("begin").to_wagers().lay(2, 200).lay(3, 200)
    play.hear(ChipSensed(seat=3, counter=9))
    play.lock()
    assert play.round.chips == (3,) and "unswept_chip" in play.told()
    play.hear(CardsHeard(source=source, cards=play.take()))
    play.settled()
