"""What a card, a count, a turned hand and a deck mean to the round. No I/O here."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from controller.engine import decide_tiles as tiles
from controller.engine import inputs as heard
from controller.engine.decide_face_up import before_it_was_called, copies_out, refuse_too_often, shown_as_dealt
from controller.engine.decide_jackpot import award_hits, prize_terms
from controller.engine.decide_void import void
from controller.engine.due import require, trouble_now
from controller.engine.events import DealerTold, DeckDoubted, Event
from controller.engine.table import DECK_TROUBLE, Table, fold, next_step
from controller.rulebook.blackjack_21.shoe import behind_warning_card
from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.events import (
    UNCOUNTED,
    CardBurned,
    CardsCounted,
    CardsDealt,
    CardsShown,
    CardsShuffled,
    CountAsked,
    CountDoubted,
    CutPassed,
    DeckCut,
    DeckFaulted,
    DeckMended,
    UnheardMatched,
    WarningCardPlaced,
    settled_as,
)
from controller.rulebook.game import CARDS_OF_A_DECK, COMPLETE_DECK, UNREAD_CARDS, Game
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round, advance
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_of, seat_place

EVERY_CARD_HEARD = "policy: every card heard"

Vault = Mapping[int, Card | None]
"""The values of this round's cards by draw number; None is a card its source could not read."""


class Decision(msgspec.Struct, frozen=True):
    """The events of an input, and the values of the cards it drew, which belong in the vault and nowhere else."""

    events: tuple[Event, ...]
    drawn: dict[int, Card | None] = {}

    def __repr__(self) -> str:
        return f"Decision({len(self.events)} events, {len(self.drawn)} cards)"


# ---- the deck


def shuffled_by_hand(table: Table, input: heard.Shuffled) -> Iterator[Event]:
    """The dealer has shuffled, and perhaps counted."""
    round = require(table, "shuffle")
    citations, whole = game_of(round).citations, game_of(round).pieces(round.terms)
    if round.terms.source == "shuffler":
        raise Refusal("table", "the shuffler shuffles and says itself when it is done", citations.by_machine)
    if input.count is not None and input.count != whole:
        decks = "deck" if round.terms.decks == 1 else f"{round.terms.decks} decks"
        reason = f"{input.count} cards are no {decks}: make it whole, {whole} cards"
        if game_of(round).arranges:
            reason = f"{input.count} tiles are no set: make it whole, {whole} tiles"
        raise Refusal("table", reason, citations.material)
    yield CardsShuffled(count=input.count)


def cut(table: Table, input: heard.Cut) -> Iterator[Event]:
    """The bank has cut, or a player where the regulation lets one."""
    round = require(table, "cut")
    game, seat = game_of(round), seat_of(input.by)
    if input.by != "bank" and not game.anybody_cuts:
        raise Refusal("by", 'the bank cuts: "bank"', game.citations.cut)
    if input.by != "bank" and seat is None:
        raise Refusal("by", 'the bank or a player cuts: "bank", "seat 3"', game.citations.cut)
    if seat is not None:
        game.check_seat(round, seat)
    why_not = game.why_not_cut(round, seat)
    if why_not:
        raise Refusal("by", why_not, game.citations.cut)
    yield DeckCut(by=input.by)


def cut_passed(table: Table, input: heard.PassCut) -> Iterator[Event]:
    """The seat whose turn it is to cut does not: the next one's it is (black-jack 8)."""
    round, turn = require(table, "cut"), next_step(table).seat
    if turn is None or input.seat != turn:
        whose = "the bank's" if turn is None else f"that of {seat_place(turn)}"
        raise Refusal(seat_place(input.seat), f"the turn to cut is {whose}", game_of(round).citations.cut)
    yield CutPassed(seat=input.seat, vacant=input.vacant, actor=input.actor)


def warning_card_placed(table: Table, input: heard.PlaceWarningCard) -> Iterator[Event]:
    """The warning card lies in its place and the cards in the shoe (black-jack 9)."""
    behind = behind_warning_card(input.place, require(table, "warning").terms.decks)
    yield WarningCardPlaced(place=input.place, behind=behind, actor=input.actor)


