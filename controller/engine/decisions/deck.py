"""The deck between two deals: whole, shuffled and cut. No I/O here."""

from controller.engine.decisions.decision import Course, DeviceInput, Input, Row, at
from controller.engine.decisions.void import void
from controller.engine.reasons import TableReason
from controller.engine.state.alarms import ActiveAlarm
from controller.engine.state.current import trouble_now
from controller.engine.state.events import DeckDoubted
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import DECK_TROUBLE
from controller.rulebook.citations import CARDS_OF_A_DECK
from controller.rulebook.events import CardsShuffled, CutPassed, DeckCut, DeckFaulted, DeckMended
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.roles import INSPECTOR
from controller.rulebook.steps import seat_of, seat_place


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
    """The bank has cut, or a player where the regulation lets one."""
    round, game, seat = course.round, course.game, seat_of(input.by)
    game.deck.refuse_cutter(input.by, seat)
    if seat is not None:
        game.check_seat(round, seat)
    why_not = game.deck.why_not_cut(round, seat)
    if why_not:
        raise Refusal("by", why_not, game.citations.cut)
    course.record(DeckCut(by=input.by, name=_inspector(course, input) or None))


def _inspector(course: Course, input: Cut) -> str:
    """The table inspector who cut, by name, where the configuration has any (black-jack 8). Raises Refusal."""
    article, inspectors = course.game.citations.cut, course.game.deck.cutters(course.settings.people)
    cuts = input.by == "bank" and bool(inspectors)
    name = input.name or (input.actor if cuts and input.actor in inspectors else "")
    if cuts and name not in inspectors:
        raise Refusal("by", TableReason.WHICH_INSPECTOR_CUT, article, inspectors=", ".join(inspectors))
    if name and not cuts:
        raise Refusal("by", TableReason.INSPECTOR_WHO_CUTS, article)
    return name


class PassCut(PersonInput, frozen=True):
    """The seat whose turn it is does not cut (black-jack 8): nobody sits there if `vacant`."""

    seat: int
    vacant: bool


def cut_passed(course: Course, input: PassCut) -> None:
    """The seat whose turn it is to cut does not: the next one's it is (black-jack 8)."""
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
    course.record(DeckMended(actor=input.actor))


class ShuffleHeard(DeviceInput, frozen=True):
    """The shuffler finished an order to shuffle."""

    order: int
    count: int


def shuffle_heard(course: Course, input: ShuffleHeard) -> None:
    """The shuffler has shuffled: 52 cards, or the deck is not whole."""
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
    """The shuffler looked at every card. Which card is wrong is not said: the others lie face down."""
    if input.found == CARDS_OF_A_DECK and not input.missing and not input.duplicated:
        return
    match trouble_now(course.table, course.game, "shuffler", "deck"):
        case cell if cell.action == "void":
            void(course, cell.citation, because(TableReason.DECK_NOT_WHOLE))
        case cell if cell.action == "by hand":
            before_the_bets = course.table.round is not None and not course.table.round.locked
            event = DeckFaulted if before_the_bets else DeckDoubted
            course.record(event(input.found, input.missing, input.duplicated))


ROWS: dict[type[Input], Row] = {
    Shuffled: Row(shuffled_by_hand, at("shuffle")),
    DeckComplete: Row(deck_complete, at("deck")),
    Cut: Row(cut, at("cut"), also=(INSPECTOR,)),
    PassCut: Row(cut_passed, at("cut")),
    ShuffleHeard: Row(shuffle_heard),
    DeckChecked: Row(deck_checked),
}
