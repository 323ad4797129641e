"""Fortune 3 Card Poker, 2025 and 2008, as a round of a file is played."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from controller.engine.state.applied import Event
from controller.engine.state.persons import Exposed, ToEmptySeat
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import CardSource
from tests.engine.playing import PARAMETERS, Play, cards, whole
from tests.engine.table_2008 import Play2008, played_to_its_end, voided
from tests.rounds.script import Bet, Script, numbers


class PokerTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of Fortune 3 Card Poker; `packets` are the sizes that a shuffler gives, `unread` counts cards from 1.

    Of a jackpot: `chip`, `pot`, `reserve`, `minimum_pot`, and what goes into the pot of each chip in basis points.
    """

    seats: int = 6
    source: CardSource = "shuffler"
    packets: str = "3"
    maximum: int = 10_000
    unread: str = ""
    chip: int = 500
    pot: int = 600_000
    minimum_pot: int = 400_000
    ceiling: int = PARAMETERS.ceiling
    unreasonable: int = PARAMETERS.unreasonable_chips
    to_pot: int = 7_000
    to_reserve: int = 1_000
    fixed: dict[str, int] = msgspec.field(default_factory=lambda: dict(PARAMETERS.fixed))
    rules: str = ""


class Poker(Script):
    """Fortune 3 Card Poker, 2025."""

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        terms = msgspec.convert(wanted, PokerTable, strict=False)
        parameters = msgspec.structs.replace(
            PARAMETERS,
            chip=terms.chip,
            minimum=terms.minimum_pot,
            increment_bp=terms.to_pot,
            reserve_bp=terms.to_reserve,
            ceiling=max(terms.ceiling, terms.pot),
            unreasonable_chips=terms.unreasonable,
            fixed=terms.fixed,
        )
        return Play(
            stacked(cards, lambda seats: self.order(terms, seats), bets),
            parameters,
            terms.pot,
            unread=numbers(terms.unread),
            seat_count=terms.seats,
            source=terms.source,
            maximum=terms.maximum,
            packet_sizes=sizes(terms),
            chip=terms.chip,
            rules=tuple(terms.rules.split()),
        )

    def order(self, terms: PokerTable, seats: list[str]) -> list[str]:
        """The places in the order in which they get their cards, the community cards last (11.º)."""
        if terms.source == "shoe":
            return [*seats * 3, *("bank",) * 3, "community", "community"]
        aside = () if 2 in sizes(terms) else ("discard",)
        return [*(place for seat in seats for place in (seat,) * 3), *("bank",) * 3, *aside, "community", "community"]

    def verbs(self, play: Play) -> dict[str, Callable[[str], Any]]:
        """`card`: one comes out of the shoe and is received, whatever the table waits for."""
        return {"card": lambda _: play.draw()}

    def hidden(self, play: Play, place: str) -> set[str]:
        return set(play.lying_at(place).split())

    def voided(self, play: Play) -> None:
        """After a broken deal the chips continue to the next round, otherwise they go back (17.º 3)."""
        super().voided(play)
        void = play.round.void
        assert void is not None
        carries = void.article in ("17.º 1 1)", "17.º 2")
        jackpots = [line for seat in play.report.seats for line in seat.lines if line.wager == "jackpot"]
        assert [line.chip_carried for line in jackpots] == [carries] * len(play.round.chips)
        assert void.carried == (play.round.chips if carries else ())
        if play.table.meter is not None:
            assert not any(hit.round == play.report.round for hit in play.meter.hits)
            assert play.report.jackpot and play.report.jackpot.awards == []
            assert play.report.jackpot.pot_after == play.meter.pot

    def file(self, play: Play) -> dict[str, Any] | None:
        report, seats = play.report, dict[str, dict[str, Any]]()
        for bet in report.wagers:
            seats.setdefault(str(bet.seat), {"cards": lying(play, f"seat {bet.seat}")})[bet.wager] = bet.amount
        for answer in report.decisions:
            seats[str(answer.seat)]["decision"] = answer.decision
        file: dict[str, Any] = {"game": report.game, "seats": seats, "dealer": lying(play, "bank")}
        if any("jackpot" in seat for seat in seats.values()):
            file["community"] = lying(play, "community")
        if report.rules:
            file["rules"] = report.rules
        if report.jackpot:
            parameters = play.meter.parameters
            file["jackpot"] = {
                "pot": report.jackpot.pot_before,
                "minimum": parameters.minimum,
                "fixed": parameters.fixed,
            }
        return file


