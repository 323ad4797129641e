"""What a card means that is dealt face up: due, early, or one too many of its kind. No I/O here."""

from controller.engine.decisions import inputs as heard
from controller.engine.decisions.betting import close_betting
from controller.engine.decisions.decision import Course
from controller.engine.decisions.void import void
from controller.engine.reasons import TableReason
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.citations import COMPLETE_DECK
from controller.rulebook.events import CardCameEarly, CardsDealt, CardsShown, DealAnnounced
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.round import Round


def shown_as_dealt(course: Course, input: heard.CardsHeard) -> None:
    """The card that is due, seen by everybody as it is laid; one that comes before the deal is the first of it."""
    if len(input.cards) == 1:
        _called_early(course)
    step, round = course.step, course.round
    if step.kind != "deal" or len(input.cards) != len(step.to):
        course.tell("card_not_due")
        return
    [place], [card], draw = step.to, input.cards, round.draws + 1
    course.draw({draw: card})
    course.record(CardsDealt(draws=(draw,), places=step.to, order=None, unread=(draw,) if card is None else ()))
    if card is None:
        course.tell("card_unread")
    else:
        came = copies_out(course.table, course.round, card)
        course.record(CardsShown(to=place, cards=(card,)))
        if came >= round.terms.decks:
            void(course, COMPLETE_DECK, because(TableReason.TOO_MANY_OF_ONE, decks=round.terms.decks))


def _called_early(course: Course) -> None:
    """A card lies there face up before the deal: it is valid, and no bet is laid any more (Fortune 8, 3.º, 4.º 5).

    The deal is then the configured one: nobody chooses it knowing the card (4.º 6). Nothing where it cannot be valid.
    """
    kind = course.step.kind
    if kind not in ("wagers", "announce"):
        return
    try:
        if kind == "wagers":
            close_betting(course)
    except Refusal:
        return
    course.record(DealAnnounced(deal=course.round.terms.deal, actor=None), CardCameEarly())
    course.tell("early_card")


def refuse_too_often(
    table: Table, round: Round, place: str, cards: tuple[Card, ...], instead_of: tuple[Card, ...] = ()
) -> None:
    """Raises Refusal for cards keyed in of which more came than the decks hold; `instead_of` is what they replace."""
    for card in cards:
        came = copies_out(table, round, card) - instead_of.count(card)
        if game_of(round).face_up and came + cards.count(card) > round.terms.decks:
            raise Refusal(place, TableReason.CAME_TOO_OFTEN, COMPLETE_DECK)


def copies_out(table: Table, round: Round, card: Card) -> int:
    """How often the card came already: since the shoe was loaded, or in this round."""
    if round.terms.source == "shoe":
        return table.shoe.seen.get(card, 0)
    return game_of(round).open_cards(round).count(card)
