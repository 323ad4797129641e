"""A table of black-jack/21 that keeps its own books and holds after every input what must hold whatever happened."""

from collections import Counter
from typing import Any

import msgspec

from controller.engine.decisions.decision import Input
from controller.engine.decisions.played import Reveal
from controller.engine.shown.device_orders import react
from controller.engine.state import jackpot
from controller.engine.state.applied import Event, apply
from controller.engine.state.persons import CorrectCards
from controller.engine.state.table import Table
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import (
    CardsShown,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    WagerPlaced,
)
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import RoundReport
from tests.engine.computation import Bets, house, nets
from tests.engine.hands import DECIDED_BY, Hands, settled_as_a_file
from tests.engine.playing import NAMED
from tests.engine.reported import bets_at, lines, open_cards

STOCK_LOW = 80  # cards; more are put behind them, for no round shall run out of them


class WatchedHands(Hands):
    """Keeps its own books: every bet by seat and player, the cards that may be named."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.folded = Table()
        self.ledger: dict[tuple[int, str, str], int] = {}
        self.nameable: set[str] = set()
        self.ever_shown: set[str] = set()
        self.read_channels = 0
        super().__init__(*args, **kwargs)

    # ---- what must hold

    def hear(self, input: Input) -> tuple[Event, ...]:
        before, known = self.table, len(self.entries)
        if isinstance(input, Reveal | CorrectCards):  # what a person keys in is no secret of the station's
            self.nameable |= set((input.cards or "").split())
        try:
            events = super().hear(input)
        except Refusal:
            assert self.table == before
            self.nothing_is_named_too_soon()
            raise
        for event, _ in self.entries[known:]:
            self.folded = apply(self.folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
            self.book(event)
        if len(self.deck) - self.dealt < STOCK_LOW:
            self.deck = [*self.deck, *self.first]
        self.holds()
        return events

    def book(self, event: Event) -> None:
        match event:
            case RoundBegun():
                self.nameable, self.ledger = set(), {}
            case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
                self.ledger[seat, wager, player or ""] = amount
            case InputCorrected(what="wager", at=at, after=after, wager=wager, player=player):
                self.ledger[int(at[-1]), str(wager), player or ""] = int(after)
            case InputCorrected(what="seat", at=at, after=after):
                places = {int(at[-1]): int(str(after)[-1])}
                self.ledger = {(places.get(seat, seat), box, who): of for (seat, box, who), of in self.ledger.items()}
            case CardsShown(cards=shown):
                self.nameable |= set(shown)
            case RoundConfirmed():
                self.confirmed()

    def confirmed(self) -> None:
        """Every bet has its lines and no other; nothing is won or lost in a void round, else as the rules have it."""
        report = self.report
        stakes, reported = Counter[int](), Counter[int]()
        for (seat, wager, _), amount in self.ledger.items():
            stakes[seat] += amount if wager != "jackpot" else 0
        for one in report.wagers:
            reported[one.seat] += one.amount if one.wager != "jackpot" else 0
        assert stakes == reported
        self.every_stake_has_its_line(report)
        assert sum(line.net for line in lines(report)) + house(report) == 0
        if self.round.void is not None:
            self.stands_as_it_was_decided()
            return
        assert max(Counter(hands_of(self.round).faces.values()).values()) <= self.round.terms.decks
        assert msgspec.json.encode(self.round.settlement) == settled_as_a_file(self)
        computed = nets(report)
        for of in report.seats:
            assert of.net == computed[of.seat, ""]
            for one in bets_at(report, of.seat):
                if one.wager == "backing":
                    theirs = [line.net for line in of.lines if line.player == one.player]
                    assert sum(theirs) == computed[of.seat, str(one.player)]

    def stands_as_it_was_decided(self) -> None:
        """A void round won and lost what was told as decided before the bank's second card, and nothing else."""
        assert not any(line.net for line in lines(self.report) if line.outcome == "void")
        chips = [one for one in self.stands() if one[1] == "jackpot"]
        assert len(self.table.contributed) == len(chips)
        told = [
            (int(seat), line["wager"], line.get("hand"), line.get("player"), line["net"])
            for seat, of in self.public()["round"]["lines"].items()
            for line in of
            if line["article"] in DECIDED_BY
        ]
        bank = self.public()["round"]["bank"]
        decided = [
            (of.seat, line.wager, line.hand or None, line.player, line.net)
            for of in self.report.seats
            for line in of.lines
            if line.outcome != "void" and line.wager != "jackpot"
        ]
        if decided or chips:
            waits = bank is not None and bank["cards"].split()[0][0] in "ATJQK"
            assert [one for one in told if one[1] != "hand" or not waits or one in decided] == decided

    def every_stake_has_its_line(self, report: RoundReport) -> None:
        """What lies on the felt, raises and insurance included, is what the lines are of."""
        for of in report.seats:
            bets = Bets(report, of.seat)
            lain = sum(bets.bets[who] * times for hand in bets.hands for who, times in hand.items())
            of_hands = [line for line in of.lines if line.wager in ("hand", "insurance")]
            turned = report.outcome == "void" or len(open_cards(report)["bank"].split()) > 1
            assert sum(line.stake for line in of_hands) == lain + (sum(bets.insured.values()) if turned else 0)
            chips = [line.stake for line in of.lines if line.wager == "jackpot"]
            assert chips == [one.amount for one in bets_at(report, of.seat) if one.wager == "jackpot"]

    def holds(self) -> None:
        assert self.folded == self.table
        kept = msgspec.json.encode(self.table)
        assert msgspec.json.decode(kept, type=Table) == self.table
        self.nothing_is_named_too_soon()
        self.ever_shown |= self.nameable
        assert {name.decode() for name in NAMED.findall(kept)} <= self.ever_shown
        effects = react(self.table, 2)
        assert effects.shuffler is None and self.step.order is None
        assert effects.shoe_locked or (self.at("deal", "burn") and self.round.terms.source == "shoe")
        if self.table.meter is not None:
            jackpot.check(self.table.meter)
            counted = sum(chip.to_pot_e4 for chip in self.table.contributed)
            assert counted <= self.meter.contributions_e4 - self.meter.returned_e4
        if self.table.round is not None:
            play = hands_of(self.round)
            assert play.from_the_bets(self.round) == play
        if self.table.round is not None and self.round.void is None:
            assert len(self.table.contributed) == len(self.round.chips)

    def nothing_is_named_too_soon(self) -> None:
        """No card stands in anything readable that was neither shown nor keyed in in this round, but a prize's (49)."""
        hits = self.meter.hits if self.table.meter is not None else ()
        won = {card for hit in hits for card in hit.cards}
        assert won <= self.ever_shown | self.nameable
        for channel in self.channels[self.read_channels :]:
            assert {name.decode() for name in NAMED.findall(channel)} <= self.nameable | won
        self.read_channels = len(self.channels)
