"""Packets dealt in a known order, then turned place by place: the play of most games. No I/O here."""

from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Self

from msgspec.structs import replace

from controller.rulebook.cards import Card, show_cards
from controller.rulebook.corrected import (
    CardsCorrected,
    Corrected,
    DecisionCorrected,
    SeatCorrected,
    WagerCorrected,
    corrected_by,
)
from controller.rulebook.derived import derived, pass_on
from controller.rulebook.events import (
    CardCameEarly,
    CardsExposed,
    CardsSetAside,
    CardsShown,
    DecisionMade,
    InputCorrected,
    PlayEvent,
    RoundBegun,
    SharedEvent,
)
from controller.rulebook.game import Game, Placed, PlayView, confirm_id
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import Answered
from controller.rulebook.round import Aside, Dealt, Play, Round, moved_keys, moved_places
from controller.rulebook.steps import Step, seat_place

_MOVES_NO_CARD = (CardsShown, DecisionMade)


class PacketsRound(Play, frozen=True, tag_field="kind", tag="packets"):
    """The decisions of seats, the places turned, and the cards seen, left out, or dealt too early."""

    decisions: dict[int, str] = {}  # noqa: RUF012 each struct has its own
    shown: dict[str, tuple[Card, ...]] = {}  # noqa: RUF012 each struct has its own
    exposed: dict[str, int] = {}  # noqa: RUF012 each struct has its own
    aside: tuple[Aside, ...] = ()
    came_early: tuple[int, ...] = ()

    def advance(self, round: Round, event: SharedEvent | PlayEvent) -> Round:
        play = self._after(round, event)
        if play is self:
            return round
        after = replace(round, play=play)
        if isinstance(event, _MOVES_NO_CARD):
            pass_on(PacketGame._followed, round, after)
        return after

    def _after(self, round: Round, event: SharedEvent | PlayEvent) -> Self:
        match event:
            case DecisionMade(seat=seat, decision=decision):
                return replace(self, decisions={**self.decisions, seat: decision})
            case CardsShown(to=place, cards=cards):
                return replace(self, shown={**self.shown, place: cards})
            case CardsExposed(to=place, count=count):
                return replace(self, exposed={**self.exposed, place: self.exposed.get(place, 0) + count})
            case CardsSetAside(to=place, draws=draws):
                left_out = Aside(to=place, draws=draws, after=len(round.dealt))
                return replace(self, aside=(*self.aside, left_out))
            case CardCameEarly():
                return replace(self, came_early=(*self.came_early, round.draws + 1))
            case InputCorrected():
                return self._corrected(round, corrected_by(event))
            case _:
                return self

    def _corrected(self, round: Round, corrected: Corrected) -> Self:
        match corrected:
            case WagerCorrected(seat=seat, wager="ante", after=0):
                return replace(self, decisions={at: made for at, made in self.decisions.items() if at != seat})
            case DecisionCorrected(seat=seat, after=decision):
                return replace(self, decisions={**self.decisions, seat: decision})
            case CardsCorrected(at=place, after=cards):
                return replace(self, shown={**self.shown, place: cards})
            case SeatCorrected(seat=seat, to=to):
                places = moved_places(round, seat, to)
                return replace(
                    self,
                    decisions=moved_keys(self.decisions, {seat: to}),
                    shown=moved_keys(self.shown, places),
                    exposed=moved_keys(self.exposed, places),
                )
            case _:
                return self


class SpacesRound(PacketsRound, frozen=True, tag_field="kind", tag="spaces"):
    """A card at each space, shown as it is dealt."""


def packets_of(round: Round) -> PacketsRound:
    """The play of a round whose packets are dealt and then turned. Raises TypeError for a round of another kind."""
    if not isinstance(round.play, PacketsRound):
        raise TypeError(f"{round.terms.game} deals no packets")
    return round.play


