"""What the watch shows and reports each game, from tables played in memory."""

import json

import msgspec

from controller.commands.watch import sightings, view
from controller.commands.watched import FeltRow, PublicDict, Sight, felt_rows
from controller.commands.watched_changes import change_lines
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport
from controller.engine.decisions.jackpot import ConfirmHit
from controller.engine.shown.device_orders import react
from controller.engine.shown.display import for_strangers
from controller.engine.shown.projection import project
from controller.engine.state.persons import CorrectWager, VoidRound
from controller.rulebook.parts.faults import Trouble
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import IDENTITY, Play, stacked
from tests.engine.spaces import Spaces
from tests.engine.table_2008 import Play2008


def seen(play: Play) -> PublicDict:
    """The table as the stream would show it now."""
    identity = {"schema": 1, "as_of": 0, **msgspec.to_builtins(IDENTITY)}
    return {**identity, **json.loads(play.projection())}


JAMMED = "shuffler: jammed. Clear the jam, or report that the shuffler failed. (at order 1)"
AWAY = "alarm: The sign does not answer. Check cable and power; if it stays away, call a technician."
HIT = "jackpot: hit 1 of round 1, seat 1: straight flush, 600.35, locked"  # a tenth of the pot
DEALT = stacked("9s 8s 7s", "9h 9d 2c", "2d 5h 7c", "Kd Qc 4h", "3c 6s 5s")  # seats 1 to 3, bank, discard and two


def poker() -> Play:
    """Seat 1 with a chip, seat 2 Pair Plus alone, seat 3 ante alone."""
    play = Play(DEALT).to_wagers()
    return play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)


def row(table: PublicDict, place: str) -> FeltRow:
    return next(row for row in felt_rows(table) if row.place == place)


def test_a_round_of_2025_is_shown_with_hands_face_down_until_they_are_turned() -> None:
    play = poker()
    play.lock()
    play.deal()
    dealt = seen(play)
    assert row(dealt, "seat 1") == FeltRow(
        "seat 1", True, ("ante 1.00", "jackpot 5.00"), "3 face down", "", None, ()
    )  # fmt: skip
    assert not row(dealt, "seat 2").due and row(dealt, "community").cards == "2 face down"
    play.decisions("play", seat_3="fold")
    play.reveal()
    settled = seen(play)
    bank, first = row(settled, "bank"), row(settled, "seat 1")
    assert (bank.cards, bank.says) == ("K♦ Q♣ 4♥", "high card, plays")
    assert (first.cards, first.says) == ("9♠ 8♠ 7♠", "play, straight flush")
    assert first.results[0] == "ante win 1:1 +1.00" and first.results[-1].startswith("jackpot win")
    assert first.net == settled["round"]["settlement"]["seats"][0]["net"]
    folded = row(settled, "seat 3")
    assert (folded.cards, folded.says, folded.net) == ("3 face down", "fold", -300)
    lines = view(Sight("fortune-3-card-poker-2025", settled))
    assert lines[:2] == [
        "site/t1  fortune-3-card-poker-2025, MOP  SIMULATION",
        "round 1, settle, from the shuffler: Collect what is lost, pay what is won, then confirm the round."
        " Seat 1: pay 7.00 now. Jackpot 600.35: after the round, with a supervisor."
        " The cards of seat 1 and the community cards stay on the table, face up, until the prize is paid (8.º 6)).",
    ]
    assert "  seat 2     pair plus 2.00; 9♥ 9♦ 2♣; pair; +2.00; pair plus win 1:1 +2.00" in lines
    assert lines[-3:-1] == ["pot 5,403.15  (minimum 4,000.00, reserve 0.50, pending 600.35)", HIT]


