"""What a round needs of its game: a table, its bets, its round as a file. A game has a module that says how."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from controller.engine.decisions.betting import PlaceWager
from controller.engine.state.applied import Event
from controller.engine.state.persons import ChangeInput
from controller.rulebook.report import RoundResult
from controller.rulebook.settlement import AnySettlement, Settlement
from tests.engine.playing import Play


@dataclass(frozen=True)
class Bet:
    """What one player places: a wager at a seat, or a `chip` in the slot."""

    seat: int
    wager: str
    amount: int
    player: str | None


class Script:
    """What a game has of its own. The methods here are those of most games; `seen` is what its table shows besides."""

    seen: Mapping[str, Callable[[Play], Iterable[Any]]] = {}

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        """A table as the round wants it, its cards stacked."""
        raise NotImplementedError

    def place_bet(self, play: Play, bets: Iterable[Bet]) -> None:
        """The players place their bets."""
        for bet in bets:
            if bet.wager == "chip":
                play.chips(bet.seat)
            else:
                play.say(PlaceWager, seat=bet.seat, wager=bet.wager, amount=bet.amount, player=bet.player)

    def lock(self, play: Play) -> None:
        """No more bets."""
        play.lock()

    def say(self, play: Play, kind: type[Any], actor: str, fields: dict[str, Any]) -> tuple[Event, ...]:
        """A person enters something; a change that waits is approved at once."""
        if issubclass(kind, ChangeInput):
            return play.change(kind, actor, **fields)
        return play.say(kind, actor, **fields)

    def hidden(self, play: Play, place: str) -> set[str]:
        """The cards of a place that no answer may name."""
        return set()

    def verbs(self, play: Play) -> dict[str, Callable[[str], Any]]:
        """What a line of the course may begin with in this game alone."""
        return {}

    def settled(self, play: Play) -> None:
        """What holds of every settled round. Raises AssertionError."""
        play.what_was_turned_is_there()

    def voided(self, play: Play) -> None:
        """What holds of every void round: nothing is won or lost, and every bet goes back. Raises AssertionError."""
        report, void = play.report, play.round.void
        assert void is not None and report.outcome == "void"
        lines = [line for seat in report.seats for line in seat.lines]
        assert all((line.outcome, line.net, line.article) == ("void", 0, void.article) for line in lines)
        counted = Counter(f"{wager.seat} {wager.wager} {wager.player} {wager.amount}" for wager in report.wagers)
        back = Counter(
            f"{seat.seat} {line.wager} {line.player} {line.stake}" for seat in report.seats for line in seat.lines
        )
        assert back == counted, f"not every bet goes back: {counted} was placed, {back} goes back"
        assert all(seat.net == 0 for seat in report.seats)

    def file(self, play: Play) -> dict[str, Any] | None:
        """The settled round as a round file; None where it cannot be one."""
        raise NotImplementedError

    def result(self, answer: AnySettlement) -> RoundResult:
        """The answer of `settle` as the table reports it."""
        return answer.result()

    def answer(self, text: bytes) -> AnySettlement:
        """What `settle` answers."""
        return msgspec.json.decode(text, type=Settlement)


def numbers(text: str) -> list[int]:
    """Places in the order of the cards, counted from 1, as the harness counts them from 0."""
    return [int(number) - 1 for number in text.split()]
