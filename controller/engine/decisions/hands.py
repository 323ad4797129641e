"""Deciders of hands that are played card by card: cards, answers, and turned or keyed-in cards. No I/O here."""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.engine.decisions.betting import PlaceWager, place_wager
from controller.engine.decisions.decision import OPEN_ROUND, REPORT, Course, Input, Row, at
from controller.engine.decisions.played import (
    CardsReported,
    CorrectedPlay,
    Decide,
    Reveal,
    RevealAll,
    as_read,
    copies_out,
    keyed_cards,
    one_by_one,
)
from controller.engine.decisions.settling import settle_if_complete, void
from controller.engine.reasons import TableReason
from controller.engine.state.persons import CorrectCards, CorrectDecision, PersonInput
from controller.rulebook.blackjack_21.answers import in_words, last_answered
from controller.rulebook.blackjack_21.events import (
    AnswerGiven,
    BankTurned,
    CardAnnulled,
    CardTaken,
    CardUncalled,
    UncalledSettled,
)
from controller.rulebook.blackjack_21.parts import behind_warning_card
from controller.rulebook.blackjack_21.reasons import NOT_DUE, BlackjackReason
from controller.rulebook.blackjack_21.table_state import HandsRound, Uncalled, hands_of, to_turn
from controller.rulebook.cards import Card
from controller.rulebook.citations import COMPLETE_DECK, UNREAD_CARDS
from controller.rulebook.corrected import CardsCorrected, Corrected, DecisionCorrected, SeatCorrected, event_of
from controller.rulebook.events import CardBurned, CardsDealt, CardsShown, WarningCardPlaced, WarningPlace
from controller.rulebook.games import game_of
from controller.rulebook.refusal import CORRECTIONS as POLICY
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.round import Round, advance
from controller.rulebook.steps import seat_place


class GiveUp(PersonInput, frozen=True):
    """Whether a seat gives up half its bet (black-jack 36)."""

    seat: int
    yes: bool


class EvenMoney(PersonInput, frozen=True):
    """Whether a black-jack takes the value of its bet now (black-jack 34)."""

    seat: int
    yes: bool


class Insure(PersonInput, frozen=True):
    """The amounts that a seat and its backers insure, minor units, 0 for none, in the order asked (black-jack 33)."""

    seat: int
    amounts: tuple[int, ...]


class Follow(PersonInput, frozen=True):
    """The backers who follow a double or a split, in the order asked (black-jack 28, 30)."""

    seat: int
    hand: int
    who: tuple[bool, ...]


HandInput = Decide | GiveUp | EvenMoney | Insure | Follow


class PlaceWarningCard(PersonInput, frozen=True, tag="warning_card"):
    """The position of the warning card: near the 50th card from the ``end``, or in the ``middle`` (black-jack 9)."""

    place: WarningPlace


def warning_card_placed(course: Course, input: PlaceWarningCard) -> None:
    """The warning card is in its place and the cards in the shoe (black-jack 9)."""
    behind = behind_warning_card(input.place, course.round.terms.decks)
    course.record(WarningCardPlaced(place=input.place, behind=behind, actor=input.actor))


def card_reported(course: Course, input: CardsReported) -> None:
    """A card left its source: burned, due, asked for by no one (18), or more than the bank may have (19)."""
    step, round, cards = course.step, course.round, as_read(course.game, input).cards
    due = step.kind in ("burn", "deal", "ask", "reveal") or (step.kind in ("grant", "confirm") and round.void is None)
    if round.terms.source != input.source or len(cards) != 1 or not due:
        course.notify("card_not_due")
        return
    draw, card = round.draws + 1, cards[0]
    course.draw({draw: card})
    match step.kind:
        case "burn":
            course.record(CardBurned(draw=draw))
        case "deal":
            _dealt(course, step.to, draw, card)
            settle_if_complete(course)
        case "ask" if step.seat is not None:
            course.record(CardUncalled(draw=draw, what="unasked", to=seat_place(step.seat)))
            course.notify("unasked_card", step.seat)
        case "reveal":
            # Drawn ahead of what is to be keyed in or turned: it waits for the next place that is due a card.
            course.record(CardUncalled(draw=draw, what="unasked", to=step.to[0]))
        case "grant" | "confirm":
            course.record(CardUncalled(draw=draw, what="bank", to="bank"))
            course.notify("bank_card_too_many")


def _dealt(course: Course, to: tuple[str, ...], draw: int, card: Card | None) -> None:
    face_down = course.game.is_face_down(course.round)
    course.record(CardsDealt(draws=(draw,), places=to, order=None, unread=(draw,) if card is None else ()))
    if card is None:
        course.notify("card_unread")
    elif not face_down:
        _show(course, to[0], draw, card)


def _show(course: Course, place: str, draw: int, card: Card) -> None:
    """A card is open; more of its kind than there are decks void the round."""
    decks = course.round.terms.decks
    if copies_out(course.table, course.round, card) >= decks:
        void(course, COMPLETE_DECK, because(TableReason.TOO_MANY_OF_ONE, decks=decks))
    else:
        course.record(CardsShown(to=place, cards=(card,), draws=(draw,)))


