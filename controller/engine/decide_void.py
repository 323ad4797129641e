"""Irregularities: what is reported of a round, when it is void, and what a void does with the money. No I/O here."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET
from msgspec.structs import replace

from controller.engine import inputs as heard
from controller.engine import jackpot
from controller.engine.decide_jackpot import award_hits, prize_terms, withdraw_hits
from controller.engine.events import CutCardOut, DealerTold, Event
from controller.engine.persons import documented, require_supervisor
from controller.engine.table import Table, fold, next_step
from controller.rulebook.blackjack_21.shoe import NEAR_ENOUGH
from controller.rulebook.events import CardsNulled, ErrorPutRight, RoundVoided, SettlementWithdrawn, settled_as
from controller.rulebook.game import Game
from controller.rulebook.games import game_of
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.round import Round, advance
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_place


def void(table: Table, article: str, reason: str) -> Iterator[Event]:
    """Void the round: what is decided stands, with the hits that are locked; the rest of a settlement is withdrawn.

    Chips that are not decided go on (17.º 3) or back with their contributions.
    """
    round, meter = table.round, table.meter
    if round is None:
        raise TypeError("no round to void")
    game = game_of(round)
    carried, decided = game.carried_by(round, article), game.decided_chips(round)
    stands = round.settlement.jackpot if decided and round.settlement is not None else UNSET
    if round.settled is not None:
        for event in () if stands else withdraw_hits(table):
            meter = jackpot.advance(meter, event)
            yield event
        yield SettlementWithdrawn()
    yield RoundVoided(article=article, reason=reason, carried=carried, decided=decided or UNSET)
    before = meter
    for contributed in table.contributed:
        if contributed.seat not in (*carried, *decided):
            returned = jackpot.give_back(contributed)
            meter = jackpot.advance(meter, returned)
            yield returned
    pots = None
    if before is not None and meter is not None and round.terms.chip:
        pots = before.pot, prize_terms(meter)
        if stands:
            pots = stands.pot_before, replace(pots[1], pot=stands.pot_before)
    settlement = game.void_round(round, article, pots)
    if isinstance(settlement, Settlement) and stands:
        settlement = replace(settlement, jackpot=stands)
    yield settled_as(settlement)
    if meter is not None and isinstance(settlement, Settlement) and not stands:
        yield from award_hits(meter, round, settlement)


def withdraw_settlement(table: Table) -> Iterator[Event]:
    """Take back a settlement that was not confirmed yet, and what it won from the jackpot."""
    if table.round is not None and table.round.settled is not None:
        yield from withdraw_hits(table)
        yield SettlementWithdrawn()


def require_open(table: Table) -> Round:
    """The round, while something can still change it. Raises Refusal."""
    round = table.round
    if round is None or round.confirmed or round.void is not None:
        article = STEP_BY_STEP if round is None else game_of(round).citations.irregularities
        raise Refusal("table", "there is no round that this could change any more", article)
    return round


def report(table: Table, game: Game, input: heard.Report, role: str) -> Iterator[Event]:
    """What a person reports of the round in play. Raises Refusal."""
    if isinstance(input, heard.CutCard):
        # It concerns the shoe: said after the last card of a round, it must be heard before the next begins.
        yield from cut_card_out(table, game, input.actor)
        return
    round = require_open(table)
    citations = game.citations
    match input:
        case heard.Exposed():
            seen = game.seen(round, input.to, len(input.which) or input.count, input.which)
            yield from _dealt_on(table, seen.events)
            if seen.void is not None:
                yield from void(table, *seen.void)
        case heard.Misdealt(what=what):
            game.check_misdealt(round)
            why = _answered_for(game, round, role, input.reason)
            order = what == "order"
            reason = "the order of the deal was broken" if order else "a wrong number of cards was dealt"
            if why:
                reason = (
                    f"the order of the deal was broken: {why}" if order else f"a wrong number of cards was dealt: {why}"
                )
            yield from void(table, citations.broken_deal, reason)
        case heard.ToEmptySeat():
            yield from _dealt_on(table, _to_empty_seat(table, round, input))
        case heard.ShufflerFailed():
            if next_step(table).kind != "deal" or round.terms.source != "shuffler":
                raise Refusal("table", "the cards are not being dealt from the shuffler", citations.shuffler_failed)
            why = _answered_for(game, round, role, input.reason)
            reason = f"the shuffler failed while dealing: {why}" if why else "the shuffler failed while dealing"
            yield from void(table, citations.shuffler_failed, reason)
        case heard.DealCorrected(what=what, to=to):
            game.check_put_right(round, what, to)
            yield ErrorPutRight(what=what, to=to, actor=input.actor)
        case heard.VoidRound(reason=reason):
            require_supervisor(role, "breaks a round off")
            yield from void(table, "policy: supervisor's void", documented(reason))


def _answered_for(game: Game, round: Round, role: str, reason: str) -> str:
    """Why the round is void, which a supervisor says once a card that decides is open. Raises Refusal."""
    if game.result_open(round):
        require_supervisor(role, "voids a round once a card that decides is open")
        return documented(reason)
    return documented(reason) if reason else ""


def _dealt_on(table: Table, events: Iterable[Event]) -> Iterator[Event]:
    """A deal that goes on once more, from a shuffler that forgot the deck since, or is another one: it has failed."""
    told = tuple(events)
    yield from told
    after = fold(table, told)
    order = next_step(after).order
    if order is not None and table.shuffled_by not in (0, table.shuffler_boot) and after.round is not None:
        article = game_of(after.round).citations.shuffler_failed
        yield from void(after, article, "the shuffler that would deal on has forgotten the deck, or is another one")


def cut_card_out(table: Table, game: Game, actor: str | None = None) -> Iterator[Event]:
    """The cut card came out of a shoe that is kept: told by the shoe, or by the dealer where it was not heard.

    Between two rounds of black-jack the next one is still played, and then the cards are shuffled (11).
    """
    round = table.round
    elsewhere = round is not None and (not game_of(round).keeps_shoe or round.terms.source != "shoe")
    if table.shoe.decks and not table.shoe.cut_card_out and not elsewhere:
        yield CutCardOut(actor=actor, one_more=game.asks and round is None)
        shoe = table.shoe
        if actor is None and shoe.warning and abs(shoe.left - shoe.warning) > NEAR_ENOUGH:
            yield DealerTold(notice="warning_card_misplaced", text=str(shoe.left))
    elif actor is not None:
        raise Refusal("table", "no cut card is waited for", STEP_BY_STEP)


def _to_empty_seat(table: Table, round: Round, input: heard.ToEmptySeat) -> Iterator[Event]:
    game = game_of(round)
    article = game.citations.null_cards
    if not article:
        raise Refusal(
            seat_place(input.seat), "put it right, or report a misdeal: no card is null", game.citations.broken_deal
        )
    game.check_seat(round, input.seat)
    if input.seat in round.wagers:
        raise Refusal(seat_place(input.seat), "has a bet: report a misdeal", article)
    if round.decisions or round.shown:
        raise Refusal(seat_place(input.seat), "the deal is over", article)
    aside = {draw for one in round.aside for draw in one.draws}
    meant = [
        one
        for one in game.laid(round)
        if one.dealt.null is None and input.meant_for in one.to and not aside & set(one.dealt.draws)
    ]
    if not meant or input.meant_for == "discard":
        raise Refusal(input.meant_for, "no card was dealt there", article)
    nulled = CardsNulled(draws=meant[-1].dealt.draws, seat=input.seat)
    moved_up = game.laid(advance(round, nulled))
    yield nulled
    if any(one.dealt.null is None and len(one.to) != len(one.dealt.draws) for one in moved_up):
        yield from void(table, game.citations.broken_deal, "a packet of another size was already dealt")