class PacketGame(Game):
    """A game whose deal is known before its first card: packets in order, decisions, then cards that are turned."""

    def answers_given(self, round: Round) -> Iterator[Answered]:
        return (Answered(seat, None, decision) for seat, decision in sorted(packets_of(round).decisions.items()))

    @abstractmethod
    def packets(self, round: Round) -> Iterable[tuple[str, ...]]:
        """The deal in order, each item the places of the cards that leave the source together."""

    @abstractmethod
    def places_to_show(self, round: Round) -> Iterator[str]:
        """The places whose cards are turned, in order."""

    def play(self, event: RoundBegun) -> Play:
        return PacketsRound()

    def check_decision(self, round: Round, seat: int, decision: str) -> None:
        """Raises Refusal for a decision that the seat's wagers do not allow."""
        raise Refusal(seat_place(seat), LawReason.NOTHING_DECIDED, self.citations.play)

    def cards_stay(self, round: Round, seat: int) -> bool:
        """Whether the cards of a seat that has decided stay on the table for a bet that is still to be settled."""
        return True

    def waiting(self, round: Round) -> tuple[int, ...]:
        """The seats that still have to decide."""
        return ()

    def obliged(self, round: Round) -> tuple[int, ...]:
        """The seats among them that must play."""
        return ()

    def replacement(self, round: Round, to: str, count: int) -> list[tuple[str, ...]]:
        """The packets that replace cards of a place that were left out."""
        raise TypeError(f"{self.id} leaves no card out")

    def after_the_deal(self, round: Round) -> Step | None:
        """The questions between the deal and the turning of the cards."""
        waiting = self.waiting(round)
        if waiting:
            return Step(id=f"{round.id}/decisions", kind="decisions", waiting=waiting)
        return None

    # ---- what follows from it

    def next_play(self, round: Round) -> Step:
        """The next step: the packet that is due, the count of the deal, a question, the place to be turned, or the
        end.
        """
        to = self.next_places(round)
        if to:
            return self._deal_step(round, to)
        count = self.source.count(round)
        if count is not None:
            return count
        asked = self.after_the_deal(round)
        if asked is not None:
            return asked
        shown = round.play.shown
        for place in self.places_to_show(round):
            if place not in shown:
                key_in = bool(round.unread) and bool(set(round.unread) & set(self.draws_at(round, place)))
                return Step(id=f"{round.id}/reveal/{place}", kind="reveal", to=(place,), key_in=key_in)
        return Step(id=confirm_id(round), kind="confirm")

    def placed(self, round: Round) -> tuple[Placed, ...]:
        """Every deal so far with its places: they follow from the order, null cards left out.

        Cards of a place without a bet are on the discard rack.
        """
        return self._followed(round)[0]

    def next_places(self, round: Round) -> tuple[str, ...]:
        """The places of the next cards to be dealt; empty when the deal is complete."""
        due = self._followed(round)[1]
        return due[0] if due else ()

    def cards_due(self, round: Round) -> int:
        """The number of cards in the deal, including replacements for cards that were left out."""
        found, due = self._followed(round)
        dealt = sum(len(packet.dealt.draws) for packet in found if packet.dealt.null is None)
        return dealt + sum(map(len, due))

    def miscounted_by(self, round: Round) -> str:
        """The article that voids a round whose last count differs from what the shoe reported."""
        return self.citations.broken_deal

    def draws_at(self, round: Round, place: str) -> tuple[int, ...]:
        """The draws of the cards at a place, in the order they came; without null cards and those left out."""
        aside = {draw for left_out in packets_of(round).aside for draw in left_out.draws}
        return tuple(
            draw
            for deal in self.placed(round)
            if deal.dealt.null is None and place in deal.to
            for draw, to in zip(deal.dealt.draws, deal.to, strict=False)
            if to == place and draw not in aside
        )

    def shown_at(self, round: Round, place: str) -> dict[int, Card]:
        """The cards of a place that were shown, by draw, in the order they came."""
        cards = round.play.shown.get(place)
        return {} if cards is None else dict(zip(self.draws_at(round, place), cards, strict=True))

    def view(self, round: Round) -> PlayView:
        play = packets_of(round)
        return PlayView(
            exposed=play.exposed,
            aside=tuple(draw for left_out in play.aside for draw in left_out.draws),
            decisions=play.decisions,
            shown={place: show_cards(cards) for place, cards in play.shown.items()},
        )

    def open_cards(self, round: Round) -> list[Card]:
        return [card for shown in round.play.shown.values() for card in shown]

    def unread_places(self, round: Round) -> tuple[str, ...]:
        """The places with a card whose value was not received."""
        if not round.unread:
            return ()
        unread = set(round.unread)
        places = dict.fromkeys(to for deal in self.placed(round) if deal.dealt.null is None for to in deal.to)
        return tuple(place for place in places if unread & set(self.draws_at(round, place)))

    @derived
    def _followed(self, round: Round) -> tuple[tuple[Placed, ...], tuple[tuple[str, ...], ...]]:
        """The deals with their places, and the packets still due."""
        due, found = deque(self.packets(round)), []
        aside = packets_of(round).aside
        for index, dealt in enumerate(round.dealt):
            if aside:
                self._replace_left_out(round, index, due)
            count = len(dealt.draws)
            if dealt.null is not None:
                to = (seat_place(dealt.null),) * count
            else:
                to = self._turn(aside, dealt, due) if due else ("discard",) * count
            found.append(Placed(dealt=dealt, to=to))
        if aside:
            self._replace_left_out(round, len(round.dealt), due)
        return tuple(found), tuple(due)

    def _turn(self, aside: tuple[Aside, ...], dealt: Dealt, due: deque[tuple[str, ...]]) -> tuple[str, ...]:
        """The next packet due. Cards left out are their place's: they do not move up when earlier ones are null."""
        for left_out in aside:
            if set(left_out.draws) & set(dealt.draws):
                for packet in due:
                    if left_out.to in packet and len(packet) == len(dealt.draws):
                        due.remove(packet)
                        return packet
        return due.popleft()

    def _replace_left_out(self, round: Round, index: int, due: deque[tuple[str, ...]]) -> None:
        """Cards that were left out after these deals are replaced before the deal continues."""
        wanted: dict[str, int] = {}
        for left_out in packets_of(round).aside:
            if left_out.after == index:
                wanted[left_out.to] = wanted.get(left_out.to, 0) + len(left_out.draws)
        for to, count in wanted.items():
            due.extendleft(reversed(self.replacement(round, to, count)))

    def _deal_step(self, round: Round, to: tuple[str, ...]) -> Step:
        # A null packet moves the next one up, a card left out is replaced: those are other questions than before.
        moved = "".join(f"/{dealt.null}" for dealt in round.dealt if dealt.null is not None)
        moved += "".join(f"/{draw}-aside" for left_out in packets_of(round).aside for draw in left_out.draws)
        id = f"{round.id}/deal/{len(round.dealt) + 1}{moved}"
        return Step(id=id, kind="deal", to=to, order=self.source.order(round))