def deck_complete(table: Table, input: heard.DeckComplete) -> Iterator[Event]:
    """The dealer has made the deck whole; it is shuffled again."""
    require(table, "deck")
    yield DeckMended(actor=input.actor)


def shuffle_heard(table: Table, input: heard.ShuffleHeard) -> Iterator[Event]:
    """The shuffler has shuffled: 52 cards, or the deck is not whole."""
    step = next_step(table)
    if step.kind == "shuffle" and step.order == input.order:
        doubt = table.troubles.get(DECK_TROUBLE)
        if doubt is not None:
            yield DeckFaulted(found=input.count, reason=doubt)
        elif input.count == CARDS_OF_A_DECK:
            yield CardsShuffled(count=input.count)
        else:
            yield DeckFaulted(found=input.count, reason=f"{input.count} cards in the shuffler, not {CARDS_OF_A_DECK}")


def deck_checked(table: Table, game: Game, input: heard.DeckChecked) -> Iterator[Event]:
    """The shuffler looked at every card. Which card is wrong is not said: the others lie face down."""
    if input.found == CARDS_OF_A_DECK and not input.missing and not input.doubled:
        return
    wrong = [f"{input.missing} missing"] * bool(input.missing) + [f"{input.doubled} doubled"] * bool(input.doubled)
    reason = f"the shuffler checked the deck: {', '.join(wrong) or f'{input.found} cards'}"
    match trouble_now(table, game, "shuffler", "deck"):
        case cell if cell.action == "void":
            yield from void(table, cell.citation, "the shuffler found that the deck is not whole")
        case cell if cell.action == "by hand":
            before_the_bets = table.round is not None and not table.round.locked
            yield (DeckFaulted if before_the_bets else DeckDoubted)(found=input.found, reason=reason)


# ---- the deal


def as_read(game: Game, input: heard.CardsHeard) -> heard.CardsHeard:
    """What is no card of this game was not read: a tile among cards, a card among tiles."""
    return replace(input, cards=tuple(piece if piece is None or game.knows(piece) else None for piece in input.cards))


def cards_heard(table: Table, input: heard.CardsHeard) -> Decision:
    """Cards left their source: dealt to the places that are due, or not due at all."""
    step = next_step(table)
    round = table.round
    counting = step.kind == "count" and round is not None and bool(round.gaps)
    if round is not None and game_of(round).face_up and round.terms.source == input.source and not counting:
        return _face_up(table, input)
    if round is None or round.terms.source != input.source or (step.kind != "deal" and not counting):
        return Decision(events=(DealerTold(notice="card_not_due"),))
    if step.kind == "deal" and step.order != input.order:
        return Decision(events=(DealerTold(notice="card_not_due"),))
    first = round.draws + 1
    draws = tuple(range(first, first + len(input.cards)))
    drawn = dict(zip(draws, input.cards, strict=True))
    if counting:
        return _dealt(draws, (UNCOUNTED,) * len(draws), input.order, drawn)
    if len(draws) != len(step.to):
        cell = trouble_now(table, game_of(round), "shuffler", "packet")
        reason = f"{len(draws)} cards came where {len(step.to)} were due"
        # The cards have left the machine: they count for what is put back into it.
        events = (CardsDealt(draws=draws, to=(UNCOUNTED,) * len(draws), order=input.order),)
        return Decision(events=(*events, *void(table, cell.citation, reason)), drawn=drawn)
    return _dealt(draws, step.to, input.order, drawn)


def _face_up(table: Table, input: heard.CardsHeard) -> Decision:
    early = before_it_was_called(table)
    table = fold(table, early)
    step, round = next_step(table), table.round
    if step.kind != "deal" or len(input.cards) != len(step.to) or round is None:
        return Decision(events=(DealerTold(notice="card_not_due"),))
    shown = tuple(shown_as_dealt(table, input))
    after = fold(table, shown)
    settled = settle_if_complete(after, after.round) if after.round is not None else ()
    return Decision(events=(*early, *shown, *settled), drawn={round.draws + 1: input.cards[0]})


