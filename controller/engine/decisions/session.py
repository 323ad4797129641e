"""A session: opened and closed, its source, rounds begun and cleared, a dispenser loaded and emptied. No I/O here."""

from msgspec.structs import replace

from controller.engine.decisions.decision import (
    TABLE,
    Course,
    DeviceInput,
    Input,
    Row,
    When,
    at,
    documented,
    optional_reason,
)
from controller.engine.decisions.law import act_of_next_round
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state import jackpot
from controller.engine.state.current import (
    has_failed,
    open_hits,
    refuse_clearing,
    refuse_overtaken,
    refuse_undecided,
    refuse_unless,
    source_of,
    taken_too_early,
    terms_of,
    to_put_in,
)
from controller.engine.state.events import (
    ActsRecorded,
    CardsExtracted,
    DamagedCardReplaced,
    DamagedCardReported,
    InspectionInformed,
    JournalPruned,
    NoBetMade,
    PacketLoaded,
    ShufflerCleared,
    ShufflerLoaded,
    SignInEvent,
    TableClosed,
    TableOpened,
)
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import CLEARING_NOT_ENTERED, DAMAGED_CARD, INSPECTION_NOT_INFORMED, SHUFFLER_LID
from controller.rulebook.events import CardsInserted, CardSource, CardsPending, ClaimsClosed, RoundBegun, SourceChosen
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.roles import DEALER, INSPECTOR
from controller.rulebook.round import ORDERS_PER_ROUND
from controller.rulebook.steps import seat_place

LEAST_PACKETS = 2
DAMAGED = JAMMED = "51"
OPENED_BY_HAND = "60"


class SignInReceived(DeviceInput, frozen=True):
    """A person logged in or out at the console, or was refused."""

    event: SignInEvent


def sign_in_received(course: Course, input: SignInReceived) -> None:
    """Records a login, logout or refused login at the console."""
    course.record(input.event)


class SegmentsExpired(DeviceInput, frozen=True):
    """The oldest segments of the journal have expired."""

    event: JournalPruned


def pruned(course: Course, input: SegmentsExpired) -> None:
    """Records that the journal's oldest events were deleted."""
    if input.event.last > course.table.pruned:
        course.record(input.event)


class OpenTable(PersonInput, frozen=True):
    """Open the table for play."""


def open_table(course: Course, input: OpenTable) -> None:
    """Opens the table; a shuffler that keeps its cards has to be loaded first."""
    terms = terms_of(course.table, course.settings)
    load = course.game.session.opening(terms.source, course.game.deck.pieces(terms))
    course.record(TableOpened(actor=input.actor, load=load))


class CloseTable(PersonInput, frozen=True):
    """Close the table, between two rounds."""


def closed(course: Course, input: CloseTable) -> None:
    """Close the table. There is no next round for a carried chip, so the chip and its contribution go back."""
    _give_back_carried(course)
    course.record(TableClosed(actor=input.actor))


class ActsDone(PersonInput, frozen=True):
    """The acts with the cards when the table opens or closes (black-jack 5, 7, 53, 55, 58). Answers ``table``."""

    acts: tuple[str, ...]


def acts_done(course: Course, input: ActsDone) -> None:
    """Records acts with the cards by hand: shown, mixed, replaced, set aside or put in order; no step depends on it."""
    course.game.session.refuse_acts(input.acts)
    for act in course.game.session.ticked_once(input.acts):
        if input.actor in course.table.acts.get(act, ()):
            raise Refusal("table", TableReason.TICKED_ALREADY, STEP_BY_STEP, person=input.actor, act=act)
    course.record(ActsRecorded(acts=input.acts, actor=input.actor, role=course.role))


class UseSource(PersonInput, frozen=True):
    """Takes the cards from the other source, which 9.º 1 lets the bank choose: between two rounds, or before the
    bets.
    """

    source: CardSource


