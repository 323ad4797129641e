"""The deck shuffled and cut, cards dealt, counted and turned: packets, and cards dealt to spaces. No I/O here."""

from collections import Counter

from controller.engine.decisions.betting import close_betting
from controller.engine.decisions.decision import Course, DeviceInput, Input, Row, at, require_supervisor
from controller.engine.decisions.played import (
    CardsReported,
    Decide,
    Reveal,
    RevealAll,
    as_read,
    copies_out,
    keyed_cards,
    notify_if_folded,
    one_by_one,
    refuse_another_place,
    refuse_too_often,
)
from controller.engine.decisions.settling import settle_if_complete, void, with_words
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.alarms import ActiveAlarm
from controller.engine.state.current import trouble_now
from controller.engine.state.events import DeckDoubted
from controller.engine.state.persons import EnterCount, PersonInput
from controller.engine.state.table import DECK_TROUBLE
from controller.rulebook.cards import Card
from controller.rulebook.citations import CARDS_OF_A_DECK, COMPLETE_DECK, EVERY_CARD_REPORTED, UNREAD_CARDS
from controller.rulebook.events import (
    UNCOUNTED,
    CardBurned,
    CardCameEarly,
    CardsCounted,
    CardsDealt,
    CardsShown,
    CardsShuffled,
    CountAsked,
    CountDoubted,
    CutPassed,
    DealAnnounced,
    DecisionMade,
    DeckCut,
    DeckFaulted,
    DeckRestored,
    GapCause,
    UnreportedMatched,
)
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.offers import REFUSED
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.roles import INSPECTOR
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_of, seat_place

# ---- the deck


class Shuffled(PersonInput, frozen=True):
    """The deck was shuffled by hand (9.º 2); `count` if the cards were counted."""

    count: int | None = None


def shuffled_by_hand(course: Course, input: Shuffled) -> None:
    """The dealer has shuffled, and perhaps counted."""
    round = course.round
    if round.terms.source == "shuffler":
        raise Refusal("table", TableReason.SHUFFLER_SHUFFLES, course.game.citations.by_machine)
    if input.count is not None:
        course.game.deck.refuse_count(round.terms, input.count)
    course.record(CardsShuffled(count=input.count))


class Cut(PersonInput, frozen=True):
    """The deck was cut by the ``bank`` or by a player, ``seat 3``.

    At black-jack the bank's is the table inspector, and `name` says which, where the configuration has any.
    """

    by: str
    name: str = ""


def cut(course: Course, input: Cut) -> None:
    """The bank has cut, or a player if the regulation allows that."""
    round, game, seat = course.round, course.game, seat_of(input.by)
    game.deck.refuse_cutter(input.by, seat)
    if seat is not None:
        game.check_seat(round, seat)
    why_not = game.deck.why_not_cut(round, seat)
    if why_not:
        raise Refusal("by", why_not, game.citations.cut)
    course.record(DeckCut(by=input.by, name=_inspector(course, input) or None))


def _inspector(course: Course, input: Cut) -> str:
    """The table inspector who cut, by name, if the configuration has any (black-jack 8). Raises Refusal."""
    article, inspectors = course.game.citations.cut, course.game.deck.cutters(course.settings.people)
    cuts = input.by == "bank" and bool(inspectors)
    name = input.name or (input.actor if cuts and input.actor in inspectors else "")
    if cuts and name not in inspectors:
        raise Refusal("by", TableReason.WHICH_INSPECTOR_CUT, article, inspectors=", ".join(inspectors))
    if name and not cuts:
        raise Refusal("by", TableReason.INSPECTOR_WHO_CUTS, article)
    return name


class PassCut(PersonInput, frozen=True):
    """The seat whose turn it is does not cut (black-jack 8): no one sits there if `vacant`."""

    seat: int
    vacant: bool


def cut_passed(course: Course, input: PassCut) -> None:
    """The seat whose turn it is does not cut: it is the next seat's turn (black-jack 8)."""
    turn = course.step.seat
    if turn is None or input.seat != turn:
        who, article = seat_place(input.seat), course.game.citations.cut
        if turn is None:
            raise Refusal(who, TableReason.BANKS_TURN_TO_CUT, article)
        raise Refusal(who, TableReason.SEATS_TURN_TO_CUT, article, place=seat_place(turn))
    course.record(CutPassed(seat=input.seat, vacant=input.vacant, actor=input.actor))


