"""A search for rounds: what it may say, and which rounds it takes. No I/O here.

QUERY    = TERM { TERM }                    every one of them holds
TERM     = [ "not" ] ( WORD | KEY RELATION VALUE )
RELATION = ":" | "=" | "<" | "<=" | ">" | ">="
VALUE    = what has neither space nor quote, or anything else between two quotes
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from enum import auto
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple

from controller.queries.following import AuditedRound
from controller.rulebook.refusal import ReasonCode, Refusal


class QueryReason(ReasonCode):
    """Codes of refusals; their sentences are in `controller/words`."""

    QUERY_TERM = auto()
    QUERY_KEY = auto()
    QUERY_VALUE_MISSING = auto()
    QUERY_WORD_ALONE = auto()
    QUERY_EQUAL_ONLY = auto()
    QUERY_NUMBER = auto()
    QUERY_DAY = auto()
    QUERY_AMOUNT = auto()
    QUERY_NEGATIVE = auto()
    QUERY_ARTICLE = auto()
    QUERY_NOT = auto()
    QUERY_TOO_LONG = auto()


QUERY = "query"
MOST_CHARACTERS = 500
TERM = re.compile(r"(?P<key>[a-z]+)(?:(?P<relation>[<>]=?|[:=])(?P<value>\"[^\"]*\"|[^\s\"]*))?(?=\s|$)")
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {":": eq, "=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
A_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
KEYS = {
    "round": "its number",
    "day": "the day (UTC) on which it began, 2026-01-31",
    "seat": "a seat where a bet was placed",
    "wager": "a wager of its settlement: ante, pair_plus, jackpot",
    "stake": "an amount that was staked on one of them",
    "net": "what a seat won, negative where it lost",
    "hold": "what the house kept of it all",
    "prize": "a prize of the pot: its amount, or its name, straight_flush",
    "amount": "any of these amounts, or of an adjustment; won or lost by anyone",
    "article": 'an article that is cited in it, or how that begins: 17, 17.1, "17.º 1 5)"',
    "person": "who did anything in it, signed it too, or is named at a bet",
}
WORDS = {
    "void": "it is void",
    "prize": "it won a prize of the pot",
    "corrected": "something that was entered was corrected",
    "adjusted": "it was adjusted afterwards",
}
SIGNED = ("net", "hold")
EQUAL_ONLY = ("seat", "wager", "article", "person")

Condition = Callable[[AuditedRound], bool]


class Query(NamedTuple):
    """The conditions that all hold, and from which round and day on they can."""

    conditions: tuple[Condition, ...]
    first_round: int = 0
    first_day: str = ""

    def takes(self, round: AuditedRound) -> bool:
        """Whether a round matches the search."""
        return all(holds(round) for holds in self.conditions)

    def is_over(self, round: int, began: str) -> bool:
        """Whether no earlier round can match, even if a clock was put back by a day."""
        return round <= self.first_round or began[:10] < self.first_day


def read_query(text: str, exponent: int) -> Query:
    """A query. `decimals` is the number of decimals in its amounts. Raises Refusal."""
    if len(text) > MOST_CHARACTERS:
        raise Refusal(QUERY, QueryReason.QUERY_TOO_LONG, most=MOST_CHARACTERS)
    conditions: list[Condition] = []
    first_round, first_day = 0, ""
    for negated, key, relation, value in _terms(text):
        condition = _condition(key, relation, value, exponent)
        conditions.append(_not(condition) if negated else condition)
        if not negated and relation in (":", "=", ">", ">="):
            if key == "round":
                first_round = max(first_round, int(value))
            elif key == "day":
                first_day = max(first_day, str(date.fromisoformat(value) - timedelta(days=1)))
    return Query(tuple(conditions), first_round, first_day)


def _terms(text: str) -> Iterator[tuple[bool, str, str, str]]:
    at, negated = 0, False
    while rest := text[at:].lstrip():
        at = len(text) - len(rest)
        found = TERM.match(rest)
        if found is None:
            raise Refusal(QUERY, QueryReason.QUERY_TERM, at=rest.split()[0])
        at += found.end()
        key, relation, value = found["key"], found["relation"] or "", (found["value"] or "").strip('"')
        if key == "not" and not relation and not negated:
            negated = True
            continue
        yield negated, key, relation, value
        negated = False
    if negated:
        raise Refusal(QUERY, QueryReason.QUERY_NOT)


def _not(condition: Condition) -> Condition:
    return lambda round: not condition(round)


def _condition(key: str, relation: str, value: str, exponent: int) -> Condition:
    if not relation and key in WORDS:
        return _condition_of(key)
    if key not in KEYS:
        if key in WORDS:
            raise Refusal(QUERY, QueryReason.QUERY_WORD_ALONE, key=key)
        raise Refusal(QUERY, QueryReason.QUERY_KEY, key=key, known=", ".join(dict.fromkeys((*KEYS, *WORDS))))
    if not value:
        raise Refusal(QUERY, QueryReason.QUERY_VALUE_MISSING, key=key)
    named = key == "prize" and not re.match(r"-?[0-9]", value)
    if (key in EQUAL_ONLY or named) and relation not in (":", "="):
        raise Refusal(QUERY, QueryReason.QUERY_EQUAL_ONLY, key=key)
    holds = RELATIONS[relation]
    if key in ("round", "seat"):
        if not A_NUMBER.fullmatch(value):
            raise Refusal(QUERY, QueryReason.QUERY_NUMBER, key=key, value=value)
        number = int(value)
        return (lambda round: holds(round.round, number)) if key == "round" else lambda round: number in round.seats
    if key == "day":
        return _began(holds, value)
    if key == "article":
        wanted = _parts(value)
        if not wanted:
            raise Refusal(QUERY, QueryReason.QUERY_ARTICLE, value=value)
        return lambda round: any(_parts(article)[: len(wanted)] == wanted for article in round.articles)
    if key == "person":
        return lambda round: value.casefold() in {name.casefold() for name in (*round.persons, *round.players)}
    if key == "wager":
        return lambda round: value.casefold() in round.wagers
    if named:
        return lambda round: value.casefold() in {prize.tier for prize in round.prizes}
    amount, amounts = _amount(key, value, exponent), AMOUNTS[key]
    return lambda round: any(holds(found, amount) for found in amounts(round))


def _condition_of(word: str) -> Condition:
    match word:
        case "void":
            return lambda round: round.article is not None
        case "prize":
            return lambda round: bool(round.prizes)
        case "corrected":
            return lambda round: round.corrections > 0
        case _:
            return lambda round: bool(round.adjustments)


def _began(holds: Callable[[Any, Any], bool], value: str) -> Condition:
    try:
        day = date.fromisoformat(value)
        if str(day) != value or day == date.min:
            raise ValueError
    except ValueError:
        raise Refusal(QUERY, QueryReason.QUERY_DAY, value=value) from None
    return lambda round: holds(round.began[:10], value)


def _amount(key: str, value: str, exponent: int) -> int:
    decimals = rf"(\.[0-9]{{1,{exponent}}})?" if exponent else ""
    if not re.fullmatch(rf"-?[0-9]{{1,15}}{decimals}", value, re.ASCII):
        raise Refusal(QUERY, QueryReason.QUERY_AMOUNT, key=key, value=value, decimals=exponent)
    whole, _, fraction = value.partition(".")
    amount = int(whole + fraction.ljust(exponent, "0"))
    if amount < 0 and key not in SIGNED:
        raise Refusal(QUERY, QueryReason.QUERY_NEGATIVE, key=key, value=value)
    return amount


def _parts(article: str) -> list[str]:
    """The parts of an article: "17.º 1 5)" is 17, 1 and 5."""
    return re.findall(r"\w+", article.replace("º", "").casefold())


def _every_amount(round: AuditedRound) -> tuple[int, ...]:
    hold = () if round.hold is None else (round.hold,)
    prizes = (prize.amount for prize in round.prizes)
    return tuple(map(abs, (*round.stakes, *round.nets.values(), *hold, *prizes, *round.adjustments)))


AMOUNTS: dict[str, Callable[[AuditedRound], tuple[int, ...]]] = {
    "stake": lambda round: round.stakes,
    "net": lambda round: tuple(round.nets.values()),
    "hold": lambda round: () if round.hold is None else (round.hold,),
    "prize": lambda round: tuple(prize.amount for prize in round.prizes),
    "amount": _every_amount,
}