def lying(play: Play, place: str) -> str:
    """The cards of a place: those that were turned there, corrected or not; else those that are there face down."""
    return " ".join(play.round.play.shown.get(place, ())) or play.lying_at(place)


def sizes(terms: PokerTable) -> tuple[int, ...]:
    """The packets that a shuffler gives; a shoe gives none."""
    return tuple(map(int, terms.packets.split())) if terms.source == "shuffler" else ()


def stacked(text: str, order: Callable[[list[str]], list[str]], bets: Iterable[Bet]) -> list[Card]:
    """A deck that deals the cards of each place to it, and any others to the rest.

    The text names places, ``seat 1 As Ks Qs; bank Qd 9c 4h; then 2c``, or is the cards in the order they are dealt.
    """
    parts = [part.split() for part in text.replace("\n", ";").split(";") if part.strip()]
    named: dict[str, list[str]] = {}
    for words in parts:
        place = (
            " ".join(words[:2]) if words[0] == "seat" else words[0] if words[0].isalpha() and len(words[0]) > 2 else ""
        )
        named[place or "first"] = words[2:] if words[0] == "seat" else words[1:] if place else words
    seats = {f"seat {bet.seat}" for bet in bets if bet.wager != "chip"} | {
        place for place in named if place.startswith("seat ")
    }
    places = order(sorted(seats, key=lambda place: int(place.removeprefix("seat "))))
    strange = set(named) - {*places, "first", "then", "discard"}
    assert not strange, f"no cards are dealt to {', '.join(sorted(strange))}"
    given = [card for cards in named.values() for card in cards]
    twice = sorted({card for card in given if given.count(card) > 1})
    assert not twice, f"{', '.join(twice)}: named twice, and there is one deck"
    others = iter([card for card in DECK if card not in given])
    top = list(cards(" ".join(named.get("first", []))))
    if not top:
        waiting = {place: iter(there) for place, there in named.items()}
        top = [Card(next(waiting.get(place, iter(())), "")) or next(others) for place in places]
        top += cards(" ".join(named.get("then", [])))
    return whole(1, top)


class Poker2008(Poker):
    """Fortune 3 Card Poker, 2008: it has no additional bets, and its own deal."""

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        terms = msgspec.convert(wanted, PokerTable, strict=False)
        return Play2008(
            stacked(cards, lambda seats: self.order(terms, seats), bets),
            terms.source,
            packet_sizes=sizes(terms),
            maximum=terms.maximum,
            unread=numbers(terms.unread),
        )

    def order(self, terms: PokerTable, seats: list[str]) -> list[str]:
        """The bank is the last of each pass, or gets the last packet (7.º)."""
        if terms.source == "shoe":
            return [*seats, "bank"] * 3
        return [place for seat in (*seats, "bank") for place in (seat,) * 3]

    def say(self, play: Play, kind: type[Any], actor: str, fields: dict[str, Any]) -> tuple[Event, ...]:
        assert isinstance(play, Play2008)
        if kind is Exposed and fields["which"]:
            return play.leave_out(*fields["which"])
        if kind is ToEmptySeat:
            return play.astray(fields["meant_for"], fields["seat"])
        return super().say(play, kind, actor, fields)

    def settled(self, play: Play) -> None:
        super().settled(play)
        played_to_its_end(play)

    def voided(self, play: Play) -> None:
        super().voided(play)
        voided(play)
