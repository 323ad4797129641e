"""A round of Taiwan-Pai Kao as everyone may see it: bank, dice, open pairs, prompts, the sign. No I/O here."""

import unicodedata
from functools import partial

import msgspec

from controller.engine.state.table import Table
from controller.rulebook.report import PairsShown
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, seat_of
from controller.rulebook.taiwan_pai_kao.articles import GAME
from controller.rulebook.taiwan_pai_kao.live import bank_of, holders_of, keeps_open, named_first, places_of, tile_hands
from controller.rulebook.taiwan_pai_kao.pairs import Pair
from controller.rulebook.taiwan_pai_kao.pairs import PairName as PairName
from controller.rulebook.taiwan_pai_kao.places import settling_order
from controller.rulebook.taiwan_pai_kao.settlement import answer_pair
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.table_ii import title_of
from controller.rulebook.taiwan_pai_kao.tiles import show_tiles
from controller.rulebook.taiwan_pai_kao.turn import offered
from controller.rulebook.units import Minor
from controller.words import Words, in_every_language, joined, on_the_sign, shown_amount

_text = partial(in_every_language, "prompts_places")


class PublicBank(msgspec.Struct, frozen=True):
    """Who holds the bank, with what, minor units, and in which round of his turn."""

    place: int
    capital: Minor
    casino: int
    rounds: int


class PublicPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a round that only this game has; empty at other games.

    `form` is how the tiles are distributed, as the banker announced it. `moved` are those who
    changed the order of the tiles, `holders` who may hold the tiles of a place, `used` the tiles of a first round with
    four places.
    """

    places: int | None = None
    banker: PublicBank | None = None
    form: str | None = None
    dice: tuple[int, ...] | None = None
    null_dice: int = 0
    moved: tuple[str, ...] = ()
    first_place: int | None = None
    order: tuple[int, ...] = ()
    hands_set: bool = False
    holders: dict[int, str | None] = {}
    used: str = ""
    pairs: dict[str, PairsShown] = {}


def public_places(round: Round) -> PublicPlaces:
    """The part of a round's projection that this game alone has."""
    if not isinstance(round.play, PlacesRound):
        return PublicPlaces()
    state, places, bank, first = tiles_of(round), places_of(round), bank_of(round), _first(round)
    return PublicPlaces(
        places=places,
        banker=None if bank is None else PublicBank(bank.place, bank.capital, bank.casino, state.rounds),
        form=state.form,
        dice=state.dice or None,
        null_dice=state.null_dice,
        moved=state.moved,
        first_place=first,
        order=() if first is None or bank is None or places is None else settling_order(first, bank.place, places),
        hands_set=state.hands_set,
        holders=holders_of(round),
        used=show_tiles(state.used),
        pairs={
            f"seat {place}": PairsShown(
                answer_pair(hand.front).result(), answer_pair(hand.rear).result(), hand.rearranged
            )
            for place, hand in tile_hands(round).items()
        },
    )


def words_at_places(round: Round, step: Step, pieces: int, exponent: int) -> Words | None:
    """The prompt of a step that only this game has; `pieces` is the number of tiles, `exponent` the currency's.

    None at other games, and for the confirmation of a void round, which is the same at every game.
    """
    if not isinstance(round.play, PlacesRound) or (step.kind == "confirm" and round.void is not None):
        return None
    if step.kind == "bank":
        return _offered(round, step, exponent)
    if step.kind == "count":
        return _text("count/gap" if step.cards is None else "count", cards=step.cards)
    if step.kind == "deal":
        return _text("deal" if round.terms.reader else "deal/all", seat=seat_of(step.to[0]))
    if step.kind == "reveal":
        bank = tiles_of(round).bank
        own = bank is not None and seat_of(step.to[0]) == bank.seat
        opened = _text("reveal/bank" if own else "reveal", seat=seat_of(step.to[0]))
        return joined((opened, _text("reveal/key_in"))) if step.key_in else opened
    if step.kind == "claims" and keeps_open(round):
        return _text("claims/open")
    return _text(step.kind, seat=step.seat, pieces=pieces)


def _offered(round: Round, step: Step, exponent: int) -> Words:
    offer = offered(tiles_of(round), places_of(round) or round.terms.seat_count)
    least = shown_amount(step.least, exponent)
    text = _text("bank/continues" if offer is not None and offer.continues else "bank", seat=step.seat, least=least)
    more = []
    if step.waiting:
        more.append(_text("bank/agree", places=", ".join(map(str, step.waiting))))
    if step.elsewhere:
        more.append(_text("bank/elsewhere", places=", ".join(map(str, step.elsewhere))))
    return joined((text, *more))


def bank_shown(table: Table) -> Words | None:
    """The sign's text about bank, dice and open pairs, by language; None at other games."""
    if table.game != GAME:
        return None
    round = table.round
    bank = None if round is None else tiles_of(round).bank
    if round is None or bank is None or round.void is not None or round.confirmed:
        return on_the_sign("no_bank")
    hand = tile_hands(round).get(bank.seat)
    if hand is not None:
        return on_the_sign("bank/pairs", front=_pair(hand.front), rear=_pair(hand.rear))
    first = _first(round)
    if first is not None:
        return on_the_sign("bank/dice", place=bank.seat, dice=sum(tiles_of(round).dice), first=first)
    return on_the_sign("bank", place=bank.seat)


def _first(round: Round) -> int | None:
    state, places = tiles_of(round), places_of(round)
    if state.bank is None or places is None or not state.dice:
        return None
    return named_first(round, state.bank.seat, places)


def _pair(pair: Pair) -> str:
    """The pair's name in Table II in printable ASCII; for the few without a name, its tiles."""
    title = title_of(pair.rank)
    if title is None:
        return " ".join(pair.tiles)
    plain = unicodedata.normalize("NFKD", title.replace("’", "'"))
    return plain.encode("ascii", "ignore").decode().upper()
