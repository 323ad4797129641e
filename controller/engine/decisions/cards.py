"""What a card, a count and a turned hand mean to the round. No I/O here."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from controller.engine.decisions.betting import close_betting
from controller.engine.decisions.decision import Course, DeviceInput, Input, Row, at, require_supervisor
from controller.engine.decisions.jackpot import award_hits, settled_by_grant
from controller.engine.decisions.void import and_said, void
from controller.engine.reasons import Act, TableReason
from controller.engine.state.current import trouble_now
from controller.engine.state.persons import EnterCount, PersonInput
from controller.engine.state.table import Table
from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.citations import COMPLETE_DECK, EVERY_CARD_HEARD, UNREAD_CARDS
from controller.rulebook.events import (
    UNCOUNTED,
    CardBurned,
    CardCameEarly,
    CardsCounted,
    CardsDealt,
    CardSource,
    CardsShown,
    CountAsked,
    CountDoubted,
    DealAnnounced,
    DecisionMade,
    GapCause,
    UnheardMatched,
)
from controller.rulebook.game import Game
from controller.rulebook.games import game_of, packet_game_of, settled_as
from controller.rulebook.offers import GIVEN_UP, REFUSED
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.round import Round
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_place

# ---- the deal


class CardsHeard(DeviceInput, frozen=True):
    """Cards left the shoe or the shuffler, in the order they left; None is a card the device could not read."""

    source: CardSource
    cards: tuple[Card | None, ...]
    order: int | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"CardsHeard(source={self.source!r}, {len(self.cards)} cards, order={self.order})"


def as_read(game: Game, input: CardsHeard) -> CardsHeard:
    """What is no card of this game was not read: a tile among cards, a card among tiles."""
    return replace(
        input, cards=tuple(piece if piece is None or game.deck.knows(piece) else None for piece in input.cards)
    )


def cards_heard(course: Course, input: CardsHeard) -> None:
    """Cards left their source: dealt to the places that are due, or not due at all."""
    input, round, step = as_read(course.game, input), course.table.round, course.step
    if round is None or round.terms.source != input.source:
        course.tell("card_not_due")
        return
    counting = step.kind == "count" and bool(round.gaps)
    if (step.kind != "deal" and not counting) or (step.kind == "deal" and step.order != input.order):
        course.tell("card_not_due")
        return
    first = round.draws + 1
    draws = tuple(range(first, first + len(input.cards)))
    course.draw(dict(zip(draws, input.cards, strict=True)))
    nowhere = (UNCOUNTED,) * len(draws)
    if not counting and len(draws) != len(step.to):
        cell = trouble_now(course.table, course.game, "shuffler", "packet")
        # The cards have left the machine: they count for what is put back into it.
        course.record(CardsDealt(draws=draws, places=nowhere, order=input.order))
        void(course, cell.citation, because(TableReason.PACKET_OF_ANOTHER_SIZE, came=len(draws), due=len(step.to)))
        return
    unread = tuple(draw for draw, card in zip(draws, input.cards, strict=True) if card is None)
    course.record(CardsDealt(draws=draws, places=nowhere if counting else step.to, order=input.order, unread=unread))
    if unread:
        course.tell("card_unread")


def heard_at_spaces(course: Course, input: CardsHeard) -> None:
    """A card left its source face up. One that is counted, or of another source, is what it is in every game."""
    if course.round.terms.source != input.source or course.step.kind == "count":
        cards_heard(course, input)
    else:
        shown_as_dealt(course, as_read(course.game, input))
        settle_if_complete(course)


def shown_as_dealt(course: Course, input: CardsHeard) -> None:
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
        if came + cards.count(card) > round.terms.decks:
            raise Refusal(place, TableReason.CAME_TOO_OFTEN, COMPLETE_DECK)


def copies_out(table: Table, round: Round, card: Card) -> int:
    """How often the card came already: since the shoe was loaded, or in this round."""
    if round.terms.source == "shoe":
        return table.shoe.seen.get(card, 0)
    return game_of(round).open_cards(round).count(card)


class UnheardCard(PersonInput, frozen=True):
    """The card of this step was drawn from the shoe, and the station did not hear of it."""


def unheard_card(course: Course, input: UnheardCard) -> None:
    """The dealer drew the card of this step, and the shoe said nothing of it: it is keyed in when it is turned."""
    round, step = course.round, course.step
    if round.terms.source != "shoe":
        raise Refusal("table", TableReason.SHUFFLER_REPORTS, game_of(round).citations.shuffler_failed)
    draw = round.draws + 1
    course.draw({draw: None})
    if step.kind == "burn":
        course.record(CardBurned(draw=draw))
    else:
        course.record(CardsDealt(draws=(draw,), places=step.to, unread=(draw,), unheard=True))
        course.tell("card_unread")


class ReportsMissed(DeviceInput, frozen=True):
    """So many reports of the shoe never arrived; any of them may have been a card. None: it does not know how many."""

    count: int | None
    gap_cause: GapCause


def reports_missed(course: Course, input: ReportsMissed) -> None:
    """Reports of the shoe never came, and each may have been a card: the dealer counts, or compares what lies open."""
    table, game, round = course.table, course.game, course.table.round
    cell = trouble_now(table, game, "shoe", "reports lost")
    if cell.action != "by hand":
        return
    if cell.check == "compare":
        if round is not None or table.shoe.decks:
            course.tell("compare_cards")
        return
    if round is None:
        return
    lost = None if input.count is None else input.count - round.claimed
    dealing_on = course.step.kind == "deal" or round.gaps
    if dealing_on and (lost is None or lost > 0):
        course.record(CountAsked(gap_cause=input.gap_cause, lost=lost))
    elif dealing_on and input.count is not None:
        course.record(UnheardMatched(count=input.count))


def counted(course: Course, input: EnterCount) -> None:
    """The dealer's count finds a gap, or closes the deal; one that disagrees is asked for once more."""
    round, count = course.round, input.count
    known = round.draws
    if not round.gaps and count == known:
        course.record(CardsCounted(count=count, unread=(), actor=input.actor))
    elif not _agrees(round, count) and not round.recounting:
        course.record(CountDoubted(count=count, actor=input.actor))
    elif not round.gaps:
        reason = because(TableReason.NOT_AS_REPORTED, count=count, reported=known)
        void(course, packet_game_of(round).miscounted_by(round), and_said(reason, input.reason))
    elif _too_many(round, count):
        reason = because(TableReason.MORE_THAN_DUE, count=count)
        void(course, game_of(round).citations.broken_deal, and_said(reason, input.reason))
    elif not _agrees(round, count):
        reason = because(TableReason.CANNOT_BE_TOLD, count=count, heard=known)
        void(course, EVERY_CARD_HEARD, and_said(reason, input.reason))
    else:
        draws = tuple(range(known + 1, count + 1))
        course.draw(dict.fromkeys(draws))
        course.record(CardsCounted(count=count, unread=draws, actor=input.actor))


