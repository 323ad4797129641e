"""The results that the rounds of a journal would have by another version of the regulation or other readings.

Only settlements are computed again, on the cards, the answers and the pot as they were: a reading that affects which
cards are dealt, or whether a round is void, changes nothing here. All calls block.
"""

import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import cast, get_args

import msgspec
from msgspec.structs import replace

from controller.engine.state.applied import Event
from controller.engine.state.events import LinkOnPaper, LinkRecorded
from controller.engine.state.jackpot import MeterOpened, ParametersScheduled, PotRestarted, RestartWithdrawn
from controller.journal.auditing import Report, reported_beside, rows, unreported
from controller.journal.creation import METER, tag_of
from controller.journal.past import Past, head_of, read_event
from controller.journal.reading import opened_journal
from controller.journal.restoring import checkpoint_of
from controller.journal.verifying import Place
from controller.link.table import GrantReceived, Learnt
from controller.rulebook.events import RoundBegun, RoundConfirmed, SourceChosen
from controller.rulebook.game import Game
from controller.rulebook.games import EventInRound, SettlingEvent, dealt_from, game_of, open_round
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.report import RoundResult
from controller.rulebook.round import Round, advance
from controller.rulebook.settlement import Settlement

_IN_ROUND = frozenset(get_args(EventInRound))
_READ = _IN_ROUND | {RoundBegun, SourceChosen, LinkRecorded, LinkOnPaper}
# Of a kind that is not known here is read too, and refused.
_PASSED = {kind.__struct_config__.tag for kind in get_args(Event) if kind not in _READ}


class Supposed(msgspec.Struct, frozen=True):
    """The terms to suppose: readings by key, true or false, and the regulation of a day."""

    rules: dict[str, bool] = {}
    as_of: date | None = None

    def read(self, round: Round, game: Game) -> Round:
        """The round on these terms. Raises Refusal for a key that the game does not have, or a day without a law."""
        game.check_readings(self.rules)
        kept = dict.fromkeys(round.terms.rules, True) | self.rules
        act = round.terms.act if self.as_of is None else game.legal_status.validity.on(self.as_of).key
        return replace(round, terms=replace(round.terms, act=act, rules=tuple(key for key, on in kept.items() if on)))


class NetDifference(msgspec.Struct, frozen=True):
    """The difference of the players' net of a bet under a present article, over a number of lines; minor units."""

    wager: str
    article: str
    lines: int
    net_difference: int


class WhatIf(msgspec.Struct, frozen=True):
    """The result: `net_difference` equals the sum of `changed`, and of the differences of the `rounds_named`.

    `void` rounds are as they were. `first` is the first round, 0 where there is none; events up to `pruned` have been
    deleted. `left_out` are rounds with a prize whose fixed amount is not kept. `seconds` is how long it took.
    """

    rounds: int
    void: int
    rounds_named: dict[int, int]
    changed: tuple[NetDifference, ...]
    net_difference: int
    seconds: float
    first: int = 0
    pruned: int = 0
    left_out: tuple[int, ...] = ()


class FixedNotKept(Exception):
    """A prize has a fixed amount, and no event that is kept says how much."""


class _NotKept(dict[str, int]):
    def __missing__(self, tier: str) -> int:
        raise FixedNotKept(tier)


class Fixed(msgspec.Struct, frozen=True):
    """The fixed amounts of the prizes from an event on, by tier; None if they are not stored."""

    event: int
    amounts: dict[str, int] | None


class WhatIfPart(msgspec.Struct, frozen=True):
    """The rounds that begin after an event and up to another one; each with its hash."""

    path: Path
    mode: str
    supposed: Supposed
    after: Place
    until: Place
    fixed: tuple[Fixed, ...]


class RoundTotals(msgspec.Struct):
    """The totals of some rounds: money and number of lines by bet and article."""

    first: int = 0
    rounds: int = 0
    void: int = 0
    named: dict[int, int] = {}
    money: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    lines: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    left_out: list[int] = []


def what_if(path: Path, mode: str, supposed: Supposed, report: Report, processes: int = 1) -> WhatIf:
    """Settles again every stored confirmed round. Raises as `read_events`, and Refusal."""
    began = time.monotonic()
    with opened_journal(path, mode) as (db, _):
        past, head = Past(path, db), head_of(db)
        start, end = past.begins_after, (head.event, head.hash)
        places = [start, *_borders(past, start[0], end[0], processes), end]
        # A checkpoint is needed only where events are pruned that set the amounts.
        snapshots = db.execute("SELECT event, body FROM snapshots ORDER BY event").fetchall() if start[0] else []
        fixed = _fixed(path, past, snapshots)
    parts = [WhatIfPart(path, mode, supposed, after, until, fixed) for after, until in pairwise(places)]
    done = reported_beside(settled_again, parts, report, start[0], places[1][0], end[0])
    money: Counter[tuple[str, str]] = Counter()
    lines: Counter[tuple[str, str]] = Counter()
    for part in done:
        money.update(part.money)
        lines.update(part.lines)
    return WhatIf(
        rounds=sum(part.rounds for part in done),
        void=sum(part.void for part in done),
        rounds_named={round: net for part in done for round, net in part.named.items()},
        changed=tuple(NetDifference(*key, lines[key], money[key]) for key in sorted(money)),
        net_difference=sum(money.values()),
        seconds=time.monotonic() - began,
        first=next((part.first for part in done if part.first), 0),
        pruned=start[0],
        left_out=tuple(round for part in done for round in part.left_out),
    )


