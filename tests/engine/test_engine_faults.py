"""Every device's every trouble at every step of every game, from either source: what the table says is what happens.

Where play continues, the first game with such a step is played, and the others in the soak.

`pytest -s -k printed` prints the table.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import msgspec
import pytest
from _pytest.mark import ParameterSet

from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.devices import DeviceReport
from controller.engine.decisions.session import UseSource
from controller.engine.shown.prompts import lines_by
from controller.engine.state.current import SOURCES, TROUBLES, cell
from controller.engine.state.persons import ShufflerFailed
from controller.rulebook.events import CardSource, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.parts.faults import PHASES, Cell, DeviceName
from controller.rulebook.steps import StepKind
from drivers import messages
from tests.engine.reported import bets_at, irregularities
from tests.engine.spaces import CUT_CARD
from tests.engine.troubles import BEGIN, STAGES, Staged, StagedHands, StagedSpaces, end, is_prompted, that_lead_on
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO

pytestmark = pytest.mark.long

BOTH: tuple[CardSource, ...] = ("shuffler", "shoe")
NO_SOURCE_IN_USE = {  # what applies to one that is not in use
    FORTUNE_3_2025: "9.º 1", FORTUNE_3_2008: "3.º", FORTUNE_8: "1.º", BLACKJACK_21: "52",
}  # fmt: skip
CITATION = re.compile(r"\d+\.º( \d+\)?)*( [a-z\d]\))?|\d+|policy: [a-z' ]+")
# What leads on beside the device's own return, while a round is on hold.
LEADS_ON: dict[StepKind, set[str]] = {
    "shuffle": {"UseSource"}, "wagers": {"UseSource"}, "announce": {"Announce"}, "deal": {"ShufflerFailed"},
}  # fmt: skip
EVERY_STEP = [(game, kind, source) for game in GAMES for kind, source in STAGES[game].reached()]


def every_cell() -> Iterator[ParameterSet]:
    seen = set()
    for (game, kind, source), (device, trouble) in product(EVERY_STEP, TROUBLES):
        continues = cell(GAMES[game], device, trouble, STAGES[game].steps[kind], source).action == "continue"
        alike = (device, trouble, kind, device == source)
        # Where play continues in a round of 2008 it does so as in one of 2025.
        if not continues or game != FORTUNE_3_2008:
            marks = [pytest.mark.soak] if continues and alike in seen else []
            name = f"{game}-{device}-{trouble}-{kind}-{source}".replace(" ", "-")
            yield pytest.param(game, device, trouble, kind, source, id=name, marks=marks)
        seen.add(alike)


@pytest.mark.parametrize(("game", "device", "trouble", "kind", "source"), list(every_cell()))
def test_what_the_table_says_is_what_happens(
    game: str, device: DeviceName, trouble: str, kind: StepKind, source: CardSource
) -> None:
    play = STAGES[game](kind, source)
    row = cell(GAMES[game], device, trouble, play.phase, source)
    before, begun = play.step, len(play.entries)
    leaves = play.card_leaves() or kind == "confirm"  # where the bank may have one too many
    BEGIN[device, trouble](play)
    voids = [event for event, _ in play.entries[begun:] if isinstance(event, RoundVoided)]
    assert bool(voids) is (row.action == "void")
    if trouble == "lost":
        assert f"device-{device}" in play.active_alarms()
        assert row.prompt or row.action not in ("hold", "by hand")
    if trouble == "lost" or (trouble == "jam" and row.action != "void"):
        assert is_prompted(row, GAMES[game], play.public()["step"]["prompt"])
    if row.action == "continue" and not (leaves and (device, trouble) == ("shoe", "unread")):
        assert play.step == before
    match row.action:
        case "hold":
            no_way_but_the_return(game, play, device, trouble)
        case "void":
            assert voids[0].article == row.citation and play.at("confirm")
            assert voids[0].carried == ((1,) if game == FORTUNE_3_2025 and row.citation[:4] == "17.º" else ())
            play.until("claims")
            end(play, device, trouble)
            play.until("begin").sweep()
        case "by hand":
            play.correct(trouble, by_hand=True)
            while (device, trouble) == ("shoe", "lost") and play.at("announce", "deal"):
                play.unreported_card() if play.at("deal") else play.proceed()
        case "continue":
            play.correct(trouble, by_hand=False)
            play.to_next_phase()
            end(play, device, trouble)
    play.to_settled_end()


def no_way_but_the_return(game: str, play: Staged, device: DeviceName, trouble: str) -> None:
    """Nothing leads on but the device's return, or what is named instead."""
    other = STAGES[game](play.kind, play.source)
    assert that_lead_on(play) == LEADS_ON[play.step.kind]
    if play.at("announce"):  # which can be reported while it is away
        play.proceed()
        other.proceed()
        assert that_lead_on(play) == LEADS_ON["deal"]
    if play.at("deal"):
        play.refused(UnreportedCard)
    BEGIN[device, trouble](other)
    end(play, device, trouble)
    if other.at("deal"):
        other.change(ShufflerFailed)
        assert other.void().article == GAMES[game].citations.shuffler_failed
        other.until("claims")
        end(other, device, trouble)
        other.until("begin").sweep()
    else:
        other.say(UseSource, source="shoe")
    other.to_settled_end()


