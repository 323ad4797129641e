"""The interface of a game to the table: citations, deal, bets and outcome; each regulation is one. No I/O here."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import asdict, replace

from controller.rulebook.cards import Card
from controller.rulebook.citations import Citations, LegalStatus, OtherReading
from controller.rulebook.corrected import Corrected, reported_correction
from controller.rulebook.events import BettingClosed, CardsExposed, CardsSetAside, Left, RoundBegun, Terms
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Win
from controller.rulebook.moments import Kind, Moment, Moments, kind_of
from controller.rulebook.offers import Offers
from controller.rulebook.parts.betting import Betting, Seats
from controller.rulebook.parts.deck import Deck
from controller.rulebook.parts.prize import Prize
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import Source
from controller.rulebook.pay_table import PayRow
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Reason, Refusal, quoted
from controller.rulebook.report import (
    Answered,
    AuthorisedBet,
    Irregularity,
    LineResult,
    OpenCards,
    PlacedBet,
    RoundReport,
)
from controller.rulebook.round import Dealt, Play, Round
from controller.rulebook.settlement import AnySettlement
from controller.rulebook.steps import PHASE_OF, Phase, Step, StepKind, seat_of, seat_place
from controller.rulebook.units import Minor

HandState = Literal["asked", "given_up", "lost", "paid", "black_jack", "stood", "waiting"]


class Exposure(msgspec.Struct, frozen=True):
    """The effect of cards that were seen while they were dealt: events, and the reason if the round is void."""

    events: tuple[CardsExposed | CardsSetAside, ...] = ()
    void: tuple[str, Reason] | None = None  # article and reason


class HandView(msgspec.Struct, frozen=True):
    """One hand that is played card by card: its open cards and its state.

    `bet` is the seat's own stake on it with its raises, minor units.
    """

    cards: str
    total: int
    bet: Minor
    doubled: bool
    state: HandState


class BankView(msgspec.Struct, frozen=True):
    """The bank's cards that are open, and their total."""

    cards: str
    total: int


class PlayView(msgspec.Struct, frozen=True):
    """The public part of a play.

    `exposed` cards of a place were seen while they were dealt; the draws `aside` are out of play. `lines` are results
    that are already final; `pending_cards` are those that no one has asked for.
    """

    exposed: dict[str, int] = {}
    aside: tuple[int, ...] = ()
    decisions: dict[int, str] = {}
    shown: dict[str, str] = {}
    hands: dict[int, tuple[HandView, ...]] = {}
    bank: BankView | None = None
    lines: dict[int, tuple[LineResult, ...]] = {}
    pending_cards: int = 0


class AtOnce(msgspec.Struct, frozen=True):
    """The payment or loss of a seat before the round is over, with its article; whether its cards stay on the table."""

    seat: int
    what: Literal["pay", "collect", "special"]
    article: str
    stays: bool


class Placed(msgspec.Struct, frozen=True):
    """Cards dealt together, with the place of each."""

    dealt: Dealt
    to: tuple[str, ...]


