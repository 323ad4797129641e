"""What the fields of an input may hold at a wild table: most of all what makes sense now, and anything else."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from controller.rulebook.games import game_of

if TYPE_CHECKING:
    from tests.plays.wild import Wild

Values = Callable[["Wild"], Iterable[Any]]


def _seats(table: "Wild") -> list[int]:
    """The seats that are asked, those that bet, and any."""
    step, bets = table.step, list(table.round.wagers) if table.table.round is not None else []
    return [*(step.waiting * 3), *([step.seat] * 5 if step.seat is not None else []), *(bets * 8), *range(10)]


def _other_seats(table: "Wild") -> list[int]:
    """The seats beside the one that is named."""
    seat = table.filled.get("seat") or 1
    return [seat - 1, seat + 1, *_seats(table)]


def _placed(table: "Wild") -> list[str]:
    """What is placed at the seat that is named, and any."""
    wagers = table.round.wagers.get(table.filled["seat"], {}) if table.table.round is not None else {}
    return [*list(wagers) * 4, *table.wagers, "x"]


def _places(table: "Wild") -> list[str]:
    """The places that are asked, those of open cards, those of the last cards, and any."""
    round = table.table.round
    dealt = [] if round is None else [place for packet in game_of(round).placed(round) for place in packet.to]
    shown = [] if round is None else list(round.play.shown)
    some = [*(f"seat {seat}" for seat in _seats(table)), "bank", "bank", "community", "discard", "pending", "x", ""]
    return [*[*table.step.to, *shown * 2, *dealt[-2:]] * 4, *some]


def _cards(table: "Wild") -> list[str]:
    """The open cards of the place that is named with one card changed, other cards, and none."""
    round, place = table.table.round, table.filled["to"]
    shown_cards = [] if round is None else list(game_of(round).shown_at(round, place).values())
    wrong = table.chance.choice(table.reserve)
    changed = [
        " ".join([*shown_cards[:-1], wrong]),
        " ".join([wrong, *shown_cards[1:]]),
        " ".join(shown_cards[::-1]),
        " ".join(shown_cards),
    ]
    return [*(changed * 2 if shown_cards else []), wrong, " ".join(table.reserve[:3]), f"{wrong} {wrong}"]


def _some(values: Callable[["Wild"], Sequence[Any]], most: int) -> Values:
    """Tuples of some of these."""
    return lambda table: [
        tuple(table.chance.choices(values(table), k=size)) if values(table) else () for size in range(most + 1)
    ]


def _numbers(*numbers: int) -> Values:
    return lambda _: numbers


def _around(number: Callable[["Wild"], int | None]) -> Values:
    """A number, and those beside it."""
    return lambda table: [*([number(table) or 0] * 3), (number(table) or 0) - 1, (number(table) or 0) + 1]


VALUES: dict[tuple[str, str], Values] = {
    ("", "seat"): _seats, ("", "to_seat"): _other_seats, ("", "place"): _seats, ("", "by"): _seats,
    ("", "hand"): lambda table: [table.step.hand or 1] * 4 + [0, 1, 2],
    ("", "amount"): lambda table: table.amounts,
    ("", "wager"): _placed,
    ("", "player"): lambda table: [player for player in table.players if player is not None] or ["Ana"],
    ("", "decision"): lambda table: [*table.step.legal * 2, *table.decisions_of],
    ("", "to"): _places, ("", "meant_for"): _places,
    ("", "cards"): _cards,
    ("", "amounts"): lambda table: [(), (50,), tuple(most // 2 for most in table.step.most), table.step.most],
    ("", "who"): lambda table: [(), tuple(table.chance.random() < 0.5 for _ in table.step.backers)],
    ("", "but"): _some(_seats, 2),
    ("", "which"): lambda table: [()] * 4 + [tuple(table.chance.sample((1, 2, 3, 4), k=size)) for size in (1, 1, 2, 3)],
    ("", "count"): _numbers(0, 1, 2, 3, 50, 51, 52, 104, 208),
    ("", "counter"): lambda table: (next(table._counters),),
    ("", "edges"): _numbers(1, 1, 1, 2, 6),
    ("", "order"): _around(lambda table: table.step.order),
    ("", "last_order"): _around(lambda table: table.orders[-1] if table.orders else 0),
    ("", "boot"): _around(lambda table: table.table.shuffler_boot),
    ("", "found"): _numbers(50, 51, 52, 208), ("", "missing"): _numbers(0, 0, 1), ("", "duplicated"): _numbers(0, 1),
    ("", "round"): _around(lambda table: table.table.rounds),
    ("", "dice"): lambda table: [tuple(table.chance.choices(range(1, size), k=4)) for size in (7, 7, 7, 8)] + [(1, 2)],
    ("", "capital"): lambda table: [*[table.step.least] * 2, 1, 900, 5_000, 1_000_000, 0, -1],
    ("", "casino"): _numbers(0, 0, 100, 200, -100),
    ("", "agreed"): lambda table: [table.step.waiting] * 3 + [table.step.waiting[1:]],
    ("", "form"): lambda _: ["", "four at once", "x" * 41],
    ("", "reason"): lambda _: ["seen on the film"] * 5 + [""],
    ("", "authorised_by"): lambda _: ["", "an inspector"],
    ("", "second"): lambda _: ["ana"] * 3 + ["sol", "rui"],
    ("", "changes"): lambda table: [*[(change.change,) for change in table.table.waiting] * 4, (), (99,)],
    ("", "hits"): lambda table: [(), tuple(table.hits_payable()), tuple(table.hits_payable()[1:])],
    ("", "hit"): lambda table: [1, 2, *table.hits_payable() * 3],
    ("", "complaint"): _numbers(1, 1, 2),
    ("", "acts"): lambda _: [(), ("inspected",), ("counted", "x")],
    ("", "message"): _numbers(1, 9), ("", "slip"): _numbers(1, 2), ("", "number"): _numbers(1, 2),
    ("", "entry"): _numbers(1, 9), ("", "pot"): _numbers(1, 500_000),
    ("", "keys"): lambda _: [(), ("x",)],
    ("", "outage_ms"): _numbers(1), ("", "tries"): _numbers(1),
    ("", "details"): lambda _: ["x"], ("", "values"): lambda _: [{}],
    ("", "name"): lambda _: ["", "Ana"], ("", "what"): lambda _: ["a card was changed"],
    ("", "journal"): lambda _: ["x"], ("", "claim"): lambda _: ["x"], ("", "alarm"): lambda table: table.alarm_names(),
    ("", "since"): lambda _: ["now", "then"],
    ("Cut", "by"): _places, ("ReportTilesMoved", "by"): _places, ("Complain", "by"): lambda _: ["seat 1", "x"],
    ("Exposed", "to"): lambda table: [*_places(table), "bank", "bank"],
    ("Extracted", "cards"): _numbers(51, 52, 104, 207, 208), ("CompareGrant", "amount"): _numbers(1),
    ("InsertionReported", "count"): _numbers(0, 4, 20, 100, 208),
    ("ShuffleReported", "count"): _numbers(50, 51, 52, 208),
    ("Shuffled", "count"): _numbers(31, 32, 51, 52, 208, 416), ("Exposed", "count"): _numbers(0, 1, 2, 3, 4),
    ("AdjustMeter", "amount"): _numbers(-300_000, -100, 100, 200_000),
    ("EnterIncrement", "amount"): _numbers(35, 70, 0),
    ("AdjustRound", "amount"): _numbers(-200, 0, 200),
}  # fmt: skip
"""What a field may hold, by its name, or by the kind of the input and its name."""


OF_TYPE: dict[Any, Values] = {str: lambda _: ["x", "rui", ""], int: _numbers(0, 1, 2)}


def values_of(kind: str, name: str, hint: Any) -> Values:
    """What a field of this kind of input may hold: by its name, else by its type. Raises KeyError for another type."""
    return VALUES.get((kind, name)) or VALUES.get(("", name)) or OF_TYPE[hint]