def test_every_trouble_is_brought_about_and_no_other() -> None:
    assert set(BEGIN) == set(TROUBLES)
    assert {device for device, _ in TROUBLES} == {"shuffler", "shoe", "slots", "sign", "pit", "floor"}
    assert set(SOURCES) == set(get_args(CardSource))


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_is_filled_and_the_table_is_printed(game: str) -> None:
    print(f"\n{game}\n| Device, trouble | " + " | ".join(PHASES) + " |\n" + "| --- " * (len(PHASES) + 1) + "|")
    for device, trouble in TROUBLES:
        row = []
        for phase in PHASES:
            cells = {source: cell(GAMES[game], device, trouble, phase, source) for source in BOTH}
            for entry in cells.values():
                assert entry.action in ("continue", "by hand", "hold", "void") and CITATION.fullmatch(entry.citation)
            own = cells["shoe" if device == "shoe" else "shuffler"]
            row.append(f"{own.action} ({own.citation})")
        print(f"| {device}, {trouble} | " + " | ".join(row) + " |")


@pytest.mark.parametrize("game", GAMES)
def test_a_source_that_is_not_in_use_stops_nothing_and_phases_that_a_game_does_not_have_hold_nothing_up(
    game: str,
) -> None:
    reached = {(STAGES[game].steps[kind], source) for kind, source in STAGES[game].reached()}
    for device, trouble in TROUBLES:
        for phase in PHASES:
            for source in STAGES[game].sources:
                row = cell(GAMES[game], device, trouble, phase, source)
                assert row.action != "void" or "fortune-3" in game
                assert row.action == "continue" or (phase, source) in reached
                if device in SOURCES and device != source and game != TAIWAN_PAI_KAO:
                    assert row == Cell("continue", NO_SOURCE_IN_USE[game])


def test_2008_a_jam_and_a_packet_of_another_size_void_a_deal_by_their_own_articles() -> None:
    game = GAMES[FORTUNE_3_2008]
    voids = {trouble: cell(game, "shuffler", trouble, "deal", "shuffler").citation for trouble in ("jam", "packet")}
    assert voids == {"jam": "11.º 4)", "packet": "11.º 1)"}


def test_blackjack_rule_51_a_jam_calls_the_chief_inspector_in_every_phase() -> None:
    for phase in PHASES:
        row = cell(GAMES[BLACKJACK_21], "shuffler", "jam", phase, "shuffler")
        assert (row.action, row.citation) == ("hold" if phase == "deal" else "continue", "51")
        words = lines_by(row, GAMES[BLACKJACK_21])
        assert "chief inspector" in words["en"] and "fiscal-chefe" in words["pt"]


@pytest.mark.parametrize("trouble", ["jam", "coffee"])
def test_a_trouble_the_table_does_not_have_is_an_error(trouble: str) -> None:
    with pytest.raises(KeyError):
        cell(GAMES[FORTUNE_3_2025], "slots", trouble, "deal", "shoe")


SAYINGS = [
    "noise", "reports_lost", "error", "error_cleared", "refused", "restarted", "lid_opened", "lid_closed",
    "out_of_turn", "cut_card", "misread", "damaged_card", "cleared", "deck_check",
]  # fmt: skip


@pytest.mark.parametrize(("game", "kind", "source"), EVERY_STEP)
def test_what_a_device_merely_says_of_itself_changes_no_step(game: str, kind: StepKind, source: CardSource) -> None:
    play = STAGES[game](kind, source)
    before = play.step
    for what in SAYINGS:
        for device in ("shuffler", "shoe", "slots", "sign"):
            play.receive(DeviceReport(device=device, what=what, details="x"))  # type: ignore[arg-type]
            assert play.step == before
    play.to_settled_end()


def test_every_report_of_a_device_is_tried() -> None:
    hints = msgspec.inspect.type_info(DeviceReport)
    assert isinstance(hints, msgspec.inspect.StructType)
    [what] = [field.type for field in hints.fields if field.name == "what"]
    assert isinstance(what, msgspec.inspect.LiteralType) and {*SAYINGS, "jam"} == set(what.values)


