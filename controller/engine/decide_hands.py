"""Hands that are played card by card: what a card, an answer and a turned or keyed-in card mean. No I/O here."""

from controller.engine import inputs as heard
from controller.engine.decide_cards import Decision, Vault, keyed_cards, settle_if_complete
from controller.engine.decide_face_up import copies_out
from controller.engine.decide_void import void
from controller.engine.due import require
from controller.engine.events import DealerTold, Event
from controller.engine.table import Table, fold, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import (
    AnswerGiven,
    BankTurned,
    CardBurned,
    CardsDealt,
    CardsShown,
    CardTaken,
    CardUncalled,
    UncalledSettled,
)
from controller.rulebook.game import COMPLETE_DECK, UNREAD_CARDS
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round, advance
from controller.rulebook.round_parts import Uncalled
from controller.rulebook.steps import seat_place

Answer = heard.Decide | heard.GiveUp | heard.EvenMoney | heard.Insure | heard.Follow
NOT_DUE = Decision(events=(DealerTold(notice="card_not_due"),))


def card_heard(table: Table, input: heard.CardsHeard) -> Decision:
    """A card left its source: burned, due, asked for by nobody (18), or more than the bank may have (19)."""
    step, round = next_step(table), table.round
    if round is None or len(input.cards) != 1:
        return NOT_DUE
    draw, card = round.draws + 1, input.cards[0]
    drawn = {draw: card}
    match step.kind:
        case "burn":
            return Decision(events=(CardBurned(draw=draw),), drawn=drawn)
        case "deal":
            events = _dealt(table, round, draw, card)
            return Decision(events=_settled_after(table, events), drawn=drawn)
        case "ask" if step.seat is not None:
            to = seat_place(step.seat)
            uncalled = CardUncalled(draw=draw, what="unasked", to=to)
            return Decision(events=(uncalled, DealerTold(notice="unasked_card", seat=step.seat)), drawn=drawn)
        case "reveal":
            # Drawn ahead of what is to be keyed in or turned: it waits for the next place that is due a card.
            return Decision(events=(CardUncalled(draw=draw, what="unasked", to=step.to[0]),), drawn=drawn)
        case "confirm" if round.void is None:
            too_many = CardUncalled(draw=draw, what="bank", to="bank")
            return Decision(events=(too_many, DealerTold(notice="bank_card_too_many")), drawn=drawn)
        case _:
            return NOT_DUE


def _dealt(table: Table, round: Round, draw: int, card: Card | None) -> tuple[Event, ...]:
    game, to = game_of(round), next_step(table).to
    dealt = CardsDealt(draws=(draw,), to=to, order=None, unread=(draw,) if card is None else ())
    if card is None:
        return (dealt, DealerTold(notice="card_unread"))
    if game.is_face_down(round):
        return (dealt,)
    return (dealt, *_shown(fold(table, [dealt]), to[0], draw, card))


def _shown(table: Table, place: str, draw: int, card: Card) -> tuple[Event, ...]:
    """A card lies open; more of its kind than there are decks void the round."""
    round = table.round
    if round is None:
        raise TypeError("no round")
    if copies_out(table, round, card) >= round.terms.decks:
        return tuple(void(table, COMPLETE_DECK, f"more than {round.terms.decks} of one card came"))
    return (CardsShown(to=place, cards=(card,), draws=(draw,)),)


def _settled_after(table: Table, events: tuple[Event, ...]) -> tuple[Event, ...]:
    after = fold(table, events)
    return (*events, *(settle_if_complete(after, after.round) if after.round is not None else ()))


# ---- answers


def answered(table: Table, input: Answer, vault: Vault) -> Decision:
    """An answer to what is asked; a card that lies there unseen is the next one asked for (18)."""
    round, step = require(table, "ask"), next_step(table)
    given = _given(input)
    if (
        given.question != step.question
        or given.seat != step.seat
        or (step.hand is not None and given.hand != step.hand)
    ):
        hand = "" if step.hand is None else f", hand {step.hand}"
        reason = f"asked is the {step.question} of seat {step.seat}{hand}"
        raise Refusal(seat_place(given.seat), reason, game_of(round).citations.play)
    if untold_card(round) is not None and given.decision not in ("hit", "double", "split"):
        reason = "a card lies there that nobody asked for: say first whether it was seen"
        raise Refusal(seat_place(given.seat), reason, game_of(round).citations.play)
    game_of(round).next_play(advance(round, given))  # refuses an answer that the rules do not allow
    events: tuple[Event, ...] = (given,)
    events += pending_taken(fold(table, events), vault)
    return Decision(events=_settled_after(table, events))


