"""What the rounds of a journal would have come to by another version of the regulation or by other readings.

Only settlements are computed again, on the cards and answers as they were: a reading that decides what is dealt, or
that voids a round, changes nothing here. All calls block.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.engine.state.applied import Event, apply
from controller.engine.state.table import Table
from controller.journal.auditing import _Report, rows
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.game import Game
from controller.rulebook.games import SettlingEvent, game_of
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.report import RoundResult
from controller.rulebook.round import Round

_decode_event = msgspec.json.Decoder(Event).decode


class Supposed(msgspec.Struct, frozen=True):
    """What is to hold instead: readings by key, true or false, and the regulation of a day."""

    rules: dict[str, bool] = {}
    as_of: date | None = None

    def read(self, round: Round, game: Game) -> Round:
        """The round on these terms. Raises Refusal for a key that its game does not have, or a day without a law."""
        game.check_readings(self.rules)
        kept = dict.fromkeys(round.terms.rules, True) | self.rules
        act = round.terms.act if self.as_of is None else game.standing.validity.on(self.as_of).key
        return replace(round, terms=replace(round.terms, act=act, rules=tuple(key for key, on in kept.items() if on)))


class Changed(msgspec.Struct, frozen=True):
    """How the players' net of a bet, under an article of now, differs in so many lines; minor units."""

    wager: str
    article: str
    lines: int
    net_difference: int


class WhatIf(msgspec.Struct, frozen=True):
    """What came of it: `net_difference` is exactly the sum of `changed`, and of the differences of the `rounds_named`.

    `void` rounds are as they were. `seconds` is how long it took.
    """

    rounds: int
    void: int
    rounds_named: dict[int, int]
    changed: tuple[Changed, ...]
    net_difference: int
    seconds: float


def what_if(path: Path, mode: str, supposed: Supposed, report: _Report) -> WhatIf:
    """Settle every confirmed round again. Raises as `rows`, and Refusal."""
    began, table, terms = time.monotonic(), Table(), None
    done = void = 0
    named: dict[int, int] = {}
    money: Counter[tuple[str, str]] = Counter()
    lines: Counter[tuple[str, str]] = Counter()
    for number, *_, body, _, _, _ in rows(path, mode, report):
        if not table.version and number > 1:
            raise JournalUnavailable(f"{path}: events up to {number - 1} are kept no longer: what if needs them all")
        try:
            event = _decode_event(body)
        except msgspec.DecodeError as error:
            raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None
        if isinstance(event, SettlingEvent):
            terms = None if table.meter is None else table.meter.prize_terms
        table = apply(table, event)
        round = table.round
        if not isinstance(event, RoundConfirmed) or round is None or round.settled is None:
            continue
        done += 1
        if round.void is not None:
            void += 1
            continue
        found = [*_differences(round, terms, supposed)]
        for wager, article, difference in found:
            money[wager, article] += difference
            lines[wager, article] += 1
        if found:
            named[round.id] = sum(difference for *_, difference in found)
    return WhatIf(
        rounds=done,
        void=void,
        rounds_named=named,
        changed=tuple(Changed(*key, lines[key], money[key]) for key in sorted(money)),
        net_difference=sum(money.values()),
        seconds=time.monotonic() - began,
    )


def _differences(round: Round, terms: JackpotTerms | None, supposed: Supposed) -> Iterator[tuple[str, str, int]]:
    """The bet, the article of now and the difference of each line whose net is another."""
    game = game_of(round)
    assert round.settled is not None
    before = _nets(round.settled.result())
    after = _nets(game.settle_round(supposed.read(round, game), terms).result())
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
    for seat, lines in [*((one.seat, one.lines) for one in result.seats), (0, joined)]:
        for line in lines:
            key = (seat, line.player, line.wager, line.hand or 0)
            found[*key, seen[key]] = (line.article, line.net)
            seen[key] += 1
    return found


def plotted(changed: Sequence[Changed], width: int = 40) -> Iterator[str]:
    """A bar for each bet and article, to the left where players would have had less."""
    most = max((abs(one.net_difference) for one in changed), default=0) or 1
    for one in changed:
        bar = "█" * max(1, round_up(abs(one.net_difference) * width, most)) if one.net_difference else ""
        left, right = (bar, "") if one.net_difference < 0 else ("", bar)
        yield f"{left:>{width}}|{right:<{width}} {one.wager} {one.article}"


def round_up(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)