# ---- what one game alone has


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_a_card_drawn_from_a_locked_shoe_is_an_early_card_all_the_same(kind: StepKind) -> None:
    play = StagedSpaces(kind, "shoe")
    play.driver("shoe", messages.CardDrawnOutOfTurn(state="locked", card=play.take()[0]))
    assert play.shown == {"seat 1": "8d"}
    play.settled_as_in_a_file()
    assert irregularities(play.report)[0] == ("early_card", "seat 1", "3.º")


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_an_early_card_that_is_not_read_is_at_the_first_space(kind: StepKind) -> None:
    play = StagedSpaces(kind, "shoe")
    BEGIN["shoe", "unread"](play)
    assert play.step.id == "1/deal/2" and play.round.unread == (1,)
    play.settled_as_in_a_file()
    assert irregularities(play.report)[0] == ("early_card", "seat 1", "3.º")


@pytest.mark.parametrize("kind", ["wagers", "announce"])
def test_fortune_8_art_3_an_early_card_that_was_not_reported_is_reported_at_its_deal_step(kind: StepKind) -> None:
    play = StagedSpaces(kind, "shoe")
    play.draw_unreported()
    play.driver("shoe", messages.ReportsLost(count=1))
    assert play.at(kind)
    play.until("deal").say(UnreportedCard)
    assert play.settled_as_in_a_file().shown["seat 1"] == "8d"


def test_fortune_8_art_5_no_card_is_dealt_by_hand_while_the_dispenser_is_lost() -> None:
    play = StagedSpaces("deal", "shuffler")
    BEGIN["shuffler", "lost"](play)
    assert play.refused(UnreportedCard).article == "5.º"
    play.change(ShufflerFailed)
    assert play.why_void() == ("5.º", "the shuffler failed while dealing: seen")  # by a supervisor: a bet is decided


def test_fortune_8_the_dispenser_reports_late_what_it_kept_while_its_link_was_down() -> None:
    play = StagedSpaces("deal", "shuffler")
    BEGIN["shuffler", "lost"](play)
    end(play, "shuffler", "lost")
    play.driver("shuffler", *(messages.CardDispensed(card=card) for card in play.take(3)))
    assert list(play.shown.values()) == ["8d", "Kc", "2c", "2d"]
    play.driver("shuffler", *(messages.CardDispensed(card=card) for card in play.take(3)))
    assert play.at("confirm")
    play.to_settled_end()


def test_fortune_8_art_2_1_the_cut_card_comes_out_while_the_shoe_is_in_trouble() -> None:
    for trouble in ("error", "unread", "reports lost", "lost"):
        play = StagedSpaces("deal", "shoe")
        BEGIN["shoe", trouble](play)
        play.receive(CUT_CARD)
        end(play, "shoe", trouble)
        play.settled_as_in_a_file()
        assert play.preparations() == ["shuffle", "cut"]


def test_blackjack_the_dispenser_reports_late_what_it_kept_while_its_link_was_down() -> None:
    play = StagedHands("deal", "shuffler")
    BEGIN["shuffler", "lost"](play)
    assert play.refused(UnreportedCard).article == "policy: misdeal"
    end(play, "shuffler", "lost")
    play.driver("shuffler", *(messages.CardDispensed(card=card) for card in play.take(5)))
    assert play.at("ask") and play.hands(1) == ["Tc 6d waiting"] and play.bank() == "Th"
    play.driver("shuffler", messages.CardDispensed(card="9c"))  # no one asked for that one
    assert play.public()["round"]["pending_cards"] == 1


def test_blackjack_a_deal_that_the_dispenser_failed_in_is_void_and_its_chips_do_not_count() -> None:
    play = StagedHands("deal", "shuffler")
    BEGIN["shuffler", "lost"](play)
    play.change(ShufflerFailed)
    assert play.why_void() == "policy: misdeal" and play.meter.chips_counted == 0


def test_blackjack_a_card_drawn_from_a_locked_shoe_is_one_that_no_one_asked_for() -> None:
    play = StagedHands("ask", "shoe")
    play.driver("shoe", messages.CardDrawnOutOfTurn(state="locked", card=play.take()[0]))
    assert play.notices()[-1] == "unasked_card"


def test_blackjack_without_its_slots_a_round_is_played_without_chips() -> None:
    play = StagedHands("wagers", "shoe")
    BEGIN["slots", "lost"](play)
    play.settled()
    assert play.round.chips == () and play.meter.chips_counted == 0
    assert "jackpot" not in {bet.wager for bet in bets_at(play.report, 1)}
