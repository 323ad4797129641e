"""What a card means that is dealt face up: due, early, or one too many of its kind. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine.decide_betting import lock_in
from controller.engine.decide_void import void
from controller.engine.events import DealerTold, Event
from controller.engine.table import Table, fold, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import CardCameEarly, CardsDealt, CardsShown, DealAnnounced
from controller.rulebook.game import COMPLETE_DECK
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round


def before_it_was_called(table: Table) -> tuple[Event, ...]:
    """A card lies there face up before the deal: it is valid, and no bet is laid any more (Fortune 8, 3.º, 4.º 5).

    The deal is then the configured one: nobody chooses it knowing the card (4.º 6). Nothing where it cannot be valid.
    """
    kind, round = next_step(table).kind, table.round
    if round is None or kind not in ("wagers", "announce"):
        return ()
    try:
        closed: tuple[Event, ...] = tuple(lock_in(table)) if kind == "wagers" else ()
    except Refusal:
        return ()
    announced = DealAnnounced(deal=round.terms.deal, actor=None)
    return (*closed, announced, CardCameEarly(), DealerTold(notice="early_card"))


def shown_as_dealt(table: Table, input: heard.CardsHeard) -> Iterator[Event]:
    """The card of the deal step, seen by everybody as it is laid; `table` waits for it."""
    round, to = table.round, next_step(table).to
    if round is None or len(input.cards) != len(to):
        raise TypeError("one card at a time is dealt face up")
    draw, card = round.draws + 1, input.cards[0]
    dealt = CardsDealt(draws=(draw,), to=to, order=None, unread=(draw,) if card is None else ())
    yield dealt
    if card is None:
        yield DealerTold(notice="card_unread")
        return
    shown = CardsShown(to=to[0], cards=(card,))
    yield shown
    if copies_out(table, round, card) >= round.terms.decks:
        reason = f"more than {round.terms.decks} of one card came"
        yield from void(fold(table, (dealt, shown)), COMPLETE_DECK, reason)


def refuse_too_often(
    table: Table, round: Round, place: str, cards: tuple[Card, ...], instead_of: tuple[Card, ...] = ()
) -> None:
    """Raises Refusal for cards keyed in of which more came than the decks hold; `instead_of` is what they replace."""
    for card in cards:
        came = copies_out(table, round, card) - instead_of.count(card)
        if game_of(round).face_up and came + cards.count(card) > round.terms.decks:
            raise Refusal(place, "one of these came too often already, or was keyed in wrongly", COMPLETE_DECK)


def copies_out(table: Table, round: Round, card: Card) -> int:
    """How often the card came already: since the shoe was loaded, or in this round."""
    if round.terms.source == "shoe":
        return table.shoe.seen.get(card, 0)
    return sum(shown.count(card) for shown in round.shown.values()) + list(round.faces.values()).count(card)