def _agrees(round: Round, count: int) -> bool:
    """Whether a count leaves one way in which the cards can lie."""
    unheard = count - round.draws
    if not round.gaps:
        return unheard == 0
    return not _too_many(round, count) and _can_be(round, unheard) and _tells_which(round, unheard)


def _too_many(round: Round, count: int) -> bool:
    """Whether so many cards, if they can have been dealt, are more than the deal has."""
    null = sum(len(dealt.draws) for dealt in round.dealt if dealt.null is not None)
    return _can_be(round, count - round.draws) and count - null > packet_game_of(round).cards_due(round)


def _can_be(round: Round, unheard: int) -> bool:
    """Whether so many cards may have left the shoe unheard."""
    lost = [gap.lost for gap in round.gaps]
    return unheard >= 0 and (None in lost or unheard <= sum(count or 0 for count in lost))


def _tells_which(round: Round, unheard: int) -> bool:
    """Whether that many unheard cards can lie in but one way between those that were heard.

    A gap of unknown length may go on behind cards that were heard after it.
    """
    if unheard == 0:
        return True
    if len(round.gaps) == 1:
        [gap] = round.gaps
        return gap.lost is not None or gap.after == len(round.dealt)
    lost = [gap.lost for gap in round.gaps]
    return None not in lost and unheard == sum(count or 0 for count in lost)


# ---- what is decided and turned


class Decide(PersonInput, frozen=True):
    """A player's ``play`` or ``fold``; ``refused`` is a supervisor's, of a player who is obliged to play."""

    seat: int
    decision: str
    hand: int = 1


def decided(course: Course, input: Decide) -> None:
    """A player's decision; after a correction it may be the last thing that was wanting."""
    round, game, seat, who = course.round, course.game, input.seat, seat_place(input.seat)
    if seat in packets_of(round).decisions:
        raise Refusal(
            who, TableReason.DECIDED_ALREADY, game.citations.decision, decision=packets_of(round).decisions[seat]
        )
    packet_game_of(round).check_decision(round, seat, input.decision)
    if input.decision == REFUSED:
        require_supervisor(course.role, Act.RECORDS_REFUSED_DUTY)
    if input.hand != 1:
        raise Refusal(who, TableReason.ONE_HAND, game.citations.deal)
    course.record(DecisionMade(seat=seat, hand=input.hand, decision=input.decision))
    tell_if_folded(course, seat)
    settle_if_complete(course)


def tell_if_folded(course: Course, seat: int) -> None:
    """The dealer collects the cards of who gave up at once, unless another bet of his is settled on them (12.º 3)."""
    round, game = course.round, course.game
    if packets_of(round).decisions.get(seat) in GIVEN_UP:
        stay = packet_game_of(round).cards_stay(round, seat)
        course.tell("folded_stay" if stay else "folded_collect", seat, game.citations.given_up)