# ---- answers


def answered(course: Course, input: HandInput) -> None:
    """Decides an answer of a player; an unseen card that came too early serves as the next one asked for (18)."""
    step, given, article = course.step, _given(input), course.game.citations.play
    if (
        given.question != step.question
        or given.seat != step.seat
        or (step.hand is not None and given.hand != step.hand)
    ):
        who, question, seat = seat_place(given.seat), step.question, step.seat
        if seat is None:
            raise TypeError("no one is asked")
        if step.hand is None:
            raise Refusal(who, TableReason.SEAT_ASKED, article, question=question, seat=seat)
        raise Refusal(who, TableReason.HAND_ASKED, article, question=question, seat=seat, hand=step.hand)
    if unseen_unanswered(course.round) is not None and given.decision not in ("hit", "double", "split"):
        raise Refusal(seat_place(given.seat), TableReason.UNASKED_CARD_FIRST, article)
    course.record(given)
    course.game.next_play(course.round)  # refuses an answer that the rules do not allow
    take_waiting(course)
    settle_if_complete(course)


class DeclineAll(PersonInput, frozen=True):
    """All seats with an open question before play decline, except those in `but` (black-jack 33, 34, 36).

    The seats in `but` give up or take even money. The sweep stops at a seat that insures, and asks for its amounts.
    """

    but: tuple[int, ...] = ()


def all_declined(course: Course, input: DeclineAll) -> None:
    """Answers at once, in the order of the seats, the questions asked before play (33, 34, 36)."""
    common = (input.input_id, input.step_id, input.actor)
    for named in input.but:
        if named not in course.step.waiting:
            raise Refusal(seat_place(named), BlackjackReason.NOT_ASKED_NOW, course.game.citations.play)
    before = course.step
    while course.step.kind == "ask" and (seat := course.step.seat) is not None:
        does = seat in input.but
        match course.step.question:
            case "give_up":
                answered(course, GiveUp(*common, seat=seat, yes=does))
            case "even_money":
                answered(course, EvenMoney(*common, seat=seat, yes=does))
            case "insurance" if not does:
                answered(course, Insure(*common, seat=seat, amounts=(0,) * len(course.step.most)))
            case question if course.step == before:
                raise Refusal(
                    seat_place(seat), TableReason.SEAT_ASKED, course.game.citations.play, question=question, seat=seat
                )
            case _:
                return


def _given(input: HandInput) -> AnswerGiven:
    match input:
        case Decide(seat=seat, hand=hand, decision=decision):
            return AnswerGiven(question="decision", seat=seat, hand=hand, actor=input.actor, decision=decision)
        case GiveUp(seat=seat, yes=yes):
            return AnswerGiven(question="give_up", seat=seat, hand=None, actor=input.actor, yes=yes)
        case EvenMoney(seat=seat, yes=yes):
            return AnswerGiven(question="even_money", seat=seat, hand=None, actor=input.actor, yes=yes)
        case Insure(seat=seat, amounts=amounts):
            return AnswerGiven(question="insurance", seat=seat, hand=None, actor=input.actor, amounts=amounts)
        case Follow(seat=seat, hand=hand, who=who):
            return AnswerGiven(question="follow", seat=seat, hand=hand, actor=input.actor, who=who)


def waiting_card(round: Round) -> Uncalled | None:
    """The uncalled card on the table, unless it was annulled or taken."""
    return next((card for card in hands_of(round).uncalled if card.waits), None)


def unseen_unanswered(round: Round) -> Uncalled | None:
    """An uncalled card of which the dealer has not yet reported whether it was seen."""
    return next((card for card in hands_of(round).uncalled if card.waits and card.seen is None), None)


def take_waiting(course: Course) -> None:
    """The uncalled card goes to the place whose card is now due, and so do further unseen ones.

    It is annulled if no place is due a card any more (19).
    """
    while course.step.kind == "deal" and (waiting := waiting_card(course.round)) is not None:
        [place], draw, card = course.step.to, waiting.draw, course.vault.get(waiting.draw)
        course.record(CardTaken(draw=draw, to=place, unreadable=card is None))
        if card is None:
            course.notify("card_unread")
            return
        _show(course, place, draw, card)
        another = waiting_card(course.round)
        if another is not None and another.seen is None:
            return
    while course.step.kind in ("confirm", "grant") and course.round.void is None:
        left = waiting_card(course.round)
        if left is None:
            return
        course.record(CardAnnulled(draw=left.draw))
        course.notify("bank_card_too_many")


class UnaskedCard(PersonInput, frozen=True):
    """The card that no one asked for: whether it was seen (black-jack 18). Answers ``<round>/report``."""

    seen: bool


def uncalled_settled(course: Course, input: UnaskedCard) -> None:
    """The dealer reports on an uncalled card: a seen one is annulled, an unseen one waits (18)."""
    uncalled = unseen_unanswered(course.round)
    if uncalled is None:
        raise Refusal("table", TableReason.NO_UNASKED_CARD, course.game.citations.play)
    course.record(UncalledSettled(draw=uncalled.draw, seen=input.seen, actor=input.actor))
    take_waiting(course)
    settle_if_complete(course)


