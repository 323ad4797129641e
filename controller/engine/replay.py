"""Rounds that were played, decided again from what the journal has of them. No I/O here.

The journal keeps no inputs. What a person or a device said stands in the event that it caused first; from that the
input is made once more, and decided by the code of now. What that decides is held against what was written.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine import events as happened
from controller.engine import inputs as heard
from controller.engine import jackpot_events as jackpot
from controller.engine.decide_void import void
from controller.engine.deciders import carry_out, row_of
from controller.engine.decision import Approval, Course
from controller.engine.events import DealerTold, Event
from controller.engine.inputs import Input, PersonInput
from controller.engine.persons import INSPECTOR, SUPERVISOR, People
from controller.engine.settings import Settings
from controller.engine.table import Table, apply, next_step
from controller.link.table import GrantHeard
from controller.rulebook import events as rule
from controller.rulebook.blackjack_21 import events as hands
from controller.rulebook.cards import DECK, Card, show_cards
from controller.rulebook.citations import COMPLETE_DECK
from controller.rulebook.corrected import (
    CardsCorrected,
    DecisionCorrected,
    DiceCorrected,
    SeatCorrected,
    WagerCorrected,
    corrected_by,
)
from controller.rulebook.events import Terms
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao import events as places
from controller.words import sentence

AHEAD = 100  # events: none of an input lies further from its first
A_TILE = Card("6-6")

Row = tuple[int, Event]
"""Number and meaning of an event."""


class Difference(msgspec.Struct, frozen=True):
    """Where the code of now decides otherwise: what the journal has, and what would be written now.

    Either is null where there is nothing; `refused` is why nothing is written now, where it is refused.
    """

    event: int
    round: int
    written: Event | None
    now: Event | None
    refused: str | None = None


class Again(msgspec.Struct, frozen=True):
    """How an event is decided again: an input and what its decider knows."""

    input: Input | None = None
    of_void: rule.RoundVoided | None = None
    people: People = {}
    vault: dict[int, Card | None] = {}
    terms: Terms | None = None


FOLLOWS = (
    rule.RoundSettled, places.PlacesSettled, rule.SettlementWithdrawn, hands.BankTurned, hands.CardTaken,
    jackpot.ChipContributed, jackpot.ContributionReturned, jackpot.HitLocked, jackpot.HitWithdrawn,
    jackpot.HitMadePayable, jackpot.HitPaid, jackpot.PotRestarted, jackpot.RestartWithdrawn,
)  # fmt: skip
"""What is never said by anybody: it follows from what was."""
WITH_OTHERS = (
    *FOLLOWS, DealerTold, happened.ChangeRejected, happened.TableClosed, happened.CardsExtracted, rule.RoundBegun,
    rule.RoundVoided, rule.InputCorrected, rule.CardsSetAside, rule.CardsShown, rule.CardCameEarly, rule.DealAnnounced,
    rule.BettingClosed, rule.CardsDealt, rule.CardsCounted, rule.ClaimsClosed, jackpot.ParametersScheduled,
)  # fmt: skip
"""What may stand behind the first event of an input."""


class Replay:
    """A journal from its first event on.

    `decided` counts the inputs that were decided again, `rounds` the rounds, and `told_otherwise` the inputs at which
    the dealer would be told something else now: notices decide nothing, and later stations have more of them.
    """

    def __init__(self, table: Table, terms: Terms | None = None) -> None:
        self.table = table
        self.decided = self.rounds = self.told_otherwise = 0
        self._terms = terms
        self._ahead: list[Row] = []

    def take(self, rows: Sequence[Row], last: bool = False) -> Iterator[Difference]:
        """The differences in some events more; what needs those that follow waits for them, but for the `last`."""
        self._ahead += rows
        at = 0
        while at < len(self._ahead) - (0 if last else AHEAD):
            found, taken = self._decide(at)
            yield from found
            at += taken
        del self._ahead[:at]

    def _decide(self, at: int) -> tuple[list[Difference], int]:
        """The differences in the events of the next input, and how many those are."""
        number, event = self._ahead[at]
        again = self._again(at)
        if again is None:
            self._apply(event)
            return ([self._differs(number, event, None)] if isinstance(event, FOLLOWS) else []), 1
        self.decided += 1
        role = again.people.get(getattr(again.input, "actor", ""), SUPERVISOR)
        course = Course(self.table, self._settings(again), again.vault, role)
        refused = None
        try:
            if again.input is not None:
                row_of(self.table, again.input).when.check(self.table)
                carry_out(course, again.input)
            elif again.of_void is not None:
                course.actor, course.approval = again.of_void.actor, Approval(None, again.of_void.approved_by)
                void(course, again.of_void.article, Reason(again.of_void.code, again.of_void.values))
        except Refusal as refusal:
            refused = sentence(refusal)
        except Exception as defect:  # named, as whatever else the code of now does otherwise
            refused = f"{type(defect).__name__}: {defect}"
        if refused is not None:
            return self._skipped(at, 1, self._differs(number, event, None, refused))
        return self._compared(at, course)

    def _settings(self, again: Again) -> Settings:
        terms = again.terms or self._terms
        if terms is None:
            raise TypeError("nothing is decided again before the first round")
        return Settings(terms=terms, people=again.people)

    def _compared(self, at: int, course: Course) -> tuple[list[Difference], int]:
        """What an input was decided to, held against what is written from `at` on."""
        made = course.decision().events
        written = self._ahead[at : at + len(made)]
        if [event for _, event in written] == list(made):
            self._move(course.table, made)
            return [], len(made)
        end, notices = at, list[Event]()
        for now in [one for one in made if not isinstance(one, DealerTold)]:
            end = self._past_notices(end, notices)
            number, then = self._ahead[end] if end < len(self._ahead) else (self._ahead[-1][0] + 1, None)
            if now != then:
                return self._skipped(at, max(1, end - at), self._differs(number, then, now))
            end += 1
        if end == at:
            number, event = self._ahead[at]
            return self._skipped(at, 1, self._differs(number, event, None))
        told = [one for one in made if isinstance(one, DealerTold)]
        end = self._past_notices(end, notices, len(told))
        self.told_otherwise += notices != told
        for _, event in self._ahead[at:end]:
            self._apply(event)
        return [], end - at

    def _past_notices(self, at: int, notices: list[Event], most: int = AHEAD) -> int:
        while at < len(self._ahead) and isinstance(self._ahead[at][1], DealerTold) and len(notices) < most:
            notices.append(self._ahead[at][1])
            at += 1
        return at

    def _skipped(self, at: int, least: int, difference: Difference) -> tuple[list[Difference], int]:
        """The journal goes on as it is written: with the next event that somebody said."""
        taken = 0
        for _, event in self._ahead[at:]:
            if taken >= least and not isinstance(event, (*FOLLOWS, DealerTold)):
                break
            self._apply(event)
            taken += 1
        return [difference], taken

    def _differs(self, number: int, written: Event | None, now: Event | None, refused: str | None = None) -> Difference:
        return Difference(number, self.table.rounds, written, now, refused)

    def _apply(self, event: Event) -> None:
        self._move(apply(self.table, event), (event,))

    def _move(self, table: Table, by: Sequence[Event]) -> None:
        self.table = table
        for event in by:
            if isinstance(event, rule.RoundBegun):
                self._terms = event.terms
                self.rounds += 1

    def _behind(self, at: int) -> list[Event]:
        """The event and what may be of the same input behind it."""
        found = [self._ahead[at][1]]
        for _, event in self._ahead[at + 1 : at + AHEAD]:
            if not isinstance(event, WITH_OTHERS):
                break
            found.append(event)
        return found

    def _again(self, at: int) -> Again | None:
        """How the next event is decided again; None for what is taken as it was told."""
        event = self._ahead[at][1]
        maker = MAKERS.get(type(event))
        if maker is None or (self._terms is None and not isinstance(event, rule.RoundBegun)):
            return None
        return maker(self.table, event, self._behind(at))


Maker = Callable[[Table, Any, list[Event]], Again | None]


def _said(kind: type[PersonInput], event: Any, *, people: People | None = None, **fields: Any) -> Again:
    actor = getattr(event, "actor", None) or "somebody"
    input: Any = kind(input_id="", step_id="", actor=actor, **fields)
    return Again(input, people={actor: SUPERVISOR, **(people or {})})


def _round(table: Table) -> Round:
    if table.round is None:
        raise TypeError("no round is in play")
    return table.round


def _of(kind: type[PersonInput], *fields: str, **renamed: str) -> Maker:
    """An input whose fields its event has, some under another name."""

    def made(_: Table, event: Any, __: list[Event]) -> Again:
        named = {name: name for name in fields} | renamed
        return _said(kind, event, **{name: getattr(event, of) for name, of in named.items()})

    return made


def _heard(input: Callable[[Any], Input]) -> Maker:
    return lambda table, event, behind: Again(input(event))


def _of_the_pit(table: Table, event: happened.LinkRecorded, behind: list[Event]) -> Again | None:
    """A grant settles its round; whatever else is told and heard of a linked pot decides nothing."""
    return Again(heard.LinkHeard((event.said,))) if isinstance(event.said, GrantHeard) else None


def _begun(table: Table, event: rule.RoundBegun, behind: list[Event]) -> Again:
    return replace(_said(heard.BeginRound, event), terms=event.terms)


def _shuffled(table: Table, event: rule.CardsShuffled, behind: list[Event]) -> Again | None:
    if _round(table).terms.source != "shuffler":
        return _said(heard.Shuffled, event, count=event.count)
    order = next_step(table).order
    return None if order is None else Again(heard.ShuffleHeard(order, event.count or 0))


def _cut(table: Table, event: rule.DeckCut, behind: list[Event]) -> Again:
    people: People = {event.name: INSPECTOR} if event.name else {}
    return _said(heard.Cut, event, people=people, by=event.by, name=event.name or "")


def _announced(table: Table, event: rule.DealAnnounced, behind: list[Event]) -> Again | None:
    return _card_heard(table, behind) if event.actor is None else _said(heard.Announce, event, deal=event.deal)


def _closed(table: Table, event: rule.BettingClosed, behind: list[Event]) -> Again | None:
    for other in behind[1:]:
        if isinstance(other, rule.BettingClosed):
            break
        if isinstance(other, rule.DealAnnounced) and other.actor is None:
            return _card_heard(table, behind)
    return _said(heard.LockIn, event)


def _dealt(table: Table, event: rule.CardsDealt, behind: list[Event]) -> Again | None:
    if not event.unheard:
        return _card_heard(table, behind)
    deals = [isinstance(one, rule.CardsDealt) for one in behind]
    other = behind[deals.index(False)] if not all(deals) else None
    if game_of(_round(table)).arranges and isinstance(other, rule.CardsCounted):
        return _said(heard.TilesDealt, other)
    return _said(heard.UnheardCard, event)


def _card_heard(table: Table, behind: list[Event]) -> Again | None:
    """A card that left its source: its value is known where it was shown with it, and decides nothing elsewhere."""
    if _doubled(behind):
        return None
    round = _round(table)
    dealt = next((one for one in behind if isinstance(one, rule.CardsDealt)), None)
    if dealt is None:
        return None
    after = behind[behind.index(dealt) + 1 :]
    shown = next((one for one in after[:1] if isinstance(one, rule.CardsShown)), None)
    unseen = A_TILE if game_of(round).arranges else DECK[0]
    values = iter(shown.cards if shown is not None and len(shown.cards) == len(dealt.draws) else ())
    cards = tuple(None if draw in dealt.unread else next(values, unseen) for draw in dealt.draws)
    return Again(heard.CardsHeard(round.terms.source, cards, dealt.order), vault=_vault(behind))


def _unseen_card(table: Table, event: Event, behind: list[Event]) -> Again:
    """One that nobody sees: burned, or not called."""
    return Again(heard.CardsHeard(_round(table).terms.source, (DECK[0],)))


def _counted(table: Table, event: Any, behind: list[Event]) -> Again:
    if next_step(table).kind == "deal":
        return _said(heard.TilesDealt, event)
    return _said(heard.CardsCounted, event, count=event.count)


def _exposed(table: Table, event: rule.CardsExposed, behind: list[Event]) -> Again | None:
    if len(behind) == 1 or not isinstance(behind[1], rule.CardsSetAside):
        return _reported(heard.Exposed, event, behind, to=event.to, count=event.count)
    there = game_of(_round(table)).draws_at(_round(table), event.to)
    if not set(behind[1].draws) <= set(there):
        return None
    return _said(heard.Exposed, event, to=event.to, which=tuple(there.index(draw) + 1 for draw in behind[1].draws))


def _nulled(table: Table, event: rule.CardsNulled, behind: list[Event]) -> Again | None:
    round = _round(table)
    meant = [one.to for one in game_of(round).placed(round) if one.dealt.draws == event.draws]
    if not meant or not meant[-1]:
        return None
    return _reported(heard.ToEmptySeat, event, behind, meant_for=meant[-1][0], seat=event.seat)


def _reported(kind: type[PersonInput], event: Event, behind: list[Event], **fields: Any) -> Again:
    """What a person reports: where it voids the round, the void says who did, and the reason that was given."""
    voided = next((one for one in behind if isinstance(one, rule.RoundVoided)), None)
    if voided is None:
        return _said(kind, event, **fields)
    by = voided if voided.actor is not None else event
    return _said(kind, by, reason=str(voided.values.get("said", "")), **fields)


def _shown(table: Table, event: rule.CardsShown, behind: list[Event]) -> Again | None:
    if _doubled(behind):
        return None
    round = _round(table)
    game = game_of(round)
    draws = event.draws or game.draws_at(round, event.to)
    known = dict(zip(draws, event.cards, strict=False))
    text = show_cards(event.cards) if event.keyed_in or game.arranges else None
    read: dict[int, Card | None] = dict(known)
    if event.keyed_in:
        all_unread = game.arranges or not set(draws) & set(round.unread)
        read = {draw: None if all_unread or draw in round.unread else card for draw, card in known.items()}
    revealed = _said(heard.Reveal, event, to=event.to, cards=text)
    return replace(revealed, vault=_vault(behind[1:]) | read)


def _answered(table: Table, event: hands.AnswerGiven, behind: list[Event]) -> Again | None:
    if _doubled(behind):
        return None
    seat, hand = event.seat, event.hand or 1
    match event.question:
        case "decision":
            said = _said(heard.Decide, event, seat=seat, hand=hand, decision=event.decision)
        case "give_up":
            said = _said(heard.GiveUp, event, seat=seat, yes=event.yes)
        case "even_money":
            said = _said(heard.EvenMoney, event, seat=seat, yes=event.yes)
        case "insurance":
            said = _said(heard.Insure, event, seat=seat, amounts=event.amounts)
        case "follow":
            said = _said(heard.Follow, event, seat=seat, hand=hand, who=event.who)
    return replace(said, vault=_vault(behind))


def _uncalled_settled(table: Table, event: hands.UncalledSettled, behind: list[Event]) -> Again | None:
    if _doubled(behind):
        return None
    return replace(_said(heard.UnaskedCard, event, seen=event.seen), vault=_vault(behind))


def _vault(behind: Sequence[Event]) -> dict[int, Card | None]:
    """The values that are shown with an input, by draw."""
    values = dict[int, Card | None]()
    for one in reversed(behind):  # a card that is taken unread is keyed in by another input, perhaps right behind it
        match one:
            case rule.CardsShown(draws=draws, cards=cards):
                values |= zip(draws, cards, strict=False)
            case hands.CardTaken(draw=draw, unreadable=True):
                values[draw] = None
    return values


def _doubled(behind: Sequence[Event]) -> bool:
    """Whether the round is void since a card came too often: which one it was is not said."""
    for one in behind[1:]:
        match one:
            case rule.RoundVoided(article=article):
                return article == COMPLETE_DECK
            case rule.CardsDealt():
                return False
    return False


def _withdrawn(table: Table, event: Event, behind: list[Event]) -> Again | None:
    """A settlement is taken back by a correction, or with the whole round."""
    for other in behind:
        match other:
            case rule.InputCorrected():
                return _corrected(table, other, behind)
            case rule.RoundVoided():
                return Again(of_void=other)
    return None


def _corrected(table: Table, event: rule.InputCorrected, behind: list[Event]) -> Again:
    reason, corrected = event.reason, corrected_by(event)
    match corrected:
        case WagerCorrected(seat, wager, player, _, after):
            said = _said(heard.CorrectWager, event, seat=seat, wager=wager, amount=after, reason=reason, player=player)
        case SeatCorrected(seat, to):
            said = _said(heard.CorrectSeat, event, seat=seat, to_seat=to, reason=reason)
        case DecisionCorrected(seat=seat, after=decision):
            said = _said(heard.CorrectDecision, event, seat=seat, decision=decision, reason=reason)
        case CardsCorrected(at=at, after=cards):
            said = _said(heard.CorrectCards, event, to=at, cards=show_cards(cards), reason=reason)
        case DiceCorrected(after=dice):
            said = _said(heard.CorrectDice, event, dice=dice, reason=reason)
    return replace(said, vault=_vault(behind))


def _given_back(table: Table, event: Event, behind: list[Event]) -> Again | None:
    """Chips that were carried go back where there is no round for them."""
    for other in behind:
        match other:
            case rule.RoundBegun() if table.round is None:
                return _begun(table, other, behind)
            case happened.TableClosed() if table.round is None:
                return _said(heard.CloseTable, other)
    return None


def _claims_closed(table: Table, event: rule.ClaimsClosed, behind: list[Event]) -> Again:
    if len(behind) > 1 and isinstance(behind[1], happened.CardsExtracted):
        return _said(heard.Extracted, behind[1], cards=behind[1].count)
    return _said(heard.CloseClaims, event)


def _co_signed(kind: type[PersonInput], *fields: str, **renamed: str) -> Maker:
    """As `_of`, signed by another person too."""
    alone = _of(kind, *fields, "reason", "second", **renamed)

    def made(table: Table, event: Any, behind: list[Event]) -> Again | None:
        again = alone(table, event, behind)
        if again is None:
            return None
        return replace(again, people={**again.people, event.second: getattr(event, "second_role", SUPERVISOR)})

    return made


def _change_entered(table: Table, event: happened.ChangeEntered, behind: list[Event]) -> Again:
    return Again(event.input, people={event.actor: event.role})


def _changes_approved(table: Table, event: happened.ChangesApproved, behind: list[Event]) -> Again:
    second: People = {event.second: event.second_role} if event.second and event.second_role else {}
    fields = {"changes": event.changes, "reason": event.reason, "second": event.second or ""}
    return replace(_said(heard.ApproveChanges, event, people=second, **fields), vault=_vault(behind))


def _change_rejected(table: Table, event: happened.ChangeRejected, behind: list[Event]) -> Again | None:
    if event.actor is None or event.role is None:
        return None
    fields = {"changes": (event.change,), "reason": event.reason}
    return _said(heard.RejectChanges, event, people={event.actor: event.role}, **fields)


def _hit_confirmed(table: Table, event: jackpot.HitConfirmed, behind: list[Event]) -> Again:
    return _said(heard.ConfirmHit, event, people={event.actor: event.role}, hit=event.hit)


def _cards_witnessed(table: Table, event: jackpot.CardsWitnessed, behind: list[Event]) -> Again:
    return _said(
        heard.WitnessCards, event, people={event.second: event.second_role}, hits=event.of_hits, second=event.second
    )


def _approved(table: Table, event: jackpot.ParametersApproved, behind: list[Event]) -> Again:
    return _said(heard.ApproveParameters, event, people={event.actor: event.role}, number=event.number)


def _proposed(table: Table, event: jackpot.ParametersProposed, behind: list[Event]) -> Again:
    return Again(heard.ParametersRead(pot=0, reserve=0, parameters=event.parameters_after))


def _inserted(table: Table, event: rule.CardsInserted, behind: list[Event]) -> Again:
    return Again(heard.InsertionHeard(event.count))


def _voided(table: Table, event: rule.RoundVoided, behind: list[Event]) -> Again:
    return Again(of_void=event)


MAKERS: dict[type[Any], Maker] = {
    # a round
    rule.RoundBegun: _begun,
    happened.NobodyBet: _of(heard.NoBets, "spread"),
    rule.DeckMended: _of(heard.DeckComplete),
    rule.CardsShuffled: _shuffled,
    rule.DeckCut: _cut,
    rule.CutPassed: _of(heard.PassCut, "seat", "vacant"),
    rule.WarningCardPlaced: _of(heard.PlaceWarningCard, "place"),
    rule.WagerPlaced: _of(heard.PlaceWager, "seat", "wager", "amount", "player"),
    rule.BettingClosed: _closed,
    rule.DealAnnounced: _announced,
    rule.CardCameEarly: lambda table, event, behind: _card_heard(table, behind),
    rule.CardsDealt: _dealt,
    rule.CardBurned: _unseen_card,
    rule.CardsCounted: _counted,
    rule.CountDoubted: _counted,
    rule.IncrementEntered: _of(heard.EnterIncrement, "amount"),
    rule.CardsExposed: _exposed,
    rule.ErrorPutRight: _of(heard.DealCorrected, "what", "to"),
    rule.CardsNulled: _nulled,
    rule.DecisionMade: _of(heard.Decide, "seat", "hand", "decision"),
    rule.CardsShown: _shown,
    hands.AnswerGiven: _answered,
    hands.CardUncalled: _unseen_card,
    hands.UncalledSettled: _uncalled_settled,
    places.BankTaken: _of(heard.TakeBank, "capital", "agreed", place="seat", casino="casino_share"),
    places.BankPassed: _of(heard.PassBank, "absent", place="seat"),
    places.FormAnnounced: _of(heard.AnnounceForm, "form", by="seat"),
    places.TilesMoved: _of(heard.TilesMoved, "by"),
    places.DiceThrown: _of(heard.Dice, "dice", by="seat"),
    places.DiceAnnulled: _of(heard.DiceNull, by="seat"),
    places.HandsSet: _of(heard.Arranged),
    rule.InputCorrected: _corrected,
    rule.SettlementWithdrawn: _withdrawn,
    jackpot.HitWithdrawn: _withdrawn,
    jackpot.RestartWithdrawn: _withdrawn,
    jackpot.ContributionReturned: _given_back,
    rule.RoundVoided: _voided,
    rule.RoundConfirmed: _of(heard.Confirm),
    happened.ChangeEntered: _change_entered,
    happened.ChangesApproved: _changes_approved,
    happened.ChangeRejected: _change_rejected,
    happened.LinkRecorded: _of_the_pit,
    rule.CardsInserted: _inserted,
    rule.CardsHeld: _of(heard.HoldCards),
    rule.ClaimsClosed: _claims_closed,
    happened.CardsExtracted: _of(heard.Extracted, cards="count"),
    # what lies in the slots
    happened.ChipLaid: _heard(lambda event: heard.ChipSensed(event.seat, event.counter, event.edges)),
    happened.ChipPassedBy: _heard(lambda event: heard.ChipPassed(event.seat, event.counter, event.edges)),
    happened.ChipCleared: _heard(lambda event: heard.ChipGone(event.seat, event.counter)),
    # what is adjusted and complained of, and the pot
    happened.RoundAdjusted: _co_signed(heard.AdjustRound, "round", "seat", "amount"),
    happened.KeyReleased: _co_signed(heard.ReleaseKey, "round"),
    happened.EpochBegun: _co_signed(heard.BeginEpoch),
    happened.LinkOnPaper: _co_signed(heard.SettleOnPaper, "pot", "amounts"),
    happened.GrantCompared: _co_signed(heard.CompareGrant, "claim", "amount"),
    happened.PitAccepted: _co_signed(heard.AcceptPit, "keys"),
    happened.LinkVouched: _co_signed(heard.Vouch, "journal", "entry", "outcome"),
    happened.ComplaintOpened: _of(heard.Complain, "round", "seat", "what", "by"),
    happened.ComplaintDecided: _of(heard.DecideComplaint, "complaint", "outcome", "reason"),
    jackpot.MeterAdjusted: _co_signed(heard.AdjustMeter, "part", "amount"),
    jackpot.HitConfirmed: _hit_confirmed,
    jackpot.CardsWitnessed: _cards_witnessed,
    jackpot.ParametersApproved: _approved,
    jackpot.ParametersProposed: _proposed,
}
"""How the input is made whose first event this is. All others are taken as they were told."""
