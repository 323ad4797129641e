"""The events of a round as sentences for a person, in every language. No I/O here."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, to_builtins

from controller.engine.shown.prompts import notice
from controller.engine.state.alarms import AlarmEvent
from controller.engine.state.applied import Event
from controller.engine.state.events import SIGN_IN_EVENTS, CutCardOut, DealerNotified, DeviceReported
from controller.engine.state.jackpot import HitLocked
from controller.queries.register import entry_kind
from controller.queries.register_words import KINDS, entry_words
from controller.rulebook.events import CardsDealt, RoundBegun, Terms, WagerPlaced
from controller.rulebook.games import GAMES, SettlingEvent
from controller.rulebook.report import BankResult, LineResult, PairResult, RoundResult, SeatResult
from controller.rulebook.steps import seat_of
from controller.words import (
    SPOKEN,
    Words,
    article_words,
    cards_shown,
    in_every_language,
    in_own_words,
    joined,
    on_the_page,
    shown_amount,
)

WITHOUT_TEXT = {
    "shuffler_known", "orders_spent", "unreported_matched", "message_untaken", "journal_pruned", "journal_overtaken",
    "chip_cleared", "link_joined", "link_recorded",
}  # fmt: skip
"""Events between the station and its devices, which mean nothing to a person."""
MONEY = {"amount", "capital", "casino_share", "pot", "reserve", "from_pot", "from_house"}
PLACES = {"seat", "to", "places", "by", "place", "chips", "agreed"}
NAMED = {"deal": "deal", "decision": "decision", "device": "device", "source": "source", "tier": "hand"}
"""The fields whose values have names on the page, and how the keys of these names begin."""
DETAIL_OF = {
    "answer_given": "hand", "bank_passed": "absent", "bank_taken": "casino_share", "betting_closed": "chips",
    "cards_dealt": "unread", "cards_shown": "keyed_in", "chip_placed": "late", "form_announced": "form",
    "uncalled_settled": "seen", "wager_placed": "none",
}  # fmt: skip
"""The field that selects a sentence of its own for an event, if it has a value."""
BY_CODE = {"count_asked": "gap_cause", "device_reported": "what"}
"""The field that is the code of an event's sentence."""
ANSWERS = {"give_up": "give_up", "even_money": "even_money", "insurance": "insure", "follow": "follow"}

_text = partial(in_every_language, "round_texts")


class Speech(msgspec.Struct, frozen=True):
    """How a table's rounds are reported: the terms, and the currency."""

    terms: Terms
    currency: str
    exponent: int

    def money(self, minor: int) -> str:
        """An amount; the head of the page names its currency."""
        return shown_amount(minor, self.exponent)

    def place(self, name: Any) -> Words:
        """The words for a place: ``seat 3``, 3 or ``bank``."""
        number = seat_of(str(name)) or name
        if isinstance(number, int):
            return self.worded("place.seat", seat=number)
        return _page(f"place.{name}", own=str(name))

    def worded(self, key: str, /, **values: object) -> Words:
        """The text of the page, in the game's own words if it has some."""
        return in_own_words(GAMES[self.terms.game].own_words, key, **values)

    def name(self, *parts: Any) -> Words:
        """A place, a wager and a player, one after the other."""
        return joined([_own(part) for part in parts if part], by=" · ")


def words_of(event: Event, speech: Speech, alarm: Words | None = None) -> Words | None:
    """An event in words; None for one without interest to a person. `alarm` is the text of its alarm."""
    fields: dict[str, Any] = to_builtins(event, str_keys=True)
    kind = str(fields["type"])
    if kind in WITHOUT_TEXT:
        return None
    if isinstance(event, DealerNotified):
        return notice(GAMES[speech.terms.game], event)
    if isinstance(event, CutCardOut):
        return notice(GAMES[speech.terms.game], DealerNotified("cut_card"))
    if isinstance(event, SIGN_IN_EVENTS):
        return _sign_in(fields, speech)
    if isinstance(event, AlarmEvent):
        fields["text"] = alarm
    own = dict(fields)
    entry = None if kind == "cards_shown" else entry_kind(event, own)
    if entry is not None and entry in KINDS:
        return entry_words(entry, own, speech.currency, speech.exponent)
    del fields["type"]
    if isinstance(event, SettlingEvent):
        void = "" if event.settlement.outcome == "settled" else "/void"
        return _text(f"round_settled{void}")
    fields |= _beside(event, fields, speech)
    field = DETAIL_OF.get(kind, "")
    what = fields[BY_CODE[kind]] if kind in BY_CODE else fields.get(field) and field
    key = kind + (f"/{what}" if what else "")
    filled = {name: _filled(name, value, speech) for name, value in fields.items()}
    if fields.get("agreed"):
        return joined([_text(key, **filled), _text("bank_taken/agreed", agreed=filled["agreed"])], by=". ")
    return _text(key, **filled)


