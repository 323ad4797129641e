"""Black-jack/21 at the table, 38 to 50: chips in slots or marked by hand, what they win, the meter, a void round."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine.decisions.betting import EnterIncrement, PlaceWager
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.jackpot import Confirm, ParametersRead
from controller.engine.decisions.session import InsertionReported
from controller.engine.shown.device_orders import react
from controller.engine.state.jackpot import E4, HitMadePayable, HitWithdrawn, MeterOpened
from controller.engine.state.persons import Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.events import CardSource
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.hands import CHIP, PRIZE, Hands
from tests.engine.reported import prize_of, reported_bets
from tests.engine.test_engine_display import read

BOTH = pytest.mark.parametrize("prize", ["auto", "manual"])
POT = 600_000
TO_POT = CHIP * 7_000 // 10_000


def offered(cards: str, *seats: int, prize: str = "auto", chips: tuple[int, ...] = ()) -> Hands:
    """Bets of 200 at these seats, chips at all of them or at `chips`; the deal begins."""
    play = Hands(cards, prize=prize, pot=POT).to_wagers()
    for seat in seats:
        play.place_bet(seat, 200)
    if prize == "auto":
        play.chips(*(chips or seats))
    else:
        play.mark(*(chips or seats))
    return play.until("deal")


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
    assert reported_bets(play.settled().report) == [
        (1, "bet", None, 200), (1, "jackpot", None, CHIP), (3, "bet", None, 200), (5, "bet", None, 200),
        (5, "jackpot", None, CHIP),
    ]  # fmt: skip


def test_blackjack_rule_38_without_an_accumulated_prize_there_are_no_chips() -> None:
    play = Hands().to_wagers().place_bet(1, 200)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP).article == "41 a)"
    assert play.table.meter is None and play.public()["jackpot"] is None
    assert play.settled().report.jackpot is UNSET


def test_blackjack_rule_41_a_chips_in_slots_are_not_keyed_in() -> None:
    play = Hands(prize="auto").to_wagers().place_bet(1, 200)
    assert play.refused(PlaceWager, seat=1, wager="jackpot", amount=CHIP).article == "41 a)"
    play.chips(1).until("deal")
    assert react(play.table, 2).lamps.lit_seats == (1,) and play.public()["slots"] == {"1": "counted"}
    assert "increment_entered" not in play.kinds


def test_blackjack_rule_41_b_no_chip_no_increment_and_a_full_pot_takes_none() -> None:
    play = Hands(prize="manual").to_wagers().place_bet(1, 200)
    play.lock()
    assert play.at("deal")
    full = Hands(prize="manual", pot=PRIZE.ceiling).to_wagers().place_bet(1, 200).mark(1)
    full.lock()
    assert full.waits == "increment" and full.refused(EnterIncrement, amount=TO_POT).article == "41 b)"
    full.say(EnterIncrement, amount=0)
    assert full.meter.overflow_e4 == TO_POT * E4


def test_blackjack_rule_41_b_an_increment_with_a_fraction_is_what_the_display_gains() -> None:
    odd = replace(PRIZE, increment_bp=7_050)  # 35.25 a chip
    play = Hands(prize="manual", parameters=odd)
    entered = []
    for _ in range(4):
        play.to_wagers().place_bet(1, 200).mark(1)
        before = play.meter.pot
        play.lock()
        entered.append(play.increment())
        play.until("begin")
        if not any(hit.round == play.table.rounds for hit in play.meter.hits):
            assert play.meter.pot - before == entered[-1]
    assert entered == [35, 35, 35, 36]


def test_blackjack_rule_48_a_chip_after_lock_in_never_counts() -> None:
    play = offered("", 1, 2, chips=(1,)).chips(2)
    assert play.table.slots[2].state == "late" and play.notices()[-1] == "late_chip" and play.round.chips == (1,)
    marked = offered("", 1, 2, prize="manual", chips=(1,))
    assert marked.refused(PlaceWager, seat=2, wager="jackpot", amount=CHIP).article == "48"
    assert marked.refused(PlaceWager, seat=1, wager="jackpot", amount=0).article == "48"
    for each in (play, marked):
        assert each.settled().meter.chips_counted == 1


# ---- 49 and 50: paid


def test_blackjack_rule_50_a_the_screen_shows_the_smaller_prizes_before_the_greater() -> None:
    play = offered("Ah Ac Ac 9h Ad Ac Ad 8h Ah Ad Ah Kd", 1, 2, 3).decides("hit", "hit", "stand", "stand")
    kinds: tuple[StepKind, ...] = ("confirm", "claims")
    for kind in kinds:
        prompt = play.until(kind).public()["step"]["prompt"]["en"]
        assert (
            "Prizes in this order: 1. seat 3: 12.50; 2. seat 2: 50.00; 3. seat 1: " in prompt and "(50 a))." in prompt
        )
    assert play.public()["jackpot"]["turns"]["3"] == {"turn": 3, "of": 3}


@BOTH
def test_blackjack_rule_48_with_the_prize_nothing_more_closes_every_bet(prize: str) -> None:
    play = offered("", 1, 3, prize=prize, chips=(1,))
    play.until("deal")
    assert read(play)["stage"] == "no_more"
    for seat, wager, amount, player in ((3, "bet", 0, None), (3, "bet", 500, None), (3, "backing", 200, "B")):
        assert play.refused(PlaceWager, seat=seat, wager=wager, amount=amount, player=player).article == "48"


def test_blackjack_rule_13_without_the_prize_the_screen_says_when_the_bets_close() -> None:
    play = Hands().to_wagers().place_bet(1, 200).place_bet(5, 200)
    play.until("deal").comes_out()
    assert read(play)["stage"] == "until_card"
    play.place_bet(5, 400)
    while read(play)["stage"] == "until_card":
        play.comes_out()
    assert play.bank() and play.refused(PlaceWager, seat=7, wager="bet", amount=200).article == "13"


def first_words(play: Hands) -> str:
    return play.prompt["en"].partition(". ")[0]


def test_blackjack_rule_21_a_black_jack_that_the_bank_cannot_equal_is_paid_at_that_moment() -> None:
    play = Hands("Ah Tc 9h Kd 8h Tc 5s").to_wagers().place_bet(1, 200).place_bet(2, 200)
    play.until("deal")
    while not play.hands(1) or "Kd" not in play.hands(1)[0]:
        assert "at once" not in play.prompt["en"]
        play.proceed()
    assert first_words(play) == "Seat 1: pay at once and gather its cards (21)"
    play.proceed()
    assert "at once" not in play.prompt["en"]


def test_blackjack_rule_22_and_49_a_lost_bet_is_collected_at_that_moment_and_cards_of_the_prize_stay() -> None:
    lost = Hands("Tc Tc 9h 6d 8h Tc Kd 5s").to_ask(1, 2)
    lost.answers("hit").until("ask")
    assert first_words(lost) == "Seat 1: collect at once what is lost, and its cards (22)"
    won = offered("Ac Tc 9h Ad 8h Tc 5c Kd Td 5s", 1, 2, chips=(1,)).until("ask")
    while not any("lost" in hand for hand in won.hands(1)):
        won.answers("hit") if won.at("ask") and won.step.question == "decision" else won.proceed()
    text = won.prompt["en"]
    assert text.startswith("Seat 1: collect at once what is lost (22). Its cards have won of the prize: they stay")


# ---- Black-jack/21, 49: the winning cards stay on the table until the prize is paid, also beside a machine.


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_rule_49_the_prompt_says_which_cards_stay_and_who_pays(source: CardSource) -> None:
    play = Hands("Ac 9h Ad 8h", source=source, prize="auto").to_wagers().place_bet(1, 200).chips(1).until("confirm")
    assert "seat 1 stay on the table" in play.public()["step"]["prompt"]["en"]
    for text in play.until("claims").public()["step"]["prompt"].values():
        assert "49" in text and "1" in text
    assert "two persons confirm hit 1" in play.public()["step"]["prompt"]["en"]
    if source == "shuffler":
        play.receive(InsertionReported(count=4))
        assert "went into the shuffler" in play.public()["step"]["prompt"]["en"]
    play.pay()
    assert "49" not in play.public()["step"]["prompt"]["en"]


# ---- Black-jack/21 at the table: who voids a round whose cards decide, and what stands when it is void.


BOTH_SOURCES = pytest.mark.parametrize("source", ["shoe", "shuffler"])
BREAKS: list[tuple[type[Any], dict[str, str]]] = [
    (VoidRound, {"reason": "power cut"}),
    (Misdealt, {"what": "order", "reason": "seen late"}),
]
BROKEN = pytest.mark.parametrize("broken", BREAKS, ids=["broken off", "misdealt"])
DEAL = "Ac Tc 6h Kc 9d 8h"  # a black-jack at seat 1, 19 at seat 2, a six and an eight at the bank


def void(play: Hands, broken: tuple[type[Any], dict[str, str]]) -> Hands:
    """A supervisor voids the round."""
    play.say(broken[0], "rui", **broken[1])
    play.why_void()
    return play


def reason(play: Hands) -> str:
    assert play.round.void is not None
    return english(play.round.void.why)


# ---- what stands


@BOTH_SOURCES
@BROKEN
@pytest.mark.parametrize("kind", ["ask", "reveal", "confirm"])
def test_blackjack_rule_21_a_black_jack_that_is_due_is_paid_though_the_round_is_void(
    source: CardSource, broken: tuple[type[Any], dict[str, str]], kind: Any
) -> None:
    play = Hands(DEAL, source=source).to_wagers().place_bet(1, 200, "Ana", Rui=100).place_bet(2, 200).until(kind)
    assert void(play, broken).lines_decided() == [(1, "hand 1", 300, "21"), (1, "hand 1 Rui", 150, "21")]
    assert [(of.seat, of.net) for of in play.report.seats] == [(1, 300), (2, 0)]
    prompt = play.public()["step"]["prompt"]
    assert "what is decided remains" in prompt["en"] and "mantém-se" in prompt["pt"] and "有效" in prompt["zh"]
    play.until("begin").to_deal(2).settled()


# ---- the accumulated prize


@BROKEN
@pytest.mark.parametrize("prize", ["auto", "manual"])
def test_blackjack_rule_43_and_49_what_is_locked_stays_and_is_paid(
    prize: str, broken: tuple[type[Any], dict[str, str]]
) -> None:
    play = offered("Ac Tc 9h Ad 9c 8h", 1, 2, prize=prize).until("confirm")
    before, known = play.meter, len(play.events)
    assert [hit.amount for hit in before.hits] == [25 * CHIP]
    void(play, broken)
    assert play.meter == before and not any(isinstance(event, HitWithdrawn) for event in play.events[known:])
    assert play.lines_decided() == [(1, "jackpot", 24 * CHIP, "43 e)"), (2, "jackpot", -CHIP, "43")]
    won = prize_of(play.report)
    assert [award.seat for award in won.awards] == [1]
    assert (won.pot_before, won.pot_after) == (POT + 2 * TO_POT, POT + 2 * TO_POT - 25 * CHIP)
    assert prize == "manual" or {chip.state for chip in play.table.slots.values()} == {"counted"}
    assert HitMadePayable(hit=1) in play.say(Confirm)
    play.pay()
    assert play.meter.paid_e4 == 25 * CHIP * E4 and play.meter.pending_e4 == 0
    play.until("begin")
    assert play.meter.chips_counted == 2 and play.meter.returned_e4 == 0
