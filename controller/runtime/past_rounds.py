"""The rounds before, as the players' display shows them: read from the journal once, then taken from the table."""

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path

from controller.floor.messages import Identity
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.queries.rounds import last_reports
from controller.rulebook.games import game_of
from controller.rulebook.results import PastOutcome, past_outcome
from controller.rulebook.round import Round

MOST_PAST = 10


class PastRounds:
    """The last ten confirmed rounds, oldest first. No journal is read before someone looks."""

    def __init__(self, path: Path, identity: Identity, changed: Callable[[], None]) -> None:
        self._path, self._identity, self._changed = path, identity, changed
        self._outcomes: deque[PastOutcome] = deque(maxlen=MOST_PAST)
        self._reading: asyncio.Task[None] | None = None

    def take(self, round: Round | None) -> None:
        """Takes the durable round of the table."""
        if self._reading is not None and round is not None and round.confirmed and not self._has(round.id):
            self._outcomes.append(past_outcome(game_of(round).report(round)))

    def shown(self, events: int, round: Round | None) -> tuple[PastOutcome, ...]:
        """The rounds known so far; the first call begins to read the journal's `events`, and `changed` is called after
        that.
        """
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(events))
            self.take(round)
        return tuple(self._outcomes)

    def _has(self, round: int) -> bool:
        return any(outcome.round == round for outcome in self._outcomes)

    async def _read(self, events: int) -> None:
        try:
            reports = await asyncio.to_thread(last_reports, self._path, events, self._identity, MOST_PAST)
        except (JournalUnavailable, JournalCorrupt):
            return  # the table's own reading of its journal raises the alarm
        since = list(self._outcomes)
        before = [past_outcome(report) for report in reversed(reports) if not self._has(report.round)]
        self._outcomes.clear()
        self._outcomes.extend([*before, *since])
        self._changed()
