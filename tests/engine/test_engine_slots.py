"""Jackpot chips and their sensors: late, passing, doubtful, stuck, too many, or unseen because a link is away."""

import msgspec
import pytest

from controller.engine.decisions.betting import ChipGone, ChipSensed, LockInPressed
from controller.engine.decisions.devices import DeviceMissed
from controller.engine.shown.device_orders import react
from controller.engine.shown.prompts import lines_by
from controller.engine.state.current import cell
from controller.rulebook.games import GAMES
from controller.runtime.translation import Translator
from controller.words import ENGLISH
from drivers.messages import LinkLost, SlotsRead
from drivers.wiring import Wiring
from tests.engine.playing import Play

GAME = GAMES["fortune-3-card-poker-2025"]
WIRING = Wiring(seats={line: line + 1 for line in range(6)}, button_input=7, lock_lamp_relay=6)


def betting(*seats: int) -> Play:
    """The betting is open, with antes at these seats."""
    play = Play().to_wagers()
    for seat in seats or (1, 2):
        play.bet(seat, ante=100)
    return play


def notices(play: Play) -> set[tuple[str, int | None]]:
    return {(notice.notice, notice.seat) for notice in play.table.notices}


def counting(play: Play) -> tuple[int, ...]:
    return play.round.chips


def in_both_languages(play: Play) -> None:
    """Whatever the dealer was notified of has words in two languages."""
    notices = msgspec.json.decode(play.projection())["notices"]
    assert len(notices) == len(play.table.notices) > 0
    assert all(words["en"] and words["pt"] and "{" not in words["en"] + words["pt"] for words in notices)


def played_on(play: Play) -> None:
    """The main game is played to its settled end."""
    play.until("confirm", "claims")
    assert play.round.settlement is not None and play.round.settlement.outcome == "settled"
    play.until("begin")


class Unit:
    """The slots as their unit reports them: levels and counters, read into a table in play."""

    def __init__(self, play: Play) -> None:
        self.play, self.translator = play, Translator(WIRING)
        self.before: tuple[int, ...] | None = None
        lying = play.table.slots
        self.levels = [line + 1 in lying for line in range(8)]
        self.counters = [lying[line + 1].counter if line + 1 in lying else 0 for line in range(8)]
        self.read()

    def move(self, seat: int, level: bool, edges: int) -> "Unit":
        self.levels[seat - 1] = level
        self.counters[seat - 1] = (self.counters[seat - 1] + edges) % 65536
        return self.read()

    def read(self) -> "Unit":
        read = SlotsRead(tuple(self.levels), tuple(self.counters), self.before)
        self.before = read.counters
        for input in list(self.translator.inputs("slots", read, self.play.table)):
            self.play.receive(input)
        return self

    def lose(self) -> "Unit":
        self.before = None
        for input in list(self.translator.inputs("slots", LinkLost(reason="gone"), self.play.table)):
            self.play.receive(input)
        return self


# ---- doubtful sensors


def storm(play: Play, seat: int, level: bool, edges: int) -> None:
    Unit(play).move(seat, level, edges)


@pytest.mark.parametrize("level", [True, False])
@pytest.mark.parametrize("edges", [5, 32_000])
def test_a_sensor_in_a_storm_is_doubted_and_never_counts(level: bool, edges: int) -> None:
    play = betting(1, 2).chips(2)
    storm(play, 1, level, edges)
    assert ("doubtful_sensor", 1) in notices(play)
    assert b"slots-seat-1" in play.projection()
    play.lock()
    assert play.round.chips == (2,) and play.meter.chips_counted == 1
    in_both_languages(play)
    played_on(play)


@pytest.mark.parametrize("moves", range(1, 9))
def test_a_chip_placed_and_taken_back_four_times_is_believed_and_not_more_often(moves: int) -> None:
    play = betting()
    for move in range(moves):
        play.receive(ChipSensed(seat=1, counter=move))
        if move < moves - 1:
            play.receive(ChipGone(seat=1, counter=move))
    play.lock()
    assert play.round.chips == ((1,) if moves <= 4 else ())
    assert (("doubtful_sensor", 1) in notices(play)) is (moves > 4)
    played_on(play)


def test_a_storm_of_a_thousand_readings_reports_once_and_writes_no_thousand_events() -> None:
    play = betting()
    unit = Unit(play)
    before = len(play.entries)
    for turn in range(1_000):
        unit.move(1, turn % 2 == 0, 10)
    assert len(play.entries) - before <= 4
    play.lock()
    assert play.round.chips == ()
    played_on(play)


def test_a_doubtful_sensor_is_believed_again_in_the_next_betting() -> None:
    play = betting()
    unit = Unit(play).move(1, True, 100)
    play.lock()
    unit.move(1, False, 0)
    played_on(play)
    play.to_wagers().bet(1, ante=100)
    unit.move(1, True, 1)
    play.lock()
    assert play.round.chips == (1,) and "slots-seat-1" not in play.active_alarms()


def test_a_sensor_that_runs_away_after_the_lock_takes_no_counted_chip_back() -> None:
    play = betting()
    unit = Unit(play).move(1, True, 1)
    play.lock()
    unit.move(1, True, 500)
    assert counting(play) == (1,) and play.meter.chips_counted == 1
    played_on(play)
    play.to_wagers().bet(1, ante=100).lock()
    assert counting(play) == () and play.meter.chips_counted == 1


# ---- too many, slots away, sign away


def test_art_2_2_a_sign_that_is_away_is_reported_with_the_article() -> None:
    play = betting().chips(1)
    play.receive(DeviceMissed(device="sign", reason="unplugged"))
    prompt = msgspec.json.decode(play.projection())["step"]["prompt"]
    assert prompt["en"].endswith("No new jackpot chip counts (2.º 2).")
    assert prompt["pt"].endswith("Nenhuma ficha nova do jackpot conta (2.º 2).")
    assert prompt["zh"].endswith("不接受新的彩池籌碼（2.º 2）。")
    play.lock()
    assert notices(play) == {("sign_lost", 1)}
    assert all("2.º 2" in text for text in msgspec.json.decode(play.projection())["notices"][0].values())
    assert cell(GAME, "sign", "lost", "wagers", "shuffler").citation == "2.º 2"


def test_blackjack_rule_41_a_sign_that_is_away_is_reported_with_the_rule() -> None:
    lost = cell(GAMES["blackjack-21"], "sign", "lost", "wagers", "shoe")
    assert (lost.citation, lines_by(lost, GAMES["blackjack-21"])["en"]) == ("41", "No new jackpot chip counts (41).")
    assert "(41)" in ENGLISH.dealer_notified["sign_lost/hands"]


# ---- lamps


def test_lamps_are_lit_where_a_chip_counts_from_the_lock_to_the_confirmation() -> None:
    play = betting(1, 2, 3).chips(1, 3, 5)
    for step in ("wagers", "deal", "decisions", "reveal", "confirm", "claims"):
        lamps = react(play.until(step).table, 2).lamps
        lit = step not in ("wagers", "claims")
        assert (lamps.lit_seats, lamps.lock) == (((1, 3), True) if lit else ((), False))


def test_the_lamps_of_a_void_round_go_out_at_once() -> None:
    play = betting(1).chips(1)
    play.lock()
    assert react(play.table, 2).lamps.lit_seats == (1,)
    play.deal_one(count=2)
    assert react(play.table, 2).lamps.lit_seats == ()


def test_the_button_may_be_pressed_a_thousand_times() -> None:
    play = betting()
    for _ in range(1_000):
        play.receive(LockInPressed())
    assert len(play.table.notices) == 1 and play.step.kind == "deal"
    played_on(play)