def source_chosen(course: Course, input: UseSource) -> None:
    """The cards come from the other source from now on."""
    table, settings, game, source = course.table, course.settings, course.game, input.source
    refuse_unless(table, *game.session.steps_to_choose(table.open))
    article = game.citations.source
    if table.load is not None:
        raise Refusal("source", TableReason.SHUFFLER_KEEPS_CARDS, game.citations.kept)
    game.session.refuse_source(source, table.open)
    if source not in settings.sources:
        raise Refusal("source", TableReason.NO_SUCH_SOURCE, article, source=source, sources=", ".join(settings.sources))
    if source == source_of(table, settings):
        raise Refusal("source", TableReason.SOURCE_ALREADY, article, source=source)
    if source == "shuffler" and has_failed(table, game):
        raise Refusal("shuffler", TableReason.NOT_REPLACED, game.citations.shuffler_failed)
    course.record(SourceChosen(source=source, actor=input.actor))


class BeginRound(PersonInput, frozen=True):
    """Begin the next round."""


def begin_round(course: Course, input: BeginRound) -> None:
    """The next round begins, on the present terms."""
    table, game, terms = course.table, course.game, terms_of(course.table, course.settings)
    refuse_overtaken(table)
    if terms.source == "shuffler" and has_failed(table, game):
        raise Refusal("shuffler", TableReason.HAS_FAILED, game.citations.shuffler_failed)
    if CLEARING_NOT_ENTERED in table.troubles:
        raise Refusal("shuffler", TableReason.CLEARING_NOT_ENTERED, JAMMED)
    game.session.refuse_round(terms.source, is_loaded=table.load is not None)
    carried = table.carried
    if not terms.chip:
        # The configuration offers no jackpot any more: there is no round for these chips to continue to.
        carried = ()
        _give_back_carried(course)
    terms = replace(terms, act=act_of_next_round(course))
    number = table.rounds + 1
    begun = RoundBegun(
        round=number,
        terms=terms,
        orders_from=max(number * ORDERS_PER_ROUND, table.orders_spent),
        carried=tuple(chip.seat for chip in carried),
        ready=game.deck.is_ready(table.shoe, terms, table.left),
        left=table.left,
    )
    course.record(begun)


class NoBets(PersonInput, frozen=True):
    """No one is there, or no one bets (black-jack 12): a round that has begun ends without play.

    `spread`: the cards of the shoe are face up on the table, and are shuffled before the next round.
    """

    spread: bool = False


def no_bets(course: Course, input: NoBets) -> None:
    """No one bets: no round is played, and the cards of a shoe may be spread out (black-jack 12)."""
    table, citations, round = course.table, course.game.citations, course.table.round
    if not citations.no_bets:
        raise Refusal("table", TableReason.NO_RULE_TO_BREAK_OFF, STEP_BY_STEP)
    if round is not None and round.wagers:
        raise Refusal("table", TableReason.THERE_ARE_BETS, citations.no_bets)
    if input.spread and source_of(table, course.settings) == "shuffler":
        raise Refusal("table", TableReason.CARDS_STAY_IN_SHUFFLER, citations.kept)
    course.record(NoBetMade(actor=input.actor, spread=input.spread))


def _give_back_carried(course: Course) -> None:
    for carried in course.table.carried:
        course.record(jackpot.give_back(carried))
        course.notify("carried_chip_ends", carried.seat)


class CloseClaims(PersonInput, frozen=True):
    """The cards of the round are cleared away."""


def claims_closed(course: Course, input: CloseClaims) -> None:
    """The cards of the round are cleared away."""
    refuse_clearing(course.table, course.settings)
    course.record(ClaimsClosed(count=None, pending_rounds=tuple(kept.round for kept in course.table.on_hold)))


# ---- cards put into a shuffler


class Loaded(PersonInput, frozen=True):
    """The chief inspector was there while the shuffler was loaded (black-jack 54)."""


def loaded(course: Course, input: Loaded) -> None:
    """The chief inspector confirms the loading: all the cards, in at least two packets (54)."""
    load = course.table.load
    if load is None or sum(load.packets) != load.cards or len(load.packets) < LEAST_PACKETS:
        packets = () if load is None else load.packets
        wanted = 0 if load is None else load.cards
        article = course.game.citations.loading
        raise Refusal(
            "shuffler", TableReason.PACKETS_REPORTED, article, packets=len(packets), cards=sum(packets), wanted=wanted
        )
    course.record(ShufflerLoaded(actor=input.actor))