class DeckComplete(PersonInput, frozen=True):
    """The deck is whole again."""


def deck_complete(course: Course, input: DeckComplete) -> None:
    """The dealer has made the deck whole; it is shuffled again."""
    course.record(DeckRestored(actor=input.actor))


class ShuffleReported(DeviceInput, frozen=True):
    """The shuffler finished an order to shuffle."""

    order: int
    count: int


def shuffle_reported(course: Course, input: ShuffleReported) -> None:
    """The shuffler has shuffled; the deck is incomplete if it did not count 52 cards."""
    step, count = course.step, input.count
    if step.kind == "shuffle" and step.order == input.order:
        match course.table.troubles.get(DECK_TROUBLE):
            case ActiveAlarm(values={"missing": int(missing), "duplicated": int(duplicated)}):
                course.record(DeckFaulted(count, missing, duplicated))
            case _ if count == CARDS_OF_A_DECK:
                course.record(CardsShuffled(count=count))
            case _:
                course.record(DeckFaulted(count, max(0, CARDS_OF_A_DECK - count), max(0, count - CARDS_OF_A_DECK)))


class DeckChecked(DeviceInput, frozen=True):
    """The shuffler looked at every card: how many it found, how many are missing or duplicated."""

    found: int
    missing: int
    duplicated: int


def deck_checked(course: Course, input: DeckChecked) -> None:
    """The shuffler looked at every card. The report does not name the wrong card, since all cards are face down."""
    if input.found == CARDS_OF_A_DECK and not input.missing and not input.duplicated:
        return
    match trouble_now(course.table, course.game, "shuffler", "deck"):
        case cell if cell.action == "void":
            void(course, cell.citation, because(TableReason.DECK_NOT_WHOLE))
        case cell if cell.action == "by hand":
            before_the_bets = course.table.round is not None and not course.table.round.locked
            event = DeckFaulted if before_the_bets else DeckDoubted
            course.record(event(input.found, input.missing, input.duplicated))


# ---- the deal


def cards_reported(course: Course, input: CardsReported) -> None:
    """Cards left their source: they go to the due places, or no card was due."""
    input, round, step = as_read(course.game, input), course.table.round, course.step
    if round is None or round.terms.source != input.source:
        course.notify("card_not_due")
        return
    counting = step.kind == "count" and bool(round.gaps)
    if (step.kind != "deal" and not counting) or (step.kind == "deal" and step.order != input.order):
        course.notify("card_not_due")
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
        course.notify("card_unread")


def reported_at_spaces(course: Course, input: CardsReported) -> None:
    """A card left its source face up. A counted card, or one from another source, is handled as in every game."""
    if course.round.terms.source != input.source or course.step.kind == "count":
        cards_reported(course, input)
    else:
        shown_as_dealt(course, as_read(course.game, input))
        settle_if_complete(course)


def shown_as_dealt(course: Course, input: CardsReported) -> None:
    """The due card is shown to everybody as it is placed; a card before the deal's announcement begins the deal."""
    if len(input.cards) == 1:
        _called_early(course)
    step, round = course.step, course.round
    if step.kind != "deal" or len(input.cards) != len(step.to):
        course.notify("card_not_due")
        return
    [place], [card], draw = step.to, input.cards, round.draws + 1
    course.draw({draw: card})
    course.record(CardsDealt(draws=(draw,), places=step.to, order=None, unread=(draw,) if card is None else ()))
    if card is None:
        course.notify("card_unread")
    else:
        came = copies_out(course.table, course.round, card)
        course.record(CardsShown(to=place, cards=(card,)))
        if came >= round.terms.decks:
            void(course, COMPLETE_DECK, because(TableReason.TOO_MANY_OF_ONE, decks=round.terms.decks))


