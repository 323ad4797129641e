"""Reads what certify is given as TOML: a changed paytable or new bets, and the terms of a pot. No I/O here."""

from collections.abc import Collection
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from controller.certify.fortune_8 import CardBet, NewBet, SpacesBet
from controller.certify.pot import E4, PotTerms
from controller.certify.reasons import CertifyReason
from controller.rulebook.blackjack_21.paytable import DECKS as DECKS_21
from controller.rulebook.blackjack_21.paytable import GAME as BLACKJACK_21
from controller.rulebook.blackjack_21.paytable import LEAST_START
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.cards import DECK, RANKS, SUITS, Card, parse_cards
from controller.rulebook.five_card import STRONGEST_FIRST as FIVE_CARD_NAMES
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025, Odds, Rules
from controller.rulebook.fortune_3_card_poker.versions import RULES, VALIDITY
from controller.rulebook.fortune_8.paytable import BOX_NAMES, BOXES, DECKS, SPACES, Box
from controller.rulebook.fortune_8.paytable import GAME as FORTUNE_8
from controller.rulebook.reading import JsonObject, read_money, read_object
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.three_card import STRONGEST_FIRST as THREE_CARD_NAMES
from controller.rulebook.versions import AsOf
from controller.toml.text import BadToml, parse_toml

ASKED = "as asked for"  # stands for the article of odds that no regulation has
LONGEST_NAME = 40  # characters
MOST_TO_ONE = 10**9
PAYTABLE_GAMES = (*RULES, FORTUNE_8)
JACKPOT_GAMES = (RULES_2025.game, BLACKJACK_21)
# What a station's [jackpot] has besides: the same table can be given here.
NOT_LOOKED_AT = ("unreasonable_chips", "marking")
POT_KEYS = (
    "chip",
    "initial_pot",
    "initial_reserve",
    "minimum",
    "increment_bp",
    "reserve_bp",
    "ceiling",
    "overflow_to",
    "fixed",
    *NOT_LOOKED_AT,
)


class Paytable(Struct, frozen=True, kw_only=True):
    """What a file asks to have certified: the rules of a 3 Card Poker, or the boxes of Fortune 8 and its new bets."""

    game: str
    rules: Rules | None = None
    boxes: tuple[Box, ...] = BOXES
    bets: tuple[NewBet, ...] = ()


def rules_of(game: str, as_of: AsOf) -> Rules:
    """The rules of a 3 Card Poker on a date. Raises Refusal if no version is in force."""
    return RULES[game][VALIDITY[game].version_of(as_of).key]


def read_paytable(text: str, as_of: AsOf = None) -> Paytable:
    """The paytable of a TOML text; entries that it does not change are those in force on the date.

    Raises Refusal, naming table and key, for one that cannot be.
    """
    asked = _toml(text)
    game = _game(asked, PAYTABLE_GAMES)
    if game == FORTUNE_8:
        return _fortune_8(asked)
    rules = rules_of(game, as_of)
    tables = {"pair_plus": THREE_CARD_NAMES, "ante_bonus": THREE_CARD_NAMES}
    if rules.six_card_bonus:
        tables["six_card_bonus"] = FIVE_CARD_NAMES  # type: ignore[assignment]
    read_object(asked, "file", ("game", *tables))
    changed = {
        table: {name: Odds(to_one, ASKED) for name, to_one in _to_ones(asked[table], table, names).items()}
        for table, names in tables.items()
        if table in asked
    }
    if not changed:
        raise Refusal("file", CertifyReason.CHANGES_NOTHING, tables=", ".join(tables))
    return Paytable(game=game, rules=replace(rules, **changed))


def _toml(text: str) -> JsonObject:
    try:
        return {key: _as_json_has_it(value) for key, value in parse_toml(text.encode()).items()}
    except BadToml as bad:
        raise Refusal("file", CertifyReason.NOT_TOML, mistake=str(bad)) from None


