"""Irregularities: what is reported of a round, when it is void, and what a void does with the money. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine import jackpot
from controller.engine.decide_jackpot import withdraw_hits
from controller.engine.events import Event
from controller.engine.persons import documented, require_supervisor
from controller.engine.table import Table, next_step
from controller.rulebook.events import CardsExposed, CardsNulled, RoundSettled, RoundVoided, SettlementWithdrawn
from controller.rulebook.fortune_3_card_poker import dealing, outcome
from controller.rulebook.fortune_3_card_poker import round as law
from controller.rulebook.fortune_3_card_poker.betting import check_seat
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import seat_of, seat_place


def void(table: Table, article: str, reason: str) -> Iterator[Event]:
    """Void the round: a settlement is withdrawn, chips go on (17.º 3) or back with their contributions."""
    round = table.round
    if round is None:
        raise TypeError("no round to void")
    yield from withdraw_settlement(table)
    carried = outcome.carried_by(round, article)
    yield RoundVoided(article=article, reason=reason, carried=carried)
    meter = table.meter
    for event in withdraw_hits(table):
        meter = jackpot.advance(meter, event)
    before = meter
    for contributed in table.contributed:
        if contributed.seat not in carried:
            returned = jackpot.give_back(contributed)
            meter = jackpot.advance(meter, returned)
            yield returned
    pots = (before.pot, meter.pot) if before is not None and meter is not None and round.terms.chip else None
    yield RoundSettled(settlement=outcome.void_round(round, article, pots))


def withdraw_settlement(table: Table) -> Iterator[Event]:
    """Take back a settlement that was not confirmed yet, and what it won from the jackpot."""
    if table.round is not None and table.round.settlement is not None:
        yield from withdraw_hits(table)
        yield SettlementWithdrawn()


def report(table: Table, input: heard.Report, role: str) -> Iterator[Event]:
    """What a person reports of the round in play. Raises Refusal."""
    round = table.round
    if round is None or round.confirmed or round.void is not None:
        raise Refusal("table", "there is no round that this could change any more", "17.º")
    match input:
        case heard.Exposed():
            yield from _exposed(table, round, input)
        case heard.Misdealt(what=what):
            if not round.locked:
                raise Refusal("table", "the bets are not closed yet: nothing is dealt", "17.º 1 1)")
            reason = "the order of the deal was broken" if what == "order" else "a wrong number of cards was dealt"
            yield from void(table, outcome.BROKEN_DEAL, reason)
        case heard.ToEmptySeat():
            yield from _to_empty_seat(table, round, input)
        case heard.ShufflerFailed():
            if next_step(table).kind != "deal" or round.terms.source != "shuffler":
                raise Refusal("table", "the cards are not being dealt from the shuffler", outcome.SHUFFLER_FAILED)
            yield from void(table, outcome.SHUFFLER_FAILED, "the shuffler failed while dealing")
        case heard.VoidRound(reason=reason):
            require_supervisor(role, "breaks a round off")
            yield from void(table, "policy: supervisor's void", documented(reason))


def _exposed(table: Table, round: Round, input: heard.Exposed) -> Iterator[Event]:
    place, count = input.to, input.count
    # As many as the place gets in this deal: what the dealer saw may be told before its source has told of it.
    due = 0 if place == "discard" else sum(packet.count(place) for packet in dealing.packets(round))
    if not round.locked or round.shown:
        raise Refusal(place, "no cards are being dealt", "17.º 1")
    if count < 1 or count + round.exposed.get(place, 0) > due:
        raise Refusal(place, f"{count} more cards cannot have been seen there: it gets {due}", "17.º 1")
    yield CardsExposed(to=place, count=count)
    if place == "bank":
        yield from void(table, outcome.BANK_EXPOSED, "a card of the bank was seen while it was dealt")
    elif seat_of(place) is not None:
        seen = count + sum(n for at, n in round.exposed.items() if seat_of(at) is not None)
        if seen > outcome.PLAYER_CARDS_EXPOSED_AT_MOST:
            yield from void(table, outcome.PLAYERS_EXPOSED, f"{seen} cards of players were seen while they were dealt")


def _to_empty_seat(table: Table, round: Round, input: heard.ToEmptySeat) -> Iterator[Event]:
    check_seat(round, input.seat)
    if input.seat in round.wagers:
        raise Refusal(seat_place(input.seat), "has a bet: report a misdeal", "17.º 4 2)")
    if round.decisions or round.shown:
        raise Refusal(seat_place(input.seat), "the deal is over", "17.º 4 2)")
    meant = [one for one in dealing.laid(round) if one.dealt.null is None and one.to and one.to[-1] == input.meant_for]
    if not meant:
        raise Refusal(input.meant_for, "no card was dealt there", "17.º 4 2)")
    nulled = CardsNulled(draws=meant[-1].dealt.draws, seat=input.seat)
    moved_up = dealing.laid(law.advance(round, nulled))
    yield nulled
    if any(one.dealt.null is None and len(one.to) != len(one.dealt.draws) for one in moved_up):
        yield from void(table, outcome.BROKEN_DEAL, "a packet of another size was already dealt")
