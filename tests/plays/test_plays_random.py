"""Random plays, legal and wild: money conserved, no card known too soon, a way out, and a referee agrees."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.played import Decide
from controller.engine.state.applied import Event, apply
from controller.engine.state.persons import Exposed, Misdealt
from controller.engine.state.table import Table
from controller.rulebook.cards import DECK, Card
from controller.rulebook.games import GAMES
from controller.rulebook.packets import packets_of
from controller.rulebook.round_file import settle_text
from controller.rulebook.settlement import Settlement
from tests.disputes.rounds import bundles
from tests.engine.playing import published_round
from tests.engine.table_2008 import FROM, GAME, Play2008, played_to_its_end, voided
from tests.games import FORTUNE_8
from tests.high_card.rules import HighCard
from tests.plays.informed import COURSES, Corrections, Course, Tally, correct, play_round
from tests.plays.tables import played, table_of
from tests.plays.wild import KINDS
from tests.referee.bundle.verify import verify
from tests.shuffling import shuffled

EACH_GAME = pytest.mark.parametrize("game", [*GAMES, HighCard.id])
NEVER_TAKEN = {  # at a table of its own pot and of the newest act, whose journal is the newest and has lost nothing
    "AcceptPit", "ActsDone", "ApproveParameters", "ApproveRegulation", "BeginEpoch", "CompareGrant",
    "SetAside", "SettleOnPaper", "Vouch",
}  # fmt: skip

SELDOM_TAKEN = {  # which these few tables may not come to
    "CardReplaced", "ConfirmHit", "DiceNull", "EvenMoney", "Extracted", "InformInspection", "JamCleared", "DeclineAll",
    "PassBank", "PrintSlip", "ReportTilesMoved", "UnaskedCard", "WitnessCards",
}  # fmt: skip
OF_FEW_TABLES = {"Acknowledge", "CorrectDecision", "Insure", "NoBets", "ToEmptySeat", "UseSource"}


@pytest.fixture
def a_game_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HighCard.id, HighCard())


@pytest.mark.usefixtures("a_game_more")
@EACH_GAME
def test_whatever_happens_money_is_conserved_no_card_is_known_too_soon_and_there_is_a_way_out(game: str) -> None:
    @settings(max_examples=settings().max_examples // 8)
    @given(st.integers(0, 2**32), st.integers(50, 100))
    def holds(seed: int, things: int) -> None:
        table = played(game, seed, things)
        table.unread.clear()
        while not table.at("wagers"):
            table.usual()
        table.bet_something()
        table.to_rest()
        assert len(table.entries) == table.table.version
        table.is_decided_again_as_it_was()
        if game != HighCard.id:
            found = [verify(bundle) for bundle in bundles(table.events)]
            assert [verdict["wrong"] for verdict in found if verdict["wrong"]] == []

    holds()


def differs_unseen(game: str, seed: int, things: int) -> bool:
    """Whether the station knew other cards at a table whose unshown cards were changed about, which no byte shows."""
    table = table_of(game, seed)
    table.anything(things)
    channels = table.channels
    fixed = {name.decode() for channel in channels for name in table.named.findall(channel)} | set(table.reserve)

    def changed_about(cards: list[Card]) -> list[Card]:
        fixed.update(card for card, times in Counter(cards).items() if times > table.copies(card))
        hidden = [card for card in cards if card not in fixed]
        Random(seed).shuffle(hidden)
        others = iter(hidden)
        return [card if card in fixed else next(others) for card in cards]

    other = table_of(game, seed, changed_about)
    other.anything(things)
    assert other.channels == channels
    return [drawn for _, drawn in other.entries] != [drawn for _, drawn in table.entries]


@pytest.mark.usefixtures("a_game_more")
@pytest.mark.parametrize("game", [*sorted({*GAMES} - {FORTUNE_8}), HighCard.id])  # Fortune 8 has no card face down
def test_art_18_3_unshown_cards_changed_about_change_no_byte_that_anybody_can_read(game: str) -> None:
    @settings(max_examples=settings().max_examples // 8)
    @given(st.integers(0, 2**32), st.integers(40, 80))
    def holds(first: int, things: int) -> None:
        differing = (seed for seed in range(first, first + 100) if differs_unseen(game, seed, things))
        assert len(list(islice(differing, 3))) == 3

    holds()


@pytest.mark.usefixtures("a_game_more")
@pytest.mark.parametrize(
    ("tables", "seldom"),
    [(5, SELDOM_TAKEN | OF_FEW_TABLES), pytest.param(14, SELDOM_TAKEN, marks=pytest.mark.soak)],
    ids=["few tables", "many tables"],
)
def test_every_input_is_tried_and_taken_where_it_can_be(tables: int, seldom: set[str]) -> None:
    tried: Counter[tuple[str, bool]] = Counter()
    for game in GAMES:
        for seed in range(tables):
            for (kind, taken), times in played(game, seed).tried.items():
                tried[kind.__name__, taken] += times
    names = {kind.__name__ for kind in KINDS}
    assert NEVER_TAKEN <= {name for name in names if not tried[name, True]} <= NEVER_TAKEN | seldom
    assert all(tried[name, False] for name in NEVER_TAKEN)


EACH_COURSE = pytest.mark.parametrize("course", COURSES, ids=[course.game for course in COURSES])


@EACH_COURSE
def test_no_dealer_alone_betters_a_result_and_no_one_alone_makes_an_informed_bet(course: type[Course]) -> None:
    tally = Tally()
    for seed in range(30):
        play_round(course, seed, tally)
    assert tally.rounds > 15 and tally.at_once > 5 and tally.waited > 5 and tally.approved > 1


@EACH_COURSE
def test_each_slip_is_corrected_at_whatever_step_it_is_noticed(course: type[Course]) -> None:
    tally = Corrections()
    for seed in range(30):
        correct(course, seed, tally)
    assert tally.refused == {} and tally.slips > 10 and tally.by_supervisor > 1


BETS = [{"ante": 100}, {"pair_plus": 150}, {"ante": 200, "pair_plus": 300}]
TROUBLES = ["none", "left out", "two left out", "astray", "late astray", "seen", "unreported", "lost", "broken"]
OFTEN = ["none"] * 6 + ["left out"] * 4 + [name for name in TROUBLES if name != "broken"] * 2 + ["broken"]
MOST_DEALT = 25


class Script(msgspec.Struct, frozen=True):
    """One round as the people at the table will have it, whatever the cards: a trouble after each packet or card."""

    wagers: dict[int, dict[str, int]]
    folds: tuple[int, ...]
    unread: tuple[int, ...]
    troubles: tuple[tuple[str, int], ...]


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    seats = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    return Script(
        wagers={seat: draw(st.sampled_from(BETS)) for seat in seats},
        folds=tuple(draw(st.lists(st.integers(1, 7), max_size=7, unique=True))),
        unread=tuple(draw(st.lists(st.integers(0, 30), max_size=3, unique=True))),
        troubles=tuple(draw(st.lists(st.tuples(st.sampled_from(OFTEN), st.integers(0, 20)), max_size=30))),
    )


DECKS = shuffled(DECK)
SOURCES = st.sampled_from(FROM)


def trouble(play: Play2008, name: str, which: int) -> None:
    """One thing goes wrong after a packet or a card, where it can."""
    at_bank = len(play.lying_at("bank").split())
    empty = [seat for seat in range(1, 8) if seat not in play.round.wagers]
    out = [packet for packet in play.felt if packet.to[0] != "null" and not set(play.in_view) & set(packet.cards)]
    match name:
        case "left out" if at_bank and play.dealt < MOST_DEALT:
            play.leave_out(which % at_bank + 1)
        case "two left out" if at_bank > 1 and play.dealt < MOST_DEALT:
            play.leave_out(at_bank, which % (at_bank - 1) + 1)
        case "astray" if out and out[-1] is play.felt[-1] and empty and play.dealt < MOST_DEALT:
            play.astray(out[-1].to[0], empty[which % len(empty)])
        case "late astray" if out and empty and play.dealt < MOST_DEALT and play.round.terms.packet_sizes != (2, 3):
            # With packets of two sizes it may void: test_2008_art_11_1_a_packet_of_another_size_… holds that.
            play.astray(out[which % len(out)].to[0], empty[which % len(empty)])
        case "seen":
            seat = list(play.round.wagers)[which % len(play.round.wagers)]
            if packets_of(play.round).exposed.get(f"seat {seat}", 0) < 3:
                play.change(Exposed, to=f"seat {seat}")
        case "broken":
            play.change(Misdealt, what="number")


def deal_script(play: Play2008, script: Script) -> None:
    """The round up to the first hand that is shown, or to its void."""
    play.to_wagers()
    play.unread = set(script.unread)
    for seat, wagers in script.wagers.items():
        play.bet(seat, **wagers)
    play.lock()
    troubles: Iterator[tuple[str, int]] = iter(script.troubles)
    while play.at("deal", "count"):
        name, which = next(troubles, ("none", 0))
        if play.at("count"):
            play.proceed()
        elif name == "unreported" and play.round.terms.source == "shoe":
            play.unreported_card()
        elif name == "lost" and play.round.terms.source == "shoe":
            # The gap in the numbers of the reports reports the cards that the dealer has reported, too.
            play.draw_unreported()
            play.receive(ReportsMissed(count=play.round.claimed + 1, gap_cause="reports_lost"))
        else:
            play.deal_one()
            trouble(play, name, which)
    while play.at("decisions"):
        seat = play.step.waiting[0]
        free = "pair_plus" not in script.wagers[seat]
        play.say(Decide, seat=seat, decision="fold" if free and seat in script.folds else "play")
        name, which = next(troubles, ("none", 0))
        if name == "left out":
            trouble(play, name, which)
            play.until("decisions", "reveal")


def on_file(play: Play2008, script: Script) -> dict[str, object]:
    """The round as a round file, from the cards that really are there."""
    seats = {
        str(seat): {**wagers, "cards": play.lying_at(f"seat {seat}")}
        | ({"decision": packets_of(play.round).decisions[seat]} if "ante" in wagers else {})
        for seat, wagers in script.wagers.items()
    }
    return {"game": GAME.id, "dealer": play.lying_at("bank"), "seats": seats}


def taken_by_the_house(settlement: Settlement) -> Fraction:
    """What the house has more after the round, from the outcome and the odds of each line alone."""
    house = Fraction(0)
    for seat in settlement.seats.values():
        for line in seat.lines:
            if line.outcome == "win":
                odds, to = (line.odds or "").split(":")
                house -= line.stake * Fraction(int(odds), int(to))
            elif line.outcome == "lose":
                house += line.stake
    return house


@settings(max_examples=settings().max_examples // 3, suppress_health_check=[HealthCheck.too_slow])
@given(DECKS, SOURCES, st.lists(scripts(), min_size=1, max_size=3))
def test_2008_any_rounds_are_settled_on_the_cards_that_are_there_and_the_journal_folds_to_the_live_table(
    deck: list[Card], source: tuple[str, tuple[int, ...]], rounds: list[Script]
) -> None:
    play = Play2008(deck, source[0], packet_sizes=source[1])
    for script in rounds:
        deal_script(play, script)
        if play.round.void is None:
            played_to_its_end(play)
            settlement = play.round.settlement
            assert settlement is not None
            asked = json.dumps(on_file(play, script))
            answer = json.loads(settle_text(asked))
            lines = {seat: result["lines"] for seat, result in answer["seats"].items()}
            assert msgspec.to_builtins({seat: result.lines for seat, result in settlement.seats.items()}) == lines
            assert set(play.round.play.shown) == {"bank"} | {
                f"seat {seat}" for seat in script.wagers if packets_of(play.round).decisions.get(seat) != "fold"
            }
        else:
            settlement = play.round.settlement
            assert settlement is not None and voided(play).article == "11.º 1)"
        assert sum(seat.net for seat in settlement.seats.values()) == -taken_by_the_house(settlement)
        assert play.at("confirm")
        exposed = [
            row for row in published_round(play)["irregularities"] if row["to"] == "bank" and row["kind"] == "exposed"
        ]
        assert sum(row["count"] for row in exposed) == len(play.in_view)
        play.until("begin")
    folded = Table()
    for event, _ in play.entries:
        folded = apply(folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
        assert msgspec.json.decode(msgspec.json.encode(folded), type=Table) == folded
    assert folded == play.table and play.table.version == len(play.entries)