def _beside(event: Event, fields: Mapping[str, Any], speech: Speech) -> dict[str, Any]:
    """The values, other than its own fields, for the holes in an event's sentence."""
    match event:
        case RoundBegun(terms=terms):
            return {"source": _source(terms, speech)}
        case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
            return {"what": speech.name(speech.place(seat), wager_name(wager), player), "none": not amount}
        case HitLocked(seat=seat, player=player):
            return {"what": speech.name(speech.place(seat), player)}
        case DeviceReported(values=values):
            return dict(values)
        case CardsDealt(unread=unread):
            return {"unread": len(unread)}
    return {"decision": _answer(fields, speech)} if "question" in fields else {}


def _filled(name: str, value: Any, speech: Speech) -> Words | str:
    if isinstance(value, dict):
        return value if value.keys() >= SPOKEN.keys() else str(value)
    if value is None:
        return "–"
    if name in PLACES:
        counted = Counter(value if isinstance(value, list | tuple) else [value])
        return joined((_times(speech.place(place), count) for place, count in counted.items()), by=", ")
    if name in MONEY:
        return speech.money(value)
    if name.endswith("_e4"):
        return exact_amount(value, speech.exponent)
    if name == "cards":
        return pieces(value)
    if name == "dice":
        return " ".join(map(str, value))
    if name in NAMED:
        return _page(f"{NAMED[name]}.{value}", own=str(value))
    if name == "article":
        return article_words(value)
    return str(value)


def _times(name: Words, count: int) -> Words:
    return name if count == 1 else joined([name, _own(f"× {count}")], by=" ")


def exact_amount(e4: int, exponent: int) -> str:
    """An amount in 1/10 000 of minor units: ``3.50``, or ``0.003`` if it needs more decimals."""
    shown = shown_amount(e4, exponent + 4)
    return shown[:-4] + shown[-4:].rstrip("0") if exponent else shown.rstrip("0").rstrip(".")


def pieces(cards: Iterable[str]) -> str:
    """Cards with their suits; tiles as they are."""
    shown = " ".join(cards)
    return shown if "-" in shown else cards_shown(shown)


def wager_name(wager: str) -> Words:
    """The page's name of a wager; an authorised one has its own name."""
    return _page(f"wager.{wager}", own=wager)


def settlement_words(result: RoundResult, speech: Speech) -> Iterator[Words]:
    """The lines of a settlement: the result of each wager with its article, and each seat's sum."""
    if result.bank is not None:
        yield from _bank_words(result.bank, speech)
    for seat in result.seats:
        yield from _seat_words(seat, result, speech)
    if result.jackpot:
        pot = f"{speech.money(result.jackpot.pot_before)} → {speech.money(result.jackpot.pot_after)}"
        yield _text("of", whose=_page("meter.pot"), what=pot)


def _seat_words(seat: SeatResult, result: RoundResult, speech: Speech) -> Iterator[Words]:
    of_the_bank = result.bank is not None and result.bank.seat == seat.seat
    for line in seat.lines:
        yield _line(line, seat.seat, speech)
    hand = _page(f"hand.{seat.hand_name}") if seat.hand_name else ""
    pairs = [_pair(name, pair) for name, pair in (("front", seat.front), ("rear", seat.rear)) if pair]
    rearranged_note = _page("places.rearranged") if seat.rearranged is True else ""
    net = "" if of_the_bank else signed(seat.net, speech)
    what = [_own(words) for words in (hand, *pairs, rearranged_note, net) if words]
    if what:
        yield _text("of", whose=speech.place(seat.seat), what=joined(what, by=", "))