def _given(input: Answer) -> AnswerGiven:
    match input:
        case heard.Decide(seat=seat, hand=hand, decision=decision):
            return AnswerGiven(question="decision", seat=seat, hand=hand, actor=input.actor, decision=decision)
        case heard.GiveUp(seat=seat, yes=yes):
            return AnswerGiven(question="give_up", seat=seat, hand=None, actor=input.actor, yes=yes)
        case heard.EvenMoney(seat=seat, yes=yes):
            return AnswerGiven(question="even_money", seat=seat, hand=None, actor=input.actor, yes=yes)
        case heard.Insure(seat=seat, amounts=amounts):
            return AnswerGiven(question="insurance", seat=seat, hand=None, actor=input.actor, amounts=amounts)
        case heard.Follow(seat=seat, hand=hand, who=who):
            return AnswerGiven(question="follow", seat=seat, hand=hand, actor=input.actor, who=who)


def waiting_card(round: Round) -> Uncalled | None:
    """The card that lies there since nobody asked for it, unless it was annulled or taken."""
    return next((one for one in round.uncalled if one.waits), None)


def untold_card(round: Round) -> Uncalled | None:
    """One that lies there and of which the dealer has not said whether it was seen."""
    return next((one for one in round.uncalled if one.waits and one.seen is None), None)


def pending_taken(table: Table, vault: Vault) -> tuple[Event, ...]:
    """The card that lies there uncalled goes to the place whose card is due now, and so on with others unseen."""
    round, step = table.round, next_step(table)
    if round is None or step.kind != "deal":
        return ()
    pending = waiting_card(round)
    if pending is None:
        return ()
    card = vault.get(pending.draw)
    taken = CardTaken(draw=pending.draw, to=step.to[0], unread=card is None)
    if card is None:
        return (taken, DealerTold(notice="card_unread"))
    events = (taken, *_shown(fold(table, [taken]), step.to[0], pending.draw, card))
    after = fold(table, events)
    another = None if after.round is None else waiting_card(after.round)
    return events if another is None or another.seen is None else events + pending_taken(after, vault)


def uncalled_settled(table: Table, round: Round, input: heard.UnaskedCard, vault: Vault) -> Decision:
    """What the dealer says of a card that nobody asked for: seen, it is annulled; unseen, it waits (18)."""
    pending = untold_card(round)
    if pending is None:
        raise Refusal("table", "no card lies there that nobody asked for", game_of(round).citations.play)
    settled = UncalledSettled(draw=pending.draw, seen=input.seen, actor=input.actor)
    return Decision(events=_settled_after(table, (settled, *pending_taken(fold(table, [settled]), vault))))


# ---- what is turned, or keyed in


def turned(table: Table, input: heard.Reveal, vault: Vault) -> Decision:
    """The bank's second card, or one that lies open and was not read: keyed in where nobody knows it."""
    round, step = require(table, "reveal"), next_step(table)
    game, place = game_of(round), step.to[0]
    if input.to != place:
        raise Refusal(input.to, f"{place} is asked for", game.citations.show)
    draw, hole = game.to_turn(round)
    known = vault.get(draw)
    if known is not None and input.cards is not None:
        raise Refusal(place, "its card was read: none is keyed in", UNREAD_CARDS)
    [card] = (known,) if known is not None else keyed_cards(round, place, input.cards, [None])
    turn: tuple[Event, ...] = (BankTurned(),) if hole else ()
    shown = _shown(table, place, draw, card)
    if known is None and not isinstance(shown[0], CardsShown):
        raise Refusal(place, "one of these came too often already, or was keyed in wrongly", COMPLETE_DECK)
    if isinstance(shown[0], CardsShown):
        keyed = known is None
        shown = (CardsShown(to=place, cards=(card,), keyed_in=keyed, draws=(draw,)), *turn)
    shown += pending_taken(fold(table, shown), vault)
    return Decision(events=_settled_after(table, shown), drawn={draw: card} if known is None else {})
