"""Cards put into a shuffler, and a session with a dispenser: loaded, held over, taken out at the end. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine.due import refuse_unless, require
from controller.engine.events import (
    CardsExtracted,
    DamagedCardReplaced,
    DealerTold,
    Event,
    PacketLoaded,
    ShufflerLoaded,
)
from controller.engine.persons import documented, require_supervisor
from controller.engine.prize_cards import refuse_unpaid, taken_too_early, to_put_in, unpaid_hits
from controller.engine.table import DAMAGED_CARD, SHUFFLER_LID, Table, next_step
from controller.rulebook.events import CardsHeld, CardsInserted, ClaimsClosed
from controller.rulebook.refusal import STEP_BY_STEP, Refusal

LEAST_PACKETS = 2
LOADING, EXTRACTING, LID, DAMAGED = "54", "55", "59", "51"


def loaded(table: Table, role: str, actor: str) -> Iterator[Event]:
    """The chief inspector confirms the loading: all the cards, in at least two packets (54)."""
    refuse_unless(table, "load")
    require_supervisor(role, "is there while the shuffler is loaded")
    load = table.load
    if load is None or sum(load.packets) != load.cards or len(load.packets) < LEAST_PACKETS:
        packets = () if load is None else load.packets
        wanted = 0 if load is None else load.cards
        reason = f"{len(packets)} packets, {sum(packets)} cards were heard: {wanted} in two packets or more"
        raise Refusal("shuffler", reason, LOADING)
    yield ShufflerLoaded(actor=actor)


def extracted(table: Table, input: heard.Extracted, role: str) -> Iterator[Event]:
    """The chief inspector confirms that the cards were taken out and counted by deck (55)."""
    refuse_unless(table, "extract")
    require_supervisor(role, "is there while the cards are taken out")
    expected = 0 if table.load is None else table.load.cards
    if not 0 <= input.cards <= 2 * expected:
        raise Refusal("cards", f"how many were counted, {expected} if none is missing", EXTRACTING)
    if table.held:
        # No lid opened for these any more (61): with the count of all cards nothing can be laid out again (62).
        waiting = sum(one.cards for one in table.held)
        yield ClaimsClosed(cards=waiting, rounds=tuple(one.round for one in table.held))
    yield CardsExtracted(cards=input.cards, missing=expected - input.cards, actor=input.actor)


def held(table: Table, actor: str) -> Iterator[Event]:
    """The lid stayed shut: the cards wait for the next round's, and the claims stay open (61, 62)."""
    round = require(table, "claims")
    if round.terms.source != "shuffler" or not round.terms.asks:
        raise Refusal("table", "no lid is waited for here", STEP_BY_STEP)
    if SHUFFLER_LID in table.troubles:
        raise Refusal("shuffler", "its lid is open: the cards go in", LID)
    refuse_unpaid(table)
    yield CardsHeld(cards=max(0, round.draws - round.inserted), actor=actor)


def inserted(table: Table, input: heard.InsertionHeard) -> Iterator[Event]:
    """Cards go into the shuffler: a packet of a session (54), or those of a round.

    With the last of this round and of those held over nothing can be laid out again. While a prize of the round is not
    paid its claims stay open, whatever went in (49).
    """
    step, round = next_step(table), table.round
    if step.kind == "load":
        yield PacketLoaded(cards=input.count)
    elif step.kind == "claims" and round is not None and round.terms.source == "shuffler":
        yield CardsInserted(count=input.count)
        hits = unpaid_hits(table)
        if hits and taken_too_early(table, round.inserted + input.count):
            yield DealerTold(notice="prize_cards_inserted", seat=hits[0].seat)
        if not hits and round.inserted + input.count >= to_put_in(table, round):
            yield ClaimsClosed(cards=round.inserted + input.count, rounds=tuple(one.round for one in table.held))


def card_replaced(table: Table, input: heard.CardReplaced, role: str) -> Iterator[Event]:
    """The chief inspector has replaced a damaged card; it is told to the inspection (51)."""
    require_supervisor(role, "replaces a damaged card")
    if DAMAGED_CARD not in table.troubles:
        raise Refusal("table", "no card was said to be damaged", DAMAGED)
    yield DamagedCardReplaced(actor=input.actor, reason=documented(input.reason))