class Game(ABC):
    """One regulation at the live table. Rounds are values; nothing here remembers one."""

    id: str
    legal_status: LegalStatus
    citations: Citations
    moments: Moments
    deck: Deck
    source: Source
    betting: Betting
    prize: Prize
    session: Session
    seats: Seats
    own_words: str = ""  # behind the key of what this game words otherwise
    other_readings: tuple[OtherReading, ...] = ()  # those that a house may choose

    def example(self) -> dict[str, str]:
        """The settings of a table of this game in an example of a configuration, as TOML by key."""
        return {"table.seats": str(self.seats.numbers[-1])}

    # ---- the regulation's own

    @abstractmethod
    def play(self, event: RoundBegun) -> Play:
        """The state of the game's kind of play at the beginning of a round."""

    @abstractmethod
    def next_play(self, round: Round) -> Step:
        """The step of a round after the betting is closed and when no gap has to be counted."""

    @abstractmethod
    def placed(self, round: Round) -> Sequence[Placed]:
        """Every deal so far with its places; a card at none of the deal's places is on the discard rack."""

    @abstractmethod
    def draws_at(self, round: Round, place: str) -> tuple[int, ...]:
        """The draws of the cards at a place, in the order they came; without null cards and those left out."""

    @abstractmethod
    def shown_at(self, round: Round, place: str) -> dict[int, Card]:
        """The cards of a place that were shown, by draw, in the order they came."""

    @abstractmethod
    def view(self, round: Round) -> PlayView:
        """The public part of the play."""

    @abstractmethod
    def open_cards(self, round: Round) -> list[Card]:
        """Every card of the round that is open."""

    @abstractmethod
    def unread_places(self, round: Round) -> tuple[str, ...]:
        """The places with a card whose value was not received."""

    @abstractmethod
    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """Raises Refusal for a wager that may not be placed; 0 takes it back."""

    @abstractmethod
    def close_betting(self, round: Round, chips: tuple[int, ...]) -> BettingClosed:
        """Close the betting; `chips` are the seats with a chip that came in time. Raises Refusal."""

    @abstractmethod
    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> AnySettlement:
        """The settlement on the cards that were shown."""

    @abstractmethod
    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> AnySettlement:
        """Takes back every undecided wager under `article`.

        `pots` is the meter before and after the chips went back, minor units.
        """

    def kind_of(self, corrected: Corrected | None) -> Kind:
        """The kind of thing that a correction changes, or a void (None)."""
        return kind_of(corrected)

    def informed(self, round: Round, corrected: Corrected | None) -> Moment | None:
        """The moment from which a correction (None: a void) has to be informed; None if that has not come yet."""
        moment = self.moments.of(self.kind_of(corrected))
        return moment if round.locked and moment.passed(round, corrected) else None

    def left(self, round: Round) -> Left | None:
        """The facts that a confirmed round, void or not, leaves to the next one."""
        return None

    @abstractmethod
    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        """The effect of a place's cards that were seen while they were dealt. Raises Refusal."""

    @abstractmethod
    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        """The irregularities of the round, whether they voided it or not."""

    @abstractmethod
    def answers_given(self, round: Round) -> Iterator[Answered]:
        """The decision of each seat."""

    @abstractmethod
    def offers(self, terms: Terms) -> Offers:
        """The actions that a screen offers in addition to those of every game."""

    def pay_table(self, terms: Terms) -> tuple[PayRow, ...]:
        """The payments other than even money, in the regulation's order; empty if there are none."""
        return ()

    def report(self, round: Round) -> RoundReport:
        """The report of a settled round. Raises ValueError for a round without a settlement."""
        if round.settled is None:
            raise ValueError(f"round {round.id} has no settlement")
        terms = round.terms
        return RoundReport(
            **asdict(round.settled.result()),
            round=round.id,
            rules=terms.rules,
            act=terms.act,
            source=terms.source,
            decks=terms.decks,
            deal=round.deal,
            wagers=tuple(self.bets_placed(round)),
            shown_cards=tuple(self.cards_shown(round)),
            decisions=tuple(self.answers_given(round)),
            added_bets=tuple(
                AuthorisedBet(bet.name, bet.pays, by.reference, by.date)
                for bet in terms.house.bets
                for by in terms.house.authorisations
                if by.subject == bet.name
            ),
            irregularities=tuple(self.irregularities(round)),
            corrections=tuple(map(reported_correction, round.corrections)),
        )

    def bets_placed(self, round: Round) -> Iterator[PlacedBet]:
        """Every bet of a round, in the order in which it is settled."""
        for seat, wagers in round.wagers.items():
            yield from (PlacedBet(seat, wager, round.players.get(seat), amount) for wager, amount in wagers.items())

    def cards_shown(self, round: Round) -> Iterator[OpenCards]:
        """The cards that the rules have shown: first the bank's and the community's."""
        places = sorted(
            round.play.shown, key=lambda place: (place != "bank", place != "community", seat_of(place) or 0)
        )
        return (OpenCards(to=place, cards=round.play.shown[place]) for place in places)

    def next_places(self, round: Round) -> tuple[str, ...]:
        """The places of the next cards of a known deal; empty when it is complete."""
        return ()

    def at_once(self, round: Round) -> tuple[AtOnce, ...]:
        """The bets that are paid or collected at once, because of the last card or answer."""
        return ()

    def is_turned_apart(self, place: str) -> bool:
        """Whether the cards of a place are turned on their own, after the other bets were paid."""
        return False

    def deal_prompt(self, round: Round) -> str:
        """The key of the prompt to deal, where the cards are open; empty where they are face down."""
        return ""

    def is_face_down(self, round: Round) -> bool:
        """Whether the card that is due is face down, at a game with open cards."""
        return False

    def deciders(self, round: Round) -> dict[int, str | None]:
        """The deciding player of each seat, where several may bet at one and the decision may pass to another."""
        return {}

    def decided_chips(self, round: Round) -> tuple[int, ...]:
        """The seats whose jackpot chip has already won or lost, so that a void does not change it."""
        return ()

    def carried_by(self, round: Round, article: str) -> tuple[int, ...]:
        """The seats whose jackpot chip continues to the next round when `article` voids this one."""
        return ()

    def prize_cards(self, round: Round, seat: int) -> tuple[Card, ...]:
        """The cards that won a seat its prize from the pot, in the order they count; all of them are open."""
        raise TypeError(f"{self.id} has no prize")

    def prize_places(self, seat: int) -> tuple[str, ...]:
        """The places whose cards show that a seat has won a prize from the pot."""
        return (seat_place(seat),)

    def award(self, winners: Sequence[Win], chip: int, terms: JackpotTerms) -> SettledJackpot:
        """The prizes of these chips from a pot. Raises KeyError for a combination that wins nothing."""
        raise TypeError(f"{self.id} has no prize")

    def paid_after(self, earlier: str, later: str) -> str:
        """The article under which a prize of the tier `later` is paid after one of the tier `earlier`."""
        raise TypeError(f"{self.id} has no prize")

    def phase(self, kind: StepKind) -> Phase:
        """The part of a round that a step belongs to."""
        return PHASE_OF[kind]

    def check_misdealt(self, round: Round) -> None:
        """Raises Refusal if no error in the deal can be reported."""
        if not round.locked:
            raise Refusal("table", LawReason.BETS_NOT_CLOSED, self.citations.broken_deal)

    def check_deal_error(self, round: Round, what: str, place: str) -> None:
        """Raises Refusal if no error in the deal at a place can have been corrected."""
        raise Refusal("table", LawReason.ERROR_IS_MISDEAL, self.citations.broken_deal)

    def check_dealt_there(self, round: Round, place: str) -> None:
        """Raises Refusal if no card was dealt to a place."""
        if not round.dealt:
            raise Refusal("table", LawReason.NOTHING_DEALT, self.citations.broken_deal)
        if place not in {to for deal in self.placed(round) for to in deal.to} - {"discard", "pending"}:
            raise Refusal(place, LawReason.NO_CARD_DEALT_THERE, self.citations.broken_deal)

    def entered(self, round: Round, seat: int, wager: str, player: str | None) -> int:
        """The amount that a correction replaces, minor units."""
        if (here := round.bets.get(seat, {}).get(wager)) is not None:
            return here.get(player or "", 0)
        return round.wagers.get(seat, {}).get(wager, 0)

    def check_amount(self, round: Round, seat: int, wager: str, amount: int, player: str | None) -> None:
        """Raises Refusal for an amount that a correction may not put there."""
        self.check_wager(replace(round, locked=False), seat, wager, amount, player)

    def check_readings(self, keys: Iterable[str]) -> None:
        """Raises Refusal for a key that is not among the game's other readings."""
        known = [reading.key for reading in self.other_readings]
        for key in keys:
            if key not in known:
                raise Refusal("rules", LawReason.NONE_OF, key=quoted(key), known=", ".join(known) or "-")

    def check_corrected(self, round: Round) -> None:
        """Raises Refusal for a round that no wagers could have led to."""
        return None

    # ---- what follows from it in every game

    def seats_dealt(self, round: Round) -> tuple[int, ...]:
        """The seats whose bets bring them cards, in the order of the deal."""
        return round.seats_in_play

    def check_seat(self, round: Round, seat: int) -> None:
        """Raises Refusal for a seat that this table does not have."""
        if not 1 <= seat <= round.terms.seat_count:
            raise Refusal(seat_place(seat), LawReason.NO_SUCH_SEAT, self.citations.seats, seats=round.terms.seat_count)

    def next_step(self, round: Round) -> Step:
        """The step of this round."""
        if round.confirmed:
            return Step(id=f"{round.id}/claims", kind="claims")
        if round.settled is not None:
            return Step(id=confirm_id(round), kind="confirm")
        before = self._before_the_deal(round)
        if before is not None:
            return before
        if round.gaps:
            return Step(id=f"{round.id}/count/{round.counts + 1}", kind="count")
        return self.next_play(round)

    def _before_the_deal(self, round: Round) -> Step | None:
        if round.deck_faulty:
            return Step(id=f"{round.id}/deck/{round.shuffles}", kind="deck")
        attempt = f"/{round.shuffles + 1}" if round.shuffles else ""
        for kind in self.deck.preparations(round):
            order = self.source.order(round) if kind == "shuffle" else None
            return Step(id=f"{round.id}/{kind}{attempt}", kind=kind, order=order)
        if not round.locked:
            return Step(id=f"{round.id}/wagers", kind="wagers")
        if self.deck.is_announced() and round.deal is None:
            return Step(id=f"{round.id}/announce", kind="announce")
        return None


def confirm_id(round: Round) -> str:
    """The step's id, new for each settlement: so a person can confirm only the settlement that was on the screen."""
    if round.void is not None:
        return f"{round.id}/confirm/void"
    return f"{round.id}/confirm/{len(round.corrections) + 1}" if round.corrections else f"{round.id}/confirm"
