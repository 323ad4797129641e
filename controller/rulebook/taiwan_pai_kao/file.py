"""A completed round of Taiwan-Pai Kao from a round file: read, checked and settled. No I/O here."""

from collections.abc import Iterator, Mapping

from controller.rulebook.reading import check_name, read_money, read_object, read_rules
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import (
    BEFORE_THE_DICE,
    FOUR_TILES,
    GAME,
    JOINED,
    KEYS_OF_RULES,
    PLACES,
    TWO_PAIRS,
)
from controller.rulebook.taiwan_pai_kao.pairs import TileHand, arrange, correct_pairs
from controller.rulebook.taiwan_pai_kao.places import check_dice, check_place, check_places
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason
from controller.rulebook.taiwan_pai_kao.settle import Bank, settle_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.tiles import Tile, in_order, parse_tiles, refuse_beyond_copies, show_tiles
from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager

__all__ = ["GAME", "settle_file"]

KEYS = ("game", "places", "banker", "capital", "dice", "tiles", "wagers", "arranged", "rules")
REQUIRED = KEYS[:6]
WAGER_KEYS = ("player", "amount")
PAIR_KEYS = ("front", "rear")


def settle_file(round_read: object) -> PaiKaoSettlement:
    """Settles the round that the JSON value of a round file describes; raises Refusal for an impossible one."""
    asked = read_object(round_read, "round", KEYS, REQUIRED)
    places = check_places(asked["places"])
    bank = Bank(check_place("banker", asked["banker"], places), read_money(asked["capital"], "round", "capital"))
    dice = check_dice(_read_list(asked["dice"], "dice"))
    tiles = _read_all_tiles(asked["tiles"], places)
    wagers: list[Wager] = []
    if "wagers" in asked:
        wagers = [wager for place, value in _by_place(asked, "wagers", places) for wager in _read_wagers(place, value)]
        if not wagers:
            raise Refusal("wagers", LawReason.NO_ONE_BETS, BEFORE_THE_DICE)
    for wager in wagers:
        if wager.place == bank.place:
            raise Refusal(f"place {bank.place}", PaiKaoReason.BANKERS_WAGER, JOINED)
        check_wager(wager, places, bank.place)
    arranged = dict(_by_place(asked, "arranged", places)) if "arranged" in asked else {}
    hands = {place: _hand(place, own, arranged) for place, own in tiles.items()}
    rules = read_rules(asked.get("rules", []), KEYS_OF_RULES)
    return settle_places(bank, dice, hands, wagers, rules)


def _read_list(value: object, who: str) -> list[object]:
    if not isinstance(value, list):
        raise Refusal(who, PaiKaoReason.NO_LIST, value=quoted(value))
    return value


def _by_place(asked: Mapping[str, object], key: str, places: int) -> Iterator[tuple[int, object]]:
    value = asked[key]
    if not isinstance(value, dict):
        raise Refusal(key, LawReason.NO_OBJECT, value=quoted(value))
    numbers = {str(place): place for place in range(1, places + 1)}
    for name in value:
        if name not in numbers:
            raise Refusal(key, PaiKaoReason.NO_PLACE_KEY, PLACES, place=quoted(name), places=places)
    yield from ((numbers[name], value[name]) for name in value)


def _read_all_tiles(value: object, places: int) -> dict[int, tuple[Tile, ...]]:
    given = dict(_by_place({"tiles": value}, "tiles", places))
    tiles: dict[int, tuple[Tile, ...]] = {}
    for place in range(1, places + 1):
        if place not in given:
            raise Refusal(f"place {place}", PaiKaoReason.TILES_MISSING, FOUR_TILES)
        tiles[place] = _read_tiles(given[place], f"place {place}", 4, FOUR_TILES)
    refuse_beyond_copies((f"place {place}", own) for place, own in tiles.items())
    return tiles


def _read_tiles(value: object, who: str, count: int, article: str) -> tuple[Tile, ...]:
    if not isinstance(value, str):
        raise Refusal(who, PaiKaoReason.NO_TILES_AS_TEXT, count=count, value=quoted(value))
    tiles = parse_tiles(value, who)
    if len(tiles) != count:
        raise Refusal(who, PaiKaoReason.WRONG_NUMBER_OF_TILES, article, count=count, found=len(tiles))
    return tiles


def _read_wagers(place: int, value: object) -> Iterator[Wager]:
    who = f"place {place}"
    for entry in _read_list(value, who):
        read = read_object(entry, who, WAGER_KEYS, WAGER_KEYS)
        player = check_name(read["player"], who, "wager")
        yield Wager(place, player, read_money(read["amount"], who, f"amount by {quoted(player)}"))


def _hand(place: int, tiles: tuple[Tile, ...], arranged: Mapping[int, object]) -> TileHand:
    if place not in arranged:
        return arrange(tiles)
    who = f"place {place}"
    read = read_object(arranged[place], who, PAIR_KEYS, PAIR_KEYS)
    front, rear = (_read_tiles(read[key], f"{who}, {key}", 2, TWO_PAIRS) for key in PAIR_KEYS)
    if in_order((*front, *rear)) != in_order(tiles):
        raise Refusal(who, PaiKaoReason.NOT_ITS_TILES, TWO_PAIRS, tiles=show_tiles(tiles))
    return correct_pairs(front, rear)