def _borders(past: Past, start: int, end: int, processes: int) -> Iterator[Place]:
    """The first event of each process except the first."""
    for number in sorted({start + (end - start) * share // processes for share in range(1, processes)} - {start}):
        row = next(past.after(number - 1))
        yield row[0], row[7]


def _fixed(path: Path, past: Past, snapshots: Sequence[tuple[int, bytes]]) -> tuple[Fixed, ...]:
    """The fixed amounts from each event on that sets them. Earlier amounts are in the events that replace them, or
    in a snapshot.
    """
    texts = sorted(past.texts_of(METER, 0, past.last + 1))
    found = [(number, read_event(path, number, body)) for number, body in texts]
    before = None
    if found and isinstance(found[0][1], ParametersScheduled):
        before = found[0][1].parameters_before.fixed
    for event, body in snapshots:
        if before is None and (not found or event < found[0][0]):
            checkpoint = checkpoint_of(body)
            meter = None if checkpoint is None else checkpoint.table.meter
            before = None if meter is None else meter.parameters.fixed
    of_events = [
        Fixed(number, event.parameters.fixed)
        for number, event in found
        if isinstance(event, MeterOpened | PotRestarted | RestartWithdrawn)
    ]
    return Fixed(0, before), *of_events


def settled_again(part: WhatIfPart, report: Report = unreported) -> RoundTotals:
    """The totals of the rounds of a part. Raises as `what_if`."""
    found, settled_at = RoundTotals(), 0
    round: Round | None = None
    learnt: dict[str, int] | None = None  # of a linked pot
    granted: dict[str, int] | None = None
    for number, _, _, _, _, body, *_ in rows(part.path, part.mode, report, part.after, part.until):
        if tag_of(body) in _PASSED:
            continue
        match event := read_event(part.path, number, body):
            case RoundBegun():
                if number > part.until[0]:
                    break
                round, granted = open_round(event), None
            case LinkRecorded(content=Learnt(parameters=parameters)):
                learnt = parameters.fixed
            case LinkRecorded(content=GrantReceived(grant=grant)):
                granted = grant.parameters.fixed
            case LinkOnPaper():
                unknown = learnt is None and part.after[0] > 0  # what was received may be before this part
                granted = _NotKept() if unknown else learnt
            case SourceChosen(source=source) if round is not None:
                round = dealt_from(round, source)
            case _ if round is not None and type(event) in _IN_ROUND:
                round = advance(round, cast(EventInRound, event))
                settled_at = number if isinstance(event, SettlingEvent) else settled_at
                if isinstance(event, RoundConfirmed) and round.settled is not None:
                    fixed = _fixed_at(part.fixed, settled_at) if granted is None else granted
                    _add(found, round, fixed, part.supposed)
                    round = None
            case _:
                pass
    return found


def _fixed_at(fixed: Sequence[Fixed], event: int) -> dict[str, int]:
    amounts = fixed[bisect_right(fixed, event, key=lambda since: since.event) - 1].amounts
    return _NotKept() if amounts is None else amounts


def _add(found: RoundTotals, round: Round, fixed: dict[str, int], supposed: Supposed) -> None:
    """Adds a confirmed round to the result."""
    found.first = found.first or round.id
    found.rounds += 1
    if round.void is not None:
        found.void += 1
        return
    try:
        differences = [*_differences(round, fixed, supposed)]
    except FixedNotKept:
        found.left_out.append(round.id)
        return
    for wager, article, difference in differences:
        found.money[wager, article] += difference
        found.lines[wager, article] += 1
    if differences:
        found.named[round.id] = sum(difference for *_, difference in differences)


def _differences(round: Round, fixed: dict[str, int], supposed: Supposed) -> Iterator[tuple[str, str, int]]:
    """The bet, the article of now and the difference of each line whose net is another."""
    game, settled = game_of(round), round.settled
    assert settled is not None
    terms = None
    if isinstance(settled, Settlement) and settled.jackpot:
        # What the pot restarts at changes no net.
        terms = JackpotTerms(pot=settled.jackpot.pot_before, minimum=1, fixed=fixed)
    again = game.settle_round(supposed.read(round, game), terms)
    if again == settled:
        return
    before, after = _nets(settled.result()), _nets(again.result())
    for key in [*before, *(key for key in after if key not in before)]:
        (_, then), (article, now) = before.get(key, ("", 0)), after.get(key, ("", 0))
        if then != now:
            yield key[2], article, now - then


def _nets(result: RoundResult) -> dict[tuple[int, str | None, str, int, int], tuple[str, int]]:
    """Article and net of each line, by seat, player, bet, hand and how many such lines came before it."""
    found: dict[tuple[int, str | None, str, int, int], tuple[str, int]] = {}
    seen: Counter[tuple[int, str | None, str, int]] = Counter()
    bank = result.bank
    joined = () if bank is None or not bank.joiners else bank.joiners
    for seat, lines in [*((seat.seat, seat.lines) for seat in result.seats), (0, joined)]:
        for line in lines:
            key = (seat, line.player, line.wager, line.hand or 0)
            found[*key, seen[key]] = (line.article, line.net)
            seen[key] += 1
    return found


def plotted(changed: Sequence[NetDifference], width: int = 40) -> Iterator[str]:
    """A bar for each bet and article, to the left if players would have received less."""
    most = max((abs(difference.net_difference) for difference in changed), default=0) or 1
    for difference in changed:
        bar = "█" * max(1, round_up(abs(difference.net_difference) * width, most)) if difference.net_difference else ""
        left, right = (bar, "") if difference.net_difference < 0 else ("", bar)
        yield f"{left:>{width}}|{right:<{width}} {difference.wager} {difference.article}"


def round_up(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)