def _called_early(course: Course) -> None:
    """A card is there face up before the deal: it is valid, and no bet is placed any more (Fortune 8, 3.º, 4.º 5).

    The deal is then the configured one: no one chooses it knowing the card (4.º 6). Nothing where it cannot be valid.
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
    course.notify("early_card")


class UnreportedCard(PersonInput, frozen=True):
    """The card of this step was drawn from the shoe, and the station did not receive it."""


def unreported_card(course: Course, input: UnreportedCard) -> None:
    """The dealer drew the card of this step and the shoe did not report it: it is keyed in when it is turned."""
    round, step = course.round, course.step
    if round.terms.source != "shoe":
        raise Refusal("table", TableReason.SHUFFLER_REPORTS, game_of(round).citations.shuffler_failed)
    draw = round.draws + 1
    course.draw({draw: None})
    if step.kind == "burn":
        course.record(CardBurned(draw=draw))
    else:
        course.record(CardsDealt(draws=(draw,), places=step.to, unread=(draw,), unreported=True))
        course.notify("card_unread")


class ReportsMissed(DeviceInput, frozen=True):
    """A number of reports of the shoe never arrived; each may have been a card. None: the shoe does not know the
    number.
    """

    count: int | None
    gap_cause: GapCause


def reports_missed(course: Course, input: ReportsMissed) -> None:
    """Reports of the shoe are missing, and each may have been a card: the dealer counts, or compares the open cards."""
    table, game, round = course.table, course.game, course.table.round
    cell = trouble_now(table, game, "shoe", "reports lost")
    if cell.action != "by hand":
        return
    if cell.check == "compare":
        if round is not None or table.shoe.decks:
            course.notify("compare_cards")
        return
    if round is None:
        return
    lost = None if input.count is None else input.count - round.claimed
    dealing_on = course.step.kind == "deal" or round.gaps
    if dealing_on and (lost is None or lost > 0):
        course.record(CountAsked(gap_cause=input.gap_cause, lost=lost))
    elif dealing_on and input.count is not None:
        course.record(UnreportedMatched(count=input.count))


def counted(course: Course, input: EnterCount) -> None:
    """The dealer's count closes the deal or locates a missing report; if it does not agree, it is asked for again."""
    round, count = course.round, input.count
    known = round.draws
    if not round.gaps and count == known:
        course.record(CardsCounted(count=count, unread=(), actor=input.actor))
    elif not _agrees(round, count) and not round.recounting:
        course.record(CountDoubted(count=count, actor=input.actor))
    elif not round.gaps:
        reason = because(TableReason.NOT_AS_REPORTED, count=count, reported=known)
        void(course, packet_game_of(round).miscounted_by(round), with_words(reason, input.reason))
    elif _too_many(round, count):
        reason = because(TableReason.MORE_THAN_DUE, count=count)
        void(course, game_of(round).citations.broken_deal, with_words(reason, input.reason))
    elif not _agrees(round, count):
        reason = because(TableReason.INDISTINGUISHABLE, count=count, reported=known)
        void(course, EVERY_CARD_REPORTED, with_words(reason, input.reason))
    else:
        draws = tuple(range(known + 1, count + 1))
        course.draw(dict.fromkeys(draws))
        course.record(CardsCounted(count=count, unread=draws, actor=input.actor))


def _agrees(round: Round, count: int) -> bool:
    """Whether a count fits only one arrangement of the cards."""
    unreported = count - round.draws
    if not round.gaps:
        return unreported == 0
    return not _too_many(round, count) and _can_be(round, unreported) and _determines_which(round, unreported)


def _too_many(round: Round, count: int) -> bool:
    """Whether this number of cards, if they can have been dealt, is more than the deal has."""
    null = sum(len(dealt.draws) for dealt in round.dealt if dealt.null is not None)
    return _can_be(round, count - round.draws) and count - null > packet_game_of(round).cards_due(round)


def _can_be(round: Round, unreported: int) -> bool:
    """Whether this number of cards may have left the shoe without a report."""
    lost = [gap.lost for gap in round.gaps]
    return unreported >= 0 and (None in lost or unreported <= sum(count or 0 for count in lost))