class Extracted(PersonInput, frozen=True):
    """The cards were taken out in the presence of the chief inspector, and counted (black-jack 55)."""

    cards: int


def extracted(course: Course, input: Extracted) -> None:
    """The chief inspector confirms that the cards were taken out and counted by deck (55)."""
    table = course.table
    expected = 0 if table.load is None else table.load.cards
    if not 0 <= input.cards <= 2 * expected:
        raise Refusal("cards", TableReason.HOW_MANY_COUNTED, course.game.citations.extracting, expected=expected)
    refuse_undecided(table, course.settings)
    if table.on_hold:
        # No lid opened for these any more (61): with the count of all cards nothing can be spread out again (62).
        waiting = sum(kept.cards for kept in table.on_hold)
        course.record(ClaimsClosed(count=waiting, pending_rounds=tuple(kept.round for kept in table.on_hold)))
    course.record(CardsExtracted(count=input.cards, missing=expected - input.cards, actor=input.actor))


class HoldCards(PersonInput, frozen=True):
    """The shuffler's lid stayed closed: the cards wait with those of the next round (black-jack 61)."""


def on_hold(course: Course, input: HoldCards) -> None:
    """The lid stayed shut: the cards wait for the next round's, and the claims stay open (61, 62)."""
    round, table = course.round, course.table
    course.game.session.refuse_hold(round.terms.source)
    if SHUFFLER_LID in table.troubles:
        raise Refusal("shuffler", TableReason.LID_OPEN, course.game.citations.lid)
    refuse_clearing(table, course.settings)
    course.record(CardsPending(count=max(0, round.draws - round.inserted), actor=input.actor))


class InsertionReported(DeviceInput, frozen=True):
    """Cards were put into the shuffler."""

    count: int


def inserted(course: Course, input: InsertionReported) -> None:
    """Cards go into the shuffler: a packet of a session (54), or those of a round.

    Once the last cards of this round and of those kept longer have gone in, none can be spread out again. While a hit
    (49; 2025 8.º 6)) or a complaint (62) of the round is open, claims stay possible.
    """
    kind = course.step.kind
    if kind == "load":
        course.record(PacketLoaded(count=input.count))
    elif kind == "claims" and course.round.terms.source == "shuffler":
        course.record(CardsInserted(count=input.count))
        table, round, hits = course.table, course.round, open_hits(course.table)
        if hits and taken_too_early(table, round.inserted):
            course.notify("prize_cards_inserted", hits[0].seat)
        if table.complaints:
            course.notify("complaint_cards_inserted", table.complaints[0].seat)
        elif not hits and round.inserted >= to_put_in(table, round):
            course.record(
                ClaimsClosed(count=round.inserted, pending_rounds=tuple(kept.round for kept in table.on_hold))
            )


# ---- damaged cards


class DamagedCard(PersonInput, frozen=True):
    """A card is damaged, that at the place `to` if it is at one (black-jack 51). Answers ``table``."""

    to: str = ""


def card_damaged(course: Course, input: DamagedCard) -> None:
    """A person has found a damaged card; the chief inspector replaces it (51)."""
    citations, at_shoe = course.game.citations, source_of(course.table, course.settings) == "shoe"
    article = citations.worn if at_shoe else citations.damaged
    if not article:
        raise Refusal("table", TableReason.NO_RULE_MAKE_WHOLE, STEP_BY_STEP)
    if DAMAGED_CARD in course.table.troubles:
        raise Refusal("table", TableReason.DAMAGED_CARD_WAITS, article)
    seats = range(1, course.settings.terms.seat_count + 1)
    if input.to not in ("", "bank", "discard", *map(seat_place, seats)):
        raise Refusal("table", TableReason.WHERE_DAMAGED, article)
    course.record(DamagedCardReported(to=input.to, actor=input.actor))
    course.notify("damaged_card", text="shoe" if at_shoe else None)


