"""`python -m tests.benchmarks engine`: rounds decided and applied, and events folded, in seconds of the processor."""

import argparse
import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from controller.command_line.argument import count
from controller.commands.bench_table import BenchFailed, Figures, add_format, show_figures
from controller.engine.decisions.betting import ChipGone, ChipSensed, LockIn, PlaceWager
from controller.engine.decisions.cards import ShuffleReported
from controller.engine.decisions.deciders import check_answers, decide
from controller.engine.decisions.decision import Decision, Input
from controller.engine.decisions.jackpot import Confirm, ConfirmHit, ParametersRead
from controller.engine.decisions.played import CardsReported, Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, OpenTable
from controller.engine.state.applied import fold
from controller.engine.state.current import Settings, open_hits
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import Terms
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.steps import Step
from tests.benchmarks.rows import Row, print_rows

SEATS = 6
TURNS = 3  # the best of them counts: what else the machine did meanwhile is no work of the engine's
EXAMPLES = """\
examples:
  python -m tests.benchmarks engine
  python -m tests.benchmarks engine --rounds 2000 --json"""
_JACKPOT = Parameters(
    chip=500, minimum=400_000, increment_bp=7_000, reserve_bp=1_000, ceiling=900_000, overflow_to="overflow",
    unreasonable_chips=SEATS, fixed={"flush": 1_000, "full_house": 2_000, "four_of_a_kind": 5_000,
                                     "straight_flush": 10_000, "royal_flush": 50_000},
)  # fmt: skip
SETTINGS = Settings(
    terms=Terms(
        game="fortune-3-card-poker-2025",
        seat_count=SEATS,
        source="shuffler",
        minimum=100,
        maximum=10_000,
        additional=("six_card_bonus", "jackpot"),
        packet_sizes=(3,),
        chip=_JACKPOT.chip,
    ),
    people={"ana": "dealer", "rui": "supervisor"},
    sources=("shuffler",),
)


def decks(count: int) -> list[list[Card]]:
    """So many shuffled decks, the same ones every time."""
    chance = random.Random(1)
    return [chance.sample(DECK, len(DECK)) for _ in range(count)]


class Rounds:
    """A table in memory where nothing goes wrong: six seats, each with ante, chip and a hand that is played.

    Two persons pay each hit before the cards are cleared away.
    """

    def __init__(self) -> None:
        self.table = Table()
        self._decided: list[tuple[Input, Decision]] = []  # each at the table after the one before
        self._vault: dict[int, Card | None] = {}
        self._numbers = itertools.count(1)
        self.receive(ParametersRead(pot=600_000, reserve=0, parameters=_JACKPOT))
        self._say(OpenTable, next_step(self.table))

    def play(self, deck: Sequence[Card]) -> None:
        """One round, from its beginning until the chips are swept."""
        self._vault = {}
        self._say(BeginRound, next_step(self.table))
        self.receive(ShuffleReported(order=next_step(self.table).order or 0, count=len(DECK)))
        for seat in range(1, SEATS + 1):
            self._say(PlaceWager, next_step(self.table), seat=seat, wager="ante", amount=100)
            self.receive(ChipSensed(seat=seat, counter=next(self._numbers)))
        self._say(LockIn, next_step(self.table))
        cards = iter(deck)
        while self.table.round is not None:
            self._proceed(next_step(self.table), cards)
        for seat in self.table.slots:
            self.receive(ChipGone(seat=seat, counter=next(self._numbers)))

    def receive(self, input: Input) -> None:
        """Decide an input; the table is then the one after it."""
        decision = decide(self.table, input, SETTINGS, self._vault)
        if decision.tables:
            self.table = decision.tables[-1]
        self._vault |= decision.drawn
        self._decided.append((input, decision))

    def taken(self) -> list[tuple[Input, Decision]]:
        """What was decided since this was last asked for."""
        decided, self._decided = self._decided, []
        return decided

    def _say(self, kind: type[PersonInput], step: Step, **fields: Any) -> None:
        input: Any = kind(**{"input_id": f"i{next(self._numbers)}", "step_id": step.id, "actor": "ana"} | fields)
        check_answers(self.table, (input,), SETTINGS)
        self.receive(input)

    def _proceed(self, step: Step, deck: Iterator[Card]) -> None:
        match step.kind:
            case "deal":
                self.receive(
                    CardsReported(
                        source="shuffler", cards=tuple(itertools.islice(deck, len(step.to))), order=step.order
                    )
                )
            case "decisions":
                self._say(Decide, step, seat=step.waiting[0], decision="play")
            case "reveal":
                self._say(Reveal, step, to=step.to[0])
            case "confirm":
                self._say(Confirm, step)
            case "claims":
                for hit in open_hits(self.table):
                    for person in SETTINGS.people:
                        self._say(ConfirmHit, step, step_id=f"hit/{hit.hit}", actor=person, hit=hit.hit)
                self._say(CloseClaims, step)
            case _:
                raise BenchFailed(f"a round without faults came to {step.kind}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"Plays Fortune 3 Card Poker (2025) at {SEATS} seats in memory, without journal, wires or floor, and folds its "
        "events again. Seconds are those of the processor; the best of three turns counts."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("--rounds", type=count, default=500, metavar="N", help="in each turn (default: %(default)s)")
    add_format(parser)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    return show_figures(options, measure(options.rounds), lambda figures: print_rows(rows(figures)))


def measure(rounds: int) -> Figures:
    """So many rounds, how many of them and of their events there are in a second."""
    table, shuffled = Rounds(), decks(rounds)
    table.play(shuffled[0])  # finds cold code, and is not counted
    table.taken()

    def play() -> None:
        for deck in shuffled:
            table.play(deck)
            table.taken()  # and let go: a station keeps no decision either

    played = _seconds(play)
    before = table.table
    for deck in shuffled:
        table.play(deck)
    events = [event for _, decision in table.taken() for event in decision.events]
    folded = _seconds(lambda: fold(before, events))
    written = _seconds(lambda: [msgspec.json.encode(event) for event in events])
    return {
        "rounds": TURNS * rounds,
        "events_a_round": round(len(events) / rounds, 1),
        "rounds_a_second": round(rounds / played),
        "events_folded_a_second": round(len(events) / folded),
        "events_written_as_json_a_second": round(len(events) / written),
    }


def _seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(TURNS):
        began = time.process_time_ns()
        work()
        taken.append(time.process_time_ns() - began)
    return min(taken) / 1e9


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    return [
        Row(f"a round of {SEATS} seats, decided and applied in memory", f"{figures['rounds_a_second']:,} a second"),
        Row(
            "an event folded",
            f"{figures['events_folded_a_second']:,} a second",
            f"{figures['events_written_as_json_a_second']:,} written as JSON",
        ),
    ]