def _determines_which(round: Round, unreported: int) -> bool:
    """Whether this number of unreported cards fits in only one way between those that were received.

    A gap of unknown length may continue behind cards that were received after it.
    """
    if unreported == 0:
        return True
    if len(round.gaps) == 1:
        [gap] = round.gaps
        return gap.lost is not None or gap.after == len(round.dealt)
    lost = [gap.lost for gap in round.gaps]
    return None not in lost and unreported == sum(count or 0 for count in lost)


# ---- what is decided and turned


def decided(course: Course, input: Decide) -> None:
    """A player's decision; after a correction it may be the last one missing for the settlement."""
    round, game, seat, who = course.round, course.game, input.seat, seat_place(input.seat)
    if seat in packets_of(round).decisions:
        raise Refusal(
            who, TableReason.DECIDED_ALREADY, game.citations.decision, decision=packets_of(round).decisions[seat]
        )
    packet_game_of(round).check_decision(round, seat, input.decision)
    if input.decision == REFUSED:
        require_supervisor(course.role, SupervisorAct.RECORDS_REFUSED_DUTY)
    if input.hand != 1:
        raise Refusal(who, TableReason.ONE_HAND, game.citations.deal)
    course.record(DecisionMade(seat=seat, hand=input.hand, decision=input.decision))
    notify_if_folded(course, seat)
    settle_if_complete(course)


def reveal(course: Course, input: Reveal) -> None:
    """The cards of a place were turned and are shown; unread ones are keyed in. The last place settles the round."""
    refuse_another_place(course, input)
    table, round, place, vault = course.table, course.round, input.to, course.vault
    draws = game_of(round).draws_at(round, place)
    read_there = [vault.get(draw) for draw in draws]
    every = [card for card in vault.values() if card is not None]
    if len(set(every)) < len(every) and max(Counter(every).values()) > round.terms.decks:
        corrected = any(correction.what == "cards" for correction in round.corrections)
        if corrected or any(vault.get(draw) is not None for draw in round.unread):
            # A person may have keyed it in wrongly, and can correct it; a hand that was read cannot be.
            raise Refusal(place, TableReason.CARD_TWICE_OR_KEYED, COMPLETE_DECK)
        # Which card is doubled is not reported: the others still are face down.
        void(course, COMPLETE_DECK, because(TableReason.CARD_CAME_TWICE))
        return
    keyed: dict[int, Card | None] = {}
    if input.cards is not None and None not in read_there:
        # Whether a guess is right is not reported: no one tries cards out against those that are face down.
        raise Refusal(place, TableReason.ALL_READ, UNREAD_CARDS)
    if None in read_there:
        cards = keyed_cards(round, place, input.cards, read_there)
        keyed = {draw: card for draw, card, read in zip(draws, cards, read_there, strict=True) if read is None}
    else:
        cards = tuple(card for card in read_there if card is not None)
    if keyed:
        refuse_too_often(table, round, place, cards)
    elif any(copies_out(table, round, card) >= round.terms.decks for card in cards):
        void(course, COMPLETE_DECK, because(TableReason.TOO_MANY_OF_ONE, decks=round.terms.decks))
        return
    course.draw(keyed)
    course.record(CardsShown(to=place, cards=cards, keyed_in=bool(keyed)))
    settle_if_complete(course)


ROWS: dict[type[Input], Row] = {
    Shuffled: Row(shuffled_by_hand, at("shuffle")),
    DeckComplete: Row(deck_complete, at("deck")),
    Cut: Row(cut, at("cut"), also=(INSPECTOR,)),
    PassCut: Row(cut_passed, at("cut")),
    ShuffleReported: Row(shuffle_reported),
    DeckChecked: Row(deck_checked),
    UnreportedCard: Row(unreported_card, at("deal", "burn")),
    EnterCount: Row(counted, at("count"), changes=True),
    Decide: Row(decided, at("decisions")),
    Reveal: Row(reveal, at("reveal")),
    RevealAll: Row(one_by_one(reveal), at("reveal")),
    CardsReported: Row(cards_reported),
    ReportsMissed: Row(reports_missed),
}
AT_SPACES: dict[type[Input], Row] = {CardsReported: Row(reported_at_spaces)}
"""The rows that differ where a card is dealt face up to each space."""