def _as_json_has_it(value: object) -> object:
    """A date or a time as text: nothing here asks for one, and a refusal quotes what is there as JSON."""
    if isinstance(value, dict):
        return {key: _as_json_has_it(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_json_has_it(inner) for inner in value]
    return value if isinstance(value, bool | int | float | str) else str(value)


def _game(asked: JsonObject, games: Collection[str]) -> str:
    game = asked.get("game")
    if not isinstance(game, str) or game not in games:
        if game is None:
            raise Refusal("game", CertifyReason.GAME_NOT_NAMED, games=", ".join(games))
        code = CertifyReason.NO_PAYTABLE if games is PAYTABLE_GAMES else CertifyReason.NO_JACKPOT
        raise Refusal("game", code, game=quoted(game), games=", ".join(games))
    return game


def _to_ones(value: object, who: str, names: Collection[str]) -> dict[str, int]:
    """A table of odds to one, at least one; combinations that are not named lose."""
    read = read_object(value, who, names)
    if not read:
        raise Refusal(who, CertifyReason.PAYS_NOTHING_OF, names=", ".join(names))
    return {name: _to_one(read[name], who, name) for name in names if name in read}


def _to_one(value: object, who: str, key: str) -> int:
    to_one = read_money(value, who, key)
    if to_one > MOST_TO_ONE:
        raise Refusal(who, CertifyReason.ODDS_TOO_HIGH, key=key, most=MOST_TO_ONE, value=quoted(to_one))
    return to_one


def _fortune_8(asked: JsonObject) -> Paytable:
    read_object(asked, "file", ("game", "boxes", "bet"))
    if "boxes" not in asked and "bet" not in asked:
        raise Refusal("file", CertifyReason.CHANGES_NOTHING, tables="[boxes] and [[bet]]")
    to_ones = _to_ones(asked["boxes"], "boxes", BOX_NAMES) if "boxes" in asked else {}
    boxes = tuple(
        replace(box, to_one=to_ones[box.name], article=ASKED) if box.name in to_ones else box for box in BOXES
    )
    bets: list[NewBet] = []
    for number, value in enumerate(_list(asked.get("bet", []), "bet"), 1):
        bet = _bet(value, f"bet {number}")
        if bet.name in (*BOX_NAMES, *(other.name for other in bets)):
            raise Refusal(f"bet {number}", CertifyReason.NAME_TAKEN, name=quoted(bet.name))
        bets.append(bet)
    return Paytable(game=FORTUNE_8, boxes=boxes, bets=tuple(bets))


def _list(value: object, who: str) -> list[object]:
    if not isinstance(value, list):
        raise Refusal(who, CertifyReason.NO_TABLES, table=who, value=quoted(value))
    return value


def _bet(value: object, who: str) -> NewBet:
    """A new bet: `pays`, sets of cards with their odds, or one set with `spaces`, odds by the number of spaces."""
    if not isinstance(value, dict):
        raise Refusal(who, CertifyReason.NO_TABLE, value=quoted(value))
    if "spaces" in value:
        read = read_object(value, who, ("name", "cards", "ranks", "suits", "spaces", "decks"), ("name", "decks"))
        decks = read["decks"]
        if type(decks) is not int or decks not in DECKS:
            raise Refusal(
                who, CertifyReason.DECKS_OUT_OF_RANGE, "1.º 1)", least=DECKS[0], most=DECKS[-1], value=quoted(decks)
            )
        numbers = [str(number) for number in range(len(SPACES) + 1)]
        pays = {int(number): to_one for number, to_one in _to_ones(read["spaces"], f"{who}.spaces", numbers).items()}
        return SpacesBet(name=_name(read, who), cards=_set(read, who), pays=pays, decks=decks)
    read = read_object(value, who, ("name", "pays"), ("name", "pays"))
    sets = []
    for number, pay in enumerate(_list(read["pays"], f"{who}.pays"), 1):
        at = f"{who}.pays {number}"
        row = read_object(pay, at, ("cards", "ranks", "suits", "to_one"), ("to_one",))
        sets.append((_set(row, at), _to_one(row["to_one"], at, "to_one")))
    if not sets:
        raise Refusal(who, CertifyReason.PAYS_NOTHING)
    return CardBet(name=_name(read, who), pays=tuple(sets))


def _name(read: JsonObject, who: str) -> str:
    name = read["name"]
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal(who, CertifyReason.NO_BET_NAME, most=LONGEST_NAME, value=quoted(name))
    return name


def _set(read: JsonObject, who: str) -> frozenset[Card]:
    """The cards of `cards`, or those of `ranks` and `suits`; a missing key means all ranks or all suits."""
    if "cards" in read:
        if "ranks" in read or "suits" in read:
            raise Refusal(who, CertifyReason.CARDS_ALONE)
        if not isinstance(read["cards"], str):
            raise Refusal(who, CertifyReason.CARDS_NOT_TEXT, value=quoted(read["cards"]))
        return frozenset(parse_cards(read["cards"], who))
    if "ranks" not in read and "suits" not in read:
        raise Refusal(who, CertifyReason.NO_SET_OF_CARDS)
    ranks, suits = _letters(read, who, "ranks", RANKS), _letters(read, who, "suits", SUITS)
    return frozenset(card for card in DECK if card[0] in ranks and card[1] in suits)


def _letters(read: JsonObject, who: str, key: str, known: str) -> str:
    value = read.get(key, known)
    if not isinstance(value, str) or not value or any(letter not in known for letter in value):
        raise Refusal(who, CertifyReason.SOME_OF, key=key, known=known, value=quoted(value))
    return value


def read_pot(text: str) -> PotTerms:
    """The terms of a pot from a TOML text: [jackpot] as in a station's configuration, and [play].

    Raises Refusal, naming table and key, for impossible terms.
    """
    asked = _toml(text)
    game = _game(asked, JACKPOT_GAMES)
    read_object(asked, "file", ("game", "currency", "exponent", "decks", "jackpot", "play"), ("jackpot", "play"))
    prize = game == BLACKJACK_21
    required = ("chip", "minimum", "increment_bp") if prize else ("chip", "minimum", "increment_bp", "fixed")
    pot = read_object(asked["jackpot"], "jackpot", POT_KEYS, required)
    play = read_object(asked["play"], "play", ("chips_per_round", "rounds_per_hour"), ("chips_per_round",))
    chip, minimum = (read_money(pot[key], "jackpot", key) for key in ("chip", "minimum"))
    if prize and minimum < LEAST_START * chip:
        raise Refusal("jackpot", BlackjackReason.LOW_START, "44", minimum=minimum, chips=LEAST_START)
    increment, reserve = (_basis_points(pot.get(key, 0), key) for key in ("increment_bp", "reserve_bp"))
    if increment + reserve > E4:
        raise Refusal("jackpot", CertifyReason.ABOVE_THE_WHOLE, sum=increment + reserve, most=E4)
    ceiling = read_money(pot["ceiling"], "jackpot", "ceiling") if "ceiling" in pot else None
    start = read_money(pot.get("initial_pot", minimum), "jackpot", "initial_pot")
    if ceiling is not None and ceiling < max(minimum, start):
        raise Refusal("jackpot", CertifyReason.LOW_CEILING, ceiling=ceiling)
    overflow_to = pot.get("overflow_to", "reserve")
    if overflow_to not in ("overflow", "reserve"):
        raise Refusal("jackpot", CertifyReason.NO_OVERFLOW, value=quoted(overflow_to))
    return PotTerms(
        game=game,
        currency=_currency(asked.get("currency", "")),
        exponent=_whole(asked.get("exponent", 2), "file", "exponent", 0, 4),
        chip=chip,
        pot=start,
        reserve=read_money(pot.get("initial_reserve", 0), "jackpot", "initial_reserve", least=0),
        minimum=minimum,
        increment_bp=increment,
        reserve_bp=reserve,
        ceiling=ceiling,
        overflow_to="overflow" if overflow_to == "overflow" else "reserve",
        fixed=_fixed(pot.get("fixed", {}), prize),
        chips_per_round=_whole(play["chips_per_round"], "play", "chips_per_round", 1, 7),
        rounds_per_hour=Fraction(_whole(play.get("rounds_per_hour", 40), "play", "rounds_per_hour", 1, 1000)),
        decks=_decks(asked, prize),
    )


def _decks(asked: JsonObject, prize: bool) -> int:
    if not prize:
        if "decks" in asked:
            raise Refusal("decks", CertifyReason.ONE_DECK, "2.º 1 1)")
        return 0
    decks = asked.get("decks", DECKS_21[-1])
    if type(decks) is not int or decks not in DECKS_21:
        raise Refusal("decks", LawReason.ONE_OF, "3", choices=" or ".join(map(str, DECKS_21)), value=quoted(decks))
    return decks


def _fixed(value: object, prize: bool) -> dict[str, int]:
    names = () if prize else tuple(RULES_2025.jackpot)
    read = read_object(value, "jackpot.fixed", names, names)
    return {name: read_money(read[name], "jackpot.fixed", name, least=0) for name in names}


def _basis_points(value: object, key: str) -> int:
    return _whole(value, "jackpot", key, 0, E4)


def _whole(value: object, who: str, key: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Refusal(who, CertifyReason.NO_WHOLE_NUMBER, key=key, least=least, most=most, value=quoted(value))
    return value


def _currency(value: object) -> str:
    if not isinstance(value, str) or len(value) > 8 or not value.isprintable():
        raise Refusal("currency", CertifyReason.NO_CURRENCY, value=quoted(value))
    return value