def test_what_happens_in_a_round_is_reported_once_and_in_order() -> None:
    play = Play(DEALT).to_wagers()
    before = seen(play)

    def happens() -> list[str]:
        nonlocal before
        now = seen(play)
        lines = change_lines(before, now)
        before = now
        assert change_lines(now, now) == []
        return lines

    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    assert happens() == []  # bets are notified when they are locked in
    play.lock()
    assert happens() == [
        "no more bets", "  seat 1: ante 1.00, jackpot 5.00", "  seat 2: pair plus 2.00", "  seat 3: ante 3.00",
    ]  # fmt: skip
    play.deal()
    assert happens() == []
    play.decisions("play", seat_3="fold")
    collect = "Seat 3 gives up: collect its cards at once (12.º 3)."
    assert happens() == ["seat 1: play", "seat 3: fold", collect]
    play.reveal()
    lines = happens()
    assert lines[:4] == ["bank: K♦ Q♣ 4♥", "seat 1: 9♠ 8♠ 7♠", "seat 2: 9♥ 9♦ 2♣", "community: 6♠ 5♠"]
    assert lines[4] == "settled" and lines[6] == "  seat 2: +2.00  pair plus win 1:1 +2.00"
    assert lines[-2:] == [HIT, "jackpot: the pot is now 5,403.15"]
    play.change(CorrectWager, seat=2, wager="pair_plus", amount=500, reason="five are there")
    lines = happens()
    assert (
        lines[0] == "ana corrects the wager at seat 2: pair plus 5.00 instead of 2.00 (five are there)"
        and "settled again" in lines
    )
    assert lines[-2:] == [HIT.replace("hit 1", "hit 2"), "jackpot: hit 1 is withdrawn"]
    play.until("claims")
    assert "round 1 is confirmed" in happens()
    play.say(ConfirmHit, hit=2)
    play.say(ConfirmHit, actor="rui", hit=2)
    [paid] = happens()
    assert paid.endswith("paid, confirmed by ana and rui")
    play.until("wagers")
    assert happens() == ["round 2 begins"]


def test_a_void_round_and_a_device_that_goes_away_are_reported() -> None:
    play = poker()
    before = seen(play)
    play.say(VoidRound, actor="rui", reason="the lamp fell down")
    void = seen(play)
    [line] = [line for line in change_lines(before, void) if line.startswith("void")]
    assert line.startswith("void: the lamp fell down (")
    assert f"  {line}" in view(Sight("fortune-3-card-poker-2025", void))
    stranger = void | for_strangers(project(play.table, react(play.table, 2), play.settings))
    assert "  void: (policy: supervisor's void)" in view(Sight("fortune-3-card-poker-2025", stranger))
    play.receive(DeviceMissed(device="sign", reason="no device at /dev/ttyUSB0"))
    lost = seen(play)
    assert change_lines(void, lost) == [f"{AWAY} (no device at /dev/ttyUSB0)"]
    assert view(Sight("g", lost))[-1].endswith("sign down")


def test_an_alarm_is_reported_as_it_is_raised_acknowledged_and_over() -> None:
    play = poker()
    before = seen(play)

    def happens(*inputs: Trouble) -> list[str]:
        nonlocal before
        for device, what in inputs:
            if what == "acknowledged":
                play.say(Acknowledge, "mei", alarm=f"{device}-jam" if device == "shuffler" else f"device-{device}")
            elif what == "lost":
                play.receive(DeviceMissed(device=device, reason="silent"))
            elif what == "back":
                play.receive(DeviceFound(device=device, outage_ms=1, tries=1))
            else:
                play.receive(
                    DeviceReport(device=device, what="jam" if what == "jam" else "cleared", details="at order 1")
                )
        now = seen(play)
        lines = change_lines(before, now)
        assert change_lines(now, now) == []
        before = now
        return lines

    assert happens(("sign", "lost")) == [f"{AWAY} (silent)"]
    assert happens(("sign", "acknowledged")) == ["mei acknowledges device-sign"]
    assert AWAY.replace(":", ", acknowledged by mei:", 1) + " (silent)" in view(Sight("g", before))
    assert happens(("sign", "back")) == ["sign is up", "alarm over: device-sign"]
    assert happens(("shuffler", "jam"), ("shuffler", "cleared")) == [f"alarm over, not acknowledged: {JAMMED}"]
    assert f"alarm over, not acknowledged: {JAMMED}" in view(Sight("g", before))
    assert change_lines(None, before) == [f"alarm over, not acknowledged: {JAMMED}"]
    assert happens(("shuffler", "jam")) == [f"alarm: {JAMMED}"]  # within the same moment
    assert happens(("shuffler", "cleared")) == ["alarm over: shuffler-jam"]
    assert happens(("shuffler", "acknowledged")) == ["shuffler-jam is acknowledged"]
    assert not [line for line in view(Sight("g", before)) if line.startswith("alarm")]


def test_a_round_of_2008_is_shown_without_a_jackpot() -> None:
    play = Play2008(stacked("Ks Kd 4c", "7h 8h 9c")).to_wagers()
    play.bet(1, ante=100)
    play.to_settled()
    table = seen(play)
    assert row(table, "seat 1").net is not None and row(table, "bank").says
    assert not [line for line in view(Sight("g", table)) if line.startswith(("pot", "jackpot"))]


