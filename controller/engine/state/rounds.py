"""How the events of a round change the table: its betting, cards, corrections and end. No I/O here."""

from collections import Counter

from msgspec.structs import replace

from controller.engine.state.alarms import without_alarms
from controller.engine.state.events import DeviceUp
from controller.engine.state.table import DECK_TROUBLE, PIT, CardsOnHold, Linked, Table, after_adjusting
from controller.rulebook.citations import COMPLETE_DECK
from controller.rulebook.corrected import CardsCorrected, corrected_by
from controller.rulebook.events import (
    UNCOUNTED,
    BettingClosed,
    CardBurned,
    CardsDealt,
    CardsPending,
    CardsShown,
    CardsShuffled,
    ClaimsClosed,
    DecisionMade,
    DeckCut,
    DeckFaulted,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    RoundVoided,
    WagerPlaced,
    WarningCardPlaced,
)
from controller.rulebook.games import EventInRound, game_of, open_round
from controller.rulebook.parts.deck import ShoeDecks
from controller.rulebook.round import Round, advance


def begin_round(table: Table, event: RoundBegun) -> Table:
    """The table with the round that begins."""
    return replace(
        table,
        game=event.terms.game,
        law=replace(table.law, act=event.terms.act),
        rounds=event.round,
        round=open_round(event),
        shoe=replace(table.shoe, one_more=False) if event.ready else ShoeDecks(),
        contributed=table.carried,
        carried=(),
        restart=None,
        waiting=(),
        changes=0,
        notices=(),
        link=None if table.link is None else _link_at_round(table, table.link, event.round),
    )


def _link_at_round(table: Table, link: Linked, round: int) -> Linked:
    """A round that begins while the pit is not received takes no jackpot chip."""
    return replace(link, accepts=round) if isinstance(table.devices.get(PIT), DeviceUp) else link


def apply_round(table: Table, event: EventInRound) -> Table:
    """The table after an event of its round."""
    if table.round is None:
        if isinstance(event, ClaimsClosed):  # of the cards that wait, at the end of a session (black-jack 55)
            return replace(table, on_hold=())
        raise TypeError(f"{type(event).__name__} outside a round")
    before, round = table.round, advance(table.round, event)
    game, source = game_of(round), round.terms.source
    out_of_shoe = game.deck.is_kept(source)
    if table.complaints and isinstance(event, InputCorrected | RoundVoided):
        table = replace(table, complaints=after_adjusting(table.complaints, round.id))
    if out_of_shoe:
        drawn = table.shoe.drawn + round.draws - before.draws
        table = replace(table, shoe=replace(table.shoe, drawn=drawn))
    match event:
        # What comes many times in a round is looked for first.
        case WagerPlaced() | DecisionMade():
            return replace(table, round=round)
        case CardsDealt(places=to):
            failures = table.shuffler_failures
            if failures and source == "shuffler" and UNCOUNTED not in to and not game.next_places(round):
                failures = 0
            return replace(table, round=round, shuffler_failures=failures)
        case CardsShown(cards=cards):
            shoe = _out_of_the_shoe(table.shoe, *cards) if out_of_shoe else table.shoe
            return replace(table, round=round, shoe=shoe)
        case CardsShuffled():
            return replace(table, round=round, shuffled_by=table.shuffler_boot)
        case BettingClosed():
            return _close_betting(table, before, round, event)
        case DeckCut() if out_of_shoe:
            return replace(table, round=round, shoe=game.deck.after_cut(table.shoe, round.terms))
        case WarningCardPlaced(behind=behind):
            return replace(table, round=round, shoe=replace(table.shoe, warning=behind))
        case CardBurned():
            return replace(table, round=round, shoe=replace(table.shoe, burned=True))
        case CardsPending(count=cards):
            waiting = (*table.on_hold, CardsOnHold(round=round.id, cards=cards))
            given = round.orders_from + round.orders_used + 1
            return replace(table, round=None, on_hold=waiting, orders_spent=max(table.orders_spent, given))
        case InputCorrected() if out_of_shoe:
            return replace(table, round=round, shoe=_corrected(table.shoe, event))
        case RoundVoided():
            return _void(table, round, event)
        case RoundConfirmed():
            doubtful = {seat: chip for seat, chip in table.slots.items() if chip.state == "doubtful"}
            again = {seat: replace(chip, state="invalid") for seat, chip in doubtful.items()}
            return replace(table, round=round, slots={**table.slots, **again}, edges={}, left=game.left(round))
        case DeckFaulted():
            return replace(table, round=round, troubles=without_alarms(table.troubles, DECK_TROUBLE), shoe=ShoeDecks())
        case ClaimsClosed():
            # However many orders the round took, those of the next one are greater.
            given = round.orders_from + round.orders_used + 1
            pending = () if event.pending_rounds else table.on_hold
            return replace(table, round=None, on_hold=pending, orders_spent=max(table.orders_spent, given))
        case _:
            return replace(table, round=round)


def _void(table: Table, round: Round, event: RoundVoided) -> Table:
    """A chip that is neither carried nor decided goes back to its player, with all other bets."""
    back = set(round.chips) - set(event.carried) - set(event.decided)
    slots = {
        seat: replace(chip, state="invalid") if chip.state == "counted" and seat in back else chip
        for seat, chip in table.slots.items()
    }
    return replace(
        table,
        round=round,
        slots=slots,
        carried=tuple(chip for chip in table.contributed if chip.seat in event.carried),
        shuffler_failures=game_of(round).source.failures_after(table.shuffler_failures, event.article),
        shoe=ShoeDecks() if event.article == COMPLETE_DECK else table.shoe,
    )


def _corrected(shoe: ShoeDecks, event: InputCorrected) -> ShoeDecks:
    if not isinstance(corrected := corrected_by(event), CardsCorrected):
        return shoe
    without = Counter(shoe.seen)
    without.subtract(corrected.before)
    return _out_of_the_shoe(replace(shoe, seen=dict(without)), *corrected.after)


def _out_of_the_shoe(shoe: ShoeDecks, *cards: str) -> ShoeDecks:
    seen = dict(shoe.seen)
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
    return replace(shoe, seen=seen)


def _close_betting(table: Table, before: Round, round: Round, event: BettingClosed) -> Table:
    """Whatever was there and does not count goes back; what a doubtful sensor says is looked at again.

    After a correction the betting is closed again: a chip that counted then may go back, and the reverse.
    """
    counting = set(event.chips) - set(event.carried)
    slots = {}
    for seat, chip in table.slots.items():
        if seat in counting and chip.state != "late":
            slots[seat] = replace(chip, state="counted")
        elif chip.state in ("placed", "doubtful") or (
            chip.state == "counted" and (seat in before.chips or seat in event.carried_back)
        ):
            slots[seat] = replace(chip, state="invalid")
        else:
            slots[seat] = chip
    notices = tuple(
        notice
        for notice in table.notices
        if notice.notice != "lock_in_refused"
        and not (notice.notice == "chip_without_basic_bet" and notice.seat in counting)
        and not (notice.notice == "carried_chip_back" and notice.seat in event.carried)
    )
    return replace(table, round=round, slots=slots, edges={}, notices=notices)
