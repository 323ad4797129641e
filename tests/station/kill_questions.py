"""A table of black-jack whose daemon is killed at moments that last a few milliseconds: aimed at on the stream.

What was really hit is read from the journal afterwards, since that is what a restart continues from.
"""

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from controller.engine.state.table import Table, next_step
from controller.rulebook.blackjack_21.answers import in_words
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.games import game_of
from simulators.felt.cards import FULL_DECK, text_of
from tests.station.floor_ear import Published, events, round_messages
from tests.station.journal_eye import JournalEye
from tests.station.kill_play import KillPlay, Sight
from tests.station.processes import Bench, Daemon
from tests.station.screen import Stream

SPLIT, INSURANCE, PRIZE, ON_HOLD = "split, no second card", "insurance asked", "prize not paid", "cards pending"


def on_screen(view: dict[str, Any]) -> set[str]:
    """Which of the moments the projection shows."""
    round, step = view.get("round") or {}, view["step"]
    hits = (view.get("jackpot") or {}).get("hits", [])
    hands = [hands for hands in (round.get("hands") or {}).values() if len(hands) > 1]
    shown = {
        SPLIT: step["kind"] == "deal" and any(len(hand["cards"].split()) == 1 for own in hands for hand in own),
        INSURANCE: step.get("question") == "insurance",
        PRIZE: any(hit["state"] != "paid" for hit in hits),
        ON_HOLD: bool(view["pending_claims"]),
    }
    return {moment for moment, there in shown.items() if there}


def in_journal(table: Table) -> set[str]:
    """Which of the moments the table is at."""
    step, round = next_step(table), table.round
    hands = [] if round is None else [own for own in game_of(round).view(round).hands.values() if len(own) > 1]
    hits = () if table.meter is None else table.meter.hits
    there = {
        SPLIT: step.kind == "deal" and any(len(hand.cards.split()) == 1 for own in hands for hand in own),
        INSURANCE: step.question == "insurance",
        PRIZE: any(hit.state != "paid" for hit in hits),
        ON_HOLD: bool(table.on_hold),
    }
    return {moment for moment, at in there.items() if at}


def aces_first(file: Path, decks: int = 6) -> str:
    """A stack file of cards that make pairs, insurance and prizes: thrice aces, then eights, then others."""
    cards = [text_of([card]) for card in FULL_DECK for _ in range(decks)]
    ordered = sorted(cards, key=lambda card: (card[0] != "A", card[0] != "8"))
    order = ordered[::3] + ordered[1::3] + ordered[2::3]
    file.write_text(f"{' '.join(order)}\n", encoding="utf-8")
    return str(file)


class Aim:
    """Follows the stream; while armed, the first of the wanted moments that appears there kills the daemon at once."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._wanted: set[str] = set()
        self._last: set[str] = set()
        self._lock = threading.Lock()
        self.killed = threading.Event()
        self._stream = Stream(daemon.address, self._seen)

    def _seen(self, projection: bytes) -> None:
        with self._lock:
            shown = on_screen(json.loads(projection))
            began, self._last = shown - self._last, shown
            if began & self._wanted:
                self._daemon.kill()
                self._wanted = set()
                self.killed.set()

    def arm(self, wanted: set[str]) -> None:
        """Kill at the beginning of the next of these."""
        with self._lock:
            self.killed.clear()
            self._wanted = wanted

    def disarm(self) -> bool:
        """Kill no more; whether it has not killed before."""
        with self._lock:
            self._wanted = set()
        return not self.killed.is_set()

    def close(self) -> None:
        """Stop watching."""
        self._stream.close()


class QuestionKills(KillPlay):
    """Rounds of black-jack with kills at each of the moments, `least` of each by name, or AssertionError.

    Besides the referee's judgement: what was answered before a kill is what the round's message says was answered, no
    such round is void where nothing else goes wrong, and the claims of every round are closed once.
    """

    killed_again = 0.0

    def __init__(self, directory: Path, rounds: int, least: dict[str, int], seed: int, *options: str) -> None:
        super().__init__(directory, rounds, 0, 0, seed, "--game", "blackjack-21", *options)
        self._least_of, self._faults = least, "--faults" in options
        self.moments: Counter[str] = Counter()
        self._answered: list[tuple[int, list[dict[str, Any]]]] = []

    def _play(self, bench: Bench, daemon: Daemon, sight: Sight, deadline: float) -> None:
        self._aim = Aim(daemon)
        try:
            super()._play(bench, daemon, sight, deadline)
        finally:
            self._aim.close()

    def _killed(self, bench: Bench, daemon: Daemon, sight: Sight) -> bool:
        wanted = {moment for moment, least in self._least_of.items() if self.moments[moment] < least}
        if not wanted:
            bench.finished.wait(0.05)
            return False
        self._aim.arm(wanted)
        while not (self._aim.killed.wait(0.05) or bench.finished.is_set() or bench.failed):
            pass
        return not self._aim.disarm()

    def _note(self, eye: JournalEye) -> None:
        super()._note(eye)
        self.moments.update(in_journal(eye.table))
        round = eye.table.round
        if round is not None and not round.confirmed:
            answers = [move.answer for move in hands_of(round).moves if move.answer is not None]
            decisions = [{"seat": answer.seat, "hand": answer.hand, "decision": in_words(answer)} for answer in answers]
            self._answered.append((round.id, decisions))

    def _judge(self, bench: Bench, decisions: list[Published]) -> None:
        super()._judge(bench, decisions)
        print(f"  at their moments: {dict(self.moments)}")
        rounds = {round["round"]: round for round in round_messages(decisions)}
        for number, answers in self._answered:
            message = rounds[number]
            assert message["void"] is None or self._faults
            if not message["corrections"]:
                assert message["decisions"][: len(answers)] == answers
        closed: Counter[int] = Counter()
        for event in events(decisions, "claims_closed"):
            closed.update([*event["pending_rounds"], *([event["round"]] if "round" in event else [])])
        assert closed == Counter(range(1, self._rounds + 1)), "every round's claims are closed once"
        few = {moment for moment, least in self._least_of.items() if self.moments[moment] < least}
        assert not few, f"too few kills at {few}: {dict(self.moments)}"