# ---- what is turned, or keyed in


def turn_card(course: Course, input: Reveal) -> None:
    """The bank's second card was turned, or an open card that was not read is identified; keyed in if its value is
    unknown.
    """
    round, place = course.round, course.step.to[0]
    if input.to != place:
        raise Refusal(input.to, TableReason.PLACE_ASKED, course.game.citations.show, place=place)
    draw, hole = to_turn(round)
    known = course.vault.get(draw)
    if known is not None:
        if input.cards is not None:
            raise Refusal(place, TableReason.CARD_READ, UNREAD_CARDS)
        _show(course, place, draw, known)
    else:
        [card] = keyed_cards(round, place, input.cards, [None])
        if copies_out(course.table, round, card) >= round.terms.decks:
            raise Refusal(place, TableReason.CAME_TOO_OFTEN, COMPLETE_DECK)
        course.draw({draw: card})
        course.record(CardsShown(to=place, cards=(card,), keyed_in=True, draws=(draw,)))
    if hole and course.round.void is None:
        course.record(BankTurned())
    take_waiting(course)
    settle_if_complete(course)


# ---- what is corrected


class HandsCorrected(CorrectedPlay):
    """After a correction, every answer and every card drawn must still be one that the rules ask for."""

    def decision(self, round: Round, input: CorrectDecision) -> DecisionCorrected:
        """Corrects an answer that was keyed in wrongly. Insurance can be corrected as money; any other answer only
        until a card follows it.

        Later answers that would now not have been asked for are discarded, and asked again (18, 36).
        """
        seat, words = input.seat, input.decision
        game, place = game_of(round), seat_place(seat)
        answers = [move.answer for move in hands_of(round).moves]
        at = last_answered(answers, seat, words)
        given, later = answers[at], answers[at + 1 :]
        if given is None:
            raise TypeError("no answer was found")
        stake = given.question == "insurance"
        if None in later and not stake:
            raise Refusal(place, TableReason.CARD_FOLLOWED, POLICY)
        for asked_again in range(len(later) * (given.question == "decision"), len(later) + 1):
            corrected = DecisionCorrected(seat, in_words(given), words, asked_again)
            try:
                game.next_play(advance(round, event_of(corrected, input.actor, input.reason)))
            except Refusal as refusal:
                if refusal.reason.code not in NOT_DUE:
                    raise
                if stake:
                    raise Refusal(place, TableReason.NOT_TURNED_WITHOUT, POLICY) from None
            else:
                return corrected
        raise TypeError("no later answer is left, and yet one was not asked for")

    def cards(self, course: Course, input: CorrectCards) -> CardsCorrected:
        return replace(super().cards(course, input), draws=tuple(course.game.shown_at(course.round, input.to)))

    def cards_on_table(self, round: Round) -> bool:
        return bool(hands_of(round).moves)

    def marks(self, round: Round) -> Mapping[int, tuple[str, ...]]:
        return hands_of(round).marked or {}

    def check(self, before: Round, after: Round, corrected: Corrected) -> None:
        try:
            game_of(before).next_play(after)
        except Refusal as refusal:
            if refusal.reason.code not in NOT_DUE:
                raise
            raise Refusal(corrected.at, TableReason.NOT_ASKED_FOR, POLICY) from None
        game = game_of(before)
        moved = {corrected.seat: corrected.to} if isinstance(corrected, SeatCorrected) else {}
        decided, decides = game.deciders(before), game.deciders(after)
        for seat in {move.answer.seat for move in hands_of(before).moves if move.answer is not None}:
            if decided.get(seat) != decides.get(moved.get(seat, seat)):
                raise Refusal(seat_place(seat), TableReason.ANOTHER_DECIDER, game.citations.decider)

    def follow(self, course: Course, before: Round, corrected: Corrected) -> None:
        take_waiting(course)


PLAY, CORRECTED = HandsRound, HandsCorrected()
OTHERWISE: dict[type[Input], Row] = {
    # A bet may be placed until the seat's first card is due (black-jack 13).
    PlaceWager: Row(place_wager, at("wagers", "increment", "deal")),
    Decide: Row(answered, at("ask")),
    Reveal: Row(turn_card, at("reveal")),
    RevealAll: Row(one_by_one(turn_card), at("reveal")),
    CardsReported: Row(card_reported),
}
"""The rows that differ where hands are played card by card."""


ROWS: dict[type[Input], Row] = {
    PlaceWarningCard: Row(warning_card_placed, at("warning")),
    GiveUp: Row(answered, at("ask")),
    EvenMoney: Row(answered, at("ask")),
    Insure: Row(answered, at("ask")),
    Follow: Row(answered, at("ask")),
    DeclineAll: Row(all_declined, at("ask")),
    UnaskedCard: Row(uncalled_settled, OPEN_ROUND, answers=REPORT, play=PLAY),
}