def _dealt(draws: tuple[int, ...], to: tuple[str, ...], order: int | None, drawn: dict[int, Card | None]) -> Decision:
    unread = tuple(draw for draw in draws if drawn[draw] is None)
    events: list[Event] = [CardsDealt(draws=draws, to=to, order=order, unread=unread)]
    if unread:
        events.append(DealerTold(notice="card_unread"))
    return Decision(events=tuple(events), drawn=drawn)


def unheard_card(table: Table) -> Decision:
    """The dealer drew the card of this step, and the shoe said nothing of it: it is keyed in when it is turned."""
    round = require(table, "deal", "burn")
    if round.terms.source != "shoe":
        reason = "the shuffler reports every card, late at worst: wait, or report its failure"
        raise Refusal("table", reason, game_of(round).citations.shuffler_failed)
    draw = round.draws + 1
    if next_step(table).kind == "burn":
        return Decision(events=(CardBurned(draw=draw),), drawn={draw: None})
    dealt = CardsDealt(draws=(draw,), to=next_step(table).to, unread=(draw,), unheard=True)
    return Decision(events=(dealt, DealerTold(notice="card_unread")), drawn={draw: None})


def tiles_dealt(table: Table, actor: str) -> Decision:
    """All tiles that are still due lie there, and nobody has read them."""
    events, drawn = tiles.tiles_dealt(table, actor)
    return Decision(events=events, drawn=drawn)


def reports_missed(table: Table, game: Game, input: heard.ReportsMissed) -> Iterator[Event]:
    """Reports of the shoe never came, and each may have been a card: the dealer counts, or compares what lies open."""
    round = table.round
    if trouble_now(table, game, "shoe", "reports lost").action != "by hand":
        return
    if game.asks:
        if round is not None or table.shoe.decks:
            yield DealerTold(notice="compare_cards")
        return
    if round is None:
        return
    lost = None if input.count is None else input.count - round.claimed
    dealing_on = next_step(table).kind == "deal" or round.gaps
    if dealing_on and (lost is None or lost > 0):
        yield CountAsked(reason=input.reason, lost=lost)
    elif dealing_on and input.count is not None:
        yield UnheardMatched(count=input.count)


def counted(table: Table, input: heard.CardsCounted) -> Decision:
    """The dealer's count finds a gap, or closes the deal; one that disagrees is asked for once more."""
    round = require(table, "count")
    count, known = input.count, round.draws
    unheard = count - known
    if not round.gaps and count == known:
        return Decision(events=(CardsCounted(count=count, unread=(), actor=input.actor),))
    if not _agrees(round, count) and not round.recounting:
        return Decision(events=(CountDoubted(count=count, actor=input.actor),))
    if _too_many(round, count):
        reason = f"{count} cards were dealt, more than are due"
        return Decision(events=tuple(void(table, game_of(round).citations.broken_deal, reason)))
    if not _agrees(round, count):
        reason = f"{count} cards were dealt and {known} heard: which one is which cannot be told"
        return Decision(events=tuple(void(table, EVERY_CARD_HEARD, reason)))
    draws = tuple(range(known + 1, known + unheard + 1))
    found = CardsCounted(count=count, unread=draws, actor=input.actor)
    return Decision(events=(found,), drawn=dict.fromkeys(draws))


def _agrees(round: Round, count: int) -> bool:
    """Whether a count leaves one way in which the cards can lie."""
    unheard = count - round.draws
    if not round.gaps:
        return unheard == 0
    return not _too_many(round, count) and _can_be(round, unheard) and _tells_which(round, unheard)


def _too_many(round: Round, count: int) -> bool:
    """Whether so many cards, if they can have been dealt, are more than the deal has."""
    null = sum(len(dealt.draws) for dealt in round.dealt if dealt.null is not None)
    if not round.gaps:
        return count > round.draws
    return _can_be(round, count - round.draws) and count - null > game_of(round).cards_due(round)


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


# ---- what is turned