def _bank_words(bank: BankResult, speech: Speech) -> Iterator[Words]:
    if bank.seat is not UNSET:
        for line in bank.joiners or ():
            yield _line(line, bank.seat, speech)
        if bank.casino and bank.casino.net is not None:
            yield _text(
                "line",
                what=wager_name("casino"),
                stake=speech.money(bank.casino.share),
                outcome="–",
                net=signed(bank.casino.net, speech),
                article=article_words(bank.casino.article or "–"),
            )
    plays = None if bank.qualifies is UNSET or bank.qualifies is None else bank.qualifies
    what = [
        _page(f"hand.{bank.hand_name}") if bank.hand_name else "",
        "" if plays is None else _page("bank.plays" if plays else "bank.does_not_play"),
        _page("hand_state.black_jack") if bank.black_jack is True else "",
        _page("points", points=bank.total) if isinstance(bank.total, int) else "",
        speech.place(bank.seat) if bank.seat is not UNSET else "",
        _page("places.limited") if bank.limited is True else "",
        signed(bank.net, speech) if bank.net is not UNSET else "",
    ]
    if any(what):
        yield _text("of", whose=_page("place.bank"), what=joined([_own(words) for words in what if words], by=", "))


def _line(line: LineResult, seat: int, speech: Speech) -> Words:
    number = f" {line.hand}" if line.hand else ""
    wager = joined([wager_name(line.wager), _own(number)], by="")
    outcome = [_page(f"outcome.{line.outcome}"), _own(f" {line.odds}" if line.odds else "")]
    if line.combination:
        outcome += [_own(" · "), _page(f"hand.{line.combination}")]
    return _text(
        "line/commission" if line.commission else "line",
        what=speech.name(speech.place(seat), wager, line.player),
        stake=speech.money(line.stake),
        outcome=joined(outcome, by=""),
        net=signed(line.net, speech),
        commission=speech.money(line.commission),
        article=article_words(line.article),
    )


def _pair(name: str, pair: PairResult) -> Words:
    return joined([_page(f"pair.{name}"), _own(pieces(pair.cards)), _page(f"pair.{pair.name}", own=pair.name)], by=" ")


def signed(minor: int, speech: Speech) -> str:
    """A change of someone's money."""
    return ("+" if minor > 0 else "") + speech.money(minor)


def _source(terms: Terms, speech: Speech) -> Words:
    return speech.worded(f"source.{terms.source}") if terms.reader else _page("source.by_hand")


def _answer(fields: Mapping[str, Any], speech: Speech) -> Words:
    question = fields["question"]
    if question == "decision":
        return _page(f"decision.{fields['decision']}", own=fields["decision"])
    word = _page(f"decision.{ANSWERS[question]}")
    if question == "insurance":
        return joined([word, _own(", ".join(map(speech.money, fields["amounts"])))], by=" ")
    if question == "follow":
        return joined([word, *(_page("yes" if yes else "no") for yes in fields["who"])], by=" ")
    return word if fields["yes"] else joined([word, _page("no")], by=": ")


def _sign_in(fields: Mapping[str, Any], speech: Speech) -> Words:
    kind = str(fields["type"]).removeprefix("entry_")
    role = speech.worded(f"role.{fields['role']}") if fields["role"] else ""
    values = {
        "minutes": fields.get("seconds", 0) // 60,
        "failures": fields.get("failures"),
        "actor": fields.get("actor"),
    }
    lifted_by_pin = kind == "lifted" and not fields["actor"]
    what = _page("entry.lifted_by_pin" if lifted_by_pin else f"entry.{kind}", **values)
    detail = [_page(f"entry.{name}.{fields[name]}") for name in ("how", "reason") if name in fields]
    return joined([_own(words) for words in (role, what, *detail) if words], by=", ")


def _page(key: str, /, own: str = "", **values: object) -> Words:
    """A text of the page, or its `own` name if the page has none."""
    return on_the_page(key, **values) or _own(own or key)


def _own(text: Words | str) -> Words:
    """The same text in every language, for a name or a number."""
    return text if isinstance(text, dict) else dict.fromkeys(SPOKEN, text)