def test_fortune_8_names_every_bettor_of_a_shared_box() -> None:
    play = Spaces("8d Kc 2c", announced="spaces_with_bets").to_wagers()
    play.place_bet(4, "Inês", low=100, eight=200).place_bet(4, "Rui", eight=300).until("confirm")
    table = seen(play)
    shown = row(table, "seat 4")
    assert (shown.cards, sorted(shown.wagers)) == ("8♦", ["eight 2.00 Inês", "eight 3.00 Rui", "low 1.00 Inês"])
    assert shown.net == 200 * 11 + 300 * 11 - 100
    assert shown.results == ("low lose -1.00 Inês", "eight win 11:1 +22.00 Inês", "eight win 11:1 +33.00 Rui")
    assert "  the deal: spaces with bets" in view(Sight("fortune-8", table))


def test_blackjack_shows_each_hand_of_a_split_and_who_is_asked() -> None:
    play = Hands("8c Th 8d 7h 4c Qd").to_ask(1)
    asked = seen(play)
    assert row(asked, "seat 1") == FeltRow("seat 1", True, ("bet 2.00",), "8♣ 8♦ (16)", "asked", None, ())
    assert row(asked, "bank").cards == "10♥ (10) + 1 face down"
    play.decides("split")
    split = seen(play)
    assert row(split, "seat 1").cards == "8♣ (8) / 8♦ (8)"
    assert change_lines(asked, split) == ["seat 1 hand 1: 8♣ (8)", "seat 1 hand 2: 8♦ (8)"]
    play.until("confirm")
    settled = seen(play)
    both = row(settled, "seat 1")
    assert (both.cards, both.says, both.net) == ("8♣ 4♣ (12) / 8♦ Q♦ (18)", "stood, stood", 0)
    assert both.results == ("hand lose -2.00", "hand 2 win 1:1 +2.00")
    assert row(settled, "bank").cards == "10♥ 7♥ (17)"


def test_pai_kao_shows_the_bank_the_dice_and_both_pairs_of_each_place() -> None:
    table = Places("6-6 2-1 4-2 6-6", seats=8).until("wagers")
    table.place_bet(2, "Ho", 5_000).place_bet(1, "Wong", 1_000)
    table.until("dice")
    before = seen(table)
    assert row(before, "place 1").says == "the bank" and row(before, "place 2").says == "tiles with Ho"
    table.throw(6, 6, 6, 4)
    after = seen(table)
    assert change_lines(before, after) == ["dice 6 6 6 4, the first place is 6"]
    table.until("confirm")
    settled = seen(table)
    bank = settled["round"]["settlement"]["bank"]
    first = row(settled, "place 1")
    assert (first.net, first.wagers) == (bank["net"], ("place 10.00 Wong",))
    assert first.results[0].startswith("bank ") and first.results[0].endswith(" Wong")
    pairs = settled["round"]["pairs"]["seat 2"]
    shown = row(settled, "place 2")
    assert shown.cards == f"{' '.join(pairs['front']['cards'])} | {' '.join(pairs['rear']['cards'])}"
    assert f"{pairs['front']['title']} | {pairs['rear']['title']}" in shown.says
    assert row(settled, "place 6").net is None  # no one bet there
    assert "  place 1 holds the bank with 10,000.00" in view(Sight("taiwan-pai-kao", settled))
    opened = [line for line in change_lines(after, settled) if " | " in line]
    assert len(opened) == 8 and opened[0].startswith("place 1: ")


def test_the_plain_account_begins_with_the_table_and_says_when_the_station_is_away() -> None:
    play = Play(DEALT).to_wagers()
    first = Sight("g", seen(play))
    play.bet(1, ante=100).chips(1)
    play.lock()
    sights = iter([Sight(away="Connection refused"), first, Sight(away="it is silent"), Sight("g", seen(play))])
    lines = list(sightings(sights, "http://here:1", clock=lambda: "12:00:00"))
    assert lines[0] == ["12:00:00 http://here:1: Connection refused; trying again"]
    assert lines[1] == view(first)
    assert lines[2] == ["12:00:00 http://here:1: it is silent; trying again"]
    assert lines[3] == [
        "12:00:00 http://here:1 answers again", "12:00:00 no more bets", "12:00:00   seat 1: ante 1.00, jackpot 5.00",
        "12:00:00 > Take the packet and deal it to seat 1, face down.",
    ]  # fmt: skip
