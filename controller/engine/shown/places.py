"""A round of Taiwan-Pai Kao as everybody may see it: the bank, the dice, the pairs that lie open. No I/O here."""

import msgspec

from controller.rulebook.report import PairsShown
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.live import bank_of, hands_of, holders_of, named_first, places_of
from controller.rulebook.taiwan_pai_kao.pairs import PairName as PairName
from controller.rulebook.taiwan_pai_kao.places import settling_order
from controller.rulebook.taiwan_pai_kao.settlement import answer_pair
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import show_tiles
from controller.rulebook.units import Minor


class PublicBank(msgspec.Struct, frozen=True):
    """Who holds the bank, with what, minor units, and in which round of his turn."""

    place: int
    capital: Minor
    casino: int
    rounds: int


class PublicPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """What a round has at this game alone; nothing of it at others.

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
    state, places, bank = tiles_of(round), places_of(round), bank_of(round)
    first = None
    if bank is not None and places is not None and state.dice:
        first = named_first(round, bank.place, places)
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
            for place, hand in hands_of(round).items()
        },
    )
