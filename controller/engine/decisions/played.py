"""The common part of all kinds of play: cards leave their source, are turned and corrected. No I/O here."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from controller.engine.decisions.decision import Course, DeviceInput
from controller.engine.reasons import TableReason
from controller.engine.state.persons import CorrectCards, CorrectDecision, CorrectDice, PersonInput
from controller.engine.state.table import Table
from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.citations import COMPLETE_DECK, UNREAD_CARDS
from controller.rulebook.corrected import CardsCorrected, Corrected, DecisionCorrected, DiceCorrected
from controller.rulebook.events import CardSource
from controller.rulebook.game import Game
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.offers import GIVEN_UP
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import CORRECTIONS as POLICY
from controller.rulebook.refusal import Refusal
from controller.rulebook.roles import SUPERVISOR
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place


class CardsReported(DeviceInput, frozen=True):
    """Cards left the shoe or the shuffler, in this order; None is a card that the device could not read."""

    source: CardSource
    cards: tuple[Card | None, ...]
    order: int | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"CardsReported(source={self.source!r}, {len(self.cards)} cards, order={self.order})"


def as_read(game: Game, input: CardsReported) -> CardsReported:
    """Treats values of another kind as not read: a tile among cards, a card among tiles."""
    return replace(
        input, cards=tuple(piece if piece is None or game.deck.knows(piece) else None for piece in input.cards)
    )


class Decide(PersonInput, frozen=True):
    """A player's ``play`` or ``fold``; ``refused`` is a supervisor's, of a player who is obliged to play."""

    seat: int
    decision: str
    hand: int = 1


def notify_if_folded(course: Course, seat: int) -> None:
    """Notifies the dealer to collect a folded hand at once, unless another bet is settled on its cards (12.º 3)."""
    round, game = course.round, course.game
    if packets_of(round).decisions.get(seat) in GIVEN_UP:
        stay = packet_game_of(round).cards_stay(round, seat)
        course.notify("folded_stay" if stay else "folded_collect", seat, game.citations.given_up)


class Reveal(PersonInput, frozen=True):
    """The cards at a place were turned; `cards` names all of them where one was not read.

    At Taiwan-Pai Kao it names the four tiles, front pair then rear pair; null lets the station arrange them.
    """

    to: str
    cards: str | None = None


class RevealAll(PersonInput, frozen=True):
    """Every place that is due was turned, in the order of the rules, as far as the cards were read."""


def one_by_one(turned: Callable[[Course, Reveal], None]) -> Callable[[Course, RevealAll], None]:
    """Every place that is due, in the order of the rules, up to the first whose cards were not read or are turned on
    their own.
    """

    def turned_all(course: Course, input: RevealAll) -> None:
        if course.step.key_in:
            raise Refusal(course.step.to[0], TableReason.KEY_IN_ALL, UNREAD_CARDS)
        while course.step.kind == "reveal" and not course.step.key_in:
            common = (input.input_id, input.step_id, input.actor)
            turned(course, Reveal(*common, to=course.step.to[0]))
            if course.step.to and course.game.is_turned_apart(course.step.to[0]):
                break

    return turned_all


def refuse_another_place(course: Course, input: Reveal) -> None:
    """Raises Refusal unless this place is the next to be turned."""
    place, due = input.to, course.step.to[0]
    if place != due:
        raise Refusal(place, TableReason.TURNED_FIRST, course.game.citations.show, place=due)


def keyed_cards(round: Round, place: str, text: str | None, read: Sequence[Card | None]) -> tuple[Card, ...]:
    """The cards a dealer keys in for a place. Raises Refusal; no refusal names a card that is face down."""
    if text is None:
        raise Refusal(place, TableReason.KEY_IN_ALL, UNREAD_CARDS)
    cards = parse_cards(text, place)
    if len(cards) != len(read):
        raise Refusal(place, TableReason.CARDS_ARE_THERE, UNREAD_CARDS, there=len(read), keyed=len(cards))
    if any(known is not None and known != card for known, card in zip(read, cards, strict=True)):
        raise Refusal(place, TableReason.READ_OTHERWISE, UNREAD_CARDS)
    elsewhere = [(card, at) for at, shown in round.play.shown.items() if at != place for card in shown]
    copies = Counter([*cards, *(card for card, _ in elsewhere)])
    for card in cards:
        if copies[card] > round.terms.decks:
            raise Refusal(
                place, TableReason.CARD_IS_AT, COMPLETE_DECK, card=card, place=dict(elsewhere).get(card, place)
            )
    return cards


def refuse_too_often(
    table: Table, round: Round, place: str, cards: tuple[Card, ...], instead_of: tuple[Card, ...] = ()
) -> None:
    """Raises Refusal if more copies of a keyed-in card would be in play than the decks have; `instead_of` are the cards
    they replace.
    """
    for card in cards:
        came = copies_out(table, round, card) - instead_of.count(card)
        if came + cards.count(card) > round.terms.decks:
            raise Refusal(place, TableReason.CAME_TOO_OFTEN, COMPLETE_DECK)


def copies_out(table: Table, round: Round, card: Card) -> int:
    """How often the card came already: since the shoe was loaded, or in this round."""
    if round.terms.source == "shoe":
        return table.shoe.seen.get(card, 0)
    return game_of(round).open_cards(round).count(card)


class CorrectedPlay:
    """The decider of corrections for a kind of play: here for a round of packets; other kinds override the
    differences.
    """

    def decision(self, round: Round, input: CorrectDecision) -> DecisionCorrected:
        """Corrects the decision of a seat."""
        made = packets_of(round).decisions
        if input.seat not in made:
            raise Refusal(seat_place(input.seat), TableReason.NOT_DECIDED, POLICY)
        packet_game_of(round).check_decision(round, input.seat, input.decision)
        return DecisionCorrected(input.seat, made[input.seat], input.decision)

    def dice(self, round: Round, input: CorrectDice) -> DiceCorrected:
        """Corrects the numbers of the dice."""
        raise Refusal("table", TableReason.NOT_IN_THIS_GAME, POLICY, game=round.terms.game)

    def cards(self, course: Course, input: CorrectCards) -> CardsCorrected:
        """Corrects the cards of a place; the new ones count as drawn."""
        round, vault, place = course.round, course.vault, input.to
        shown = course.game.shown_at(round, place)
        if not shown:
            raise Refusal(place, TableReason.CARDS_NOT_TURNED, POLICY)
        theirs = course.role == SUPERVISOR
        read = [None if theirs or draw in round.unread else vault.get(draw) for draw in shown]
        cards = self.replaced(course, input, shown, read)
        return CardsCorrected(place, tuple(shown.values()), cards)

    def replaced(
        self, course: Course, input: CorrectCards, shown: Mapping[int, Card], read: Sequence[Card | None]
    ) -> tuple[Card, ...]:
        """The corrected cards in place of those `shown`, by draw; cards that were `read` stay."""
        cards = keyed_cards(course.round, input.to, input.cards, read)
        refuse_too_often(course.table, course.round, input.to, cards, instead_of=tuple(shown.values()))
        course.draw({draw: card for draw, card in zip(shown, cards, strict=True) if course.vault.get(draw) != card})
        return cards

    def cards_on_table(self, round: Round) -> bool:
        """Whether cards are on the table."""
        return bool(round.dealt)

    def marks(self, round: Round) -> Mapping[int, tuple[str, ...]]:
        """Corrects the players of the chips that count at each seat, if chips are marked."""
        return {}

    def check(self, before: Round, after: Round, corrected: Corrected) -> None:
        """Raises Refusal if the play so far would be impossible after the correction."""

    def follow(self, course: Course, before: Round, corrected: Corrected) -> None:
        """Decides the further effects: other cards of a player who gave up may need another notice."""
        now = course.round
        for seat, decision in packets_of(now).decisions.items():
            notified = packets_of(before).decisions.get(seat) == decision and seat in before.wagers
            game = packet_game_of(now)
            if not notified or game.cards_stay(before, seat) != game.cards_stay(now, seat):
                notify_if_folded(course, seat)