class Reveal(PersonInput, frozen=True):
    """The cards at a place were turned; `cards` names all of them where one was not read.

    At Taiwan-Pai Kao it names the four tiles as they lie, front pair then rear pair; null lets the station lay them.
    """

    to: str
    cards: str | None = None


def refuse_another_place(course: Course, input: Reveal) -> None:
    """Raises Refusal unless this place is the next to be turned."""
    place, due = input.to, course.step.to[0]
    if place != due:
        raise Refusal(place, TableReason.TURNED_FIRST, course.game.citations.show, place=due)


def reveal(course: Course, input: Reveal) -> None:
    """The cards of a place were turned: they are shown, keyed in where nobody read them, and the last settles."""
    refuse_another_place(course, input)
    table, round, place, vault = course.table, course.round, input.to, course.vault
    draws = game_of(round).draws_at(round, place)
    heard_there = [vault.get(draw) for draw in draws]
    every = [card for card in vault.values() if card is not None]
    if len(set(every)) < len(every) and max(Counter(every).values()) > round.terms.decks:
        corrected = any(one.what == "cards" for one in round.corrections)
        if corrected or any(vault.get(draw) is not None for draw in round.unread):
            # A person may have keyed it in wrongly, and can put it right; a hand that was read cannot be.
            raise Refusal(place, TableReason.CARD_TWICE_OR_KEYED, COMPLETE_DECK)
        # Which card is doubled is not said: the others still lie face down.
        void(course, COMPLETE_DECK, because(TableReason.CARD_CAME_TWICE))
        return
    keyed: dict[int, Card | None] = {}
    if input.cards is not None and None not in heard_there:
        # Whether a guess is right is not said: nobody tries cards out against those that lie face down.
        raise Refusal(place, TableReason.ALL_READ, UNREAD_CARDS)
    if None in heard_there:
        cards = keyed_cards(round, place, input.cards, heard_there)
        keyed = {draw: card for draw, card, read in zip(draws, cards, heard_there, strict=True) if read is None}
    else:
        cards = tuple(card for card in heard_there if card is not None)
    if keyed:
        refuse_too_often(table, round, place, cards)
    elif any(copies_out(table, round, card) >= round.terms.decks for card in cards):
        void(course, COMPLETE_DECK, because(TableReason.TOO_MANY_OF_ONE, decks=round.terms.decks))
        return
    course.draw(keyed)
    course.record(CardsShown(to=place, cards=cards, keyed_in=bool(keyed)))
    settle_if_complete(course)


class RevealAll(PersonInput, frozen=True):
    """Every place that is due was turned, in the order of the rules, as far as the cards were read."""


def one_by_one(turned: Callable[[Course, Reveal], None]) -> Callable[[Course, RevealAll], None]:
    """Every place that is due, in the order of the rules, up to one whose cards were not read."""

    def turned_all(course: Course, input: RevealAll) -> None:
        if course.step.key_in:
            raise Refusal(course.step.to[0], TableReason.KEY_IN_ALL, UNREAD_CARDS)
        while course.step.kind == "reveal" and not course.step.key_in:
            said = (input.input_id, input.step_id, input.actor)
            turned(course, Reveal(*said, to=course.step.to[0]))

    return turned_all


def keyed_cards(round: Round, place: str, text: str | None, read: Sequence[Card | None]) -> tuple[Card, ...]:
    """The cards a dealer keys in for a place. Raises Refusal; no refusal names a card that lies face down."""
    if text is None:
        raise Refusal(place, TableReason.KEY_IN_ALL, UNREAD_CARDS)
    cards = parse_cards(text, place)
    if len(cards) != len(read):
        raise Refusal(place, TableReason.CARDS_LIE_THERE, UNREAD_CARDS, there=len(read), keyed=len(cards))
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


def settle_if_complete(course: Course) -> None:
    """The settlement and its hits, once every hand that the rules show is shown."""
    round, meter = course.table.round, course.table.meter
    if round is None or course.step.kind not in ("confirm", "grant") or round.settled is not None:
        return
    terms = meter.prize_terms if meter is not None and round.terms.chip else None
    settlement = course.game.settle_round(round, terms)
    if course.table.link is not None and terms is not None:
        granted = settled_by_grant(course, settlement, partial(course.game.settle_round, round))
        if granted is None:
            return
        settlement = granted
    course.record(settled_as(settlement))
    if meter is not None and isinstance(settlement, Settlement):
        award_hits(course, settlement)


ROWS: dict[type[Input], Row] = {
    UnheardCard: Row(unheard_card, at("deal", "burn")),
    EnterCount: Row(counted, at("count"), changes=True),
    Decide: Row(decided, at("decisions")),
    Reveal: Row(reveal, at("reveal")),
    RevealAll: Row(one_by_one(reveal), at("reveal")),
    CardsHeard: Row(cards_heard),
    ReportsMissed: Row(reports_missed),
}
AT_SPACES: dict[type[Input], Row] = {CardsHeard: Row(heard_at_spaces)}
"""What is decided otherwise where a card is dealt face up to each space."""