def reveal(table: Table, input: heard.Reveal, vault: Vault) -> Decision:
    """The cards of a place were turned: they are shown, keyed in where nobody read them, and the last settles."""
    round = require(table, "reveal")
    place, due = input.to, next_step(table).to[0]
    if place != due:
        raise Refusal(place, f"{due} is to be turned first", game_of(round).citations.show)
    if game_of(round).arranges:
        return _turned(table, round, input, vault)
    draws = game_of(round).draws_at(round, place)
    heard_there = [vault.get(draw) for draw in draws]
    every = Counter(card for card in vault.values() if card is not None)
    if max(every.values(), default=0) > round.terms.decks:
        corrected = any(one.what == "cards" for one in round.corrections)
        if corrected or any(vault.get(draw) is not None for draw in round.unread):
            # A person may have keyed it in wrongly, and can put it right; a hand that was read cannot be.
            raise Refusal(
                place, "one card came twice, or was keyed in wrongly: correct it, or break off", COMPLETE_DECK
            )
        # Which card is doubled is not said: the others still lie face down.
        return Decision(events=tuple(void(table, COMPLETE_DECK, "one card came twice")))
    keyed = dict[int, Card | None]()
    if input.cards is not None and None not in heard_there:
        # Whether a guess is right is not said: nobody tries cards out against those that lie face down.
        raise Refusal(place, "all its cards were read: none is keyed in", UNREAD_CARDS)
    if None in heard_there:
        cards = keyed_cards(round, place, input.cards, heard_there)
        keyed = {draw: card for draw, card, read in zip(draws, cards, heard_there, strict=True) if read is None}
    else:
        cards = tuple(card for card in heard_there if card is not None)
    if keyed:
        refuse_too_often(table, round, place, cards)
    elif game_of(round).face_up and any(copies_out(table, round, card) >= round.terms.decks for card in cards):
        return Decision(events=tuple(void(table, COMPLETE_DECK, f"more than {round.terms.decks} of one card came")))
    shown = CardsShown(to=place, cards=cards, keyed_in=bool(keyed))
    return Decision(events=(shown, *settle_if_complete(table, advance(round, shown))), drawn=keyed)


def _turned(table: Table, round: Round, input: heard.Reveal, vault: Vault) -> Decision:
    events, keyed = tiles.turned(table, round, input, vault)
    after = fold(table, events)
    settled = settle_if_complete(after, after.round) if after.round is not None else ()
    return Decision(events=(*events, *settled), drawn=keyed)


def keyed_cards(round: Round, place: str, text: str | None, read: list[Card | None]) -> tuple[Card, ...]:
    """The cards a dealer keys in for a place. Raises Refusal; no refusal names a card that lies face down."""
    if text is None:
        raise Refusal(place, "a card there was not read: key in all its cards as they lie", UNREAD_CARDS)
    cards = parse_cards(text, place)
    if len(cards) != len(read):
        raise Refusal(place, f"{len(read)} cards lie there, not {len(cards)}", UNREAD_CARDS)
    if any(known is not None and known != card for known, card in zip(read, cards, strict=True)):
        raise Refusal(place, "a card that was read is another one than keyed in", UNREAD_CARDS)
    elsewhere = [(card, at) for at, shown in round.shown.items() if at != place for card in shown]
    copies = Counter([*cards, *(card for card, _ in elsewhere)])
    for card in cards:
        if copies[card] > round.terms.decks:
            raise Refusal(place, f"{card} is at {dict(elsewhere).get(card, place)} already", COMPLETE_DECK)
    return cards


def settle_if_complete(table: Table, round: Round) -> Iterator[Event]:
    """The settlement and its hits, once every hand that the rules show is shown."""
    game = game_of(round)
    if game.next_step(round).kind != "confirm" or round.settled is not None:
        return
    meter = table.meter
    terms = prize_terms(meter) if meter is not None and round.terms.chip else None
    settlement = game.settle_round(round, terms)
    yield settled_as(settlement)
    if meter is not None and isinstance(settlement, Settlement):
        yield from award_hits(meter, round, settlement)