class InformInspection(PersonInput, frozen=True):
    """The inspection was informed that a card was replaced, in these words (black-jack 51). Answers ``table``."""

    reason: str


def inform_inspection(course: Course, input: InformInspection) -> None:
    """The direction of the room has informed the inspection of a card that was replaced (51)."""
    if INSPECTION_NOT_INFORMED not in course.table.troubles:
        raise Refusal("table", TableReason.NOTHING_TO_REPORT, DAMAGED)
    course.record(InspectionInformed(actor=input.actor, reason=documented(input.reason)))


class CardReplaced(PersonInput, frozen=True):
    """The chief inspector has replaced a damaged card (black-jack 51). Answers ``table``.

    Of a shoe the inspection may authorise it instead of another deck (5): `authorised_by` says who did.
    """

    reason: str
    authorised_by: str = ""


def card_replaced(course: Course, input: CardReplaced) -> None:
    """The chief inspector has replaced a damaged card; the inspection is informed (51) or has authorised it (5)."""
    if DAMAGED_CARD not in course.table.troubles:
        raise Refusal("table", TableReason.NO_CARD_DAMAGED, DAMAGED)
    at_shoe = source_of(course.table, course.settings) == "shoe"
    by = optional_reason(input.authorised_by) if at_shoe else ""
    if at_shoe and not by:
        raise Refusal("authorised_by", TableReason.DECK_OR_AUTHORISED, course.game.citations.worn)
    course.record(DamagedCardReplaced(actor=input.actor, reason=documented(input.reason), authorised_by=by))


# ---- a jam


class JamCleared(PersonInput, frozen=True):
    """Someone has opened the shuffler and cleared its jam (black-jack 51). Answers ``table``.

    `cleared_by` is who did, `technician` whether the chief inspector sent for one; a dealer never opens it (60).
    """

    cleared_by: str
    technician: bool = False


def jam_cleared(course: Course, input: JamCleared) -> None:
    """A supervisor says who has opened the shuffler and cleared its jam (51), which no dealer may do (60)."""
    if CLEARING_NOT_ENTERED not in course.table.troubles:
        raise Refusal("shuffler", TableReason.NO_JAM_CLEARED, JAMMED)
    by = documented(input.cleared_by)
    if course.settings.people.get(by) == DEALER:
        raise Refusal("cleared_by", TableReason.NOT_BY_A_DEALER, OPENED_BY_HAND, person=by)
    course.record(ShufflerCleared(cleared_by=by, technician=input.technician, actor=input.actor))


ROWS: dict[type[Input], Row] = {
    OpenTable: Row(open_table, at("open")),
    Loaded: Row(loaded, at("load"), only=SupervisorAct.WATCHES_LOADING),
    # What was miscounted while loading comes out again (black-jack 55).
    CloseTable: Row(closed, at("begin", "load")),
    Extracted: Row(extracted, at("extract"), only=SupervisorAct.WATCHES_EXTRACTION),
    UseSource: Row(source_chosen, When("`begin`, `shuffle`, `deck`, `cut`; at black-jack `open`")),
    BeginRound: Row(begin_round, at("begin")),
    NoBets: Row(no_bets, at("begin", "wagers")),
    CloseClaims: Row(claims_closed, at("claims")),
    HoldCards: Row(on_hold, at("claims")),
    DamagedCard: Row(card_damaged, answers=TABLE),
    CardReplaced: Row(card_replaced, only=SupervisorAct.REPLACES_CARD, answers=TABLE),
    InformInspection: Row(inform_inspection, only=SupervisorAct.INFORMS_INSPECTION, answers=TABLE),
    JamCleared: Row(jam_cleared, only=SupervisorAct.NAMES_CLEARER, answers=TABLE),
    ActsDone: Row(acts_done, also=(INSPECTOR,), answers=TABLE),
    InsertionReported: Row(inserted),
    SignInReceived: Row(sign_in_received),
    SegmentsExpired: Row(pruned),
}
